//! The syntax tree of programs.

use cain_isa::Fraction;
use proc_macro2::Span;
use syn::{Attribute, Visibility};

use crate::lower::machine::Described;
use crate::place::At;
use crate::tree::{Interruptible, SearchOptions};

/// A name and its place.
pub(crate) type Name = At<String, Span>;

/// What a text declares.
pub(crate) struct File {
    /// The machine of all programs.
    pub(crate) machine: Described,
    pub(crate) uses: Vec<Use>,
    /// Whether there is a `use` that could not be read.
    pub(crate) has_broken_use: bool,
    pub(crate) programs: Vec<Program>,
    pub(crate) functions: Vec<Function>,
    pub(crate) constants: Vec<Constant>,
}

impl File {
    /// A file without anything.
    pub(crate) const fn empty(machine: Described) -> Self {
        Self {
            machine,
            uses: Vec::new(),
            has_broken_use: false,
            programs: Vec::new(),
            functions: Vec::new(),
            constants: Vec::new(),
        }
    }
}

/// `use [NAME,* from] "FILE";`
pub(crate) struct Use {
    /// The path of a kernel file.
    pub(crate) file: Name,
    /// What is used of it; everything if there are no names.
    pub(crate) names: Vec<Name>,
}

/// `program NAME(entries) -> (results) { .. }`
pub(crate) struct Program {
    /// Those that are passed on.
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) search: SearchOptions<Span>,
    pub(crate) interruptible: Option<Interruptible<Span>>,
    pub(crate) visibility: Visibility,
    pub(crate) name: Name,
    pub(crate) entries: Vec<Entry>,
    pub(crate) results: Vec<Outcome>,
    pub(crate) body: Block,
}

/// Something that the host gives for each frame.
pub(crate) struct Entry {
    pub(crate) name: Name,
    /// `None` for the captured picture.
    pub(crate) kind: Option<Type>,
    pub(crate) default: Option<Expr>,
}

/// A kind of values, as it is written.
pub(crate) struct Type {
    pub(crate) what: Typed,
    pub(crate) at: Span,
}

pub(crate) enum Typed {
    /// Levels, maybe in a range.
    Levels(Option<Expr>),
    Bits,
    Bool,
    Number,
    /// A number in a range.
    Range(Expr),
    Region,
    /// A number of so many bits in each PE.
    Digits(Expr),
}

/// A result: what has this name, or a state after the frame.
pub(crate) struct Outcome {
    pub(crate) name: Name,
    pub(crate) is_next: bool,
}

/// `fn NAME(parameters) { .. }`
pub(crate) struct Function {
    pub(crate) name: Name,
    pub(crate) parameters: Vec<(Name, Option<Expr>)>,
    pub(crate) body: Block,
}

/// `const NAME = value;`
pub(crate) struct Constant {
    pub(crate) name: Name,
    pub(crate) value: Expr,
}

/// Statements, and the value of the whole.
pub(crate) struct Block {
    pub(crate) statements: Vec<Statement>,
    pub(crate) value: Option<Box<Expr>>,
    /// Its braces.
    pub(crate) at: Span,
}

/// What a value is bound to.
pub(crate) enum Pattern {
    Name(Name),
    Tuple(Vec<Pattern>, Span),
}

pub(crate) struct Statement {
    pub(crate) what: Action,
    /// Its first word.
    pub(crate) at: Span,
}

/// What a statement does.
pub(crate) enum Action {
    Let { pattern: Pattern, value: Expr },
    Var { pattern: Pattern, kind: Option<Type>, value: Expr },
    Assign { name: Name, value: Expr, mask: Option<Expr> },
    State { name: Name, kind: Option<Type>, first: Expr, storage: Option<Storage> },
    Next { name: Name, value: Expr, mask: Option<Expr> },
    List { name: Name },
    Add { name: Name, value: Expr },
    Repeat { counter: Option<Name>, count: Expr, most: Option<Expr>, body: Block },
    While { condition: Expr, most: Expr, body: Block },
    Until { stable: Name, most: Expr, body: Block },
    For { pattern: Pattern, list: Expr, body: Block },
    If(If),
}

/// How a state is kept.
pub(crate) enum Storage {
    Analogue,
    /// Brought to the nearest of so many levels in each frame.
    Levels(Expr),
    /// As a number of so many bits.
    Bits(Expr),
}

/// `if condition { .. } else { .. }`
pub(crate) struct If {
    pub(crate) condition: Box<Expr>,
    pub(crate) then: Block,
    pub(crate) otherwise: Option<Block>,
}

/// An expression.
pub(crate) struct Expr {
    pub(crate) what: What,
    /// Its operator, or its first token.
    pub(crate) at: Span,
    /// How deep expressions are nested in it.
    pub(crate) depth: usize,
}

/// What an expression is.
pub(crate) enum What {
    Number(Fraction),
    Truth(bool),
    Name(String),
    /// `until stable`
    UntilStable,
    Negative(Box<Expr>),
    Not(Box<Expr>),
    Binary(Binary, Box<[Expr; 2]>),
    /// What another PE has.
    At(Box<Expr>, Box<Place>),
    Index(Box<[Expr; 2]>),
    Field(Box<Expr>, Name),
    Call(Name, Vec<Argument>),
    Tuple(Vec<Expr>),
    /// A list or a matrix, and the place of the PE itself in it.
    List(Vec<Expr>, Option<Box<[Expr; 2]>>),
    /// `[value for pattern in list]`
    Each(Box<Each>),
    /// The elements of the lists that are the values, as in `[value for pattern in list for pattern in list]`
    Joined(Box<Each>),
    /// `argmin(pattern in list, value)`
    Best {
        is_largest: bool,
        each: Box<Each>,
    },
    If(Box<If>),
}

/// A value for each element of a list.
pub(crate) struct Each {
    pub(crate) value: Expr,
    pub(crate) pattern: Pattern,
    pub(crate) list: Expr,
}

/// An argument of a call.
pub(crate) struct Argument {
    pub(crate) name: Option<Name>,
    pub(crate) value: Expr,
}

/// Where a plane is read.
pub(crate) enum Place {
    /// A pair of numbers of PEs, to the east and to the north.
    Pair(Expr),
    /// So many PEs in each of these directions, which are pairs.
    Steps(Vec<(Option<Expr>, Expr)>),
}

/// An operator of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binary {
    Range,
    Or,
    Xor,
    And,
    Compare(Comparison),
    Add,
    Subtract,
    Multiply,
    Divide,
    Rest,
}

/// How two values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    Greater,
    AtLeast,
    Less,
    AtMost,
    Equal,
    Unequal,
}
