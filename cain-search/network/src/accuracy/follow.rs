//! Follows the program of a network with a picture.

use cain_analysis::evaluate::Evaluator;
use cain_analysis::owned::{ReadOut, Step};
use cain_isa::program::{Area, Grid, Held};
use cain_isa::{Bit, ErrorModel, Instruction, Store, compensated_level};

use super::planes::{Size, single};
use super::tape::{Id, Tape, Unsupported};
use crate::compile::{CompiledNetwork, Extent};
use crate::limits::MOST_PIXELS;
use crate::maps::number;

/// The contents before a rectifier or maximum up to which is followed how likely it takes each value, which takes the longer
/// the more there are; later ones take the larger of the expected values.
const MOST_CONTENTS: usize = 2000;

/// What is followed beside expected values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Watch {
    /// How likely random errors turn a comparison.
    Comparisons,
    /// Nothing, which takes less time.
    Nothing,
}

/// A picture on an array, and what a program makes of it.
pub(super) struct Follower<'c> {
    compiled: &'c CompiledNetwork,
    pub(super) tape: Tape<'c>,
    evaluator: Evaluator<Id, Id>,
    /// The north-west corner of the picture.
    corner: (usize, usize),
    /// The numbers that are read without errors, and those that are expected.
    pub(super) exact: Vec<f64>,
    pub(super) expected: Vec<f64>,
    pub(super) reads: Vec<Read>,
}

/// A read-out: the content, and for each number the PEs that count in it, each with the same factor.
pub(super) struct Read {
    pub(super) content: Id,
    first: usize,
    factor: f64,
    is_mean: bool,
    pub(super) places: Vec<Vec<usize>>,
    pub(super) is_analogue: bool,
}

impl<'c> Follower<'c> {
    /// The array with a picture, in black surroundings.
    pub(super) fn new(compiled: &'c CompiledNetwork, model: &'c ErrorModel, picture: &[u8]) -> Self {
        let network = compiled.network();
        let (image, Extent { top, left, bottom, right }) = (network.input, compiled.way());
        // Around a picture that fills an array there is nothing.
        let around = |before: usize, after: usize, length: usize| {
            if before + length + after <= MOST_PIXELS { (before, before + length + after) } else { (0, length) }
        };
        let ((top, height), (left, width)) = (around(top, bottom, image.height), around(left, right, image.width));
        let size = Size { height, width };
        let mut tape = Tape::new(size, model, network.machine.range);
        let mut values = vec![single(image.level(0)); size.pes()];
        let pixels = Grid::new((0, 0), (1, 1), (image.height, image.width));
        for (place, &grey) in size.places(&pixels, (top, left)).zip(picture) {
            values[place] = single(image.level(grey));
        }
        let mut evaluator = Evaluator::default();
        evaluator.cells.give(Store::Reg(compiled.input()), tape.given(values));
        let numbers = compiled.readouts().iter().map(|(_, count)| count).sum();
        Self {
            compiled,
            tape,
            evaluator,
            corner: (top, left),
            exact: vec![0.0; numbers],
            expected: vec![0.0; numbers],
            reads: Vec::new(),
        }
    }

    /// Carries out each stage, and calls `made` after it.
    pub(super) fn run(&mut self, watch: Watch, mut made: impl FnMut(&Self, usize)) -> Result<(), Unsupported> {
        let compiled = self.compiled;
        for (number, stage) in compiled.stages().iter().enumerate() {
            let first = self.tape.nodes.len();
            self.tape.compared = None;
            let makes_bits = stage.held.iter().any(|held| matches!(held, Held::Bit(_)));
            let is_watched = watch == Watch::Comparisons && (makes_bits || first <= MOST_CONTENTS);
            let grid = stage.grids.first().filter(|_| is_watched);
            self.tape.watched = grid.map_or_else(Vec::new, |grid| self.places(grid));
            for step in &stage.steps {
                self.step(step)?;
            }
            made(self, number);
            let cells = self.evaluator.cells.written().filter_map(|store| self.evaluator.cells.get(store));
            let bits = self.evaluator.bits.written().filter_map(|bit| self.evaluator.bits.get(bit));
            let kept: Vec<Id> = cells.chain(bits).copied().collect();
            self.tape.forget_exact(first, &kept);
        }
        Ok(())
    }

    fn step(&mut self, step: &Step) -> Result<(), Unsupported> {
        let Self { tape, evaluator, .. } = self;
        match step {
            Step::Execute(listing) => {
                listing.iter().flat_map(Instruction::words).try_for_each(|word| evaluator.word(tape, word))?;
            }
            Step::Level(level) => {
                let level = tape.level((*level).into(), (*level).into());
                evaluator.cells.give(Store::In, level);
            }
            Step::Compensation { level, errors } => {
                let compensated = compensated_level(*level, errors, tape.model.offset);
                let level = tape.level((*level).into(), compensated.into());
                evaluator.cells.give(Store::In, level);
            }
            Step::Outside(register, grid) => {
                let bits = outside(tape.size, grid, self.corner);
                let bits = tape.given(bits);
                evaluator.bits.give(Bit::Reg(*register), bits);
            }
            Step::Read(read) => self.read(read)?,
            // What is listed is not followed, but for the bits themselves.
            Step::Events(_) => {}
            _ => return Err(Unsupported),
        }
        Ok(())
    }

    fn read(&mut self, read: &ReadOut) -> Result<(), Unsupported> {
        let content = self.content(read.from).ok_or(Unsupported)?;
        let places = self.places(&read.grid);
        let Grid { height, width, .. } = read.grid;
        if places.len() != height * width {
            return Err(Unsupported);
        }
        let places: Vec<Vec<usize>> = match &read.windows {
            None => places.into_iter().map(|place| vec![place]).collect(),
            Some(areas) => {
                let of = |row: usize, area: &Area| places[row * width + area.left..][..area.width].iter().copied();
                let within = |area: &Area| (area.top..area.top + area.height).flat_map(|row| of(row, area)).collect();
                areas.iter().map(within).collect()
            }
        };
        let node = &self.tape.nodes[content];
        let corrected = read.scale_and_shift(self.tape.model.offset);
        let exactly = (&node.exact, &mut self.exact, (read.scale, read.shift));
        for (values, numbers, (scale, shift)) in [exactly, (&node.expected, &mut self.expected, corrected)] {
            for (number_read, places) in numbers.iter_mut().skip(read.first).zip(&places) {
                let sum: f64 = places.iter().map(|&place| f64::from(values[place])).sum();
                let pixels = number(places.len());
                let value = (scale * sum + shift * pixels) / if read.mean { pixels } else { 1.0 };
                *number_read = if read.adds { *number_read + value } else { value };
            }
        }
        let is_analogue = matches!(read.from, Held::Reg(_));
        self.reads.push(Read {
            content,
            first: read.first,
            factor: corrected.0,
            is_mean: read.mean,
            places,
            is_analogue,
        });
        Ok(())
    }

    /// The variance of a sum of numbers that are read, with these weights.
    pub(super) fn variance(&self, weights: &[f64]) -> f64 {
        let conversion = self.tape.model.conversion_variance();
        let mut converted = 0.0;
        let mut all = Vec::new();
        for read in &self.reads {
            let mut plane = vec![0.0; self.tape.size.pes()];
            for (weight, places) in weights.iter().skip(read.first).zip(&read.places) {
                let share = if read.is_mean { number(places.len()) } else { 1.0 };
                for &place in places {
                    plane[place] += single(weight * read.factor / share);
                }
            }
            if read.is_analogue {
                let squares = plane.iter().map(|weight| f64::from(*weight) * f64::from(*weight));
                converted += conversion * squares.sum::<f64>();
            }
            all.push((read.content, plane));
        }
        converted + self.tape.variance(&all)
    }

    /// The PEs of a map's pixels.
    pub(super) fn places(&self, grid: &Grid) -> Vec<usize> {
        self.tape.size.places(grid, self.corner).collect()
    }

    /// What a register holds.
    pub(super) fn content(&self, held: Held) -> Option<Id> {
        match held {
            Held::Reg(reg) => self.evaluator.cells.get(Store::Reg(reg)).copied(),
            Held::Bit(bit) => self.evaluator.bits.get(bit).copied(),
        }
    }
}

/// 1 outside of the rectangle that a grid covers.
fn outside(size: Size, grid: &Grid, corner: (usize, usize)) -> Vec<f32> {
    let covered = |step: usize, count: usize| count.saturating_sub(1) * step + 1;
    let (rows, columns) = (covered(grid.row_step, grid.height), covered(grid.column_step, grid.width));
    let rectangle = Grid::new((grid.top, grid.left), (1, 1), (rows, columns));
    let mut bits = vec![1.0; size.pes()];
    size.places(&rectangle, corner).for_each(|place| bits[place] = 0.0);
    bits
}
