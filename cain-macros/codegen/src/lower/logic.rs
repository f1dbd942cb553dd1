//! Expressions of bits as Boolean functions.

use cain_analysis::sorted::Map;
use cain_digital::{Format, Logic};

use crate::errors::Errors;
use crate::expression::{Expression, Node};
use crate::kinds::digital::tree::Bits;
use crate::names;
use crate::tree::{At, Body, Header, Place};

/// The functions of the outputs that are declared as expressions, by the places of the outputs; without those in which there
/// is a mistake.
pub(crate) fn functions<S: Place>(
    header: &Header<S>,
    body: &Body<S>,
    bits: &Bits<S>,
    errors: &mut Errors<S>,
) -> Map<usize, Logic> {
    let mut lowering = Lowering { header, body, bits, done: Map::new(), open: Vec::new(), errors };
    for output in 0..header.outputs.len() {
        lowering.output(output);
    }
    lowering.done.into_iter().filter_map(|(output, logic)| Some((output, logic?))).collect()
}

/// What the names in expressions stand for.
pub(crate) trait Names<S> {
    /// A bit of what has that name; mistakes are reported.
    fn bit(&mut self, name: &str, bit: Option<&At<u32, S>>, at: S) -> Option<Logic>;

    fn errors(&mut self) -> &mut Errors<S>;
}

/// The function of an expression; nothing if there is a mistake in it.
pub(crate) fn function<S: Copy>(expression: &Expression<S>, names: &mut impl Names<S>) -> Option<Logic> {
    part(expression, names).ok().map(|(logic, _)| logic)
}

/// Why a part of an expression has no function, which is reported.
enum Fault {
    Mistake,
    /// It is too large, and nothing else is read: a name may stand for a large function, and a condition for two.
    Size,
}

/// The function of a part of an expression, and its [size](Logic::size).
fn part<S: Copy>(expression: &Expression<S>, names: &mut impl Names<S>) -> Result<(Logic, usize), Fault> {
    let (logic, size) = match &expression.value {
        Node::Constant(value) => (Logic::Constant(*value), 1),
        Node::Bit { name, bit } => {
            let logic = names.bit(name, bit.as_ref(), expression.at).ok_or(Fault::Mistake)?;
            let size = logic.size();
            (logic, size)
        }
        Node::Not(of) => {
            let (logic, size) = part(of, names)?;
            (Logic::Not(Box::new(logic)), size + 1)
        }
        Node::Moved(of, by) => {
            let (logic, size) = part(of, names)?;
            let Some(moved) = logic.moved(*by) else {
                names.errors().add(expression.at, "the expression reaches too far");
                return Err(Fault::Mistake);
            };
            (moved, size)
        }
        Node::All(of) => list(of, expression.at, names, Logic::All)?,
        Node::Any(of) => list(of, expression.at, names, Logic::Any)?,
        Node::Odd(of) => list(of, expression.at, names, Logic::Odd)?,
        Node::Majority(of) => list(of, expression.at, names, Logic::majority)?,
        Node::Count { of, least, most, inverted } => {
            let count = |of| Logic::Count { of, least: *least, most: *most };
            let (count, size) = list(of, expression.at, names, count)?;
            if *inverted { (Logic::Not(Box::new(count)), size + 1) } else { (count, size) }
        }
        Node::Choice(of) => {
            let (parts, _) = list(&**of, expression.at, names, |parts| parts)?;
            let Ok([condition, then, otherwise]) = <[Logic; 3]>::try_from(parts) else { return Err(Fault::Mistake) };
            let choice = Logic::choice(condition, then, otherwise);
            let size = choice.size();
            (choice, size)
        }
    };
    if size > Logic::MAX_SIZE { Err(too_large(expression.at, names)) } else { Ok((logic, size)) }
}

/// What is made of a list of parts, all of which are read even after a mistake, and its size.
fn list<S: Copy, T>(
    parts: &[Expression<S>],
    at: S,
    names: &mut impl Names<S>,
    make: impl FnOnce(Vec<Logic>) -> T,
) -> Result<(T, usize), Fault> {
    let (mut list, mut size, mut is_right) = (Vec::new(), 1, true);
    for expression in parts {
        match part(expression, names) {
            Ok((logic, more)) => {
                size += more;
                list.push(logic);
            }
            Err(Fault::Mistake) => is_right = false,
            Err(Fault::Size) => return Err(Fault::Size),
        }
        if size > Logic::MAX_SIZE {
            return Err(too_large(at, names));
        }
    }
    if is_right { Ok((make(list), size)) } else { Err(Fault::Mistake) }
}

fn too_large<S>(at: S, names: &mut impl Names<S>) -> Fault {
    let most = Logic::MAX_SIZE;
    let message = format!("the expression has more than {most} operations and bits, with those that it refers to");
    names.errors().add(at, message);
    Fault::Size
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
    done: Map<usize, Option<Logic>>,
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
        let logic = function(expression, self);
        self.open.pop();
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
