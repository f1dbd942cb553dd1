//! The shapes of the results of operations, and the errors in their inputs.

use cain_isa::Fraction;

use super::declaration::{Operation, Window};
use super::error::Problem;
use super::geometry::{Padding, Reach};
use super::limits::{MOST_CHANNELS, MOST_EVENTS, MOST_NUMBERS, MOST_PIXELS};
use super::shape::Shape;

/// The most halvings of a leaky rectifier.
const MOST_HALVINGS: u32 = 20;

/// The sizes of maps, without their bits.
#[derive(Clone, Copy)]
struct Size {
    channels: usize,
    height: usize,
    width: usize,
}

impl Size {
    fn shape(self) -> Shape {
        Shape::Maps { channels: self.channels, height: self.height, width: self.width, bits: false }
    }
}

impl Operation {
    /// The shape of the result of an operation on these inputs, of which there is at least one.
    pub(super) fn shape(&self, read: &[Shape]) -> Result<Shape, Problem> {
        let first = *read.first().ok_or(Problem::Sources { found: 0, several: self.reads_several() })?;
        self.check_numbers()?;
        let shape = match self {
            Self::Convolution { kernels, stride, dilation, padding, .. }
            | Self::Digital { kernels, stride, dilation, padding } => {
                check_kernels(kernels, maps(first)?)?;
                if let Self::Convolution { bias, .. } = self {
                    count("numbers of the bias", bias.len(), kernels.len())?;
                }
                let reach = Reach::of_kernels(kernels, *stride, *dilation, *padding);
                outputs(&reach, maps(first)?, kernels.len())?
            }
            Self::Logic { functions } => {
                let Size { height, width, .. } = maps(concatenate(read)?)?;
                if functions.is_empty() {
                    return Err(Problem::Zero { what: "number of expressions" });
                }
                Size { channels: functions.len(), height, width }.shape()
            }
            Self::Affine { scale, shift } => {
                let channels = match first {
                    Shape::Maps { channels, .. } => channels,
                    _ => numbers(first)?,
                };
                each("factors", scale.len(), channels)?;
                each("summands", shift.len(), channels)?;
                first
            }
            Self::Relu | Self::LeakyRelu { .. } | Self::Abs | Self::Clamp { .. } => maps(first)?.shape(),
            Self::Threshold { at, .. } => {
                each("thresholds", at.len(), maps(first)?.channels)?;
                first
            }
            Self::Maximum | Self::Minimum => {
                for &other in read {
                    let (a, b) = (maps(first)?, maps(other)?);
                    if (a.channels, a.height, a.width) != (b.channels, b.height, b.width) {
                        return Err(Problem::Different { first, other });
                    }
                }
                first
            }
            Self::MaxPool { size, stride, dilation, padding }
            | Self::MeanPool { size, stride, dilation, padding, .. } => {
                let reach = Reach { size: *size, stride: *stride, dilation: *dilation, padding: *padding };
                let maps = maps(first)?;
                let pooled = outputs(&reach, maps, maps.channels)?;
                if reach.pixels_within((maps.height, maps.width)).is_some_and(|of| of.concat().contains(&0)) {
                    return Err(Problem::OnlyPadding);
                }
                pooled
            }
            Self::Concatenate => concatenate(read)?,
            Self::Windows { windows, .. } => {
                let maps = windowed(first)?;
                for &window in windows {
                    check_window(window, maps)?;
                }
                if windows.is_empty() {
                    return Err(Problem::Zero { what: "number of windows" });
                }
                Shape::Numbers(maps.channels.saturating_mul(windows.len()))
            }
            Self::Plane => {
                let Size { channels, height, width } = maps(first)?;
                Shape::Numbers(channels.saturating_mul(height).saturating_mul(width))
            }
            Self::Events { capacity } => listed(first, *capacity)?,
            Self::Dense { weights, bias, bits } => {
                if !matches!(bits, 8 | 16) {
                    return Err(Problem::Bits(*bits));
                }
                let inputs = numbers(first)?;
                let columns = weights.first().map_or(0, Vec::len);
                if columns == 0 || weights.iter().any(|row| row.len() != columns) {
                    return Err(Problem::Ragged { what: "weights" });
                }
                count("weights for each output", columns, inputs)?;
                count("numbers of the bias", bias.len(), weights.len())?;
                Shape::Numbers(weights.len())
            }
            Self::Rectify | Self::Softmax => Shape::Numbers(numbers(first)?),
            Self::Argmax => numbers(first).map(|_| Shape::Numbers(1))?,
            Self::Join => {
                let mut sum = 0_usize;
                for &shape in read {
                    sum = sum.saturating_add(numbers(shape)?);
                }
                Shape::Numbers(sum)
            }
        };
        match shape {
            Shape::Maps { channels, .. } if channels > MOST_CHANNELS => Err(Problem::TooMany(shape)),
            Shape::Numbers(_) | Shape::Events { .. } if shape.values() > MOST_NUMBERS => Err(Problem::TooMany(shape)),
            _ => Ok(shape),
        }
    }

    /// Checks that numbers are finite and ranges not empty.
    fn check_numbers(&self) -> Result<(), Problem> {
        match self {
            Self::Convolution { bias, .. } => finite("bias", bias),
            Self::Affine { shift, .. } => finite("summand", shift),
            Self::LeakyRelu { exponent } if *exponent > MOST_HALVINGS => Err(Problem::Halvings(*exponent)),
            Self::Clamp { low, high } if low > high => Err(Problem::EmptyRange { low: *low, high: *high }),
            Self::Clamp { low, high } => finite("bound", &[*low, *high]),
            Self::Threshold { at, below, above, .. } => {
                finite("threshold", at).and_then(|()| finite("number of a bit", &[*below, *above]))
            }
            Self::Dense { weights, bias, .. } => {
                weights.iter().try_for_each(|row| finite("weight", row)).and_then(|()| finite("bias", bias))
            }
            _ => Ok(()),
        }
    }
}

/// Checks that kernels are equal in size and have a matrix for each channel.
fn check_kernels(kernels: &[Vec<Vec<Vec<Fraction>>>], maps: Size) -> Result<(), Problem> {
    let (rows, columns) = Reach::of_kernels(kernels, (1, 1), (1, 1), Padding::NONE).size;
    if rows == 0 || columns == 0 {
        return Err(Problem::Kernels);
    }
    for kernel in kernels {
        count("input channels of a kernel", kernel.len(), maps.channels)?;
        if kernel.iter().any(|matrix| matrix.len() != rows || matrix.iter().any(|row| row.len() != columns)) {
            return Err(Problem::Kernels);
        }
    }
    Ok(())
}

/// The maps that a sliding kernel or window makes.
fn outputs(reach: &Reach, maps: Size, channels: usize) -> Result<Shape, Problem> {
    let Padding { top, left, bottom, right } = reach.padding;
    let pairs = [("size", reach.size), ("stride", reach.stride), ("dilation", reach.dilation)];
    for (what, (rows, columns)) in pairs {
        if rows == 0 || columns == 0 {
            return Err(Problem::Zero { what });
        }
    }
    for (what, (rows, columns)) in pairs.into_iter().chain([("padding", (top.max(bottom), left.max(right)))]) {
        let found = rows.max(columns);
        if found > MOST_PIXELS {
            return Err(Problem::TooFar { what, found });
        }
    }
    let Some((height, width)) = reach.outputs((maps.height, maps.width)) else {
        let covered = |size: usize, dilation: usize| (size - 1) * dilation + 1;
        let covered = (covered(reach.size.0, reach.dilation.0), covered(reach.size.1, reach.dilation.1));
        return Err(Problem::TooLarge { found: maps.shape(), covered });
    };
    let found = height.max(width);
    if found > MOST_PIXELS {
        return Err(Problem::TooFar { what: "size of the result", found });
    }
    Ok(Size { channels, height, width }.shape())
}

/// The lists of pixels of maps of bits.
fn listed(read: Shape, capacity: usize) -> Result<Shape, Problem> {
    let Shape::Maps { channels, height, width, bits: true } = read else { return Err(Problem::NoBits(read)) };
    if !(1..=MOST_EVENTS).contains(&capacity) {
        return Err(Problem::Capacity(capacity));
    }
    Ok(Shape::Events { channels, height, width, capacity })
}

fn concatenate(read: &[Shape]) -> Result<Shape, Problem> {
    let mut sum = Size { channels: 0, height: 0, width: 0 };
    for &other in read {
        let maps = maps(other)?;
        if sum.channels > 0 && (sum.height, sum.width) != (maps.height, maps.width) {
            return Err(Problem::Different { first: Size { channels: 1, ..sum }.shape(), other });
        }
        sum = Size { channels: sum.channels.saturating_add(maps.channels), ..maps };
    }
    Ok(sum.shape())
}

fn check_window(window: Window, maps: Size) -> Result<(), Problem> {
    if window.height == 0 || window.width == 0 {
        return Err(Problem::Zero { what: "size of a window" });
    }
    let is_within = |start: usize, length: usize, end: usize| start.checked_add(length).is_some_and(|stop| stop <= end);
    if is_within(window.top, window.height, maps.height) && is_within(window.left, window.width, maps.width) {
        Ok(())
    } else {
        Err(Problem::Beyond { window, found: maps.shape() })
    }
}

fn maps(shape: Shape) -> Result<Size, Problem> {
    match shape {
        Shape::Maps { channels, height, width, .. } => Ok(Size { channels, height, width }),
        Shape::Numbers(_) | Shape::Events { .. } => Err(Problem::Kind { found: shape, maps: true }),
    }
}

/// The size of the maps, or of those whose pixels are listed.
fn windowed(shape: Shape) -> Result<Size, Problem> {
    match shape {
        Shape::Events { channels, height, width, .. } => Ok(Size { channels, height, width }),
        _ => maps(shape),
    }
}

fn numbers(shape: Shape) -> Result<usize, Problem> {
    match shape {
        Shape::Numbers(numbers) => Ok(numbers),
        Shape::Maps { .. } | Shape::Events { .. } => Err(Problem::Kind { found: shape, maps: false }),
    }
}

fn count(what: &'static str, found: usize, expected: usize) -> Result<(), Problem> {
    if found == expected { Ok(()) } else { Err(Problem::Count { what, found, expected }) }
}

/// Checks a list with an entry for each channel, or one for all.
fn each(what: &'static str, found: usize, expected: usize) -> Result<(), Problem> {
    if found == 1 { Ok(()) } else { count(what, found, expected) }
}

fn finite(what: &'static str, numbers: &[f64]) -> Result<(), Problem> {
    match numbers.iter().find(|number| !number.is_finite()) {
        Some(&found) => Err(Problem::NotFinite { what, found }),
        None => Ok(()),
    }
}
