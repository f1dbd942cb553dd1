//! The network, and arrays that carry it out.

use std::num::NonZero;
use std::thread;

use cain_runtime::in_pixel::{class, run};
use cain_runtime::isa::{Bit, Machine, Reg};
use cain_runtime::sim::{Array, ErrorModel, SimError};
use cain_search::in_pixel::{Compiled, Component, Declaration};

use crate::digits::{Digits, SIDE as PICTURE};

const SIDE: usize = 256;
const FILTERS: usize = 64;
/// Values in DN of a pixel of full ink and of one of background, when a picture is taken.
const LEVELS: [f32; 2] = [100.0, -100.0];

/// Filters and dense layer as `training/in_pixel.py` writes them: a line for each filter, then one for each maximum.
const WEIGHTS: &str = include_str!("two_layers.txt");

/// The network of two layers: 64 filters of 4×4 on blocks of 32×32, maxima of 4×4, and ten classes.
pub(crate) fn two_layers() -> Result<Declaration, String> {
    let rows = WEIGHTS.lines().enumerate().map(|(line, letters)| weights(letters).map_err(|error| (line, error)));
    let mut filters: Vec<Vec<i8>> = rows
        .collect::<Result<_, _>>()
        .map_err(|(line, error)| format!("two_layers.txt: line {}: {error}", line + 1))?;
    let dense = filters.split_off(FILTERS.min(filters.len()));
    Ok(Declaration {
        side: SIDE,
        block: 32,
        picture: PICTURE,
        scale: 1,
        pixel_bits: 2,
        taps: 4,
        filters,
        pool: 4,
        dense,
        machine: Machine::SCAMP5,
        interruption: None,
    })
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

/// An array with the weights of a network in its registers.
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

    /// How many digits are read rightly, on all processors.
    pub(crate) fn correct(&self, digits: &Digits) -> Result<usize, SimError> {
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        let share = digits.len().div_ceil(threads).max(1);
        let count = |first: usize| {
            let mut array = self.array.clone();
            let mut correct = 0;
            for number in first..(first + share).min(digits.len()) {
                let (greys, label) = digits.get(number);
                correct += usize::from(class(&self.codes(&mut array, greys)?) == label);
            }
            Ok(correct)
        };
        thread::scope(|scope| {
            let parts: Vec<_> =
                (0..digits.len()).step_by(share).map(|first| scope.spawn(move || count(first))).collect();
            parts.into_iter().map(|part| part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))).sum()
        })
    }

    /// Half the sums of all filters, with the sign turned.
    pub(crate) fn convolved(&self, greys: &[u8]) -> Result<Vec<f32>, SimError> {
        self.after(greys, "convolution", self.compiled.sums())
    }

    /// Half the maxima, each in all PEs of its window.
    pub(crate) fn pooled(&self, greys: &[u8]) -> Result<Vec<f32>, SimError> {
        self.after(greys, "max pooling", self.compiled.maxima())
    }

    /// What a register holds after the parts up to that one have been carried out.
    fn after(&self, greys: &[u8], last: &str, reg: Reg) -> Result<Vec<f32>, SimError> {
        let components = self.compiled.components();
        let end = components.iter().position(|component| component.name == last).map_or(0, |last| last + 1);
        let mut array = self.array.clone();
        self.read(&mut array, greys, &components[..end], &mut [])?;
        Ok(array.read_reg(reg)?.to_vec())
    }

    /// The codes of the sums for a picture, on one of these arrays.
    pub(crate) fn codes(&self, array: &mut Array, greys: &[u8]) -> Result<Vec<u8>, SimError> {
        let mut codes = vec![0; self.compiled.network().classes()];
        self.read(array, greys, self.compiled.components(), &mut codes)?;
        Ok(codes)
    }

    fn read(
        &self,
        array: &mut Array,
        greys: &[u8],
        components: &[Component],
        codes: &mut [u8],
    ) -> Result<(), SimError> {
        let pixels: Vec<u8> = greys.iter().map(|grey| self.compiled.network().pixel(*grey)).collect();
        array.load_reg(self.compiled.input(), &self.compiled.seen(&pixels, LEVELS))?;
        run(array, components.iter().flat_map(|component| &component.program), codes)?;
        Ok(())
    }
}
