//! Steps that follow from a goal alone: moves, signs, halvings, factors, repetitions and splits.

use cain_isa::Offset;

use super::super::terms::{self, Area, Term};
use super::draft::Drafting;
use super::ranked;

/// Repetitions kept per goal, the largest first.
const MAX_REPETITIONS: usize = 24;
/// Up to this many terms, every way to split them in two is tried.
const MAX_ALL_SPLITS: usize = 6;

impl Drafting<'_> {
    /// Steps from operands that follow from the goal alone.
    pub(super) fn alone(&mut self) {
        self.moves_and_signs();
        self.halvings();
        self.factors();
        self.repetitions();
        self.splits();
    }

    /// g = S·a with a nearer to the inputs, g = −a.
    fn moves_and_signs(&mut self) {
        let (terms, shifts) = (self.terms, self.shifts);
        let middle = centre(terms, &[]);
        for &(form, step) in &shifts.moves {
            if distance(step, middle) < distance(0, middle) {
                let a = self.moved(terms, 1, step.wrapping_neg());
                self.push(form, &[a]);
            }
        }
        if let Some(form) = self.shifts.negate {
            let a = self.moved(terms, -1, 0);
            self.push(form, &[a]);
        }
    }

    /// g = a/2, g = −a/2. A goal whose coefficients are whole multiples of the input needs no halving.
    fn halvings(&mut self) {
        let terms = self.terms;
        if self.goals.features(self.goal).valuation >= self.scale {
            return;
        }
        if let Some(form) = self.shifts.halve {
            let a = self.moved(terms, 2, 0);
            self.push(form, &[a]);
        }
        if let Some(form) = self.shifts.divide {
            for factor in [2, -2] {
                let a = self.moved(terms, factor, 0);
                self.push_division(form, a);
            }
        }
    }

    /// g = S·a − a, and g = S·a + a as S·a − (−a).
    fn factors(&mut self) {
        let (terms, shifts) = (self.terms, self.shifts);
        let mut a = Vec::new();
        for &(form, step) in &shifts.subtracts {
            if terms::divide(&mut a, terms, step, -1) {
                let a = self.operand(&a);
                self.push(form, &[a, a]);
            }
            if terms::divide(&mut a, terms, step, 1) {
                let operands = [self.operand(&a), self.moved(&a, -1, 0)];
                self.push(form, &operands);
            }
        }
    }

    /// g = a ± T·a + rest for displacements T between two terms.
    fn repetitions(&mut self) {
        let terms = self.terms;
        for (step, sign) in displacements(terms) {
            let (mut a, mut rest) = (Vec::new(), Vec::new());
            terms::repeated(&mut a, &mut rest, terms, step, sign);
            let (mut copy, mut core) = (Vec::new(), Vec::new());
            let fits = terms::scaled(&mut copy, &a, 1, step) && terms::combine(&mut core, &a, (1, 0), &copy, (sign, 0));
            if !fits {
                continue;
            }
            if rest.is_empty() {
                self.split(&a, &copy, sign);
                continue;
            }
            self.split(&core, &rest, 1);
            if terms::combine(&mut core, &a, (1, 0), &rest, (1, 0)) {
                self.split(&core, &copy, sign);
            }
            if terms::combine(&mut core, &copy, (1, 0), &rest, (sign, 0)) {
                self.split(&a, &core, sign);
            }
            if let (Some(form), 1) = (self.shifts.add3, sign) {
                let operands = [self.operand(&a), self.operand(&copy), self.operand(&rest)];
                self.push(form, &operands);
            }
        }
    }

    /// g = p + q for ways to share out the terms that promise something.
    fn splits(&mut self) {
        let terms = self.terms;
        let mut tried = Vec::new();
        let mut part = |part: Vec<Term>, this: &mut Self| {
            let mut rest = Vec::new();
            if part.is_empty() || !terms::combine(&mut rest, terms, (1, 0), &part, (-1, 0)) || rest.is_empty() {
                return;
            }
            if !tried.contains(&part) {
                this.split(&part, &rest, 1);
                tried.push(part);
            }
        };
        if terms.len() <= MAX_ALL_SPLITS {
            // The last term stays in the rest, so that each way is tried once.
            for mask in 1_u32..1 << terms.len().saturating_sub(1) {
                let chosen = (0..).zip(terms).filter(|(i, _)| mask >> i & 1 == 1).map(|(_, &term)| term).collect();
                part(chosen, self);
            }
        }
        part(terms.iter().copied().filter(|term| term.1 > 0).collect(), self);
        let channel = terms.first().map_or(0, |term| terms::channel(term.0));
        part(terms.iter().copied().filter(|term| terms::channel(term.0) == channel).collect(), self);
        for level in levels(terms) {
            // Everything up to that magnitude; whole multiples of it; everything of just that magnitude.
            part(terms.iter().map(|&(key, weight)| (key, weight.clamp(-level, level))).collect(), self);
            let multiples = terms.iter().map(|&(key, weight)| (key, weight / level * level));
            part(multiples.filter(|term| term.1 != 0).collect(), self);
            let rounded =
                terms.iter().map(|&(key, weight)| (key, (weight + weight.signum() * (level / 2)) / level * level));
            part(rounded.filter(|term| term.1 != 0).collect(), self);
            part(terms.iter().copied().filter(|term| term.1.abs() == level).collect(), self);
        }
        self.outliers();
        for step in line_steps() {
            for sign in [1, -1] {
                let rest = line_remainders(terms, step, sign);
                part(rest, self);
            }
        }
    }

    /// g = h + c·x^i·y^j, where h has there the coefficient that it has somewhere else: terms may cancel.
    fn outliers(&mut self) {
        let terms = self.terms;
        let mut weights: Vec<i32> = terms.iter().map(|term| term.1).collect();
        weights.sort_unstable();
        let mut values: Vec<(usize, i32)> = weights.chunk_by(|a, b| a == b).map(|run| (run.len(), run[0])).collect();
        values.sort_unstable_by_key(|&(count, value)| (std::cmp::Reverse(count), value));
        for &(count, value) in values.iter().take(2) {
            if count < 2 {
                continue;
            }
            for &(key, weight) in terms.iter().filter(|term| term.1 != value) {
                let Some(excess) = weight.checked_sub(value) else { continue };
                let mut smooth = Vec::new();
                if terms::combine(&mut smooth, terms, (1, 0), &[(key, excess)], (-1, 0)) {
                    self.split(&smooth, &[(key, excess)], 1);
                }
            }
        }
    }

    /// Records the steps for g = p + sign·q.
    fn split(&mut self, p: &[Term], q: &[Term], sign: i32) {
        let plain = [self.moved(p, 1, 0), self.moved(q, 1, 0)];
        if sign > 0 {
            if let Some(form) = self.shifts.add {
                self.push(form, &plain);
            }
            let middle = centre(p, q);
            if let Some((form, step)) = nearest(&self.shifts.adds, middle) {
                let (p, q) = (self.moved(p, 1, step.wrapping_neg()), self.moved(q, 1, step.wrapping_neg()));
                self.push(form, &[p, q]);
            }
        } else if let Some(form) = self.shifts.subtract {
            self.push(form, &plain);
        }
        // S·x0 − x1 takes one part from further away and turns the sign of the other.
        for (first, s, second, t) in [(p, 1, q, sign), (q, sign, p, 1)] {
            if let Some((form, step)) = nearest(&self.shifts.subtracts, centre(first, &[])) {
                let operands = [self.moved(first, s, step.wrapping_neg()), self.moved(second, -t, 0)];
                self.push(form, &operands);
            }
        }
    }
}

/// The directions of lines: one step of each slope up to length 2.
fn line_steps() -> impl Iterator<Item = u32> {
    [(1, 0), (0, 1), (1, 1), (-1, 1), (2, 0), (0, 2)].into_iter().map(|(x, y)| terms::step(Offset::new(x, y)))
}

/// What must be taken away so that the rest is S·a + sign·a: for each line along S at most one term, where the line
/// has its largest coefficient. The terms taken away and the rest may cancel.
fn line_remainders(terms: &[Term], step: u32, sign: i32) -> Vec<Term> {
    let mut open: Vec<Term> = terms.to_vec();
    let area = Area::of(terms);
    let mut remainders = Vec::new();
    // The first term of a line is the smallest key of it: `step` is positive.
    while let Some(&(first, _)) = open.first() {
        let (mut largest, mut sum, mut at) = ((first, 0_i32, 1), 0_i64, 0_usize);
        let (mut key, mut phase) = (first, 1);
        while area.contains(key) {
            if let Ok(found) = open[at..].binary_search_by_key(&key, |term| term.0) {
                at += found;
                let (_, weight) = open.remove(at);
                sum += i64::from(phase * weight);
                if weight.abs() > largest.1.abs() {
                    largest = (key, weight, phase);
                }
            }
            key = key.wrapping_add(step);
            phase *= -sign;
        }
        if let (Ok(remainder), true) = (i32::try_from(sum * i64::from(largest.2)), sum != 0) {
            remainders.push((largest.0, remainder));
        }
    }
    remainders.sort_unstable();
    remainders
}

/// The middle of the box around the terms.
fn centre(p: &[Term], q: &[Term]) -> Offset {
    let (p, q) = (Area::of(p), Area::of(if q.is_empty() { p } else { q }));
    Offset::new(
        i16::midpoint(p.min.x.min(q.min.x), p.max.x.max(q.max.x)),
        i16::midpoint(p.min.y.min(q.min.y), p.max.y.max(q.max.y)),
    )
}

/// The form that takes a value nearest to where it is wanted; `None` if staying is nearest.
fn nearest(forms: &[(super::FormId, u32)], wanted: Offset) -> Option<(super::FormId, u32)> {
    forms.iter().copied().min_by_key(|&(_, step)| distance(step, wanted)).filter(|&(_, step)| step != 0)
}

/// How far a step ends from an offset.
fn distance(step: u32, wanted: Offset) -> u16 {
    let got = terms::offset_of_step(step);
    (got.x - wanted.x).unsigned_abs() + (got.y - wanted.y).unsigned_abs()
}

/// Displacements between terms with a sign, those with the largest repetitions first.
fn displacements(terms: &[Term]) -> Vec<(u32, i32)> {
    let mut steps = Vec::new();
    for (i, low) in terms.iter().enumerate() {
        for high in &terms[i + 1..] {
            if terms::channel(low.0) == terms::channel(high.0) {
                steps.push(high.0 - low.0);
            }
        }
    }
    let mut rest = Vec::new();
    ranked(steps, (MAX_REPETITIONS, 1), |part, step, sign| terms::repeated(part, &mut rest, terms, step, sign))
}

/// The magnitudes that occur, and the powers of two among and below them that divide something.
fn levels(terms: &[Term]) -> Vec<i32> {
    let mut levels: Vec<i32> = terms
        .iter()
        .flat_map(|&(_, weight)| [weight.abs(), 1 << weight.trailing_zeros(), 1 << weight.unsigned_abs().ilog2()])
        .collect();
    levels.sort_unstable();
    levels.dedup();
    levels.truncate(12);
    levels
}
