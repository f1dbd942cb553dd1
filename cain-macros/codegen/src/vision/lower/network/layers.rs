//! Layers of maps on the array.

use cain_digital::Logic;
use cain_isa::{Displacement, Fraction};
use cain_network::{Operation as Layer, Reach};
use cain_vision::declaration::Operation;

use super::super::bits::Bits;
use super::super::linear::Linear;
use super::super::operator::TOO_LARGE;
use super::super::{Lowering, Made};
use super::Call;
use super::channel::{Channel, Held, Level, between, entry};
use super::places::Around;

/// How exactly levels are compared of which nothing is known.
const ENOUGH: f64 = 1.0 / 16.0;

impl Lowering<'_> {
    /// What a layer makes of maps.
    pub(super) fn layer(&mut self, call: &mut Call<'_>, layer: &Layer, sources: &[Vec<Channel>]) -> Made<Vec<Channel>> {
        let maps = sources.concat();
        match layer {
            Layer::Convolution { kernels, bias, stride, dilation, padding } => {
                let size = kernels
                    .first()
                    .and_then(|kernel| kernel.first())
                    .map_or((0, 0), |rows| (rows.len(), rows.first().map_or(0, Vec::len)));
                let reach = Reach { size, stride: *stride, dilation: *dilation, padding: *padding };
                let kernels: Vec<_> = kernels.iter().cloned().zip(bias.iter().copied()).collect();
                self.sums(call, &reach, &maps, &kernels)
            }
            Layer::MeanPool { size, stride, dilation, padding, count_padding } => {
                let reach = Reach { size: *size, stride: *stride, dilation: *dilation, padding: *padding };
                let mut made = Vec::new();
                for channel in maps {
                    let within = reach.pixels_of_each((channel.grid.height, channel.grid.width));
                    let pixels = if *count_padding { Some(size.0 * size.1) } else { within };
                    let weight = pixels.and_then(|pixels| Fraction::new(1, i64::try_from(pixels).ok()?));
                    let Some(weight) = weight else {
                        let reason = "its means are over fewer pixels at the border; count the padding with \
                                      `count_padding = true`";
                        return Err(self.refused(call, reason));
                    };
                    let kernel = (vec![vec![vec![weight; size.1]; size.0]], 0.0);
                    made.extend(self.sums(call, &reach, &[channel], &[kernel])?);
                }
                Ok(made)
            }
            Layer::Affine { scale, shift } => {
                let each = maps.into_iter().enumerate();
                each.map(|(i, channel)| self.affine(call, channel, entry(scale, i), entry(shift, i))).collect()
            }
            Layer::Relu => {
                self.each_level(call, maps, |lowering, call, level| lowering.at_least_number(call, level, 0.0))
            }
            Layer::Clamp { low, high } => self.each_level(call, maps, |lowering, call, level| {
                let level = lowering.at_least_number(call, level, *low)?;
                lowering.at_most_number(call, level, *high)
            }),
            Layer::Abs => self.each_level(call, maps, |lowering, call, level| {
                let (of, level) = lowering.centred(call, level)?;
                let of = lowering.define(Operation::Abs(of), call.at)?;
                let high = level.high.max(-level.low);
                Ok(Level { of, scale: level.scale.abs(), low: 0.0, high, ..level })
            }),
            Layer::LeakyRelu { exponent } => self.each_level(call, maps, |lowering, call, level| {
                let (of, level) = lowering.centred(call, level)?;
                let slope = Fraction::new(1, 1_i64 << exponent).unwrap_or_default();
                let smaller = Linear::plane(of).times(slope).ok_or_else(|| lowering.refused(call, TOO_LARGE))?;
                let smaller = lowering.plane(&smaller, call.at)?;
                let of = lowering.extreme_of(!level.falls(), of, smaller, call.at)?;
                let step = level.step.and_then(|step| step.checked_mul(slope));
                Ok(Level { of, step, ..level })
            }),
            Layer::Threshold { at, inclusive, below, above } => {
                let each = maps.into_iter().enumerate();
                let made = each.map(|(i, channel)| {
                    let bits = self.threshold(call, &channel, entry(at, i), *inclusive)?;
                    Ok(Channel { grid: channel.grid, held: Held::Bits(bits, (*below, *above)) })
                });
                made.collect()
            }
            Layer::Logic { functions } => self.functions(call, functions, &maps),
            Layer::MaxPool { size, stride, dilation, padding } => {
                let reach = Reach { size: *size, stride: *stride, dilation: *dilation, padding: *padding };
                maps.iter().map(|channel| self.pooled(call, &reach, channel)).collect()
            }
            Layer::Maximum => self.extremes(call, true, sources),
            Layer::Minimum => self.extremes(call, false, sources),
            Layer::Concatenate => Ok(maps),
            Layer::Digital { .. } => {
                let reason =
                    "its sums are numbers of several bits in each PE; a `convolution` makes the same sums as levels";
                Err(self.refused(call, reason))
            }
            _ => Err(self.refused(call, "it makes no maps")),
        }
    }

    /// Maps of levels that are made of maps one by one.
    fn each_level(
        &mut self,
        call: &Call<'_>,
        maps: Vec<Channel>,
        make: impl Fn(&mut Self, &Call<'_>, Level) -> Made<Level>,
    ) -> Made<Vec<Channel>> {
        let mut made = Vec::new();
        for channel in maps {
            let (channel, level) = self.leveled(call, &channel)?;
            made.push(Channel { held: Held::Levels(make(self, call, level)?), ..channel });
        }
        Ok(made)
    }

    /// A factor and a summand; they change what levels and bits stand for.
    fn affine(&mut self, call: &Call<'_>, channel: Channel, scale: Fraction, shift: f64) -> Made<Channel> {
        let held = match channel.held {
            Held::Bits(bits, (zero, one)) => {
                let number = |of: f64| of * scale.to_f64() + shift;
                Held::Bits(bits, (number(zero), number(one)))
            }
            Held::Levels(_) if scale.is_zero() => Held::Levels(self.same_level(call, shift)?),
            Held::Levels(level) => {
                let factor = level.scale.checked_div(scale).ok_or_else(|| self.refused(call, TOO_LARGE))?;
                Held::Levels(Level { scale: factor, zero: level.zero - factor.to_f64() * shift, ..level })
            }
        };
        Ok(Channel { held, ..channel })
    }

    /// Numbers below one become that one.
    fn at_least_number(&mut self, call: &Call<'_>, level: Level, number: f64) -> Made<Level> {
        self.bounded(call, level, number, !level.falls())
    }

    /// Numbers above one become that one.
    fn at_most_number(&mut self, call: &Call<'_>, level: Level, number: f64) -> Made<Level> {
        self.bounded(call, level, number, level.falls())
    }

    /// Levels below that of a number, or above it, become that level.
    fn bounded(&mut self, call: &Call<'_>, level: Level, number: f64, is_lower: bool) -> Made<Level> {
        let end = level.level(number);
        let (never, always) =
            if is_lower { (end <= level.low, end >= level.high) } else { (end >= level.high, end <= level.low) };
        if never {
            return Ok(level);
        }
        if always {
            return self.same_level(call, number);
        }
        let constant = level.near(number);
        let other = self.plane(&Linear::constant(constant), call.at)?;
        let of = self.extreme_of(is_lower, level.of, other, call.at)?;
        let bounded = |of: f64| if is_lower { of.max(constant.to_f64()) } else { of.min(constant.to_f64()) };
        let step = level.step_with(constant);
        Ok(Level { of, low: bounded(level.low), high: bounded(level.high), step, ..level })
    }

    /// Levels whose number 0 is 0 DN.
    fn centred(&mut self, call: &Call<'_>, level: Level) -> Made<(cain_vision::declaration::Value, Level)> {
        let constant = level.near(0.0);
        let minus = Fraction::from(-1);
        let moved = Linear::plane(level.of).plus(&Linear::constant(constant), minus);
        let moved = moved.ok_or_else(|| self.refused(call, TOO_LARGE))?;
        let of = self.plane(&moved, call.at)?;
        let [low, high] = [level.low, level.high].map(|end| end - constant.to_f64());
        Ok((of, Level { of, zero: 0.0, low, high, step: level.step_with(constant), ..level }))
    }

    fn threshold(&mut self, call: &Call<'_>, channel: &Channel, at: f64, inclusive: bool) -> Made<Bits> {
        let is_above = |number: f64| if inclusive { number >= at } else { number > at };
        let level = match &channel.held {
            Held::Bits(bits, (zero, one)) => {
                return Ok(match (is_above(*zero), is_above(*one)) {
                    (false, true) => bits.clone(),
                    (true, false) => bits.clone().not(),
                    (both, _) => Bits::constant(both),
                });
            }
            Held::Levels(level) => level,
        };
        let end = level.level(at);
        // Above it where numbers are below, if they fall.
        let (is_strict, is_inverted) = if level.falls() { (inclusive, true) } else { (!inclusive, false) };
        if level.low.total_cmp(&level.high).is_eq() {
            return Ok(Bits::constant(is_above((level.low - level.zero) / level.scale.to_f64())));
        }
        if end >= level.high + 1.0 || end <= level.low - 1.0 {
            return Ok(Bits::constant((end < level.low) != is_inverted));
        }
        let step = level.step.filter(|step| !step.is_zero()).map_or(ENOUGH, Fraction::to_f64);
        let place = end / step;
        let place = if (place - place.round()).abs() < 1e-9 { place.round() } else { place };
        let first = if is_strict { place.floor() } else { place.ceil() - 1.0 };
        let above = self.above(level.of, between(first * step, (first + 1.0) * step), call.at)?;
        self.settled_bits(if is_inverted { above.not() } else { above }, call)
    }

    fn functions(&mut self, call: &mut Call<'_>, functions: &[Logic], maps: &[Channel]) -> Made<Vec<Channel>> {
        let Some(first) = maps.first() else { return Ok(Vec::new()) };
        let mut inputs = Vec::new();
        let mut moved = Vec::new();
        for channel in maps {
            moved.push(self.seen_from(call, first, channel)?);
            let Held::Bits(bits, _) = &channel.held else { return Err(self.refused(call, "it reads levels")) };
            let (height, width) = (channel.grid.height, channel.grid.width);
            let around = Reach {
                size: (3, 3),
                stride: (1, 1),
                dilation: (1, 1),
                padding: cain_network::Padding { top: 1, left: 1, bottom: 1, right: 1 },
            };
            let is_whole = (height, width) == (super::SIDE, super::SIDE);
            let is_moved =
                functions.iter().any(|function| function.pixels().iter().any(|(_, _, at)| *at != Displacement::ZERO));
            let settled = Held::Bits(self.settled_bits(bits.clone(), call)?, (0.0, 1.0));
            let channel = Channel { held: settled, ..channel.clone() };
            let channel = if is_moved && !is_whole {
                self.surrounded(call, &channel, &around, Around::Bit(false))?
            } else {
                channel
            };
            let Held::Bits(bits, _) = channel.held else { continue };
            inputs.push(vec![Bits::plane(self.bit(bits, call.at)?)]);
        }
        let mut made = Vec::new();
        for function in functions {
            self.spend(function.size(), call.at)?;
            let steps = |at: i16, step: usize| i16::try_from(isize::from(at) * step.cast_signed()).ok();
            let placed = function.with_pixels(&|input, bit, at| {
                let by = Displacement::new(steps(at.x, first.grid.column_step)?, steps(at.y, first.grid.row_step)?);
                Some(Logic::Pixel { input, bit, at: by.checked_add(*moved.get(input)?)? })
            });
            let placed = placed.ok_or_else(|| self.refused(call, TOO_LARGE))?;
            let bits = self.settled_bits(Bits::of(&placed, &inputs), call)?;
            made.push(Channel { grid: first.grid, held: Held::Bits(bits, (0.0, 1.0)) });
        }
        Ok(made)
    }
}
