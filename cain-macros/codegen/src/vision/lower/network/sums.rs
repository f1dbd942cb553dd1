//! Weighted sums of maps, at the largest scale at which they fit into registers.

use cain_isa::{Displacement, Fraction};
use cain_network::arithmetic::{common, exact, primitive};
use cain_network::{Operation as Layer, Reach, Source};
use cain_vision::declaration::Operation;

use super::super::bits::Bits;
use super::super::linear::Linear;
use super::super::operator::TOO_LARGE;
use super::super::{Lowering, Made};
use super::Call;
use super::channel::{Channel, Held, Level};
use super::places::Around;

/// The largest level that a sum may have, in DN.
const LIMIT: f64 = 126.0;
/// The most halvings of a sum that is too large.
const MOST_HALVINGS: u32 = 16;
/// The level of a bit that is 1.
const ONE: i32 = 64;

/// A pixel that a sum reads, and its weight.
struct Term {
    of: Level,
    at: Displacement,
    weight: Fraction,
}

impl Lowering<'_> {
    /// A map of sums, for each of these kernels one, with a summand.
    pub(super) fn sums(
        &mut self,
        call: &mut Call<'_>,
        reach: &Reach,
        maps: &[Channel],
        kernels: &[(Vec<Vec<Vec<Fraction>>>, f64)],
    ) -> Made<Vec<Channel>> {
        let mut read = Vec::new();
        for channel in maps {
            let leveled = self.leveled(call, channel)?;
            let around = Around::Level(leveled.1.near(0.0));
            let channel = Channel { grid: leveled.0.grid, held: Held::Levels(leveled.1) };
            let surrounded = self.surrounded(call, &channel, reach, around)?;
            read.push(self.leveled(call, &surrounded)?);
        }
        let mut made = Vec::new();
        for (kernel, bias) in kernels {
            let Some((first, _)) = read.first() else { continue };
            let (grid, taps) = self.outputs(call, reach, first.grid)?;
            let mut terms = Vec::new();
            for ((channel, level), matrix) in read.iter().zip(kernel) {
                let moved = self.seen_from(call, first, channel)?;
                for (at, weight) in taps.iter().flatten().zip(matrix.iter().flatten()) {
                    if !weight.is_zero() {
                        let at = at.checked_add(moved).ok_or_else(|| self.wrong(call.at, TOO_LARGE))?;
                        terms.push(Term { of: *level, at, weight: *weight });
                    }
                }
            }
            made.push(Channel { grid, held: Held::Levels(self.level_sum(call, &terms, *bias)?) });
        }
        Ok(made)
    }

    /// Where the pixels of a map are, seen from those of another one.
    pub(super) fn seen_from(&mut self, call: &Call<'_>, from: &Channel, to: &Channel) -> Made<Displacement> {
        let steps = |channel: &Channel| (channel.grid.row_step, channel.grid.column_step);
        if steps(from) != steps(to) {
            let reason = "the pixels of its maps are differently far apart on the array, after strides";
            return Err(self.refused(call, reason));
        }
        let (south, east) = (to.grid.top - from.grid.top, to.grid.left - from.grid.left);
        let along = |by: isize| i16::try_from(by).unwrap_or(i16::MAX);
        Ok(Displacement::new(along(east), -along(south)))
    }

    /// A map as levels.
    pub(super) fn leveled(&mut self, call: &Call<'_>, channel: &Channel) -> Made<(Channel, Level)> {
        let level = match &channel.held {
            Held::Levels(level) => *level,
            Held::Bits(bits, (zero, one)) => self.level_of_bits(call, bits, (*zero, *one))?,
        };
        Ok((Channel { grid: channel.grid, held: Held::Levels(level) }, level))
    }

    /// Bits as levels, of which one is 0 DN.
    fn level_of_bits(&mut self, call: &Call<'_>, bits: &Bits, (zero, one): (f64, f64)) -> Made<Level> {
        let number = match bits.known() {
            Some(bit) => Some(if bit { one } else { zero }),
            None => (zero.total_cmp(&one).is_eq()).then_some(zero),
        };
        if let Some(number) = number {
            return self.same_level(call, number);
        }
        let level = Fraction::from(ONE);
        let scale = exact(one - zero).and_then(|span| level.checked_div(span));
        let scale = scale.ok_or_else(|| self.refused(call, TOO_LARGE))?;
        let then = self.plane(&Linear::constant(level), call.at)?;
        let otherwise = self.plane(&Linear::default(), call.at)?;
        let bits = self.bit(bits.clone(), call.at)?;
        let of = self.define(Operation::Select { bits, then, otherwise }, call.at)?;
        Ok(Level { of, scale, zero: -zero * scale.to_f64(), low: 0.0, high: ONE.into(), step: Some(level) })
    }

    /// One number everywhere.
    pub(super) fn same_level(&mut self, call: &Call<'_>, number: f64) -> Made<Level> {
        let one = Fraction::from(if number == 0.0 { 0 } else { ONE });
        let scale = exact(number).filter(|number| !number.is_zero()).and_then(|number| one.checked_div(number));
        let of = self.plane(&Linear::constant(one), call.at)?;
        let (scale, level) = (scale.unwrap_or(Fraction::ONE), one.to_f64());
        Ok(Level { of, scale, zero: level - scale.to_f64() * number, low: level, high: level, step: Some(one) })
    }

    fn level_sum(&mut self, call: &Call<'_>, terms: &[Term], bias: f64) -> Made<Level> {
        self.spend(terms.len(), call.at)?;
        if terms.is_empty() {
            return self.same_level(call, bias);
        }
        let ratios = terms.iter().map(|term| term.weight.checked_div(term.of.scale)).collect::<Option<Vec<_>>>();
        let ratios = ratios.ok_or_else(|| self.refused(call, TOO_LARGE))?;
        let whole = primitive(&ratios).ok_or_else(|| self.refused(call, TOO_LARGE))?;
        let limit = LIMIT / share(call);
        for halvings in 0..=MOST_HALVINGS {
            let scale = whole.checked_div(Fraction::from(1 << halvings));
            let Some((linear, level)) = scale.and_then(|scale| at_scale(terms, &ratios, scale, bias)) else {
                return Err(self.refused(call, TOO_LARGE));
            };
            // The number 0 may be needed as a level.
            if [level.low, level.high].iter().all(|level| level.abs() <= limit) && level.zero.abs() <= LIMIT {
                let of = self.plane(&linear, call.at)?;
                let (low, high) = (level.low.max(-LIMIT), level.high.min(LIMIT));
                self.builder.limit(of, low, high);
                return Ok(Level { of, low, high, ..level });
            }
        }
        Err(self.refused(call, "its sums leave the range of registers at every scale"))
    }

    /// Bits as a Boolean function of others.
    pub(super) fn settled_bits(&mut self, bits: Bits, call: &Call<'_>) -> Made<Bits> {
        if bits.known().is_some() { Ok(bits) } else { Ok(Bits::plane(self.bit(bits, call.at)?)) }
    }
}

/// How far sums go that the present layer makes, as a share of what they could be: those of convolutions over maps.
fn share(call: &Call<'_>) -> f64 {
    let over_maps =
        call.network.layers.get(call.layer).filter(|layer| {
            matches!(layer.operation, Layer::Convolution { .. }) && !layer.from.contains(&Source::Image)
        });
    over_maps.map_or(1.0, |_| call.network.largest_sums.to_f64())
}

/// A sum at a scale.
fn at_scale(terms: &[Term], ratios: &[Fraction], scale: Fraction, bias: f64) -> Option<(Linear, Level)> {
    let mut linear = Linear::default();
    let (mut low, mut high, mut zero) = (0.0, 0.0, 0.0);
    let mut step = Some(Fraction::ZERO);
    for (term, ratio) in terms.iter().zip(ratios) {
        let weight = ratio.checked_mul(scale)?;
        linear = linear.plus(&Linear::plane(term.of.of).at(term.at)?, weight)?;
        let ends = [term.of.low, term.of.high].map(|end| end * weight.to_f64());
        low += ends[0].min(ends[1]);
        high += ends[0].max(ends[1]);
        zero += term.of.zero * weight.to_f64();
        step = step.zip(term.of.step).and_then(|(all, step)| common(all, step.checked_mul(weight)?.abs()));
    }
    let zero = zero - scale.to_f64() * bias;
    let level = Level { of: cain_vision::declaration::Value(usize::MAX), scale, zero, low, high, step };
    Some((linear, level))
}
