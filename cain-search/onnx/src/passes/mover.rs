//! Nodes that move all numbers of another: to another order of axes, or to other sizes.

use std::ops::Range;

use crate::axes;
use crate::graph::{Graph, Id};
use crate::op::Op;
use crate::tensor::Tensor;

/// How such a node moves numbers.
#[derive(PartialEq, Eq)]
pub(super) enum Mover<'g> {
    /// The order of the axes.
    Order(&'g [usize]),
    /// The sizes before, and the axes before and behind that hold the same numbers.
    Sizes(&'g [usize], Vec<(Range<usize>, Range<usize>)>),
}

impl<'g> Mover<'g> {
    /// What such a node reads, and how it moves that.
    pub(super) fn of(graph: &'g Graph, id: Id) -> Option<(Id, Self)> {
        let node = graph.node(id)?;
        let input = *node.inputs.first()?;
        let before = &graph.node(input)?.fact.dims;
        match &*node.op {
            Op::Transpose { order } => Some((input, Self::Order(order))),
            Op::Reshape => Some((input, Self::Sizes(before, groups(before, &node.fact.dims)?))),
            _ => None,
        }
    }

    /// The operation of the node.
    pub(super) fn op(&self) -> Op {
        match self {
            Self::Order(order) => Op::Transpose { order: order.to_vec() },
            Self::Sizes(..) => Op::Reshape,
        }
    }

    /// The axes before that hold the numbers of some axes; `None` if they hold others as well.
    pub(super) fn axes(&self, of: &[usize]) -> Option<Vec<usize>> {
        match self {
            Self::Order(order) => of.iter().map(|axis| order.get(*axis).copied()).collect(),
            Self::Sizes(_, groups) => {
                let is_of = |axis: usize| of.contains(&axis);
                let parts = groups.iter().filter(|(_, behind)| behind.clone().any(is_of));
                let whole = parts.map(|(before, behind)| behind.clone().all(is_of).then(|| before.clone()));
                Some(whole.collect::<Option<Vec<_>>>()?.into_iter().flatten().collect())
            }
        }
    }

    /// The axis before that holds just the numbers of an axis.
    pub(super) fn axis(&self, axis: usize) -> Option<usize> {
        let found = self.axes(&[axis])?;
        if let [only] = *found.as_slice() { Some(only) } else { None }
    }

    /// How often a number stands before and behind an array along each axis, as it is before; `moved` has the sizes behind. `None`
    /// if it would not stand around a whole axis.
    pub(super) fn sides(&self, sides: &[(usize, usize)], moved: &[usize]) -> Option<Vec<(usize, usize)>> {
        let rank = match self {
            Self::Order(order) => order.len(),
            Self::Sizes(before, _) => before.len(),
        };
        let mut all = vec![(0, 0); rank];
        for (axis, side) in sides.iter().enumerate().filter(|(_, side)| **side != (0, 0)) {
            let from = match self {
                Self::Order(order) => *order.get(axis)?,
                Self::Sizes(before, groups) => {
                    let (from, to) = groups.iter().find(|(_, to)| to.contains(&axis))?;
                    let size = moved.get(axis)?;
                    let is_only = to.clone().all(|other| other == axis || moved.get(other) == Some(&1));
                    let mut same = from.clone().filter(|axis| before.get(*axis) == Some(size));
                    same.next().filter(|_| is_only && same.next().is_none())?
                }
            };
            *all.get_mut(from)? = *side;
        }
        Some(all)
    }

    /// Sizes as they are before, where axes that become others have kept theirs.
    pub(super) fn dims(&self, dims: &[usize], behind: &[usize]) -> Option<Vec<usize>> {
        match self {
            Self::Order(order) if order.len() == dims.len() => {
                (0..order.len()).map(|axis| Some(*dims.get(order.iter().position(|other| *other == axis)?)?)).collect()
            }
            Self::Sizes(before, groups) if behind.len() == dims.len() => {
                let sizes = groups.iter().map(|(from, to)| match (from.len(), to.len()) {
                    (1, 1) => dims.get(to.clone()),
                    _ if dims.get(to.clone()) == behind.get(to.clone()) => before.get(from.clone()),
                    _ => None,
                });
                Some(sizes.collect::<Option<Vec<_>>>()?.concat())
            }
            _ => None,
        }
    }

    /// A constant as it is before; missing axes have size 1. `None` if it differs along axes that are joined or taken apart.
    pub(super) fn back(&self, constant: &Tensor) -> Option<Tensor> {
        let rank = match self {
            Self::Order(order) => order.len(),
            Self::Sizes(_, groups) => groups.last()?.1.end,
        };
        let dims = [vec![1; rank.checked_sub(constant.dims.len())?], constant.dims.clone()].concat();
        match self {
            Self::Order(order) => {
                let mut inverse = vec![0; order.len()];
                for (place, axis) in order.iter().enumerate() {
                    *inverse.get_mut(*axis)? = place;
                }
                let (places, dims) = axes::reordered(&dims, &inverse);
                let values =
                    places.into_iter().map(|place| constant.values.get(place).copied()).collect::<Option<_>>()?;
                Some(Tensor { dims, values, ..constant.clone() })
            }
            Self::Sizes(before, groups) => {
                let sizes = groups.iter().map(|(from, to)| {
                    let (own, all) = (dims.get(to.clone())?, before.get(from.clone())?);
                    let count: usize = own.iter().product();
                    match all.iter().filter(|size| **size != 1).count() {
                        _ if count == 1 => Some(vec![1; from.len()]),
                        1 if count == all.iter().product() => Some(all.to_vec()),
                        _ => None,
                    }
                });
                let dims = sizes.collect::<Option<Vec<_>>>()?.concat();
                Some(Tensor { dims, ..constant.clone() })
            }
        }
    }
}

/// The shortest groups of axes that hold the same numbers before and behind a change of sizes.
fn groups(before: &[usize], behind: &[usize]) -> Option<Vec<(Range<usize>, Range<usize>)>> {
    let mut groups: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    let (mut from, mut to) = (0, 0);
    while from < before.len() && to < behind.len() {
        let start = (from, to);
        let (mut all, mut own) = (*before.get(from)?, *behind.get(to)?);
        while all != own {
            let (axis, sizes, product) =
                if all < own { (&mut from, before, &mut all) } else { (&mut to, behind, &mut own) };
            *axis += 1;
            *product = product.checked_mul(*sizes.get(*axis)?)?;
        }
        (from, to) = (from + 1, to + 1);
        groups.push((start.0..from, start.1..to));
    }
    // What is left has size 1.
    let (last, other) = groups.last_mut()?;
    (last.end, other.end) = (before.len(), behind.len());
    Some(groups)
}
