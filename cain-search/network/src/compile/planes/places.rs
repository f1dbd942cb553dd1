//! Positions of the pixels of maps, and of those that they are made of.

use cain_isa::Displacement;
use cain_isa::program::Grid;

use super::super::CompileError;
use super::lowering::Lowering;
use crate::Reach;

impl Lowering<'_> {
    /// The grid of outputs, each in the middle of the pixels that it reads.
    pub(super) fn outputs(&self, reach: &Reach, source: Grid) -> Result<Grid, CompileError> {
        let along = |size: usize, dilation: usize, before: usize| {
            (((size - 1) / 2) * dilation).cast_signed() - before.cast_signed()
        };
        let rows = along(reach.size.0, reach.dilation.0, reach.padding.top);
        let columns = along(reach.size.1, reach.dilation.1, reach.padding.left);
        let (height, width) = reach.outputs((source.height, source.width)).ok_or_else(|| self.overflow())?;
        Ok(Grid {
            top: source.top + rows * source.row_step.cast_signed(),
            left: source.left + columns * source.column_step.cast_signed(),
            row_step: source.row_step * reach.stride.0,
            column_step: source.column_step * reach.stride.1,
            height,
            width,
        })
    }

    /// The displacements of the pixels that an output reads.
    pub(super) fn taps(&self, reach: &Reach, source: Grid, output: Grid) -> Result<Vec<Displacement>, CompileError> {
        let tap = |(row, column): (isize, isize)| {
            let south = source.top - output.top + row * source.row_step.cast_signed();
            let east = source.left - output.left + column * source.column_step.cast_signed();
            Some(Displacement::new(i16::try_from(east).ok()?, i16::try_from(-south).ok()?))
        };
        reach.pixels(0, 0).map(tap).collect::<Option<_>>().ok_or_else(|| self.overflow())
    }

    pub(super) fn same_steps(&self, first: Grid, other: Grid) -> Result<(), CompileError> {
        let steps = |grid: Grid| (grid.row_step, grid.column_step);
        if steps(first) == steps(other) {
            return Ok(());
        }
        Err(self.unsupported("maps whose pixels are differently far apart on the array, after strides"))
    }
}
