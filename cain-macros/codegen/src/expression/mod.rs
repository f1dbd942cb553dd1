//! Expressions of bits, such as `maj(A, A@east, A@west)`: the same in the macro and in the texts of kernel files.
//!
//! ```text
//! any        = odd ("|" odd)*
//! odd        = all ("^" all)*
//! all        = prefix ("&" prefix)*
//! prefix     = "!" prefix | moved
//! moved      = bit ("@" DIRECTION)*
//! bit        = "0" | "1" | NAME ["[" INTEGER "]"] | "(" any ")" | function
//! function   = "maj" list | "mux" list | "count" list COMPARISON INTEGER
//! list       = "(" any ("," any)* ")"
//! COMPARISON = "==" | "!=" | "<" | "<=" | ">" | ">="
//! DIRECTION  = "north" | "northeast" | "east" | .. | "northwest"
//! ```

mod parse;
#[cfg(all(test, feature = "digital", feature = "toml"))]
mod tests;
mod tokens;

use cain_isa::Displacement;

pub(crate) use parse::parse;
#[cfg(feature = "toml")]
pub(crate) use tokens::from_text;
pub(crate) use tokens::from_tokens;

use crate::place::At;

/// An expression and its place.
pub(crate) type Expression<S> = At<Node<S>, S>;

/// What an expression is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Node<S> {
    Constant(bool),
    /// A number of one bit, or a bit of a number.
    Bit {
        name: String,
        bit: Option<At<u32, S>>,
    },
    Not(Box<Expression<S>>),
    All(Vec<Expression<S>>),
    Any(Vec<Expression<S>>),
    Odd(Vec<Expression<S>>),
    Moved(Box<Expression<S>>, Displacement),
    Majority(Vec<Expression<S>>),
    /// The second where the first is 1, and the third elsewhere.
    Choice(Box<[Expression<S>; 3]>),
    /// Whether the number of those that are 1 is in a range, both ends included, or is not.
    Count {
        of: Vec<Expression<S>>,
        least: u32,
        most: u32,
        inverted: bool,
    },
}

/// The directions that `@` takes.
pub(crate) const DIRECTIONS: [(&str, Displacement); 8] = [
    ("north", Displacement::new(0, 1)),
    ("east", Displacement::new(1, 0)),
    ("south", Displacement::new(0, -1)),
    ("west", Displacement::new(-1, 0)),
    ("northeast", Displacement::new(1, 1)),
    ("southeast", Displacement::new(1, -1)),
    ("southwest", Displacement::new(-1, -1)),
    ("northwest", Displacement::new(-1, 1)),
];
