//! What steps cost, and what programs may cost to be better than the best one.

use super::macros::forms::{Form, Forms};
use super::steps::Step;
use crate::Objective;
use crate::costs::Costs;

/// What the forms of an instruction set cost, and what counts first.
pub(crate) struct Prices {
    objective: Objective,
    by_form: Vec<Costs>,
    /// Of other forms.
    word: Costs,
    /// The fewest control words of a form.
    words: u32,
}

impl Prices {
    pub(crate) fn new(objective: Objective, forms: &Forms) -> Self {
        let words = |form: &Form| u32::try_from(form.op.icws()).unwrap_or(u32::MAX);
        Self {
            objective,
            by_form: forms.iter().map(|form| Costs { macros: 1, icws: words(form), noise: 0.0 }).collect(),
            word: Costs { macros: 1, icws: 1, noise: 0.0 },
            words: forms.iter().map(words).min().unwrap_or(0),
        }
    }

    /// The prices of control words, each of which is an instruction.
    pub(crate) fn of_words(objective: Objective) -> Self {
        let word = Costs { macros: 1, icws: 1, noise: 0.0 };
        Self { objective, by_form: Vec::new(), word, words: 1 }
    }

    /// The costs of a step, but its noise, which depends on the steps after it.
    pub(super) fn of(&self, step: &Step) -> Costs {
        self.by_form.get(usize::from(step.form)).copied().unwrap_or(self.word)
    }

    /// Whether programs are worse than the bound in any case, after such costs and with so many instructions to come.
    pub(super) fn exceeds(&self, bound: Option<Costs>, costs: Costs, instructions: u32) -> bool {
        // What breaks ties is not a matter of accounts, but every instruction has some of it.
        let tie = instructions.min(1);
        let least = match self.objective {
            Objective::Icws => Costs { macros: tie, icws: instructions.saturating_mul(self.words), noise: 0.0 },
            Objective::Macros | Objective::Noise => Costs { macros: instructions, icws: tie, noise: 0.0 },
        };
        bound.is_some_and(|bound| self.objective.compare(&costs.plus(least), &bound).is_ge())
    }

    /// Whether no program costs less, if none has fewer instructions than so many. What breaks ties is not looked at.
    pub(crate) fn is_least(&self, costs: Costs, instructions: u32) -> bool {
        match self.objective {
            Objective::Macros => costs.macros <= instructions,
            Objective::Icws => costs.icws <= instructions.saturating_mul(self.words),
            Objective::Noise => costs.noise <= 0.0,
        }
    }

    /// The layer of bags at such costs.
    pub(super) fn layer(&self, costs: Costs) -> u32 {
        match self.objective {
            Objective::Icws => costs.icws,
            Objective::Macros | Objective::Noise => costs.macros,
        }
    }

    /// What orders bags of a layer that are as promising as each other.
    pub(super) fn tie(&self, costs: Costs) -> u32 {
        match self.objective {
            Objective::Icws => costs.macros,
            Objective::Macros | Objective::Noise => costs.icws,
        }
    }
}
