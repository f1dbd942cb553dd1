//! The prover's report on a program, besides its values.

use cain_isa::{Displacement, Fraction, Reg};

use crate::sorted::{Map, Set};

/// A report on the use and costs of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The number of macro instructions executed.
    pub macros: u32,
    /// The number of control words executed, including those of macro instructions.
    pub icws: u32,
    /// The largest [gain](super::Polynomial::gain) of any value written, control word by control word: the largest
    /// magnitude that an intermediate can take, relative to the largest magnitude of an input, for inputs in the range
    /// given to [`Prover::for_inputs`](super::Prover::for_inputs).
    pub peak_gain: Fraction,
    /// Registers whose initial value was read.
    pub reads: Set<Reg>,
    /// Registers written, including outputs.
    pub writes: Set<Reg>,
    /// The offset error of each register written; `None` if it does not fit exact arithmetic.
    ///
    /// The *offset error* of a value is the number of times that it contains the constant transfer error, of about 20
    /// DN on SCAMP-5 (instruction sheet of the University of Manchester). Every word adds that error to each cell that
    /// it writes, and passes on the errors of its sources: −(sum of their offset errors)/(number of destinations) + 1.
    /// Inputs contain none. Two inversions cancel it, as macro instructions do; only the negative results of `div` and
    /// `diva` keep it.
    ///
    /// Words with two and three destinations have an error of their own, about 2 DN larger (from the accumulation
    /// experiment of "CNNs on FPSPs"). Therefore it is counted for words with one, two and three destinations.
    pub offset_errors: Map<Reg, Option<[Fraction; 3]>>,
}

impl Report {
    /// The offset error of a register's value, over words with any number of destinations; 0 for a register that was
    /// not written.
    #[must_use]
    pub fn offset_error(&self, reg: Reg) -> Option<Fraction> {
        self.offset_error_by_destinations(reg)?.into_iter().try_fold(Fraction::ZERO, Fraction::checked_add)
    }

    /// The offset error of a register's value, separately for words with one, two and three destinations.
    #[must_use]
    pub fn offset_error_by_destinations(&self, reg: Reg) -> Option<[Fraction; 3]> {
        self.offset_errors.get(&reg).copied().unwrap_or(Some([Fraction::ZERO; 3]))
    }

    /// Registers that lose their content and are not among the `outputs`.
    #[must_use]
    pub fn clobbers(&self, outputs: &[Reg]) -> Set<Reg> {
        self.writes.iter().copied().filter(|reg| !outputs.contains(reg)).collect()
    }
}

/// The distances from a PE over which its value was fetched, on any path, in PEs.
///
/// The chip does not define the values that a PE at the border reads from outside of the array. A register is exact in
/// every PE that has this many PEs around it; nearer to the border it may be wrong even where the kernel itself would
/// fit, because a value that left the array on its way does not come back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// The south-west corner: neither coordinate is positive.
    pub min: Displacement,
    /// The north-east corner: neither coordinate is negative.
    pub max: Displacement,
}

impl Reach {
    /// All that is within either.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self {
            min: Displacement::new(self.min.x.min(other.min.x), self.min.y.min(other.min.y)),
            max: Displacement::new(self.max.x.max(other.max.x), self.max.y.max(other.max.y)),
        }
    }

    pub(super) fn extend(&mut self, other: Self, displacement: Displacement) -> Option<()> {
        let (min, max) = (other.min.checked_add(displacement)?, other.max.checked_add(displacement)?);
        *self = self.union(Self { min, max });
        Some(())
    }
}
