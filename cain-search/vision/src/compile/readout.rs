//! Read-outs of parts of planes.

use cain_analysis::owned::{ReadOut, Step};
use cain_isa::program::{Area, Grid, Held};

use super::Compiler;
use crate::plan::Piece;

impl Compiler<'_> {
    /// Reads the sum over a grid. Read-outs of the same plane that follow each other are one.
    pub(super) fn read_out(&mut self, from: Held, grid: Grid, number: usize) {
        if let Some(Piece::Do(Step::Read(last))) = self.pieces.last_mut()
            && last.from == from
            && last.windows.as_ref().is_some_and(|windows| last.first + windows.len() == number)
            && let Some(both) = around(last.grid, grid)
        {
            let moved = |area: &Area, of: Area| Area { top: area.top + of.top, left: area.left + of.left, ..*area };
            let before = within(last.grid, both);
            let windows = last.windows.iter().flatten().map(|area| moved(area, before));
            let windows = windows.chain([within(grid, both)]).collect();
            (last.grid, last.windows) = (both, Some(windows));
            return;
        }
        let windows = Some(vec![within(grid, grid)]);
        let (scale, shift) = (1.0, 0.0);
        let read =
            ReadOut { from, grid, windows, first: number, scale, shift, corrected: None, mean: false, adds: false };
        self.push(Step::Read(read));
    }
}

/// The smallest grid that has the PEs of both, if they are equally far apart.
fn around(one: Grid, other: Grid) -> Option<Grid> {
    let (top, left) = (one.top.min(other.top), one.left.min(other.left));
    let fits = |first: isize, at: isize, step: usize| at.abs_diff(first).is_multiple_of(step.max(1));
    let is_one = (one.row_step, one.column_step) == (other.row_step, other.column_step)
        && [one, other].iter().all(|of| fits(top, of.top, of.row_step) && fits(left, of.left, of.column_step));
    let both = [one, other].map(|of| within(of, Grid { top, left, ..of }));
    let height = both.iter().map(|area| area.top + area.height).max()?;
    let width = both.iter().map(|area| area.left + area.width).max()?;
    is_one.then_some(Grid { top, left, height, width, ..one })
}

/// The pixels of a grid among those of one around it.
fn within(grid: Grid, of: Grid) -> Area {
    let top = grid.top.abs_diff(of.top) / of.row_step.max(1);
    let left = grid.left.abs_diff(of.left) / of.column_step.max(1);
    Area { top, left, height: grid.height, width: grid.width }
}
