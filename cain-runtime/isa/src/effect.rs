//! The effects of control words: which parts of a PE's storage they read and write.

use crate::{Bit, Cell, Displacement, Dreg, Path, Reg, Registers, Store, Word};

/// A set of parts of a PE's storage: analogue registers, NEWS, digital registers and FLAG.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cells {
    registers: Registers,
    /// One bit for each digital register, then for NEWS and FLAG.
    others: u32,
}

impl Cells {
    const NEWS_BIT: u32 = 1 << Dreg::COUNT;
    const FLAG_BIT: u32 = 1 << (Dreg::COUNT + 1);

    /// The empty set.
    pub const NONE: Self = Self { registers: Registers::NONE, others: 0 };
    /// NEWS alone.
    pub const NEWS: Self = Self { others: Self::NEWS_BIT, ..Self::NONE };
    /// FLAG alone.
    pub const FLAG: Self = Self { others: Self::FLAG_BIT, ..Self::NONE };

    /// The set of these analogue registers.
    #[must_use]
    pub const fn registers(registers: Registers) -> Self {
        Self { registers, others: 0 }
    }

    /// The set of one analogue register.
    #[must_use]
    pub const fn register(reg: Reg) -> Self {
        Self::registers(Registers::NONE.with(reg))
    }

    /// The storage of a bit; empty for bits that the controller holds.
    #[must_use]
    pub const fn bit(bit: Bit) -> Self {
        match bit {
            Bit::Reg(register) => Self { others: 1 << register.number(), ..Self::NONE },
            Bit::Flag => Self::FLAG,
            Bit::Select | Bit::Rect => Self::NONE,
        }
    }

    /// One analogue cell; nothing for the photo-sensor and the controller's level.
    #[must_use]
    pub const fn store(store: Store) -> Self {
        match store {
            Store::Reg(reg) => Self::register(reg),
            Store::News => Self::NEWS,
            Store::Pix | Store::In => Self::NONE,
        }
    }

    /// The union of both sets.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self { registers: self.registers.union(other.registers), others: self.others | other.others }
    }

    /// The intersection of both sets.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self { registers: self.registers.intersection(other.registers), others: self.others & other.others }
    }

    /// This set without the members of the other.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self { registers: self.registers.without(other.registers), others: self.others & !other.others }
    }

    /// Whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.registers.is_empty() && self.others == 0
    }

    /// Whether the other set is a subset of this one.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        other.without(self).is_empty()
    }

    /// The analogue registers in the set.
    #[must_use]
    pub const fn analogue(self) -> Registers {
        self.registers
    }

    /// The digital registers and FLAG in the set, as bits.
    pub fn bits(self) -> impl Iterator<Item = Bit> {
        let all = Dreg::ALL.into_iter().map(Bit::Reg).chain([Bit::Flag]);
        all.filter(move |&bit| self.contains(Self::bit(bit)))
    }

    fn of_bits(bits: &[Bit]) -> Self {
        bits.iter().fold(Self::NONE, |set, &bit| set.union(Self::bit(bit)))
    }

    fn of_registers(registers: &[Dreg]) -> Self {
        registers.iter().fold(Self::NONE, |set, &register| set.union(Self::bit(Bit::Reg(register))))
    }

    fn of_cells(cells: &[Cell]) -> Self {
        let stores = cells.iter().map(|cell| cell.seen_from(Displacement::ZERO).0);
        stores.fold(Self::NONE, |set, store| set.union(Self::store(store)))
    }
}

/// Collects digital registers.
impl FromIterator<Dreg> for Cells {
    fn from_iter<I: IntoIterator<Item = Dreg>>(registers: I) -> Self {
        registers.into_iter().fold(Self::NONE, |cells, register| cells.union(Self::bit(Bit::Reg(register))))
    }
}

/// The effect of a control word on the storage of the array.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effect {
    /// The storage that its results depend on.
    pub reads: Cells,
    /// The storage that it overwrites in every PE, so that nothing of the old content is left.
    pub writes: Cells,
    /// The storage that it overwrites in some PEs.
    pub changes: Cells,
    /// Whether the next word needs what this one leaves on a bus, so that nothing may come in between.
    pub is_first_half: bool,
}

impl Effect {
    /// What it overwrites in every PE or in some.
    #[must_use]
    pub const fn written(self) -> Cells {
        self.writes.union(self.changes)
    }
}

impl Word {
    /// The effect of the word on the storage of the array, given whether FLAG is 1 in every PE: analogue cells are
    /// written only where it is 1.
    ///
    /// ```
    /// use cain_isa::{Cells, Reg, Word};
    /// use cain_isa::asm::{A, B, NEWS, bus, reg};
    /// # use cain_isa::Instruction;
    ///
    /// # let first = |instruction: Instruction| instruction.words().next().unwrap();
    /// let word: Word = first(bus(&[NEWS], &[reg(A), reg(B)]));
    /// assert!(word.effect(true).reads.contains(Cells::register(Reg::B)));
    /// assert_eq!(word.effect(true).writes, Cells::NEWS);
    /// assert_eq!(word.effect(false).changes, Cells::NEWS);
    /// ```
    #[must_use]
    pub fn effect(&self, flag_everywhere: bool) -> Effect {
        let digital = self.digital_effect();
        let written = Cells::of_cells(self.destinations());
        let reads = digital.reads.union(Cells::of_cells(self.sources()));
        if flag_everywhere {
            return Effect { reads, writes: digital.writes.union(written), ..digital };
        }
        let gate = if written.is_empty() { Cells::NONE } else { Cells::FLAG };
        Effect { reads: reads.union(gate), changes: digital.changes.union(written), ..digital }
    }

    /// Whether FLAG is 1 in every PE after the word; `None` if the word does not write FLAG.
    #[must_use]
    pub const fn sets_flag_everywhere(&self) -> Option<bool> {
        match self {
            Self::All => Some(true),
            Self::Where(_) | Self::WhereBits(_) => Some(false),
            _ => None,
        }
    }

    /// The effect on bits.
    fn digital_effect(&self) -> Effect {
        match self {
            Self::Where(_) | Self::All => Effect { writes: Cells::FLAG, ..Effect::default() },
            Self::WhereBits(bits) => {
                Effect { reads: Cells::of_bits(bits.bits()), writes: Cells::FLAG, ..Effect::default() }
            }
            Self::Logic(logic) => {
                let is_first_half = logic.path() == Path::ToBus;
                Effect { is_first_half, ..write_bits(self.targets(), Cells::of_bits(logic.sources())) }
            }
            Self::FromNeighbours(word) => {
                let switches = Cells::of_registers(&Dreg::ALL[1..=4]);
                write_bits(self.targets(), switches.union(Cells::bit(word.source())))
            }
            Self::ReadPropagation => {
                Effect { reads: Cells::of_registers(&Dreg::ALL[12..]), is_first_half: true, ..Effect::default() }
            }
            Self::Propagate { .. } => write_bits(self.targets(), Cells::of_registers(&Dreg::ALL[..=4])),
            // R1 and R2 close the links.
            Self::PrepareBlur | Self::Blur(_) => {
                let reads = Cells::of_registers(&Dreg::ALL[1..=2]);
                Effect { reads, is_first_half: matches!(self, Self::PrepareBlur), ..Effect::default() }
            }
            Self::Bus(_) | Self::ResetPixels | Self::Nop | Self::Square(_) => Effect::default(),
        }
    }
}

/// The effect of writing digital registers: in every PE, but those with a gate only where the gate is 1.
fn write_bits(targets: &[Dreg], reads: Cells) -> Effect {
    targets.iter().fold(Effect { reads, ..Effect::default() }, |effect, &target| {
        let written = Cells::bit(Bit::Reg(target));
        match target.gate() {
            None => Effect { writes: effect.writes.union(written), ..effect },
            Some(gate) => {
                let reads = effect.reads.union(Cells::bit(Bit::Reg(gate)));
                Effect { reads, changes: effect.changes.union(written), ..effect }
            }
        }
    })
}
