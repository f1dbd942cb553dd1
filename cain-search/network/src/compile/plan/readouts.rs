//! Read-outs.

use cain_analysis::owned::{ReadOut, Step};
use cain_isa::program::{Area, EventRead, Grid, Held};
use cain_isa::{Bit, EVENT_TIME, Fraction, SCANNED_BYTE_TIME};

use super::super::check::Flow;
use super::super::planes::{PlaneReadout, Wanted};
use super::super::script::Script;
use super::super::stage::{Extent, Stage, Work};
use super::{ALONE, Failure, OUTSIDE, Planner};
use crate::maps::number;
use crate::{MOST_PIXELS, Network, Window};

impl Planner<'_, '_> {
    /// Does the read-outs that were postponed: all of them, or only those of analogue planes.
    pub(super) fn read_pending(&mut self, bits: bool) {
        for i in std::mem::take(&mut self.pending) {
            let readout = &self.planes.readouts[i];
            let plane = readout.wire.plane;
            if self.planes.list[plane].kind.is_bit() && !bits {
                self.pending.push(i);
                continue;
            }
            let Some(held) = self.registers.place(plane) else { continue };
            self.flows.push(Flow { read: vec![(plane, held)], made: vec![] });
            self.stages.push(self.read(i, held));
            self.consume(plane);
        }
    }

    fn read(&self, i: usize, held: Held) -> Stage {
        let readout = &self.planes.readouts[i];
        let plane = &self.planes.list[readout.wire.plane];
        let level = self.level(readout.wire);
        let (scale, shift) = if plane.kind.is_bit() {
            (readout.wire.scale.to_f64(), readout.wire.shift)
        } else {
            let scale = level.scale.to_f64().recip();
            (scale, -level.zero * scale)
        };
        let pixels = plane.grid.height * plane.grid.width;
        let (windows, mean) = match &readout.wanted {
            Wanted::Windows(windows, mean) => (Some(windows.iter().map(area).collect::<Vec<_>>()), *mean),
            Wanted::Pixels | Wanted::Events(_) => (None, false),
        };
        let numbers = windows.as_ref().map_or(pixels, Vec::len);
        let step = Step::Read(ReadOut {
            from: held,
            grid: plane.grid,
            windows,
            first: self.first_number(readout.layer) + readout.channel * numbers,
            scale,
            shift,
            corrected: None,
            mean,
            adds: readout.adds,
        });
        let stage = Self::stage_of(readout, plane.grid, vec![step], held, Work::Read);
        Stage { range: (level.low, level.high), ..stage }
    }

    /// Lists the pixels of a plane that are 1: either with the event list of the whole array, with all other bits
    /// cleared, or bit by bit, whichever is faster.
    pub(super) fn list(&mut self, readout: &PlaneReadout, capacity: usize) -> Result<(), Failure> {
        let plane = readout.wire.plane;
        let grid = self.planes.list[plane].grid;
        let bit = self.registers.bit(plane).ok_or(Failure::Bits(plane))?;
        let (mut from, mut read) = (bit, plane);
        if is_listed_faster(grid, capacity) {
            if self.registers.free_bits().len() < 3 {
                self.read_pending(true);
            }
            let outside = self.outside.filter(|(_, of)| *of == grid).map(|(outside, _)| outside);
            if let &[alone, t, new, ..] = self.registers.free_bits().as_slice() {
                let mut script = Script::default();
                let mut reads = vec![(plane, Held::Bit(Bit::Reg(bit)))];
                if let Some(outside) = outside {
                    reads.push((OUTSIDE, Held::Bit(Bit::Reg(outside))));
                } else {
                    script.push(Step::Outside(new, grid));
                }
                script.bit_without(alone, (bit, outside.unwrap_or(new)), t);
                let (steps, operations) = script.into_steps().map_err(|error| self.operation_error(plane, error))?;
                self.operations.extend(operations);
                let held = Held::Bit(Bit::Reg(alone));
                self.flows.push(Flow { read: reads, made: vec![(ALONE, held)] });
                self.stages.push(Self::stage_of(readout, grid, steps, held, Work::Operation));
                (from, read) = (alone, ALONE);
            }
        }
        let held = Held::Bit(Bit::Reg(from));
        let step = Step::Events(EventRead {
            from: Bit::Reg(from),
            grid,
            capacity,
            first: self.first_number(readout.layer) + readout.channel * EventRead::numbers(capacity),
            is_alone: read == ALONE,
        });
        self.flows.push(Flow { read: vec![(read, held)], made: vec![] });
        self.stages.push(Self::stage_of(readout, grid, vec![step], held, Work::Read));
        self.consume(plane);
        Ok(())
    }

    /// A stage of a read-out of bits.
    fn stage_of(readout: &PlaneReadout, grid: Grid, steps: Vec<Step>, held: Held, work: Work) -> Stage {
        Stage {
            layer: Some(readout.layer),
            channels: vec![readout.channel],
            steps,
            held: vec![held],
            grids: vec![grid],
            compensated: vec![[Fraction::ZERO; 3]],
            range: (0.0, 1.0),
            pixels: Extent::default(),
            way: Extent::default(),
            macs: 0,
            work,
        }
    }

    /// The index of a layer's first value among those of all read-outs.
    fn first_number(&self, layer: usize) -> usize {
        readout_layers(self.network).take_while(|(other, _)| *other < layer).map(|(_, count)| count).sum()
    }
}

/// The layers that are read out, and the number of values of each.
pub(in super::super) fn readout_layers(network: &Network) -> impl Iterator<Item = (usize, usize)> {
    let shapes = network.shapes().unwrap_or_default().into_iter().enumerate();
    shapes.filter(|(layer, _)| network.is_read_out(*layer)).map(|(layer, shape)| (layer, shape.values()))
}

/// Whether the controller's event list takes less time than reading the bits of all rows of a map, by the published
/// times of SCAMP-5. It lists the map only if the map's pixels are adjacent.
fn is_listed_faster(grid: Grid, capacity: usize) -> bool {
    let bytes = grid.height * MOST_PIXELS / 8;
    let time = |count: usize, each: f32| number(count) * f64::from(each);
    grid.row_step == 1 && grid.column_step == 1 && time(capacity, EVENT_TIME) < time(bytes, SCANNED_BYTE_TIME)
}

const fn area(window: &Window) -> Area {
    let Window { top, left, height, width } = *window;
    Area { top, left, height, width }
}
