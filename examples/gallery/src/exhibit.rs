//! A filter, run and compared.

use cain_runtime::isa::{Fraction, Reg};
use cain_runtime::pictures::{Deviation, Palette, Picture};
use cain_runtime::prove::{Prover, Reach};
use cain_runtime::sim::{Array, ErrorModel};
use cain_runtime::trace::Counter;

use cain_gallery::SIDE;

use crate::convolve::{Kernel, correlate};
use crate::failure::Failure;
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
    pub(crate) icws: u64,
    pub(crate) microseconds: f64,
    pub(crate) peak_gain: Fraction,
    /// The union of the reaches of all outputs.
    pub(crate) reach: Reach,
}

/// One output of a filter. Errors are those of PEs that are sufficiently far from the border.
pub(crate) struct Output {
    pub(crate) reg: Reg,
    pub(crate) kernel: &'static Kernel,
    /// The result of an ideal array, in DN.
    pub(crate) ideal: Vec<f32>,
    pub(crate) palette: Palette,
    /// The largest difference between an ideal array and the plain convolution, in DN.
    pub(crate) largest_error: f32,
    /// The result of the first simulated chip, in DN.
    pub(crate) measured: Vec<f32>,
    /// The deviations of the simulated chips from the plain convolution.
    pub(crate) deviations: Vec<Deviation>,
}

/// The simulated chips: each seed is a die with random errors of its own.
const CHIPS: [u64; 3] = [1, 2, 3];
/// The largest error of a chip that is shown, in DN.
const ERROR_LIMIT: f32 = 16.0;

impl Exhibit {
    /// Runs a filter on arrays with rows of `width`. It takes as many of the `frames` as it has inputs.
    pub(crate) fn new(filter: &'static Filter, frames: &[Vec<f32>], width: usize) -> Result<Self, Failure> {
        let inputs: Vec<_> = filter.plan.inputs.iter().copied().zip(frames.iter().cloned()).collect();
        let run = |model, seed| run(filter, &inputs, width, model, seed);
        let scamp = run(ErrorModel::ideal(), 0)?;
        let chips: Vec<_> =
            CHIPS.map(|seed| run(ErrorModel::measured(), seed)).into_iter().collect::<Result<_, _>>()?;

        let mut prover = Prover::new(filter.plan.inputs);
        (filter.on_prover)(&mut prover)?;
        let reach = filter.plan.outputs.iter().fold(Reach::default(), |all, &reg| all.union(prover.reach(reg)));

        let outputs = filter.plan.outputs.iter().zip(filter.kernels).map(|(&reg, kernel)| {
            let ideal = scamp.controller().read_reg(reg)?.to_vec();
            let wanted = correlate(kernel, frames, width);
            let measured: Vec<_> = chips
                .iter()
                .map(|chip| chip.controller().read_reg(reg).map(<[f32]>::to_vec))
                .collect::<Result<_, _>>()?;
            Ok(Output {
                reg,
                kernel,
                palette: palette(prover.value(reg), &ideal),
                largest_error: largest(&ideal, &wanted, width, reach),
                deviations: measured.iter().filter_map(|chip| deviation(chip, &wanted, width, reach)).collect(),
                measured: measured.into_iter().next().unwrap_or_default(),
                ideal,
            })
        });
        let outputs = outputs.collect::<Result<_, Failure>>()?;
        let mut registers = prover.report().writes.clone();
        registers.extend(filter.plan.inputs);
        Ok(Self {
            filter,
            inputs,
            outputs,
            registers: registers.into_iter().collect(),
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

    /// The largest error of an ideal array in all outputs, in DN.
    pub(crate) fn largest_error(&self) -> f32 {
        self.outputs.iter().map(|output| output.largest_error).fold(0.0, f32::max)
    }

    /// The largest root mean square error of a chip in an output, in DN.
    pub(crate) fn rms(&self) -> f64 {
        self.outputs.iter().map(Output::rms).fold(0.0, f64::max)
    }

    /// The bias of a chip in an output that differs most from 0, in DN.
    pub(crate) fn bias(&self) -> f64 {
        let biases = self.outputs.iter().flat_map(|output| &output.deviations).map(|deviation| deviation.bias);
        biases.fold(0.0, |largest: f64, bias| if bias.abs() > largest.abs() { bias } else { largest })
    }
}

impl Output {
    /// The largest root mean square error of a chip, in DN.
    pub(crate) fn rms(&self) -> f64 {
        self.deviations.iter().map(|deviation| deviation.rms).fold(0.0, f64::max)
    }

    pub(crate) fn ideal_picture(&self) -> Picture {
        Picture::of_values(&self.ideal, SIDE, self.palette)
    }

    /// The result of the first chip, on the scale of the ideal one.
    pub(crate) fn measured_picture(&self) -> Picture {
        Picture::of_values(&self.measured, SIDE, self.palette)
    }

    /// The error of the result of the first chip, on the scale of [`error_palette`].
    pub(crate) fn error_picture(&self) -> Picture {
        let errors: Vec<f32> =
            self.measured.iter().zip(&self.ideal).map(|(measured, ideal)| measured - ideal).collect();
        Picture::of_values(&errors, SIDE, error_palette())
    }
}

/// The colours of errors.
pub(crate) const fn error_palette() -> Palette {
    Palette::Signed { limit: ERROR_LIMIT }
}

/// The array after a filter has run on it.
fn run(
    filter: &Filter,
    inputs: &[(Reg, Vec<f32>)],
    width: usize,
    model: ErrorModel,
    seed: u64,
) -> Result<Counter<Array>, Failure> {
    let height = inputs.first().map_or(0, |(_, image)| image.len()).checked_div(width).unwrap_or(0);
    let mut array = Array::new(width, height).errors(model).seed(seed);
    for (reg, image) in inputs {
        array.load_reg(*reg, image)?;
    }
    let mut scamp = Counter::new(array);
    (filter.on_array)(&mut scamp)?;
    Ok(scamp)
}

/// The PEs for which everything within `reach` lies in the array.
fn inside(len: usize, width: usize, reach: Reach) -> impl Iterator<Item = usize> {
    let [west, south, east, north] = [reach.min.x, reach.min.y, reach.max.x, reach.max.y].map(i16::unsigned_abs);
    let height = len.checked_div(width).unwrap_or(0);
    let rows = usize::from(north)..height.saturating_sub(usize::from(south));
    let columns = usize::from(west)..width.saturating_sub(usize::from(east));
    rows.flat_map(move |row| columns.clone().map(move |column| row * width + column))
}

/// The largest difference inside the border.
#[expect(clippy::cast_possible_truncation, reason = "0 stays 0")]
fn largest(found: &[f32], wanted: &[f64], width: usize, reach: Reach) -> f32 {
    let differences = inside(found.len(), width, reach).map(|i| (f64::from(found[i]) - wanted[i]).abs() as f32);
    differences.fold(0.0, f32::max)
}

/// The deviation inside the border.
#[expect(clippy::cast_possible_truncation, reason = "errors are larger than those of rounding")]
fn deviation(found: &[f32], wanted: &[f64], width: usize, reach: Reach) -> Option<Deviation> {
    Deviation::of(inside(found.len(), width, reach).map(|i| (found[i], wanted[i] as f32)))
}

#[cfg(test)]
mod tests {
    use cain_runtime::isa::Displacement;
    use cain_runtime::prove::Reach;

    #[test]
    fn the_border_is_left_out_on_each_side_by_its_own_reach() {
        let mut values = vec![0.0; 20];
        let reach = Reach { min: Displacement::new(-1, 0), max: Displacement::new(2, 1) };
        let largest = |values: &[f32]| super::largest(values, &[0.0; 20], 5, reach);
        // Row 0 is north; columns 1 and 2 have one PE to the west and two to the east.
        for border in [0, 2, 4, 5, 8, 9, 15, 19] {
            values[border] = 7.0;
        }
        assert!(largest(&values) < 1e-6);
        values[17] = -3.0;
        assert!((largest(&values) - 3.0).abs() < 1e-6);
    }
}
