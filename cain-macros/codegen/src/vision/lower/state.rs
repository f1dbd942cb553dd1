//! States: what survives from frame to frame.

use cain_vision::declaration::{First, Kind, Number, Storage as Kept, Value};
use proc_macro2::Span;

use super::digits::MOST_CODE;
use super::scope::Role;
use super::thing::{Thing, whole};
use super::{Lowering, Made, Told};
use crate::vision::tree::{Expr, Name, Storage, Type, Typed, What};

/// A state of the program.
pub(super) struct State {
    pub(super) name: Name,
    /// What it was before the frame.
    pub(super) before: Thing,
    /// How it is kept.
    pub(super) kept: Keeping,
    /// What each of its parts is before the frame, and the number of the state of the declaration.
    parts: Vec<(usize, Value)>,
    pub(super) is_read: bool,
    pub(super) is_written: bool,
}

/// How a state is kept.
#[derive(Clone, Copy)]
pub(super) enum Keeping {
    Plain,
    /// As codes of so many bits.
    Codes(i64),
    /// Within a range.
    Range(i64, i64),
}

impl Lowering<'_> {
    /// `state NAME: kind = first, storage;`
    pub(super) fn state(&mut self, name: &Name, kind: Option<&Type>, first: &Expr, storage: Option<&Storage>) {
        let made = self.declare_state(name, kind, first, storage);
        let (thing, number) = match made {
            Ok(state) => {
                // Of one that nothing is given, that is told in the end, and nothing about what it would be.
                let thing = if self.given.contains(&name.value) { state.before.clone() } else { Thing::Wrong };
                self.states.push(state);
                (thing, self.states.len() - 1)
            }
            Err(Told) => (Thing::Wrong, usize::MAX),
        };
        self.bind(name, thing, Role::State(number));
    }

    fn declare_state(
        &mut self,
        name: &Name,
        kind: Option<&Type>,
        first: &Expr,
        storage: Option<&Storage>,
    ) -> Made<State> {
        if self.nested > 0 || !self.calls.is_empty() {
            return Err(self.wrong(
                name.at,
                "states are declared in the program itself, outside of loops, branches and functions",
            ));
        }
        let range = match kind {
            Some(Type { what: Typed::Range(range), .. }) => Some(self.number_range(range)?),
            _ => None,
        };
        let (levels, keeping) = self.keeping(storage, range)?;
        // What is only known in the first frame is made in a branch.
        self.builder.begin();
        let made = self.first(first, kind, storage.is_some(), keeping);
        let then = self.builder.end();
        let (thing, values) = made?;
        let leaves = thing.leaves();
        let input = if matches!(keeping, Keeping::Codes(_)) { None } else { thing_of_input(self, first) };
        let known = leaves.iter().map(|leaf| Ok(self.first_of(leaf, first.at)?.or(input.map(First::Input))));
        let known: Option<Vec<First>> = known.collect::<Made<Vec<_>>>()?.into_iter().collect();
        let mut parts = Vec::new();
        for (place, leaf) in leaves.iter().enumerate() {
            let name = if thing.is_alike(leaf) { name.value.clone() } else { format!("{}.{place}", name.value) };
            let kind = self.kind_of(leaf, range, first.at)?;
            let begins = known.as_ref().and_then(|known| known.get(place)).copied();
            let (number, value) = self.builder.state(name, kind, begins.unwrap_or(First::Constant(0)), levels);
            self.note(value, first.at);
            parts.push((number, value));
        }
        let mut before: Vec<Value> = parts.iter().map(|(_, value)| *value).collect();
        if known.is_none() {
            let is_first = self.first_frame(first.at)?;
            self.builder.begin();
            let otherwise = self.builder.end();
            let pairs: Vec<[Value; 2]> = values.into_iter().zip(before).map(|(made, before)| [made, before]).collect();
            let joined = self.builder.decide(is_first, [then, otherwise], &pairs);
            before = self.built(joined, first.at)?;
            self.note_all(&before, first.at);
        }
        let leaves = leaves.iter().zip(before).map(|(like, value)| Self::leaf_of(value, like));
        let before = match thing.with_leaves(&mut leaves.collect::<Vec<_>>().into_iter()) {
            Thing::Digits(bits) if matches!(keeping, Keeping::Codes(_)) => self.levels_of(&bits, first.at)?,
            before => before,
        };
        let before = self.settled(&before, first.at)?;
        Ok(State { name: name.clone(), before, kept: keeping, parts, is_read: false, is_written: false })
    }

    /// What a state is before the first frame, and its leaves as values.
    fn first(
        &mut self,
        first: &Expr,
        kind: Option<&Type>,
        is_stored: bool,
        keeping: Keeping,
    ) -> Made<(Thing, Vec<Value>)> {
        let thing = self.expr(first)?;
        let thing = match kind {
            Some(kind) => self.typed(&thing, kind, first.at)?,
            None => thing,
        };
        if is_stored && !matches!(thing, Thing::Levels(_)) {
            let is_number = matches!(thing, Thing::Constant(_) | Thing::Number(_));
            let help = if is_number { "; write `: levels` behind its name if it begins with a number" } else { "" };
            return Err(self.expected("a state of levels, which can be kept like that", &thing, help, first.at));
        }
        let thing = match keeping {
            Keeping::Codes(bits) => {
                let levels = self.levels(&thing, first.at)?;
                self.digits(&levels, bits, first.at)?
            }
            Keeping::Range(low, high) => self.brought_into(&thing, (low, high), first.at)?,
            Keeping::Plain => thing,
        };
        let values = thing.leaves().into_iter().map(|leaf| self.leaf_value(leaf, first.at)).collect::<Made<_>>()?;
        Ok((thing, values))
    }

    /// How a state is kept.
    fn keeping(&mut self, storage: Option<&Storage>, range: Option<(i64, i64)>) -> Made<(Kept, Keeping)> {
        Ok(match storage {
            None | Some(Storage::Analogue) => {
                (Kept::Plain, range.map_or(Keeping::Plain, |(low, high)| Keeping::Range(low, high)))
            }
            Some(Storage::Levels(count)) => {
                let thing = self.expr(count)?;
                let levels = self.known_within(&thing, 2, 128, "a number of levels", count.at)?;
                (Kept::Levels(u16::try_from(levels).unwrap_or(2)), Keeping::Plain)
            }
            Some(Storage::Bits(count)) => {
                let thing = self.expr(count)?;
                (Kept::Plain, Keeping::Codes(self.known_within(&thing, 1, MOST_CODE, "a number of bits", count.at)?))
            }
        })
    }

    /// What a part of a state is.
    fn kind_of(&mut self, leaf: &Thing, range: Option<(i64, i64)>, at: Span) -> Made<Kind> {
        Ok(match leaf {
            Thing::Levels(_) => Kind::Levels { low: self.range.0, high: self.range.1 },
            Thing::Bits(_) => Kind::Bits,
            Thing::Condition(_) | Thing::Truth(_) => Kind::Number { low: 0, high: 1 },
            Thing::Number(_) | Thing::Constant(_) => {
                let (low, high) = range.unwrap_or((i64::MIN, i64::MAX));
                Kind::Number { low, high }
            }
            other => return Err(self.expected("a plane, a number or a tuple of them", other, "", at)),
        })
    }

    /// What is known of a state before the first frame.
    fn first_of(&mut self, leaf: &Thing, at: Span) -> Made<Option<First>> {
        let constant = match leaf {
            Thing::Truth(truth) => i64::from(*truth),
            Thing::Bits(bits) => match bits.known() {
                Some(bit) => bit.into(),
                None => return Ok(None),
            },
            Thing::Constant(constant) => {
                if let Some(constant) = whole(*constant) {
                    constant
                } else {
                    let message = format!(
                        "a number of the controller is whole, but this is {constant}; write `: levels` behind \
                                       its name for a plane"
                    );
                    return Err(self.wrong(at, message));
                }
            }
            Thing::Levels(levels) => match levels.known().map(whole) {
                Some(Some(constant)) => constant,
                Some(None) => return Err(self.wrong(at, "a state begins with a whole level")),
                None => return Ok(None),
            },
            Thing::Number(Number::Constant(constant)) | Thing::Condition(Number::Constant(constant)) => *constant,
            _ => return Ok(None),
        };
        Ok(Some(First::Constant(constant)))
    }

    /// Whether it is the first frame: a state that is 1 before it, and 0 after it.
    fn first_frame(&mut self, at: Span) -> Made<Value> {
        if let Some(value) = self.is_first {
            return Ok(value);
        }
        let (number, value) =
            self.builder.state("first frame", Kind::Number { low: 0, high: 1 }, First::Constant(1), Kept::Plain);
        self.note(value, at);
        let zero = self.number_value(Number::Constant(0), at)?;
        let next = self.builder.next(number, zero);
        self.built(next, at)?;
        self.is_first = Some(value);
        Ok(value)
    }

    /// Gives all states what they are after the frame.
    pub(super) fn finish_states(&mut self) {
        for number in 0..self.states.len() {
            // What is wrong has been told.
            let _ = self.finish_state(number);
        }
    }

    fn never_changes(&mut self, name: &Name) -> Told {
        let text = &name.value;
        let message = format!(
            "state `{text}` never changes; write `next {text} = ..`, or make it a `let`; `next {text} = {text}` keeps what it is \
             in the first frame"
        );
        self.wrong(name.at, message)
    }

    fn finish_state(&mut self, number: usize) -> Made<()> {
        let Some(State { name, kept, parts, is_read, is_written, .. }) = self.states.get(number) else { return Ok(()) };
        let (name, kept, parts, is_read, is_written) = (name.clone(), *kept, parts.clone(), *is_read, *is_written);
        let text = &name.value;
        if !is_written {
            return Err(self.never_changes(&name));
        }
        if !is_read {
            let message = format!("state `{text}` is never read; read it, or name `next {text}` among the results");
            return Err(self.wrong(name.at, message));
        }
        let Some((thing, at)) = self.nexts.get(&number).cloned() else { return Ok(()) };
        if thing == Thing::Wrong {
            return Err(Told);
        }
        let thing = match kept {
            Keeping::Codes(bits) => {
                let levels = self.levels(&thing, at)?;
                self.digits(&levels, bits, at)?
            }
            _ => thing,
        };
        for ((state, _), leaf) in parts.iter().zip(thing.leaves()) {
            let value = self.leaf_value(leaf, at)?;
            let next = self.builder.next(*state, value);
            self.built(next, at)?;
        }
        Ok(())
    }
}

/// The input that an expression is, if it is nothing else.
fn thing_of_input(lowering: &Lowering<'_>, first: &Expr) -> Option<usize> {
    match &first.what {
        What::Name(name) => lowering.input_of(name),
        _ => None,
    }
}
