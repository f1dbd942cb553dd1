//! Corrects a plan for the errors that all PEs of a chip share.
//!
//! Each transfer makes values somewhat smaller and adds a constant, of which programs cancel most, but not all. What is left
//! follows from the program and the constants of the error model. The plan is carried out for typical values of the planes that are
//! given, without errors and with them: the controller turns what it reads by the line through both, and levels that take part in
//! comparisons, or are put in place of other values, are moved to where they leave the least error. To results and states that have
//! an error on the average, that is added. On an array without errors nothing changes.

mod correct;
mod follow;
mod levels;
mod planes;
mod tiles;
mod typical;

use cain_analysis::owned::words;
use follow::Follower;
use tiles::Tiles;
use typical::Typical;

use crate::declaration::Declaration;
use crate::plan::{Piece, Plan, steps};

/// The most values that are followed for several pictures: a PE has one for each control word.
const MOST_VALUES: usize = 1 << 21;
/// The most for one picture.
const MOST_OF_ONE: usize = 1 << 25;

/// The plan, corrected for the typical values that its declaration tells, and for synthetic pictures where it tells none.
///
/// The result depends on nothing but the declaration and the plan. What does not follow from these values, such as what loops
/// carry, and programs that are too long stay as they are.
pub(crate) fn corrected<'d>(declaration: &'d Declaration, mut plan: Plan<'d>) -> Plan<'d> {
    if !declaration.options.error_model.has_offsets() {
        return plan;
    }
    let states = declaration.states.iter().zip(&plan.states);
    let states: Vec<_> = states.filter_map(|(state, place)| Some((state, place.plane()?))).collect();
    for typical in Typical::all(declaration) {
        let Some(tiles) = tiles(&typical, declaration.side, &plan.frame) else { continue };
        let mut follower = Follower::new(declaration, &typical, tiles, plan.between.clone());
        for (input, held) in declaration.inputs.iter().zip(&plan.inputs) {
            follower.is_given(*held, input.value, input.is_captured);
        }
        for (state, held) in &states {
            follower.is_given(*held, state.before, false);
        }
        plan.frame = follower.corrected(std::mem::take(&mut plan.frame));
        let results = plan.results.iter().map(|(value, held)| (*held, *value));
        let summands = follower.summands(results.chain(states.iter().map(|(state, held)| (*held, state.next))));
        plan.frame.extend(summands);
    }
    plan
}

/// As many pictures as can be followed, if there is one.
fn tiles(typical: &Typical, side: usize, frame: &[Piece<'_>]) -> Option<Tiles> {
    let one = Tiles::new(typical.area, side, 1);
    let values = words(&steps(frame)).saturating_mul(one.size().pes()).max(1);
    let count = typical.count().min((MOST_VALUES / values).max(1));
    (count > 0 && values <= MOST_OF_ONE).then(|| Tiles::new(typical.area, side, count))
}
