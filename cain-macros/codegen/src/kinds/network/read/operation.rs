//! The operations of layers.

use cain_isa::Fraction;
use cain_network::{Operation, Padding, Reach, Shape, Window};

use super::logic;
use super::sources::Sources;
use super::values::{kernels, padding};
use crate::errors::Errors;
use crate::kinds::beside::Beside;
use crate::kinds::values::{counts, exact, pair, real, whole_up_to};
use crate::tree::Place;
use crate::value::{Entry, Fields, list};

/// The operations and the keys of their layers.
pub(crate) const OPERATIONS: [(&str, &[&str]); 22] = [
    ("convolution", &["kernels", "scale", "bias", "stride", "dilation", "padding"]),
    ("affine", &["scale", "shift"]),
    ("relu", &[]),
    ("leaky_relu", &["slope"]),
    ("abs", &[]),
    ("clamp", &["low", "high"]),
    ("maximum", &[]),
    ("minimum", &[]),
    ("threshold", &["at", "inclusive", "values"]),
    ("digital", &["kernels", "stride", "dilation", "padding"]),
    ("logic", &["expressions"]),
    ("max_pool", &["size", "stride", "dilation", "padding"]),
    ("mean_pool", &["size", "stride", "dilation", "padding", "count_padding"]),
    ("concatenate", &[]),
    ("windows", &["windows", "size", "mean"]),
    ("plane", &[]),
    ("events", &["capacity"]),
    ("dense", &["weights", "bias", "bits"]),
    ("rectify", &[]),
    ("softmax", &[]),
    ("argmax", &[]),
    ("join", &[]),
];

/// Reads an operation of that name; `None` if that is not possible. `sources` is what the layer reads.
pub(crate) fn read<S: Place>(
    name: &str,
    layer: &Entry<'_, S>,
    fields: &Fields<'_, S>,
    sources: &Sources<'_>,
    beside: &mut Beside<'_>,
    errors: &mut Errors<S>,
) -> Option<Operation> {
    let mut keys = Keys { layer, fields, errors };
    match name {
        "convolution" => convolution(&mut keys),
        "affine" => affine(&mut keys),
        "relu" => Some(Operation::Relu),
        "leaky_relu" => leaky_relu(&mut keys),
        "abs" => Some(Operation::Abs),
        "clamp" => {
            let (low, high) = (keys.required("low", "-128", real), keys.required("high", "127", real));
            Some(Operation::Clamp { low: low?, high: high? })
        }
        "maximum" => Some(Operation::Maximum),
        "minimum" => Some(Operation::Minimum),
        "threshold" => threshold(&mut keys),
        "digital" => digital(&mut keys),
        "logic" => {
            let functions = |entry: &Entry<'_, S>, errors: &mut _| logic::functions(entry, sources, errors);
            let functions = keys.required("expressions", "\"edge & !edge@east\"", functions);
            Some(Operation::Logic { functions: functions? })
        }
        "max_pool" => {
            let Reach { size, stride, dilation, padding } = pooling(&mut keys)?;
            Some(Operation::MaxPool { size, stride, dilation, padding })
        }
        "mean_pool" => {
            let windows = pooling(&mut keys);
            let count_padding = keys.optional("count_padding", Entry::flag);
            let (Reach { size, stride, dilation, padding }, count_padding) =
                (windows?, count_padding?.unwrap_or(false));
            Some(Operation::MeanPool { size, stride, dilation, padding, count_padding })
        }
        "concatenate" => Some(Operation::Concatenate),
        "windows" => windows(&mut keys, sources),
        "plane" => Some(Operation::Plane),
        "events" => {
            let capacity = keys.required("capacity", "100", |entry, errors| whole_up_to(entry, u32::MAX, errors));
            Some(Operation::Events { capacity: usize::try_from(capacity?).unwrap_or(usize::MAX) })
        }
        "dense" => dense(&mut keys, beside),
        "rectify" => Some(Operation::Rectify),
        "softmax" => Some(Operation::Softmax),
        "argmax" => Some(Operation::Argmax),
        "join" => Some(Operation::Join),
        _ => None,
    }
}

/// The keys of a layer.
struct Keys<'k, 'd, S> {
    layer: &'k Entry<'d, S>,
    fields: &'k Fields<'d, S>,
    errors: &'k mut Errors<S>,
}

impl<'d, S: Place> Keys<'_, 'd, S> {
    /// The value of a key that must be there.
    fn required<T>(
        &mut self,
        key: &str,
        example: &str,
        value: impl FnOnce(&Entry<'d, S>, &mut Errors<S>) -> Option<T>,
    ) -> Option<T> {
        let Some(entry) = self.fields.get(key) else {
            self.layer.wrong(format_args!("`{key}` is missing; add `{key} = {example}`"), self.errors);
            return None;
        };
        value(&entry, self.errors)
    }

    /// The value of a key that need not be there; `None` if it is there and wrong.
    #[expect(clippy::option_option, reason = "wrong, missing, or there")]
    fn optional<T>(
        &mut self,
        key: &str,
        value: impl FnOnce(&Entry<'d, S>, &mut Errors<S>) -> Option<T>,
    ) -> Option<Option<T>> {
        match self.fields.get(key) {
            Some(entry) => value(&entry, self.errors).map(Some),
            None => Some(None),
        }
    }
}

fn convolution<S: Place>(keys: &mut Keys<'_, '_, S>) -> Option<Operation> {
    let weights = keys.required("kernels", "[[[1, 2, 1]]]", kernels);
    let scale = keys.optional("scale", |entry, errors| Some((exact(entry, errors)?, entry.at)));
    let bias = keys.optional("bias", reals);
    let stride = keys.optional("stride", pair);
    let dilation = keys.optional("dilation", pair);
    let padding = keys.optional("padding", padding);
    let mut kernels = weights?;
    if let Some((scale, at)) = scale? {
        let weights = kernels.iter_mut().flatten().flatten().flatten();
        for weight in weights {
            let Some(scaled) = weight.checked_mul(scale) else {
                keys.errors.add(at, format_args!("{weight} times {scale} does not fit a fraction of 64-bit integers"));
                return None;
            };
            *weight = scaled;
        }
    }
    let bias = each(bias?.as_deref(), kernels.len(), 0.0);
    Some(Operation::Convolution {
        kernels,
        bias,
        stride: stride?.unwrap_or((1, 1)),
        dilation: dilation?.unwrap_or((1, 1)),
        padding: padding?.unwrap_or(Padding::NONE),
    })
}

fn digital<S: Place>(keys: &mut Keys<'_, '_, S>) -> Option<Operation> {
    let kernels = keys.required("kernels", "[[[1, 1, 1], [1, 1, 1], [1, 1, 1]]]", kernels);
    let stride = keys.optional("stride", pair);
    let dilation = keys.optional("dilation", pair);
    let padding = keys.optional("padding", padding);
    Some(Operation::Digital {
        kernels: kernels?,
        stride: stride?.unwrap_or((1, 1)),
        dilation: dilation?.unwrap_or((1, 1)),
        padding: padding?.unwrap_or_default(),
    })
}

fn affine<S: Place>(keys: &mut Keys<'_, '_, S>) -> Option<Operation> {
    let scale = keys.optional("scale", |entry, errors| list(entry, errors, exact));
    let shift = keys.optional("shift", reals);
    Some(Operation::Affine {
        scale: scale?.unwrap_or_else(|| vec![Fraction::ONE]),
        shift: shift?.unwrap_or_else(|| vec![0.0]),
    })
}

fn leaky_relu<S: Place>(keys: &mut Keys<'_, '_, S>) -> Option<Operation> {
    keys.required("slope", "\"1/8\"", |entry, errors| {
        let slope = exact(entry, errors)?;
        if slope.numerator() != 1 || !slope.is_dyadic() {
            entry.wrong(format_args!("the slope {slope} is not possible; expected 1/2^k, such as \"1/8\""), errors);
            return None;
        }
        Some(Operation::LeakyRelu { exponent: slope.denominator().trailing_zeros() })
    })
}

fn threshold<S: Place>(keys: &mut Keys<'_, '_, S>) -> Option<Operation> {
    let at = keys.required("at", "0", reals);
    let inclusive = keys.optional("inclusive", Entry::flag);
    let values = keys.optional("values", |entry, errors| {
        let values = list(entry, errors, real)?;
        let [below, above] = values.as_slice() else {
            entry.expected("the numbers that 0 and 1 stand for, such as `[0, 1]`", errors);
            return None;
        };
        Some((*below, *above))
    });
    let (at, inclusive, values) = (at?, inclusive?, values?);
    let (below, above) = values.unwrap_or((0.0, 1.0));
    Some(Operation::Threshold { at, inclusive: inclusive.unwrap_or(false), below, above })
}

fn pooling<S: Place>(keys: &mut Keys<'_, '_, S>) -> Option<Reach> {
    let size = keys.required("size", "[2, 2]", pair);
    let stride = keys.optional("stride", pair);
    let dilation = keys.optional("dilation", pair);
    let padding = keys.optional("padding", padding);
    let size = size?;
    Some(Reach {
        size,
        stride: stride?.unwrap_or(size),
        dilation: dilation?.unwrap_or((1, 1)),
        padding: padding?.unwrap_or_default(),
    })
}

const NO_WINDOWS: Operation = Operation::Windows { windows: Vec::new(), mean: false };

fn windows<S: Place>(keys: &mut Keys<'_, '_, S>, sources: &Sources<'_>) -> Option<Operation> {
    let listed = keys.optional("windows", listed_windows);
    let tiles = keys.optional("size", |entry, errors| Some((pair(entry, errors)?, entry.at)));
    let mean = keys.optional("mean", Entry::flag);
    let windows = match (listed?, tiles?) {
        (Some(listed), None) => listed,
        (None, Some((size, at))) => {
            // That numbers have no windows is reported with the network as a whole.
            let (Shape::Maps { height, width, .. } | Shape::Events { height, width, .. }) = sources.shape()? else {
                return Some(NO_WINDOWS);
            };
            let tiles = Window::tiles((height, width), size);
            if tiles.is_empty() {
                let (rows, columns) = size;
                let message = format!("no window of {rows}×{columns} pixels fits maps of {height}×{width}");
                keys.errors.add(at, message);
                return None;
            }
            tiles
        }
        (listed, _) => {
            let found = if listed.is_some() { "both are given" } else { "neither is given" };
            let message = format!(
                "expected either `windows = [[top, left, height, width], ..]` or the `size` of windows side by side; {found}"
            );
            keys.layer.wrong(message, keys.errors);
            return None;
        }
    };
    Some(Operation::Windows { windows, mean: mean?.unwrap_or(false) })
}

fn listed_windows<S: Place>(entry: &Entry<'_, S>, errors: &mut Errors<S>) -> Option<Vec<Window>> {
    const EXPECTED: &str = "windows such as `[[0, 0, 7, 7]]`: top, left, height, width";
    let windows: Vec<_> = entry
        .array(EXPECTED, errors)?
        .iter()
        .map(|entry| {
            let [top, left, height, width] = *counts(entry, EXPECTED, errors)?.as_slice() else {
                entry.expected(EXPECTED, errors);
                return None;
            };
            Some(Window { top, left, height, width })
        })
        .collect();
    windows.into_iter().collect()
}

fn dense<S: Place>(keys: &mut Keys<'_, '_, S>, beside: &mut Beside<'_>) -> Option<Operation> {
    let weights = keys.required("weights", "[[0.5, -0.25]]", |entry, errors| beside.matrix(entry, errors));
    let bias = keys.optional("bias", |entry, errors| beside.list(entry, errors));
    let bits = keys.optional("bits", |entry, errors| whole_up_to(entry, u32::MAX, errors));
    let weights = weights?;
    let bias = each(bias?.as_deref(), weights.len(), 0.0);
    Some(Operation::Dense { weights, bias, bits: bits?.unwrap_or(16) })
}

fn reals<S: Place>(entry: &Entry<'_, S>, errors: &mut Errors<S>) -> Option<Vec<f64>> {
    list(entry, errors, real)
}

/// A list as given; one number, or none, stands for all.
fn each(given: Option<&[f64]>, count: usize, default: f64) -> Vec<f64> {
    match given {
        None => vec![default; count],
        Some([all]) => vec![*all; count],
        Some(listed) => listed.to_vec(),
    }
}
