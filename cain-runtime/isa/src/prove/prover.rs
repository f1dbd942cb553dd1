//! Carrying out words on polynomials.

use alloc::collections::{BTreeMap, BTreeSet};
use core::fmt;

use super::{Atom, Polynomial};
use crate::{Displacement, Fraction, HostController, Instruction, Reg, Store, Transfer, Word};

/// Runs programs on polynomials instead of images.
///
/// It is a [`HostController`], so that generated functions can be proved as they are. What a program needs from
/// registers that were never written is an error, not a guess.
#[derive(Clone, Debug, Default)]
pub struct Prover {
    values: BTreeMap<Store, Polynomial>,
    reaches: BTreeMap<Store, Reach>,
    news_offset_error: Option<Fraction>,
    report: Report,
    limit: Option<Limit>,
}

/// How many weights may be read.
#[derive(Clone, Copy, Debug)]
struct Limit {
    weights: u64,
    left: u64,
}

/// How far from a PE its value was fetched, on any way, in PEs.
///
/// The chip does not define what a PE at the border reads from outside of the array. A register is exact in every PE
/// that has this many PEs around it; nearer to the border it may be wrong even where the kernel itself would fit,
/// because a value that left the array on its way does not come back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// The south-west corner: neither coordinate is positive.
    pub min: Displacement,
    /// The north-east corner: neither coordinate is negative.
    pub max: Displacement,
}

impl Reach {
    fn extend(&mut self, other: Self, displacement: Displacement) -> Option<()> {
        let (low, high) = (other.min.checked_add(displacement)?, other.max.checked_add(displacement)?);
        self.min = Displacement::new(self.min.x.min(low.x), self.min.y.min(low.y));
        self.max = Displacement::new(self.max.x.max(high.x), self.max.y.max(high.y));
        Some(())
    }
}

/// What a program used and cost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Macro instructions carried out.
    pub macros: u32,
    /// Control words carried out.
    pub icws: u32,
    /// The largest gain of any value written, control word by control word.
    pub peak_gain: Fraction,
    /// Registers whose value from before the program was read.
    pub reads: BTreeSet<Reg>,
    /// Registers written.
    pub writes: BTreeSet<Reg>,
    /// The offset error of each register written; `None` if it does not fit exact arithmetic.
    ///
    /// The *offset error* of a value says how often it holds the constant transfer error, of about 20 DN on SCAMP-5
    /// (instruction sheet of the University of Manchester). Every word adds that error to each cell that it writes, and
    /// carries on what its sources hold of it: −(sum of their offset errors)/(number of destinations) + 1. Inputs hold none.
    /// Two inversions cancel it, as macro instructions do; only the negative results of `div` and `diva` keep it. That
    /// words with several destinations have an error of their own, about 1.7 DN larger (from the accumulation
    /// experiment of "CNNs on FPSPs"), is left out.
    pub offset_errors: BTreeMap<Reg, Option<Fraction>>,
}

impl Report {
    /// The offset error of a register's value; that of one that was not written is 0.
    #[must_use]
    pub fn offset_error(&self, reg: Reg) -> Option<Fraction> {
        self.offset_errors.get(&reg).copied().unwrap_or(Some(Fraction::ZERO))
    }

    /// Registers that lose what they held and are not among the `outputs`.
    #[must_use]
    pub fn clobbers(&self, outputs: &[Reg]) -> BTreeSet<Reg> {
        self.writes.iter().copied().filter(|reg| !outputs.contains(reg)).collect()
    }
}

impl Prover {
    /// A machine whose registers hold nothing but the inputs, channel 0 in the first register.
    ///
    /// Channels beyond 65535 are ignored; no machine has that many registers.
    #[must_use]
    pub fn new(inputs: &[Reg]) -> Self {
        let values =
            (0..=u16::MAX).zip(inputs).map(|(channel, &reg)| (Store::Reg(reg), Polynomial::input(channel))).collect();
        Self { values, ..Self::default() }
    }

    /// Gives up as soon as a program reads more weights than that: each word reads all those of its sources. Weights that
    /// cancel later count too.
    ///
    /// A short program can make values of any size, so whoever replays one that nobody vouches for sets a limit.
    #[must_use]
    pub fn limited_to(self, weights: u64) -> Self {
        Self { limit: Some(Limit { weights, left: weights }), ..self }
    }

    /// Runs a listing from the given inputs.
    pub fn of(listing: &[Instruction], inputs: &[Reg]) -> Result<Self, ProveError> {
        Self::new(inputs).after(listing)
    }

    /// Goes on with a listing.
    pub fn after(mut self, listing: &[Instruction]) -> Result<Self, ProveError> {
        for &instruction in listing {
            self.execute(instruction)?;
        }
        Ok(self)
    }

    /// What a register holds, if it was ever written or is an input.
    #[must_use]
    pub fn value(&self, reg: Reg) -> Option<&Polynomial> {
        self.values.get(&Store::Reg(reg))
    }

    /// What the NEWS register holds, if it was ever written.
    #[must_use]
    pub fn news(&self) -> Option<&Polynomial> {
        self.values.get(&Store::News)
    }

    /// How far from a PE the register's value was fetched; nothing for a register that was not written.
    #[must_use]
    pub fn reach(&self, reg: Reg) -> Reach {
        self.reaches.get(&Store::Reg(reg)).copied().unwrap_or_default()
    }

    /// What the program used and cost so far.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Decides whether a register holds exactly that polynomial; says where it does not.
    pub fn check(&self, reg: Reg, wanted: &Polynomial) -> Result<(), Mismatch> {
        let Some(found) = self.value(reg) else {
            return Err(Mismatch::Nothing { reg });
        };
        let atoms = wanted.terms().chain(found.terms()).map(|(atom, _)| atom).collect::<BTreeSet<Atom>>();
        for atom in atoms {
            let (wanted, found) = (wanted.weight(atom), found.weight(atom));
            if wanted != found {
                return Err(Mismatch::Weight { reg, atom, wanted, found });
            }
        }
        Ok(())
    }

    /// Takes the weights that a transfer reads from those that may be read.
    fn note_weights(&mut self, transfer: &Transfer) -> Result<(), ProveError> {
        let Some(Limit { weights, left }) = &mut self.limit else { return Ok(()) };
        for (store, _) in transfer.terms() {
            let read = self.values.get(store).map_or(0, |value| value.terms().len() as u64);
            *left = left.checked_sub(read).ok_or(ProveError::Limit(*weights))?;
        }
        Ok(())
    }

    /// The new value of the cell that a transfer writes, and how far it was fetched.
    fn evaluate(&self, transfer: &Transfer) -> Result<(Polynomial, Reach), ProveError> {
        let (mut sum, mut reach) = (Polynomial::new(), Reach::default());
        for &(store, displacement) in transfer.terms() {
            let value = self.values.get(&store).ok_or(ProveError::Unwritten(store))?;
            sum.add_scaled(value, transfer.factor(), displacement).ok_or(ProveError::Overflow)?;
            let source = self.reaches.get(&store).copied().unwrap_or_default();
            reach.extend(source, displacement).ok_or(ProveError::Overflow)?;
        }
        Ok((sum, reach))
    }

    /// The offset error of the cell that a transfer writes.
    fn offset_error_after(&self, transfer: &Transfer) -> Option<Fraction> {
        let mut sum = Fraction::ZERO;
        for (store, _) in transfer.terms() {
            let error = match *store {
                Store::Reg(reg) => self.report.offset_error(reg),
                Store::News => self.news_offset_error,
                Store::Pix | Store::In => Some(Fraction::ZERO),
            };
            sum = sum.checked_add(error?)?;
        }
        sum.checked_mul(transfer.factor())?.checked_add(Fraction::ONE)
    }

    fn note_reads(&mut self, transfer: &Transfer) {
        for (store, _) in transfer.terms() {
            if let Store::Reg(reg) = *store
                && !self.report.writes.contains(&reg)
            {
                self.report.reads.insert(reg);
            }
        }
    }
}

impl HostController for Prover {
    type Error = ProveError;

    fn issue(&mut self, word: Word) -> Result<(), ProveError> {
        if !matches!(word, Word::Bus(_)) {
            return Err(ProveError::NotATransfer(word));
        }
        for transfer in word.transfers() {
            self.note_weights(&transfer)?;
            let (value, reach) = self.evaluate(&transfer)?;
            let gain = value.gain().ok_or(ProveError::Overflow)?;
            let error = self.offset_error_after(&transfer);
            self.note_reads(&transfer);
            match transfer.store {
                Store::Reg(reg) => {
                    self.report.writes.insert(reg);
                    self.report.offset_errors.insert(reg, error);
                }
                Store::News => self.news_offset_error = error,
                // Words cannot write them.
                Store::Pix | Store::In => {}
            }
            self.report.peak_gain = self.report.peak_gain.max(gain);
            self.values.insert(transfer.store, value);
            self.reaches.insert(transfer.store, reach);
        }
        self.report.icws += 1;
        Ok(())
    }

    fn execute(&mut self, instruction: Instruction) -> Result<(), ProveError> {
        instruction.words().try_for_each(|word| self.issue(word))?;
        if matches!(instruction, Instruction::Macro(_)) {
            self.report.macros += 1;
        }
        Ok(())
    }
}

/// Why a program cannot be followed exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProveError {
    /// A cell is read that holds neither an input nor a result.
    Unwritten(Store),
    /// A word other than a transfer between analogue cells. What the others do depends on the images, so no polynomial
    /// says it.
    NotATransfer(Word),
    /// A weight does not fit 64 bits, or an displacement leaves ±32767 PEs.
    Overflow,
    /// More weights are read than this limit allows.
    Limit(u64),
}

impl fmt::Display for ProveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unwritten(Store::Reg(reg)) => {
                write!(f, "register `{reg}` is read before anything is written to it")
            }
            Self::Unwritten(Store::News) => f.write_str("NEWS is read before anything is written to it"),
            Self::Unwritten(Store::Pix | Store::In) => f.write_str(
                "a program that reads `PIX` or `IN` cannot be proved; load an image into a register instead",
            ),
            Self::NotATransfer(word) => {
                write!(f, "`{word}` is no transfer between analogue cells, which is all that can be proved")
            }
            Self::Overflow => f.write_str("a weight or an displacement is too large to be followed exactly"),
            Self::Limit(weights) => write!(f, "the program goes on after it has read {weights} weights of its values"),
        }
    }
}

impl core::error::Error for ProveError {}

/// Where a register differs from what was wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mismatch {
    /// The register was never written.
    Nothing {
        /// The register.
        reg: Reg,
    },
    /// A weight differs; the first one in the order of atoms.
    Weight {
        /// The register.
        reg: Reg,
        /// The input pixel.
        atom: Atom,
        /// Its weight in the kernel.
        wanted: Fraction,
        /// Its weight in the register.
        found: Fraction,
    },
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing { reg } => write!(f, "register `{reg}` is never written"),
            Self::Weight { reg, atom, wanted, found } => write!(
                f,
                "register `{reg}` weighs input {} at {} with {found} instead of {wanted}",
                atom.channel, atom.displacement
            ),
        }
    }
}

impl core::error::Error for Mismatch {}

#[cfg(test)]
mod tests {
    use super::{Mismatch, ProveError, Prover};
    use crate::asm::{A, B, C, D, EAST, NORTH, SOUTH, WEST, add, bus, div, mov, movx, reg};
    use crate::{Displacement, Fraction, Reg, Store};

    #[test]
    fn reading_nothing_is_an_error() {
        assert_eq!(Prover::of(&[mov(B, C)], &[A]).unwrap_err(), ProveError::Unwritten(Store::Reg(C)));
        let neighbour = bus(&[reg(B)], &[crate::asm::XE]);
        assert_eq!(Prover::of(&[neighbour], &[A]).unwrap_err(), ProveError::Unwritten(Store::News));
    }

    #[test]
    fn the_report_tells_what_a_program_touches() {
        let prover = Prover::of(&[div(C, D, A), add(B, A, C)], &[A]).unwrap();
        let report = prover.report();
        assert_eq!((report.macros, report.icws), (2, 7));
        assert_eq!(report.reads.iter().copied().collect::<alloc::vec::Vec<_>>(), [A]);
        assert_eq!(report.writes.len(), 4);
        assert_eq!(report.clobbers(&[B]).into_iter().collect::<alloc::vec::Vec<Reg>>(), [A, C, D]);
        assert_eq!(report.peak_gain, Fraction::new(3, 2).unwrap());
    }

    #[test]
    fn a_wrong_weight_is_named() {
        let prover = Prover::of(&[movx(B, A, EAST)], &[A]).unwrap();
        let wanted = Prover::of(&[movx(B, A, WEST)], &[A]).unwrap();
        let wanted = wanted.value(B).unwrap();
        let error = prover.check(B, wanted).unwrap_err();
        assert_eq!(
            alloc::string::ToString::to_string(&error),
            "register `B` weighs input 0 at (-1, 0) with 0 instead of 1"
        );
        assert_eq!(prover.check(C, wanted), Err(Mismatch::Nothing { reg: C }));
    }

    #[test]
    fn steps_there_and_back_cancel() {
        let listing = [movx(B, A, NORTH), movx(B, B, EAST), movx(B, B, SOUTH), movx(B, B, WEST)];
        let prover = Prover::of(&listing, &[A]).unwrap();
        prover.check(B, prover.value(A).unwrap()).unwrap();
        // The way is not forgotten: south is read while the value stands one to the west.
        assert_eq!(prover.reach(B).min, Displacement::new(-1, -1));
        assert_eq!(prover.reach(B).max, Displacement::new(0, 0));
    }

    /// The table of scamp5 macros: what is left of the constant error of each word.
    #[test]
    fn macro_instructions_cancel_the_transfer_error() {
        use crate::asm::{add2x, diva, divq, neg, res, sub2x, subx};
        let offset =
            |listing: &[crate::Instruction], reg| Prover::of(listing, &[A, B, C]).unwrap().report().offset_error(reg);
        for instruction in [
            mov(D, A),
            add(D, A, B),
            movx(D, A, EAST),
            subx(D, A, EAST, B),
            sub2x(D, A, EAST, NORTH, B),
            add2x(D, A, B, EAST, NORTH),
            neg(D, A),
            res(D),
            divq(D, A),
        ] {
            assert_eq!(offset(&[instruction], D), Some(Fraction::ZERO), "{instruction}");
        }
        let after = |reg| (offset(&[div(C, D, A)], reg), offset(&[diva(A, C, D)], reg));
        assert_eq!(after(A), (Some(Fraction::ZERO), Some(Fraction::ZERO)));
        assert_eq!(after(C), (Some(Fraction::ZERO), Some(Fraction::ONE)));
        assert_eq!(after(D), (Some(Fraction::ONE), Some(Fraction::ONE)));
    }

    #[test]
    fn single_words_leave_the_transfer_error() {
        use crate::asm::{NEWS, XE};
        let step = [bus(&[NEWS, reg(B)], &[reg(A)]), bus(&[reg(A)], &[XE, reg(B)])];
        let offsets = |n: usize| Prover::of(&step.repeat(n), &[A]).unwrap().report().offset_error(A);
        assert_eq!((offsets(1), offsets(4)), (Some(Fraction::from(-1)), Some(Fraction::from(-4))));
        assert_eq!(Prover::of(&[bus(&[reg(B)], &[])], &[A]).unwrap().report().offset_error(B), Some(Fraction::ONE));
    }

    /// A value of 1, 2, 3 and 4 weights: what is read of it once and twice, and of the next one once.
    #[test]
    fn weights_that_are_read_can_be_limited() {
        use crate::asm::{NEWS, XE};
        let grow = [bus(&[NEWS], &[reg(A)]), bus(&[reg(B)], &[XE, reg(A)]), bus(&[reg(A)], &[reg(B)])];
        let listing = grow.repeat(3);
        let read = (1 + 2 + 2) + (2 + 4 + 3) + (3 + 6 + 4);
        let limited = |weights| Prover::new(&[A]).limited_to(weights).after(&listing);
        assert_eq!(limited(read).unwrap().value(A).unwrap().terms().len(), 4);
        assert_eq!(limited(read - 1).unwrap_err(), ProveError::Limit(read - 1));
    }

    #[test]
    fn overflow_is_an_error() {
        let mut listing = alloc::vec::Vec::new();
        for _ in 0..64 {
            listing.extend([mov(B, A), add(A, A, B)]);
        }
        assert_eq!(Prover::of(&listing, &[A]).unwrap_err(), ProveError::Overflow);
    }
}
