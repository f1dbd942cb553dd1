//! The networks, and arrays that execute them.

use std::num::NonZero;
use std::thread;

use cain_analysis::owned::Part;
use cain_in_pixel::{Compiled, Declaration, Pixels, Scores, Second};
use cain_runtime::dense::largest;
use cain_runtime::isa::{Bit, Machine, Reg};
use cain_runtime::program::{Place, carry_out};
use cain_runtime::sim::{Array, ErrorModel, SimError};

use crate::digits::{Digits, SIDE as PICTURE};

const SIDE: usize = 256;
/// The values in DN of a pixel of full ink and of a background pixel, when a picture is taken.
const LEVELS: [f32; 2] = [100.0, -100.0];

/// The network of two layers: 64 filters of 4×4 on blocks of 32×32, maxima of 4×4, and ten classes.
pub(crate) fn two_layers() -> Result<Declaration, String> {
    let [filters, dense] = split(rows("two_layers.txt", include_str!("two_layers.txt"))?, 64);
    Ok(Declaration {
        side: SIDE,
        block: 32,
        picture: PICTURE,
        scale: 1,
        pixels: Pixels::Halves,
        taps: 4,
        filters,
        pool: 4,
        second: None,
        dense,
        machine: Machine::SCAMP5,
        interruption: None,
    })
}

/// The network of three layers: 16 filters of 4×4, maxima of 2×2, 256 filters of 4×4 for 16 maps, and ten classes.
pub(crate) fn three_layers() -> Result<Declaration, String> {
    let [first, others] = split(rows("three_layers.txt", include_str!("three_layers.txt"))?, 16);
    let [filters, dense] = split(others, 256);
    Ok(Declaration {
        block: SIDE,
        scale: 8,
        pixels: Pixels::TwoBits,
        filters: first,
        pool: 2,
        second: Some(Second {
            taps: 4,
            filters,
            thresholds: [vec![4, 10, 16], vec![9, 25, 41]],
            scores: Scores::Exact,
        }),
        dense,
        ..two_layers()?
    })
}

/// The weights as `training/in_pixel.py` writes them: a line for each filter, then one for each row of the dense layer.
fn rows(file: &str, text: &str) -> Result<Vec<Vec<i8>>, String> {
    let rows = text.lines().enumerate().map(|(line, letters)| weights(letters).map_err(|error| (line, error)));
    rows.collect::<Result<_, _>>().map_err(|(line, error)| format!("{file}: line {}: {error}", line + 1))
}

/// The first `first` rows, and the others.
fn split(mut rows: Vec<Vec<i8>>, first: usize) -> [Vec<Vec<i8>>; 2] {
    let others = rows.split_off(first.min(rows.len()));
    [rows, others]
}

fn weights(letters: &str) -> Result<Vec<i8>, String> {
    let weight = |letter: char| match letter {
        '-' => Ok(-1),
        '0' => Ok(0),
        '+' => Ok(1),
        _ => Err(format!("found `{letter}`; expected `-`, `0` or `+`")),
    };
    letters.chars().map(weight).collect()
}

/// Arrays with the weights of a network in their registers.
pub(crate) struct Arrays<'a> {
    pub(crate) compiled: &'a Compiled,
    pub(crate) array: Array,
}

impl<'a> Arrays<'a> {
    pub(crate) fn new(compiled: &'a Compiled, errors: ErrorModel, seed: u64) -> Result<Self, SimError> {
        let network = compiled.network();
        let mut array = Array::new(network.side, network.side).machine(network.machine).errors(errors).seed(seed);
        for plane in compiled.planes() {
            array.load_bits(Bit::Reg(plane.register), &plane.bits)?;
        }
        Ok(Self { compiled, array })
    }

    /// The number of digits that are recognised, computed on all processors.
    pub(crate) fn correct(&self, digits: &Digits) -> Result<usize, SimError> {
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        let share = digits.len().div_ceil(threads).max(1);
        let count = |first: usize| {
            let mut array = self.array.clone();
            let mut correct = 0;
            for number in first..(first + share).min(digits.len()) {
                let (greys, label) = digits.get(number);
                correct += usize::from(largest(&self.scores(&mut array, greys)?) == label);
            }
            Ok(correct)
        };
        thread::scope(|scope| {
            let parts: Vec<_> =
                (0..digits.len()).step_by(share).map(|first| scope.spawn(move || count(first))).collect();
            parts.into_iter().map(|part| part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))).sum()
        })
    }

    /// Minus half the sums of all filters.
    pub(crate) fn convolved(&self, greys: &[u8]) -> Result<Vec<f32>, SimError> {
        self.after(greys, "convolution", self.compiled.sums())
    }

    /// Half the maxima, each in all PEs of its window.
    pub(crate) fn pooled(&self, greys: &[u8]) -> Result<Vec<f32>, SimError> {
        self.after(greys, "max pooling", self.compiled.maxima())
    }

    /// The contents of a register after the parts up to `last`.
    pub(crate) fn after(&self, greys: &[u8], last: &str, reg: Reg) -> Result<Vec<f32>, SimError> {
        let parts = self.compiled.parts();
        let end = parts.iter().position(|part| part.name == last).map_or(0, |last| last + 1);
        let mut array = self.array.clone();
        self.read(&mut array, greys, &parts[..end], &mut [])?;
        Ok(array.read_reg(reg)?.to_vec())
    }

    /// The scores of a picture, on one of these arrays.
    pub(crate) fn scores(&self, array: &mut Array, greys: &[u8]) -> Result<Vec<i32>, SimError> {
        let mut scores = vec![0.0; self.compiled.network().classes()];
        self.read(array, greys, self.compiled.parts(), &mut scores)?;
        #[expect(clippy::cast_possible_truncation, reason = "scores are whole numbers of 32 bits")]
        Ok(scores.into_iter().map(|score| score as i32).collect())
    }

    fn read(&self, array: &mut Array, greys: &[u8], parts: &[Part], scores: &mut [f64]) -> Result<(), SimError> {
        let pixels: Vec<u8> = greys.iter().map(|grey| self.compiled.network().pixels.nearest(*grey)).collect();
        array.load_reg(self.compiled.input(), &self.compiled.seen(&pixels, LEVELS))?;
        carry_out(array, parts.iter().flat_map(|part| &part.steps), &[], &[Place::default()], scores)
    }
}
