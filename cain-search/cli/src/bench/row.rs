//! Rows of comparisons.

use cain_codegen::kernel_file::{Diagnostic, Filter};

use super::args::Bench;
use super::targets::Target;
use crate::watch::Interrupt;

/// A row of a comparison: one filter.
pub(super) trait Row: Sized {
    const TITLES: &'static [&'static str];

    /// Searches for the programs of the row; if there are none, the error has its place in the file.
    fn of(filter: &Filter, file: &str, args: &Bench, target: Target, interrupt: &Interrupt)
    -> Result<Self, Diagnostic>;

    fn cells(&self) -> Vec<String>;

    /// The last line of the table.
    fn sum(rows: &[Self]) -> Vec<String>;
}

/// The sum of some figures; of none it is 0, whereas [`Iterator::sum`] has -0.
pub(super) fn total(figures: impl Iterator<Item = f64>) -> f64 {
    figures.fold(0.0, |sum, figure| sum + figure)
}
