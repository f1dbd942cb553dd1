//! The costs of steps, and how they compare with the cost of the best program.

use super::step::Step;
use crate::Objective;
use crate::costs::Costs;

/// The costs of a target's forms, and the objective by which they are compared.
pub(crate) struct CostModel {
    objective: Objective,
    /// The costs of each form, indexed by its number.
    forms: Vec<Costs>,
    /// The fewest control words that any form takes.
    fewest_words: u32,
}

impl CostModel {
    /// The cost model of a target, given how many control words each of its forms takes.
    pub(crate) fn new(objective: Objective, words: impl Iterator<Item = u32>) -> Self {
        let forms: Vec<Costs> = words.map(|icws| Costs { macros: 1, icws, ..Costs::NONE }).collect();
        let fewest_words = forms.iter().map(|form| form.icws).min().unwrap_or(0);
        Self { objective, forms, fewest_words }
    }

    /// The costs of a step, without its error: that depends on the steps after it.
    pub(super) fn of(&self, step: &Step) -> Costs {
        self.forms[usize::from(step.form)]
    }

    /// Whether no program below the bound can begin with these costs if at least `instructions` more have to come.
    pub(super) fn exceeds(&self, bound: Option<Costs>, costs: Costs, instructions: u32) -> bool {
        // The bound counts instructions; each adds at least one to the quantity that breaks ties.
        let tie = instructions.min(1);
        let least = match self.objective {
            Objective::Icws => {
                Costs { macros: tie, icws: instructions.saturating_mul(self.fewest_words), ..Costs::NONE }
            }
            Objective::Macros | Objective::Accuracy => Costs { macros: instructions, icws: tie, ..Costs::NONE },
        };
        bound.is_some_and(|bound| self.objective.compare(&costs.plus(least), &bound).is_ge())
    }

    /// Whether these costs are the least possible, given that no program has fewer than `instructions`. Quantities that
    /// only break ties are not compared.
    pub(crate) fn is_least(&self, costs: Costs, instructions: u32) -> bool {
        match self.objective {
            Objective::Macros => costs.macros.saturating_add(costs.surcharge) <= instructions,
            Objective::Icws => {
                costs.icws.saturating_add(costs.surcharge) <= instructions.saturating_mul(self.fewest_words)
            }
            Objective::Accuracy => costs.error <= 0.0,
        }
    }

    /// The layer that bags with these costs belong to.
    pub(super) fn layer(&self, costs: Costs) -> u32 {
        match self.objective {
            Objective::Icws => costs.icws,
            Objective::Macros | Objective::Accuracy => costs.macros,
        }
    }

    /// The cost that decides between equally promising bags of a layer.
    pub(super) fn tie(&self, costs: Costs) -> u32 {
        match self.objective {
            Objective::Icws => costs.macros,
            Objective::Macros | Objective::Accuracy => costs.icws,
        }
    }
}
