//! Evaluates nodes on constants, in the types of ONNX.

use std::rc::Rc;

use super::axes::{chosen, reordered, sliced};
use super::graph::Fact;
use super::index::{ravel, unravel};
use super::kind::Kind;
use super::op::{Each, Op, Pair};
use super::tensor::{Tensor, broadcast, count, repeated};

/// The result of a node for these numbers; `None` if it works only on maps or on numbers of the picture.
pub(crate) fn evaluate(op: &Op, fact: &Fact, inputs: &[Rc<Tensor>]) -> Option<Result<Tensor, String>> {
    let kind = fact.kind;
    let from = inputs.first().map_or(kind, |input| input.kind);
    let pick = |of: &dyn Fn(&[f64]) -> f64| each(fact, inputs, &|values| Ok(of(values)));
    let made = match op {
        Op::Quantise { scale, zero } => {
            each(fact, inputs, &|values| quantised(first(values), (from, kind), (*scale, *zero)))
        }
        Op::Slopes(slopes) => {
            let inputs: Vec<_> = inputs.iter().cloned().chain([Rc::clone(slopes)]).collect();
            each(fact, &inputs, &|values| {
                let (value, slope) = (first(values), second(values));
                Ok(if value < 0.0 { value * slope } else { value })
            })
        }
        Op::Each(each) => {
            let each = *each;
            self::each(fact, inputs, &|values| kind.rounded(of_one(each, first(values))))
        }
        Op::Cast => each(fact, inputs, &|values| kind.cast(from, first(values))),
        Op::Pair(pair) => {
            let pair = *pair;
            each(fact, inputs, &|values| of_two(pair, kind, first(values), second(values)))
        }
        Op::Extreme { is_max: true } => pick(&|values| values.iter().copied().fold(f64::NEG_INFINITY, f64::max)),
        Op::Extreme { is_max: false } => pick(&|values| values.iter().copied().fold(f64::INFINITY, f64::min)),
        Op::Where => pick(&|values| match values {
            [condition, yes, no] => {
                if *condition == 0.0 {
                    *no
                } else {
                    *yes
                }
            }
            _ => 0.0,
        }),
        Op::Clamp { low, high } => {
            pick(&|values| first(values).max(low.unwrap_or(f64::NEG_INFINITY)).min(high.unwrap_or(f64::INFINITY)))
        }
        Op::Affine { scale, shift } => {
            let inputs: Vec<_> = inputs.iter().cloned().chain([scale, shift].map(|of| Rc::new(of.clone()))).collect();
            each(fact, &inputs, &|values| match values {
                [value, scale, shift] => kind.rounded(value * scale + shift),
                _ => Ok(0.0),
            })
        }
        Op::Threshold { at, inclusive, below, above } => each(fact, &with_thresholds(inputs, at), &|values| {
            Ok(if is_above(values, *inclusive) { *above } else { *below })
        }),
        Op::Cut { at, inclusive, below, above } => each(fact, &with_thresholds(inputs, at), &|values| {
            let line = if is_above(values, *inclusive) { above } else { below };
            kind.rounded(line.of(first(values)))
        }),
        Op::Reshape => {
            let values = inputs.first()?.values.clone();
            Ok(Tensor { kind, dims: fact.dims.clone(), values })
        }
        Op::Transpose { order } => inputs.first().map(|input| taken(input, reordered(&input.dims, order)))?,
        Op::Slice(slices) => {
            let start = Ok(inputs.first()?.as_ref().clone());
            slices.iter().fold(start, |tensor, slice| {
                let tensor = tensor?;
                taken(&tensor, sliced(&tensor.dims, slice))
            })
        }
        Op::Concat { axis } => Ok(concatenated(fact, *axis, inputs)),
        Op::Take { axis, places } => {
            let input = inputs.first()?;
            taken(input, chosen(&input.dims, *axis, places))
        }
        Op::Phases(phases) => {
            let (input, made) = (inputs.first()?, fact.dims.clone());
            let (&height, &width) = (made.get(2)?, made.get(3)?);
            taken(input, (phases.places(&input.dims, (height, width)), made))
        }
        Op::Product { axes } => multiplied(fact, axes, inputs.first()?),
        Op::Reduce { axes, is_mean, .. } => reduced(fact, axes, *is_mean, inputs.first()?),
        Op::Image { .. }
        | Op::Constant(_)
        | Op::Sign { .. }
        | Op::Convolution(_)
        | Op::MaxPool(_)
        | Op::MeanPool { .. }
        | Op::Pad(_)
        | Op::Surrounded { .. }
        | Op::Around { .. }
        | Op::Dense(_)
        | Op::Softmax { .. }
        | Op::ArgMax { .. } => return None,
    };
    Some(made.and_then(|made| match made.values.iter().find(|value| !value.is_finite()) {
        Some(value) => Err(format!("a constant becomes {value}")),
        None => Ok(made),
    }))
}

fn first(values: &[f64]) -> f64 {
    values.first().copied().unwrap_or_default()
}

/// The inputs, and thresholds of their channels.
fn with_thresholds(inputs: &[Rc<Tensor>], at: &[f64]) -> Vec<Rc<Tensor>> {
    let dims = if at.len() == 1 { Vec::new() } else { vec![at.len(), 1, 1] };
    let at = Tensor { kind: Kind::Double, dims, values: at.to_vec() };
    inputs.iter().cloned().chain([Rc::new(at)]).collect()
}

/// Whether the first number is above the second one.
fn is_above(values: &[f64], inclusive: bool) -> bool {
    let (value, at) = (first(values), second(values));
    value > at || (inclusive && value == at)
}

fn second(values: &[f64]) -> f64 {
    values.get(1).copied().unwrap_or_default()
}

/// Combines the numbers at each place of all inputs.
fn each(fact: &Fact, inputs: &[Rc<Tensor>], of: &dyn Fn(&[f64]) -> Result<f64, String>) -> Result<Tensor, String> {
    let all: Vec<&[usize]> = inputs.iter().map(|input| input.dims.as_slice()).collect();
    let dims = broadcast(&all)?;
    let mut places: Vec<_> = inputs.iter().map(|input| (input, repeated(&input.dims, &dims))).collect();
    let mut at = Vec::new();
    let mut value = |_| {
        at.clear();
        for (input, places) in &mut places {
            at.push(places.next().and_then(|place| input.values.get(place).copied()).unwrap_or_default());
        }
        of(&at)
    };
    let values = (0..count(&dims).unwrap_or(0)).map(&mut value).collect::<Result<_, _>>()?;
    Ok(Tensor { kind: fact.kind, values, dims: dims.clone() })
}

/// The integer of a type that stands for a number of another type, which is `scale` times what it is more than `zero`.
pub(crate) fn quantised(value: f64, (from, to): (Kind, Kind), (scale, zero): (f64, f64)) -> Result<f64, String> {
    let (least, most) = to.bounds().ok_or("quantises to floating point")?;
    Ok((from.rounded(value / scale)?.round_ties_even() + zero).clamp(least, most))
}

fn of_one(each: Each, value: f64) -> f64 {
    match each {
        Each::Neg => -value,
        Each::Abs => value.abs(),
        Each::Sign if value == 0.0 => 0.0,
        Each::Sign => value.signum(),
        Each::Relu => value.max(0.0),
        Each::Leaky { alpha } => {
            if value < 0.0 {
                value * alpha
            } else {
                value
            }
        }
        Each::Sqrt => value.sqrt(),
        Each::Round => value.round_ties_even(),
        Each::Floor => value.floor(),
        Each::Ceil => value.ceil(),
        Each::Not => f64::from(u8::from(value == 0.0)),
        Each::Sigmoid => 1.0 / (1.0 + (-value).exp()),
        Each::Tanh => value.tanh(),
    }
}

fn of_two(pair: Pair, kind: Kind, first: f64, second: f64) -> Result<f64, String> {
    let truth = |is: bool| Ok(f64::from(u8::from(is)));
    match pair {
        Pair::Add => kind.rounded(first + second),
        Pair::Sub => kind.rounded(first - second),
        Pair::Mul => kind.rounded(first * second),
        Pair::Div if kind.is_float() => kind.rounded(first / second),
        #[expect(clippy::cast_possible_truncation, reason = "whole numbers, or what stands for the largest")]
        #[expect(clippy::cast_precision_loss, reason = "not larger than what is divided")]
        Pair::Div => {
            let quotient = (first as i64).checked_div(second as i64).ok_or("divides a whole number by zero")?;
            kind.rounded(quotient as f64)
        }
        Pair::Greater => truth(first > second),
        Pair::GreaterOrEqual => truth(first >= second),
        Pair::Less => truth(first < second),
        Pair::LessOrEqual => truth(first <= second),
        Pair::Xor => truth(first != second),
    }
}

/// The elements of an array in another order.
fn taken(tensor: &Tensor, (places, dims): (Vec<usize>, Vec<usize>)) -> Result<Tensor, String> {
    let values = places.into_iter().map(|place| tensor.values.get(place).copied()).collect::<Option<_>>();
    Ok(Tensor { kind: tensor.kind, dims, values: values.ok_or("takes elements that there are not")? })
}

fn concatenated(fact: &Fact, axis: usize, inputs: &[Rc<Tensor>]) -> Tensor {
    let outer: usize = fact.dims.iter().take(axis).product();
    let inner: usize = fact.dims.iter().skip(axis + 1).product();
    let mut values = Vec::new();
    for row in 0..outer {
        for input in inputs {
            let chunk = input.dims.get(axis).copied().unwrap_or(0) * inner;
            values.extend(input.values.iter().skip(row * chunk).take(chunk));
        }
    }
    Tensor { kind: fact.kind, dims: fact.dims.clone(), values }
}

fn reduced(fact: &Fact, axes: &[usize], is_mean: bool, input: &Tensor) -> Result<Tensor, String> {
    let summed: usize = axes.iter().filter_map(|axis| input.dims.get(*axis)).product();
    let result = |sum: f64| match (is_mean, fact.kind.is_float()) {
        (false, _) => fact.kind.rounded(sum),
        (true, true) => fact.kind.rounded(sum / super::axes::number(summed)),
        (true, false) => fact.kind.rounded((sum / super::axes::number(summed)).trunc()),
    };
    let values =
        folded(axes, input, 0.0, |sum, value| sum + value).into_iter().map(result).collect::<Result<_, _>>()?;
    Ok(Tensor { kind: fact.kind, dims: fact.dims.clone(), values })
}

fn multiplied(fact: &Fact, axes: &[usize], input: &Tensor) -> Result<Tensor, String> {
    let products = folded(axes, input, 1.0, |product, value| product * value);
    let values = products.into_iter().map(|product| fact.kind.rounded(product)).collect::<Result<_, _>>()?;
    Ok(Tensor { kind: fact.kind, dims: fact.dims.clone(), values })
}

/// What the numbers along axes make together with `first`.
fn folded(axes: &[usize], input: &Tensor, first: f64, of: impl Fn(f64, f64) -> f64) -> Vec<f64> {
    let kept = |(axis, size): (usize, &usize)| if axes.contains(&axis) { 1 } else { *size };
    let dims: Vec<usize> = input.dims.iter().enumerate().map(kept).collect();
    let mut made = vec![first; count(&dims).unwrap_or(0)];
    for (place, value) in input.values.iter().enumerate() {
        let mut index = unravel(place, &input.dims);
        index.iter_mut().enumerate().filter(|(axis, _)| axes.contains(axis)).for_each(|(_, index)| *index = 0);
        if let Some(made) = made.get_mut(ravel(&index, &dims)) {
            *made = of(*made, *value);
        }
    }
    made
}
