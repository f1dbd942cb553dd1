//! What programs cost, and which of two is better.

use std::cmp::Ordering;

use cain_isa::Instruction;

use crate::{Declaration, Objective, noise};

/// Which of two programs for a declaration is better: the one that is `Less`.
///
/// They are compared by the [objective in force](crate::Options::objective_in_force). It is not checked
/// whether they compute it.
#[must_use]
pub fn compare(declaration: &Declaration, a: &[Instruction], b: &[Instruction]) -> Ordering {
    declaration.options.objective_in_force().compare(&Costs::of(declaration, a), &Costs::of(declaration, b))
}

/// What a program costs, or a part of one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Costs {
    /// Macro instructions.
    pub(crate) macros: u32,
    /// Control words.
    pub(crate) icws: u32,
    /// See [`noise`](crate::noise()). Weights are multiples of a power of two, so that sums of their squares are exact
    /// or, beyond 53 bits, at least the same on every machine.
    pub(crate) noise: f64,
}

impl Costs {
    pub(crate) const NONE: Self = Self { macros: 0, icws: 0, noise: 0.0 };

    /// What a program for a declaration costs.
    pub(crate) fn of(declaration: &Declaration, listing: &[Instruction]) -> Self {
        let outputs: Vec<_> = declaration.outputs.iter().map(|output| output.reg).collect();
        Self {
            macros: count(listing.len()),
            icws: count(listing.iter().map(|instruction| instruction.words().count()).sum()),
            // Nothing is worse than weights beyond exact arithmetic.
            noise: noise(listing, &outputs).unwrap_or(f64::INFINITY),
        }
    }

    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            macros: self.macros.saturating_add(other.macros),
            icws: self.icws.saturating_add(other.icws),
            noise: self.noise + other.noise,
        }
    }

    pub(crate) fn less(self, other: Self) -> Self {
        Self {
            macros: self.macros.saturating_sub(other.macros),
            icws: self.icws.saturating_sub(other.icws),
            noise: self.noise - other.noise,
        }
    }
}

impl Objective {
    /// The order of costs, from the best on: see the variants.
    pub(crate) fn compare(self, a: &Costs, b: &Costs) -> Ordering {
        let [macros, icws] = [a.macros.cmp(&b.macros), a.icws.cmp(&b.icws)];
        let noise = a.noise.total_cmp(&b.noise);
        match self {
            Self::Macros => macros.then(icws).then(noise),
            Self::Icws => icws.then(macros).then(noise),
            Self::Noise => noise.then(icws).then(macros),
        }
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
        let costs = |macros, icws, noise| Costs { macros, icws, noise };
        // From the best to the worst.
        let orders = [
            (Objective::Macros, [costs(1, 9, 9.0), costs(2, 1, 9.0), costs(2, 2, 1.0), costs(2, 2, 1.5)]),
            (Objective::Icws, [costs(9, 1, 9.0), costs(1, 2, 9.0), costs(2, 2, 1.0), costs(2, 2, 1.5)]),
            (Objective::Noise, [costs(9, 9, 0.5), costs(9, 1, 1.0), costs(1, 2, 1.0), costs(2, 2, 1.0)]),
        ];
        for (objective, order) in orders {
            for (i, a) in order.iter().enumerate() {
                for (j, b) in order.iter().enumerate() {
                    assert_eq!(objective.compare(a, b), i.cmp(&j), "{objective:?}: {a:?}, {b:?}");
                }
            }
        }
        let beyond = costs(1, 1, f64::INFINITY);
        assert_eq!(Objective::Noise.compare(&beyond, &beyond), Ordering::Equal);
    }
}
