//! What a function takes, keeps and returns.

use std::collections::BTreeMap;

/// What a program takes for each call, what it keeps, and what it results in.
#[derive(Debug, Default)]
pub(crate) struct Interface {
    /// Planes that have to be in a register before each call, and that register.
    pub(crate) given: Vec<(String, String)>,
    /// Results that are lists of events of a register, of at most so many.
    pub(crate) events: Vec<(String, String, u32)>,
    pub(crate) parameters: Vec<Parameter>,
    /// Numbers that are kept from call to call.
    pub(crate) kept: Vec<Kept>,
    /// The place of the number that is 1 in the first call.
    pub(crate) is_first: Option<usize>,
    pub(crate) results: Vec<Results>,
    /// Between which ends numbers are, as far as that is declared.
    pub(crate) ranges: BTreeMap<usize, (i64, i64)>,
    /// The constant errors of transfers to one, two and three cells, in DN.
    pub(crate) offset: [f32; 3],
}

/// A number that is an argument.
#[derive(Debug)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) place: usize,
    pub(crate) range: (i64, i64),
    pub(crate) default: i64,
    pub(crate) is_bool: bool,
}

/// A number that is kept.
#[derive(Debug)]
pub(crate) struct Kept {
    pub(crate) name: String,
    pub(crate) place: usize,
}

/// A result, as numbers.
#[derive(Debug)]
pub(crate) struct Results {
    pub(crate) name: String,
    pub(crate) of: Returned,
}

/// What a result is.
#[derive(Debug)]
pub(crate) enum Returned {
    /// The number at a place.
    Number(usize),
    /// The place of a PE, or a rectangle, of the numbers at these places; the last one tells whether there is one.
    Found(Vec<usize>),
    /// The numbers at these places.
    Tuple(Vec<usize>),
    List(List),
}

/// A list of results.
#[derive(Debug)]
pub(crate) struct List {
    /// The place of its length.
    pub(crate) first: usize,
    /// The most entries.
    pub(crate) capacity: usize,
    /// The numbers of an entry.
    pub(crate) width: usize,
}

/// Why there is no function.
#[derive(Debug)]
pub(crate) struct Refused {
    /// What is in the way.
    pub(crate) message: String,
    /// The place of the number that it would be needed for.
    pub(crate) number: Option<usize>,
}
