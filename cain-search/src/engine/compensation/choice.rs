//! What may be done at the places of a program.

use super::Effect;

/// The most cells that may hold the error for a while.
pub(in crate::engine) const MAX_CELLS: usize = 8;

/// For each cell, the number of destinations of the word that put the error there; 0 if the cell does not hold it.
pub(in crate::engine) type Held = [u8; MAX_CELLS];

/// A change that may be made at one place of a program: it adds an error, or several, to a value.
#[derive(Clone, Copy, Debug)]
pub(in crate::engine) struct Choice<'a> {
    /// What an error in the value adds to the outputs: to their multiples if it is that of one word, and to their biases
    /// if it is 1 DN.
    weight: &'a Effect,
    /// The number of errors, and their sum in DN.
    errors: i64,
    dn: f64,
    /// The number of instructions that it adds to the program.
    pub(in crate::engine) cost: u32,
    /// What the cells hold after it.
    pub(in crate::engine) held: Held,
}

/// What may be done at one place at best.
pub(in crate::engine) struct Place<'a> {
    /// The choices if all cells that are free here held the error. What their cells hold and their bias do not matter.
    pub(in crate::engine) choices: Vec<Choice<'a>>,
    /// The number of instructions that fill a cell with the error before this place; none if no cell is free.
    pub(in crate::engine) filling: Option<u8>,
    /// Whether a cell that holds the error before this place can hold it behind.
    pub(in crate::engine) lasts: bool,
}

impl<'a> Choice<'a> {
    /// A change that adds so many errors, and so many DN, to a value with this weight; `None` if it has no effect, or if
    /// the effect does not fit in the integers.
    pub(in crate::engine) fn new(weight: &'a Effect, (errors, dn): (i64, f64), cost: u32, held: Held) -> Option<Self> {
        let is_exact = weight.multiples.iter().all(|own| own.checked_mul(errors).is_some());
        let has_effect = (errors != 0 && !weight.cancels()) || (dn != 0.0 && weight.worst_bias() > 0.0);
        (is_exact && has_effect).then_some(Self { weight, errors, dn, cost, held })
    }

    /// What it adds to the multiple of each output.
    pub(super) fn multiples(&self) -> impl Iterator<Item = i64> {
        self.weight.multiples.iter().map(|own| own * self.errors)
    }

    /// What it adds to the bias of each output, in DN.
    pub(super) fn biases(&self) -> impl Iterator<Item = f64> {
        self.weight.bias.iter().map(|own| own * self.dn)
    }
}

/// The places of a program, in order, and the choices at each.
pub(in crate::engine) trait Places {
    /// What can be done at each place at best, whatever was chosen before.
    fn possible(&self) -> Vec<Place<'_>>;

    /// The choices at a place, given what cells hold.
    fn choices(&self, place: usize, held: Held) -> Vec<Choice<'_>>;

    /// What cells hold after a place at which nothing is done.
    fn behind(&self, place: usize, held: Held) -> Held;
}

/// Places whose choices do not depend on what was done before.
impl Places for Vec<Vec<Choice<'_>>> {
    fn possible(&self) -> Vec<Place<'_>> {
        self.iter().map(|choices| Place { choices: choices.clone(), filling: Some(0), lasts: true }).collect()
    }

    fn choices(&self, place: usize, _held: Held) -> Vec<Choice<'_>> {
        self[place].clone()
    }

    fn behind(&self, _place: usize, held: Held) -> Held {
        held
    }
}
