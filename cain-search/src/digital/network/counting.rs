//! Adding up bit after bit, in as few registers as there can be.

use super::addends::Addend;
use super::adders::{Added, add_three, add_two};
use super::build::{Builder, MOST_WORDS};
use super::columns::Item;
use super::number::Bit;
use super::wires::Wires;

/// A number while bits are added to it: nothing but its own bits is held.
struct Count {
    bits: Vec<Bit>,
    /// The most that it can be.
    most: i64,
}

impl Builder<'_> {
    /// The sum of addends and a constant, modulo 2^`width`.
    ///
    /// The lowest bits of all addends are added first, then the ones above them, so that what is added is used up bit after
    /// bit. A carry goes through all columns above at once: that takes many words, but where a neighbour is read, only the
    /// number so far is held, and as many bits as are added `at_a_time`. The constant comes last, so that the number is small
    /// for as long as possible. None if that takes far too many words.
    pub(super) fn count_up(
        &mut self,
        addends: &[Addend],
        constant: i64,
        width: u32,
        at_a_time: usize,
    ) -> Option<Vec<Bit>> {
        let mut count = Count { bits: vec![Bit::Constant(false); width as usize], most: 0 };
        for index in 0..width {
            let mut waiting: Vec<Wires> = Vec::new();
            for (i, addend) in addends.iter().enumerate() {
                let place = index + addend.shift;
                if let Some(Item::Bit(bit)) = self.item(addend, place) {
                    waiting.push(bit.narrowed(&mut self.network));
                }
                let is_last = addends.get(i + 1).is_none_or(|next| next.shift != addend.shift);
                if waiting.len() == at_a_time || is_last {
                    self.add_bits(&mut count, std::mem::take(&mut waiting), place);
                }
                if self.network.gates.len() > MOST_WORDS {
                    return None;
                }
            }
        }
        Some(self.add_constant(count, constant))
    }

    /// Adds up to two bits.
    fn add_bits(&mut self, count: &mut Count, bits: Vec<Wires>, place: u32) {
        count.most += i64::try_from(bits.len()).unwrap_or(0) << place;
        if let ([first, second], Some(Bit::Wires(so_far))) = (bits.as_slice(), count.bits.get(place as usize)) {
            let added = add_three(&mut self.network, [so_far, first, second]);
            let carry = self.put(count, place, added);
            self.carry(count, carry, place + 1);
            return;
        }
        for bit in bits {
            self.carry(count, bit, place);
        }
    }

    /// Adds a bit, and what that carries.
    fn carry(&mut self, count: &mut Count, mut carry: Wires, from: u32) {
        // A number below 2^n has no carry into place n.
        let end = i64::BITS - count.most.leading_zeros();
        for place in from..end {
            let Some(bit) = count.bits.get_mut(place as usize) else { return };
            let Bit::Wires(wires) = bit else {
                *bit = Bit::Wires(carry);
                return;
            };
            let added = add_two(&mut self.network, wires, &carry, false);
            carry = self.put(count, place, added);
        }
    }

    /// Puts a sum bit in its place; returns the carry.
    fn put(&mut self, count: &mut Count, place: u32, Added { sum, carry }: Added) -> Wires {
        let sum = sum.narrowed(&mut self.network);
        if let Some(bit) = count.bits.get_mut(place as usize) {
            *bit = Bit::Wires(sum);
        }
        carry.narrowed(&mut self.network)
    }

    /// The bits of a number and a constant together.
    fn add_constant(&mut self, count: Count, constant: i64) -> Vec<Bit> {
        let mut carry = Bit::Constant(false);
        let mut bits = Vec::new();
        for (place, bit) in count.bits.into_iter().enumerate() {
            let one = constant >> place & 1 == 1;
            let (sum, carried) = match (bit, carry) {
                (Bit::Constant(first), Bit::Constant(second)) => {
                    let ones = u8::from(first) + u8::from(second) + u8::from(one);
                    (Bit::Constant(ones % 2 == 1), Bit::Constant(ones > 1))
                }
                (Bit::Wires(wires), Bit::Constant(other)) | (Bit::Constant(other), Bit::Wires(wires)) => {
                    match (other, one) {
                        (false, false) => (Bit::Wires(wires), Bit::Constant(false)),
                        (true, true) => (Bit::Wires(wires), Bit::Constant(true)),
                        _ => (Bit::Wires(wires.clone().complement()), Bit::Wires(wires)),
                    }
                }
                (Bit::Wires(first), Bit::Wires(second)) => {
                    let Added { sum, carry } = add_two(&mut self.network, &first, &second, one);
                    let [sum, carry] = [sum, carry].map(|wires| wires.narrowed(&mut self.network));
                    (Bit::Wires(sum), Bit::Wires(carry))
                }
            };
            bits.push(sum);
            carry = carried;
        }
        bits
    }
}
