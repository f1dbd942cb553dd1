//! The machine that kernels are for.

use cain_isa::{BusLimits, Fraction, Machine, Macros, NewsReading, Op, ParseRegError, Registers, Times, Word};

use crate::errors::Errors;
use crate::filter::{self, At, Listed, Number};
use crate::names;

/// No word takes longer than a second, in nanoseconds.
const LONGEST: u64 = 1_000_000_000;

/// What to go on with where the description of the machine is wrong, so that no further mistakes follow from it.
pub(crate) const ANY: Machine = Machine { registers: Registers::ALL, ..Machine::SCAMP5 };

/// The machine, with the parts of SCAMP-5 where nothing is said.
pub(crate) fn machine<S: Copy>(written: &filter::Machine<S>, errors: &mut Errors<S>) -> Machine {
    let usual = Machine::SCAMP5;
    let registers = written.registers.as_ref().and_then(|listed| registers(listed, errors));
    let macros = written.instructions.as_ref().and_then(|listed| macros(listed, errors));
    let bits = small(written.bits.as_ref(), usual.bits, 0..=Machine::MOST_BITS, "digital registers", errors);
    Machine {
        registers: registers.unwrap_or(usual.registers),
        bits,
        macros: macros.unwrap_or(usual.macros),
        bus: bus(written, errors),
        times: times(written, errors),
        range: range(written, errors),
    }
}

fn registers<S: Copy>(written: &Listed<u64, S>, errors: &mut Errors<S>) -> Option<Registers> {
    const MOST: u16 = 256;
    match written {
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

fn macros<S: Copy>(written: &Listed<String, S>, errors: &mut Errors<S>) -> Option<Macros> {
    match written {
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

/// The macro instruction of that name, among which overloads are spelled apart.
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

fn bus<S: Copy>(written: &filter::Machine<S>, errors: &mut Errors<S>) -> BusLimits {
    let usual = BusLimits::SCAMP5;
    let [most_destinations, most_sources] =
        [Word::MAX_DESTINATIONS, Word::MAX_SOURCES].map(|most| u8::try_from(most).unwrap_or(u8::MAX));
    let destinations = small(
        written.destinations.as_ref(),
        usual.destinations,
        1..=most_destinations,
        "destinations of a word",
        errors,
    );
    let sources = small(written.sources.as_ref(), usual.sources, 1..=most_sources, "sources of a word", errors);
    let reads = written.reads.as_ref().and_then(|name| {
        let reads = NewsReading::ALL.into_iter().find(|reads| reads.name() == name.value);
        if reads.is_none() {
            let known = NewsReading::ALL.map(NewsReading::name);
            errors.add(name.at, names::unknown("way of reading NEWS", &name.value, &known));
        }
        reads
    });
    BusLimits { destinations, sources, reads: reads.unwrap_or(usual.reads) }
}

/// A number, which has to be one of a few.
fn small<S: Copy>(
    written: Option<&At<u64, S>>,
    usual: u8,
    allowed: std::ops::RangeInclusive<u8>,
    what: &str,
    errors: &mut Errors<S>,
) -> u8 {
    let Some(written) = written else { return usual };
    let known = u8::try_from(written.value).ok().filter(|number| allowed.contains(number));
    known.unwrap_or_else(|| {
        let (least, most) = (allowed.start(), allowed.end());
        errors.add(written.at, format_args!("expected from {least} to {most} {what}, found {}", written.value));
        usual
    })
}

fn times<S: Copy>(written: &filter::Machine<S>, errors: &mut Errors<S>) -> Times {
    let mut times = Times::SCAMP5;
    let places =
        [&mut times.analogue, &mut times.digital, &mut times.neighbours, &mut times.propagation, &mut times.high_speed];
    for (time, place) in written.times.iter().zip(places) {
        let Some(time) = time else { continue };
        match u32::try_from(time.value).ok().filter(|_| (1..=LONGEST).contains(&time.value)) {
            Some(nanoseconds) => *place = nanoseconds,
            None => errors.add(time.at, format_args!("expected from 1 to {LONGEST} nanoseconds, found {}", time.value)),
        }
    }
    times
}

fn range<S: Copy>(written: &filter::Machine<S>, errors: &mut Errors<S>) -> cain_isa::Range {
    let mut range = cain_isa::Range::SCAMP5;
    if let Some(min) = &written.min {
        range.min = level(min, i16::MIN..=0, errors).unwrap_or(range.min);
    }
    if let Some(max) = &written.max {
        range.max = level(max, 1..=i16::MAX, errors).unwrap_or(range.max);
    }
    range
}

/// A whole number of DN.
fn level<S: Copy>(written: &Number<S>, allowed: std::ops::RangeInclusive<i16>, errors: &mut Errors<S>) -> Option<i16> {
    let whole = Some(written.value).filter(|value| value.denominator() == 1).map(Fraction::numerator);
    let level = whole.and_then(|level| i16::try_from(level).ok()).filter(|level| allowed.contains(level));
    if level.is_none() {
        let (least, most) = (allowed.start(), allowed.end());
        errors.add(
            written.at,
            format_args!("expected a whole number of DN from {least} to {most}, found {}", written.text),
        );
    }
    level
}
