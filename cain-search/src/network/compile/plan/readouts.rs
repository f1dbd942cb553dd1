//! Read-outs.

use cain_isa::network::{Area, Held, ReadOut, Step};

use super::super::check::Flow;
use super::super::stage::{Extent, Stage, Work};
use super::Planner;
use crate::network::{Network, Operation, Shape, Window};

impl Planner<'_> {
    /// Does the read-outs that were put off: all, or those of analogue planes.
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
        let numbers = readout.windows.as_ref().map_or(pixels, Vec::len);
        let step = Step::Read(ReadOut {
            from: held,
            grid: plane.grid,
            windows: readout.windows.as_ref().map(|windows| windows.iter().map(area).collect()),
            first: self.first_number(readout.layer) + readout.channel * numbers,
            scale,
            shift,
            mean: readout.mean,
        });
        Stage {
            layer: Some(readout.layer),
            channels: vec![readout.channel],
            steps: vec![step],
            held: vec![held],
            grids: vec![plane.grid],
            range: (level.low, level.high),
            pixels: Extent::default(),
            way: Extent::default(),
            macs: 0,
            work: Work::Read,
        }
    }

    /// The place of a layer's first number among those of all read-outs.
    fn first_number(&self, layer: usize) -> usize {
        readout_layers(self.network).take_while(|(other, _)| *other < layer).map(|(_, count)| count).sum()
    }
}

/// The layers that are read out, and how many numbers they make.
pub(in super::super) fn readout_layers(network: &Network) -> impl Iterator<Item = (usize, usize)> {
    let shapes = network.shapes().unwrap_or_default();
    let layers = network.layers.iter().zip(shapes).enumerate();
    layers.filter_map(|(i, (layer, shape))| match (&layer.operation, shape) {
        (Operation::Windows { .. } | Operation::Plane, Shape::Numbers(count)) => Some((i, count)),
        _ => None,
    })
}

const fn area(window: &Window) -> Area {
    let Window { top, left, height, width } = *window;
    Area { top, left, height, width }
}
