//! One filter, run and compared.

use cain_runtime::isa::{Fraction, Reg};
use cain_runtime::pictures::{Palette, Picture};
use cain_runtime::prove::{Prover, Reach};
use cain_runtime::sim::{Array, ErrorModel};
use cain_runtime::trace::Counter;

use cain_examples::SIDE;

use crate::Failure;
use crate::convolve::{Kernel, correlate};
use crate::filters::Filter;
use crate::palette::palette;

/// The results of a filter and its costs.
pub(crate) struct Exhibit {
    pub(crate) filter: &'static Filter,
    /// The inputs in DN, one per channel.
    pub(crate) inputs: Vec<(Reg, Vec<f32>)>,
    pub(crate) outputs: Vec<Output>,
    /// All registers of the program: inputs, outputs and scratch registers.
    pub(crate) registers: Vec<Reg>,
    pub(crate) macros: u64,
    pub(crate) icws: u64,
    pub(crate) microseconds: f64,
    pub(crate) peak_gain: Fraction,
    /// The union of the reaches of all outputs.
    pub(crate) reach: Reach,
}

/// One output of a filter.
pub(crate) struct Output {
    pub(crate) reg: Reg,
    pub(crate) kernel: &'static Kernel,
    /// What the array computed, in DN.
    pub(crate) found: Vec<f32>,
    pub(crate) palette: Palette,
    /// The array's result minus the plain convolution, in DN.
    pub(crate) difference: Vec<f32>,
    /// The largest difference in the PEs that are far enough from the border, in DN.
    pub(crate) largest_error: f32,
}

impl Exhibit {
    /// Runs a filter on an array with rows of `width`. It takes as many of the `frames` as it has inputs.
    pub(crate) fn new(
        filter: &'static Filter,
        frames: &[Vec<f32>],
        width: usize,
        mode: ErrorModel,
    ) -> Result<Self, Failure> {
        let height = frames.first().map_or(0, Vec::len).checked_div(width).unwrap_or(0);
        let mut array = Array::new(width, height).errors(mode);
        let inputs: Vec<_> = filter.plan.inputs.iter().copied().zip(frames.iter().cloned()).collect();
        for (reg, image) in &inputs {
            array.load_reg(*reg, image)?;
        }
        let mut scamp = Counter::new(array);
        (filter.on_array)(&mut scamp)?;

        let mut prover = Prover::new(filter.plan.inputs);
        (filter.on_prover)(&mut prover)?;
        let reach = filter.plan.outputs.iter().fold(Reach::default(), |all, &reg| union(all, prover.reach(reg)));

        let outputs = filter.plan.outputs.iter().zip(filter.kernels).map(|(&reg, kernel)| {
            let found = scamp.controller().read_reg(reg)?.to_vec();
            let wanted = correlate(kernel, frames, width);
            let difference: Vec<f32> = found.iter().zip(wanted).map(|(found, wanted)| minus(*found, wanted)).collect();
            let largest_error = largest_inside(&difference, width, reach);
            let palette = palette(prover.value(reg), &found);
            Ok(Output { reg, kernel, found, palette, difference, largest_error })
        });
        let outputs = outputs.collect::<Result<_, Failure>>()?;
        let mut registers = prover.report().writes.clone();
        registers.extend(filter.plan.inputs);
        Ok(Self {
            filter,
            inputs,
            outputs,
            registers: registers.into_iter().collect(),
            macros: scamp.macros(),
            icws: scamp.icws(),
            microseconds: scamp.microseconds(),
            peak_gain: prover.report().peak_gain,
            reach,
        })
    }

    /// The width of the band along the edges of the array in which values may be wrong, in PEs.
    pub(crate) fn border(&self) -> u16 {
        let Reach { min, max } = self.reach;
        [min.x, min.y, max.x, max.y].map(i16::unsigned_abs).into_iter().fold(0, u16::max)
    }

    /// The largest error of all outputs, in DN.
    pub(crate) fn largest_error(&self) -> f32 {
        self.outputs.iter().map(|output| output.largest_error).fold(0.0, f32::max)
    }
}

impl Output {
    pub(crate) fn picture(&self) -> Picture {
        Picture::of_values(&self.found, SIDE, self.palette)
    }

    /// The difference on the scale of the output.
    pub(crate) fn difference_picture(&self) -> Picture {
        Picture::of_values(&self.difference, SIDE, self.palette.for_difference())
    }
}

fn union(a: Reach, b: Reach) -> Reach {
    let mut all = a;
    (all.min.x, all.min.y) = (a.min.x.min(b.min.x), a.min.y.min(b.min.y));
    (all.max.x, all.max.y) = (a.max.x.max(b.max.x), a.max.y.max(b.max.y));
    all
}

#[expect(clippy::cast_possible_truncation, reason = "for pictures, and 0 stays 0")]
fn minus(found: f32, wanted: f64) -> f32 {
    (f64::from(found) - wanted) as f32
}

/// The largest absolute value in the PEs from which everything within `reach` lies in the array.
fn largest_inside(values: &[f32], width: usize, reach: Reach) -> f32 {
    let [west, south, east, north] = [reach.min.x, reach.min.y, reach.max.x, reach.max.y].map(i16::unsigned_abs);
    let height = values.len().checked_div(width).unwrap_or(0);
    let rows = usize::from(north)..height.saturating_sub(usize::from(south));
    let columns = usize::from(west)..width.saturating_sub(usize::from(east));
    let inside = |i: usize| rows.contains(&(i / width)) && columns.contains(&(i % width));
    let inside = values.iter().enumerate().filter(|(i, _)| inside(*i));
    inside.fold(0.0, |largest, (_, value)| largest.max(value.abs()))
}

#[cfg(test)]
mod tests {
    use cain_runtime::isa::Displacement;
    use cain_runtime::prove::Reach;

    #[test]
    fn the_border_is_left_out_on_each_side_by_its_own_reach() {
        let mut values = vec![0.0; 20];
        let reach = Reach { min: Displacement::new(-1, 0), max: Displacement::new(2, 1) };
        let largest = |values: &[f32]| super::largest_inside(values, 5, reach);
        // Row 0 is north; columns 1 and 2 have one PE to the west and two to the east.
        for border in [0, 2, 4, 5, 8, 9, 15, 19] {
            values[border] = 7.0;
        }
        assert!(largest(&values) < 1e-6);
        values[17] = -3.0;
        assert!((largest(&values) - 3.0).abs() < 1e-6);
    }
}
