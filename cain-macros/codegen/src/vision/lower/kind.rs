//! Kinds that are written.

use cain_isa::Fraction;
use proc_macro2::Span;

use super::digits::MOST_BITS;
use super::operator::{conditional, numbered};
use super::thing::Thing;
use super::{Lowering, Made};
use crate::vision::tree::{Expr, Type, Typed, What};

impl Lowering<'_> {
    /// Something of a kind that is written.
    pub(super) fn typed(&mut self, thing: &Thing, kind: &Type, at: Span) -> Made<Thing> {
        match &kind.what {
            Typed::Levels(None) => Ok(Thing::Levels(self.levels(thing, at)?)),
            Typed::Bits => Ok(Thing::Bits(self.bits(thing, at)?)),
            Typed::Bool => Ok(conditional(self.condition(thing, at)?)),
            Typed::Number => Ok(numbered(self.number(thing, at)?)),
            // Each part is in the range.
            Typed::Range(_) if matches!(thing, Thing::Tuple(_)) => {
                let parts: Vec<Thing> =
                    thing.leaves().iter().map(|part| self.typed(part, kind, at)).collect::<Made<_>>()?;
                Ok(thing.with_leaves(&mut parts.into_iter()))
            }
            Typed::Range(range) => {
                let (low, high) = self.number_range(range)?;
                self.check_constant(thing, (low, high), at)?;
                Ok(numbered(self.number(thing, at)?))
            }
            Typed::Digits(count) => {
                let known = self.expr(count)?;
                let count = self.known_within(&known, 1, MOST_BITS, "a number of bits", count.at)?;
                Ok(Thing::Digits(self.digits_like(thing, usize::try_from(count).unwrap_or(1), at)?))
            }
            Typed::Levels(Some(_)) | Typed::Region => {
                Err(self.wrong(kind.at, "only inputs and parameters of a program can be of this kind"))
            }
        }
    }

    /// What an expression is, which must not be a number that is written there and out of a range.
    pub(super) fn literal(&mut self, of: &Expr, thing: Thing, range: Option<(i64, i64)>) -> Made<Thing> {
        let is_written = match &of.what {
            What::Number(_) => true,
            What::Negative(of) => matches!(of.what, What::Number(_)),
            _ => false,
        };
        if let Some(range) = range.filter(|_| is_written) {
            self.check_constant(&thing, range, of.at)?;
        }
        Ok(thing)
    }

    /// Fails if something is a constant out of a range.
    pub(super) fn check_constant(&mut self, thing: &Thing, (low, high): (i64, i64), at: Span) -> Made<()> {
        if let Thing::Constant(constant) = thing {
            let (least, most) = (Fraction::new(low, 1), Fraction::new(high, 1));
            if least.is_some_and(|least| *constant < least) || most.is_some_and(|most| *constant > most) {
                let message = format!("{constant} is not in the range from {low} to {high}");
                return Err(self.wrong(at, message));
            }
        }
        Ok(())
    }

    /// A range of whole numbers.
    pub(super) fn number_range(&mut self, range: &Expr) -> Made<(i64, i64)> {
        const KINDS: &str = "`levels`, `bits`, `bool`, `number`, `region` or a range such as `0..=127`";
        if let What::Name(name) = &range.what
            && !self.file.constants.iter().any(|constant| constant.name.value == *name)
        {
            return Err(self.wrong(range.at, format!("unknown kind `{name}`; expected {KINDS}")));
        }
        let thing = self.expr(range)?;
        let Thing::Range(ends) = thing else {
            return Err(self.expected(KINDS, &thing, "", range.at));
        };
        let most = i64::from(i32::MAX);
        let [low, high] = *ends;
        let [low, high] = [low, high].map(|end| self.known_within(&end, -most, most, "a whole number", range.at));
        let (low, high) = (low?, high?);
        if low > high {
            let message = format!("the range is empty: {low} is more than {high}");
            return Err(self.wrong(range.at, message));
        }
        Ok((low, high))
    }
}
