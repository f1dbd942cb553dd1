//! The machine that filters are for.

use cain_isa::{
    BusLimits, ErrorModel, Fraction, Machine, Macros, NewsReading, Op, ParseRegError, Registers, Times, Word,
};

use super::chip;
use crate::errors::Errors;
use crate::names;
use crate::tree::{At, Listed, MachineOptions, Number};

/// The longest time of a word: a second, in nanoseconds.
const LONGEST: u64 = 1_000_000_000;

/// A machine, and the errors of its arithmetic.
#[derive(Clone, Copy)]
pub(crate) struct Described {
    pub(crate) machine: Machine,
    pub(crate) errors: ErrorModel,
}

impl Described {
    /// What is published of SCAMP-5.
    pub(crate) const SCAMP5: Self = Self { machine: Machine::SCAMP5, errors: ErrorModel::measured() };
    /// The machine to continue with after a mistake in its description, so that no further mistakes follow from it.
    pub(crate) const ANY: Self =
        Self { machine: Machine { registers: Registers::ALL, ..Machine::SCAMP5 }, ..Self::SCAMP5 };
}

/// The machine described, with the properties of SCAMP-5 by default.
pub(crate) fn machine<S: Copy>(given: &MachineOptions<S>, errors: &mut Errors<S>) -> Described {
    let usual = Machine::SCAMP5;
    let registers = given.registers.as_ref().and_then(|listed| registers(listed, errors));
    let macros = given.instructions.as_ref().and_then(|listed| macros(listed, errors));
    let bits = small(given.bits.as_ref(), usual.bits, 0..=Machine::MOST_BITS, "digital registers", errors);
    let machine = Machine {
        registers: registers.unwrap_or(usual.registers),
        bits,
        macros: macros.unwrap_or(usual.macros),
        bus: bus(given, errors),
        times: times(given, errors),
        range: range(given, errors),
    };
    Described { machine, errors: chip::errors(given, errors) }
}

fn registers<S: Copy>(given: &Listed<u64, S>, errors: &mut Errors<S>) -> Option<Registers> {
    const MOST: u16 = 256;
    match given {
        Listed::All(count) => {
            let known = u16::try_from(count.value).ok().filter(|count| (1..=MOST).contains(count));
            if known.is_none() {
                errors
                    .add(count.at, format_args!("expected from 1 to {MOST} analogue registers, found {}", count.value));
            }
            known.map(Registers::first)
        }
        Listed::Each(listed) => {
            let before = errors.len();
            let mut registers = Registers::NONE;
            for name in &listed.value {
                match name.value.parse() {
                    Ok(reg) if registers.contains(reg) => {
                        errors.add(name.at, format_args!("register `{reg}` is listed twice"));
                    }
                    Ok(reg) => registers = registers.with(reg),
                    Err(error) => {
                        let error: ParseRegError = error;
                        errors.add(name.at, format_args!("unknown register `{}`; {error}", name.value));
                    }
                }
            }
            if registers.is_empty() && errors.len() == before {
                errors.add(listed.at, "a machine has at least one register");
            }
            (errors.len() == before).then_some(registers)
        }
    }
}

fn macros<S: Copy>(given: &Listed<String, S>, errors: &mut Errors<S>) -> Option<Macros> {
    match given {
        Listed::All(name) => match name.value.as_str() {
            "all" => Some(Macros::ALL),
            "basic" => Some(Macros::BASIC),
            other => {
                errors.add(name.at, names::unknown("set of instructions", other, &["all", "basic"]));
                None
            }
        },
        Listed::Each(listed) => {
            let before = errors.len();
            let mut macros = Macros::NONE;
            for name in &listed.value {
                match instruction(&name.value) {
                    Ok(op) if macros.contains(op) => {
                        errors.add(name.at, format_args!("instruction `{}` is listed twice", name.value));
                    }
                    Ok(op) => macros = macros.with(op),
                    Err(message) => errors.add(name.at, message),
                }
            }
            (errors.len() == before).then_some(macros)
        }
    }
}

/// The macro instruction of that name; overloads have names of their own, those of [`cain_isa::asm`].
fn instruction(name: &str) -> Result<Op, String> {
    let found = Op::ALL.iter().copied().find(|op| op.constructor() == name);
    found.ok_or_else(|| {
        let known: Vec<&str> = Op::ALL.iter().map(|op| op.constructor()).collect();
        match names::near_miss(name, &known) {
            Some(near) => format!("unknown instruction `{name}`; did you mean `{near}`?"),
            None => format!("unknown instruction `{name}`; expected a macro instruction such as `movx` or `add3`"),
        }
    })
}

fn bus<S: Copy>(given: &MachineOptions<S>, errors: &mut Errors<S>) -> BusLimits {
    let usual = BusLimits::SCAMP5;
    let [most_destinations, most_sources] =
        [Word::MAX_DESTINATIONS, Word::MAX_SOURCES].map(|most| u8::try_from(most).unwrap_or(u8::MAX));
    let destinations =
        small(given.destinations.as_ref(), usual.destinations, 1..=most_destinations, "destinations of a word", errors);
    let sources = small(given.sources.as_ref(), usual.sources, 1..=most_sources, "sources of a word", errors);
    let reads = given.reads.as_ref().and_then(|name| {
        let reads = NewsReading::ALL.into_iter().find(|reads| reads.name() == name.value);
        if reads.is_none() {
            let known = NewsReading::ALL.map(NewsReading::name);
            errors.add(name.at, names::unknown("way of reading NEWS", &name.value, &known));
        }
        reads
    });
    BusLimits { destinations, sources, reads: reads.unwrap_or(usual.reads) }
}

/// A number that must be within a small range.
fn small<S: Copy>(
    given: Option<&At<u64, S>>,
    usual: u8,
    allowed: std::ops::RangeInclusive<u8>,
    what: &str,
    errors: &mut Errors<S>,
) -> u8 {
    let Some(given) = given else { return usual };
    let known = u8::try_from(given.value).ok().filter(|number| allowed.contains(number));
    known.unwrap_or_else(|| {
        let (least, most) = (allowed.start(), allowed.end());
        errors.add(given.at, format_args!("expected from {least} to {most} {what}, found {}", given.value));
        usual
    })
}

fn times<S: Copy>(given: &MachineOptions<S>, errors: &mut Errors<S>) -> Times {
    let mut times = Times::SCAMP5;
    let places =
        [&mut times.analogue, &mut times.digital, &mut times.neighbours, &mut times.propagation, &mut times.high_speed];
    for (time, place) in given.times.iter().zip(places) {
        let Some(time) = time else { continue };
        match u32::try_from(time.value).ok().filter(|_| (1..=LONGEST).contains(&time.value)) {
            Some(nanoseconds) => *place = nanoseconds,
            None => errors.add(time.at, format_args!("expected from 1 to {LONGEST} nanoseconds, found {}", time.value)),
        }
    }
    times
}

fn range<S: Copy>(given: &MachineOptions<S>, errors: &mut Errors<S>) -> cain_isa::Range {
    let mut range = cain_isa::Range::SCAMP5;
    if let Some(min) = &given.min {
        range.min = level(min, i16::MIN..=-1, errors).unwrap_or(range.min);
    }
    if let Some(max) = &given.max {
        range.max = level(max, 1..=i16::MAX, errors).unwrap_or(range.max);
    }
    range
}

/// A whole number of DN.
fn level<S: Copy>(given: &Number<S>, allowed: std::ops::RangeInclusive<i16>, errors: &mut Errors<S>) -> Option<i16> {
    let whole = Some(given.value).filter(|value| value.denominator() == 1).map(Fraction::numerator);
    let level = whole.and_then(|level| i16::try_from(level).ok()).filter(|level| allowed.contains(level));
    if level.is_none() {
        let (least, most) = (allowed.start(), allowed.end());
        errors.add(
            given.at,
            format_args!(
                "expected a whole number of DN from {least} to {most}, found {}: every word inverts, so a range has both signs",
                given.text
            ),
        );
    }
    level
}
