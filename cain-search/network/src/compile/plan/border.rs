//! Writes the values that maps need around them.

use cain_analysis::owned::Step;
use cain_isa::program::{Grid, Held};
use cain_isa::{Bit, Dreg};

use super::super::CompileError;
use super::super::constant::Constant;
use super::super::error::Obstacle;
use super::super::planes::{Around, PlaneId};
use super::super::script::Script;
use super::super::stage::Work;
use super::{Failure, OUTSIDE, Planner};
use crate::MOST_PIXELS;

/// Whether a map leaves no PE of the array around it.
fn fills_the_array(grid: Grid) -> bool {
    let fills = |first: isize, count: usize, step: usize| {
        first <= 0 && first.saturating_add_unsigned(count.saturating_mul(step)) >= MOST_PIXELS.cast_signed()
    };
    fills(grid.top, grid.height, grid.row_step) && fills(grid.left, grid.width, grid.column_step)
}

impl Planner<'_, '_> {
    /// Writes the values that a map needs around it.
    pub(super) fn surround(&mut self, plane: PlaneId) -> Result<(), Failure> {
        let Some(around) = self.planes.list[plane].around else { return Ok(()) };
        let Some(reg) = self.registers.reg(plane) else { return self.clear_around(plane) };
        let grid = self.planes.list[plane].grid;
        let level = &self.levels[plane];
        let constant = match around {
            Around::Number(number) => level.constant(level.value(number)),
            Around::Least => Constant::whole(level.low.floor()),
        };
        self.check_beyond(plane, around, constant)?;
        if fills_the_array(grid) {
            return Ok(());
        }
        self.reading = self.places(&[plane]);
        let mut script = Script::default();
        let bit = self.outside(plane, grid, &mut script)?;
        let (constant, ts) = self.made_in(constant, reg);
        script.replace(reg, bit, constant, ts);
        self.border(script, plane, bit)
    }

    /// Clears a bit around its map.
    fn clear_around(&mut self, plane: PlaneId) -> Result<(), Failure> {
        let grid = self.planes.list[plane].grid;
        let Some(bit) = self.registers.bit(plane).filter(|_| !fills_the_array(grid)) else { return Ok(()) };
        self.reading = self.places(&[plane]);
        let mut script = Script::default();
        let outside = self.outside(plane, grid, &mut script)?;
        // Macro instructions use it as scratch too.
        script.bit_without(bit, (bit, outside), Dreg::ALL[0]);
        self.border(script, plane, outside)
    }

    /// The register that marks the PEs outside of a grid; the script writes it if it does not hold that yet.
    fn outside(&mut self, plane: PlaneId, grid: Grid, script: &mut Script) -> Result<Dreg, Failure> {
        let bit = if let Some((bit, _)) = self.outside {
            bit
        } else {
            let bit = self.free_bit(plane)?;
            // The register is occupied from now on.
            self.registers.hold_bit(bit, Some(OUTSIDE));
            bit
        };
        if self.outside == Some((bit, grid)) {
            self.reading.push((OUTSIDE, Held::Bit(Bit::Reg(bit))));
        } else {
            script.push(Step::Outside(bit, grid));
            self.outside = Some((bit, grid));
        }
        Ok(bit)
    }

    /// Releases the register that marks the outside.
    pub(super) fn give_up_outside(&mut self) {
        if self.outside.take().is_some() {
            self.registers.forget(OUTSIDE);
        }
    }

    fn border(&mut self, script: Script, plane: PlaneId, outside: Dreg) -> Result<(), Failure> {
        self.stage(script, &[plane], 0, Work::Border)?;
        if let Some(flow) = self.flows.last_mut() {
            flow.made.push((OUTSIDE, Held::Bit(Bit::Reg(outside))));
        }
        Ok(())
    }

    /// Checks what is needed beyond the border of the array, where nothing can be written and 0 DN is read.
    fn check_beyond(&self, plane: PlaneId, around: Around, wanted: Constant) -> Result<(), Failure> {
        let is_right = match around {
            Around::Number(_) => wanted.value() == 0.0,
            Around::Least => wanted.value() >= 0.0,
        };
        let size = (self.network.input.height, self.network.input.width);
        match self.planes.beyond_the_array(&self.planes.readers()[plane], size) {
            Some(layer) if !is_right => {
                Err(CompileError::new(self.network, Some(layer), Obstacle::Beyond(wanted.value())).into())
            }
            _ => Ok(()),
        }
    }
}
