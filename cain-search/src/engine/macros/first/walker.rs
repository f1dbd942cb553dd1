//! Builds kernels in place, from inputs that walk from weight to weight.

use cain_isa::{Displacement, Reg};

use super::{MAX_ADDITIONS, Sequence};
use crate::engine::macros::forms::{Form, Shape};
use crate::engine::terms::{self, Term};
use crate::sort;

/// An input that walks.
struct Walker {
    /// The register that it walks in, if there is one.
    reg: Option<Reg>,
    /// The channel that it carries, and the displacement that it has reached.
    at: Option<(u32, Displacement)>,
}

/// A way to get to a place.
struct Route {
    from: Reg,
    start: Displacement,
    /// The length in steps.
    distance: u32,
}

impl Sequence<'_> {
    /// Builds `((D₀/2 + D₁)/2 + D₂)/2 ..`, and then doubles it if the weights are large.
    pub(super) fn digit_by_digit(&mut self, terms: &[Term], mut sum: Reg, mut spare: Reg) -> Option<Reg> {
        let scale = self.scale;
        let top = terms.iter().map(|term| term.1.unsigned_abs().ilog2()).max()?;
        let mut started = false;
        for bit in 0..=top.max(scale) {
            if started {
                self.emit(Shape::Halve, Displacement::ZERO, &[spare, sum])?;
                std::mem::swap(&mut sum, &mut spare);
            }
            let has_digit = |term: &&Term| term.1.unsigned_abs() >> bit & 1 == 1;
            let digits = terms.iter().filter(has_digit).map(|&(key, weight)| (key, weight.signum())).collect();
            self.add_up(digits, &mut started, sum, Some(spare))?;
        }
        for _ in scale..top {
            self.emit(Shape::Move, Displacement::ZERO, &[spare, sum])?;
            self.emit(Shape::Add, Displacement::ZERO, &[sum, sum, spare])?;
        }
        Some(sum)
    }

    /// Builds the last kernel, with its inputs walking in their own registers.
    pub(super) fn one_by_one(&mut self, terms: &[Term], sum: Reg) -> Option<Reg> {
        let additions: u64 = terms.iter().map(|term| u64::from(term.1.unsigned_abs())).sum();
        let halvings = terms.iter().map(|term| term.1.trailing_zeros()).min()?;
        let halvings = self.scale.checked_sub(halvings)?;
        if !self.open.is_empty() || additions >> (self.scale - halvings) > MAX_ADDITIONS {
            return None;
        }
        let unit = |&(key, weight): &Term| (key, weight >> (self.scale - halvings));
        let mut channels: Vec<Vec<Term>> = terms
            .chunk_by(|a, b| terms::channel(a.0) == terms::channel(b.0))
            .map(|run| run.iter().map(unit).collect())
            .collect();
        // An input that has been used up leaves its register to inputs that stay where they are.
        sort::by_key(&mut channels, |run| run.first().is_some_and(|term| self.stays(terms::channel(term.0))));
        let (mut started, mut spare) = (false, None);
        for run in channels {
            let channel = terms::channel(run.first()?.0);
            if !self.stays(channel) {
                spare = Some(self.input(channel)?.reg);
            }
            self.add_up(run, &mut started, sum, spare)?;
        }
        let mut places = (sum, spare);
        for _ in 0..halvings {
            let (from, to) = (places.0, places.1?);
            self.emit(Shape::Halve, Displacement::ZERO, &[to, from])?;
            places = (to, Some(from));
        }
        Some(places.0)
    }

    /// Adds weighted inputs to a sum, or starts it with them. The inputs walk in `walker`, which may be the register of
    /// the input itself.
    fn add_up(&mut self, mut terms: Vec<Term>, started: &mut bool, sum: Reg, walker: Option<Reg>) -> Option<()> {
        let mut walking = Walker { reg: walker, at: None };
        while let Some(i) =
            (0..terms.len()).min_by_key(|&i| self.route_to(&walking, terms[i].0).map(|route| route.distance))
        {
            let (key, weight) = terms.swap_remove(i);
            let source = self.walk(&mut walking, key)?;
            for _ in 0..weight.unsigned_abs() {
                match (*started, weight > 0) {
                    (false, true) => self.emit(Shape::Move, Displacement::ZERO, &[sum, source])?,
                    (false, false) => self.emit(Shape::Negate, Displacement::ZERO, &[sum, source])?,
                    (true, true) => self.emit(Shape::Add, Displacement::ZERO, &[sum, sum, source])?,
                    (true, false) => self.emit(Shape::Subtract, Displacement::ZERO, &[sum, sum, source])?,
                }
                *started = true;
            }
        }
        Some(())
    }

    /// The shorter route to a place: from where the walker is, or from the input.
    fn route_to(&self, walker: &Walker, key: u32) -> Option<Route> {
        let (channel, target) = (terms::channel(key), terms::displacement(key));
        let route = |from: Reg, start: Displacement| Route { from, start, distance: start.distance(target) };
        let input = self.input(channel)?.reg;
        let onwards = walker.at.filter(|at| at.0 == channel).zip(walker.reg).map(|((_, at), reg)| route(reg, at));
        let afresh = route(input, Displacement::ZERO);
        match onwards {
            // The input is no longer where it was.
            Some(onwards) if walker.reg == Some(input) => Some(onwards),
            Some(onwards) if onwards.distance < afresh.distance => Some(onwards),
            _ => Some(afresh),
        }
    }

    /// Walks to a place; returns the register that then holds the value.
    fn walk(&mut self, walker: &mut Walker, key: u32) -> Option<Reg> {
        let (channel, target) = (terms::channel(key), terms::displacement(key));
        let Route { mut from, start: mut here, mut distance } = self.route_to(walker, key)?;
        while distance > 0 {
            let to = walker.reg?;
            let after = |form: &Form| here.checked_add(form.displacement).map(|at| (at, at.distance(target)));
            let moves = self.forms.shaped(Shape::Move).filter_map(|(_, form)| Some((form.displacement, after(form)?)));
            let (step, (at, left)) =
                moves.min_by_key(|(_, (_, left))| *left).filter(|(_, (_, left))| *left < distance)?;
            self.emit(Shape::Move, step, &[to, from])?;
            (from, here, distance) = (to, at, left);
            walker.at = Some((channel, here));
        }
        Some(from)
    }
}
