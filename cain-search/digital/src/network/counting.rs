//! Adds bit after bit, in as few registers as possible.

use super::addends::Addend;
use super::adders::{Added, add_three, add_two};
use super::builder::{Builder, MOST_WORDS};
use super::columns::Item;
use super::number::Bit;
use super::wires::Wires;

/// A number to which bits are being added.
struct Count {
    bits: Vec<Bit>,
    /// For each place, a bit that waits to be added.
    waiting: Vec<Option<Wires>>,
    /// The most bits that may wait.
    most_waiting: usize,
    /// The largest possible value of the number, including waiting bits.
    most: i64,
}

impl Builder<'_, '_> {
    /// The sum of addends and a constant, modulo 2^`width`; `None` if that takes far too many words.
    ///
    /// The lowest bits of all addends are added first, then the ones above them, so that the addends are used up bit by
    /// bit. While a neighbour is read, only the number so far is held, and as many bits as may wait. A carry for which
    /// there is no room to wait goes through all columns above at once, which takes many words; one that waits is added
    /// together with the next one. The constant comes last, so that the number is small for as long as possible.
    pub(super) fn count_up(
        &mut self,
        addends: &[Addend],
        constant: i64,
        width: u32,
        most_waiting: usize,
    ) -> Option<Vec<Bit>> {
        let places = width as usize;
        let (bits, waiting) = (vec![Bit::Constant(false); places], vec![None; places]);
        let mut count = Count { bits, waiting, most_waiting, most: 0 };
        for index in 0..width {
            for addend in addends {
                let place = index + addend.shift;
                if let Some(Item::Bit(bit)) = self.item(addend, place) {
                    count.most += 1 << place;
                    let bit = bit.narrowed(&mut self.network);
                    self.add_bit(&mut count, bit, place as usize);
                }
                if self.network.gates.len() > MOST_WORDS {
                    return None;
                }
            }
        }
        // Waiting bits are added from the lowest on, so that they meet the carries.
        for place in 0..places {
            if let Some(bit) = count.waiting[place].take() {
                count.most_waiting = 0;
                self.add_bit(&mut count, bit, place);
            }
        }
        Some(self.add_constant(count, constant))
    }

    /// Adds a bit and its carries.
    fn add_bit(&mut self, count: &mut Count, mut bit: Wires, from: usize) {
        for place in from..count.bits.len() {
            // A number below 2^n has no carry into place n.
            if count.most >> place == 0 {
                return;
            }
            let Bit::Wires(so_far) = &count.bits[place] else {
                count.bits[place] = Bit::Wires(bit);
                return;
            };
            let is_full = || count.waiting.iter().flatten().count() >= count.most_waiting;
            let Added { sum, carry } = match &count.waiting[place] {
                Some(waiting) => add_three(&mut self.network, [so_far, waiting, &bit]),
                None if is_full() => add_two(&mut self.network, so_far, &bit, false),
                None => {
                    count.waiting[place] = Some(bit);
                    return;
                }
            };
            count.waiting[place] = None;
            count.bits[place] = Bit::Wires(sum.narrowed(&mut self.network));
            bit = carry.narrowed(&mut self.network);
        }
    }

    /// Adds a constant to a number that has no waiting bits.
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
