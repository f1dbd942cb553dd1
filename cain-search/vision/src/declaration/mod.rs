//! The declaration of a program: what is done for each frame.

mod build;
mod id;
mod number;
mod range;
mod storage;
mod value;

use cain_isa::Machine;
use cain_isa::program::Area;
use cain_search::Options;

pub(crate) use build::whole_level;
pub use build::{BuildError, Builder, Ended};
pub use id::Value;
pub use number::{Arithmetic, Comparison, Number};
pub use storage::levels;
pub use value::{Axis, Kind, Operation, Side, Summand, reach};

/// A program that runs once for each frame.
///
/// Values are immutable: each is made by one [`Define`](Statement::Define), or comes out of a loop or a decision. Planes
/// are on the array, numbers belong to the controller.
#[derive(Clone, Debug, PartialEq)]
pub struct Declaration {
    /// Its name.
    pub name: String,
    /// The planes that are given for each frame.
    pub inputs: Vec<Input>,
    /// The numbers that the host sets for each frame.
    pub parameters: Vec<Parameter>,
    /// What survives from frame to frame.
    pub states: Vec<State>,
    /// What every value is.
    pub values: Vec<Kind>,
    /// What is done, in this order.
    pub body: Vec<Statement>,
    /// What comes out of a frame.
    pub results: Vec<Output>,
    /// What some planes typically are, for which the errors of a chip are corrected.
    pub samples: Vec<Sample>,
    /// The machine to run on.
    pub machine: Machine,
    /// The rows of its array, of which it has as many as columns.
    pub side: usize,
    /// The options of the searches for its parts.
    pub options: Options,
}

impl Declaration {
    /// The values of the parameters, in their order.
    pub fn parameter_values(&self) -> impl Iterator<Item = Value> {
        self.parameters.iter().map(|parameter| parameter.value)
    }
}

/// What a plane typically is: pictures in a rectangle of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The plane.
    pub of: Value,
    /// The rectangle.
    pub area: Area,
    /// The level around it, in DN.
    pub around: f32,
    /// The pictures, each row by row, in DN.
    pub pictures: Vec<Vec<f32>>,
}

/// A plane that is given for each frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// The value.
    pub value: Value,
    /// Whether the array takes it as a picture; others are written by the caller.
    pub is_captured: bool,
}

/// A number that the host sets for each frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// The value.
    pub value: Value,
    /// Its values: from the least to the largest.
    pub range: (i64, i64),
    /// The value that it has unless the host sets another.
    pub default: i64,
    /// Whether it is a truth value, 0 or 1.
    pub is_bool: bool,
}

/// Something that survives from frame to frame.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Its name.
    pub name: String,
    /// What it was before the frame.
    pub before: Value,
    /// What it is before the first frame.
    pub first: First,
    /// What it is after the frame.
    pub next: Value,
    /// How it is kept.
    pub storage: Storage,
}

/// What a state is before the first frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum First {
    /// The same everywhere: a level in DN, a bit, or a number of the controller.
    Constant(i64),
    /// An input of the first frame.
    Input(usize),
}

/// How a state is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// As it is.
    Plain,
    /// In an analogue register that is brought to the nearest of so many [levels] at the end of each frame.
    Levels(u16),
}

/// A result of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// Its name.
    pub name: String,
    /// What it is.
    pub of: Result,
}

/// What a result is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Result {
    /// A plane, or a number of the controller.
    Value(Value),
    /// Several numbers of the controller, such as a place or a box: `None` where the last of them, a truth value, is 0.
    Numbers(Vec<Value>),
    /// Several numbers of the controller that are always there.
    Tuple(Vec<Value>),
    /// What a loop has listed.
    List(usize),
    /// The row and the column of each bit that is 1, row by row, but not of more than so many.
    Events(Value, u32),
}

/// One thing that is done.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// A value is made.
    Define {
        /// The value.
        value: Value,
        /// What it is.
        operation: Operation,
    },
    /// The body is carried out several times.
    Loop(Loop),
    /// One of two bodies is carried out.
    Decide(Decision),
    /// Numbers are added to a list of results.
    List {
        /// The list.
        list: usize,
        /// The numbers.
        numbers: Vec<Value>,
    },
}

impl Statement {
    /// The statements within it: those of a loop before each pass and in it, or both ways of a decision.
    #[must_use]
    pub fn bodies(&self) -> [&[Self]; 2] {
        match self {
            Self::Loop(of) => [of.until.statements(), &of.body],
            Self::Decide(of) => [&of.then, &of.otherwise],
            Self::Define { .. } | Self::List { .. } => [&[], &[]],
        }
    }
}

/// A loop.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// How often its body is carried out at most.
    pub most: u32,
    /// When it ends.
    pub until: Until,
    /// The values that are carried from each pass to the next.
    pub carried: Vec<Carried>,
    /// How many passes were done before, within the body.
    pub counter: Value,
    /// What is done in each pass.
    pub body: Vec<Statement>,
}

/// When a loop ends.
#[derive(Clone, Debug, PartialEq)]
pub enum Until {
    /// After so many passes.
    Passes(Value),
    /// Before the first pass for which a truth value, which these statements make of the carried values, is 0.
    Fails {
        /// What makes the truth value.
        statements: Vec<Statement>,
        /// The truth value.
        condition: Value,
    },
    /// After the first pass that leaves this carried plane of bits as it was.
    Stable(usize),
}

impl Until {
    /// The statements that decide before each pass; none if no statements are needed.
    #[must_use]
    pub fn statements(&self) -> &[Statement] {
        if let Self::Fails { statements, .. } = self { statements } else { &[] }
    }
}

/// A value that is carried from each pass of a loop to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Carried {
    /// What it is before the first pass.
    pub first: Value,
    /// What it is within the body.
    pub inside: Value,
    /// What the body makes of it.
    pub next: Value,
    /// What it is after the loop.
    pub after: Value,
}

/// A decision of the controller.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// A truth value.
    pub condition: Value,
    /// What is done if it is 1.
    pub then: Vec<Statement>,
    /// What is done otherwise.
    pub otherwise: Vec<Statement>,
    /// The values that come out of it.
    pub joined: Vec<Joined>,
}

/// A value that comes out of a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Joined {
    /// The value.
    pub value: Value,
    /// What it is if the condition holds.
    pub then: Value,
    /// What it is otherwise.
    pub otherwise: Value,
}
