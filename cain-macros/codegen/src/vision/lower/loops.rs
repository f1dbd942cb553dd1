//! Loops.

use std::collections::BTreeSet;

use cain_isa::program::Term;
use cain_vision::declaration::{Kind, Number, Until, Value};
use proc_macro2::Span;

use super::assigned;
use super::operator::numbered;
use super::scope::Role;
use super::thing::Thing;
use super::{Lowering, Made, Told};
use crate::vision::tree::{Block, Expr, Name, Pattern};

/// The most passes of a loop.
const MOST_PASSES: i64 = 1 << 20;

/// When a loop ends, as it is written.
pub(super) enum Ends<'t> {
    Passes(Value, Option<&'t Name>),
    Fails(&'t Expr),
    Stable(&'t Name),
}

/// A variable that a loop carries.
struct Carried {
    name: String,
    /// What it is within the loop.
    inside: Thing,
    /// The values of its leaves: before the loop, and within.
    values: Vec<[Value; 2]>,
}

impl Lowering<'_> {
    /// `repeat count { .. }`
    pub(super) fn repeat(
        &mut self,
        counter: Option<&Name>,
        count: &Expr,
        most: Option<&Expr>,
        body: &Block,
        at: Span,
    ) -> Made<()> {
        let thing = self.expr(count)?;
        if thing == Thing::UntilStable {
            return Err(
                self.wrong(count.at, "a loop until something is stable is written `until stable x, at most 16 { .. }`")
            );
        }
        let number = self.number(&thing, count.at)?;
        if let Number::Constant(passes) = number
            && passes < 0
        {
            let message = format!("expected a number of passes, found {passes}");
            return Err(self.wrong(count.at, message));
        }
        let range = self.builder.range(&number);
        let (_, high) = self.built(range, count.at)?;
        let most = match most {
            Some(most) => Some(self.most(most)?.min(u32::try_from(high.max(0)).unwrap_or(u32::MAX))),
            None => u32::try_from(high.max(0)).ok().filter(|high| i64::from(*high) <= MOST_PASSES),
        };
        let Some(most) = most else {
            if let Number::Constant(passes) = number {
                let message = format!("a loop has no more than {MOST_PASSES} passes, but this one has {passes}");
                return Err(self.wrong(count.at, message));
            }
            // Numbers that saturate have no limit of their own.
            let known = if high < Term::LARGEST {
                format!("this may be repeated {high} times, and a loop has no more than {MOST_PASSES} passes")
            } else {
                "nothing says how often this is repeated at most".to_owned()
            };
            let message = if self.is_in_prelude() {
                format!("{known}; give the number a smaller range, as in `clamp(n, 0, 16)`")
            } else {
                format!(
                    "{known}; give a limit, as in `repeat n, at most 16 {{ .. }}`, of no more than {MOST_PASSES} passes"
                )
            };
            return Err(self.wrong(count.at, message));
        };
        if most == 0 {
            return Ok(());
        }
        // Nothing has to be carried.
        if number == Number::Constant(1) {
            return self.once(body, |lowering| {
                if let Some(name) = counter {
                    lowering.bind(name, numbered(Number::Constant(0)), Role::Counter);
                }
            });
        }
        let passes = self.number_value(number, count.at)?;
        self.looped(most, &Ends::Passes(passes, counter), body, at)
    }

    /// The limit of a loop.
    pub(super) fn most(&mut self, most: &Expr) -> Made<u32> {
        let thing = self.expr(most)?;
        let most = self.known_within(&thing, 1, MOST_PASSES, "a number of passes", most.at)?;
        u32::try_from(most).map_err(|_| Told)
    }

    /// A loop over a body. The variables that it assigns are carried from each pass to the next.
    pub(super) fn looped(&mut self, most: u32, ends: &Ends<'_>, body: &Block, at: Span) -> Made<()> {
        let mut names = BTreeSet::new();
        assigned::in_block(body, &mut names);
        if let Ends::Stable(name) = ends {
            names.insert(name.value.clone());
        }
        let mut carried = Vec::new();
        for name in names {
            if let Some(before) = self.before(&name, at)? {
                carried.push((name, before));
            }
        }
        let are_alike = carried.is_empty() && !assigned::lists(body);
        self.builder.begin();
        let counter = self.builder.given(Kind::Number { low: 0, high: i64::from(most) - 1 });
        self.note(counter, at);
        let carried: Vec<Carried> = carried.into_iter().map(|(name, before)| self.carried(name, before, at)).collect();
        self.loops += 1;
        self.nested += 1;
        let made = self.passes(&carried, ends, counter, body, at);
        self.nested -= 1;
        self.loops -= 1;
        let body = self.builder.end();
        let (until, next) = match made {
            Ok(made) => made,
            Err(told) => {
                for Carried { name, .. } in carried {
                    self.assign(&name, Thing::Wrong);
                }
                return Err(told);
            }
        };
        if are_alike {
            let message = "all passes of this loop are alike: it assigns no `var` that is declared before it, and adds to no list";
            return Err(self.wrong(at, message));
        }
        let values: Vec<[Value; 2]> = carried.iter().flat_map(|carried| carried.values.iter().copied()).collect();
        let triples: Vec<[Value; 3]> =
            values.iter().zip(next).map(|([first, inside], next)| [*first, *inside, next]).collect();
        let after = self.builder.repeat(most, until, &triples, counter, body);
        let after = self.built(after, at)?;
        self.note_all(&after, at);
        let mut after = after.into_iter();
        for Carried { name, inside, values } in carried {
            let after: Vec<Value> = after.by_ref().take(values.len()).collect();
            let leaves: Vec<Thing> =
                inside.leaves().iter().zip(after).map(|(like, value)| Self::leaf_of(value, like)).collect();
            self.assign(&name, inside.with_leaves(&mut leaves.into_iter()));
        }
        Ok(())
    }

    /// A variable before a loop, and the values of its leaves; nothing for what is not a variable.
    fn before(&mut self, name: &str, at: Span) -> Made<Option<(Thing, Vec<Value>)>> {
        let Some(binding) = self.scopes.get(name).filter(|binding| binding.role == Role::Var) else { return Ok(None) };
        let thing = binding.thing.clone();
        if thing == Thing::Wrong {
            return Err(Told);
        }
        let values = thing.leaves().into_iter().map(|leaf| self.leaf_value(leaf, at)).collect::<Made<_>>()?;
        Ok(Some((thing, values)))
    }

    /// A variable that a loop carries, which is another value within.
    fn carried(&mut self, name: String, (before, values): (Thing, Vec<Value>), at: Span) -> Carried {
        let stays = self.scopes.get(&name).and_then(|binding| binding.stays.as_ref());
        let range = stays.and_then(|stays| stays.range);
        let mut pairs = Vec::new();
        let mut leaves = Vec::new();
        for (leaf, first) in before.leaves().iter().zip(values) {
            let kind = match (leaf, self.builder.kind(first)) {
                (Thing::Levels(_), Kind::Levels { low, high }) => {
                    Kind::Levels { low: low.min(self.range.0), high: high.max(self.range.1) }
                }
                (Thing::Condition(_) | Thing::Truth(_), _) => Kind::Number { low: 0, high: 1 },
                (_, Kind::Number { .. }) => {
                    let (low, high) = range.unwrap_or((i64::MIN, i64::MAX));
                    Kind::Number { low, high }
                }
                (_, kind) => kind,
            };
            let inside = self.builder.given(kind);
            self.note(inside, at);
            pairs.push([first, inside]);
            leaves.push(Self::leaf_of(inside, leaf));
        }
        let inside = before.with_leaves(&mut leaves.into_iter());
        self.assign(&name, inside.clone());
        Carried { name, inside, values: pairs }
    }

    /// Lowers the body. Returns when the loop ends, and what the body makes of the carried values.
    fn passes(
        &mut self,
        carried: &[Carried],
        ends: &Ends<'_>,
        counter: Value,
        body: &Block,
        at: Span,
    ) -> Made<(Until, Vec<Value>)> {
        let until = match ends {
            Ends::Passes(passes, _) => Until::Passes(*passes),
            Ends::Fails(condition) => {
                self.builder.begin();
                let made = self.expr(condition).and_then(|thing| {
                    let number = self.condition(&thing, condition.at)?;
                    self.number_value(number, condition.at)
                });
                let statements = self.builder.end().statements();
                Until::Fails { statements, condition: made? }
            }
            Ends::Stable(name) => {
                let mut place = 0;
                let mut found = None;
                for carried in carried {
                    if carried.name == name.value {
                        found = Some((place, carried.inside.clone()));
                    }
                    place += carried.values.len();
                }
                match found {
                    Some((place, Thing::Bits(_))) => Until::Stable(place),
                    Some((_, other)) => {
                        return Err(self.expected("a `var` of bits behind `until stable`", &other, "", name.at));
                    }
                    None => return Err(self.not_assignable(name)),
                }
            }
        };
        let made = self.once(body, |lowering| {
            if let Ends::Passes(_, Some(name)) = ends {
                lowering.bind(name, numbered(Number::Value(counter)), Role::Counter);
            }
        });
        let mut next = Vec::new();
        for Carried { name, inside, .. } in carried {
            let binding = self.scopes.get(name).map(|binding| (binding.thing.clone(), binding.assigned.unwrap_or(at)));
            let Some((thing, at)) = binding.filter(|(thing, _)| *thing != Thing::Wrong) else { return Err(Told) };
            let thing = self.fit(&thing, inside, &format!("before the loop, `{name}`"), at)?;
            for leaf in thing.leaves() {
                next.push(self.leaf_value(leaf, at)?);
            }
        }
        made.map(|()| (until, next))
    }

    /// `for pattern in list { .. }`, which is unrolled.
    pub(super) fn unrolled(&mut self, pattern: &Pattern, list: &Expr, body: &Block) -> Made<()> {
        let thing = self.expr(list)?;
        let elements = self.elements(thing, list.at)?;
        for element in elements {
            // The others have the same mistakes.
            self.once(body, |lowering| lowering.bind_pattern(pattern, Ok(element), Role::Let))?;
        }
        Ok(())
    }

    /// A body that is not repeated, with what is bound within.
    fn once(&mut self, body: &Block, bind: impl FnOnce(&mut Self)) -> Made<()> {
        let errors = self.errors.len();
        self.scoped(|lowering| {
            bind(lowering);
            lowering.statements(&body.statements);
            if let Some(value) = &body.value {
                lowering.last(value);
            }
        });
        if self.errors.len() > errors { Err(Told) } else { Ok(()) }
    }
}
