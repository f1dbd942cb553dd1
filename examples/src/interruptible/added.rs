//! The largest change that an interruption can make to the results of a kernel on a chip.

use cain_runtime::HostController as _;
use cain_runtime::isa::{ErrorModel, Fraction, Instruction, Kept, Plan, Range, Reg, Store, SwitchPoint};
use cain_runtime::prove::Prover;

use crate::cells::overwritten;

/// Fixed patterns are drawn for every PE; they stay within this many standard deviations.
const DEVIATIONS: f32 = 5.0;

/// The most that an interruption changes a result of a plan, in DN: the error of moving a value there and back, times
/// the gain of the rest of the program. Values that are computed again come out the same, since a chip's pattern is
/// fixed.
pub(crate) fn bound(plan: &Plan, errors: &ErrorModel) -> Option<f64> {
    let points = plan.switches.iter().flat_map(|table| table.points);
    let mut bounds = points.map(|point| of_point(plan, point, errors));
    bounds.try_fold(0.0, |most: f64, bound| Some(most.max(bound?)))
}

fn of_point(plan: &Plan, point: &SwitchPoint<'_>, errors: &ErrorModel) -> Option<f64> {
    let rest = plan.listing.get(point.resume as usize..)?;
    let gain = |output: &Reg| point.kept.iter().map(|kept| gain(plan, rest, *kept, *output)).sum::<Option<f64>>();
    let gains = plan.outputs.iter().map(gain).collect::<Option<Vec<_>>>()?;
    // Every word of the rest may add to the difference too.
    let words = rest.iter().flat_map(Instruction::words).count();
    let grows = f64::from(errors.gain + DEVIATIONS * errors.fixed_gain).max(1.0).powi(i32::try_from(words).ok()?);
    Some(gains.into_iter().fold(0.0, f64::max) * grows * f64::from(of_value(errors)))
}

/// The most that moving a value there and back changes it, if it is at least the error of a transfer away from the ends
/// of the range.
///
/// It arrives as x·g₁·g₂ + o·(1 − g₂), plus the patterns of both cells.
fn of_value(errors: &ErrorModel) -> f32 {
    let least = errors.gain - DEVIATIONS * errors.fixed_gain;
    let offset = errors.offset[0].abs();
    let value = f32::from(Range::SCAMP5.max) - offset;
    value * (1.0 - least * least) + offset * (1.0 - least) + 2.0 * DEVIATIONS * errors.fixed_offset
}

/// The effect of a change of the kept value on an output: the sum of the absolute values of its weights there.
fn gain(plan: &Plan, rest: &[Instruction], kept: Kept, output: Reg) -> Option<f64> {
    let mut prover = Prover::new(&[]);
    // Everything else is present too, but does not count here.
    overwritten(plan).analogue().iter().for_each(|reg| prover.load(Store::Reg(reg), 1));
    prover.load(Store::News, 1);
    prover.load(kept.home.map_or(Store::News, Store::Reg), 0);
    for instruction in rest {
        prover.execute(*instruction).ok()?;
    }
    let weights = prover.value(output)?.terms().filter(|(atom, _)| atom.channel == 0);
    let sum = weights.map(|(_, weight)| magnitude(weight)).sum::<f64>();
    Some(sum)
}

#[expect(clippy::cast_precision_loss, reason = "weights are small")]
fn magnitude(weight: Fraction) -> f64 {
    (weight.numerator() as f64 / weight.denominator() as f64).abs()
}
