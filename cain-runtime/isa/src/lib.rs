//! The SCAMP-5 machine, defined once.
//!
//! A focal-plane sensor-processor of this kind is an array of processing elements (PEs), one per pixel, that all carry
//! out the same control word ([`Word`]) at once. This crate defines what a word does ([`Transfer`]), the expansions of
//! macro instructions ([`Op`], [`Macro`]), how both are spelled ([`Instruction`]), and the interface of everything that
//! carries them out ([`HostController`]). Simulator, prover, search and driver all use these definitions; there is no
//! second copy. Registers, words, macro instructions, plans and what is kept of them at switch points are defined in terms
//! of each other, so their files import each other.
//!
//! Orientation: `x` grows to the east (right in the displayed image), `y` to the north (up). `movx(y,x,east)` gives
//! every PE the value of its east neighbour. The chip does not define values outside the array.
//!
//! Sources: SCAMP-5d library headers (University of Manchester, 2020) for registers, words and expansions; Stow et
//! al., "Cain: automatic code generation for simultaneous convolutional kernels on focal-plane sensor-processors".
#![no_std]

pub mod asm;
pub mod automaton;
mod controller;
mod definition;
mod digital;
mod direction;
mod effect;
mod error_model;
mod fraction;
mod instruction;
mod machine;
mod macros;
mod number;
mod operand;
pub mod operations;
mod plan;
pub mod program;
pub mod random;
mod register;
mod register_names;
mod renaming;
mod store;
pub mod superpixel;
mod switches;
mod template;
mod word;

pub use controller::HostController;
pub use definition::Op;
pub use digital::{Bit, Dreg, ParseBitError};
pub use direction::{Direction, Directions, Displacement};
pub use effect::{Cells, Effect};
pub use error_model::{
    Drift, ErrorModel, ErrorModelError, Saturation, compensated_level, nearest_level, transfer_error,
};
pub use fraction::{Fraction, ParseFractionError};
pub use instruction::{Instruction, InstructionErrorKind, ParseInstructionError};
pub use machine::{
    BusLimits, EVENT_TIME, Machine, MachineError, Macros, NewsReading, Part, Range, Registers, SCANNED_BYTE_TIME,
    Tally, Times,
};
pub use macros::{Macro, MacroError};
pub use number::Number;
pub use operand::{Operand, OperandKind};
pub use operations::{OperationError, PlaneOperation, Words};
pub use plan::{Accuracy, Cost, Found, NANOSECONDS_PER_ICW, Plan, Progress, Stop};
pub use register::{Cell, ParseCellError, ParseRegError, Reg};
pub use renaming::Renaming;
pub use store::Store;
pub use switches::{Kept, KeptBit, KeptLevels, SwitchPoint, SwitchStep, Switches};
pub use word::{
    Axes, Bits, Blur, Bus, Clock, FromNeighbours, Logic, Operation, Path, Square, Sum, Transfer, Word, WordError,
};
