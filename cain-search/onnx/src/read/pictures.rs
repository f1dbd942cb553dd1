//! Keeps the pictures of a batch apart in what nodes make.

use std::rc::Rc;

use super::Reader;
use super::batch::{Place, SEVERAL};
use crate::axes;
use crate::evaluate::evaluate;
use crate::graph::{Fact, Id};
use crate::op::Op;
use crate::tensor::Tensor;

impl Reader<'_> {
    /// The sizes of an input for all pictures of a batch.
    fn dims_of_batch(&self, input: usize) -> Result<Option<Vec<usize>>, String> {
        let (id, mut dims) = (self.id(input)?, self.dims(input)?.to_vec());
        let Some((axis, pictures)) = self.batch.axis(id).zip(self.batch.pictures) else { return Ok(None) };
        dims.iter_mut().skip(axis).take(1).for_each(|size| *size = pictures);
        Ok(Some(dims))
    }

    /// Sizes that a node reads, with 1 in place of the fixed number of pictures in front.
    pub(super) fn sizes(&self, input: usize) -> Result<Option<Vec<i64>>, String> {
        let Some(mut sizes) = self.integers(input)? else { return Ok(None) };
        let is_all = |size: i64| usize::try_from(size).is_ok() && usize::try_from(size).ok() == self.batch.pictures;
        if self.keeps_first_axis(&sizes, input)? && sizes.first().is_some_and(|size| is_all(*size)) {
            sizes.iter_mut().take(1).for_each(|size| *size = 1);
        }
        Ok(Some(sizes))
    }

    /// Whether a node that changes no sizes of one picture changes none of a batch either.
    pub(super) fn keeps_batch(&self) -> Result<bool, String> {
        let Some(sizes) = (if self.node.op == "Reshape" { self.integers(1)? } else { None }) else { return Ok(true) };
        Ok(self.batch.axis(self.id(0)?).is_none() || self.keeps_first_axis(&sizes, 1)?)
    }

    /// Whether new sizes, in an input, have the pictures of a batch in front, as the numbers that are reshaped have.
    fn keeps_first_axis(&self, sizes: &[i64], input: usize) -> Result<bool, String> {
        let first = sizes.first().copied();
        let is_in_front = self.batch.axis(self.id(0)?) == Some(0);
        let pictures = self.batch.pictures.and_then(|pictures| i64::try_from(pictures).ok());
        Ok(is_in_front
            && match self.batch.counted.get(&self.id(input)?) {
                Some(counted) => {
                    let counted = counted.integers();
                    let is_rest = counted.iter().skip(1).eq(sizes.iter().skip(1));
                    is_rest && (counted.first() == pictures.as_ref() || matches!(first, Some(0 | -1)))
                }
                None => matches!(first, Some(0 | -1)) || !self.batch.is_open && first == pictures,
            })
    }

    /// Refuses a part of the pictures of a batch; whether a model for any number of them takes the first one.
    pub(super) fn takes_first(&self) -> Result<bool, String> {
        let Some(dims) = self.dims_of_batch(0)? else { return Ok(false) };
        let slices = self.slices(&dims)?;
        let axis = self.batch.axis(self.id(0)?);
        let is_part = |slice: &&axes::Slice| {
            Some(slice.axis) == axis && (dims.get(slice.axis) != Some(&slice.count) || slice.step < 0)
        };
        match slices.iter().find(is_part) {
            None => Ok(false),
            Some(part) if self.batch.is_open && (part.start, part.count) == (0, 1) => Ok(true),
            Some(_) => Err(SEVERAL.to_owned()),
        }
    }

    /// Refuses places among the pictures of a batch, unless a model for any number of them takes one of them.
    pub(super) fn check_gathered(&self, axis: usize, listed: &Tensor) -> Result<(), String> {
        let is_one = self.batch.is_open && listed.dims.is_empty();
        if self.batch.axis(self.id(0)?) == Some(axis) && !is_one { Err(SEVERAL.to_owned()) } else { Ok(()) }
    }

    /// Refuses a node that calculates with the number of pictures.
    pub(super) fn check_counted(&self, made: &[Id]) -> Result<(), String> {
        let are_sizes = matches!(self.node.op.as_str(), "Reshape" | "Expand" | "ConstantOfShape" | "Shape" | "Size");
        let is_counted = |input: usize| self.id(input).is_ok_and(|id| self.batch.counted.contains_key(&id));
        let mut results = made.iter();
        if !are_sizes
            && results.any(|id| self.graph.constant(*id).is_none())
            && (0..self.node.inputs.len()).any(is_counted)
        {
            return Err("calculates with the number of pictures of a batch; export the model for one".to_owned());
        }
        Ok(())
    }

    /// A constant as it would be for all pictures of a batch, if it were another one.
    pub(super) fn counted(&self, op: &Op, inputs: &[Id], fact: &Fact, one: &Tensor) -> Result<Option<Tensor>, String> {
        if let ("Shape" | "Size", Some(dims)) = (self.node.op.as_str(), self.dims_of_batch(0).ok().flatten()) {
            let all = match self.node.op.as_str() {
                "Shape" => axes::shape(self.node, &dims),
                _ => Tensor { values: vec![axes::number(dims.iter().product())], ..one.clone() },
            };
            return Ok((all != *one).then_some(all));
        }
        if !inputs.iter().any(|id| self.batch.counted.contains_key(id)) {
            return Ok(None);
        }
        let of = |id: &Id| self.batch.counted.get(id).or_else(|| self.graph.constant(*id)).cloned();
        let inputs: Option<Vec<_>> = inputs.iter().map(of).collect();
        let all = inputs.and_then(|inputs| evaluate(op, fact, &inputs)).transpose()?;
        Ok(all.filter(|all| all.values != one.values))
    }

    pub(super) fn note_counted(&mut self, id: Id, all: Tensor) {
        self.batch.counted.insert(id, Rc::new(all));
    }

    /// Notes where the pictures of a batch are in a new value.
    pub(super) fn note_place(&mut self, id: Id, place: Option<Place>) {
        if let Some(place) = place {
            self.batch.places.insert(id, place);
        }
    }

    /// Where the pictures of a batch are in what a node makes; fails if it combines them.
    pub(super) fn place(&self, op: &Op, inputs: &[Id], fact: &Fact) -> Result<Option<Place>, String> {
        if self.batch.pictures.is_none() {
            return Ok(None);
        }
        let several = || SEVERAL.to_owned();
        let rank = |id: &Id| self.graph.node(*id).map_or(0, |node| node.fact.dims.len());
        let is_aligned = matches!(op, Op::Pair(_) | Op::Extreme { .. } | Op::Where);
        let all = inputs.iter().filter_map(|id| Some((id, *self.batch.places.get(id)?)));
        let mut all = all.map(|(id, place)| match place {
            Place::Along(axis) if is_aligned => Place::Along(axis + fact.dims.len().saturating_sub(rank(id))),
            place => place,
        });
        let Some(mut from) = all.next() else { return Ok(None) };
        for other in all {
            from = match (from, other) {
                (Place::Along(axis), Place::Along(other)) if axis != other => return Err(several()),
                (Place::Along(_), Place::Taken | Place::Added) | (Place::Taken | Place::Added, Place::Along(_)) => {
                    if is_aligned {
                        return Err(several());
                    }
                    // Only one picture fits both.
                    Place::Single
                }
                (Place::Along(_) | Place::Added, _) | (Place::Taken, Place::Single | Place::Taken) => from,
                (Place::Taken, Place::Added) => other,
                (Place::Single, other) => other,
            };
        }
        let Place::Along(axis) = from else { return Ok(Some(from)) };
        let rank = inputs.first().map_or(0, rank);
        let place = self.moved(op, axis, rank, fact)?.ok_or_else(several)?;
        let has_one = |axis: usize| fact.dims.get(axis) == Some(&1);
        match place {
            Place::Along(axis) if has_one(axis) => Ok(Some(place)),
            _ if !self.batch.is_open => Err(several()),
            Place::Along(_) => Ok(Some(Place::Single)),
            place => Ok(Some(place)),
        }
    }

    /// Where an axis is behind a node; `None` if the node combines the numbers along it.
    fn moved(&self, op: &Op, axis: usize, rank: usize, fact: &Fact) -> Result<Option<Place>, String> {
        let unless = |combines: bool| (!combines).then_some(Place::Along(axis));
        Ok(match op {
            Op::Reduce { axes, keeps, .. } => {
                let before = axes.iter().filter(|other| **other < axis && !keeps).count();
                let added = self.batch.is_open.then_some(Place::Added);
                if axes.contains(&axis) { added } else { Some(Place::Along(axis - before)) }
            }
            Op::Slice(_) | Op::Reshape if self.node.op == "Slice" && self.takes_first()? => Some(Place::Taken),
            Op::Slice(slices) => unless(slices.iter().any(|slice| slice.axis == axis)),
            Op::Take { axis: along, .. } | Op::Concat { axis: along } => unless(*along == axis),
            Op::Softmax { axis: from, is_to_end, .. } => unless(*from == axis || *is_to_end && *from < axis),
            Op::ArgMax { axis: along } => {
                let before = usize::from(*along < axis && fact.dims.len() < rank);
                (*along != axis).then_some(Place::Along(axis - before))
            }
            Op::Transpose { order } => order.iter().position(|from| *from == axis).map(Place::Along),
            Op::Dense(dense) if dense.reads_transposed => (axis == 1).then_some(Place::Along(0)),
            Op::Dense(_) => (axis + 1 < rank).then_some(Place::Along(axis + fact.dims.len().saturating_sub(rank))),
            Op::Convolution(_)
            | Op::MaxPool(_)
            | Op::MeanPool { .. }
            | Op::Pad(_)
            | Op::Surrounded { .. }
            | Op::Phases(_) => unless(axis != 0),
            Op::Around { sides, .. } => unless(sides.get(axis) != Some(&(0, 0))),
            Op::Reshape => Some(self.behind_sizes(axis, rank, fact)?),
            _ => Some(Place::Along(axis)),
        })
    }

    /// Where an axis is behind a change of sizes.
    fn behind_sizes(&self, axis: usize, rank: usize, fact: &Fact) -> Result<Place, String> {
        let given = || Ok::<_, String>(self.integers(1)?.or_else(|| self.node.ints("axes").map(<[i64]>::to_vec)));
        let kept = |is_kept: bool| if is_kept { Place::Along(axis) } else { Place::Single };
        Ok(match self.node.op.as_str() {
            "Flatten" => {
                let to = self.node.int("axis", 1);
                let is_all = to == 0 || axes::axis(to, rank) == Ok(0);
                kept(axis == 0 && !is_all)
            }
            "Squeeze" => match given()? {
                None => Place::Single,
                Some(list) => {
                    let list = axes::axes(&list, rank)?;
                    let before = list.iter().filter(|other| **other < axis).count();
                    if list.contains(&axis) { Place::Single } else { Place::Along(axis - before) }
                }
            },
            "Unsqueeze" => {
                let new = axes::axes(&given()?.unwrap_or_default(), fact.dims.len())?;
                let old = (0..fact.dims.len()).filter(|place| !new.contains(place)).nth(axis);
                old.map_or(Place::Single, Place::Along)
            }
            "Reshape" => {
                let sizes = self.integers(1)?.unwrap_or_default();
                kept(axis == 0 && self.keeps_first_axis(&sizes, 1)?)
            }
            "Gather" => {
                let along = axes::axis(self.node.int("axis", 0), self.dims(0)?.len())?;
                let listed = self.dims(1)?.len();
                match along.cmp(&axis) {
                    std::cmp::Ordering::Less => Place::Along(axis + listed - 1),
                    std::cmp::Ordering::Equal => Place::Taken,
                    std::cmp::Ordering::Greater => Place::Along(axis),
                }
            }
            // Axes of size 1 in front.
            "Expand" => Place::Along(axis + fact.dims.len().saturating_sub(rank)),
            // An axis of channels is left out.
            _ => kept(axis == 0),
        })
    }
}
