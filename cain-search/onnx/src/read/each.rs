//! Reads nodes that compute each number of its own, or from the numbers at the same place.

use std::rc::Rc;

use super::{Made, Reader, constant};
use crate::graph::{Fact, Id, Node};
use crate::kind::{Kind, type_name};
use crate::op::{Each, Op, Pair};
use crate::substitutes;
use crate::tensor::{Tensor, broadcast};

impl Reader<'_> {
    pub(super) fn each(&self, each: Each) -> Result<Made, String> {
        match each {
            Each::Not if self.fact(0)?.kind == Kind::Bool => {}
            Each::Not => return Err("expected a comparison".to_owned()),
            Each::Leaky { .. } | Each::Sqrt | Each::Round | Each::Floor | Each::Ceil | Each::Sigmoid | Each::Tanh => {
                self.check_float()?;
            }
            Each::Neg | Each::Abs | Each::Sign | Each::Relu => self.number_kind().map(drop)?,
        }
        self.alike(Op::Each(each), self.dims(0)?.to_vec())
    }

    pub(super) fn cast(&self) -> Result<Made, String> {
        let to = self.node.int("to", 1);
        let kind = Kind::of(to)
            .ok_or_else(|| format!("casts to the type {}; expected floating point, integers or bool", type_name(to)))?;
        let Fact { kind: from, dims } = self.fact(0)?.clone();
        if from == kind {
            return self.same();
        }
        Ok(Made::New(Op::Cast, vec![self.id(0)?], Fact { kind, dims }))
    }

    /// A change to the type of another value.
    pub(super) fn cast_like(&self) -> Result<Made, String> {
        let Fact { kind: from, dims } = self.fact(0)?.clone();
        match self.fact(1)?.kind {
            kind if kind == from => self.same(),
            kind => Ok(Made::New(Op::Cast, vec![self.id(0)?], Fact { kind, dims })),
        }
    }

    /// A rectifier with a slope below zero.
    pub(super) fn leaky(&self, alpha: f64) -> Result<Made, String> {
        self.each(if alpha == 0.0 { Each::Relu } else { Each::Leaky { alpha } })
    }

    /// Whether both of two conditions hold, or one of them.
    pub(super) fn both(&self, is_one: bool) -> Result<Made, String> {
        let (ids, fact) = self.combined(0..2)?;
        if fact.kind != Kind::Bool {
            return Err("expected two comparisons".to_owned());
        }
        Ok(Made::New(Op::Extreme { is_max: is_one }, ids, fact))
    }

    /// Whether one of two conditions holds, and not both.
    pub(super) fn either(&self) -> Result<Made, String> {
        let (ids, fact) = self.combined(0..2)?;
        let are_constant = ids.iter().all(|id| self.graph.constant(*id).is_some());
        if fact.kind != Kind::Bool && !(are_constant && self.node.op == "Equal") {
            return Err("expected two comparisons".to_owned());
        }
        Ok(Made::New(Op::Pair(Pair::Xor), ids, Fact { kind: Kind::Bool, ..fact }))
    }

    /// Whether two conditions, or two constants, are the same.
    pub(super) fn equal(&mut self) -> Result<Id, String> {
        let is_constant = |input: usize| self.id(input).is_ok_and(|id| self.graph.constant(id).is_some());
        if self.fact(0)?.kind != Kind::Bool && !(is_constant(0) && is_constant(1)) {
            return Err(substitutes::none("Equal"));
        }
        let made = self.either()?;
        let differ = self.add(made)?;
        let dims = self.fact_of(differ)?.dims;
        self.step(differ, Op::Each(Each::Not), dims)
    }

    /// A rectifier whose slopes below zero are constants.
    pub(super) fn parametric(&mut self) -> Result<Id, String> {
        self.check_float()?;
        let (all, dims) = (self.required(1)?, self.dims(0)?.to_vec());
        if broadcast(&[&dims, &all.dims])? != dims {
            return Err(format!("slopes of the sizes {:?} for numbers of the sizes {dims:?}", all.dims));
        }
        let short = self.short(self.id(1)?);
        let slopes = self.graph.constant(short).map_or(all, Rc::clone);
        let made = match slopes.single() {
            Some(alpha) => self.leaky(alpha),
            None => self.alike(Op::Slopes(slopes), dims),
        };
        self.add(made?)
    }

    /// The inputs of a node that computes numbers from those at the same place: a constant gets size 1 along each axis along
    /// which it does not change, if another input has all sizes.
    pub(super) fn shortened(&mut self, op: &Op, inputs: Vec<Id>, fact: &Fact) -> Vec<Id> {
        let has_sizes = |id: &Id| {
            self.graph.node(*id).is_some_and(|node| node.fact.dims == fact.dims && !matches!(*node.op, Op::Constant(_)))
        };
        if !matches!(op, Op::Pair(_) | Op::Extreme { .. } | Op::Where) || !inputs.iter().any(has_sizes) {
            return inputs;
        }
        inputs.into_iter().map(|id| self.short(id)).collect()
    }

    /// The same constant without the axes along which it does not change.
    fn short(&mut self, id: Id) -> Id {
        if let Some(short) = self.short.get(&id) {
            return *short;
        }
        let Some(tensor) = self.graph.constant(id).filter(|tensor| tensor.values.len() > 1) else { return id };
        let short = tensor.shortened();
        let made = if short.dims == tensor.dims {
            id
        } else {
            let fact = Rc::new(Fact { kind: short.kind, dims: short.dims.clone() });
            let (op, name) = (Rc::new(Op::Constant(Rc::new(short))), Rc::from("constant"));
            self.graph.push(Node { op, inputs: Vec::new(), fact, name, origin: None })
        };
        self.short.insert(id, made);
        made
    }

    /// All inputs, which must have one type, and the type and sizes of their combination number by number.
    pub(super) fn combined(&self, inputs: std::ops::Range<usize>) -> Result<(Vec<Id>, Fact), String> {
        let ids: Vec<Id> = inputs.clone().map(|input| self.id(input)).collect::<Result<_, _>>()?;
        let facts: Vec<&Fact> = inputs.map(|input| self.fact(input)).collect::<Result<_, _>>()?;
        let kind = facts.first().map(|fact| fact.kind).ok_or("input 1 is missing")?;
        if let Some(other) = facts.iter().find(|fact| fact.kind != kind) {
            return Err(format!("combines numbers of the types {kind} and {}; add a cast", other.kind));
        }
        let dims: Vec<&[usize]> = facts.iter().map(|fact| fact.dims.as_slice()).collect();
        Ok((ids, Fact { kind, dims: broadcast(&dims)? }))
    }

    pub(super) fn pair(&self, pair: Pair) -> Result<Made, String> {
        self.number_kind()?;
        let (ids, mut fact) = self.combined(0..2)?;
        if pair.is_comparison() {
            fact.kind = Kind::Bool;
        }
        Ok(Made::New(Op::Pair(pair), ids, fact))
    }

    /// A comparison. That of two results is one of their difference with 0.
    pub(super) fn compared(&mut self, pair: Pair) -> Result<Id, String> {
        let (ids, fact) = self.combined(0..2)?;
        let are_maps = matches!(*fact.dims, [1, _, _, _]) && fact.kind.is_float();
        if !are_maps || ids.iter().any(|id| self.graph.constant(*id).is_some()) {
            let made = self.pair(pair)?;
            return self.add(made);
        }
        let zero = self.add(constant(Tensor { kind: fact.kind, ..Tensor::scalar(0.0) }))?;
        let difference = self.add(Made::New(Op::Pair(Pair::Sub), ids, fact.clone()))?;
        self.add(Made::New(Op::Pair(pair), vec![difference, zero], Fact { kind: Kind::Bool, ..fact }))
    }

    /// The largest or smallest of several inputs. Constants are taken together, and apart from others if they differ by channels.
    pub(super) fn extreme(&mut self, is_max: bool) -> Result<Id, String> {
        self.number_kind()?;
        let (ids, fact) = self.combined(0..self.node.inputs.len())?;
        let (constants, mut others): (Vec<Id>, Vec<Id>) =
            ids.iter().partition(|id| self.graph.constant(**id).is_some());
        if others.is_empty() {
            return self.extreme_of(is_max, ids, fact.kind);
        }
        if let Some(first) = constants.first().copied() {
            let constant = if constants.len() > 1 { self.extreme_of(is_max, constants, fact.kind)? } else { first };
            if others.len() > 1 && self.graph.constant(constant).is_some_and(|constant| constant.single().is_none()) {
                others = vec![self.extreme_of(is_max, others, fact.kind)?];
            }
            others.push(constant);
        }
        self.extreme_of(is_max, others, fact.kind)
    }

    fn extreme_of(&mut self, is_max: bool, ids: Vec<Id>, kind: Kind) -> Result<Id, String> {
        if let [only] = *ids.as_slice() {
            return self.add(Made::Same(only));
        }
        let facts: Vec<Fact> = ids.iter().map(|id| self.fact_of(*id)).collect::<Result<_, _>>()?;
        let dims: Vec<&[usize]> = facts.iter().map(|fact| fact.dims.as_slice()).collect();
        let dims = broadcast(&dims)?;
        self.add(Made::New(Op::Extreme { is_max }, ids, Fact { kind, dims }))
    }

    pub(super) fn selection(&self) -> Result<Made, String> {
        if self.fact(0)?.kind != Kind::Bool {
            return Err("the condition is not a comparison of maps with constants".to_owned());
        }
        let (_, Fact { kind, dims }) = self.combined(1..3)?;
        let dims = broadcast(&[self.dims(0)?, &dims])?;
        Ok(Made::New(Op::Where, vec![self.id(0)?, self.id(1)?, self.id(2)?], Fact { kind, dims }))
    }

    pub(super) fn clip(&self) -> Result<Made, String> {
        let kind = self.number_kind()?;
        let is_far = |bound: f64| bound.abs() >= f64::from(f32::MAX);
        let bound = |input: usize, name: &str| -> Result<Option<f64>, String> {
            let bound = match self.constant(input)? {
                Some(bound) if bound.kind != kind => {
                    return Err(format!("clips {kind} to {}; add a cast", bound.kind));
                }
                Some(bound) => Some(bound.single().ok_or("clips to several numbers; expected one")?),
                None => self.node.has(name).then(|| self.node.float(name, 0.0)),
            };
            let beyond =
                |bound: &f64| bound.is_nan() || (*bound >= f64::from(f32::MAX)) == (input == 1) && is_far(*bound);
            if let Some(bound) = bound.filter(beyond) {
                return Err(format!("clips to numbers beyond {bound}"));
            }
            // A bound at the end of the type's range means no bound.
            Ok(bound.filter(|bound| !is_far(*bound)))
        };
        let (low, high) = (bound(1, "min")?, bound(2, "max")?);
        let (least, most) = kind.bounds().unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
        match (low.filter(|low| *low > least), high.filter(|high| *high < most)) {
            (None, None) => self.same(),
            (Some(low), Some(high)) if low > high => Err(format!("clips to {low}..{high}, which is empty")),
            (low, high) => self.alike(Op::Clamp { low, high }, self.dims(0)?.to_vec()),
        }
    }

    pub(super) fn normalisation(&self) -> Result<Made, String> {
        if self.node.int("training_mode", 0) != 0 {
            return Err(substitutes::NORMALISED.to_owned());
        }
        self.check_float()?;
        let dims = self.dims(0)?.to_vec();
        let channels = dims.get(1).copied().ok_or_else(|| format!("reads the sizes {dims:?}; expected channels"))?;
        let [scale, bias, mean, variance] = [1, 2, 3, 4].map(|input| self.required(input));
        let (scale, bias, mean, variance) = (scale?, bias?, mean?, variance?);
        if let Some(other) = [&scale, &bias, &mean, &variance].iter().find(|list| list.dims != [channels]) {
            return Err(format!("numbers of the sizes {:?} for {channels} channels", other.dims));
        }
        let epsilon = self.node.float("epsilon", 1e-5);
        let factor = scale.combine(&variance, |scale, variance| scale / (variance + epsilon).sqrt())?;
        let summand = bias.combine(&mean.combine(&factor, |mean, factor| mean * factor)?, |bias, mean| bias - mean)?;
        if factor.values.iter().chain(&summand.values).any(|value| !value.is_finite()) {
            return Err("the variances are not positive".to_owned());
        }
        let of_channels = |tensor: Tensor| {
            let mut sizes = vec![1; dims.len()];
            if let Some(size) = sizes.get_mut(1) {
                *size = channels;
            }
            Tensor { dims: sizes, ..tensor }
        };
        self.alike(Op::Affine { scale: of_channels(factor), shift: of_channels(summand) }, dims.clone())
    }
}
