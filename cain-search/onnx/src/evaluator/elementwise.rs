//! Operators on each number separately.

use super::call::Call;
use super::tensor::{Kind, Number, Tensor, common, whole};

/// Beyond this number, the results of sigmoids can hardly be told from 1.
const SATURATED: f64 = 15.0;

/// Applies an operator to each number of one array.
pub(crate) fn of_one(call: &Call<'_>) -> Result<Tensor, String> {
    let data = call.input(0)?;
    let alpha = call.float("alpha", 0.01);
    let real = |of: fn(f64) -> f64| {
        data.map(data.kind, |number| match number {
            Number::Real(number) => Ok(Number::Real(of(number))),
            Number::Whole(_) => Err(format!("`{}` of whole numbers", call.op())),
        })
    };
    let any = |real: fn(f64) -> f64, whole: fn(i64) -> i64| {
        data.map(data.kind, |number| match number {
            Number::Real(number) => Ok(Number::Real(real(number))),
            Number::Whole(_) if data.kind == Kind::Bool => Err(format!("`{}` of truth values", call.op())),
            Number::Whole(number) => Ok(Number::Whole(data.kind.wrapped(whole(number)))),
        })
    };
    match call.op() {
        "Cast" => {
            let code = i32::try_from(call.int("to", 0)).map_err(|_| "no type")?;
            cast(data, Kind::of(code)?)
        }
        "CastLike" => cast(data, call.input(1)?.kind),
        "Relu" => any(|number| number.max(0.0), |number| number.max(0)),
        "Abs" => any(f64::abs, i64::wrapping_abs),
        "Neg" => any(|number| -number, i64::wrapping_neg),
        "Sign" => {
            data.numbers.iter().for_each(|number| call.near.compare(number.real(), 0.0));
            any(sign, i64::signum)
        }
        "Sqrt" => real(f64::sqrt),
        "Sigmoid" | "Tanh" => {
            if data.numbers.iter().any(|number| number.real().abs() > SATURATED) {
                // Numbers that differ become equal.
                call.near.is_found.set(true);
            }
            real(if call.op() == "Tanh" { f64::tanh } else { sigmoid })
        }
        "Floor" => real(f64::floor),
        "Ceil" => real(f64::ceil),
        "Round" => real(f64::round_ties_even),
        "LeakyRelu" => data.map(data.kind, |number| match number {
            Number::Real(number) => Ok(Number::Real(if number < 0.0 { alpha * number } else { number })),
            Number::Whole(_) => Err("`LeakyRelu` of whole numbers".to_owned()),
        }),
        "HardSigmoid" => {
            let (alpha, beta) = (call.float("alpha", 0.2), call.float("beta", 0.5));
            data.map(data.kind, |number| Ok(Number::Real((alpha * number.real() + beta).clamp(0.0, 1.0))))
        }
        "ThresholdedRelu" => {
            let alpha = call.float("alpha", 1.0);
            data.numbers.iter().for_each(|number| call.near.compare(number.real(), alpha));
            data.map(data.kind, |number| Ok(Number::Real(if number.real() > alpha { number.real() } else { 0.0 })))
        }
        "Shrink" => {
            let (limit, bias) = (call.float("lambd", 0.5), call.float("bias", 0.0));
            for number in &data.numbers {
                // With a negative limit, only that for smaller numbers matters.
                let number = if limit < 0.0 { -number.real() } else { number.real().abs() };
                call.near.compare(number, limit);
            }
            data.map(data.kind, |number| match number {
                Number::Real(number) if number < -limit => Ok(Number::Real(number + bias)),
                Number::Real(number) if number > limit => Ok(Number::Real(number - bias)),
                Number::Real(_) => Ok(Number::Real(0.0)),
                Number::Whole(_) => Err("`Shrink` of whole numbers".to_owned()),
            })
        }
        "Not" => match data.kind {
            Kind::Bool => data.map(Kind::Bool, |bit| Ok(Number::of_bool(bit == Number::Whole(0)))),
            _ => Err("`Not` of numbers".to_owned()),
        },
        _ => clipped(call, data),
    }
}

/// A rectifier whose slope below zero is an input, repeated along leading axes.
pub(crate) fn parametric(call: &Call<'_>) -> Result<Tensor, String> {
    let data = call.input(0)?;
    let slopes = call.input(1)?.spread(&data.dims)?;
    let mut result = data.clone();
    for (number, slope) in result.numbers.iter_mut().zip(&slopes.numbers) {
        if number.real() < 0.0 {
            *number = Number::Real(number.real() * slope.real());
        }
    }
    Ok(result)
}

fn sigmoid(number: f64) -> f64 {
    1.0 / (1.0 + (-number).exp())
}

fn sign(number: f64) -> f64 {
    if number == 0.0 { 0.0 } else { number.signum() }
}

/// Converts numbers; those in floating point lose their fractional part.
#[expect(clippy::cast_possible_truncation, reason = "meant")]
fn cast(data: &Tensor, to: Kind) -> Result<Tensor, String> {
    data.map(to, |number| {
        Ok(match (number, to) {
            (number, Kind::Bool) => Number::of_bool(number.real() != 0.0),
            (Number::Real(real), Kind::Single | Kind::Double) => Number::Real(real),
            (number @ Number::Whole(_), Kind::Single | Kind::Double) => Number::Real(number.real()),
            (Number::Real(real), to) => Number::Whole(to.wrapped(real.trunc() as i64)),
            (Number::Whole(whole), to) => Number::Whole(to.wrapped(whole)),
        })
    })
}

fn clipped(call: &Call<'_>, data: &Tensor) -> Result<Tensor, String> {
    // Before version 11, bounds are attributes.
    let attribute =
        |name: &str| call.attribute(name).filter(|_| call.opset < 11).map(|bound| Number::Real(bound.f.into()));
    let bound = |input: usize, name: &str| match call.optional(input) {
        None => Ok(attribute(name)),
        Some(bound) if bound.kind != data.kind => Err("bounds of another type".to_owned()),
        Some(bound) => bound.single().map(Some),
    };
    let (low, high) = (bound(1, "min")?, bound(2, "max")?);
    data.map(data.kind, |number| {
        let raised = low.filter(|low| number < *low).unwrap_or(number);
        Ok(high.filter(|high| raised > *high).unwrap_or(raised))
    })
}

/// Applies an operator to the numbers of several arrays, which are repeated along axes of size 1.
pub(crate) fn of_several(call: &Call<'_>) -> Result<Tensor, String> {
    let all = call.all()?;
    let (first, rest) = all.split_first().ok_or("there are no inputs")?;
    if rest.iter().any(|other| other.kind != first.kind) || first.kind == Kind::Bool {
        return Err(format!("`{}` of different types, or of truth values", call.op()));
    }
    let is_variadic = matches!(call.op(), "Max" | "Min" | "Sum" | "Mean");
    if !is_variadic && rest.len() != 1 {
        return Err(format!("`{}` of {} inputs", call.op(), all.len()));
    }
    let dims = common(&all)?;
    let mut result = first.spread(&dims)?;
    for other in rest {
        let other = other.spread(&dims)?;
        if matches!(call.op(), "Greater" | "GreaterOrEqual" | "Less" | "LessOrEqual") {
            let numbers = result.numbers.iter().zip(&other.numbers);
            numbers.for_each(|(a, b)| call.near.compare(a.real(), b.real()));
        }
        let numbers = result.numbers.iter().zip(&other.numbers);
        result.numbers = numbers.map(|(a, b)| of_two(call.op(), first.kind, *a, *b)).collect::<Result<_, _>>()?;
    }
    if matches!(call.op(), "Greater" | "GreaterOrEqual" | "Less" | "LessOrEqual") {
        result.kind = Kind::Bool;
    }
    if call.op() == "Mean" {
        let count = Number::Whole(whole(all.len())).real();
        return result.map(result.kind, |sum| Ok(Number::Real(sum.real() / count)));
    }
    Ok(result)
}

/// Whether two conditions hold, one of them, or just one of them; or whether conditions or whole numbers are equal.
pub(crate) fn both(call: &Call<'_>) -> Result<Tensor, String> {
    let (first, second) = (call.input(0)?, call.input(1)?);
    let are_bits = first.kind == Kind::Bool && second.kind == Kind::Bool;
    if !are_bits && (call.op() != "Equal" || first.kind != second.kind || first.kind.is_real()) {
        return Err(format!("`{}` of numbers", call.op()));
    }
    let dims = common(&[first, second])?;
    let (mut result, second) = (first.spread(&dims)?, second.spread(&dims)?);
    for (bit, other) in result.numbers.iter_mut().zip(&second.numbers) {
        if call.op() == "Equal" {
            *bit = Number::of_bool(bit == other);
            continue;
        }
        let (bit_is, other_is) = (*bit != Number::Whole(0), *other != Number::Whole(0));
        *bit = Number::of_bool(match call.op() {
            "And" => bit_is && other_is,
            "Or" => bit_is || other_is,
            _ => bit_is != other_is,
        });
    }
    result.kind = Kind::Bool;
    Ok(result)
}

fn of_two(op: &str, kind: Kind, a: Number, b: Number) -> Result<Number, String> {
    let compared = match op {
        "Greater" => Some(a > b),
        "GreaterOrEqual" => Some(a >= b),
        "Less" => Some(a < b),
        "LessOrEqual" => Some(a <= b),
        _ => None,
    };
    if let Some(compared) = compared {
        return Ok(Number::of_bool(compared));
    }
    Ok(match (op, a, b) {
        ("Max", a, b) => {
            if b > a {
                b
            } else {
                a
            }
        }
        ("Min", a, b) => {
            if b < a {
                b
            } else {
                a
            }
        }
        (op, Number::Real(a), Number::Real(b)) => Number::Real(match op {
            "Add" | "Sum" | "Mean" => a + b,
            "Sub" => a - b,
            "Mul" => a * b,
            _ => a / b,
        }),
        (op, Number::Whole(a), Number::Whole(b)) => Number::Whole(kind.wrapped(match op {
            "Add" | "Sum" => a.wrapping_add(b),
            "Sub" => a.wrapping_sub(b),
            "Mul" => a.wrapping_mul(b),
            // This division rounds towards zero.
            _ if b != 0 => a.wrapping_div(b),
            _ => return Err("a whole number is divided by zero".to_owned()),
        })),
        _ => return Err("real and whole numbers".to_owned()),
    })
}

/// The numbers of the second array where the first one is true, and of the third elsewhere.
pub(crate) fn selected(call: &Call<'_>) -> Result<Tensor, String> {
    let (condition, yes, no) = (call.input(0)?, call.input(1)?, call.input(2)?);
    if condition.kind != Kind::Bool || yes.kind != no.kind {
        return Err("`Where` without a condition, or with different types".to_owned());
    }
    let dims = common(&[condition, yes, no])?;
    let (condition, yes, no) = (condition.spread(&dims)?, yes.spread(&dims)?, no.spread(&dims)?);
    let numbers = condition.numbers.iter().zip(yes.numbers.iter().zip(&no.numbers));
    let numbers = numbers.map(|(bit, (yes, no))| if *bit == Number::Whole(0) { *no } else { *yes }).collect();
    Tensor::new(yes.kind, dims, numbers)
}

/// Normalises channels, the second axis: numbers minus a mean, divided by a deviation, times a factor, plus a summand.
pub(crate) fn normalised(call: &Call<'_>) -> Result<Tensor, String> {
    if call.int("training_mode", 0) != 0 {
        return Err("training is not known here".to_owned());
    }
    let data = call.input(0)?;
    let channels = *data.dims.get(1).ok_or("there are no channels")?;
    let behind: usize = data.dims[2..].iter().product();
    let epsilon = call.float("epsilon", 1e-5);
    let of = |input: usize| {
        let tensor = call.input(input)?;
        if tensor.dims == [channels] { Ok(&tensor.numbers) } else { Err("not a number for each channel".to_owned()) }
    };
    let (factors, summands, means, variances) = (of(1)?, of(2)?, of(3)?, of(4)?);
    let mut result = data.clone();
    for (place, number) in result.numbers.iter_mut().enumerate() {
        let channel = place / behind % channels;
        let [factor, summand, mean, variance] =
            [factors, summands, means, variances].map(|numbers| numbers[channel].real());
        *number = Number::Real((number.real() - mean) * (factor / (variance + epsilon).sqrt()) + summand);
    }
    Ok(result)
}
