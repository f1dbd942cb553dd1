//! Expressions of bits as Boolean functions.

use std::collections::BTreeMap;

use cain_search::digital::{DeclarationError, Format, Logic};

use crate::errors::Errors;
use crate::expression::{Expression, Node};
use crate::names;
use crate::tree::{At, Bits, Body, Header, Place};

/// The functions of the outputs that are declared as expressions, by the places of the outputs; without those in which there
/// is a mistake.
pub(crate) fn functions<S: Place>(
    header: &Header<S>,
    body: &Body<S>,
    bits: &Bits<S>,
    errors: &mut Errors<S>,
) -> BTreeMap<usize, Logic> {
    let mut lowering = Lowering { header, body, bits, done: BTreeMap::new(), open: Vec::new(), errors };
    for output in 0..header.outputs.len() {
        lowering.output(output);
    }
    lowering.done.into_iter().filter_map(|(output, logic)| Some((output, logic?))).collect()
}

/// Reports expressions in a filter of another kind.
pub(crate) fn refuse<S: Place>(body: &Body<S>, errors: &mut Errors<S>) {
    for expression in body.sums.iter().filter_map(|sum| sum.logic.as_ref()) {
        let message = format!("only digital filters take expressions of bits; add {}", S::DIGITAL);
        errors.add(expression.at, message);
    }
}

/// What the names in expressions stand for.
pub(crate) trait Names<S> {
    /// A bit of what has that name; mistakes are reported.
    fn bit(&mut self, name: &str, bit: Option<&At<u32, S>>, at: S) -> Option<Logic>;

    fn errors(&mut self) -> &mut Errors<S>;
}

/// The function of an expression; nothing if there is a mistake in it.
pub(crate) fn function<S: Copy>(expression: &Expression<S>, names: &mut impl Names<S>) -> Option<Logic> {
    // All parts are read even after a mistake.
    let list = |parts: &[Expression<S>], names: &mut _| {
        let parts: Vec<Option<Logic>> = parts.iter().map(|part| function(part, names)).collect();
        parts.into_iter().collect::<Option<Vec<Logic>>>()
    };
    Some(match &expression.value {
        Node::Constant(value) => Logic::Constant(*value),
        Node::Bit { name, bit } => names.bit(name, bit.as_ref(), expression.at)?,
        Node::Not(part) => Logic::Not(Box::new(function(part, names)?)),
        Node::All(parts) => Logic::All(list(parts, names)?),
        Node::Any(parts) => Logic::Any(list(parts, names)?),
        Node::Odd(parts) => Logic::Odd(list(parts, names)?),
        Node::Majority(parts) => Logic::majority(list(parts, names)?),
        Node::Choice(parts) => {
            let [condition, then, otherwise] = parts.each_ref().map(|part| function(part, names));
            Logic::choice(condition?, then?, otherwise?)
        }
        Node::Count { of, least, most, inverted } => {
            let count = Logic::Count { of: list(of, names)?, least: *least, most: *most };
            if *inverted { Logic::Not(Box::new(count)) } else { count }
        }
        Node::Moved(part, by) => {
            let moved = function(part, names)?.moved(*by);
            if moved.is_none() {
                names.errors().add(expression.at, "the expression reaches too far");
            }
            moved?
        }
    })
}

/// Which bit of a number of that width is meant; nothing if none is, which is reported.
pub(crate) fn bit_of<S: Copy>(
    name: &str,
    width: u32,
    bit: Option<&At<u32, S>>,
    at: S,
    errors: &mut Errors<S>,
) -> Option<u32> {
    match bit {
        None if width == 1 => Some(0),
        None => {
            errors.add(at, format_args!("`{name}` has {width} bits; say which one, from `{name}[0]`, the lowest"));
            None
        }
        Some(bit) if bit.value >= width => {
            let most = width - 1;
            errors.add(bit.at, format_args!("the highest bit of `{name}` is `{name}[{most}]`"));
            None
        }
        Some(bit) => Some(bit.value),
    }
}

struct Lowering<'t, S> {
    header: &'t Header<S>,
    body: &'t Body<S>,
    bits: &'t Bits<S>,
    /// Outputs that are done; nothing after a mistake in one.
    done: BTreeMap<usize, Option<Logic>>,
    /// Outputs in which others are looked up.
    open: Vec<usize>,
    errors: &'t mut Errors<S>,
}

impl<S: Place> Names<S> for Lowering<'_, S> {
    /// A bit of an input, or the function of another output.
    fn bit(&mut self, name: &str, bit: Option<&At<u32, S>>, at: S) -> Option<Logic> {
        if let Some(input) = self.header.inputs.iter().position(|input| input.register.value == name) {
            return self.input(input, name, bit, at);
        }
        let Some(output) = self.header.outputs.iter().position(|output| output.value == name) else {
            let inputs = self.header.inputs.iter().map(|input| input.register.value.as_str());
            let outputs = self.header.outputs.iter().map(|output| output.value.as_str());
            let known: Vec<&str> = inputs.chain(outputs).collect();
            self.errors.add(at, names::unknown("name", name, &known));
            return None;
        };
        if self.open.contains(&output) {
            self.errors.add(at, self.cycle(output));
            return None;
        }
        let is_sum = self.body.sums.iter().any(|sum| sum.register.value == name && sum.terms.is_some());
        if is_sum {
            self.errors.add(at, format_args!("`{name}` is a sum; an expression reads inputs and other expressions"));
            return None;
        }
        if let Some(bit) = bit {
            self.errors.add(bit.at, format_args!("`{name}` has one bit; write `{name}` alone"));
            return None;
        }
        self.output(output)
    }

    fn errors(&mut self) -> &mut Errors<S> {
        self.errors
    }
}

impl<S: Place> Lowering<'_, S> {
    /// The function of an output; none if it is a sum or there is a mistake in it.
    fn output(&mut self, output: usize) -> Option<Logic> {
        if let Some(done) = self.done.get(&output) {
            return done.clone();
        }
        let name = self.header.outputs.get(output)?;
        let sum = self.body.sums.iter().find(|sum| sum.register.value == name.value)?;
        let expression = sum.logic.as_ref()?;
        self.open.push(output);
        let mut logic = function(expression, self);
        self.open.pop();
        if logic.as_ref().is_some_and(|logic| logic.size() > Logic::MAX_SIZE) {
            // Before others refer to it and become larger still.
            self.errors.add(name.at, DeclarationError::Size { output });
            logic = None;
        }
        self.done.insert(output, logic.clone());
        logic
    }

    fn input(&mut self, input: usize, name: &str, bit: Option<&At<u32, S>>, at: S) -> Option<Logic> {
        let width = self.bits.formats.get(input).or(self.bits.formats.first()).copied().map_or(1, Format::bits);
        let bit = bit_of(name, width, bit, at, self.errors)?;
        Some(Logic::Pixel { input, bit, at: cain_isa::Displacement::ZERO })
    }

    /// The message that an output is defined by itself.
    fn cycle(&self, output: usize) -> String {
        let name = |output: &usize| self.header.outputs.get(*output).map_or("", |name| name.value.as_str());
        let from = self.open.iter().position(|open| *open == output).unwrap_or_default();
        let path = self.open.iter().skip(from).chain([&output]).map(|output| format!("`{}`", name(output)));
        let path: Vec<String> = path.collect();
        format!("`{}` is defined by itself: {}", name(&output), path.join(", which reads "))
    }
}
