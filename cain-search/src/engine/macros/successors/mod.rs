//! Successors in the reverse search: the macro instructions that could have made a goal, and their operands.

mod alone;
mod paired;

use super::forms::{Forms, Shape};
use crate::engine::draft::{Draft, Drafting};
use crate::engine::gain::GainBound;
use crate::engine::goals::Goals;
use crate::engine::memo::ExpansionKey;
use crate::engine::memory::room_of_draft;
use crate::engine::problem::Problem;
use crate::engine::step::{FormId, Step};
use crate::engine::terms;

/// Generates the steps of macro instructions for a problem.
pub(crate) struct Successors {
    forms: Forms,
    shifts: Shifts,
    scale: u32,
    bound: GainBound,
    /// The memory that a draft may take, in bytes.
    room: usize,
}

/// The forms by shape, each with the number that it adds to keys.
struct Shifts {
    moves: Vec<(FormId, u32)>,
    adds: Vec<(FormId, u32)>,
    subtracts: Vec<(FormId, u32)>,
    /// The form in `adds` that moves nothing.
    add: Option<FormId>,
    /// The form in `subtracts` that moves nothing.
    subtract: Option<FormId>,
    add3: Option<FormId>,
    negate: Option<FormId>,
    halve: Option<FormId>,
    divide: Option<FormId>,
}

impl Shifts {
    fn of(forms: &Forms) -> Self {
        let shifted =
            |shape| forms.shaped(shape).map(|(id, form)| (id, terms::step(form.displacement))).collect::<Vec<_>>();
        let single = |shape| forms.shaped(shape).next().map(|(id, _)| id);
        let unmoved = |shape| shifted(shape).into_iter().find(|(_, step)| *step == 0).map(|(id, _)| id);
        Self {
            moves: shifted(Shape::Move).into_iter().filter(|(_, step)| *step != 0).collect(),
            adds: shifted(Shape::Add),
            subtracts: shifted(Shape::Subtract),
            add: unmoved(Shape::Add),
            subtract: unmoved(Shape::Subtract),
            add3: single(Shape::Add3),
            negate: single(Shape::Negate),
            halve: single(Shape::Halve),
            divide: single(Shape::Divide),
        }
    }
}

impl Successors {
    pub(crate) fn new(forms: Forms, problem: &Problem) -> Self {
        Self {
            shifts: Shifts::of(&forms),
            forms,
            scale: problem.scale,
            bound: problem.gain.bound(0),
            room: room_of_draft(problem.memory),
        }
    }

    pub(crate) fn forms(&self) -> &Forms {
        &self.forms
    }

    /// Works out an expansion.
    pub(super) fn draft(&self, goals: &Goals, key: ExpansionKey) -> Draft {
        let draft = Drafting::new(goals, key, self.bound, self.room);
        let mut expansion = Expansion { shifts: &self.shifts, scale: self.scale, draft };
        match key.others().next() {
            None => expansion.alone(),
            Some(other) => expansion.paired(other),
        }
        expansion.draft.finish()
    }

    /// Whether the chip can carry out the step.
    pub(super) fn is_possible(&self, step: &Step) -> bool {
        self.forms.get(step.form).takes(step.operands())
    }
}

/// An expansion in the making: the steps that make one goal.
struct Expansion<'a> {
    shifts: &'a Shifts,
    scale: u32,
    draft: Drafting<'a>,
}
