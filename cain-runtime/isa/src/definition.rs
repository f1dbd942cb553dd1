//! The macro instructions of the vendor library, each defined once by its expansion.

use crate::template::{Form, Slot, Template};
use crate::{Axes, Direction, Operation};

/// A macro instruction: name, operands and expansion.
pub(crate) struct Definition {
    /// The name in listings; several instructions may share one and differ in the number of operands.
    pub(crate) name: &'static str,
    /// What each operand is, in the order of the listing.
    pub(crate) operands: &'static [OperandKind],
    /// The words that the macro stands for.
    pub(crate) words: &'static [Template],
    /// The words of each further round, for macros that an operand repeats.
    pub(crate) again: &'static [Template],
}

/// What an operand of a macro instruction is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperandKind {
    /// An analogue register that receives a result.
    Result,
    /// An analogue register that is read.
    Source,
    /// An analogue register that is read and then receives a result.
    Both,
    /// A direction.
    Direction,
    /// A digital register that receives a result.
    BitResult,
    /// A bit that is read: a digital register, `FLAG`, `SELECT` or `RECT`.
    BitSource,
    /// A digital register that is read and then receives a result.
    BitBoth,
    /// A set of directions.
    Directions,
    /// What PEs outside of the array hold, 0 or 1.
    Boundary,
    /// How often the instruction is repeated, 1 to 255.
    Times,
}

impl OperandKind {
    /// What it takes, for messages.
    pub(crate) const fn wanted(self) -> &'static str {
        match self {
            Self::Result | Self::Source | Self::Both => "an analogue register",
            Self::Direction => "a direction (`north`, `east`, `south` or `west`)",
            Self::BitResult | Self::BitBoth => "a digital register (`R0` to `R12`)",
            Self::BitSource => "a digital register (`R0` to `R12`), `FLAG`, `SELECT` or `RECT`",
            Self::Directions => "directions such as `east|west`",
            Self::Boundary => "0 or 1",
            Self::Times => "a number of times from 1 to 255",
        }
    }
}

/// Writes the table below the way the vendor's headers read: `{destinations} <- {sources}` per word, with the name of
/// the word before it unless it is a transfer. What stands after `again` is every further round of a macro that an
/// operand repeats.
macro_rules! definitions {
    ($(
        $(#[$group_doc:meta])+
        $group:ident {$(
            $(#[$doc:meta])+
            $op:ident = $name:literal ($($kind:ident),*):
                $($($form:ident)? {$($d:tt)*} <- {$($s:tt)*});+
                $(=> again $($($next:ident)? {$($to:tt)*} <- {$($from:tt)*});+)?;
        )*}
    )*) => {
        /// The macro instructions of SCAMP-5.
        ///
        /// Expansions and counts: SCAMP-5d library headers, analogue and digital kernel macros. The results follow from
        /// the expansions and are checked by the exact prover and the simulator.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Op {
            $($($(#[$doc])+ $op,)*)*
        }

        impl Op {
            /// All macro instructions.
            pub const ALL: &'static [Self] = &[$($(Self::$op),*),*];

            $(
                $(#[$group_doc])+
                pub const $group: &'static [Self] = &[$(Self::$op),*];
            )*

            pub(crate) const fn definition(self) -> &'static Definition {
                match self {
                    $($(Self::$op => &Definition {
                        name: $name,
                        operands: &[$(OperandKind::$kind),*],
                        words: &[$(Template {
                            form: form!($($form)?),
                            destinations: slots!($($d)*),
                            sources: slots!($($s)*),
                        }),+],
                        again: &[$($(Template {
                            form: form!($($next)?),
                            destinations: slots!($($to)*),
                            sources: slots!($($from)*),
                        }),+)?],
                    },)*)*
                }
            }
        }
    };
}

/// The kind of a word, by the vendor's name where there is one; transfers have none here.
macro_rules! form {
    () => {
        Form::Bus
    };
    (mean) => {
        Form::Mean
    };
    (rpix) => {
        Form::ResetPixels
    };
    (nop) => {
        Form::Nop
    };
    (where) => {
        Form::Where
    };
    (all) => {
        Form::All
    };
    (SET) => {
        Form::Logic(Operation::Set)
    };
    (CLR) => {
        Form::Logic(Operation::Clr)
    };
    (MOV) => {
        Form::Logic(Operation::Or)
    };
    (OR) => {
        Form::Logic(Operation::Or)
    };
    (NOT) => {
        Form::Logic(Operation::Nor)
    };
    (NOR) => {
        Form::Logic(Operation::Nor)
    };
    (hold_or) => {
        Form::Logic(Operation::HoldOr)
    };
    (store_or) => {
        Form::Logic(Operation::StoreOr)
    };
    (hold_nor) => {
        Form::Logic(Operation::HoldNor)
    };
    (store_nor) => {
        Form::Logic(Operation::StoreNor)
    };
    (hold_refresh) => {
        Form::Logic(Operation::HoldRefresh)
    };
    (store_refresh) => {
        Form::Logic(Operation::StoreRefresh)
    };
    (DNEWS) => {
        Form::FromNeighbours
    };
    (read_propagation) => {
        Form::ReadPropagation
    };
    (propagate_0) => {
        Form::Propagate { outside: false }
    };
    (propagate_1) => {
        Form::Propagate { outside: true }
    };
    (blurset) => {
        Form::PrepareBlur
    };
    (blur) => {
        Form::Blur(Axes::Both)
    };
    (blurh) => {
        Form::Blur(Axes::Horizontal)
    };
    (blurv) => {
        Form::Blur(Axes::Vertical)
    };
}

/// A list of cells or bits: `N` is NEWS, a number is the register in that operand, `from n` and `port n` name the
/// ports of the direction in that operand, `chosen n` the switches of the directions in it, `outside n` the value of PEs
/// outside of the array; others are themselves.
macro_rules! slots {
    (@ [$($done:expr),*]) => { &[$($done),*] };
    (@ [$($done:expr),*] , $($rest:tt)*) => { slots!(@ [$($done),*] $($rest)*) };
    (@ [$($done:expr),*] N $($rest:tt)*) => { slots!(@ [$($done,)* Slot::News] $($rest)*) };
    (@ [$($done:expr),*] PIX $($rest:tt)*) => { slots!(@ [$($done,)* Slot::Pix] $($rest)*) };
    (@ [$($done:expr),*] XN $($rest:tt)*) => { slots!(@ [$($done,)* Slot::Fixed(Direction::North)] $($rest)*) };
    (@ [$($done:expr),*] XE $($rest:tt)*) => { slots!(@ [$($done,)* Slot::Fixed(Direction::East)] $($rest)*) };
    (@ [$($done:expr),*] XS $($rest:tt)*) => { slots!(@ [$($done,)* Slot::Fixed(Direction::South)] $($rest)*) };
    (@ [$($done:expr),*] XW $($rest:tt)*) => { slots!(@ [$($done,)* Slot::Fixed(Direction::West)] $($rest)*) };
    (@ [$($done:expr),*] R0 $($rest:tt)*) => { slots!(@ [$($done,)* Slot::Dreg(0)] $($rest)*) };
    (@ [$($done:expr),*] R1 $($rest:tt)*) => { slots!(@ [$($done,)* Slot::Dreg(1)] $($rest)*) };
    (@ [$($done:expr),*] R2 $($rest:tt)*) => { slots!(@ [$($done,)* Slot::Dreg(2)] $($rest)*) };
    (@ [$($done:expr),*] R3 $($rest:tt)*) => { slots!(@ [$($done,)* Slot::Dreg(3)] $($rest)*) };
    (@ [$($done:expr),*] R4 $($rest:tt)*) => { slots!(@ [$($done,)* Slot::Dreg(4)] $($rest)*) };
    (@ [$($done:expr),*] R12 $($rest:tt)*) => { slots!(@ [$($done,)* Slot::Dreg(12)] $($rest)*) };
    (@ [$($done:expr),*] from $n:literal $($rest:tt)*) => { slots!(@ [$($done,)* Slot::From($n)] $($rest)*) };
    (@ [$($done:expr),*] port $n:literal $($rest:tt)*) => { slots!(@ [$($done,)* Slot::Port($n)] $($rest)*) };
    (@ [$($done:expr),*] chosen $n:literal $($rest:tt)*) => { slots!(@ [$($done,)* Slot::Chosen($n)] $($rest)*) };
    (@ [$($done:expr),*] outside $n:literal $($rest:tt)*) => { slots!(@ [$($done,)* Slot::Outside($n)] $($rest)*) };
    (@ [$($done:expr),*] $n:literal $($rest:tt)*) => { slots!(@ [$($done,)* Slot::Operand($n)] $($rest)*) };
    ($($all:tt)*) => { slots!(@ [] $($all)*) };
}

definitions! {
    /// What linear combinations of images need, and all that the search for kernels uses.
    ARITHMETIC {
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
    /// Further analogue instructions.
    ANALOGUE {
        /// `res(a,b)`: a = b = 0.
        Res2 = "res"(Result, Result): {N} <- {}; {0} <- {N}; {1} <- {N};
        /// `mov(y,x,d)`: as `movx`; deprecated by the vendor.
        MovFrom = "mov"(Result, Source, Direction): {from 2} <- {1}; {0} <- {N};
        /// `sub(y,x0,d,x1)`: y = x0 at d − x1 here; deprecated by the vendor, since FLAG must be 1 everywhere.
        SubFrom = "sub"(Result, Source, Direction, Source): {N} <- {1}; {0} <- {port 2, 3};
        /// `abs(y,x)`: y = |x|; leaves FLAG at 1 everywhere.
        Abs = "abs"(Result, Source):
            {N} <- {}; {0} <- {N, 1}; {N} <- {1}; where {} <- {1}; {0} <- {N}; all {} <- {};
        /// `respix()`: the photo-sensors start again.
        Respix = "respix"(): rpix {} <- {}; rpix {} <- {}; nop {} <- {};
        /// `respix(y)`: the photo-sensors start again; y = their reset level.
        RespixRead = "respix"(Result): rpix {} <- {}; rpix {} <- {}; nop {} <- {}; {N} <- {PIX}; {0} <- {N};
        /// `get_image(y)`: y = exposed − reset level, the photo-sensors start again.
        GetImage = "get_image"(Result): {N} <- {PIX}; rpix {} <- {}; rpix {} <- {}; nop {} <- {}; {0} <- {N, PIX};
        /// `get_image(y,h)`: y = 2·exposed − reset level, h = −exposed; the photo-sensors start again.
        GetImageFull = "get_image"(Result, Result):
            {N} <- {PIX}; {1} <- {PIX}; rpix {} <- {}; rpix {} <- {}; nop {} <- {}; {0} <- {1, N, PIX};
        /// `getpix(y,p)`: y = exposed − p; the exposure goes on.
        Getpix = "getpix"(Result, Source): {N} <- {PIX}; {0} <- {N, 1};
        /// `getpix(y,h,p)`: y = 2·exposed − p, h = −exposed; the exposure goes on.
        GetpixFull = "getpix"(Result, Result, Source): {1} <- {PIX}; {N} <- {PIX}; {0} <- {1, N, 2};
        /// `newsblur(y,x)`: y = mean of x in the four neighbours.
        Newsblur = "newsblur"(Result, Source): {N} <- {1}; mean {0} <- {XE, XW, XN, XS};
        /// `newsblurh(y,x)`: y = mean of x in the neighbours to the east and west.
        Newsblurh = "newsblurh"(Result, Source): {N} <- {1}; mean {0} <- {XE, XW};
        /// `newsblurv(y,x)`: y = mean of x in the neighbours to the north and south.
        Newsblurv = "newsblurv"(Result, Source): {N} <- {1}; mean {0} <- {XN, XS};
        /// `newsblur(y,x,n)`: `newsblur` n times, each on the result of the one before.
        NewsblurTimes = "newsblur"(Result, Source, Times): {N} <- {1}; mean {0} <- {XE, XW, XN, XS}
            => again {N} <- {0}; mean {0} <- {XE, XW, XN, XS};
        /// `newsblurh(y,x,n)`: `newsblurh` n times.
        NewsblurhTimes = "newsblurh"(Result, Source, Times): {N} <- {1}; mean {0} <- {XE, XW}
            => again {N} <- {0}; mean {0} <- {XE, XW};
        /// `newsblurv(y,x,n)`: `newsblurv` n times.
        NewsblurvTimes = "newsblurv"(Result, Source, Times): {N} <- {1}; mean {0} <- {XN, XS}
            => again {N} <- {0}; mean {0} <- {XN, XS};
        /// `gauss(y,x)`: y = x diffused, three times there and back.
        Gauss = "gauss"(Result, Source):
            blurset {} <- {}; blur {N} <- {1}; blur {0} <- {N}; blur {N} <- {0}; blur {0} <- {N}; blur {N} <- {0};
            blur {0} <- {N};
        /// `gaussh(y,x)`: y = x diffused along the rows.
        Gaussh = "gaussh"(Result, Source):
            blurset {} <- {}; blurh {N} <- {1}; blurh {0} <- {N}; blurh {N} <- {0}; blurh {0} <- {N};
            blurh {N} <- {0}; blurh {0} <- {N};
        /// `gaussv(y,x)`: y = x diffused along the columns.
        Gaussv = "gaussv"(Result, Source):
            blurset {} <- {}; blurv {N} <- {1}; blurv {0} <- {N}; blurv {N} <- {0}; blurv {0} <- {N};
            blurv {N} <- {0}; blurv {0} <- {N};
        /// `gauss(y,x,n)`: y = x diffused, n times there and back.
        GaussTimes = "gauss"(Result, Source, Times): blurset {} <- {}; blur {N} <- {1}; blur {0} <- {N}
            => again blur {N} <- {0}; blur {0} <- {N};
        /// `gaussh(y,x,n)`: y = x diffused along the rows, n times there and back.
        GausshTimes = "gaussh"(Result, Source, Times): blurset {} <- {}; blurh {N} <- {1}; blurh {0} <- {N}
            => again blurh {N} <- {0}; blurh {0} <- {N};
        /// `gaussv(y,x,n)`: y = x diffused along the columns, n times there and back.
        GaussvTimes = "gaussv"(Result, Source, Times): blurset {} <- {}; blurv {N} <- {1}; blurv {0} <- {N}
            => again blurv {N} <- {0}; blurv {0} <- {N};
    }
    /// Instructions on digital registers. Most of them use `R0`, some `R12` too.
    DIGITAL {
        /// `NOT(r)`: r = not r.
        Not = "NOT"(BitBoth): hold_nor {} <- {0}; store_nor {0} <- {};
        /// `OR(r,x)`: r = r or x.
        Or = "OR"(BitBoth, BitSource): hold_or {} <- {0, 1}; store_or {0} <- {};
        /// `NOR(r,x)`: r = not (r or x).
        Nor = "NOR"(BitBoth, BitSource): hold_nor {} <- {0, 1}; store_nor {0} <- {};
        /// `AND(a,x,y)`: a = x and y.
        And = "AND"(BitResult, BitSource, BitSource):
            SET {R0} <- {}; NOT {R12} <- {1}; NOT {R0} <- {2}; NOR {0} <- {R0, R12};
        /// `NAND(a,x,y)`: a = not (x and y).
        Nand = "NAND"(BitResult, BitSource, BitSource):
            SET {R0} <- {}; NOT {R12} <- {1}; NOT {R0} <- {2}; OR {0} <- {R0, R12};
        /// `ANDX(a,b,x)`: a = b and x; b becomes not x.
        Andx = "ANDX"(BitResult, BitBoth, BitSource): NOT {R0} <- {1}; NOT {1} <- {2}; NOR {0} <- {R0, 1};
        /// `NANDX(a,b,x)`: a = not (b and x); b becomes not x.
        Nandx = "NANDX"(BitResult, BitBoth, BitSource): NOT {R0} <- {1}; NOT {1} <- {2}; OR {0} <- {R0, 1};
        /// `IMP(l,x,y)`: l = x or not y, so that y implies x.
        Imp = "IMP"(BitResult, BitSource, BitSource): NOT {R0} <- {2}; OR {0} <- {1, R0};
        /// `NIMP(l,x,y)`: l = y and not x.
        Nimp = "NIMP"(BitResult, BitSource, BitSource): NOT {R0} <- {2}; NOR {0} <- {1, R0};
        /// `XORX(l,x,y)`: l = x xor y; x becomes x and not y.
        Xorx = "XORX"(BitResult, BitBoth, BitSource):
            NOT {R0} <- {2}; NOR {0} <- {1, R0}; NOT {R0} <- {1}; NOR {1} <- {2, R0}; hold_or {} <- {0, 1}; store_or {0} <- {};
        /// `MUX(l,x,y,z)`: l = y where x is 1, else z; `R0` becomes x and `R12` the result.
        Mux = "MUX"(BitResult, BitSource, BitSource, BitSource):
            SET {R0} <- {}; MOV {R12} <- {3}; MOV {R0} <- {1}; MOV {R12} <- {2}; MOV {0} <- {R12};
        /// `CLR_IF(l,x)`: l = l and not x.
        ClrIf = "CLR_IF"(BitBoth, BitSource): NOT {R0} <- {0}; NOR {0} <- {R0, 1};
        /// `REFRESH(r)`: r is rewritten with its own value.
        Refresh = "REFRESH"(BitBoth): hold_refresh {} <- {0}; store_refresh {0} <- {};
        /// `DNEWS(a,x,dirs)`: a = OR of x in the neighbours in these directions; outside of the array x is 0.
        Dnews = "DNEWS"(BitResult, BitSource, Directions):
            CLR {R1, R2, R3, R4} <- {}; SET {chosen 2} <- {}; DNEWS {0} <- {1};
        /// `DNEWS(a,x,dirs,b)`: a = OR of x in the neighbours in these directions; outside of the array x is b.
        DnewsOutside = "DNEWS"(BitResult, BitSource, Directions, Boundary):
            CLR {R1, R2, R3, R4} <- {}; SET {chosen 2} <- {}; DNEWS {0} <- {1, outside 3};
        /// `PROP0()`: a 1 in `R12` reaches all PEs with `R0` = 1 that such PEs connect it with; 0 outside of the array.
        Prop0 = "PROP0"(): read_propagation {} <- {}; propagate_0 {} <- {};
        /// `PROP1()`: as `PROP0()`, with 1 outside of the array.
        Prop1 = "PROP1"(): read_propagation {} <- {}; propagate_1 {} <- {};
    }
}
