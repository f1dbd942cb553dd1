//! Sets of analogue registers.

use core::fmt;

use crate::Reg;

/// A set of analogue registers.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Registers([u64; Self::WORDS]);

impl Registers {
    const WORDS: usize = Self::MOST / Self::BITS;
    const BITS: usize = 64;

    /// The number of registers that have names.
    pub const MOST: usize = 256;
    /// The empty set.
    pub const NONE: Self = Self([0; Self::WORDS]);
    /// The six registers of SCAMP-5.
    pub const SCAMP5: Self = Self::of(&Reg::SCAMP5);
    /// All registers that have names.
    pub const ALL: Self = Self([u64::MAX; Self::WORDS]);

    /// The first `count` registers, in the order of their [indices](Reg::index); at most [`Self::MOST`].
    #[must_use]
    pub const fn first(count: u16) -> Self {
        let mut set = Self::NONE;
        let mut index = 0;
        while index < count && index <= u8::MAX as u16 {
            set = set.with(Reg::from_index(index.to_le_bytes()[0]));
            index += 1;
        }
        set
    }

    /// The set of these registers.
    #[must_use]
    pub const fn of(registers: &[Reg]) -> Self {
        let mut set = Self::NONE;
        let mut i = 0;
        while i < registers.len() {
            set = set.with(registers[i]);
            i += 1;
        }
        set
    }

    /// The same set with one more register.
    #[must_use]
    pub const fn with(mut self, reg: Reg) -> Self {
        self.0[reg.index() as usize / Self::BITS] |= 1 << (reg.index() as usize % Self::BITS);
        self
    }

    /// Whether a register is in the set.
    #[must_use]
    pub const fn contains(&self, reg: Reg) -> bool {
        self.0[reg.index() as usize / Self::BITS] >> (reg.index() as usize % Self::BITS) & 1 == 1
    }

    /// The number of registers in the set.
    #[must_use]
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Whether the set is empty.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        let mut i = 0;
        while i < Self::WORDS {
            if self.0[i] != 0 {
                return false;
            }
            i += 1;
        }
        true
    }

    /// The union of both sets.
    #[must_use]
    pub const fn union(mut self, other: Self) -> Self {
        let mut i = 0;
        while i < Self::WORDS {
            self.0[i] |= other.0[i];
            i += 1;
        }
        self
    }

    /// The registers of this set that are not in the other.
    #[must_use]
    pub const fn without(mut self, other: Self) -> Self {
        let mut i = 0;
        while i < Self::WORDS {
            self.0[i] &= !other.0[i];
            i += 1;
        }
        self
    }

    /// The intersection of both sets.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        self.without(self.without(other))
    }

    /// The registers of the set, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Reg> + Clone + use<> {
        let set = *self;
        (0..=u8::MAX).map(Reg::from_index).filter(move |reg| set.contains(*reg))
    }
}

impl FromIterator<Reg> for Registers {
    fn from_iter<I: IntoIterator<Item = Reg>>(registers: I) -> Self {
        registers.into_iter().fold(Self::NONE, Self::with)
    }
}

impl fmt::Debug for Registers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
