//! The costs of steps, and how they compare with those of the best program.

use super::step::Step;
use crate::Objective;
use crate::costs::Costs;

/// The costs of the forms of a target, and the objective that compares them.
pub(crate) struct CostModel {
    objective: Objective,
    /// By the numbers of the forms.
    forms: Vec<Costs>,
    /// The fewest control words of a form.
    fewest_words: u32,
}

impl CostModel {
    /// The model of a target whose forms have these numbers of control words, in their order.
    pub(crate) fn new(objective: Objective, words: impl Iterator<Item = u32>) -> Self {
        let forms: Vec<Costs> = words.map(|icws| Costs { macros: 1, icws, error: 0.0 }).collect();
        let fewest_words = forms.iter().map(|form| form.icws).min().unwrap_or(0);
        Self { objective, forms, fewest_words }
    }

    /// The costs of a step without its error, which depends on the steps after it.
    pub(super) fn of(&self, step: &Step) -> Costs {
        self.forms[usize::from(step.form)]
    }

    /// Whether no program that costs this much so far, with this number of instructions to come, is below the bound.
    pub(super) fn exceeds(&self, bound: Option<Costs>, costs: Costs, instructions: u32) -> bool {
        // The bound counts instructions; each has at least one of what breaks ties.
        let tie = instructions.min(1);
        let least = match self.objective {
            Objective::Icws => Costs { macros: tie, icws: instructions.saturating_mul(self.fewest_words), error: 0.0 },
            Objective::Macros | Objective::Accuracy => Costs { macros: instructions, icws: tie, error: 0.0 },
        };
        bound.is_some_and(|bound| self.objective.compare(&costs.plus(least), &bound).is_ge())
    }

    /// Whether no program costs less if none has fewer than `instructions`. What breaks ties is not compared.
    pub(crate) fn is_least(&self, costs: Costs, instructions: u32) -> bool {
        match self.objective {
            Objective::Macros => costs.macros <= instructions,
            Objective::Icws => costs.icws <= instructions.saturating_mul(self.fewest_words),
            Objective::Accuracy => costs.error <= 0.0,
        }
    }

    /// The layer of the bags with these costs.
    pub(super) fn layer(&self, costs: Costs) -> u32 {
        match self.objective {
            Objective::Icws => costs.icws,
            Objective::Macros | Objective::Accuracy => costs.macros,
        }
    }

    /// What orders equally promising bags of a layer.
    pub(super) fn tie(&self, costs: Costs) -> u32 {
        match self.objective {
            Objective::Icws => costs.macros,
            Objective::Macros | Objective::Accuracy => costs.icws,
        }
    }
}
