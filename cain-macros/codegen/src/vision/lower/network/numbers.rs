//! Read-outs of maps, and layers on the controller, whose numbers are whole.

use cain_isa::program::Grid;
use cain_network::{Integers, Operation as Layer, Window};
use cain_vision::declaration::{Arithmetic, Comparison, Number, Operation};
use proc_macro2::Span;

use super::super::numbers::{arithmetic, choice, comparison};
use super::super::thing::Thing;
use super::super::{Lowering, Made};
use super::channel::{Channel, Held, entry};
use super::{Call, Layered};

/// What sums on the controller stay below: it calculates exactly up to 2^53.
const LIMIT: f64 = 1e15;
/// How many summands have a number of their own.
const CHUNK: usize = 16;
/// The parts of numbers that need not be whole, as they are told.
const PARTS: f64 = 1000.0;

/// A number of the network: a whole number of the controller times `scale`, plus `shift`.
#[derive(Clone)]
pub(super) struct Entry {
    number: Number,
    scale: f64,
    shift: f64,
    /// Whether it is always whole: a count, or what whole weights make of counts.
    is_whole: bool,
}

impl Lowering<'_> {
    /// What is read of maps.
    pub(super) fn read_of_maps(&mut self, call: &Call<'_>, layer: &Layer, maps: &[Channel]) -> Made<Vec<Entry>> {
        let mut entries = Vec::new();
        for channel in maps {
            let (windows, mean) = match layer {
                Layer::Windows { windows, mean } => (windows.clone(), *mean),
                _ => (Window::tiles((channel.grid.height, channel.grid.width), (1, 1)), false),
            };
            self.spend(windows.len(), call.at)?;
            let (of, scale, shift, is_whole) = match &channel.held {
                Held::Levels(level) => {
                    let scale = level.scale.to_f64().recip();
                    (level.of, scale, -level.zero * scale, false)
                }
                Held::Bits(bits, (zero, one)) => {
                    let is_whole = [zero, one].iter().all(|number| number.fract() == 0.0);
                    (self.bit(bits.clone(), call.at)?, one - zero, *zero, is_whole && !mean)
                }
            };
            for window in windows {
                let number = Number::Value(self.define(Operation::Read(of, part(channel.grid, window)), call.at)?);
                let area = real(window.area());
                let count = if mean { area } else { 1.0 };
                entries.push(Entry { number, scale: scale / count, shift: shift * area / count, is_whole });
            }
        }
        Ok(entries)
    }

    /// What a layer on the controller makes of numbers.
    pub(super) fn of_numbers(&mut self, call: &Call<'_>, layer: &Layer, numbers: Vec<Entry>) -> Made<Layered> {
        Ok(match layer {
            Layer::Dense { weights, bias, bits } => Layered::Numbers(self.dense(call, &numbers, weights, bias, *bits)?),
            Layer::Affine { scale, shift } => {
                let scaled = |(i, of): (usize, Entry)| {
                    let (factor, summand) = (entry(scale, i).to_f64(), entry(shift, i));
                    let is_whole = of.is_whole && factor.fract() == 0.0 && summand.fract() == 0.0;
                    let shift = of.shift.mul_add(factor, summand);
                    Entry { scale: of.scale * factor, shift, is_whole, ..of }
                };
                Layered::Numbers(numbers.into_iter().enumerate().map(scaled).collect())
            }
            Layer::Rectify => {
                let zero = |entry: &Entry| entry.scale == 0.0;
                let mut made = Vec::new();
                for entry in self.common(call, numbers)? {
                    let number = if zero(&entry) {
                        Number::Constant(0)
                    } else {
                        arithmetic(Arithmetic::Max, entry.number, Number::Constant(0))
                    };
                    made.push(Entry { number: self.one_number(number, call.at)?, ..entry });
                }
                Layered::Numbers(made)
            }
            Layer::Argmax => {
                let numbers = self.common(call, numbers)?;
                let mut all = (0..).zip(numbers);
                let Some((_, first)) = all.next() else { return Err(self.refused(call, "it reads nothing")) };
                let (mut largest, mut place) = (first.number, Number::Constant(0));
                for (other, entry) in all {
                    let is_larger = comparison(Comparison::Less, largest.clone(), entry.number.clone());
                    let is_larger = self.one_number(is_larger, call.at)?;
                    let best = choice(is_larger.clone(), Number::Constant(other), place);
                    place = self.one_number(best, call.at)?;
                    let best = arithmetic(Arithmetic::Max, largest, entry.number);
                    largest = self.one_number(best, call.at)?;
                }
                Layered::Class(Entry { number: place, scale: 1.0, shift: 0.0, is_whole: true })
            }
            Layer::Join => Layered::Numbers(numbers),
            Layer::Softmax => {
                let reason = "the controller of a program has no exponentials; leave it out: the largest of the numbers \
                              before it is the same";
                return Err(self.refused(call, reason));
            }
            _ => return Err(self.refused(call, "it reads numbers of the controller")),
        })
    }

    fn dense(
        &mut self,
        call: &Call<'_>,
        numbers: &[Entry],
        weights: &[Vec<f64>],
        bias: &[f64],
        bits: u32,
    ) -> Made<Vec<Entry>> {
        let scaled: Vec<Vec<f64>> = weights
            .iter()
            .map(|row| row.iter().zip(numbers).map(|(weight, entry)| weight * entry.scale).collect())
            .collect();
        let Integers { weights: whole, scale } = integers(&scaled, bits);
        // Numbers are halved until no sum is too large.
        let mut most = 0.0_f64;
        for row in &whole {
            let mut sum = 0.0;
            for (weight, entry) in row.iter().zip(numbers) {
                sum += f64::from(weight.abs()) * self.magnitude(&entry.number, call.at)?;
            }
            most = most.max(sum);
        }
        let halvings = (0..=62).find(|halvings| most / f64::from(*halvings).exp2() <= LIMIT).unwrap_or(62);
        let mut read = Vec::new();
        for entry in numbers {
            read.push(self.halved_number(&entry.number, halvings, call.at)?);
        }
        let unit = scale * f64::from(halvings).exp2();
        let mut made = Vec::new();
        for ((row, whole), bias) in weights.iter().zip(&whole).zip(bias) {
            self.spend(row.len(), call.at)?;
            let shift: f64 = row.iter().zip(numbers).map(|(weight, entry)| weight * entry.shift).sum();
            let summand = whole_number((shift + bias) / unit);
            let terms: Vec<Number> = whole
                .iter()
                .zip(&read)
                .filter(|(weight, _)| **weight != 0)
                .map(|(weight, number)| {
                    arithmetic(Arithmetic::Multiply, number.clone(), Number::Constant((*weight).into()))
                })
                .collect();
            let mut sum = Number::Constant(summand);
            for chunk in terms.chunks(CHUNK) {
                for term in chunk {
                    sum = arithmetic(Arithmetic::Add, sum, term.clone());
                }
                sum = self.one_number(sum, call.at)?;
            }
            let is_whole = row
                .iter()
                .zip(numbers)
                .all(|(weight, entry)| *weight == 0.0 || weight.fract() == 0.0 && entry.is_whole);
            made.push(Entry { number: sum, scale: unit, shift: 0.0, is_whole: is_whole && bias.fract() == 0.0 });
        }
        Ok(made)
    }

    /// Numbers with one scale and without a shift.
    fn common(&mut self, call: &Call<'_>, numbers: Vec<Entry>) -> Made<Vec<Entry>> {
        let first = numbers.first().map_or(1.0, |entry| entry.scale);
        if first > 0.0 && numbers.iter().all(|entry| entry.scale.total_cmp(&first).is_eq() && entry.shift == 0.0) {
            return Ok(numbers);
        }
        let count = numbers.len();
        let row = |i: usize| (0..count).map(|j| if i == j { 1.0 } else { 0.0 }).collect();
        let weights: Vec<Vec<f64>> = (0..count).map(row).collect();
        self.dense(call, &numbers, &weights, &vec![0.0; count], 16)
    }

    /// The numbers of a head as they are told: themselves if all are always whole, else in thousandths.
    pub(super) fn told(&mut self, entries: &[Entry], at: Span) -> Made<Vec<Thing>> {
        let parts = if entries.iter().all(|entry| entry.is_whole) { 1.0 } else { PARTS };
        entries.iter().map(|entry| self.in_parts(entry, parts, at).map(Thing::Number)).collect()
    }

    /// So many parts of a number, rounded.
    pub(super) fn in_parts(&mut self, entry: &Entry, parts: f64, at: Span) -> Made<Number> {
        let (factor, shift) = (entry.scale * parts, entry.shift * parts);
        let most = self.magnitude(&entry.number, at)? * factor.abs();
        // Binary digits behind the point.
        let is_enough = |digits: &i32| {
            let one = f64::from(*digits).exp2();
            let is_exact = [factor, shift].iter().all(|number| (number * one).fract() == 0.0);
            is_exact || most * one * 2.0 > LIMIT
        };
        let digits = (0..40).find(is_enough).unwrap_or(40);
        let one = f64::from(digits).exp2();
        let product = Number::Constant(whole_number(factor * one));
        let product = arithmetic(Arithmetic::Multiply, entry.number.clone(), product);
        let half = if digits == 0 { 0.0 } else { one / 2.0 };
        let sum = Number::Constant(whole_number(shift.mul_add(one, half)));
        let sum = arithmetic(Arithmetic::Add, product, sum);
        self.one_number(arithmetic(Arithmetic::Divide, sum, Number::Constant(whole_number(one))), at)
    }

    /// The nearest whole number to a part of one.
    fn halved_number(&mut self, number: &Number, halvings: i32, at: Span) -> Made<Number> {
        if halvings == 0 {
            return Ok(number.clone());
        }
        let one = 1_i64 << halvings;
        let sum = arithmetic(Arithmetic::Add, number.clone(), Number::Constant(one / 2));
        self.one_number(arithmetic(Arithmetic::Divide, sum, Number::Constant(one)), at)
    }

    /// The largest magnitude that a number can have.
    fn magnitude(&mut self, number: &Number, at: Span) -> Made<f64> {
        let range = self.builder.range(number);
        let (low, high) = self.built(range, at)?;
        Ok(real_number(low).abs().max(real_number(high).abs()))
    }

    fn one_number(&mut self, number: Number, at: Span) -> Made<Number> {
        match number {
            Number::Constant(_) => Ok(number),
            number => self.number_value(number, at).map(Number::Value),
        }
    }
}

/// Weights as they are, if they have few digits in the binary system; else the nearest integers with a common scale.
fn integers(weights: &[Vec<f64>], bits: u32) -> Integers {
    let most = f64::from((1_i32 << 15) - 1);
    let exact = (0..=30).map(|digits: i32| f64::from(digits).exp2()).find(|factor| {
        let mut scaled = weights.iter().flatten().map(|weight| weight * factor);
        scaled.all(|weight| weight.fract() == 0.0 && weight.abs() <= most)
    });
    match exact {
        Some(factor) => {
            #[expect(clippy::cast_possible_truncation, reason = "whole and small")]
            let whole = |weight: &f64| (weight * factor) as i32;
            let weights = weights.iter().map(|row| row.iter().map(whole).collect()).collect();
            Integers { weights, scale: factor.recip() }
        }
        None => Integers::new(weights, bits),
    }
}

/// The PEs of a window of a map.
fn part(grid: Grid, window: Window) -> Grid {
    Grid {
        top: grid.top + (window.top * grid.row_step).cast_signed(),
        left: grid.left + (window.left * grid.column_step).cast_signed(),
        height: window.height,
        width: window.width,
        ..grid
    }
}

#[expect(clippy::cast_possible_truncation, reason = "saturates")]
fn whole_number(number: f64) -> i64 {
    number.round() as i64
}

#[expect(clippy::cast_precision_loss, reason = "a bound")]
fn real_number(number: i64) -> f64 {
    number as f64
}

#[expect(clippy::cast_precision_loss, reason = "a map has fewer pixels than 2^53")]
fn real(count: usize) -> f64 {
    count as f64
}
