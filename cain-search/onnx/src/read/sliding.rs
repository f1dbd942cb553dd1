//! Reads nodes that slide over maps: convolutions and pooling, and the padding of maps.

use cain_network::{MOST_CHANNELS, Padding, Reach};

use super::{Made, Reader};
use crate::axes::{self, Slice};
use crate::graph::Id;
use crate::kind::Kind;
use crate::op::{Convolution, Op};
use crate::substitutes;
use crate::tensor::Tensor;

/// The most rows and columns of a kernel or window, and the largest stride, dilation and padding.
const MOST: i64 = 256;

/// What a node puts around an array, after it has cut off a part of it.
struct Around {
    /// What is left where a negative padding cuts something off.
    slices: Vec<Slice>,
    /// The sizes of that.
    left: Vec<usize>,
    /// How often the number stands before and behind, along each axis.
    sides: Vec<(usize, usize)>,
    value: f64,
    /// The sizes with all of it.
    dims: Vec<usize>,
}

impl Reader<'_> {
    pub(super) fn convolution(&self) -> Result<Made, String> {
        self.check_float()?;
        let (channels, height, width) = self.maps()?;
        let weights = self.required(1)?;
        let [outputs, inputs, rows, columns] = *weights.dims.as_slice() else {
            return Err(format!("the weights have the sizes {:?}; expected four", weights.dims));
        };
        let groups = usize::try_from(self.node.int("group", 1)).unwrap_or(0);
        if groups == 0 || !outputs.is_multiple_of(groups) || inputs.checked_mul(groups) != Some(channels) {
            return Err(format!("weights for {inputs} channels in {groups} groups, but reads {channels} maps"));
        }
        if !(1..=MOST_CHANNELS).contains(&outputs) {
            return Err(format!("makes {outputs} maps; expected from 1 to {MOST_CHANNELS}"));
        }
        if self.node.ints("kernel_shape").is_some_and(|sizes| pair(sizes, "kernel_shape") != Ok((rows, columns))) {
            return Err(format!("`kernel_shape` is not that of the weights, {rows}×{columns}"));
        }
        let (height, width, reach) = self.outputs(self.reach((rows, columns), (height, width))?, (height, width))?;
        let bias = match self.constant(2)? {
            Some(bias) if bias.dims == [outputs] => bias.values.clone(),
            Some(bias) => return Err(format!("a bias of the sizes {:?} for {outputs} outputs", bias.dims)),
            None => vec![0.0; outputs],
        };
        let op = Op::Convolution(Convolution { weights, groups, scale: vec![1.0; outputs], bias, reach });
        self.alike(op, vec![1, outputs, height, width])
    }

    /// The largest numbers of windows.
    pub(super) fn largest_of_windows(&self) -> Result<Made, String> {
        self.number_kind()?;
        let (channels, height, width) = self.maps()?;
        let (height, width, reach) = self.outputs(self.windows()?, (height, width))?;
        self.alike(Op::MaxPool(reach), vec![1, channels, height, width])
    }

    /// The means of windows. Of those at the border, sizes that are rounded up leave out what is beyond the padding.
    pub(super) fn means_of_windows(&mut self) -> Result<Id, String> {
        self.check_float()?;
        let (channels, height, width) = self.maps()?;
        let declared = self.windows()?;
        let (rows, columns, reach) = self.outputs(declared, (height, width))?;
        let count_padding = self.node.int("count_include_pad", 0) != 0 && !reach.padding.is_none();
        let dims = vec![1, channels, rows, columns];
        let means = self.step(self.id(0)?, Op::MeanPool { reach, count_padding }, dims.clone())?;
        if !count_padding || reach.padding == declared.padding {
            return Ok(means);
        }
        let within = |places: usize, size: usize, dilation: usize, start: usize| {
            axes::number((0..size).filter(|tap| start + tap * dilation < places).count())
        };
        let (size, dilation, stride, padding) = (reach.size, reach.dilation, reach.stride, declared.padding);
        let (height, width) = (padding.top + height + padding.bottom, padding.left + width + padding.right);
        let pixels = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let values = pixels.map(|(row, column)| {
            let counted = within(height, size.0, dilation.0, row * stride.0)
                * within(width, size.1, dilation.1, column * stride.1);
            axes::number(size.0 * size.1) / counted
        });
        let scale = Tensor { kind: Kind::Double, dims: vec![1, 1, rows, columns], values: values.collect() };
        self.step(means, Op::Affine { scale, shift: Tensor::scalar(0.0) }, dims)
    }

    /// The windows of a node that pools, as its attributes tell.
    fn windows(&self) -> Result<Reach, String> {
        let (_, height, width) = self.maps()?;
        let sizes = self.node.ints("kernel_shape").ok_or("`kernel_shape` is missing")?;
        self.reach(pair(sizes, "kernel_shape")?, (height, width))
    }

    /// The channels, rows and columns of the first input.
    pub(super) fn maps(&self) -> Result<(usize, usize, usize), String> {
        match *self.dims(0)? {
            [1, channels, height, width] if channels * height * width > 0 => Ok((channels, height, width)),
            ref dims => Err(format!("reads the sizes {dims:?}; expected maps, [1, channels, rows, columns]")),
        }
    }

    /// The attributes of a node that slides over maps.
    pub(super) fn reach(&self, size: (usize, usize), maps: (usize, usize)) -> Result<Reach, String> {
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

    /// The rows and columns of the result, and the reach if sizes are rounded up.
    fn outputs(&self, reach: Reach, maps: (usize, usize)) -> Result<(usize, usize, Reach), String> {
        let mut padding = reach.padding;
        let too_large = || format!("{}×{} pixels do not fit maps of {}×{}", reach.size.0, reach.size.1, maps.0, maps.1);
        let (mut rows, mut columns) = reach.outputs(maps).ok_or_else(too_large)?;
        if self.node.int("ceil_mode", 0) != 0 {
            let more =
                |count: &mut usize, maps: usize, before: usize, after: &mut usize, size: usize, stride: usize| {
                    // A further window counts if it begins within the maps or the padding before them.
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
        Ok((rows, columns, Reach { padding, ..reach }))
    }

    /// Pads an array with a number.
    pub(super) fn padded(&mut self) -> Result<Id, String> {
        let Around { slices, left, sides, value, dims } = self.around()?;
        let mut array = self.id(0)?;
        let is_padded = sides.iter().any(|side| *side != (0, 0));
        if !is_padded && slices.is_empty() {
            return self.add(Made::Same(array));
        }
        let is_moved = self.is_moved(array);
        if !slices.is_empty() {
            array = self.step(array, Op::Slice(slices), left)?;
        }
        if !is_padded {
            return Ok(array);
        }
        let has_number = value == 0.0 || self.fact(0)?.kind.is_float();
        match (dims.as_slice(), sides.as_slice()) {
            ([1, ..], &[(0, 0), (0, 0), (top, bottom), (left, right)]) if has_number && !is_moved => {
                let padding = Padding { top, left, bottom, right };
                self.step(array, Op::around_maps(padding, value), dims)
            }
            _ => self.step(array, Op::Around { sides, value }, dims),
        }
    }

    /// Whether an array may have other axes than maps have in their order: something has changed them since a layer of maps.
    fn is_moved(&self, mut id: Id) -> bool {
        while let Some(node) = self.graph.node(id) {
            match &*node.op {
                Op::Transpose { .. } | Op::Reshape => return true,
                Op::Convolution(_) | Op::MaxPool(_) | Op::MeanPool { .. } | Op::Pad(_) | Op::Surrounded { .. } => {
                    return false;
                }
                _ => {}
            }
            let read = node.inputs.iter().find(|input| self.graph.constant(**input).is_none());
            let Some(read) = read else { return false };
            id = *read;
        }
        false
    }

    fn around(&self) -> Result<Around, String> {
        if let Some(problem) = substitutes::padding(self.node) {
            return Err(problem);
        }
        let value = match self.constant(2)? {
            Some(value) => value.single().ok_or("pads with several numbers; expected one")?,
            None => self.node.float("value", 0.0),
        };
        // Nothing is less than the least float either.
        let value = if value <= f64::from(f32::MIN) { f64::NEG_INFINITY } else { value };
        if value.is_nan() || value == f64::INFINITY {
            return Err(format!("pads with {value}; expected a finite number, or let the pooling pad"));
        }
        let mut left = self.dims(0)?.to_vec();
        let pads = match self.node.ints("pads") {
            Some(pads) if self.node.opset < 11 => pads.to_vec(),
            _ => self.required(1)?.integers(),
        };
        let axes = match self.integers(3)? {
            Some(axes) => axes::axes(&axes, left.len())?,
            None => (0..left.len()).collect(),
        };
        if pads.len() != 2 * axes.len() {
            return Err(format!("{} numbers of the padding; expected {}", pads.len(), 2 * axes.len()));
        }
        let (mut sides, mut slices) = (vec![(0, 0); left.len()], Vec::new());
        let mut dims = left.clone();
        let (before, after) = pads.split_at(axes.len());
        for (axis, (&before, &after)) in axes.into_iter().zip(before.iter().zip(after)) {
            let ((start, before), (end, after)) = (cut_or_added(before)?, cut_or_added(after)?);
            sides.iter_mut().skip(axis).take(1).for_each(|side| *side = (before, after));
            let Some((size, rest)) = dims.get_mut(axis).zip(left.get_mut(axis)) else { continue };
            if start + end > 0 {
                *rest = rest.checked_sub(start + end).filter(|rest| *rest > 0).ok_or_else(|| {
                    format!("cuts off {} of {size} along axis {axis}, so that nothing is left", start + end)
                })?;
                slices.push(Slice { axis, start, step: 1, count: *rest });
            }
            *size = *rest + before + after;
        }
        Ok(Around { slices, left, sides, value, dims })
    }
}

fn side(side: i64) -> Result<usize, String> {
    usize::try_from(side).ok().filter(|_| side <= MOST).ok_or(format!("a padding of {side}; expected from 0 to {MOST}"))
}

/// What a padding cuts off if it is negative, and what it adds otherwise.
fn cut_or_added(padding: i64) -> Result<(usize, usize), String> {
    let size = usize::try_from(padding.unsigned_abs()).ok().filter(|_| (-MOST..=MOST).contains(&padding));
    let size = size.ok_or_else(|| format!("a padding of {padding}; expected from -{MOST} to {MOST}"))?;
    Ok(if padding < 0 { (size, 0) } else { (0, size) })
}

fn pair(sizes: &[i64], name: &str) -> Result<(usize, usize), String> {
    let [rows, columns] = *sizes else {
        return Err(format!("{} numbers of `{name}`; expected two", sizes.len()));
    };
    let size = |size: i64| usize::try_from(size).ok().filter(|_| (1..=MOST).contains(&size));
    size(rows).zip(size(columns)).ok_or_else(|| format!("`{name}` is {sizes:?}; expected from 1 to {MOST}"))
}
