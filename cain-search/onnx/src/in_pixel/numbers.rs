//! Tracks the numbers that a model makes of the sums of a convolution.
//!
//! No operator of ONNX counts thresholds. Models compose it of others: sums of comparisons, or a division, `Floor` and
//! `Clip`. So every node is evaluated on all possible sums, and only the result is examined.

use std::collections::BTreeMap;
use std::rc::Rc;

use cain_in_pixel::Second;

use super::super::evaluate::evaluate;
use super::super::graph::{Fact, Graph, Id, Node};
use super::super::kind::Kind;
use super::super::op::{Each, Op, Pair};
use super::super::tensor::Tensor;

const NO_SUMS: &str = "does not read what is made of sums";

/// The numbers that nodes make of each integer sum, from the least to the largest.
#[derive(Default)]
pub(super) struct Numbers {
    /// The largest sum; the least one is its negative.
    largest: usize,
    made: BTreeMap<Id, Rc<Tensor>>,
}

impl Numbers {
    /// The sums themselves.
    pub(super) fn of_sums(id: Id, largest: usize) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "sums of some thousands")]
        let sums = (0..=2 * largest).map(|sum| sum as f64 - largest as f64).collect();
        Self { largest, made: BTreeMap::from([(id, Rc::new(Tensor::list(Kind::Float, sums)))]) }
    }

    pub(super) fn has(&self, id: Id) -> bool {
        self.made.contains_key(&id)
    }

    /// Whether a node reads any of the numbers.
    pub(super) fn has_any_of(&self, node: &Node) -> bool {
        node.inputs.iter().any(|id| self.has(*id))
    }

    /// Whether a node maps each sum to a number on its own.
    pub(super) fn is_calculation(node: &Node) -> bool {
        match &*node.op {
            Op::Each(each) => matches!(each, Each::Floor | Each::Ceil | Each::Round | Each::Relu),
            Op::Pair(pair) => !matches!(pair, Pair::Less | Pair::LessOrEqual),
            Op::Extreme { .. } | Op::Clamp { .. } | Op::Cast => true,
            _ => false,
        }
    }

    /// Evaluates a node on all sums. Constants have to be the same for all of them.
    pub(super) fn calculate(&mut self, graph: &Graph, id: Id, node: &Node) -> Result<(), String> {
        let mut inputs = Vec::new();
        for input in &node.inputs {
            let read = graph.node(*input).ok_or("reads what is not made")?;
            if let Some(numbers) = self.made.get(input) {
                if read.fact.dims != node.fact.dims {
                    return Err(format!("changes the sizes {:?} to {:?}", read.fact.dims, node.fact.dims));
                }
                inputs.push(Rc::clone(numbers));
                continue;
            }
            let constant = graph.constant(*input);
            let constant = constant.ok_or_else(|| format!("`{}` is not made of the sums before it", read.name))?;
            let single = constant.single().ok_or_else(|| {
                format!("reads a constant of {} numbers; expected one for all filters", constant.values.len())
            })?;
            inputs.push(Rc::new(Tensor::single_of(constant.kind, single)));
        }
        let fact = Fact { kind: node.fact.kind, dims: vec![2 * self.largest + 1] };
        let made = evaluate(&node.op, &fact, &inputs).ok_or("expected numbers to calculate with")??;
        if made.values.len() != 2 * self.largest + 1 {
            return Err("expected numbers to calculate with".to_owned());
        }
        self.made.insert(id, Rc::new(made));
        Ok(())
    }

    /// Passes numbers on through a node that takes the largest of some of them, or pads them with zeros.
    pub(super) fn passed_on(&self, from: Id, to: Id) -> Result<Self, String> {
        let numbers = self.made.get(&from).ok_or(NO_SUMS)?;
        if !numbers.values.is_sorted() {
            return Err(
                "a larger sum becomes a smaller number before it, so that it is not the largest sum that counts"
                    .to_owned(),
            );
        }
        Ok(Self { largest: self.largest, made: BTreeMap::from([(to, Rc::clone(numbers))]) })
    }

    /// The thresholds behind the numbers of a node: each number is how many of the thresholds its sum reaches.
    pub(super) fn thresholds(&self, id: Id) -> Result<Vec<u8>, String> {
        let mut thresholds = Vec::new();
        for (sum, number) in self.by_sum(id)? {
            let count = thresholds.len();
            #[expect(clippy::cast_precision_loss, reason = "small counts")]
            let is = |count: usize| (number - count as f64).abs() <= 0.0;
            if is(count) {
                continue;
            }
            let threshold = u8::try_from(sum).ok().filter(|threshold| *threshold > 0);
            match threshold {
                Some(threshold) if is(count + 1) && count < Second::MOST_THRESHOLDS => thresholds.push(threshold),
                _ => {
                    return Err(format!(
                        "a sum of {sum} becomes {number}; expected how many of up to three thresholds from 1 to 255 \
                         it reaches: {count}{}",
                        if count < Second::MOST_THRESHOLDS { format!(" or {}", count + 1) } else { String::new() }
                    ));
                }
            }
        }
        if thresholds.is_empty() {
            return Err("all sums become 0; expected how many of up to three thresholds they reach".to_owned());
        }
        Ok(thresholds)
    }

    /// Checks that negative sums become 0 and others stay as they are.
    pub(super) fn check_rectified(&self, id: Id) -> Result<(), String> {
        #[expect(clippy::cast_precision_loss, reason = "sums of some thousands")]
        let wrong = self.by_sum(id)?.find(|(sum, number)| (number - (*sum).max(0) as f64).abs() > 0.0);
        match wrong {
            Some((sum, number)) => {
                Err(format!("a sum of {sum} becomes {number}; expected {}, as `Relu` makes of it", sum.max(0)))
            }
            None => Ok(()),
        }
    }

    /// The sums with their numbers.
    fn by_sum(&self, id: Id) -> Result<impl Iterator<Item = (i64, f64)>, String> {
        let numbers = self.made.get(&id).ok_or(NO_SUMS)?;
        let least = -i64::try_from(self.largest).unwrap_or(0);
        Ok((least..).zip(numbers.values.iter().copied()))
    }
}
