//! The macro instructions of the vendor library, each defined once by its expansion.

use crate::{Cell, Direction, Operand, Word};

/// A cell in a template: fixed, or taken from the macro's operands.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Slot {
    /// The register given as that operand.
    Reg(usize),
    /// The PE's own NEWS.
    News,
    /// The port that pushes a value so that it arrives from the direction given as that operand.
    From(usize),
    /// The port in the direction given as that operand.
    Port(usize),
}

/// One word of an expansion.
pub(crate) struct Template {
    destinations: &'static [Slot],
    sources: &'static [Slot],
}

/// A macro instruction: name, operands and expansion.
pub(crate) struct Definition {
    /// The name in listings; several instructions may share one and differ in the number of operands.
    pub(crate) name: &'static str,
    /// What each operand is, in the order of the listing.
    pub(crate) operands: &'static [OperandKind],
    /// The words that the macro stands for.
    pub(crate) words: &'static [Template],
}

/// What an operand of a macro instruction is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperandKind {
    /// A register that receives a result.
    Result,
    /// A register that is read.
    Source,
    /// A register that is read and then receives a result.
    Both,
    /// A direction.
    Direction,
}

impl Template {
    /// The word for these operands, rules unchecked.
    pub(crate) const fn fill(&self, operands: &[Operand]) -> Word {
        let mut destinations = [Cell::News; Word::MAX_DESTINATIONS];
        let mut i = 0;
        while i < self.destinations.len() {
            destinations[i] = self.destinations[i].fill(operands);
            i += 1;
        }
        let mut sources = [Cell::News; Word::MAX_SOURCES];
        let mut i = 0;
        while i < self.sources.len() {
            sources[i] = self.sources[i].fill(operands);
            i += 1;
        }
        Word::assemble(destinations.split_at(self.destinations.len()).0, sources.split_at(self.sources.len()).0)
    }
}

impl Slot {
    const fn fill(self, operands: &[Operand]) -> Cell {
        match self {
            Self::News => Cell::News,
            Self::Reg(i) => match operands[i] {
                Operand::Reg(reg) => Cell::Reg(reg),
                Operand::Direction(direction) => Cell::Port(direction),
            },
            Self::From(i) => Cell::Port(direction(operands[i]).opposite()),
            Self::Port(i) => Cell::Port(direction(operands[i])),
        }
    }
}

/// The direction in an operand that `Macro::new` has checked to be one.
const fn direction(operand: Operand) -> Direction {
    match operand {
        Operand::Direction(direction) => direction,
        Operand::Reg(_) => Direction::North,
    }
}

/// Writes the table below the way the vendor's headers read: `{destinations} <- {sources}` per word.
macro_rules! definitions {
    ($(
        $(#[$doc:meta])*
        $op:ident = $name:literal ($($kind:ident),*): $({$($d:tt)*} <- {$($s:tt)*});+;
    )*) => {
        /// The macro instructions of SCAMP-5 that arithmetic needs.
        ///
        /// Expansions and counts: SCAMP-5d library headers, analogue kernel macros. The results follow from
        /// the expansions and are checked by the exact prover.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Op {
            $($(#[$doc])* $op,)*
        }

        impl Op {
            /// All macro instructions.
            pub const ALL: &'static [Self] = &[$(Self::$op),*];

            pub(crate) const fn definition(self) -> &'static Definition {
                match self {
                    $(Self::$op => &Definition {
                        name: $name,
                        operands: &[$(OperandKind::$kind),*],
                        words: &[$(Template {
                            destinations: slots!($($d)*),
                            sources: slots!($($s)*),
                        }),+],
                    },)*
                }
            }
        }
    };
}

/// A list of cells: `N` is NEWS, a number is the register in that operand, `from n` and `port n` name the
/// ports of the direction in that operand.
macro_rules! slots {
    (@ [$($done:expr),*]) => { &[$($done),*] };
    (@ [$($done:expr),*] , $($rest:tt)*) => { slots!(@ [$($done),*] $($rest)*) };
    (@ [$($done:expr),*] N $($rest:tt)*) => { slots!(@ [$($done,)* Slot::News] $($rest)*) };
    (@ [$($done:expr),*] from $n:literal $($rest:tt)*) => { slots!(@ [$($done,)* Slot::From($n)] $($rest)*) };
    (@ [$($done:expr),*] port $n:literal $($rest:tt)*) => { slots!(@ [$($done,)* Slot::Port($n)] $($rest)*) };
    (@ [$($done:expr),*] $n:literal $($rest:tt)*) => { slots!(@ [$($done,)* Slot::Reg($n)] $($rest)*) };
    ($($all:tt)*) => { slots!(@ [] $($all)*) };
}

definitions! {
    /// `res(a)`: a = 0.
    Res = "res"(Result): {N} <- {}; {0} <- {N};
    /// `mov(y,x)`: y = x.
    Mov = "mov"(Result, Source): {N} <- {1}; {0} <- {N};
    /// `add(y,x0,x1)`: y = x0 + x1.
    Add = "add"(Result, Source, Source): {N} <- {1, 2}; {0} <- {N};
    /// `add(y,x0,x1,x2)`: y = x0 + x1 + x2.
    Add3 = "add"(Result, Source, Source, Source): {N} <- {1, 2, 3}; {0} <- {N};
    /// `sub(y,x0,x1)`: y = x0 − x1.
    Sub = "sub"(Result, Source, Source): {N} <- {1}; {0} <- {N, 2};
    /// `neg(y,x)`: y = −x.
    Neg = "neg"(Result, Source): {N} <- {}; {0} <- {N, 1};
    /// `divq(y,x)`: y = x/2.
    Divq = "divq"(Result, Source): {0, N} <- {1}; {0} <- {N};
    /// `div(y0,y1,y2)`: y0 = y2/2, y1 = −y2/2, y2 is rewritten with its own value.
    Div = "div"(Result, Result, Both): {0, 1} <- {2}; {N} <- {2, 1}; {2} <- {N, 0}; {0, 1} <- {2}; {0} <- {1};
    /// `div(y0,y1,y2,x)`: y0 = x/2, y1 = −x/2, y2 = x.
    DivCopy = "div"(Result, Result, Result, Source):
        {0, 1} <- {3}; {N} <- {3, 1}; {2} <- {N, 0}; {0, 1} <- {2}; {0} <- {1};
    /// `diva(y0,y1,y2)`: y0 = y0/2, y1 = y2 = −(old y0)/2.
    Diva = "diva"(Both, Result, Result): {1, 2} <- {0}; {N} <- {1, 0}; {0} <- {N, 2}; {1, 2} <- {0}; {0} <- {1};
    /// `movx(y,x,d)`: y = x of the neighbour in direction d.
    Movx = "movx"(Result, Source, Direction): {from 2} <- {1}; {0} <- {N};
    /// `mov2x(y,x,d,e)`: y = x at d + e.
    Mov2x = "mov2x"(Result, Source, Direction, Direction): {from 2} <- {1}; {0} <- {port 3};
    /// `addx(y,x0,x1,d)`: y = x0 + x1, both at d.
    Addx = "addx"(Result, Source, Source, Direction): {from 3} <- {1, 2}; {0} <- {N};
    /// `add2x(y,x0,x1,d,e)`: y = x0 + x1, both at d + e.
    Add2x = "add2x"(Result, Source, Source, Direction, Direction): {from 3} <- {1, 2}; {0} <- {port 4};
    /// `subx(y,x0,d,x1)`: y = x0 at d − x1 here.
    Subx = "subx"(Result, Source, Direction, Source): {from 2} <- {1}; {0} <- {N, 3};
    /// `sub2x(y,x0,d,e,x1)`: y = x0 at d + e − x1 here.
    Sub2x = "sub2x"(Result, Source, Direction, Direction, Source): {from 2} <- {1}; {0} <- {port 3, 4};
}
