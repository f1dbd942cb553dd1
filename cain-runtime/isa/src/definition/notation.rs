//! The notation in which the table of macro instructions is written.

/// Reads a table written like the vendor's headers: the name in listings, the name of the function in
/// [`asm`](crate::asm) and its arguments, then `{destinations} <- {sources}` per word, preceded by the name of the word
/// unless it is a transfer. After `again` come the words of every further round, for macros with an operand that
/// repeats them.
macro_rules! definitions {
    ($(
        $(#[$group_doc:meta])+
        $group:ident in $module:ident {$(
            $(#[$doc:meta])+
            $op:ident = $name:literal $constructor:ident ($($argument:ident: $kind:ident),*):
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

            /// The function of [`asm`](crate::asm) that makes the instruction. Unlike names in listings, these names
            /// are not overloaded.
            #[must_use]
            pub const fn constructor(self) -> &'static str {
                match self {
                    $($(Self::$op => stringify!($constructor),)*)*
                }
            }

            pub(crate) const fn definition(self) -> &'static Definition {
                match self {
                    $($(Self::$op => &Definition {
                        op: Self::$op,
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

        $(
            /// The functions that make the instructions of a group, for [`asm`](crate::asm).
            pub(crate) mod $module {
                use crate::{Instruction, Macro, Op};

                $(
                    $(#[$doc])+
                    ///
                    /// # Panics
                    ///
                    /// If the chip cannot take these operands; in a constant that is a compile error.
                    #[must_use]
                    #[track_caller]
                    pub const fn $constructor($($argument: type_of_operand!($kind)),*) -> Instruction {
                        match Macro::new(Op::$op, &[$(operand!($kind $argument)),*]) {
                            Ok(instruction) => Instruction::Macro(instruction),
                            Err(_) => panic!("the chip cannot run this instruction with these operands"),
                        }
                    }
                )*
            }
        )*
    };
}

/// The type of a function's argument for an operand of this kind.
macro_rules! type_of_operand {
    (Direction) => {
        crate::Direction
    };
    (BitResult) => {
        crate::Bit
    };
    (BitSource) => {
        crate::Bit
    };
    (BitBoth) => {
        crate::Bit
    };
    (Directions) => {
        crate::Directions
    };
    (Boundary) => {
        bool
    };
    (Times) => {
        u8
    };
    (Result) => {
        crate::Reg
    };
    (Source) => {
        crate::Reg
    };
    (Both) => {
        crate::Reg
    };
}

/// Turns an argument of such a function into an operand.
macro_rules! operand {
    (Direction $argument:ident) => {
        crate::Operand::Direction($argument)
    };
    (BitResult $argument:ident) => {
        crate::Operand::Bit($argument)
    };
    (BitSource $argument:ident) => {
        crate::Operand::Bit($argument)
    };
    (BitBoth $argument:ident) => {
        crate::Operand::Bit($argument)
    };
    (Directions $argument:ident) => {
        crate::Operand::Directions($argument)
    };
    (Boundary $argument:ident) => {
        crate::Operand::Boundary($argument)
    };
    (Times $argument:ident) => {
        crate::Operand::Times($argument)
    };
    (Result $argument:ident) => {
        crate::Operand::Reg($argument)
    };
    (Source $argument:ident) => {
        crate::Operand::Reg($argument)
    };
    (Both $argument:ident) => {
        crate::Operand::Reg($argument)
    };
}

/// The kind of a word, by the vendor's name if it has one; transfers have no name here.
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

/// A list of cells or bits: `N` is NEWS; a number is the register given as that operand; `from n` and `port n` are the
/// ports for the direction given as that operand; `chosen n` are the switches of the directions in it; `outside n` is
/// the value of PEs outside the array; all others stand for themselves.
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
