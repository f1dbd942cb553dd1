//! The machine as a value, for which programs are searched, proved and simulated.

mod bus;
mod error;
mod macros;
mod range;
mod reading;
mod registers;
#[cfg(test)]
mod tests;
mod text;
mod timing;

use crate::{Bit, Cell, Cells, Dreg, Instruction, Macro, Word};

pub use bus::BusLimits;
pub use error::MachineError;
pub use macros::Macros;
pub use range::Range;
pub use reading::NewsReading;
pub use registers::Registers;
pub use timing::{EVENT_TIME, SCANNED_BYTE_TIME, Tally, Times};

/// A machine like SCAMP-5: its registers and instructions, the limits of its bus, and its speed.
///
/// What a word computes does not depend on the machine, only whether the machine has it. Everything that takes a
/// machine uses [`Machine::SCAMP5`] by default; other machines are SCAMP-5 with some parts changed:
///
/// ```
/// use cain_isa::{Instruction, Machine, Macros, Part, Reg};
///
/// // As in Figure 4 of Stow et al. 2022: 18 registers, `A` to `R`.
/// const CAIN_18: Machine = Machine::SCAMP5.with_registers(18);
/// // The instructions that AUKE compiles to.
/// const AUKE: Machine = Machine::SCAMP5.with_macros(Macros::BASIC);
///
/// let line: Instruction = "add(R,A,B,C);".parse().unwrap();
/// assert_eq!(CAIN_18.allows(&line), Ok(()));
/// assert_eq!(Machine::SCAMP5.allows(&line).unwrap_err().to_string(), "the machine has no analogue register `R`");
/// assert_eq!(AUKE.allows(&line).unwrap_err().to_string(), "the machine has no instruction `add3`");
///
/// // A chip with these registers is an assumption; one without some instructions is not.
/// assert!(!CAIN_18.is_published(Part::Registers));
/// assert!(AUKE.is_published(Part::Macros));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Machine {
    /// The analogue registers, besides NEWS.
    pub registers: Registers,
    /// The number of digital registers, counted from `R0`; at most [`Machine::MOST_BITS`].
    pub bits: u8,
    /// The macro instructions of the machine.
    pub macros: Macros,
    /// The limits on what one control word can connect.
    pub bus: BusLimits,
    /// How long control words take.
    pub times: Times,
    /// The range of an analogue cell.
    pub range: Range,
}

/// A part of the description of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// [`Machine::registers`].
    Registers,
    /// [`Machine::bits`].
    Bits,
    /// [`Machine::macros`].
    Macros,
    /// [`Machine::bus`].
    Bus,
    /// [`Machine::times`].
    Times,
    /// [`Machine::range`].
    Range,
}

impl Part {
    /// Every part, in the order of the fields.
    pub const ALL: [Self; 6] = [Self::Registers, Self::Bits, Self::Macros, Self::Bus, Self::Times, Self::Range];

    /// The name of the part, in the plural, for use in a sentence.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Registers => "registers",
            Self::Bits => "digital registers",
            Self::Macros => "macro instructions",
            Self::Bus => "bus limits",
            Self::Times => "word times",
            Self::Range => "value ranges",
        }
    }

    /// The source in which the part is published for SCAMP-5.
    #[must_use]
    pub const fn source(self) -> &'static str {
        match self {
            Self::Registers | Self::Bits | Self::Macros | Self::Bus => {
                "SCAMP-5d library headers, University of Manchester, 2020"
            }
            Self::Times => {
                "derived from programs measured in Stow et al., Autonomous Robots 46, 2022, and Bose et al., ECCV 2020"
            }
            Self::Range => "documentation of SCAMP-5: the scale of the 8-bit converter",
        }
    }
}

impl Machine {
    /// The number of digital registers that have names.
    pub const MOST_BITS: u8 = 13;

    /// The machine SCAMP-5; for the sources see [`Part::source`].
    pub const SCAMP5: Self = Self {
        registers: Registers::SCAMP5,
        bits: Self::MOST_BITS,
        macros: Macros::ALL,
        bus: BusLimits::SCAMP5,
        times: Times::SCAMP5,
        range: Range::SCAMP5,
    };

    /// All registers, analogue and digital.
    #[must_use]
    pub fn cells(&self) -> Cells {
        let bits: Cells = Dreg::ALL.into_iter().filter(|register| register.number() < self.bits).collect();
        bits.union(Cells::registers(self.registers))
    }

    /// The same machine with `count` registers: `A` to `Z`, then `R0` and so on.
    ///
    /// At most [`Registers::MOST`] have names.
    #[must_use]
    pub const fn with_registers(self, count: u16) -> Self {
        Self { registers: Registers::first(count), ..self }
    }

    /// The same machine with these macro instructions.
    #[must_use]
    pub const fn with_macros(self, macros: Macros) -> Self {
        Self { macros, ..self }
    }

    /// The same machine with these limits on the bus.
    #[must_use]
    pub const fn with_bus(self, bus: BusLimits) -> Self {
        Self { bus, ..self }
    }

    /// Checks that the machine has this instruction, with these registers.
    pub fn allows(&self, instruction: &Instruction) -> Result<(), MachineError> {
        match instruction {
            Instruction::Macro(instruction) => self.allows_macro(instruction),
            Instruction::Word(word) => self.allows_word(word),
        }
    }

    /// Checks that the machine has a macro instruction and can carry out its words.
    fn allows_macro(&self, instruction: &Macro) -> Result<(), MachineError> {
        let op = instruction.op();
        if !self.macros.contains(op) {
            return Err(MachineError::Macro(op));
        }
        instruction.words().try_for_each(|word| self.allows_word(&word))
    }

    /// Checks that the machine has this control word, with these registers.
    pub fn allows_word(&self, word: &Word) -> Result<(), MachineError> {
        for &cell in word.destinations().iter().chain(word.sources()) {
            match cell {
                Cell::Reg(reg) if !self.registers.contains(reg) => return Err(MachineError::Register(reg)),
                _ => {}
            }
        }
        match highest_bit(word) {
            Some(dreg) if dreg.number() >= self.bits => Err(MachineError::Bit(dreg)),
            _ => self.bus.allows(word),
        }
    }

    /// Checks that this machine has everything that another one has, so that it can run every program for it.
    ///
    /// It may be faster or slower, and have a different range.
    pub fn includes(&self, other: &Self) -> Result<(), MachineError> {
        if let Some(reg) = other.registers.iter().find(|reg| !self.registers.contains(*reg)) {
            return Err(MachineError::Register(reg));
        }
        if let Some(op) = other.macros.iter().find(|op| !self.macros.contains(*op)) {
            return Err(MachineError::Macro(op));
        }
        match Dreg::ALL.into_iter().find(|dreg| (self.bits..other.bits).contains(&dreg.number())) {
            Some(dreg) => Err(MachineError::Bit(dreg)),
            None => self.bus.includes(other.bus),
        }
    }

    /// Whether SCAMP-5 has this part, as far as is published; otherwise the part is an assumption about a later chip.
    ///
    /// SCAMP-5 may have more: a machine with fewer registers is SCAMP-5 with some of them unused.
    #[must_use]
    pub fn is_published(&self, part: Part) -> bool {
        let (own, published) = (self, &Self::SCAMP5);
        match part {
            Part::Registers => own.registers.iter().all(|reg| published.registers.contains(reg)),
            Part::Bits => own.bits <= published.bits,
            Part::Macros => own.macros.iter().all(|op| published.macros.contains(op)),
            Part::Bus => published.bus.includes(own.bus).is_ok(),
            Part::Times => own.times == published.times,
            Part::Range => own.range == published.range,
        }
    }
}

impl Default for Machine {
    /// The machine [`Machine::SCAMP5`].
    fn default() -> Self {
        Self::SCAMP5
    }
}

/// The digital register with the highest number that a word reads, writes or is controlled by.
fn highest_bit(word: &Word) -> Option<Dreg> {
    if matches!(word, Word::Bus(_)) {
        return None;
    }
    let effect = word.effect(true);
    let named = |bit| if let Bit::Reg(dreg) = bit { Some(dreg) } else { None };
    effect.reads.union(effect.written()).bits().filter_map(named).max()
}
