//! Simplifies what takes rows and columns of channels, and what repeats channels.

use std::rc::Rc;

use cain_network::Reach;

use super::factors::of_channels;
use super::moves::{origins, place_before_all};
use super::seen::{self, Seen, channels, needs_maps};
use crate::graph::{Became, Fact, Id, Node, Patch};
use crate::numbers::check_numbers;
use crate::op::Op;
use crate::phases::{Phase, Phases};
use crate::tensor::Tensor;

/// Replaces changes of sizes and of the order of axes that together put the pixels of blocks of maps into channels, as exporters
/// write a space-to-depth rearrangement, or that repeat channels.
pub(super) fn moved<'s>(seen: &'s Seen<'_>, id: Id, node: &'s Node) -> Option<Patch> {
    let (_, height, width) = seen::maps(node)?;
    if !matches!(*node.op, Op::Reshape | Op::Transpose { .. }) || height * width == 1 || !needs_maps(seen, id, false) {
        return None;
    }
    let found = |(from, moves): (Id, Vec<&'s Node>)| {
        let maps = &seen.graph.node(from)?.fact.dims;
        check_numbers(node.fact.dims.iter().product()).ok()?;
        let place = |place| place_before_all(seen.graph, &moves, place);
        let phases = (maps.len() == 4).then(|| Phases::found(&node.fact.dims, maps, &place))??;
        Some((from, phases, moves))
    };
    let (from, phases, moves) = origins(seen.graph, node).into_iter().rev().find_map(found)?;
    let into = |passed: &Node| Some((passed.origin?, Became::Into(node.origin?)));
    let became = moves.into_iter().skip(1).filter_map(into).collect();
    let before = seen.graph.node(from)?;
    let is_same = before.fact == node.fact && phases == Phases::of_channels(0..channels(node)?);
    let chain = if is_same { Vec::new() } else { vec![node.with_op(Op::Phases(phases))] };
    Some(Patch { replaced: id, inputs: vec![from], chain, became })
}

/// What a convolution reads: phases of maps, and a factor and a summand of each of its channels.
struct Read<'g> {
    maps: Id,
    phases: Phases,
    factors: Vec<(f64, f64)>,
    /// The nodes between.
    passed: Vec<&'g Node>,
}

/// How many nodes are followed.
const DEEPEST: usize = 16;

/// Follows what takes, repeats and scales channels back to the maps that all of them come from.
fn read<'s>(seen: &'s Seen<'_>, id: Id, deepest: usize) -> Option<Read<'s>> {
    let node = seen.graph.node(id)?;
    let count = channels(node)?;
    let own = || Read {
        maps: id,
        phases: Phases::of_channels(0..count),
        factors: vec![(1.0, 0.0); count],
        passed: Vec::new(),
    };
    let of = |phases: &Phases| {
        let mut before = read(seen, *node.inputs.first()?, deepest - 1)?;
        let factor = |phase: &Phase| before.factors.get(phase.channel).copied();
        before.factors = phases.all.iter().map(factor).collect::<Option<_>>()?;
        before.phases = phases.of(&before.phases)?;
        Some(before)
    };
    let found = match &*node.op {
        _ if deepest == 0 => None,
        Op::Affine { .. } => of_channels(seen, node).and_then(|(scale, shift)| {
            let mut before = read(seen, *node.inputs.first()?, deepest - 1)?;
            let factors = before.factors.iter_mut().zip(scale.into_iter().zip(shift));
            factors.for_each(|(own, (scale, shift))| *own = (own.0 * scale, own.1 * scale + shift));
            Some(before)
        }),
        Op::Take { axis: 1, places } => of(&Phases::of_channels(places.iter().copied())),
        Op::Phases(phases) => of(phases),
        Op::Slice(slices) => {
            let part = |axis: usize| slices.iter().find(|slice| slice.axis == axis);
            let start = |axis: usize| part(axis).map_or(0, |slice| slice.start);
            let step = |axis: usize| part(axis).map_or(Some(1), |slice| usize::try_from(slice.step).ok());
            let channel = |place: usize| part(1).map_or(place, |slice| slice.place(place));
            let all =
                (0..count).map(|place| Phase { channel: channel(place), row: start(2), column: start(3) }).collect();
            step(2).zip(step(3)).and_then(|step| of(&Phases { all, step }))
        }
        Op::Concat { axis: 1 } => joined(seen, node, deepest - 1),
        _ => None,
    };
    match found {
        Some(mut found) => {
            found.passed.push(node);
            Some(found)
        }
        None => Some(own()),
    }
}

/// Channels that all come from the same maps.
fn joined<'s>(seen: &'s Seen<'_>, node: &Node, deepest: usize) -> Option<Read<'s>> {
    let parts: Vec<Read<'s>> = node.inputs.iter().map(|input| read(seen, *input, deepest)).collect::<Option<_>>()?;
    parts.into_iter().map(Some).reduce(|joined, part| {
        let (mut joined, part) = joined.zip(part)?;
        if (joined.maps, joined.phases.step) != (part.maps, part.phases.step) {
            return None;
        }
        joined.phases.all.extend(part.phases.all);
        joined.factors.extend(part.factors);
        joined.passed.extend(part.passed);
        Some(joined)
    })?
}

/// Takes rows and columns of maps behind what computes the same of all of them, instead of before it: largest numbers and means of
/// windows, whose pixels are then apart, and functions of single numbers. So the array computes one map instead of one for each phase.
pub(super) fn behind(seen: &Seen<'_>, id: Id, node: &Node) -> Option<Patch> {
    let input = match (&*node.op, node.inputs.as_slice()) {
        (Op::MaxPool(_) | Op::MeanPool { .. } | Op::Each(_) | Op::Clamp { .. }, [input]) => *input,
        _ => return None,
    };
    let Read { maps, phases, factors, .. } = read(seen, input, DEEPEST)?;
    let (channels, height, width) = seen::maps(seen.graph.node(maps)?)?;
    let step = phases.step;
    if step == (1, 1) || channels > phases.all.len() || factors.iter().any(|factor| *factor != (1.0, 0.0)) {
        return None;
    }
    let apart = |reach: &Reach| {
        let dilation = (reach.dilation.0 * step.0, reach.dilation.1 * step.1);
        reach.padding.is_none().then_some(Reach { stride: (1, 1), dilation, ..*reach })
    };
    let (op, reach, stride) = match &*node.op {
        Op::MaxPool(reach) => (Op::MaxPool(apart(reach)?), apart(reach), reach.stride),
        Op::MeanPool { reach, count_padding } => {
            (Op::MeanPool { reach: apart(reach)?, count_padding: *count_padding }, apart(reach), reach.stride)
        }
        Op::Each(each) => (Op::Each(*each), None, (1, 1)),
        Op::Clamp { low, high } => (Op::Clamp { low: *low, high: *high }, None, (1, 1)),
        _ => return None,
    };
    let (height, width) = reach.map_or(Some((height, width)), |reach| reach.outputs((height, width)))?;
    let fact = Fact { kind: node.fact.kind, dims: vec![1, channels, height, width] };
    let computed = Node { fact: Rc::new(fact), ..node.with_op(op) };
    let phases = Phases { all: phases.all, step: (step.0 * stride.0, step.1 * stride.1) };
    let chain = vec![computed, node.with_op(Op::Phases(phases))];
    Some(Patch { replaced: id, inputs: vec![maps], chain, became: Vec::new() })
}

/// Lets a convolution weight maps as they are before channels, or rows and columns of them, are taken, repeated or scaled.
pub(super) fn taken(seen: &Seen<'_>, id: Id, node: &Node) -> Option<Patch> {
    let (Op::Convolution(convolution), [input]) = (&*node.op, node.inputs.as_slice()) else { return None };
    let Read { maps, phases, factors, passed } = read(seen, *input, DEEPEST)?;
    let is_taken = |node: &&Node| matches!(*node.op, Op::Take { .. } | Op::Phases(_) | Op::Concat { .. });
    if !passed.iter().any(is_taken) {
        return None;
    }
    let (_, height, width) = seen::maps(seen.graph.node(*input)?)?;
    let (scale, shifts): (Vec<f64>, Vec<f64>) = factors.into_iter().unzip();
    // Padding is around what is shifted; so a shift can stay before it if it is the same number of each channel, unscaled.
    let own_shift = || {
        let mut all = scale.iter().zip(&shifts).map(|(scale, shift)| shift / scale);
        let first = all.next()?;
        let is_same = |other: f64| (other - first).abs() <= 1e-9 * first.abs();
        (first.is_finite() && all.all(is_same)).then_some(first)
    };
    let (shift, convolution) = if convolution.reach.padding.is_none() {
        (0.0, convolution.behind(&shifts))
    } else {
        (own_shift()?, convolution.clone())
    };
    let before = seen.graph.node(maps)?;
    let convolution = convolution.of_phases((&phases, &scale), (height, width), seen::maps(before)?)?;
    let mut chain = vec![node.with_op(Op::Convolution(convolution))];
    if shift != 0.0 {
        let op = Op::Affine { scale: Tensor::scalar(1.0), shift: Tensor::scalar(shift) };
        chain.insert(0, Node { origin: node.origin, ..before.with_op(op) });
    }
    let into = |passed: &Node| Some((passed.origin?, Became::Into(node.origin?)));
    let became = passed.into_iter().filter_map(into).collect();
    Some(Patch { replaced: id, inputs: vec![maps], chain, became })
}
