//! Executes words on polynomials.

use core::convert::Infallible;

use cain_isa::{Fraction, HostController, Instruction, Machine, Range, Reg, Store, Word};

use super::{Atom, Mismatch, Polynomial, ProveError, Reach, Report};
use crate::evaluate::{Analogue, AnalogueDomain, Write};
use crate::sorted::Set;

/// Runs programs on polynomials instead of images.
///
/// It is a [`HostController`], so that generated functions can be proved as they are. Reading a register that was never
/// written is an error, not a guess.
#[derive(Clone, Debug, Default)]
pub struct Prover {
    cells: Analogue<Held>,
    machine: Option<Machine>,
    domain: Polynomials,
}

/// The content of a cell.
#[derive(Clone, Debug)]
struct Held {
    value: Polynomial,
    /// The distances over which it was fetched.
    reach: Reach,
    offset_error: Option<[Fraction; 3]>,
}

impl Held {
    /// A value that was not fetched from elsewhere and contains no error.
    fn new(value: Polynomial) -> Self {
        Self { value, reach: Reach::default(), offset_error: Some([Fraction::ZERO; 3]) }
    }
}

/// The domain of polynomials, with the report on their transfers.
#[derive(Clone, Debug, Default)]
struct Polynomials {
    report: Report,
    /// The range of inputs; if `None`, they have either sign.
    inputs: Option<Range>,
    limit: Option<Limit>,
}

/// A limit on the number of weights that may be read.
#[derive(Clone, Copy, Debug)]
struct Limit {
    weights: u64,
    left: u64,
}

impl Prover {
    /// A prover whose registers only hold the inputs, channel 0 in the first one.
    ///
    /// It executes any word, whichever machine has it; [`on`](Self::on) restricts it to a machine. Channels beyond
    /// 65535 are ignored; no machine has that many registers.
    #[must_use]
    pub fn new(inputs: &[Reg]) -> Self {
        let mut prover = Self::default();
        for (channel, &reg) in (0..=u16::MAX).zip(inputs) {
            prover.cells.give(Store::Reg(reg), Held::new(Polynomial::input(channel)));
        }
        prover
    }

    /// Restricts the prover to programs of a machine: an instruction that it lacks is an error.
    ///
    /// ```
    /// use cain_analysis::prove::Prover;
    /// use cain_isa::{Machine, Reg, asm::*};
    ///
    /// let scamp5 = Prover::new(&[A]).on(Machine::SCAMP5);
    /// let error = scamp5.after(&[mov(Reg::from_index(17), A)]).unwrap_err();
    /// assert_eq!(error.to_string(), "the machine has no analogue register `R`");
    /// ```
    #[must_use]
    pub fn on(self, machine: Machine) -> Self {
        Self { machine: Some(machine), ..self }
    }

    /// Sets the range of inputs, on which the [peak gain](Report::peak_gain) depends. Otherwise they may have either
    /// sign.
    ///
    /// ```
    /// use cain_analysis::prove::Prover;
    /// use cain_isa::{Fraction, Range, asm::*};
    ///
    /// // The difference of two pixels that are not negative is not larger than either.
    /// let slope = [movx(B, A, EAST), sub(B, B, A)];
    /// let prover = Prover::new(&[A]).for_inputs(Range { min: 0, max: 127 }).after(&slope)?;
    /// assert_eq!(prover.report().peak_gain, Fraction::ONE);
    /// assert_eq!(Prover::new(&[A]).after(&slope)?.report().peak_gain, Fraction::from(2));
    /// # Ok::<(), cain_analysis::prove::ProveError>(())
    /// ```
    #[must_use]
    pub fn for_inputs(self, range: Range) -> Self {
        Self { domain: Polynomials { inputs: Some(range), ..self.domain }, ..self }
    }

    /// Sets a limit on the number of weights that a program may read: each word reads all weights of its sources.
    /// Weights that cancel later count too.
    ///
    /// A short program can make values of any size, so one from an untrusted source should have a limit.
    #[must_use]
    pub fn limited_to(self, weights: u64) -> Self {
        Self { domain: Polynomials { limit: Some(Limit { weights, left: weights }), ..self.domain }, ..self }
    }

    /// Runs a listing from the given inputs, channel 0 in the first register.
    pub fn of(listing: &[Instruction], inputs: &[Reg]) -> Result<Self, ProveError> {
        Self::new(inputs).after(listing)
    }

    /// Continues with a listing. The first error ends it.
    pub fn after(mut self, listing: &[Instruction]) -> Result<Self, ProveError> {
        for &instruction in listing {
            self.execute(instruction)?;
        }
        Ok(self)
    }

    /// Loads a new image, of that channel, into a register or NEWS; it does not count as a value that the program has
    /// written.
    pub fn load(&mut self, store: Store, channel: u16) {
        self.cells.give(store, Held::new(Polynomial::input(channel)));
        if let Store::Reg(reg) = store {
            self.domain.report.offset_errors.remove(&reg);
        }
    }

    /// The content of a register, if it was ever written or is an input.
    #[must_use]
    pub fn value(&self, reg: Reg) -> Option<&Polynomial> {
        self.stored(Store::Reg(reg))
    }

    /// The content of a cell, if it was ever written or is an input.
    #[must_use]
    pub fn stored(&self, store: Store) -> Option<&Polynomial> {
        self.cells.get(store).map(|held| &held.value)
    }

    /// The number of constant transfer errors that a cell contains, of words with any number of destinations; see
    /// [`Report::offset_errors`]. `None` if that exceeds exact arithmetic, or if the cell was not written.
    #[must_use]
    pub fn offset_error(&self, store: Store) -> Option<Fraction> {
        self.offset_error_by_destinations(store)?.into_iter().try_fold(Fraction::ZERO, Fraction::checked_add)
    }

    /// The [offset error](Self::offset_error), separately for words with one, two and three destinations.
    #[must_use]
    pub fn offset_error_by_destinations(&self, store: Store) -> Option<[Fraction; 3]> {
        self.cells.get(store)?.offset_error
    }

    /// The distances from a PE over which the register's value was fetched; all 0 for a register that was not written.
    #[must_use]
    pub fn reach(&self, reg: Reg) -> Reach {
        self.cells.get(Store::Reg(reg)).map(|held| held.reach).unwrap_or_default()
    }

    /// The report on the program so far.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.domain.report
    }

    /// Checks that a register holds exactly this polynomial; the error is the first difference.
    pub fn check(&self, reg: Reg, wanted: &Polynomial) -> Result<(), Mismatch> {
        let Some(found) = self.value(reg) else {
            return Err(Mismatch::Nothing { reg });
        };
        let atoms = wanted.terms().chain(found.terms()).map(|(atom, _)| atom).collect::<Set<Atom>>();
        for atom in atoms {
            let (wanted, found) = (wanted.weight(atom), found.weight(atom));
            if wanted != found {
                return Err(Mismatch::Weight { reg, atom, wanted, found });
            }
        }
        Ok(())
    }

    /// Executes a word that the machine has.
    fn carry_out(&mut self, word: Word) -> Result<(), ProveError> {
        let Word::Bus(bus) = word else { return Err(ProveError::NotATransfer(word)) };
        self.cells.transfer(&mut self.domain, &bus, None)?;
        self.domain.report.icws += 1;
        Ok(())
    }
}

impl AnalogueDomain for Polynomials {
    type Value = Held;
    type Flag = Infallible;
    type Error = ProveError;

    fn unwritten_cell(&mut self, store: Store) -> Result<Held, ProveError> {
        Err(ProveError::Unwritten(store))
    }

    fn transfer(&mut self, write: &Write<'_, Held>) -> Result<Held, ProveError> {
        self.note_weights(write)?;
        let (factor, mut value, mut reach) = (write.transfer.factor(), Polynomial::new(), Reach::default());
        for source in &write.sources {
            value.add_scaled(&source.value.value, factor, source.at).ok_or(ProveError::Overflow)?;
            reach.extend(source.value.reach, source.at).ok_or(ProveError::Overflow)?;
        }
        let gain = self.inputs.map_or_else(|| value.gain(), |range| value.gain_for(range));
        self.report.peak_gain = self.report.peak_gain.max(gain.ok_or(ProveError::Overflow)?);
        let offset_error = offset_error_after(write);
        self.note_registers(write, offset_error);
        Ok(Held { value, reach, offset_error })
    }

    fn choose(&mut self, flag: &Infallible, _: Held, _: &Held) -> Result<Held, ProveError> {
        match *flag {}
    }
}

impl Polynomials {
    /// Deducts the weights that a transfer reads from the limit.
    fn note_weights(&mut self, write: &Write<'_, Held>) -> Result<(), ProveError> {
        let Some(Limit { weights, left }) = &mut self.limit else { return Ok(()) };
        for source in &write.sources {
            let read = source.value.value.terms().len() as u64;
            *left = left.checked_sub(read).ok_or(ProveError::Limit(*weights))?;
        }
        Ok(())
    }

    fn note_registers(&mut self, write: &Write<'_, Held>, error: Option<[Fraction; 3]>) {
        for source in &write.sources {
            if let Store::Reg(reg) = source.store
                && !self.report.writes.contains(&reg)
            {
                self.report.reads.insert(reg);
            }
        }
        if let Store::Reg(reg) = write.transfer.store {
            self.report.writes.insert(reg);
            self.report.offset_errors.insert(reg, error);
        }
    }
}

/// The offset error of the cell that is written.
fn offset_error_after(write: &Write<'_, Held>) -> Option<[Fraction; 3]> {
    let mut after = [Fraction::ZERO; 3];
    for source in &write.sources {
        for (sum, error) in after.iter_mut().zip(source.value.offset_error?) {
            *sum = sum.checked_add(error.checked_mul(write.transfer.factor())?)?;
        }
    }
    let own = after.get_mut(write.bus.destinations().len().checked_sub(1)?)?;
    *own = own.checked_add(Fraction::ONE)?;
    Some(after)
}

impl HostController for Prover {
    type Error = ProveError;

    fn issue(&mut self, word: Word) -> Result<(), ProveError> {
        if let Some(machine) = &self.machine {
            machine.allows_word(&word)?;
        }
        self.carry_out(word)
    }

    fn execute(&mut self, instruction: Instruction) -> Result<(), ProveError> {
        if let Some(machine) = &self.machine {
            machine.allows(&instruction)?;
        }
        instruction.words().try_for_each(|word| self.carry_out(word))?;
        if matches!(instruction, Instruction::Macro(_)) {
            self.domain.report.macros += 1;
        }
        Ok(())
    }
}
