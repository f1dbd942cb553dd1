//! Reads nodes that only move numbers.

use super::{Made, Reader};
use crate::axes::{self, Slice};
use crate::graph::{Fact, Id};
use crate::op::Op;
use crate::substitutes;
use crate::tensor::{MOST, Tensor, count};

impl Reader<'_> {
    pub(super) fn slice(&self) -> Result<Made, String> {
        let takes_first = self.takes_first()?;
        let dims = self.dims(0)?;
        let mut slices = self.slices(dims)?;
        let mut sizes = dims.to_vec();
        for slice in &slices {
            if let Some(size) = sizes.get_mut(slice.axis) {
                *size = slice.count;
            }
        }
        if sizes.contains(&0) && self.graph.constant(self.id(0)?).is_none() {
            return Err("the slice is empty".to_owned());
        }
        slices.retain(|slice| dims.get(slice.axis) != Some(&slice.count) || slice.step < 0);
        match slices.is_empty() {
            true if takes_first => self.alike(Op::Reshape, sizes),
            true => self.same(),
            false => self.alike(Op::Slice(slices), sizes),
        }
    }

    /// Whole numbers from the first to before the last, in steps.
    pub(super) fn numbered(&self) -> Result<Made, String> {
        let none = || substitutes::none(&self.node.op);
        let mut whole = [0; 3];
        for (input, whole) in whole.iter_mut().enumerate() {
            let given = self.constant(input).map_err(|_| none())?.ok_or_else(none)?;
            let number = given.single().ok_or_else(none)?;
            *whole =
                given.integers().first().copied().filter(|found| Tensor::integer(*found) == number).ok_or_else(none)?;
        }
        let [first, last, step] = whole;
        let way = if step < 0 { first.saturating_sub(last) } else { last.saturating_sub(first) };
        if step == 0 {
            return Err("counts in steps of 0".to_owned());
        }
        let count = way.max(0).unsigned_abs().div_ceil(step.unsigned_abs());
        if usize::try_from(count).is_ok_and(|count| count <= MOST) {
            let numbers = (0..count.cast_signed()).map(|place| Tensor::integer(first + place * step)).collect();
            let kind = self.fact_of(self.id(0)?)?.kind;
            return Ok(super::constant(Tensor::list(kind, numbers)));
        }
        Err(format!("counts {count} numbers; at most {MOST} are possible"))
    }

    /// The slices of a node along each of its axes, of numbers with these sizes.
    pub(super) fn slices(&self, dims: &[usize]) -> Result<Vec<Slice>, String> {
        let given = [self.constant(1)?, self.constant(2)?, self.constant(3)?, self.constant(4)?];
        axes::slices(self.node, given.each_ref().map(Option::as_deref), dims)
    }

    /// The parts that a node `Split` makes: of sizes that are an attribute or an input, or else of equal sizes.
    pub(super) fn parts(&self) -> Result<Vec<Made>, String> {
        let dims = self.dims(0)?;
        let axis = axes::axis(self.node.int("axis", 0), dims.len())?;
        let size = dims.get(axis).copied().unwrap_or(0);
        let count = self.node.outputs.len().max(1);
        let given = self.integers(1)?.or_else(|| self.node.ints("split").map(<[i64]>::to_vec));
        let sizes: Vec<usize> = if let Some(given) = given {
            given.iter().map(|size| usize::try_from(*size).unwrap_or(usize::MAX)).collect()
        } else {
            // The last part may be smaller.
            let most = size.div_ceil(count);
            (0..count).map(|part| size.saturating_sub(part * most).min(most)).collect()
        };
        if sizes.iter().try_fold(0_usize, |sum, size| sum.checked_add(*size)) != Some(size) || sizes.len() != count {
            return Err(format!("splits {size} into {count} parts of the sizes {sizes:?}"));
        }
        if sizes.contains(&0) {
            return Err("a part is empty".to_owned());
        }
        let mut start = 0;
        let mut parts = Vec::new();
        for count in sizes {
            let mut part = dims.to_vec();
            if let Some(size) = part.get_mut(axis) {
                *size = count;
            }
            parts.push(if count == size {
                self.same()?
            } else {
                self.alike(Op::Slice(vec![Slice { axis, start, step: 1, count }]), part)?
            });
            start += count;
        }
        Ok(parts)
    }

    pub(super) fn concatenation(&self) -> Result<Made, String> {
        let ids: Vec<Id> = (0..self.node.inputs.len()).map(|input| self.id(input)).collect::<Result<_, _>>()?;
        let first = self.fact(0)?.clone();
        let axis = axes::axis(self.node.int("axis", 1), first.dims.len())?;
        let mut sizes = first.dims.clone();
        let mut total = 0;
        for input in 0..ids.len() {
            let fact = self.fact(input)?;
            let is_same = |(i, (size, first)): (usize, (&usize, &usize))| i == axis || size == first;
            if fact.kind != first.kind {
                return Err(format!("puts {} and {} together; add a cast", first.kind, fact.kind));
            }
            let has_rank = fact.dims.len() == first.dims.len();
            if !has_rank || !fact.dims.iter().zip(&first.dims).enumerate().all(is_same) {
                return Err(format!("puts the sizes {:?} and {:?} together along axis {axis}", first.dims, fact.dims));
            }
            total += fact.dims.get(axis).copied().unwrap_or(0);
        }
        if let Some(size) = sizes.get_mut(axis) {
            *size = total;
        }
        match *ids.as_slice() {
            [only] => Ok(Made::Same(only)),
            _ => Ok(Made::New(Op::Concat { axis }, ids, Fact { kind: first.kind, dims: sizes })),
        }
    }

    pub(super) fn transposition(&self) -> Result<Made, String> {
        let dims = self.dims(0)?;
        let order = axes::permutation(self.node, dims.len())?;
        if order.iter().enumerate().all(|(place, axis)| place == *axis) {
            return self.same();
        }
        let sizes = order.iter().filter_map(|axis| dims.get(*axis).copied()).collect();
        self.alike(Op::Transpose { order }, sizes)
    }

    /// The second input of a change of sizes: the sizes themselves, or axes.
    fn new_sizes(&self) -> Result<Option<Vec<i64>>, String> {
        if self.node.op == "Reshape" { self.sizes(1) } else { self.integers(1) }
    }

    pub(super) fn reshape(&self) -> Result<Made, String> {
        let dims = self.dims(0)?;
        let to = axes::reshaped(self.node, dims, self.new_sizes()?)?;
        if count(&to) != count(dims) {
            let numbers = count(dims).unwrap_or(0);
            return Err(format!("{numbers} numbers do not fit the sizes {to:?}"));
        }
        if to == dims && self.keeps_batch()? {
            return self.same();
        }
        self.alike(Op::Reshape, to)
    }

    /// Takes places along an axis, which stand in an array of any sizes.
    pub(super) fn gathered(&mut self) -> Result<Id, String> {
        let (input, dims) = (self.id(0)?, self.dims(0)?.to_vec());
        let Some(listed) = self.graph.constant(self.id(1)?).cloned() else {
            return Err(substitutes::none("Gather"));
        };
        let axis = axes::axis(self.node.int("axis", 0), dims.len())?;
        self.check_gathered(axis, &listed)?;
        let (before, behind) = dims.split_at(axis);
        let (size, behind) = behind.split_first().ok_or("takes places of a single number")?;
        let place = |place: &i64| {
            axes::axis(*place, *size).map_err(|_| format!("takes place {place} along axis {axis}, which has {size}"))
        };
        let places: Vec<usize> = listed.integers().iter().map(place).collect::<Result<_, _>>()?;
        if places.is_empty() && self.graph.constant(input).is_none() {
            return Err("takes no places".to_owned());
        }
        let taken = [before, &[places.len()], behind].concat();
        let made = [before, &listed.dims, behind].concat();
        let id = match Slice::through(axis, &places) {
            Some(slice) if slice.count == *size => input,
            Some(slice) => self.step(input, Op::Slice(vec![slice]), taken.clone())?,
            None => self.step(input, Op::Take { axis, places }, taken.clone())?,
        };
        match (made == taken, id == input) {
            (false, _) => self.step(id, Op::Reshape, made),
            (true, true) => self.add(Made::Same(id)),
            (true, false) => Ok(id),
        }
    }
}
