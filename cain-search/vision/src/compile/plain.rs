//! Sums that come over no more PEs than they have to.

use cain_isa::{Cell, Fraction, Reg};

use super::sums::Linear;
use super::{CompileError, Compiler};
use crate::declaration::Value;

/// The most halvings of a plane.
const MOST_HALVINGS: u32 = 7;

impl Compiler<'_> {
    /// Makes the weighted planes of a sum in a free register, from copies of those at other PEs.
    ///
    /// Weights are multiples of a power of one half. From the lowest bit of their numerators to the highest, what there is so far
    /// is halved, and planes are added and subtracted.
    pub(super) fn plain_sum(&mut self, value: Value, linear: &Linear) -> Result<Reg, CompileError> {
        let mut used = Vec::new();
        let mut terms = Vec::new();
        for summand in &linear.summands {
            let reg = self.displaced(value, summand, false, &used, linear.reach)?;
            used.push(reg);
            terms.push((reg, summand.weight));
        }
        let halvings = terms.iter().map(|(_, weight)| weight.denominator().trailing_zeros()).max().unwrap_or(0);
        let scale = Fraction::from(1 << halvings.min(MOST_HALVINGS));
        let mut left: Vec<(Reg, i64)> = Vec::new();
        for (reg, weight) in terms {
            let whole = weight.checked_mul(scale).filter(|whole| whole.denominator() == 1);
            left.push((reg, whole.ok_or(CompileError::Level(value))?.numerator()));
        }
        let mut free = self.registers.free(None).into_iter().filter(|reg| !used.contains(reg));
        let (sum, half) = (free.next(), free.next());
        let sum = sum.ok_or_else(|| self.no_registers(value))?;
        let mut is_begun = false;
        for level in 0..=halvings {
            if is_begun && level > 0 {
                let half = half.ok_or_else(|| self.no_registers(value))?;
                self.words(value, &[(&[half.into(), Cell::News], &[sum.into()]), (&[sum.into()], &[half.into()])])?;
            }
            // The lowest bits first; what is left at the last level is added as often as it says.
            let is_last = level == halvings;
            loop {
                let mut added: [Vec<Cell>; 2] = Default::default();
                for (reg, weight) in &mut left {
                    let is_due = if is_last { *weight != 0 } else { *weight % 2 != 0 };
                    let side = usize::from(*weight < 0);
                    if is_due && added[side].len() < 3 {
                        added[side].push((*reg).into());
                        *weight -= weight.signum();
                    }
                }
                let [mut plus, mut minus] = added;
                if plus.is_empty() && minus.is_empty() {
                    break;
                }
                if is_begun {
                    plus.push(sum.into());
                }
                minus.push(Cell::News);
                self.words(value, &[(&[Cell::News], &plus), (&[sum.into()], &minus)])?;
                is_begun = true;
            }
            for (_, weight) in &mut left {
                *weight /= if is_last { 1 } else { 2 };
            }
        }
        Ok(sum)
    }
}
