//! Nodes that slide over maps: convolutions, pooling, and the padding in front of them.

use cain_search::network::{Operation, Padding, Reach, Source};

use super::constants;
use super::graph::{Became, Op, Size, Value};
use super::nodes::Reader;

/// The most rows and columns of a kernel or window, and the largest stride, dilation and padding.
const MOST: i64 = 256;

impl Reader<'_> {
    pub(super) fn convolution(&mut self) -> Result<Value, String> {
        let (source, (channels, height, width), zeros) = self.padded()?;
        let weights = self.required(1)?;
        let [outputs, inputs, rows, columns] = *weights.dims.as_slice() else {
            return Err(format!("the weights have the sizes {:?}; expected four", weights.dims));
        };
        let groups = usize::try_from(self.node.int("group", 1)).unwrap_or(0);
        if groups == 0 || !outputs.is_multiple_of(groups) || inputs.checked_mul(groups) != Some(channels) {
            return Err(format!("weights for {inputs} channels in {groups} groups, but reads {channels} maps"));
        }
        let padded = with((height, width), zeros);
        let reach = self.reach((rows, columns), padded)?;
        let (height, width, padding) = self.outputs(&reach, padded)?;
        super::check_numbers(outputs.saturating_mul(channels).saturating_mul(rows * columns))?;
        let area = rows * columns;
        let kernel = |output: usize| {
            let first = output / (outputs / groups) * inputs;
            let matrix = |input: usize| {
                let own = input.checked_sub(first).filter(|input| *input < inputs);
                let at = |row: usize, column: usize| {
                    let place = own.map(|own| (output * inputs + own) * area + row * columns + column);
                    place.and_then(|place| weights.values.get(place).copied()).unwrap_or(0.0)
                };
                (0..rows).map(|row| (0..columns).map(|column| at(row, column)).collect()).collect()
            };
            (0..channels).map(matrix).collect()
        };
        let bias = match self.constant(2)? {
            Some(bias) if bias.values.len() == outputs => bias.values,
            Some(bias) => return Err(format!("a bias of {} numbers for {outputs} outputs", bias.values.len())),
            None => vec![0.0; outputs],
        };
        let op = Op::Convolution {
            weights: (0..outputs).map(kernel).collect(),
            bias,
            stride: reach.stride,
            dilation: reach.dilation,
            padding: sum(padding, zeros),
        };
        Ok(self.layer(vec![source], op, (outputs, height, width)))
    }

    pub(super) fn pooling(&mut self) -> Result<Value, String> {
        let (source, (channels, height, width), zeros) = self.padded()?;
        let sizes = self.node.ints("kernel_shape").ok_or("`kernel_shape` is missing")?.to_vec();
        let padded = with((height, width), zeros);
        let reach = self.reach(pair(&sizes, "kernel_shape")?, padded)?;
        let (height, width, own) = self.outputs(&reach, padded)?;
        let (Reach { size, stride, dilation, .. }, padding) = (reach, sum(own, zeros));
        let operation = if self.node.op == "MaxPool" {
            if !zeros.is_none() && !self.is_positive(source) {
                return Err(
                    "takes the maximum of zeros that were padded and of values that may be negative; rectify the maps \
                            first, or let the pooling pad"
                        .to_owned(),
                );
            }
            Operation::MaxPool { size, stride, dilation, padding }
        } else {
            let counts_own = self.node.int("count_include_pad", 0) != 0 && !own.is_none();
            if counts_own && own != reach.padding {
                return Err("`ceil_mode` with `count_include_pad` makes windows of different sizes".to_owned());
            }
            // Zeros that were padded before are pixels like others.
            if !zeros.is_none() && !own.is_none() && !counts_own {
                return Err(
                    "counts zeros that were padded before, but not its own padding; expected one of them".to_owned()
                );
            }
            Operation::MeanPool { size, stride, dilation, padding, count_padding: counts_own || !zeros.is_none() }
        };
        Ok(self.layer(vec![source], Op::Ready(operation), (channels, height, width)))
    }

    /// The attributes of what slides over maps.
    fn reach(&self, size: (usize, usize), maps: (usize, usize)) -> Result<Reach, String> {
        let attribute = |name: &str| match self.node.ints(name) {
            Some(sizes) => pair(sizes, name),
            None => Ok((1, 1)),
        };
        let (stride, dilation) = (attribute("strides")?, attribute("dilations")?);
        let zero = Reach { size, stride, dilation, padding: Padding::NONE };
        let size_fits = |size: usize| i64::try_from(size).is_ok_and(|size| (1..=MOST).contains(&size));
        if !size_fits(size.0) || !size_fits(size.1) {
            return Err(format!("a kernel of {}×{} pixels; at most {MOST}×{MOST} are possible", size.0, size.1));
        }
        let auto = self.node.text("auto_pad").unwrap_or_else(|| "NOTSET".to_owned());
        let padding = match auto.as_str() {
            "" | "NOTSET" => match self.node.ints("pads") {
                None => Padding::NONE,
                Some(&[top, left, bottom, right]) => {
                    Padding { top: side(top)?, left: side(left)?, bottom: side(bottom)?, right: side(right)? }
                }
                Some(pads) => return Err(format!("{} numbers of the padding; expected four", pads.len())),
            },
            "VALID" => Padding::NONE,
            "SAME_UPPER" | "SAME_LOWER" => {
                let total = |maps: usize, size: usize, stride: usize, dilation: usize| {
                    ((maps.div_ceil(stride) - 1) * stride + (size - 1) * dilation + 1).saturating_sub(maps)
                };
                let (rows, columns) =
                    (total(maps.0, size.0, stride.0, dilation.0), total(maps.1, size.1, stride.1, dilation.1));
                let before = |total: usize| if auto == "SAME_UPPER" { total / 2 } else { total.div_ceil(2) };
                let (top, left) = (before(rows), before(columns));
                Padding { top, left, bottom: rows - top, right: columns - left }
            }
            other => return Err(format!("`auto_pad` is `{other}`, which is unknown")),
        };
        Ok(Reach { padding, ..zero })
    }

    /// Rows and columns of the result, and the padding that it takes if sizes are rounded up.
    fn outputs(&self, reach: &Reach, maps: (usize, usize)) -> Result<(usize, usize, Padding), String> {
        let mut padding = reach.padding;
        let too_large = || format!("{}×{} pixels do not fit maps of {}×{}", reach.size.0, reach.size.1, maps.0, maps.1);
        let (mut rows, mut columns) = reach.outputs(maps).ok_or_else(too_large)?;
        if self.node.int("ceil_mode", 0) != 0 {
            let more =
                |count: &mut usize, maps: usize, before: usize, after: &mut usize, size: usize, stride: usize| {
                    // Another window, if it begins within the maps or the padding before them.
                    let start = *count * stride;
                    if start + size > maps + before + *after
                        && (*count - 1) * stride + size < maps + before + *after
                        && start < maps + before
                    {
                        *after = start + size - maps - before;
                        *count += 1;
                    }
                };
            let covered = |size: usize, dilation: usize| (size - 1) * dilation + 1;
            let (height, width) = (covered(reach.size.0, reach.dilation.0), covered(reach.size.1, reach.dilation.1));
            more(&mut rows, maps.0, padding.top, &mut padding.bottom, height, reach.stride.0);
            more(&mut columns, maps.1, padding.left, &mut padding.right, width, reach.stride.1);
        }
        Ok((rows, columns, padding))
    }

    /// Zeros around maps, which the convolution or pooling behind takes over.
    pub(super) fn pad(&mut self) -> Result<Value, String> {
        let mode = self.node.text("mode").filter(|mode| !mode.is_empty() && mode != "constant");
        if let Some(mode) = mode {
            return Err(format!("pads by `{mode}`; expected zeros, the mode `constant`"));
        }
        if let Some(value) = self.constant(2)?.and_then(|value| value.single()).filter(|value| *value != 0.0) {
            return Err(format!("pads with {value}; expected zeros"));
        }
        let rank = self.dims(0)?.len();
        let pads = self.required(1)?.integers();
        let axes = match self.constant(3)? {
            Some(axes) => {
                axes.integers().into_iter().map(|axis| constants::axis(axis, rank)).collect::<Result<Vec<_>, _>>()?
            }
            None => (0..rank).collect(),
        };
        if pads.len() != 2 * axes.len() {
            return Err(format!("{} numbers of the padding; expected {}", pads.len(), 2 * axes.len()));
        }
        let mut padding = Padding::NONE;
        let (before, after) = pads.split_at(axes.len());
        for (axis, (&before, &after)) in axes.into_iter().zip(before.iter().zip(after)) {
            let (before, after) = (side(before)?, side(after)?);
            match axis {
                2 => (padding.top, padding.bottom) = (before, after),
                3 => (padding.left, padding.right) = (before, after),
                _ if (before, after) == (0, 0) => {}
                _ => return Err(format!("pads axis {axis}; expected rows and columns only")),
            }
        }
        match &*self.input(0)? {
            value if padding.is_none() => Ok(value.clone()),
            Value::Maps(maps) => {
                self.became(&Became::Text("part of the layer behind it"));
                Ok(Value::Padded(maps.clone(), padding))
            }
            _ => Err("pads what are no maps, or what is padded already; expected one padding of maps".to_owned()),
        }
    }

    /// The maps that the first input reads, with nothing pending, and the zeros around them.
    fn padded(&mut self) -> Result<(Source, Size, Padding), String> {
        let name = self.name(0)?.to_owned();
        self.graph.padded(&name)
    }

    /// Whether maps are known to have no negative values.
    fn is_positive(&self, source: Source) -> bool {
        let Source::Layer(layer) = source else { return false };
        let Some(draft) = self.graph.drafts.get(layer) else { return false };
        match &draft.op {
            Op::Ready(Operation::Relu | Operation::Abs) => true,
            Op::Ready(Operation::Clamp { low, .. }) => *low >= 0.0,
            Op::Ready(Operation::Threshold { below, above, .. }) => *below >= 0.0 && *above >= 0.0,
            Op::Ready(Operation::Maximum) => draft.from.iter().any(|source| self.is_positive(*source)),
            Op::Ready(
                Operation::MaxPool { .. } | Operation::MeanPool { .. } | Operation::Minimum | Operation::Concatenate,
            ) => draft.from.iter().all(|source| self.is_positive(*source)),
            _ => false,
        }
    }
}

/// Maps with zeros around them.
fn with(size: (usize, usize), Padding { top, left, bottom, right }: Padding) -> (usize, usize) {
    (size.0 + top + bottom, size.1 + left + right)
}

fn sum(a: Padding, b: Padding) -> Padding {
    Padding { top: a.top + b.top, left: a.left + b.left, bottom: a.bottom + b.bottom, right: a.right + b.right }
}

fn side(side: i64) -> Result<usize, String> {
    usize::try_from(side).ok().filter(|_| side <= MOST).ok_or(format!("a padding of {side}; expected from 0 to {MOST}"))
}

fn pair(sizes: &[i64], name: &str) -> Result<(usize, usize), String> {
    let [rows, columns] = *sizes else {
        return Err(format!("{} numbers of `{name}`; expected two", sizes.len()));
    };
    let size = |size: i64| usize::try_from(size).ok().filter(|_| (1..=MOST).contains(&size));
    size(rows).zip(size(columns)).ok_or_else(|| format!("`{name}` is {sizes:?}; expected from 1 to {MOST}"))
}
