//! Statements.

use cain_vision::declaration::Number;
use proc_macro2::Span;

use super::loops::Ends;
use super::scope::{Role, Stays};
use super::thing::{Thing, whole};
use super::{Lowering, Made};
use crate::names::near_miss;
use crate::vision::tree::{Action, Expr, Name, Pattern, Statement, Type, Typed, What};

impl Lowering<'_> {
    /// Carries out statements; mistakes in one of them do not hide those in the next one.
    pub(super) fn statements(&mut self, statements: &[Statement]) {
        for Statement { what, at } in statements {
            // What is wrong has been told.
            let _ = self.enter(*at).and_then(|()| {
                let made = self.statement(what, *at);
                self.leave();
                made
            });
        }
    }

    /// The value of a block that has none.
    pub(super) fn last(&mut self, value: &Expr) {
        if let What::If(of) = &value.what {
            self.decide(of, value.at);
        } else if self.expr(value).is_ok() {
            self.wrong(value.at, "this value is not used; give it a name with `let`");
        }
    }

    fn statement(&mut self, action: &Action, at: Span) -> Made<()> {
        match action {
            Action::Let { pattern, value } => {
                let thing = self.expr(value).and_then(|thing| self.settled(&thing, value.at));
                self.bind_pattern(pattern, thing, Role::Let);
            }
            Action::Var { pattern, kind, value } => {
                let thing = self.expr(value).and_then(|thing| match kind {
                    Some(kind) => self.typed(&thing, kind, value.at),
                    None => Ok(thing),
                });
                let range = match kind {
                    Some(Type { what: Typed::Range(range), .. }) if thing.is_ok() => self.number_range(range).ok(),
                    _ => None,
                };
                let thing = thing
                    .and_then(|thing| match range {
                        Some(range) => self.brought_into(&thing, range, value.at),
                        None => Ok(thing),
                    })
                    .and_then(|thing| self.settled(&thing, value.at))
                    .and_then(|thing| self.variable(thing, value.at));
                self.bind_pattern(pattern, thing, Role::Var);
                if kind.is_some() {
                    self.stays(pattern, range);
                }
            }
            Action::Assign { name, value, mask } => self.assigns(name, value, mask.as_ref())?,
            Action::State { name, kind, first, storage } => self.state(name, kind.as_ref(), first, storage.as_ref()),
            Action::Next { name, value, mask } => self.next(name, value, mask.as_ref())?,
            Action::List { name } => self.list_of_results(name)?,
            Action::Add { name, value } => self.add_to_list(name, value)?,
            Action::Repeat { counter, count, most, body } => {
                self.repeat(counter.as_ref(), count, most.as_ref(), body, at)?;
            }
            Action::While { condition, most, body } => {
                let most = self.most(most)?;
                self.looped(most, &Ends::Fails(condition), body, at)?;
            }
            Action::Until { stable, most, body } => {
                let most = self.most(most)?;
                self.looped(most, &Ends::Stable(stable), body, at)?;
            }
            Action::For { pattern, list, body } => self.unrolled(pattern, list, body)?,
            Action::If(of) => self.decide(of, at),
        }
        Ok(())
    }

    /// Something that a variable can be.
    fn variable(&mut self, thing: Thing, at: Span) -> Made<Thing> {
        for leaf in thing.leaves() {
            match leaf {
                Thing::Kernel(_) | Thing::Range(_) | Thing::UntilStable | Thing::Results(_) | Thing::Events(..) => {
                    return Err(self.expected(
                        "a plane, a number or a tuple of them, which a `var` can be",
                        &leaf,
                        "",
                        at,
                    ));
                }
                _ => {}
            }
        }
        Ok(thing)
    }

    /// `NAME = value where mask;`
    fn assigns(&mut self, name: &Name, value: &Expr, mask: Option<&Expr>) -> Made<()> {
        let Some(binding) = self.scopes.get(&name.value).filter(|binding| binding.role == Role::Var) else {
            return Err(self.not_assignable(name));
        };
        let before = binding.thing.clone();
        let thing = match mask {
            None => {
                let range = binding.stays.as_ref().and_then(|stays| stays.range);
                self.expr(value).and_then(|thing| self.literal(value, thing, range))
            }
            Some(mask) => self.where_mask(mask, value, &before, &format!("`{}`", name.value)),
        };
        let thing = thing.and_then(|thing| self.kept(&name.value, thing, value.at));
        let thing =
            thing.and_then(|thing| self.settled(&thing, value.at)).and_then(|thing| self.variable(thing, value.at));
        let (thing, made) = match thing {
            Ok(thing) => (thing, Ok(())),
            Err(told) => (Thing::Wrong, Err(told)),
        };
        self.assign(&name.value, thing);
        if let Some(binding) = self.scopes.get_mut(&name.value) {
            binding.assigned = Some(value.at);
        }
        made
    }

    /// What a variable is given, of the kind and in the range that are written for it, or of the kind that it is.
    pub(super) fn kept(&mut self, name: &str, thing: Thing, at: Span) -> Made<Thing> {
        let Some(binding) = self.scopes.get(name) else { return Ok(thing) };
        let Some(Stays { like, range }) = binding.stays.clone() else {
            let before = binding.thing.clone();
            return self.of_its_kind(thing, &before, name, at);
        };
        let thing = self.fit(&thing, &like, &format!("`{name}`"), at)?;
        match range {
            Some(range) => self.brought_into(&thing, range, at),
            None => Ok(thing),
        }
    }

    /// The variables of a pattern stay what they are, with numbers in a range.
    fn stays(&mut self, pattern: &Pattern, range: Option<(i64, i64)>) {
        match pattern {
            Pattern::Name(name) => {
                if let Some(binding) = self.scopes.get_mut(&name.value).filter(|binding| binding.thing != Thing::Wrong)
                {
                    let leaf = |leaf: &Thing| match leaf {
                        Thing::Constant(constant) => {
                            whole(*constant).map_or(leaf.clone(), |n| Thing::Number(Number::Constant(n)))
                        }
                        other => other.clone(),
                    };
                    let like = binding.thing.with_leaves(&mut binding.thing.leaves().iter().map(leaf));
                    binding.thing = like.clone();
                    binding.stays = Some(Stays { like, range });
                }
            }
            Pattern::Tuple(patterns, _) => patterns.iter().for_each(|pattern| self.stays(pattern, range)),
        }
    }

    /// The message about a name that is assigned and no variable.
    pub(super) fn not_assignable(&mut self, name: &Name) -> super::Told {
        let text = &name.value;
        let message = if let Some(binding) = self.scopes.get(text) {
            let (what, line) = (binding.role.what(), binding.at.start().line);
            let help = match binding.role {
                Role::State(_) => format!("; write `next {text} = ..` for what it is after the frame"),
                Role::Let => format!("; write `var {text}` there to assign it"),
                Role::List => format!("; write `{text} += ..` to add to it"),
                _ => format!("; write `var other = {text};` and assign that"),
            };
            format!("`{text}` is {what}, in line {line}, and is not assigned{help}")
        } else {
            let known: Vec<String> = self.variables();
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            match near_miss(text, &known) {
                Some(near) => format!("unknown name `{text}`; did you mean `{near}`?"),
                None => format!(
                    "unknown name `{text}`; write `let {text} = ..`, or `var {text} = ..` if it is assigned again"
                ),
            }
        };
        self.wrong(name.at, message)
    }
}
