//! Steps that depend on a goal alone: moves, signs, halvings, factors, repetitions and splits.

use cain_isa::Displacement;

use super::Expansion;
use crate::engine::area::{Area, distance};
use crate::engine::factors;
use crate::engine::partitions::{Partition, partitions};
use crate::engine::step::FormId;
use crate::engine::terms::Term;

impl Expansion<'_> {
    /// Adds all steps from operands that follow from the goal alone.
    pub(super) fn alone(&mut self) {
        self.moves_and_signs();
        self.halvings();
        self.factors();
        self.sums();
    }

    /// Adds g = S·a with a nearer to the inputs, and g = −a.
    fn moves_and_signs(&mut self) {
        let (terms, shifts) = (self.draft.terms, self.shifts);
        let middle = Area::of(terms).centre();
        for &(form, step) in &shifts.moves {
            if distance(step, middle) < distance(0, middle) {
                let a = self.draft.moved(terms, 1, step.wrapping_neg());
                self.draft.push(form, &[a]);
            }
        }
        if let Some(form) = self.shifts.negate {
            let a = self.draft.moved(terms, -1, 0);
            self.draft.push(form, &[a]);
        }
    }

    /// Adds g = a/2 and g = −a/2. A goal whose coefficients are integer multiples of the input needs no halving.
    fn halvings(&mut self) {
        let terms = self.draft.terms;
        if self.draft.goals.features(self.draft.goal).valuation >= self.scale {
            return;
        }
        if let Some(form) = self.shifts.halve {
            let a = self.draft.moved(terms, 2, 0);
            self.draft.push(form, &[a]);
        }
        if let Some(form) = self.shifts.divide {
            for factor in [2, -2] {
                let a = self.draft.moved(terms, factor, 0);
                self.draft.push_division(form, a);
            }
        }
    }

    /// Adds g = S·a − a, and g = S·a + a in the form S·a − (−a).
    fn factors(&mut self) {
        let (terms, shifts) = (self.draft.terms, self.shifts);
        let mut a = Vec::new();
        for &(form, step) in &shifts.subtracts {
            if factors::divide(&mut a, terms, step, -1) {
                let a = self.draft.operand(&a);
                self.draft.push(form, &[a, a]);
            }
            if factors::divide(&mut a, terms, step, 1) {
                let operands = [self.draft.operand(&a), self.draft.moved(&a, -1, 0)];
                self.draft.push(form, &operands);
            }
        }
    }

    /// Adds sums of parts.
    fn sums(&mut self) {
        partitions(self.draft.terms, &mut |partition| match partition {
            Partition::Two(p, q, sign) => self.split(p, q, sign),
            Partition::Three(p, (q, 1), r) => {
                if let Some(form) = self.shifts.add3 {
                    let operands = [p, q, r].map(|part| self.draft.operand(part));
                    self.draft.push(form, &operands);
                }
            }
            Partition::Three(..) => {}
        });
    }

    /// Adds the steps for g = p + sign·q.
    fn split(&mut self, p: &[Term], q: &[Term], sign: i32) {
        let plain = [self.draft.moved(p, 1, 0), self.draft.moved(q, 1, 0)];
        if sign > 0 {
            if let Some(form) = self.shifts.add {
                self.draft.push(form, &plain);
            }
            let middle = centre(p, q);
            if let Some((form, step)) = nearest(&self.shifts.adds, middle) {
                let (p, q) = (self.draft.moved(p, 1, step.wrapping_neg()), self.draft.moved(q, 1, step.wrapping_neg()));
                self.draft.push(form, &[p, q]);
            }
        } else if let Some(form) = self.shifts.subtract {
            self.draft.push(form, &plain);
        }
        // S·x0 − x1 moves one part and negates the other.
        for (first, s, second, t) in [(p, 1, q, sign), (q, sign, p, 1)] {
            if let Some((form, step)) = nearest(&self.shifts.subtracts, Area::of(first).centre()) {
                let operands = [self.draft.moved(first, s, step.wrapping_neg()), self.draft.moved(second, -t, 0)];
                self.draft.push(form, &operands);
            }
        }
    }
}

/// The middle of the box around the terms of both.
fn centre(p: &[Term], q: &[Term]) -> Displacement {
    Area::of(p).with(Area::of(q)).centre()
}

/// The form that takes a value nearest to the wanted place; `None` if it is nearest without a move.
fn nearest(forms: &[(FormId, u32)], wanted: Displacement) -> Option<(FormId, u32)> {
    forms.iter().copied().min_by_key(|&(_, step)| distance(step, wanted)).filter(|&(_, step)| step != 0)
}
