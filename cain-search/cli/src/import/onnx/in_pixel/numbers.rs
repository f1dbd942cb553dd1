//! What a model makes of the sums of a convolution, number by number.
//!
//! No operator of ONNX counts thresholds. Models put it together from others: sums of comparisons, or a division, `Floor` and
//! `Clip`. So every node is carried out on all sums that there can be, and what comes out at the end is looked at.

use std::collections::{BTreeMap, BTreeSet};

use cain_search::in_pixel::Second;

use super::super::constants;
use super::super::model::Node;
use super::super::tensor::Tensor;

/// What nodes make of each whole sum, from the least to the largest.
#[derive(Default)]
pub(super) struct Numbers {
    /// The largest sum; the least one is as far below 0.
    largest: usize,
    made: BTreeMap<String, Tensor>,
    /// Those that a model holds as integers or bits.
    integers: BTreeSet<String>,
}

impl Numbers {
    /// The sums themselves.
    pub(super) fn of_sums(name: &str, largest: usize) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "sums of some thousands")]
        let sums = (0..=2 * largest).map(|sum| sum as f64 - largest as f64).collect();
        Self { largest, made: BTreeMap::from([(name.to_owned(), Tensor::list(sums))]), ..Self::default() }
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.made.contains_key(name)
    }

    /// Whether a node reads any of them.
    pub(super) fn has_any_of(&self, node: &Node) -> bool {
        node.inputs.iter().any(|name| self.has(name))
    }

    /// Whether a node makes a number of each sum on its own.
    pub(super) fn is_calculation(node: &Node) -> bool {
        matches!(
            node.op.as_str(),
            "Add"
                | "Sub"
                | "Mul"
                | "Div"
                | "Max"
                | "Min"
                | "Floor"
                | "Ceil"
                | "Round"
                | "Relu"
                | "Clip"
                | "Cast"
                | "Greater"
                | "GreaterOrEqual"
                | "Identity"
                | "Dropout"
        )
    }

    /// Carries a node out on all sums. Constants have to be the same for all of them.
    pub(super) fn calculate(&mut self, node: &Node, constants: &BTreeMap<String, Tensor>) -> Result<(), String> {
        let input = |name: &String| {
            if name.is_empty() {
                return Ok(None);
            }
            if let Some(numbers) = self.made.get(name) {
                return Ok(Some(numbers.clone()));
            }
            let constant = constants.get(name).ok_or_else(|| format!("`{name}` is not made of the sums before it"))?;
            let single = constant.single().ok_or_else(|| {
                format!("`{name}` has {} numbers; expected one for all filters", constant.values.len())
            })?;
            Ok(Some(Tensor::scalar(single)))
        };
        let inputs = node.inputs.iter().map(input).collect::<Result<Vec<_>, String>>()?;
        let made = constants::compute(node, &inputs).ok_or("expected numbers to calculate with")??;
        let reads_integers = node.inputs.first().is_some_and(|name| self.integers.contains(name));
        let (made, are_integers) = match (node.op.as_str(), node.int("to", 1)) {
            ("Cast", 1 | 10 | 11 | 16) => (made, false),
            ("Cast", 9) => (made.map(|value| f64::from(u8::from(value != 0.0))), true),
            ("Cast", _) => (made.map(f64::trunc), true),
            ("Greater" | "GreaterOrEqual", _) => (made, true),
            ("Div", _) if reads_integers => (made.map(f64::trunc), true),
            _ => (made, reads_integers),
        };
        if made.values.len() != 2 * self.largest + 1 {
            return Err("expected numbers to calculate with".to_owned());
        }
        // Models calculate in single precision.
        #[expect(clippy::cast_possible_truncation, reason = "meant")]
        let made = made.map(|value| f64::from(value as f32));
        if let Some(name) = node.outputs.first() {
            self.made.insert(name.clone(), made);
            self.integers.extend(are_integers.then(|| name.clone()));
        }
        Ok(())
    }

    /// What a node makes that takes the largest of some of these numbers, or surrounds them by zeros.
    pub(super) fn passed_on(&self, from: &str, to: &str) -> Result<Self, String> {
        let numbers = self.made.get(from).ok_or_else(|| format!("`{from}` is not made of sums"))?;
        if !numbers.values.is_sorted() {
            return Err(
                "a larger sum becomes a smaller number before it, so that it is not the largest sum that counts"
                    .to_owned(),
            );
        }
        Ok(Self { largest: self.largest, made: BTreeMap::from([(to.to_owned(), numbers.clone())]), ..Self::default() })
    }

    /// How the numbers of that name come about: they are how many of these a sum is not below.
    pub(super) fn thresholds(&self, name: &str) -> Result<Vec<u8>, String> {
        let mut thresholds = Vec::new();
        for (sum, number) in self.by_sum(name)? {
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
                        "a sum of {sum} becomes {number} in `{name}`; expected how many of up to three thresholds from 1 to 255 \
                         it reaches: {count}{}",
                        if count < Second::MOST_THRESHOLDS { format!(" or {}", count + 1) } else { String::new() }
                    ));
                }
            }
        }
        if thresholds.is_empty() {
            return Err(format!(
                "all sums become 0 in `{name}`; expected how many of up to three thresholds they reach"
            ));
        }
        Ok(thresholds)
    }

    /// That negative sums become 0, and others stay what they are.
    pub(super) fn check_rectified(&self, name: &str) -> Result<(), String> {
        #[expect(clippy::cast_precision_loss, reason = "sums of some thousands")]
        let wrong = self.by_sum(name)?.find(|(sum, number)| (number - (*sum).max(0) as f64).abs() > 0.0);
        match wrong {
            Some((sum, number)) => Err(format!(
                "a sum of {sum} becomes {number} in `{name}`; expected {}, as `Relu` makes of it",
                sum.max(0)
            )),
            None => Ok(()),
        }
    }

    /// Each sum and its number.
    fn by_sum(&self, name: &str) -> Result<impl Iterator<Item = (i64, f64)>, String> {
        let numbers = self.made.get(name).ok_or_else(|| format!("`{name}` is not made of sums"))?;
        let least = -i64::try_from(self.largest).unwrap_or(0);
        Ok((least..).zip(numbers.values.iter().copied()))
    }
}
