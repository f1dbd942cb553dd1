//! Reads nodes that take the largest or the smallest number along an axis.

use std::collections::BTreeSet;

use cain_network::{Padding, Reach};

use super::sums::left;
use super::{Made, Reader};
use crate::axes::{Slice, axis};
use crate::graph::{Fact, Id};
use crate::kind::Kind;
use crate::op::{Each, Op};
use crate::substitutes;

/// The most channels of which the largest is taken, each by a layer of its own.
const MOST: usize = 64;

impl Reader<'_> {
    /// The largest or smallest of the channels of maps, which come first or last, or of a row of numbers.
    pub(super) fn extreme_of_axis(&mut self) -> Result<Id, String> {
        match self.reduced_axes(self.integers(1)?)? {
            Some(axes) => self.extreme_over(axes, self.node.op == "ReduceMax", self.node.int("keepdims", 1) != 0),
            None => self.same().and_then(|same| self.add(same)),
        }
    }

    /// The first number in descending or ascending order, and its place; the first of equals. Numbers are not made if nothing
    /// is `used` of them.
    pub(super) fn first_in_order(&mut self, used: &BTreeSet<&str>) -> Result<Vec<Id>, String> {
        let count = if self.has(1) { self.integers(1)? } else { Some(vec![self.node.int("k", 0)]) };
        if count.as_deref() != Some(&[1]) {
            return Err(substitutes::none(&self.node.op));
        }
        self.number_kind()?;
        let (input, mut dims) = (self.id(0)?, self.dims(0)?.to_vec());
        let axis = axis(self.node.int("axis", -1), dims.len())?;
        let is_max = self.node.int("largest", 1) != 0;
        let turned = if is_max { input } else { self.step(input, Op::Each(Each::Neg), dims.clone())? };
        dims.iter_mut().skip(axis).take(1).for_each(|size| *size = 1);
        let fact = Fact { kind: Kind::INDEX, dims };
        let is_used = |output: &String| used.contains(output.as_str());
        let number = if self.node.outputs.first().is_some_and(is_used) {
            self.extreme_over(vec![axis], is_max, true)?
        } else {
            input
        };
        let place = if self.node.outputs.get(1).is_some_and(is_used) {
            self.add(Made::New(Op::ArgMax { axis }, vec![turned], fact))?
        } else {
            number
        };
        Ok(vec![number, place])
    }

    /// The largest or smallest numbers over axes.
    fn extreme_over(&mut self, mut axes: Vec<usize>, is_max: bool, keeps: bool) -> Result<Id, String> {
        self.number_kind()?;
        let (input, dims) = (self.id(0)?, self.dims(0)?.to_vec());
        let none = || substitutes::none(&self.node.op);
        axes.sort_unstable();
        let is_few = |axis: usize| dims.get(axis).is_some_and(|size| (1..=MOST).contains(size));
        let most = match (dims.len(), axes.as_slice()) {
            (4, &[axis @ (1 | 3)]) if is_few(axis) => self.largest_part(input, axis, is_max)?,
            (4, [1, 2, 3] | [0, 1, 2, 3]) if is_few(1) => {
                let channel = self.largest_part(input, 1, is_max)?;
                self.largest_of_map(channel, is_max)?
            }
            (4, [2, 3]) => self.largest_of_map(input, is_max)?,
            (4, [1, 2]) => {
                let &[pictures, height, width, channels] = dims.as_slice() else { return Err(none()) };
                let order = vec![0, 3, 1, 2];
                let maps = self.step(input, Op::Transpose { order }, vec![pictures, channels, height, width])?;
                self.largest_of_map(maps, is_max)?
            }
            (3, [2]) => {
                let maps = self.pixels_in_rows(input).ok_or_else(none)?;
                self.largest_of_map(maps, is_max)?
            }
            (2, [1]) if dims.get(1) > Some(&0) => self.largest_half(input, is_max)?,
            _ => return Err(none()),
        };
        let left = left(&dims, &axes, keeps);
        if self.fact_of(most)?.dims == left {
            return if most == input { self.add(Made::Same(most)) } else { Ok(most) };
        }
        self.step(most, Op::Reshape, left)
    }

    /// The maps of which each is a row of numbers.
    fn pixels_in_rows(&self, rows: Id) -> Option<Id> {
        let node = self.graph.node(rows)?;
        let maps = *node.inputs.first().filter(|_| matches!(*node.op, Op::Reshape))?;
        match (self.graph.node(maps)?.fact.dims.as_slice(), node.fact.dims.as_slice()) {
            (&[1, channels, _, _], &[1, rows, _]) if channels == rows => Some(maps),
            _ => None,
        }
    }

    /// The largest or smallest number of each map.
    fn largest_of_map(&mut self, maps: Id, is_max: bool) -> Result<Id, String> {
        let dims = self.fact_of(maps)?.dims;
        let &[_, channels, height, width] = dims.as_slice() else { return Err(substitutes::none(&self.node.op)) };
        let reach = Reach { size: (height, width), stride: (1, 1), dilation: (1, 1), padding: Padding::NONE };
        let made = vec![1, channels, 1, 1];
        let turned = if is_max { maps } else { self.step(maps, Op::Each(Each::Neg), dims)? };
        let most = self.step(turned, Op::MaxPool(reach), made.clone())?;
        if is_max { Ok(most) } else { self.step(most, Op::Each(Each::Neg), made) }
    }

    /// The largest or smallest of all parts of size 1 along an axis.
    fn largest_part(&mut self, input: Id, axis: usize, is_max: bool) -> Result<Id, String> {
        let mut fact = self.fact_of(input)?;
        let size = fact.dims.get(axis).copied().unwrap_or_default();
        let parts = (0..size).map(|start| self.part(input, Slice { axis, start, step: 1, count: 1 }));
        let parts: Vec<Id> = parts.collect::<Result<_, _>>()?;
        fact.dims.iter_mut().skip(axis).take(1).for_each(|size| *size = 1);
        if let [only] = *parts.as_slice() { Ok(only) } else { self.add(Made::New(Op::Extreme { is_max }, parts, fact)) }
    }

    /// The largest or smallest number of a row: that of its two halves at each place, until there is only one.
    fn largest_half(&mut self, mut row: Id, is_max: bool) -> Result<Id, String> {
        loop {
            let mut fact = self.fact_of(row)?;
            let size = fact.dims.get(1).copied().unwrap_or_default();
            let half = size / 2;
            if half == 0 {
                return Ok(row);
            }
            let slice = |start: usize, count: usize| Slice { axis: 1, start, step: 1, count };
            let halves = vec![self.part(row, slice(0, half))?, self.part(row, slice(half, half))?];
            let rest = if size.is_multiple_of(2) { None } else { Some(self.part(row, slice(size - 1, 1))?) };
            fact.dims.iter_mut().skip(1).for_each(|size| *size = half);
            row = self.add(Made::New(Op::Extreme { is_max }, halves, fact.clone()))?;
            if let Some(rest) = rest {
                fact.dims.iter_mut().skip(1).for_each(|size| *size = half + 1);
                row = self.add(Made::New(Op::Concat { axis: 1 }, vec![row, rest], fact))?;
            }
        }
    }

    fn part(&mut self, input: Id, slice: Slice) -> Result<Id, String> {
        let mut dims = self.fact_of(input)?.dims;
        let along = dims.get_mut(slice.axis).ok_or("takes parts along no axis")?;
        if *along == slice.count {
            return Ok(input);
        }
        *along = slice.count;
        self.step(input, Op::Slice(vec![slice]), dims)
    }
}
