//! Values of one kind where loops, branches and states need them.

use cain_vision::declaration::{Number, Value};
use proc_macro2::Span;

use super::bits::Bits;
use super::linear::Linear;
use super::places::SHAPES;
use super::thing::Thing;
use super::{Lowering, Made, Told};

impl Lowering<'_> {
    /// Something of the kind that something else is.
    pub(super) fn fit(&mut self, thing: &Thing, like: &Thing, what: &str, at: Span) -> Made<Thing> {
        match (thing, like) {
            (Thing::Constant(_) | Thing::Number(_), Thing::Digits(bits)) => {
                Ok(Thing::Digits(self.digits_like(thing, bits.len(), at)?))
            }
            (Thing::Levels(_), Thing::Digits(bits)) if self.choice_of(thing).is_some() => {
                Ok(Thing::Digits(self.digits_like(thing, bits.len(), at)?))
            }
            (Thing::Digits(of), Thing::Digits(bits)) if of.len() < bits.len() => {
                Ok(Thing::Digits(self.digits_like(thing, bits.len(), at)?))
            }
            _ if thing.is_alike(like) => {
                let mut leaves = Vec::new();
                for (leaf, like) in thing.leaves().iter().zip(like.leaves()) {
                    leaves.push(self.fit_leaf(leaf, &like, what, at)?);
                }
                Ok(thing.with_leaves(&mut leaves.into_iter()))
            }
            _ => Err(self.differs(thing, like, what, at)),
        }
    }

    /// What replaces something in a variable: of its kind, but for numbers, which may become levels, and truth values, which may
    /// become bits.
    pub(super) fn of_its_kind(&mut self, thing: Thing, before: &Thing, name: &str, at: Span) -> Made<Thing> {
        let are_lists = matches!((&thing, before), (Thing::List(_), Thing::List(_)));
        if [&thing, before].iter().any(|of| of.leaves().contains(&Thing::Wrong)) || are_lists && !thing.is_alike(before)
        {
            return Ok(thing);
        }
        let becomes = |leaf: &Thing, before: &Thing| match before {
            Thing::Constant(_) | Thing::Number(_) => !matches!(leaf, Thing::Bits(_)),
            Thing::Truth(_) | Thing::Condition(_) => {
                matches!(leaf, Thing::Truth(_) | Thing::Condition(_) | Thing::Bits(_))
            }
            _ => false,
        };
        let is_number = matches!(before, Thing::Constant(_) | Thing::Number(_));
        let mut pairs = thing.leaves().into_iter().zip(before.leaves());
        if is_number && matches!(thing, Thing::Digits(_))
            || thing.is_alike(before) && pairs.all(|(leaf, before)| becomes(&leaf, &before))
        {
            return Ok(thing);
        }
        self.fit(&thing, before, &format!("`{name}`"), at)
    }

    fn differs(&mut self, thing: &Thing, like: &Thing, what: &str, at: Span) -> Told {
        let is_number =
            |of: &Thing| matches!(of, Thing::Number(_) | Thing::Condition(_) | Thing::Constant(_) | Thing::Truth(_));
        let help = match thing {
            Thing::Levels(_) if is_number(like) => "; declare it with `: levels`",
            Thing::Bits(_) if is_number(like) => "; declare it with `: bits`",
            Thing::Digits(_) if is_number(like) => "; declare it with `: digits(n)`",
            _ => "",
        };
        let what = format!("{what} is {}", like.what());
        self.wrong(at, format_args!("{what}, but this is {}{help}", thing.what()))
    }

    fn fit_leaf(&mut self, leaf: &Thing, like: &Thing, what: &str, at: Span) -> Made<Thing> {
        Ok(match (leaf, like) {
            (Thing::Levels(_) | Thing::Constant(_) | Thing::Number(_), Thing::Levels(_)) => {
                Thing::Levels(self.levels(leaf, at)?)
            }
            (Thing::Bits(_) | Thing::Truth(_) | Thing::Condition(_), Thing::Bits(_)) => {
                Thing::Bits(self.bits(leaf, at)?)
            }
            (
                Thing::Number(_) | Thing::Constant(_) | Thing::Condition(_) | Thing::Truth(_),
                Thing::Number(_) | Thing::Constant(_),
            ) => Thing::Number(self.number(leaf, at)?),
            (Thing::Condition(_) | Thing::Truth(_), Thing::Condition(_) | Thing::Truth(_)) => {
                Thing::Condition(self.number(leaf, at)?)
            }
            _ => return Err(self.differs(leaf, like, what, at)),
        })
    }

    /// The value of the declaration that a leaf is.
    pub(super) fn leaf_value(&mut self, leaf: Thing, at: Span) -> Made<Value> {
        match leaf {
            Thing::Levels(linear) => self.plane(&linear, at),
            Thing::Bits(bits) => self.bit(bits, at),
            Thing::Number(number) | Thing::Condition(number) => self.number_value(number, at),
            Thing::Constant(_) | Thing::Truth(_) => {
                let number = self.number(&leaf, at)?;
                self.number_value(number, at)
            }
            other => Err(self.expected("a plane or a number", &other, "", at)),
        }
    }

    /// The leaf that a value of the declaration is, of the kind of another one.
    pub(super) fn leaf_of(value: Value, like: &Thing) -> Thing {
        match like {
            Thing::Levels(_) => Thing::Levels(Linear::plane(value)),
            Thing::Bits(_) => Thing::Bits(Bits::plane(value)),
            Thing::Condition(_) | Thing::Truth(_) => Thing::Condition(Number::Value(value)),
            _ => Thing::Number(Number::Value(value)),
        }
    }

    /// What one of two things is: both as things of one kind. Constants take the kind of the other one.
    pub(super) fn alike(&mut self, a: &Thing, b: &Thing, at: Span) -> Made<(Thing, Thing)> {
        Ok((self.like(a, b, at)?, self.like(b, a, at)?))
    }

    /// One of two things, of the kind that [both](Self::alike) have then.
    pub(super) fn like(&mut self, a: &Thing, b: &Thing, at: Span) -> Made<Thing> {
        if let (Thing::Digits(bits), _) | (_, Thing::Digits(bits)) = (a, b) {
            let length = match (a, b) {
                (Thing::Digits(one), Thing::Digits(other)) => one.len().max(other.len()),
                _ => bits.len(),
            };
            return Ok(Thing::Digits(self.digits_like(a, length, at)?));
        }
        if [a, b].iter().any(|of| of.leaves().contains(&Thing::Wrong)) {
            return Err(Told);
        }
        if !a.is_alike(b) {
            return Err(self.unlike(a, b, at));
        }
        let mut fit = Vec::new();
        for (a, b) in a.leaves().iter().zip(b.leaves()) {
            fit.push(self.like_leaf(a, &b, at)?);
        }
        Ok(a.with_leaves(&mut fit.into_iter()))
    }

    fn like_leaf(&mut self, a: &Thing, b: &Thing, at: Span) -> Made<Thing> {
        let rank = |of: &Thing| match of {
            Thing::Truth(_) => 0,
            Thing::Condition(_) => 1,
            Thing::Constant(_) => 2,
            Thing::Number(_) => 3,
            Thing::Bits(_) => 4,
            _ => 5,
        };
        if a == b {
            return Ok(a.clone());
        }
        let is_level = |of: &Thing| matches!(of, Thing::Levels(_) | Thing::Number(_) | Thing::Constant(_));
        let is_truth = |of: &Thing| matches!(of, Thing::Bits(_) | Thing::Condition(_) | Thing::Truth(_));
        let is_number =
            |of: &Thing| matches!(of, Thing::Number(_) | Thing::Constant(_) | Thing::Condition(_) | Thing::Truth(_));
        let fit = is_level(a) && is_level(b) || is_truth(a) && is_truth(b) || is_number(a) && is_number(b);
        if !fit {
            return Err(self.unlike(a, b, at));
        }
        self.fit_leaf(a, if rank(a) >= rank(b) { a } else { b }, "one of both", at)
    }

    /// The message that no kind is that of both.
    fn unlike(&mut self, a: &Thing, b: &Thing, at: Span) -> Told {
        if let [Thing::Kernel(_), Thing::Kernel(_)] = [a, b] {
            return self.wrong(at, SHAPES);
        }
        self.wrong(at, format_args!("one of both is {}, the other {}", a.what(), b.what()))
    }
}
