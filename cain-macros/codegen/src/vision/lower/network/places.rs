//! Where the pixels of maps are, and those that they are made of.

use cain_isa::program::{Grid, Selection};
use cain_isa::{Displacement, Fraction};
use cain_network::Reach;
use cain_vision::declaration::{Number, Operation, Value};

use super::super::bits::Bits;
use super::super::linear::Linear;
use super::super::operator::TOO_LARGE;
use super::super::thing::Thing;
use super::super::{Lowering, Made};
use super::channel::{Channel, Held, Level};
use super::{Call, SIDE};

const TOO_FAR: &str = "its pixels are outside of the array; give the picture another place, as in `at = (100, 100)`";

impl Lowering<'_> {
    /// The grid of outputs, each at one of the pixels that it reads, and the displacements of these.
    pub(super) fn outputs(
        &mut self,
        call: &Call<'_>,
        reach: &Reach,
        source: Grid,
    ) -> Made<(Grid, Vec<Vec<Displacement>>)> {
        let size = reach.outputs((source.height, source.width));
        let rows = (source.top, source.row_step, reach.size.0, reach.stride.0, reach.dilation.0, reach.padding.top);
        let columns =
            (source.left, source.column_step, reach.size.1, reach.stride.1, reach.dilation.1, reach.padding.left);
        let found = size.and_then(|(height, width)| Some((along(rows, height)?, along(columns, width)?)));
        let Some(((top, row_step, height, souths), (left, column_step, width, easts))) = found else {
            return Err(self.refused(call, TOO_FAR));
        };
        let grid = Grid { top, left, row_step, column_step, height, width };
        let taps = souths.iter().map(|south| easts.iter().map(|east| Displacement::new(*east, -south)).collect());
        Ok((grid, taps.collect()))
    }

    /// A map whose surroundings have a number, if outputs read them.
    pub(super) fn surrounded(
        &mut self,
        call: &mut Call<'_>,
        channel: &Channel,
        reach: &Reach,
        around: Around,
    ) -> Made<Channel> {
        let grid = channel.grid;
        if reach.padding_in_effect((grid.height, grid.width)).is_none() {
            return Ok(channel.clone());
        }
        let held = match (&channel.held, around) {
            (Held::Bits(bits, numbers), Around::Bit(bit)) => {
                let inside = Bits::plane(self.within(call, grid)?);
                let bits = if bit {
                    Bits::or(vec![bits.clone(), inside.not()])
                } else {
                    Bits::and(vec![bits.clone(), inside])
                };
                Held::Bits(Bits::plane(self.bit(bits, call.at)?), *numbers)
            }
            (Held::Levels(level), Around::Level(constant)) => {
                self.reaches_the_array(call, reach, grid)?;
                let inside = self.within(call, grid)?;
                let around = Thing::Levels(Linear::constant(constant));
                let surrounded = self.select(inside, &Thing::Levels(Linear::plane(level.of)), &around, call.at)?;
                let of = self.levels_value(&surrounded, call.at)?;
                let (low, high) = (level.low.min(constant.to_f64()), level.high.max(constant.to_f64()));
                Held::Levels(Level { of, low, high, step: level.step_with(constant), ..*level })
            }
            (held, _) => held.clone(),
        };
        Ok(Channel { grid, held })
    }

    /// Levels are not defined outside of the array.
    fn reaches_the_array(&mut self, call: &Call<'_>, reach: &Reach, grid: Grid) -> Made<()> {
        let padding = reach.padding_in_effect((grid.height, grid.width));
        let side = SIDE.cast_signed();
        let within = |first: isize, step: usize, count: usize, before: usize, after: usize| {
            let first_read = first - (before * step).cast_signed();
            let last_read = first + ((count - 1 + after) * step).cast_signed();
            first_read >= 0 && last_read < side
        };
        if within(grid.top, grid.row_step, grid.height, padding.top, padding.bottom)
            && within(grid.left, grid.column_step, grid.width, padding.left, padding.right)
        {
            return Ok(());
        }
        let reason = "its padding is outside of the array, where levels are not defined; give the picture another place, \
                      as in `at = (100, 100)`, or do without padding";
        Err(self.refused(call, reason))
    }

    /// Bits that are 1 in the rectangle of a map.
    pub(super) fn within(&mut self, call: &mut Call<'_>, grid: Grid) -> Made<Value> {
        let along = |count: usize, step: usize| (count.saturating_sub(1)) * step + 1;
        let area = [
            usize::try_from(grid.top).unwrap_or(0),
            usize::try_from(grid.left).unwrap_or(0),
            along(grid.height, grid.row_step),
            along(grid.width, grid.column_step),
        ];
        if let Some((_, value)) = call.inside.iter().find(|(known, _)| *known == area) {
            return Ok(*value);
        }
        let numbers = area.map(|number| Number::Constant(i64::try_from(number).unwrap_or(i64::MAX)));
        let value = self.define(Operation::Inside { area: numbers }, call.at)?;
        call.inside.push((area, value));
        Ok(value)
    }

    /// Bits that are 1 at the pixels of a map.
    fn pixels(&mut self, call: &mut Call<'_>, grid: Grid) -> Made<Bits> {
        let inside = Bits::plane(self.within(call, grid)?);
        if (grid.row_step, grid.column_step) == (1, 1) {
            return Ok(inside);
        }
        let [rows, columns] = [(grid.top, grid.row_step), (grid.left, grid.column_step)].map(|(first, step)| {
            let mask = u16::try_from(step - 1).ok().filter(|_| step.is_power_of_two())?;
            Some((u16::try_from(first).ok()? & mask, !mask))
        });
        let (Some((row, free_row_bits)), Some((column, free_column_bits))) = (rows, columns) else {
            let reason = "the pixels of its maps are not 1, 2, 4 and so on PEs apart, and cannot be chosen as bits";
            return Err(self.refused(call, reason));
        };
        let selection = Selection { row, column, free_row_bits, free_column_bits };
        let pattern = Bits::plane(self.define(Operation::Pattern(selection), call.at)?);
        Ok(Bits::and(vec![inside, pattern]))
    }

    /// A map as a plane: bits at its pixels, or levels as they are in the picture.
    pub(super) fn shown(&mut self, call: &mut Call<'_>, channel: &Channel, picture: &Channel) -> Made<Thing> {
        match &channel.held {
            Held::Bits(bits, _) => {
                let pixels = self.pixels(call, channel.grid)?;
                let bits = Bits::and(vec![bits.clone(), pixels]);
                Ok(Thing::Bits(Bits::plane(self.bit(bits, call.at)?)))
            }
            Held::Levels(level) => {
                let (scale, zero) = match &picture.held {
                    Held::Levels(of) => (of.scale, of.zero),
                    Held::Bits(..) => match Level::of_picture(level.of, &call.network.input, None) {
                        Some(of) => (of.scale, of.zero),
                        None => return Err(self.refused(call, TOO_LARGE)),
                    },
                };
                let factor = scale.checked_div(level.scale);
                let shown = factor.and_then(|factor| {
                    let constant = super::channel::near(zero - level.zero * factor.to_f64(), 0.0);
                    Linear::default()
                        .plus(&Linear::plane(level.of), factor)?
                        .plus(&Linear::constant(constant), Fraction::ONE)
                });
                let shown = shown.ok_or_else(|| self.refused(call, TOO_LARGE))?;
                Ok(Thing::Levels(Linear::plane(self.plane(&shown, call.at)?)))
            }
        }
    }
}

/// What is around a map.
#[derive(Clone, Copy)]
pub(super) enum Around {
    Bit(bool),
    Level(Fraction),
}

/// Where outputs are along an axis: the first one, their distance and how many they are; and how far away the pixels are that
/// each reads. They are at the pixel nearest to the middle that is on the array for all of them.
fn along(
    (first, step, size, stride, dilation, before): (isize, usize, usize, usize, usize, usize),
    count: usize,
) -> Option<(isize, usize, usize, Vec<i16>)> {
    let side = SIDE.cast_signed();
    let at = |tap: usize| first + ((tap * dilation).cast_signed() - before.cast_signed()) * step.cast_signed();
    let span = (count.checked_sub(1)? * step * stride).cast_signed();
    let middle = (size - 1) / 2;
    let taps = (0..size).filter(|tap| at(*tap) >= 0 && at(*tap) + span < side);
    let tap = taps.min_by_key(|tap| tap.abs_diff(middle))?;
    let away = |other: usize| i16::try_from(at(other) - at(tap)).ok();
    Some((at(tap), step * stride, count, (0..size).map(away).collect::<Option<_>>()?))
}
