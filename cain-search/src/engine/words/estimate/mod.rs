//! The estimates of a bag of control words: a [`linear`] one, and one learned by two small neural networks, one for
//! goals and one for bags.
//!
//! What a goal adds depends on the goal, on whether the bag already has a goal of its class or on its ray, and on
//! whether NEWS holds it (`engine/estimate/`). What the bag as a whole adds is computed here. [`networks`] describes
//! how the networks were trained.

pub(super) mod linear;
mod networks;

use crate::engine::area::Area;
use crate::engine::distinct::Distinct;
use crate::engine::estimate::Weighing;
use crate::engine::estimate::integers::{int, log2};
use crate::engine::estimate::network::ONE;
use crate::engine::goals::{Features, GoalId, Goals};
use crate::engine::occupancy::Occupancy;
use crate::engine::step::Step;
use crate::engine::terms::Term;
use crate::{Declaration, OffsetRule, Technique};
use networks::{BAGS, GOALS, REPEATED_RAY, SECOND_COPY};

pub(crate) use networks::COUNT;

/// The most weights, in all kernels together, for which the networks are of use.
const MOST_WEIGHTS: usize = 32;

/// The fewest registers to overwrite for which the networks are of use.
const FEWEST_REGISTERS: usize = 4;

/// The number of nodes from which on the networks are of use if offset errors have to cancel. They know nothing of
/// that, and the linear estimate finds first programs sooner.
const CANCELLED_FROM: u64 = 8_000;

/// How goals are weighed for a declaration.
pub(crate) fn weighing(declaration: &Declaration) -> Weighing {
    Weighing { linear: &linear::WEIGHTS, learned: learned_from(declaration).map(|_| &GOALS) }
}

/// The number of nodes from which on the learned estimate is of use; `None` if that exceeds the budget, so that the
/// estimate need not be computed.
pub(crate) fn learned_from(declaration: &Declaration) -> Option<u64> {
    let from = match declaration.options.offset {
        OffsetRule::Any => 0,
        OffsetRule::Cancelled => CANCELLED_FROM,
    };
    let is_used = declaration.options.uses(Technique::LearnedEstimate) && is_familiar(declaration);
    (is_used && declaration.options.nodes > from).then_some(from)
}

/// Whether a declaration resembles those in the training set. Larger ones, and those with few registers to work in, are
/// searched better with the linear estimate.
fn is_familiar(declaration: &Declaration) -> bool {
    declaration.weights() <= MOST_WEIGHTS && declaration.writable().len() >= FEWEST_REGISTERS
}

/// Features of a bag that are computed anyway.
#[derive(Clone, Copy)]
pub(super) struct Known {
    pub(super) lower_bound: u32,
    /// How many values too many the bag holds for one register to be free.
    pub(super) pressure: u32,
}

/// The features of a bag that the learned estimate uses.
pub(crate) struct BagFeatures {
    /// The goals that are not inputs.
    pub(crate) goals: Vec<(GoalId, Marks)>,
    /// The inputs of the network that looks at bags.
    pub(crate) inputs: [i64; COUNT],
}

/// The state of a goal in a bag: whether an earlier one has the same class, whether an earlier one is on the same ray,
/// whether NEWS holds it, and whether it is a second copy.
pub(crate) type Marks = [bool; 4];

impl BagFeatures {
    /// The features of a bag whose first goal is what NEWS holds, or none.
    pub(super) fn of((goals, occupancy): (&Goals, &Occupancy<'_>), bag: &[GoalId], known: Known) -> Self {
        let (mut classes, mut rays) = (Distinct::new(), Distinct::new());
        let marked = |(i, &goal): (usize, &GoalId)| {
            let Features { class, ray, .. } = goals.features(goal);
            let is_second = i > 1 && bag[i - 1] == goal;
            (goal, [!classes.insert(*class), !rays.insert(*ray), i == 0, is_second])
        };
        let made = bag.iter().enumerate().filter(|&(_, &goal)| goal != Step::NONE && !occupancy.is_input(goal));
        let made: Vec<(GoalId, Marks)> = made.map(marked).collect();
        let inputs = inputs((goals, occupancy), bag, &made, known);
        Self { goals: made, inputs }
    }

    /// The learned estimate.
    pub(super) fn estimate(&self, goals: &Goals) -> i64 {
        let [of_bag] = BAGS.of(&self.inputs);
        let of_goal = |&(goal, [is_of_class, is_on_ray, is_in_news, is_second]): &(GoalId, Marks)| {
            let parts = &goals.features(goal).learned;
            let if_true = |is_so: bool, part: i64| if is_so { part } else { 0 };
            (if is_of_class { parts.repeated } else { parts.first })
                + if_true(is_on_ray, REPEATED_RAY)
                + if_true(is_in_news, parts.in_news)
                + if_true(is_second, SECOND_COPY)
        };
        of_bag + self.goals.iter().map(of_goal).sum::<i64>()
    }
}

/// The inputs of the network that looks at bags.
fn inputs(
    (goals, occupancy): (&Goals, &Occupancy<'_>),
    bag: &[GoalId],
    made: &[(GoalId, Marks)],
    known: Known,
) -> [i64; COUNT] {
    let scale = occupancy.problem.scale;
    let (mut halvings, mut doublings, mut support, mut pixels) = (0, 0, 1, 0);
    let mut area: Option<Area> = None;
    for &(goal, _) in made {
        let features = goals.features(goal);
        halvings = halvings.max(scale.saturating_sub(features.valuation));
        doublings = doublings.max(features.magnitude.saturating_sub(scale));
        support = support.max(features.support);
        pixels |= features.pixels;
        area = Some(area.map_or(features.area, |area| area.with(features.area)));
    }
    let pixels = int(pixels.count_ones());
    let area = area.unwrap_or(Area::of(&[]));
    let (shared, sharing) = shared(goals, made);
    let in_news = (bag[0] != Step::NONE).then(|| goals.features(bag[0]));
    let values = bag.len() - usize::from(in_news.is_none());
    let whole = [
        int(values),
        int(values - made.len()),
        int(halvings),
        int(doublings),
        pixels,
        i64::from(area.max.x - area.min.x) + i64::from(area.max.y - area.min.y),
        int(area.distance()),
        i64::from(known.pressure),
        shared,
        sharing,
        i64::from(known.lower_bound),
        i64::from(in_news.is_some()),
        in_news.map_or(0, |goal| int(goal.area.distance())),
    ];
    let mut inputs = [0; COUNT];
    for (input, feature) in inputs.iter_mut().zip(whole) {
        *input = ONE * feature;
    }
    inputs[COUNT - 2] = log2(int(support));
    inputs[COUNT - 1] = log2(pixels);
    inputs
}

/// The number of terms that pairs of goals have in common, up to sign, and the number of pairs that have several in
/// common.
fn shared(goals: &Goals, made: &[(GoalId, Marks)]) -> (i64, i64) {
    let (mut shared, mut sharing) = (0, 0);
    for (i, &(a, _)) in made.iter().enumerate() {
        for &(b, _) in &made[i + 1..] {
            if goals.features(a).pixels & goals.features(b).pixels != 0 {
                let common = common(goals.terms(a), goals.terms(b));
                shared += common;
                sharing += i64::from(common > 1);
            }
        }
    }
    (shared, sharing)
}

/// The number of equal terms or of opposite terms, whichever is larger.
fn common(a: &[Term], b: &[Term]) -> i64 {
    let (mut equal, mut opposite, mut i, mut j) = (0, 0, 0, 0);
    // Without a branch for each term, which nothing could predict.
    while let (Some(&(p, weight)), Some(&(q, other))) = (a.get(i), b.get(j)) {
        equal += i64::from(p == q && other == weight);
        opposite += i64::from(p == q && other == -weight);
        i += usize::from(p <= q);
        j += usize::from(q <= p);
    }
    equal.max(opposite)
}
