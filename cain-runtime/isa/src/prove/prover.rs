//! Carrying out words on polynomials.

use alloc::collections::{BTreeMap, BTreeSet};

use super::{Atom, Mismatch, Polynomial, ProveError, Reach, Report};
use crate::{Fraction, HostController, Instruction, Machine, Range, Reg, Store, Transfer, Word};

/// Runs programs on polynomials instead of images.
///
/// It is a [`HostController`], so that generated functions can be proved as they are. What a program needs from
/// registers that were never written is an error, not a guess.
#[derive(Clone, Debug, Default)]
pub struct Prover {
    values: BTreeMap<Store, Polynomial>,
    reaches: BTreeMap<Store, Reach>,
    news_offset_error: Option<[Fraction; 3]>,
    report: Report,
    machine: Option<Machine>,
    /// If `None`, inputs have either sign.
    inputs: Option<Range>,
    limit: Option<Limit>,
}

/// How many weights may be read.
#[derive(Clone, Copy, Debug)]
struct Limit {
    weights: u64,
    left: u64,
}

impl Prover {
    /// Registers that hold nothing but the inputs, channel 0 in the first one.
    ///
    /// Any word is carried out, whichever machine has it; [`on`](Self::on) is for a certain machine. Channels beyond 65535 are ignored; no machine has that many registers.
    #[must_use]
    pub fn new(inputs: &[Reg]) -> Self {
        let values =
            (0..=u16::MAX).zip(inputs).map(|(channel, &reg)| (Store::Reg(reg), Polynomial::input(channel))).collect();
        Self { values, ..Self::default() }
    }

    /// The same for programs of that machine: an instruction that it lacks is an error.
    ///
    /// ```
    /// use cain_isa::prove::Prover;
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

    /// The same for inputs in that range, on which the [peak gain](Report::peak_gain) depends. Otherwise they may have
    /// either sign.
    ///
    /// ```
    /// use cain_isa::prove::Prover;
    /// use cain_isa::{Fraction, Range, asm::*};
    ///
    /// // The difference of two pixels that are not negative is not larger than either.
    /// let slope = [movx(B, A, EAST), sub(B, B, A)];
    /// let prover = Prover::new(&[A]).for_inputs(Range { min: 0, max: 127 }).after(&slope)?;
    /// assert_eq!(prover.report().peak_gain, Fraction::ONE);
    /// assert_eq!(Prover::new(&[A]).after(&slope)?.report().peak_gain, Fraction::from(2));
    /// # Ok::<(), cain_isa::prove::ProveError>(())
    /// ```
    #[must_use]
    pub fn for_inputs(self, range: Range) -> Self {
        Self { inputs: Some(range), ..self }
    }

    /// Gives up as soon as a program reads more weights than that: each word reads all those of its sources. Weights that
    /// cancel later count too.
    ///
    /// A short program can make values of any size, so one from an untrusted source should have a limit.
    #[must_use]
    pub fn limited_to(self, weights: u64) -> Self {
        Self { limit: Some(Limit { weights, left: weights }), ..self }
    }

    /// Runs a listing from the given inputs, channel 0 in the first register.
    pub fn of(listing: &[Instruction], inputs: &[Reg]) -> Result<Self, ProveError> {
        Self::new(inputs).after(listing)
    }

    /// Carries on with a listing. The first error ends it.
    pub fn after(mut self, listing: &[Instruction]) -> Result<Self, ProveError> {
        for &instruction in listing {
            self.execute(instruction)?;
        }
        Ok(self)
    }

    /// A new image, of that channel, comes into a register or into NEWS: something else than the program has written
    /// there.
    pub fn load(&mut self, store: Store, channel: u16) {
        self.values.insert(store, Polynomial::input(channel));
        self.reaches.remove(&store);
        match store {
            Store::Reg(reg) => {
                self.report.offset_errors.remove(&reg);
            }
            _ => self.news_offset_error = Some([Fraction::ZERO; 3]),
        }
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

    /// Decides whether a register holds exactly that polynomial; the error is the first place where it does not.
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

    /// The offset error of a cell that a transfer to so many cells writes.
    fn offset_error_after(&self, transfer: &Transfer, destinations: usize) -> Option<[Fraction; 3]> {
        let mut after = [Fraction::ZERO; 3];
        for (store, _) in transfer.terms() {
            let errors = match *store {
                Store::Reg(reg) => self.report.offset_error_by_destinations(reg),
                Store::News => self.news_offset_error,
                Store::Pix | Store::In => Some([Fraction::ZERO; 3]),
            };
            for (sum, error) in after.iter_mut().zip(errors?) {
                *sum = sum.checked_add(error.checked_mul(transfer.factor())?)?;
            }
        }
        let own = after.get_mut(destinations.checked_sub(1)?)?;
        *own = own.checked_add(Fraction::ONE)?;
        Some(after)
    }

    /// Carries out a word that the machine has.
    fn carry_out(&mut self, word: Word) -> Result<(), ProveError> {
        if !matches!(word, Word::Bus(_)) {
            return Err(ProveError::NotATransfer(word));
        }
        let destinations = word.transfers().count();
        for transfer in word.transfers() {
            self.note_weights(&transfer)?;
            let (value, reach) = self.evaluate(&transfer)?;
            let gain = self.inputs.map_or_else(|| value.gain(), |range| value.gain_for(range));
            let gain = gain.ok_or(ProveError::Overflow)?;
            let error = self.offset_error_after(&transfer, destinations);
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
            self.report.macros += 1;
        }
        Ok(())
    }
}
