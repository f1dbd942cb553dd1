//! Expressions.

use std::collections::BTreeMap;

use cain_isa::Fraction;
use cain_search::{Kernel, KernelError, MAX_SIZE};
use cain_vision::declaration::{Comparison, Number};
use proc_macro2::Span;

use super::numbers::{choice, comparison};
use super::scope::Role;
use super::thing::Thing;
use super::{Lowering, Made};
use crate::names::unknown;
use crate::place::Place as _;
use crate::vision::tree::{Each, Expr, Name, What};

impl Lowering<'_> {
    /// What an expression stands for.
    pub(super) fn expr(&mut self, expr: &Expr) -> Made<Thing> {
        self.enter(expr.at)?;
        let made = self.what(&expr.what, expr.at);
        self.leave();
        made
    }

    fn what(&mut self, what: &What, at: Span) -> Made<Thing> {
        match what {
            What::Number(number) => Ok(Thing::Constant(*number)),
            What::Truth(truth) => Ok(Thing::Truth(*truth)),
            What::UntilStable => Ok(Thing::UntilStable),
            What::Name(name) => self.named(name, at),
            What::Negative(of) => {
                let of = self.expr(of)?;
                self.negative(&of, at)
            }
            What::Not(of) => {
                let of = self.expr(of)?;
                self.not(&of, at)
            }
            What::Binary(operator, of) => {
                let [a, b] = &**of;
                let (a, b) = (self.expr(a), self.expr(b));
                self.binary(*operator, a?, b?, at)
            }
            What::At(of, place) => {
                let (of, by) = (self.expr(of), self.by(place, at));
                self.at(&of?, by?, at)
            }
            What::Index(of) => {
                let [list, place] = &**of;
                let (list, index) = (self.expr(list)?, self.expr(place)?);
                self.index(&list, &index, place.at)
            }
            What::Field(of, field) => {
                let thing = self.expr(of)?;
                self.field(thing, field)
            }
            What::Call(name, arguments) => self.call(name, arguments),
            What::Tuple(parts) => Ok(Thing::Tuple(self.all(parts)?)),
            What::List(parts, origin) => self.list(parts, origin.as_deref(), at),
            What::Each(each) => Ok(Thing::List(self.each(each)?.into_iter().map(|(_, value)| value).collect())),
            What::Joined(each) => {
                let lists = self.each(each)?.into_iter().map(|(_, list)| self.elements(list, each.value.at));
                let lists: Vec<Vec<Thing>> = lists.collect::<Made<_>>()?;
                Ok(Thing::List(lists.concat()))
            }
            What::Best { is_largest, each } => self.best(*is_largest, each, at),
            What::If(of) => self.decision_value(of, at),
        }
    }

    /// What all of some stand for; all of their mistakes are told.
    fn all(&mut self, parts: &[Expr]) -> Made<Vec<Thing>> {
        let parts: Vec<_> = parts
            .iter()
            .map(|part| {
                let thing = self.expr(part)?;
                self.element(thing, part.at)
            })
            .collect();
        parts.into_iter().collect()
    }

    /// An element of a list, settled.
    fn element(&mut self, thing: Thing, at: Span) -> Made<Thing> {
        match self.settled(&Thing::List(vec![thing]), at)? {
            Thing::List(parts) => parts.into_iter().next().ok_or(super::Told),
            other => Ok(other),
        }
    }

    /// An element of a list or a tuple, or a bit of a number.
    fn index(&mut self, list: &Thing, index: &Thing, at: Span) -> Made<Thing> {
        let parts = match list {
            Thing::Tuple(parts) | Thing::List(parts) => parts.clone(),
            Thing::Digits(bits) => bits.iter().cloned().map(Thing::Bits).collect(),
            Thing::Range(_) => self.elements(list.clone(), at)?,
            other => {
                let help = match other {
                    Thing::Levels(_) | Thing::Bits(_) => "; `x@east` is what the eastern neighbour has",
                    _ => "",
                };
                return Err(self.expected("a tuple, a list or a number in each PE", other, help, at));
            }
        };
        let last = i64::try_from(parts.len()).unwrap_or(i64::MAX) - 1;
        let what = if matches!(list, Thing::Digits(_)) { "the number of a bit" } else { "the number of an element" };
        if matches!(index, Thing::Number(_)) {
            let message = format!(
                "expected {what} that is known while the program is compiled, found one of the controller; choose, as in \
                 `if n == 0 {{ l[0] }} else {{ l[1] }}`"
            );
            return Err(self.wrong(at, message));
        }
        let index = self.known_within(index, 0, last, what, at)?;
        Ok(usize::try_from(index).ok().and_then(|index| parts.get(index)).cloned().unwrap_or(Thing::Wrong))
    }

    fn field(&mut self, thing: Thing, field: &Name) -> Made<Thing> {
        let (fields, parts): (&[&str], _) = match thing {
            Thing::Record(record, parts) => (record.fields(), parts),
            Thing::Range(ends) => (&["first", "last"], ends.to_vec()),
            // `rows` and `columns`.
            other if self.is_in_prelude() => {
                let range = "a range such as `0..=3`";
                return Err(self.expected(range, &other, "", field.at));
            }
            other => {
                let message = format!("{} has no fields", other.what());
                return Err(self.wrong(field.at, message));
            }
        };
        let place = fields.iter().position(|known| *known == field.value);
        match place.and_then(|place| parts.into_iter().nth(place)) {
            Some(part) => Ok(part),
            None => Err(self.wrong(field.at, unknown("field", &field.value, fields))),
        }
    }

    /// A list, or a matrix if it has rows of numbers.
    fn list(&mut self, parts: &[Expr], origin: Option<&[Expr; 2]>, at: Span) -> Made<Thing> {
        let is_matrix = !parts.is_empty() && parts.iter().all(|part| matches!(part.what, What::List(_, None)));
        if !is_matrix {
            if origin.is_some() {
                return Err(self.wrong(at, "only matrices have an origin, such as `[[1, -1]] at [0, 0]`"));
            }
            return Ok(Thing::List(self.all(parts)?));
        }
        let mut rows = Vec::new();
        for part in parts {
            let Thing::List(row) = self.expr(part)? else { continue };
            let row: Option<Vec<Fraction>> = row
                .iter()
                .map(|weight| if let Thing::Constant(weight) = weight { Some(*weight) } else { None })
                .collect();
            match row {
                Some(row) => rows.push(row),
                None => {
                    return Err(self
                        .wrong(part.at, "a row of a matrix has numbers that are known while the program is compiled"));
                }
            }
        }
        let (height, width) = (rows.len(), rows.first().map_or(0, Vec::len));
        let kernel = match origin {
            None => Kernel::new(rows),
            Some([row, column]) => {
                let mut place = |expr: &Expr| {
                    let thing = self.expr(expr)?;
                    let most = i64::try_from(MAX_SIZE).unwrap_or(i64::MAX);
                    let place = self.known_within(&thing, 0, most, "a row or a column", expr.at)?;
                    Ok(usize::try_from(place).unwrap_or(0))
                };
                Kernel::with_origin(rows, (place(row)?, place(column)?))
            }
        };
        let mut sum = cain_analysis::prove::Polynomial::new();
        match kernel.and_then(|kernel| kernel.add_to(&mut sum, Fraction::ONE, 0)) {
            Ok(()) => {}
            Err(KernelError::Even { .. }) => {
                let is_large = height > 1 && width > 1;
                let table =
                    if is_large { "; a table of numbers is a list of tuples, as in `[(0, 8), (12, 4)]`" } else { "" };
                let message =
                    format!("a kernel of {height}×{width} weights has no centre; {}{table}", Span::GIVE_A_CENTRE);
                return Err(self.wrong(at, message));
            }
            Err(error) => return Err(self.wrong(at, error)),
        }
        let weights: BTreeMap<_, _> = sum.terms().map(|(atom, weight)| (atom.displacement, weight)).collect();
        Ok(Thing::Kernel(weights))
    }

    /// The elements of a list, or the numbers of a range.
    pub(super) fn elements(&mut self, thing: Thing, at: Span) -> Made<Vec<Thing>> {
        match thing {
            Thing::List(parts) => Ok(parts),
            Thing::Range(ends) => {
                let [first, last] = *ends;
                let end = i64::from(i32::MAX);
                let [first, last] =
                    [first, last].map(|end_of| self.known_within(&end_of, -end, end, "a whole number", at));
                let (first, last) = (first?, last?);
                if last < first {
                    let message = format!("the range is empty: {first} is more than {last}");
                    return Err(self.wrong(at, message));
                }
                self.spend(usize::try_from(last - first).unwrap_or(usize::MAX), at)?;
                let number = |number: i64| Thing::Constant(Fraction::new(number, 1).unwrap_or_default());
                Ok((first..=last).map(number).collect())
            }
            other => Err(self.expected("a list such as `[north, east]` or a range such as `0..=3`", &other, "", at)),
        }
    }

    /// A value for each element of a list.
    fn each(&mut self, each: &Each) -> Made<Vec<(Thing, Thing)>> {
        let list = self.expr(&each.list)?;
        let elements = self.elements(list, each.list.at)?;
        let mut values = Vec::new();
        for element in elements {
            let value = self.scoped(|lowering| {
                lowering.bind_pattern(&each.pattern, Ok(element.clone()), Role::Let);
                let value = lowering.expr(&each.value)?;
                lowering.element(value, each.value.at)
            })?;
            values.push((element, value));
        }
        Ok(values)
    }

    /// The element of a list with the largest or the smallest number; the first one of several.
    fn best(&mut self, is_largest: bool, each: &Each, at: Span) -> Made<Thing> {
        let mut best: Option<(Thing, Number)> = None;
        for (element, value) in self.each(each)? {
            let number = self.number(&value, each.value.at)?;
            let Some((known, record)) = best else {
                best = Some((element, number));
                continue;
            };
            let (a, b) = if is_largest { (record.clone(), number.clone()) } else { (number.clone(), record.clone()) };
            let is_better = self.number_value(comparison(Comparison::Less, a, b), at).map(Number::Value)?;
            let record = self.number_value(choice(is_better.clone(), number, record), at).map(Number::Value)?;
            let known = self.chosen(&is_better, &element, &known, at)?;
            best = Some((known, record));
        }
        match best {
            Some((element, _)) => Ok(element),
            None => Err(self.wrong(each.list.at, "the list is empty")),
        }
    }

    /// Numbers of the first of two, or of the second one.
    fn chosen(&mut self, condition: &Number, then: &Thing, otherwise: &Thing, at: Span) -> Made<Thing> {
        if !then.is_alike(otherwise) {
            let message = format!("the elements of the list differ: {} and {}", then.what(), otherwise.what());
            return Err(self.wrong(at, message));
        }
        let mut leaves = Vec::new();
        for (then, otherwise) in then.leaves().iter().zip(otherwise.leaves()) {
            let (then, otherwise) = (self.number(then, at)?, self.number(&otherwise, at)?);
            let number = self.number_value(choice(condition.clone(), then, otherwise), at)?;
            leaves.push(Thing::Number(Number::Value(number)));
        }
        Ok(then.with_leaves(&mut leaves.into_iter()))
    }
}
