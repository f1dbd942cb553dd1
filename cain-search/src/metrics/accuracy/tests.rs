//! Compares predictions with a plain simulation, pixel by pixel, that does not know how predictions are made.

use std::collections::BTreeMap;

use cain_analysis::prove::Prover;
use cain_isa::asm::{A, B, C, D, E};
use cain_isa::{Cell, ErrorModel, Instruction, Machine, Reg, Saturation, Word};

use super::{Accuracy, ImageStatistics, accuracy, tenths, thousandths};
use crate::{Declaration, Input, MaxGain, OffsetRule, Options, Output, Proved, verify};

/// The number of pixels along each side; pixels farther away do not reach the one in the middle.
const SIDE: usize = 7;
const MIDDLE: usize = SIDE * SIDE / 2;

type Image = Vec<f64>;

/// A write of a cell: the value that the model scales (v·(1 ± mismatch)), in every PE.
struct Write {
    cell: Cell,
    scaled: Image,
}

/// Carries out words according to the formula of the [`ErrorModel`], without fixed patterns and noise, but with an
/// error of `error` in one PE of one write. Returns what the output holds in the middle, and all writes.
fn simulate(
    listing: &[Instruction],
    inputs: &[(Reg, Image)],
    output: Reg,
    model: &ErrorModel,
    (at, pe, error): (usize, usize, f64),
) -> Run {
    let mut cells: BTreeMap<Cell, Image> = inputs.iter().map(|(reg, image)| (Cell::Reg(*reg), image.clone())).collect();
    let mut writes: Vec<Write> = Vec::new();
    for word in listing.iter().flat_map(Instruction::words) {
        let Word::Bus(bus) = word else { panic!("{word}") };
        let before = cells.clone();
        let read = |source: Cell, pe: usize| match source {
            Cell::Port(direction) => {
                let step = direction.displacement();
                let column = (pe % SIDE).checked_add_signed(step.x.into()).filter(|column| *column < SIDE);
                let row = (pe / SIDE).checked_add_signed((-step.y).into()).filter(|row| *row < SIDE);
                row.zip(column).map_or(0.0, |(row, column)| before[&Cell::News][row * SIDE + column])
            }
            cell => before[&cell][pe],
        };
        let count = bus.destinations().len();
        for (place, &cell) in bus.destinations().iter().enumerate() {
            let mismatch = match (count, place) {
                (2, 0) => f64::from(model.mismatch),
                (2, 1) => -f64::from(model.mismatch),
                _ => 0.0,
            };
            let divisor = [1.0, 2.0, 3.0][count - 1];
            let sum = |pe| bus.sources().iter().map(|&source| read(source, pe)).sum::<f64>();
            let scaled: Image = (0..SIDE * SIDE).map(|pe| -sum(pe) / divisor * (1.0 + mismatch)).collect();
            let offset = f64::from(model.offset[count - 1]);
            let mut held: Image = scaled.iter().map(|value| value * f64::from(model.gain) + offset).collect();
            if writes.len() == at {
                held[pe] += error;
            }
            cells.insert(cell, held);
            writes.push(Write { cell, scaled });
        }
    }
    (cells[&Cell::Reg(output)][MIDDLE], writes)
}

/// A sum of weights by input and pixel, and a constant.
struct Sum {
    weights: Vec<Vec<f64>>,
    constant: f64,
}

impl Sum {
    fn mean(&self, image: &ImageStatistics) -> f64 {
        self.weights.iter().flatten().sum::<f64>() * image.mean + self.constant
    }

    /// The covariance, summed over all pairs of pixels of the same input.
    fn covariance(&self, other: &Self, image: &ImageStatistics) -> f64 {
        let mut sum = 0.0;
        for (own, others) in self.weights.iter().zip(&other.weights) {
            for (p, weight) in own.iter().enumerate().filter(|(_, weight)| **weight != 0.0) {
                for (q, other) in others.iter().enumerate() {
                    let distance = (p % SIDE).abs_diff(q % SIDE) + (p / SIDE).abs_diff(q / SIDE);
                    let distance = i32::try_from(distance).unwrap();
                    sum += weight * other * image.correlation.powi(distance);
                }
            }
        }
        sum * image.deviation * image.deviation
    }

    fn mean_square(&self, image: &ImageStatistics) -> f64 {
        self.covariance(self, image) + self.mean(image) * self.mean(image)
    }

    fn plus(&self, factor: f64, other: &Self) -> Self {
        let both = self.weights.iter().zip(&other.weights);
        let weights = both.map(|(own, other)| own.iter().zip(other).map(|(a, b)| a + factor * b).collect()).collect();
        Self { weights, constant: self.constant + factor * other.constant }
    }
}

/// What a run of a program leaves in the middle, and all its writes.
type Run = (f64, Vec<Write>);

/// The runs of a program: one with all pixels 0, and one for each pixel set to 1.
struct Runs {
    dark: Run,
    /// The runs with one pixel set to 1, by input and pixel.
    bright: Vec<Vec<Run>>,
}

impl Runs {
    fn of(program: &Proved, model: &ErrorModel) -> Self {
        let inputs = program.declaration().inputs.len();
        let bright = |input| (0..SIDE * SIDE).map(|pe| run(program, model, Some((input, pe)), NO_ERROR)).collect();
        Self { dark: run(program, model, None, NO_ERROR), bright: (0..inputs).map(bright).collect() }
    }

    /// A figure of a run as a weighted sum of pixels.
    fn sum(&self, figure: impl Fn(&Run) -> f64) -> Sum {
        let constant = figure(&self.dark);
        let weights = self.bright.iter().map(|runs| runs.iter().map(|run| figure(run) - constant).collect()).collect();
        Sum { weights, constant }
    }
}

const NO_ERROR: (usize, usize, f64) = (usize::MAX, 0, 0.0);

/// Runs a program on images in which at most one pixel of one input is 1.
fn run(program: &Proved, model: &ErrorModel, one: Option<(usize, usize)>, error: (usize, usize, f64)) -> Run {
    let image = |input| (0..SIDE * SIDE).map(|pe| f64::from(u8::from(one == Some((input, pe))))).collect();
    let inputs = program.declaration().inputs.iter().enumerate();
    let inputs: Vec<(Reg, Image)> = inputs.map(|(place, input)| (input.reg, image(place))).collect();
    simulate(program.listing(), &inputs, program.outputs()[0].reg, model, error)
}

/// The accuracy of the outputs of a program according to the simulation, for each kind of image.
fn simulated(program: &Proved, model: &ErrorModel, images: &[ImageStatistics]) -> Vec<Accuracy> {
    let runs = Runs::of(program, model);
    let (exact, found) = (Runs::of(program, &ErrorModel::ideal()).sum(|run| run.0), runs.sum(|run| run.0));
    let writes = &runs.dark.1;
    let values: Vec<Sum> = (0..writes.len()).map(|at| runs.sum(|run| run.1[at].scaled[MIDDLE])).collect();
    // How much of an error of 1 reaches the output, by PE and write.
    let reaching = |pe| -> Vec<f64> {
        (0..writes.len()).map(|at| run(program, model, None, (at, pe, 1.0)).0 - runs.dark.0).collect()
    };
    let reaching: Vec<Vec<f64>> = (0..SIDE * SIDE).map(reaching).collect();
    images.iter().map(|image| of_image(&exact, &found, writes, &values, &reaching, model, image)).collect()
}

fn of_image(
    exact: &Sum,
    found: &Sum,
    writes: &[Write],
    values: &[Sum],
    reaching: &[Vec<f64>],
    model: &ErrorModel,
    image: &ImageStatistics,
) -> Accuracy {
    let factor = found.covariance(exact, image) / exact.covariance(exact, image);
    let (mut noise, mut fixed) = (0.0, 0.0);
    let [gain, relative, absolute] = [model.gain, model.relative_noise, model.noise].map(f64::from);
    let [fixed_gain, fixed_offset] = [model.fixed_gain, model.fixed_offset].map(f64::from);
    let squares: Vec<f64> = values.iter().map(|value| value.mean_square(image)).collect();
    for of_pe in reaching {
        // For each cell, the factor by which its gain error is multiplied, and that of its offset.
        let mut cells: BTreeMap<Cell, (Sum, f64)> = BTreeMap::new();
        for ((at, write), &reaches) in writes.iter().enumerate().zip(of_pe) {
            if reaches.abs() < 1e-9 {
                continue;
            }
            noise += reaches * reaches * (relative * relative * gain * gain * squares[at] + absolute * absolute);
            let nothing =
                Sum { weights: values[at].weights.iter().map(|list| vec![0.0; list.len()]).collect(), constant: 0.0 };
            let (of_gain, of_offset) = cells.entry(write.cell).or_insert((nothing, 0.0));
            *of_gain = of_gain.plus(reaches, &values[at]);
            *of_offset += reaches;
        }
        for (of_gain, of_offset) in cells.values() {
            fixed += fixed_gain * fixed_gain * of_gain.mean_square(image);
            fixed += fixed_offset * fixed_offset * of_offset * of_offset;
        }
    }
    let rest = found.plus(-factor, exact);
    Accuracy {
        bias: found.mean(image) - exact.mean(image),
        gain: (factor - 1.0).abs() * exact.covariance(exact, image).sqrt(),
        distortion: rest.covariance(&rest, image).max(0.0).sqrt(),
        fixed_pattern: fixed.sqrt(),
        noise: noise.sqrt(),
    }
}

/// A program from A, and from C if there are two inputs, to B, whose declaration is what it computes.
fn proved(listing: &[&str], inputs: &[Reg]) -> Proved {
    let listing: Vec<Instruction> = listing.iter().map(|line| line.parse().unwrap()).collect();
    let kernel = Prover::of(&listing, inputs).unwrap().value(B).unwrap().clone();
    let scratch = [A, C, D, E].into_iter().filter(|reg| *reg != B && !inputs.contains(reg));
    let declaration = Declaration {
        name: "f".to_owned(),
        inputs: inputs.iter().map(|&reg| Input { reg, keep: false }).collect(),
        outputs: vec![Output { reg: B, kernel }],
        scratch: scratch.collect(),
        machine: Machine::SCAMP5,
        options: Options { offset: OffsetRule::Any, max_gain: MaxGain::Any, ..Options::default() },
    };
    verify(&declaration, &listing).unwrap()
}

#[track_caller]
fn close(found: &Accuracy, wanted: &Accuracy) {
    let parts = |of: &Accuracy| [of.bias, of.gain, of.distortion, of.fixed_pattern, of.noise];
    for (found_part, wanted_part) in parts(found).into_iter().zip(parts(wanted)) {
        assert!((found_part - wanted_part).abs() < 1e-6, "{found:?} instead of {wanted:?}");
    }
}

#[test]
fn predictions_are_what_a_simulation_says() {
    let every_error = ErrorModel {
        gain: 0.98,
        offset: [20.0, 22.5, 23.0],
        mismatch: 0.01,
        fixed_gain: 0.003,
        fixed_offset: 0.2,
        relative_noise: 0.005,
        noise: 0.3,
        ..ErrorModel::ideal()
    };
    let only = |change: &dyn Fn(&mut ErrorModel)| {
        let mut model = ErrorModel::ideal();
        change(&mut model);
        model
    };
    let models = [
        every_error,
        ErrorModel { saturation: Saturation::None, ..ErrorModel::measured() },
        only(&|model| model.noise = 1.0),
        only(&|model| model.relative_noise = 0.01),
        only(&|model| model.fixed_gain = 0.01),
        only(&|model| model.fixed_offset = 1.0),
    ];
    let images = [ImageStatistics::NATURAL, ImageStatistics { mean: 30.0, deviation: 20.0, correlation: 0.6 }];
    let gauss = [
        "bus(NEWS,A);",
        "bus(C,XS);",
        "bus2(B,NEWS,C,A);",
        "bus2(D,A,XE,B);",
        "bus2(C,A,XW,B);",
        "bus2(NEWS,B,C,D);",
        "bus2(E,C,XN,B);",
        "bus(B,E);",
    ];
    let thirds = ["bus3(B,NEWS,D,A);", "bus(E,D,XE);", "bus2(D,NEWS,E);", "bus(B,D,NEWS);"];
    let two = ["bus2(NEWS,D,A);", "bus(D,NEWS,C);", "bus(NEWS,C);", "bus(B,D,XN);"];
    // One PE writes D twice; the error of the first time is negated three times until the second, and they cancel.
    let twice = ["bus(NEWS,A);", "bus(D,XE,A);", "bus(NEWS,D);", "bus(E,NEWS);", "bus(D,E);", "bus(B,D);"];
    for (listing, inputs) in [(&gauss[..], &[A][..]), (&thirds, &[A]), (&two, &[A, C]), (&twice, &[A])] {
        let program = proved(listing, inputs);
        for model in &models {
            for (image, wanted) in images.iter().zip(simulated(&program, model, &images)) {
                close(&accuracy(&program, model, image)[0], &wanted);
            }
        }
    }
}

/// The expected figures are worked out by hand from the formula of the model.
#[test]
fn a_halving_is_predicted() {
    // −x/2·0.99 + 22 in NEWS, and minus that plus 20 in B: x·0.99/2 − 2 where it should be x/2.
    let program = proved(&["bus2(D,NEWS,A);", "bus(B,NEWS);"], &[A]);
    let image = ImageStatistics { mean: 10.0, deviation: 50.0, correlation: 0.9 };
    let found = accuracy(&program, &ErrorModel::analytic(20.0, 22.0, 0.01), &image)[0];
    close(&found, &Accuracy { bias: -2.05, gain: 0.25, distortion: 0.0, fixed_pattern: 0.0, noise: 0.0 });
    let program = proved(&["bus2(NEWS,D,A);", "bus(B,NEWS);"], &[A]);
    let found = accuracy(&program, &ErrorModel::analytic(20.0, 22.0, 0.01), &image)[0];
    close(&found, &Accuracy { bias: -1.95, gain: 0.25, distortion: 0.0, fixed_pattern: 0.0, noise: 0.0 });
    // Two writes of noise 3 and one of 4 that nothing reads; −(−x + n) + n', and the offset cell by cell.
    let program = proved(&["bus(NEWS,A);", "bus(D,A);", "bus(B,NEWS);"], &[A]);
    let found = accuracy(&program, &ErrorModel { noise: 3.0, fixed_offset: 4.0, ..ErrorModel::ideal() }, &image)[0];
    let fixed_pattern = 4.0 * 2.0_f64.sqrt();
    close(&found, &Accuracy { bias: 0.0, gain: 0.0, distortion: 0.0, fixed_pattern, noise: 3.0 * 2.0_f64.sqrt() });
}

/// What is lost of values beyond the range of registers, integrated over the levels of an image.
#[test]
fn saturation_is_predicted() {
    let image = ImageStatistics::NATURAL;
    let (model, linear) =
        (ErrorModel::measured(), ErrorModel { saturation: Saturation::None, ..ErrorModel::measured() });
    let lost = |listing: &[&str]| {
        let program = proved(listing, &[A]);
        let [all, other] = [model, linear].map(|model| accuracy(&program, &model, &image)[0]);
        assert_eq!((all.bias, all.gain, all.noise), (other.bias, other.gain, other.noise));
        (all.distortion.powi(2) - other.distortion.powi(2)).max(0.0).sqrt()
    };
    // Copies by way of NEWS, to which `more` DN are added there: the mean square over levels from -127 to 127 DN, of which those
    // beyond are all at the ends.
    let (gain, offset) = (f64::from(model.gain), f64::from(model.offset[0]));
    let integrated = |more: f64| {
        let copied = |level: f64, most: f64| {
            let news = (offset - gain * (level + more)).clamp(-most - 1.0, most);
            (offset - gain * (news + more)).clamp(-most - 1.0, most)
        };
        let lost = |level: f64| copied(level, f64::INFINITY).clamp(-128.0, 127.0) - copied(level, 127.0);
        let steps = (-60_000..60_000).map(|step| (f64::from(step) + 0.5) / 10_000.0);
        let squares = steps.map(|z| (-z * z / 2.0).exp() * lost((z * 50.0).clamp(-127.0, 127.0)).powi(2));
        (squares.sum::<f64>() / 10_000.0 / (2.0 * std::f64::consts::PI).sqrt()).sqrt()
    };
    let near = |found: f64, wanted: f64| assert!((found / wanted - 1.0).abs() < 0.1, "{found} instead of {wanted}");
    near(lost(&["bus(NEWS,A);", "bus(B,NEWS);"]), integrated(0.0));
    // With the constants of three empty cells, bright levels leave the range, and earlier.
    let more = 3.0 * f64::from(model.offset[0]);
    assert!(integrated(more) > 2.0 * integrated(0.0));
    near(lost(&["bus(C);", "bus(D);", "bus(E);", "bus(NEWS,A,C,D,E);", "bus(B,NEWS,C,D,E);"]), integrated(more));
    // What is halved first stays within.
    assert!(lost(&["bus2(NEWS,D,A);", "bus(B,NEWS);"]).abs() < 1e-9);
}

/// An output that no word writes is the input in its register, without any error; a constant output has no gain that
/// could be wrong.
#[test]
fn what_is_not_computed_has_no_error() {
    let one = Output { reg: A, kernel: cain_analysis::prove::Polynomial::input(0) };
    let mut declaration = proved(&["bus(B,A);"], &[A]).declaration().clone();
    declaration.scratch.retain(|reg| *reg != A);
    declaration.outputs = vec![one];
    let found = accuracy(&verify(&declaration, &[]).unwrap(), &ErrorModel::measured(), &ImageStatistics::NATURAL);
    assert_eq!(found.iter().map(Accuracy::rms).collect::<Vec<_>>(), [0.0]);
    let empty = proved(&["bus(B);"], &[A]);
    let found = accuracy(&empty, &ErrorModel::constant(20.0), &ImageStatistics::NATURAL)[0];
    close(&found, &Accuracy { bias: 20.0, gain: 0.0, distortion: 0.0, fixed_pattern: 0.0, noise: 0.0 });
}

#[test]
fn causes_add_up_and_the_worst_output_counts() {
    let of = |bias: f64, noise: f64| Accuracy { bias, gain: 2.0, distortion: 4.0, fixed_pattern: 5.0, noise };
    // 3² + 2² + 4² + 5² + 10² = 154.
    assert!((of(-3.0, 10.0).rms() - 154.0_f64.sqrt()).abs() < 1e-12);
    let outputs = [of(1.0, 1.0), of(-3.0, 10.0), of(2.0, 0.0)];
    assert!((Accuracy::worst_rms(&outputs) - 154.0_f64.sqrt()).abs() < 1e-12);
    assert!((Accuracy::worst_bias(&outputs) + 3.0).abs() < 1e-12);
    assert!((Accuracy::worst_bias(&[of(4.0, 0.0), of(-3.0, 0.0)]) - 4.0).abs() < 1e-12);
    // Of two that are equally far, the first.
    assert!((Accuracy::worst_bias(&[of(-3.0, 0.0), of(3.0, 0.0)]) + 3.0).abs() < 1e-12);
    let text = |figure: f64| figure.to_string();
    assert_eq!([thousandths(1.2344), thousandths(-1.2346), thousandths(-1e-9)].map(text), ["1.234", "-1.235", "0"]);
    assert_eq!([tenths(1.24), tenths(-1.26), tenths(-0.01)].map(text), ["1.2", "-1.3", "0"]);
}

/// The sum of two sources, one of them from the east, with a gain of 1/2 and an offset of 8 in each of two words.
#[test]
fn single_instructions_are_replayed() {
    let model = ErrorModel { gain: 0.5, offset: [8.0; 3], ..ErrorModel::ideal() };
    let found = super::replay("addx(B,A,C,east);".parse().unwrap(), &[A, C], &[D, B], &model);
    let weights = |of: &super::affine::Affine| of.weights.clone().into_iter().collect::<Vec<_>>();
    assert_eq!((weights(&found[0]), found[0].constant), (vec![], 0.0));
    assert_eq!((weights(&found[1]), found[1].constant), (vec![((0, 1, 0), 0.25), ((1, 1, 0), 0.25)], 4.0));
}
