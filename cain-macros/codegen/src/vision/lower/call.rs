//! Calls of functions, which are put in.

use proc_macro2::Span;

use super::scope::Role;
use super::thing::{Given, Thing};
use super::{Call, Lowering, Made, Told};
use crate::names::unknown;
use crate::vision::tree::{Argument, Expr, Function, Name};

impl<'f> Lowering<'f> {
    /// What a call makes.
    pub(super) fn call(&mut self, name: &Name, arguments: &[Argument]) -> Made<Thing> {
        let function = self.function(&name.value);
        if let Some(filter) = self.filter(&name.value)
            && function.is_none_or(|(_, is_prelude)| is_prelude)
        {
            return self.filtered(filter, name, arguments);
        }
        if let Some((function, is_prelude)) = function {
            return self.put_in(function, is_prelude, name, arguments);
        }
        let Some(parameters) = super::functions::parameters(&name.value) else {
            if self.is_partial {
                // It may be of what is used and wrong, which has been told.
                return self.given_arguments(arguments).and(Err(Told));
            }
            let message = self.unknown_function(&name.value);
            return Err(self.wrong(name.at, message));
        };
        let given = self.given_arguments(arguments);
        let Some(parameters) = parameters else {
            if let Some(named) = arguments.iter().find_map(|argument| argument.name.as_ref()) {
                let message = format!("the arguments of `{}` have no names", name.value);
                return Err(self.wrong(named.at, message));
            }
            let given = given?.into_iter().collect();
            return self.of_any_number(&name.value, given, name.at);
        };
        let names: Vec<&str> = parameters.iter().map(|(name, _)| *name).collect();
        let needed = parameters.iter().filter(|(_, is_needed)| *is_needed).count();
        let given = self.sorted(name, &names, needed, arguments, given?)?;
        self.builtin(&name.value, given, name.at)
    }

    /// What arguments are; all of their mistakes are told.
    pub(super) fn given_arguments(&mut self, arguments: &[Argument]) -> Made<Vec<Given>> {
        let given: Vec<Made<Given>> = arguments
            .iter()
            .map(|Argument { value, .. }| {
                let thing = self.expr(value)?;
                Ok((thing, value.at))
            })
            .collect();
        given.into_iter().collect()
    }

    /// Arguments in the order of the parameters. The first `needed` of them have no default.
    pub(super) fn sorted(
        &mut self,
        name: &Name,
        parameters: &[&str],
        needed: usize,
        arguments: &[Argument],
        given: Vec<Given>,
    ) -> Made<Vec<Option<Given>>> {
        let function = &name.value;
        let mut sorted: Vec<Option<Given>> = parameters.iter().map(|_| None).collect();
        let mut is_named = false;
        for (place, (argument, given)) in arguments.iter().zip(given).enumerate() {
            let place = match &argument.name {
                None if is_named => {
                    return Err(self.wrong(given.1, "arguments without a name stand before those with one"));
                }
                None => place,
                Some(named) => {
                    is_named = true;
                    match parameters.iter().position(|parameter| *parameter == named.value) {
                        Some(place) => place,
                        None => return Err(self.wrong(named.at, unknown("argument", &named.value, parameters))),
                    }
                }
            };
            match sorted.get_mut(place) {
                Some(slot @ None) => *slot = Some(given),
                Some(Some(_)) => {
                    let message = format!("argument `{}` is given twice", parameters.get(place).unwrap_or(&""));
                    return Err(self.wrong(given.1, message));
                }
                None => {
                    let help = match function.as_str() {
                        "inside" => "; four numbers are a region in parentheses: `inside((top, left, height, width))`",
                        "point" => "; two numbers are a place in parentheses: `point((row, column))`",
                        _ => "",
                    };
                    let message = format!("`{function}` takes {}{help}", amount(needed, parameters));
                    return Err(self.wrong(given.1, message));
                }
            }
        }
        if sorted.iter().take(needed).any(Option::is_none) {
            let message = format!("`{function}` takes {}", amount(needed, parameters));
            return Err(self.wrong(name.at, message));
        }
        Ok(sorted)
    }

    /// A function put in.
    fn put_in(&mut self, function: &'f Function, is_prelude: bool, name: &Name, arguments: &[Argument]) -> Made<Thing> {
        if self.calls.iter().any(|call| call.name == name.value && call.is_prelude == is_prelude) {
            let message =
                format!("`{}` calls itself; functions are put in where they are called, so use a loop", name.value);
            return Err(self.wrong(name.at, message));
        }
        let names: Vec<&str> = function.parameters.iter().map(|(name, _)| name.value.as_str()).collect();
        let needed = function.parameters.iter().take_while(|(_, default)| default.is_none()).count();
        let given = self.given_arguments(arguments)?;
        let given = self.sorted(name, &names, needed, arguments, given)?;
        if is_prelude {
            self.check_arguments(name, &names, &given)?;
        }
        self.put_in_with(function, is_prelude, name, given)
    }

    /// Fails if a function of the language is given something that it cannot take.
    fn check_arguments(&mut self, name: &Name, parameters: &[&str], given: &[Option<Given>]) -> Made<()> {
        for (parameter, given) in parameters.iter().zip(given) {
            let Some((thing, at)) = given else { continue };
            let are_bits = matches!(thing, Thing::Bits(_) | Thing::Truth(_) | Thing::Condition(_) | Thing::Wrong);
            if matches!(*parameter, "bits" | "seeds" | "mask") && !are_bits {
                let help = if let Thing::Levels(_) = thing { "; compare it, as in `image > 40`" } else { "" };
                let what = format!("bits as `{parameter}` of `{}`", name.value);
                return Err(self.expected(&what, thing, help, *at));
            }
        }
        if let ("move", [_, Some((direction @ Thing::Tuple(_), at)), _]) = (name.value.as_str(), given)
            && direction.leaves().iter().any(|part| matches!(part, Thing::Number(_)))
        {
            let message = "the direction of `move` is known while the program is compiled; choose between planes that are moved in \
                           each, as in `if on { move(x, west, b) } else { move(x, east, b) }`";
            return Err(self.wrong(*at, message));
        }
        if let ("clamp", [_, Some((Thing::Constant(low), at)), Some((Thing::Constant(high), _))]) =
            (name.value.as_str(), given)
            && low > high
        {
            let message = format!("the range is empty: {low} is more than {high}");
            return Err(self.wrong(*at, message));
        }
        Ok(())
    }

    /// A function of the language with these arguments.
    pub(super) fn of_prelude(&mut self, function: &str, given: Vec<Given>, at: Span) -> Made<Thing> {
        let name = Name { value: function.to_owned(), at };
        let Some((function, true)) = self.function(function) else { return Err(Told) };
        self.put_in_with(function, true, &name, given.into_iter().map(Some).collect())
    }

    fn put_in_with(
        &mut self,
        function: &'f Function,
        is_prelude: bool,
        name: &Name,
        given: Vec<Option<Given>>,
    ) -> Made<Thing> {
        self.enter(name.at)?;
        self.calls.push(Call { name: name.value.clone(), at: name.at, is_prelude });
        let made = self.apart(|lowering| lowering.body(function, given));
        self.calls.pop();
        self.leave();
        made
    }

    fn body(&mut self, function: &'f Function, given: Vec<Option<Given>>) -> Made<Thing> {
        for ((name, default), given) in function.parameters.iter().zip(given) {
            let thing = match (given, default) {
                // It may be read more than once.
                (Some((thing, place)), _) => self.settled(&thing, place),
                (None, Some(default)) => self.default(default),
                (None, None) => Err(Told),
            };
            self.bind(name, thing.unwrap_or(Thing::Wrong), Role::Parameter);
        }
        let errors = self.errors.len();
        self.statements(&function.body.statements);
        let Some(value) = &function.body.value else {
            let message = "a function has a value: the last expression in it, without `;`";
            return Err(self.wrong(function.body.at, message));
        };
        let thing = self.expr(value)?;
        let thing = self.settled(&thing, value.at)?;
        if self.errors.len() > errors { Err(Told) } else { Ok(thing) }
    }

    fn default(&mut self, default: &Expr) -> Made<Thing> {
        let thing = self.expr(default)?;
        self.settled(&thing, default.at)
    }
}

/// How many arguments a function takes, and which.
fn amount(needed: usize, parameters: &[&str]) -> String {
    let count = match (needed, parameters.len()) {
        (0, 0) => return "no arguments".to_owned(),
        (needed, all) if needed == all => format!("{all} argument{}", if all == 1 { "" } else { "s" }),
        (needed, all) => format!("{needed} to {all} arguments"),
    };
    format!("{count}: {}", parameters.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "))
}
