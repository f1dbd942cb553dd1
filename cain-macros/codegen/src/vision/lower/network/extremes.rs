//! Largest and smallest values: of windows, and of several maps.

use cain_isa::{Displacement, Fraction};
use cain_network::Reach;
use cain_network::arithmetic::common;
use cain_vision::declaration::{Operation, Value};
use proc_macro2::Span;

use super::super::bits::Bits;
use super::super::linear::Linear;
use super::super::operator::TOO_LARGE;
use super::super::{Lowering, Made};
use super::Call;
use super::channel::{Channel, Held, Level, near};
use super::places::Around;

impl Lowering<'_> {
    pub(super) fn extreme_of(&mut self, is_largest: bool, a: Value, b: Value, at: Span) -> Made<Value> {
        self.define(if is_largest { Operation::Max(a, b) } else { Operation::Min(a, b) }, at)
    }

    /// The largest number of each window.
    pub(super) fn pooled(&mut self, call: &mut Call<'_>, reach: &Reach, channel: &Channel) -> Made<Channel> {
        let (grid, taps) = self.outputs(call, reach, channel.grid)?;
        if let Held::Bits(bits, numbers) = &channel.held {
            let is_any = numbers.1 > numbers.0;
            let settled = Held::Bits(self.settled_bits(bits.clone(), call)?, *numbers);
            let settled = Channel { held: settled, ..channel.clone() };
            let Held::Bits(bits, _) = self.surrounded(call, &settled, reach, Around::Bit(!is_any))?.held else {
                return Ok(channel.clone());
            };
            // What is outside of the array is 0.
            let bits = self.settled_bits(if is_any { bits } else { bits.not() }, call)?;
            let mut all = Vec::new();
            for tap in taps.concat() {
                all.push(self.bits_at(bits.clone(), tap, call.at)?);
            }
            self.spend(all.len(), call.at)?;
            let any = Bits::or(all);
            let bits = self.settled_bits(if is_any { any } else { any.not() }, call)?;
            return Ok(Channel { grid, held: Held::Bits(bits, *numbers) });
        }
        let (channel, level) = self.leveled(call, channel)?;
        let is_largest = !level.falls();
        // Padding has no number.
        let least = near(if is_largest { level.low.floor() } else { level.high.ceil() }, 0.0);
        let surrounded = self.surrounded(call, &channel, reach, Around::Level(least))?;
        let (_, read) = self.leveled(call, &surrounded)?;
        // Along rows first: each of these is read several times.
        let souths: Vec<Displacement> =
            taps.iter().filter_map(|row| row.first()).map(|tap| Displacement::new(0, tap.y)).collect();
        let easts: Vec<Displacement> =
            taps.first().into_iter().flatten().map(|tap| Displacement::new(tap.x, 0)).collect();
        let of = self.largest_at(call, read.of, &easts, is_largest)?;
        let of = self.largest_at(call, of, &souths, is_largest)?;
        Ok(Channel { grid, held: Held::Levels(Level { of, ..read }) })
    }

    fn largest_at(&mut self, call: &Call<'_>, of: Value, at: &[Displacement], is_largest: bool) -> Made<Value> {
        let mut largest: Option<Value> = None;
        for by in at {
            let moved = Linear::plane(of).at(*by).ok_or_else(|| self.refused(call, TOO_LARGE))?;
            let moved = self.plane(&moved, call.at)?;
            largest = Some(match largest {
                None => moved,
                Some(other) => self.extreme_of(is_largest, other, moved, call.at)?,
            });
        }
        Ok(largest.unwrap_or(of))
    }

    /// The largest, or the smallest, of several maps, channel by channel.
    pub(super) fn extremes(
        &mut self,
        call: &Call<'_>,
        is_largest: bool,
        sources: &[Vec<Channel>],
    ) -> Made<Vec<Channel>> {
        let Some(first) = sources.first() else { return Ok(Vec::new()) };
        let mut made = Vec::new();
        for place in 0..first.len() {
            let all: Vec<Channel> = sources.iter().filter_map(|maps| maps.get(place)).cloned().collect();
            made.push(self.extreme_of_maps(call, is_largest, &all)?);
        }
        Ok(made)
    }

    fn extreme_of_maps(&mut self, call: &Call<'_>, is_largest: bool, all: &[Channel]) -> Made<Channel> {
        let Some(first) = all.first() else { return Err(self.refused(call, "it reads nothing")) };
        let mut moved = Vec::new();
        for channel in all {
            moved.push(self.seen_from(call, first, channel)?);
        }
        let numbers = |channel: &Channel| if let Held::Bits(_, numbers) = channel.held { Some(numbers) } else { None };
        if let Some(both) = numbers(first).filter(|both| all.iter().all(|channel| numbers(channel) == Some(*both))) {
            let mut bits = Vec::new();
            for (channel, by) in all.iter().zip(&moved) {
                let Held::Bits(of, _) = &channel.held else { continue };
                let settled = self.settled_bits(of.clone(), call)?;
                bits.push(self.bits_at(settled, *by, call.at)?);
            }
            let is_any = is_largest == (both.1 > both.0);
            let bits = self.settled_bits(if is_any { Bits::or(bits) } else { Bits::and(bits) }, call)?;
            return Ok(Channel { grid: first.grid, held: Held::Bits(bits, both) });
        }
        let mut levels = Vec::new();
        for channel in all {
            levels.push(self.leveled(call, channel)?.1);
        }
        let least = levels.iter().map(|level| level.scale).min_by_key(|scale| scale.abs()).unwrap_or(Fraction::ONE);
        let mut of: Option<Level> = None;
        for (level, by) in levels.iter().zip(&moved) {
            let factor = least.checked_div(level.scale).filter(|factor| factor.is_dyadic());
            let Some(factor) = factor else {
                return Err(self.refused(call, "the scales of its maps cannot be made the same"));
            };
            let zero = of.map_or(level.zero * factor.to_f64(), |of| of.zero);
            let constant = near(zero - level.zero * factor.to_f64(), level.tolerance());
            let scaled = Linear::plane(level.of).at(*by).and_then(|plane| plane.times(factor));
            let scaled = scaled.and_then(|scaled| scaled.plus(&Linear::constant(constant), Fraction::ONE));
            let scaled = scaled.ok_or_else(|| self.refused(call, TOO_LARGE))?;
            let scaled = self.plane(&scaled, call.at)?;
            let ends = [level.low, level.high].map(|end| end * factor.to_f64() + constant.to_f64());
            let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
            let step = level.step.and_then(|step| common(step.checked_mul(factor.abs())?, constant));
            of = Some(match of {
                None => Level { of: scaled, scale: least, zero, low, high, step },
                Some(other) => {
                    let is_higher = is_largest != other.falls();
                    let of = self.extreme_of(is_higher, other.of, scaled, call.at)?;
                    Level {
                        of,
                        low: other.low.min(low),
                        high: other.high.max(high),
                        step: other.step.zip(step).and_then(|(a, b)| common(a, b)),
                        ..other
                    }
                }
            });
        }
        match of {
            Some(level) => Ok(Channel { grid: first.grid, held: Held::Levels(level) }),
            None => Err(self.refused(call, "it reads nothing")),
        }
    }
}
