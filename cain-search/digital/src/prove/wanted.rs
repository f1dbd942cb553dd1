//! The functions that outputs must have.

use cain_analysis::prove::Polynomial;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::bdd::{Bdd, Function, TooLarge, Variable};
use crate::{Format, Input};

/// The bits of the weighted sum of inputs, lowest first.
///
/// The diagrams are made from the sum itself: a node for each variable and each partial sum before it. So they are
/// independent of adders.
pub(crate) fn wanted(
    bdd: &mut Bdd,
    inputs: &[Input],
    kernel: &Polynomial,
    format: Format,
) -> Result<Vec<Function>, TooLarge> {
    let mut terms = Vec::new();
    for (atom, weight) in kernel.terms() {
        let input = usize::from(atom.channel);
        let number = inputs[input].format;
        for bit in 0..number.bits() {
            let is_sign = number.is_signed() && bit + 1 == number.bits();
            let value = i128::from(weight.numerator()) << bit;
            let (x, y) = (i32::from(atom.displacement.x), i32::from(atom.displacement.y));
            terms.push((Variable { bit, y, x, input }, if is_sign { -value } else { value }));
        }
    }
    terms.sort_unstable();
    (0..format.bits()).map(|place| bit_of_sum(bdd, &terms, place)).collect()
}

/// A bit of a weighted sum of bits, in the order of the variables; each weight is a multiple of that of its bit.
pub(crate) fn bit_of_sum(bdd: &mut Bdd, terms: &[(Variable, i128)], place: u32) -> Result<Function, TooLarge> {
    BitOfSum { bdd, terms, place, known: HashMap::default() }.after(0, 0)
}

/// One bit of a sum.
struct BitOfSum<'b> {
    bdd: &'b mut Bdd,
    terms: &'b [(Variable, i128)],
    place: u32,
    known: HashMap<(usize, i128), Function, FxBuildHasher>,
}

impl BitOfSum<'_> {
    /// The bit, given that the terms before `index` add up to `sum`.
    fn after(&mut self, index: usize, sum: i128) -> Result<Function, TooLarge> {
        // Bits above the wanted one do not matter.
        let sum = sum & ((1 << (self.place + 1)) - 1);
        let Some(&(variable, weight)) = self.terms.get(index) else {
            return Ok(Function::constant(sum >> self.place & 1 == 1));
        };
        if variable.bit > self.place {
            return Ok(Function::constant(sum >> self.place & 1 == 1));
        }
        let sum = sum & !((1 << variable.bit) - 1);
        if let Some(&known) = self.known.get(&(index, sum)) {
            return Ok(known);
        }
        // There may be many more partial sums than nodes.
        if self.known.len() >= self.bdd.limit() {
            return Err(TooLarge);
        }
        let low = self.after(index + 1, sum)?;
        let high = self.after(index + 1, sum.wrapping_add(weight))?;
        let function = self.bdd.branch(variable, low, high)?;
        self.known.insert((index, sum), function);
        Ok(function)
    }
}
