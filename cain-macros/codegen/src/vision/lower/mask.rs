//! One of two things in each PE, and what stands behind `where`.

use cain_vision::declaration::{Operation, Value};
use proc_macro2::Span;

use super::bits::Bits;
use super::control::Joined;
use super::linear::Linear;
use super::thing::Thing;
use super::{Lowering, Made, Told};
use crate::vision::tree::Expr;

impl Lowering<'_> {
    /// Where bits are 1, one thing, and elsewhere another one.
    pub(super) fn select(&mut self, bits: Value, then: &Thing, otherwise: &Thing, at: Span) -> Made<Thing> {
        let given = [then.leaves(), otherwise.leaves()];
        let (then, otherwise) = self.alike(then, otherwise, at)?;
        let mut leaves = Vec::new();
        for (place, (a, b)) in then.leaves().into_iter().zip(otherwise.leaves()).enumerate() {
            let is_chosen = a != b;
            let leaf = self.select_leaf(bits, a, &b, at)?;
            if let (true, Thing::Levels(_), Some(value)) = (is_chosen, &leaf, leaf.plane())
                && let [Some(then), Some(otherwise)] = given.each_ref().map(|side| side.get(place))
                && [then, otherwise].into_iter().all(|side| self.can_be_digits(side))
            {
                self.choices.insert(value, (bits, [then.clone(), otherwise.clone()]));
            }
            leaves.push(leaf);
        }
        Ok(then.with_leaves(&mut leaves.into_iter()))
    }

    fn select_leaf(&mut self, bits: Value, then: Thing, otherwise: &Thing, at: Span) -> Made<Thing> {
        if then == *otherwise {
            return Ok(then);
        }
        if let (
            Thing::Bits(_) | Thing::Truth(_) | Thing::Condition(_),
            Thing::Bits(_) | Thing::Truth(_) | Thing::Condition(_),
        ) = (&then, otherwise)
        {
            let (then, otherwise) = (self.bits(&then, at)?, self.bits(otherwise, at)?);
            let selected = Bits::choice(Bits::plane(bits), then, otherwise);
            Ok(Thing::Bits(self.small(selected, at)?))
        } else {
            let (then, otherwise) = (self.levels_value(&then, at)?, self.levels_value(otherwise, at)?);
            let selected = self.define(Operation::Select { bits, then, otherwise }, at)?;
            Ok(Thing::Levels(Linear::plane(selected)))
        }
    }

    /// What stands behind `where`: `value` there, and elsewhere what was there before.
    pub(super) fn where_mask(&mut self, mask: &Expr, value: &Expr, before: &Thing, what: &str) -> Made<Thing> {
        let condition = self.expr(mask)?;
        match condition {
            Thing::Truth(true) => self.fitted(value, before, what),
            Thing::Truth(false) => Ok(before.clone()),
            Thing::Condition(number) => {
                let condition = self.number_value(number, mask.at)?;
                self.builder.begin();
                let made = self.fitted(value, before, what).and_then(|thing| self.settled(&thing, value.at));
                let then = self.builder.end();
                self.builder.begin();
                let mut joined = Joined { bodies: [then, self.builder.end()], pairs: Vec::new() };
                let out = self.join(&made?, before, &mut joined, value.at)?;
                let values = self.builder.decide(condition, joined.bodies, &joined.pairs);
                let values = self.built(values, value.at)?;
                self.note_all(&values, value.at);
                Ok(out.thing(&values))
            }
            Thing::Bits(bits) => {
                let bits = self.bit(bits, mask.at)?;
                let thing = self.fitted(value, before, what)?;
                self.select(bits, &thing, before, value.at)
            }
            other => self.condition(&other, mask.at).map(|_| Thing::Wrong),
        }
    }

    /// An expression as something of the kind of something else.
    fn fitted(&mut self, value: &Expr, like: &Thing, what: &str) -> Made<Thing> {
        let thing = self.expr(value)?;
        if *like == Thing::Wrong {
            return Err(Told);
        }
        if is_free(like) { Ok(thing) } else { self.fit(&thing, like, what, value.at) }
    }
}

/// Whether something has only constants, whose kind is not known.
fn is_free(thing: &Thing) -> bool {
    thing.leaves().iter().all(|leaf| matches!(leaf, Thing::Constant(_) | Thing::Truth(_)))
}
