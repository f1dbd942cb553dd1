//! What may be done at the places of a program.

use super::Effect;

/// The most cells that may hold the error for a while.
pub(in crate::engine) const MAX_CELLS: usize = 8;

/// For each cell, the number of destinations of the word that put the error there; 0 if the cell does not hold it.
pub(in crate::engine) type Held = [u8; MAX_CELLS];

/// A change that may be made at one place of a program.
#[derive(Clone, Debug)]
pub(in crate::engine) struct Choice {
    /// What it adds to the outputs.
    pub(in crate::engine) effect: Effect,
    /// The number of instructions that it adds to the program.
    pub(in crate::engine) cost: u32,
    /// What the cells hold after it.
    pub(in crate::engine) held: Held,
}
