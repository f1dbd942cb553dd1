//! The costs of programs, and their order.

use std::cmp::Ordering;

use cain_isa::Instruction;

use crate::metrics::{expected, expected_at_least, thousandths};
use crate::{Accuracy, Declaration, InstructionSet, Objective, OffsetRule};

/// Compares two programs for a declaration; the better one is `Less`.
///
/// They are compared by the [objective in force](crate::Options::objective_in_force). Whether they compute the
/// declaration is not checked.
#[must_use]
pub fn compare(declaration: &Declaration, a: &[Instruction], b: &[Instruction]) -> Ordering {
    declaration.options.objective_in_force().compare(&Costs::of(declaration, a), &Costs::of(declaration, b))
}

/// The costs of a program or of a part of one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Costs {
    /// The number of macro instructions.
    pub(crate) macros: u32,
    /// The number of control words.
    pub(crate) icws: u32,
    /// The number of instructions that the bias counts as, see [`surcharge`].
    pub(crate) surcharge: u32,
    /// The mean square error predicted for the worst output, in DN²; see [`accuracy`](crate::accuracy()). For a part of
    /// a program, what is known of it, for all outputs together.
    pub(crate) error: f64,
}

impl Costs {
    pub(crate) const NONE: Self = Self { macros: 0, icws: 0, surcharge: 0, error: 0.0 };

    /// The costs of a program for a declaration.
    pub(crate) fn of(declaration: &Declaration, listing: &[Instruction]) -> Self {
        let outputs = expected(declaration, listing);
        let rms = Accuracy::worst_rms(&outputs);
        Self { surcharge: surcharge(declaration, &outputs), error: rms * rms, ..Self::without_error(listing) }
    }

    /// The costs of a program if the bias of every output could be compensated, and no value left the range of registers.
    pub(crate) fn without_bias(declaration: &Declaration, listing: &[Instruction]) -> Self {
        let rms = Accuracy::worst_rms(&expected_at_least(declaration, listing));
        Self { error: rms * rms, ..Self::without_error(listing) }
    }

    /// The costs of a program whose error is not considered, as if it had none.
    pub(crate) fn without_error(listing: &[Instruction]) -> Self {
        let icws = listing.iter().map(Instruction::icws).sum();
        Self { macros: count(listing.len()), icws: count(icws), surcharge: 0, error: 0.0 }
    }

    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            macros: self.macros.saturating_add(other.macros),
            icws: self.icws.saturating_add(other.icws),
            surcharge: self.surcharge.saturating_add(other.surcharge),
            error: self.error + other.error,
        }
    }

    pub(crate) fn less(self, other: Self) -> Self {
        Self {
            macros: self.macros.saturating_sub(other.macros),
            icws: self.icws.saturating_sub(other.icws),
            surcharge: self.surcharge.saturating_sub(other.surcharge),
            error: self.error - other.error,
        }
    }
}

impl Objective {
    /// Compares costs, the best first; see the variants.
    pub(crate) fn compare(self, a: &Costs, b: &Costs) -> Ordering {
        self.order(a, b).into_iter().fold(Ordering::Equal, Ordering::then)
    }

    /// Compares costs by what is minimised alone, without what breaks ties.
    pub(crate) fn compare_without_ties(self, a: &Costs, b: &Costs) -> Ordering {
        let [first, ..] = self.order(a, b);
        first
    }

    /// The order by what is minimised, and by what breaks ties.
    fn order(self, a: &Costs, b: &Costs) -> [Ordering; 3] {
        let with_surcharge = |instructions: u32, costs: &Costs| instructions.saturating_add(costs.surcharge);
        let macros = with_surcharge(a.macros, a).cmp(&with_surcharge(b.macros, b));
        let icws = with_surcharge(a.icws, a).cmp(&with_surcharge(b.icws, b));
        let error = a.error.total_cmp(&b.error);
        match self {
            Self::Macros => [macros, icws, error],
            Self::Icws => [icws, macros, error],
            Self::Accuracy => [error, icws, macros],
        }
    }
}

/// The number of instructions that the largest bias of an output counts as, if offset errors have to cancel: two for
/// each DN beyond the tolerated bias. Words with several destinations have a different transfer error from words with
/// one, so a bias remains even if the errors cancel when each word counts the same. A program without that bias is
/// worth a few instructions more.
fn surcharge(declaration: &Declaration, outputs: &[Accuracy]) -> u32 {
    if declaration.options.offset == OffsetRule::Any {
        return 0;
    }
    surcharge_of(declaration, outputs.iter().map(|output| output.bias.abs()).fold(0.0, f64::max))
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
pub(crate) fn surcharge_of(declaration: &Declaration, bias: f64) -> u32 {
    let tolerated = match declaration.options.instructions {
        InstructionSet::Native => 1.0,
        InstructionSet::Macro | InstructionSet::Basic => 1.5,
    };
    (2.0 * (thousandths(bias) - tolerated)).max(0.0).ceil() as u32
}

/// How much worse a program gets by further instructions, given the largest bias that then remains. It only serves to
/// compare ways to compensate the same program.
pub(crate) fn loss(declaration: &Declaration, instructions: u32, bias: f64) -> f64 {
    match declaration.options.objective_in_force() {
        // An instruction adds only a small part of a DN² to the mean square error.
        Objective::Accuracy => bias * bias + f64::from(instructions) / 8.0,
        Objective::Macros | Objective::Icws => {
            f64::from(instructions.saturating_add(surcharge_of(declaration, bias))) + bias / 256.0
        }
    }
}

/// The [`loss`] that a program must stay below so that it can still be better than the best one.
pub(crate) fn allowance(declaration: &Declaration, listing: &[Instruction], best: Option<&Costs>) -> f64 {
    let Some(best) = best else { return f64::INFINITY };
    let own = Costs::without_error(listing);
    let left = |best: u32, own: u32| f64::from(best) - f64::from(own);
    let (instructions, rms) = (f64::from(best.surcharge), best.error.sqrt());
    match declaration.options.objective_in_force() {
        // Besides the bias, each additional word counts as an eighth.
        Objective::Accuracy => best.error + f64::from(own.icws),
        // Among programs with the same costs the error decides, and the bias is a part of it.
        Objective::Macros => left(best.macros, own.macros) + instructions + rms / 256.0,
        Objective::Icws => left(best.icws, own.icws) + instructions + rms / 256.0,
    }
}

pub(crate) fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::Costs;
    use crate::Objective;

    #[test]
    fn ties_are_broken_in_the_documented_order() {
        let costs = |macros, icws, error| Costs { macros, icws, surcharge: 0, error };
        // From the best to the worst.
        let orders = [
            (Objective::Macros, [costs(1, 9, 9.0), costs(2, 1, 9.0), costs(2, 2, 1.0), costs(2, 2, 1.5)]),
            (Objective::Icws, [costs(9, 1, 9.0), costs(1, 2, 9.0), costs(2, 2, 1.0), costs(2, 2, 1.5)]),
            (Objective::Accuracy, [costs(9, 9, 0.5), costs(9, 1, 1.0), costs(1, 2, 1.0), costs(2, 2, 1.0)]),
        ];
        for (objective, order) in orders {
            for (i, a) in order.iter().enumerate() {
                for (j, b) in order.iter().enumerate() {
                    assert_eq!(objective.compare(a, b), i.cmp(&j), "{objective:?}: {a:?}, {b:?}");
                }
            }
        }
        let biased = Costs { surcharge: 2, ..costs(1, 1, 0.0) };
        assert_eq!(Objective::Icws.compare(&biased, &costs(2, 2, 9.0)), Ordering::Greater);
        assert_eq!(Objective::Icws.compare(&biased, &costs(4, 4, 9.0)), Ordering::Less);
        let beyond = costs(1, 1, f64::INFINITY);
        assert_eq!(Objective::Accuracy.compare(&beyond, &beyond), Ordering::Equal);
    }
}
