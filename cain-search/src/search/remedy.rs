//! Finds the constraint that stands in the way of a program.

use std::ops::ControlFlow;

use cain_isa::{Fraction, Progress};

use super::limited;
use crate::{Declaration, MaxGain, OffsetRule, Remedy};

/// The budget of each search without a constraint: enough to find some program if there is one.
const NODES: u64 = 200;
/// How often the interval between an insufficient and a sufficient gain is halved.
const HALVINGS: u32 = 3;

/// What has to be allowed so that there is a program in the same registers; `None` if this cannot be found out.
///
/// `watch` is called as in the search itself, which has used `used` nodes; the number of nodes never falls.
pub(super) fn remedy(
    declaration: &Declaration,
    used: u64,
    watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Option<Remedy> {
    let limited = declaration.max_gain();
    let cancelled = declaration.options.offset == OffsetRule::Cancelled;
    let mut used = used;
    let mut peak = |offset, max_gain| {
        let mut lifted = declaration.clone();
        lifted.options.nodes = NODES;
        lifted.options.offset = offset;
        lifted.options.max_gain = max_gain;
        let before = used;
        let mut watch = |progress: Progress| {
            used = used.max(before.saturating_add(progress.nodes));
            watch(Progress { nodes: used, best: None })
        };
        limited::search(&lifted, &mut watch).ok().map(|solution| solution.program.report().peak_gain)
    };
    let rule = declaration.options.offset;
    if cancelled && peak(OffsetRule::Any, declaration.options.max_gain).is_some() {
        return Some(Remedy { offset: true, max_gain: None });
    }
    let mut least = limited?;
    let rules = [Some(rule), cancelled.then_some(OffsetRule::Any)];
    let (rule, mut most) = rules.into_iter().flatten().find_map(|rule| Some((rule, peak(rule, MaxGain::Any)?)))?;
    for _ in 0..HALVINGS {
        let Some(middle) = mean(least, most) else { break };
        match peak(rule, MaxGain::AtMost(middle)) {
            Some(peak) => most = peak,
            None => least = middle,
        }
    }
    Some(Remedy { offset: rule != declaration.options.offset, max_gain: Some(most) })
}

fn mean(one: Fraction, other: Fraction) -> Option<Fraction> {
    one.checked_add(other)?.checked_mul(Fraction::new(1, 2)?)
}
