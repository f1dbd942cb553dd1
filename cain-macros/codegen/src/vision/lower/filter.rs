//! Calls of filters: their sums and Boolean functions are put in, as if a function had them in its body.

use cain_analysis::prove::Polynomial;
use cain_digital::{Format, Logic};
use proc_macro2::Span;

use super::bits::Bits;
use super::linear::Linear;
use super::network::one_or_tuple;
use super::operator::TOO_LARGE;
use super::thing::{Given, Thing};
use super::{Lowering, Made};
use crate::vision::filter::{Filter, Meaning};
use crate::vision::tree::{Argument, Name};

impl<'f> Lowering<'f> {
    /// The filter of that name. Functions of the language call none.
    pub(super) fn filter(&self, name: &str) -> Option<&'f Filter> {
        self.filters.iter().find(|filter| filter.name == name && !self.is_in_prelude())
    }

    /// What a filter or network makes of its inputs: one thing, or a tuple of its outputs.
    pub(super) fn filtered(&mut self, filter: &'f Filter, name: &Name, arguments: &[Argument]) -> Made<Thing> {
        let inputs: Vec<&str> = filter.inputs.iter().map(String::as_str).collect();
        let given = self.given_arguments(arguments);
        let meaning = filter.meaning.as_ref().map_err(|reason| self.wrong(name.at, reason))?;
        let given = self.sorted(name, &inputs, filter.needed, arguments, given?)?;
        let inputs = || given.iter().flatten().cloned().collect::<Vec<Given>>();
        let outputs = match meaning {
            Meaning::Sums(sums) => self.sums_of(sums, &inputs(), name.at)?,
            Meaning::Logic(formats, functions) => self.functions_of(formats, functions, &inputs(), name.at)?,
            Meaning::Network(network) => self.seen(network, &given, name.at)?,
        };
        Ok(one_or_tuple(outputs))
    }

    fn sums_of(&mut self, sums: &[Polynomial], given: &[Given], at: Span) -> Made<Vec<Thing>> {
        let planes: Vec<Made<Linear>> = given
            .iter()
            .map(|(thing, place)| {
                let thing = self.settled(thing, *place)?;
                self.levels(&thing, *place)
            })
            .collect();
        let planes = planes.into_iter().collect::<Made<Vec<_>>>()?;
        let mut outputs = Vec::new();
        for sum in sums {
            self.spend(sum.terms().len(), at)?;
            let mut made = Linear::default();
            for (atom, weight) in sum.terms() {
                let input = planes.get(usize::from(atom.channel));
                let added = input.and_then(|input| made.plus(&input.at(atom.displacement)?, weight));
                made = added.ok_or_else(|| self.wrong(at, TOO_LARGE))?;
            }
            outputs.push(Thing::Levels(Linear::plane(self.plane(&made, at)?)));
        }
        Ok(outputs)
    }

    fn functions_of(&mut self, formats: &[Format], functions: &[Logic], given: &[Given], at: Span) -> Made<Vec<Thing>> {
        let inputs: Vec<Made<Vec<Bits>>> = given
            .iter()
            .zip(formats)
            .map(|((thing, place), format)| {
                let bits = self.bits_of(thing, *format, *place)?;
                bits.into_iter().map(|bits| Ok(Bits::plane(self.bit(bits, *place)?))).collect()
            })
            .collect();
        let inputs = inputs.into_iter().collect::<Made<Vec<_>>>()?;
        let mut outputs = Vec::new();
        for function in functions {
            self.spend(function.size(), at)?;
            let bits = Bits::of(function, &inputs);
            outputs.push(Thing::Bits(if bits.known().is_some() { bits } else { Bits::plane(self.bit(bits, at)?) }));
        }
        Ok(outputs)
    }

    /// The bits of an input, the lowest first.
    fn bits_of(&mut self, thing: &Thing, format: Format, at: Span) -> Made<Vec<Bits>> {
        if format.bits() == 1 {
            return Ok(vec![self.bits(thing, at)?]);
        }
        match thing {
            Thing::Digits(digits) if u32::try_from(digits.len()) == Ok(format.bits()) => Ok(digits.clone()),
            _ => {
                let bits = format.bits();
                let what = format!("a number of {bits} bits in each PE");
                Err(self.expected(&what, thing, &format!("; `digits(x, {bits})` makes one of levels"), at))
            }
        }
    }
}
