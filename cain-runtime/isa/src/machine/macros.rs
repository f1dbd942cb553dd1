//! Sets of macro instructions.

use core::fmt;

use crate::Op;

/// A set of macro instructions.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Macros(u128);

/// The set has one bit for each instruction.
const _: () = assert!(Op::ALL.len() <= u128::BITS as usize);

impl Op {
    /// The instructions to which AUKE compiles (Debrunner et al. 2019), and which every convolution needs.
    pub const BASIC: &'static [Self] = &[Self::Res, Self::Mov, Self::Movx, Self::Add, Self::Sub, Self::Neg, Self::Divq];
}

impl Macros {
    /// The empty set.
    pub const NONE: Self = Self(0);
    /// All macro instructions of the vendor's library.
    pub const ALL: Self = Self::of(Op::ALL);
    /// The instructions of [`Op::BASIC`].
    pub const BASIC: Self = Self::of(Op::BASIC);

    /// The set of these instructions.
    #[must_use]
    pub const fn of(ops: &[Op]) -> Self {
        let mut set = Self::NONE;
        let mut i = 0;
        while i < ops.len() {
            set = set.with(ops[i]);
            i += 1;
        }
        set
    }

    /// The same set with one more instruction.
    #[must_use]
    pub const fn with(self, op: Op) -> Self {
        Self(self.0 | 1 << op as u32)
    }

    /// Whether an instruction is in the set.
    #[must_use]
    pub const fn contains(&self, op: Op) -> bool {
        self.0 >> (op as u32) & 1 == 1
    }

    /// The instructions, in the order of [`Op::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = Op> + Clone + use<> {
        let set = *self;
        Op::ALL.iter().copied().filter(move |op| set.contains(*op))
    }
}

impl FromIterator<Op> for Macros {
    fn from_iter<I: IntoIterator<Item = Op>>(ops: I) -> Self {
        ops.into_iter().fold(Self::NONE, Self::with)
    }
}

impl fmt::Debug for Macros {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
