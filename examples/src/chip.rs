//! Measuring the errors of a chip.
//!
//! All experiments are variations of one: a plane of one level is copied back and forth between two registers, and the
//! result is compared with the original. Errors add up in the copies, while each reading adds its own error only once.

use cain_runtime::io::{ArrayIo, Scan};
use cain_runtime::isa::asm::{bus, reg};
use cain_runtime::isa::{Instruction, Reg};
use cain_runtime::sim::ErrorModel;

/// The number of copies back and forth: enough for errors to stand out, and few enough for them to stay small.
const PAIRS: u32 = 16;
/// The number of repetitions of every experiment, to distinguish patterns from noise.
const REPEATS: usize = 8;
/// Levels at which no value leaves the range, in DN.
const HIGH: i8 = 90;
const LOW: i8 = -90;
/// The variance that rounding to whole DN adds.
const ROUNDING: f64 = 1.0 / 12.0;

/// Measures the constants of the error model on an array whose FLAG is 1 everywhere; overwrites A to D and NEWS.
pub fn measure<S: ArrayIo>(scamp: &mut S) -> Result<ErrorModel, S::Error> {
    let high = Experiment::copies(scamp, HIGH)?;
    let low = Experiment::copies(scamp, LOW)?;
    let zero = Experiment::copies(scamp, 0)?;
    let kept = (high.after.mean() - low.after.mean()) / (high.before.mean() - low.before.mean());
    let gain = kept.powf(0.5 / f64::from(PAIRS));
    let (one, _) = parts(scamp, &[Reg::B], gain)?;
    let (two, mismatch) = parts(scamp, &[Reg::B, Reg::C], gain)?;
    let (three, _) = parts(scamp, &[Reg::B, Reg::C, Reg::D], gain)?;
    let chain = |level: &Experiment| Chain::of(level.before.mean(), gain, one);
    let (of_high, of_zero) = (chain(&high), chain(&zero));
    let noise = solve((of_zero.noise, zero.noise(gain)), (of_high.noise, high.noise(gain)));
    let pattern = solve((of_zero.pattern, zero.pattern(gain)), (of_high.pattern, high.pattern(gain)));
    let readout = (zero.reading - ROUNDING).max(0.0).sqrt();
    Ok(ErrorModel {
        gain: single(gain),
        offset: [one, two, three].map(single),
        mismatch: single(mismatch),
        fixed_gain: single(pattern.1),
        fixed_offset: single(pattern.0),
        relative_noise: single(noise.1),
        noise: single(noise.0),
        readout_noise: single(readout),
        ..ErrorModel::measured()
    })
}

/// The constants as a file for `cain --chip`, or to be copied into a kernel file.
#[must_use]
pub fn to_toml(model: &ErrorModel) -> String {
    let &ErrorModel { gain, offset: [one, two, three], mismatch, fixed_gain, fixed_offset, .. } = model;
    let &ErrorModel { relative_noise, noise, readout_noise, .. } = model;
    format!(
        "[machine.errors]\ngain = {gain:.5}\noffset = [{one:.3}, {two:.3}, {three:.3}]\nmismatch = {mismatch:.5}\n\
         fixed_gain = {fixed_gain:.5}\nfixed_offset = {fixed_offset:.3}\nrelative_noise = {relative_noise:.5}\n\
         noise = {noise:.3}\nreadout_noise = {readout_noise:.3}\n"
    )
}

/// Readings of a plane in DN, added up over repetitions.
struct Readings {
    sums: Vec<f64>,
    squares: Vec<f64>,
    count: f64,
}

impl Readings {
    fn new(size: usize) -> Self {
        Self { sums: vec![0.0; size], squares: vec![0.0; size], count: 0.0 }
    }

    fn add<S: ArrayIo>(&mut self, scamp: &mut S, register: Reg) -> Result<(), S::Error> {
        let mut codes = vec![0; self.sums.len()];
        scamp.scan(register, Scan::every(scamp.size().region()?), &mut codes)?;
        for ((sum, squares), code) in self.sums.iter_mut().zip(&mut self.squares).zip(codes) {
            let value = f64::from(code) - 128.0;
            *sum += value;
            *squares += value * value;
        }
        self.count += 1.0;
        Ok(())
    }

    fn each(&self) -> impl Iterator<Item = f64> + '_ {
        self.sums.iter().map(|sum| sum / self.count)
    }

    fn mean(&self) -> f64 {
        mean(self.each())
    }

    /// The variance between repetitions, averaged over all PEs.
    fn variance(&self) -> f64 {
        let of_one = |(sum, squares): (&f64, &f64)| (squares - sum * sum / self.count) / (self.count - 1.0);
        mean(self.sums.iter().zip(&self.squares).map(of_one))
    }
}

/// A plane of one level before and after the copies.
struct Experiment {
    before: Readings,
    after: Readings,
    /// The variance of reading the same plane again.
    reading: f64,
}

impl Experiment {
    fn copies<S: ArrayIo>(scamp: &mut S, level: i8) -> Result<Self, S::Error> {
        let size = scamp.size().width * scamp.size().height;
        let (mut before, mut after, mut again) = (Readings::new(size), Readings::new(size), Readings::new(size));
        for _ in 0..REPEATS {
            scamp.load_level(Reg::A, level)?;
            before.add(scamp, Reg::A)?;
            for _ in 0..PAIRS {
                scamp.execute(bus(&[reg(Reg::B)], &[reg(Reg::A)]))?;
                scamp.execute(bus(&[reg(Reg::A)], &[reg(Reg::B)]))?;
            }
            after.add(scamp, Reg::A)?;
        }
        for _ in 0..REPEATS {
            again.add(scamp, Reg::A)?;
        }
        Ok(Self { before, after, reading: again.variance() })
    }

    /// The fraction of the original level that is left after the copies.
    fn kept(gain: f64) -> f64 {
        gain.powf(2.0 * f64::from(PAIRS))
    }

    /// The variance that the copies themselves add from one repetition to the next.
    fn noise(&self, gain: f64) -> f64 {
        let loaded = self.before.variance() - self.reading;
        self.after.variance() - self.reading - Self::kept(gain).powi(2) * loaded
    }

    /// The variance between PEs that the copies themselves add in every repetition.
    fn pattern(&self, gain: f64) -> f64 {
        let kept = Self::kept(gain);
        let added: Vec<f64> =
            self.after.each().zip(self.before.each()).map(|(after, before)| after - kept * before).collect();
        let middle = mean(added.iter().copied());
        let variance = mean(added.iter().map(|value| (value - middle) * (value - middle)));
        let readings = self.noise(gain) + self.reading * (1.0 + kept * kept);
        variance - readings / self.after.count
    }
}

/// The factors by which the copies amplify errors of variance 1: those that do not depend on the value, and those in
/// proportion to it.
struct Chain {
    noise: (f64, f64),
    pattern: (f64, f64),
}

impl Chain {
    fn of(level: f64, gain: f64, offset: f64) -> Self {
        let mut value = level;
        let (mut noise, mut sums) = ((0.0, 0.0), [[0.0_f64; 2]; 2]);
        for _ in 0..PAIRS {
            for register in &mut sums {
                // The values written by this register so far are copied twice.
                for sum in register {
                    *sum *= gain * gain;
                }
            }
            noise = (noise.0 * gain.powi(4), noise.1 * gain.powi(4));
            for (register, weight) in sums.iter_mut().zip([-gain, 1.0]) {
                noise = (noise.0 + weight * weight, noise.1 + weight * weight * value * value);
                register[0] += weight;
                register[1] -= weight * value;
                value = offset - gain * value;
            }
        }
        let squares = |i: usize| sums.iter().map(|register| register[i] * register[i]).sum();
        Self { noise, pattern: (squares(0), squares(1)) }
    }
}

/// The offset of a word with these destinations, and the fraction by which the first one gets more than the second.
fn parts<S: ArrayIo>(scamp: &mut S, destinations: &[Reg], gain: f64) -> Result<(f64, f64), S::Error> {
    let size = scamp.size().width * scamp.size().height;
    let cells: Vec<_> = destinations.iter().map(|&register| reg(register)).collect();
    let word: Instruction = bus(&cells, &[reg(Reg::A)]);
    let count = f64::from(u8::try_from(cells.len()).unwrap_or(u8::MAX));
    let mut at_level = |level: i8| -> Result<(f64, Vec<f64>), S::Error> {
        let mut before = Readings::new(size);
        let mut after: Vec<Readings> = destinations.iter().map(|_| Readings::new(size)).collect();
        for _ in 0..REPEATS {
            scamp.load_level(Reg::A, level)?;
            before.add(scamp, Reg::A)?;
            scamp.execute(word)?;
            for (readings, &register) in after.iter_mut().zip(destinations) {
                readings.add(scamp, register)?;
            }
        }
        Ok((before.mean(), after.iter().map(Readings::mean).collect()))
    };
    let ((from, high), (_, low)) = (at_level(HIGH)?, at_level(LOW)?);
    let offset = mean(high.iter().copied()) + gain * from / count;
    let slopes: Vec<f64> = high.iter().zip(&low).map(|(high, low)| low - high).collect();
    let mismatch = match slopes.as_slice() {
        [first, second] => (first - second) / (first + second),
        _ => 0.0,
    };
    Ok((offset, mismatch))
}

/// The standard deviations x and y with a·x² + b·y² = c for both equations ((a, b), c).
fn solve(one: ((f64, f64), f64), two: ((f64, f64), f64)) -> (f64, f64) {
    let (((a, b), c), ((d, e), f)) = (one, two);
    let determinant = a * e - b * d;
    let root = |square: f64| square.max(0.0).sqrt();
    (root((c * e - b * f) / determinant), root((a * f - c * d) / determinant))
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    sum / count
}

#[expect(clippy::cast_possible_truncation, reason = "the type of the constants")]
fn single(value: f64) -> f32 {
    value as f32
}
