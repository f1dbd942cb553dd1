//! Programs on the simulated array, frame after frame.

use std::path::Path;

use cain_analysis::owned::OnePass;
use cain_codegen::Overrides;
use cain_codegen::kernel_file::{load_any, parse_any};
use cain_codegen::kinds::Item;
use cain_isa::program::{CAPTURING, Held};
use cain_runtime::program::{FrameError, Frames, Given, Input, Interface, Parameter};
use cain_runtime::sim::{Array, SimError};
use cain_runtime::trace::Meter;
use cain_vision::Compiled;
use cain_vision::declaration::{Declaration, Kind, Result as Outcome, Value};

use super::rows::{Hand, Scene, Settings};
use super::scenes::{SIDE, Scenes};

/// The PEs of a row.
const WIDTH: i64 = 256;

/// A program, and what it has cost and made.
pub(super) struct Ran {
    /// What the frame took that took most words, without that of the picture.
    pub(super) took: Hand,
    pub(super) longest: Longest,
    /// The greys of the last frame of what was given first, if anything was.
    pub(super) entry: Option<Vec<u8>>,
    /// The results of the last frame, by their names.
    pub(super) results: Vec<(String, Made)>,
}

/// What the longest frame costs.
#[derive(Clone, Copy)]
pub(super) struct Longest {
    pub(super) words: u64,
    pub(super) calls: u64,
    /// Whether the number of passes of a loop is open, one of which is counted.
    pub(super) is_open: bool,
}

/// A result.
pub(super) enum Made {
    /// Levels in DN.
    Levels(Vec<f32>),
    Bits(Vec<bool>),
    Number(i64),
    /// Entries of numbers; none, or one, for a rectangle or a PE that need not be there.
    Numbers(Vec<Vec<i64>>),
}

/// The declaration of that name in a file.
pub(super) fn declaration(file: &Path, name: &str) -> Result<Declaration, String> {
    let items = load_any(file, Overrides::default()).map_err(|error| error.to_string())?;
    named(items, name).ok_or_else(|| format!("{}: no program `{name}`", file.display()))
}

/// The declaration in a text of one program, whose name is `anchor`.
pub(super) fn of_text(text: &str) -> Result<Declaration, String> {
    let problems = |problems: Vec<_>| problems.iter().map(ToString::to_string).collect::<Vec<String>>().join("\n");
    let items = parse_any(&format!("program = '''{text}'''"), Overrides::default())
        .map_err(|found: Vec<cain_codegen::diagnostic::Diagnostic>| problems(found))?;
    named(items, "anchor").ok_or_else(|| format!("no program `anchor` in {text}"))
}

fn named(items: Vec<Item>, name: &str) -> Option<Declaration> {
    items.into_iter().find_map(|item| match item {
        Item::Vision(program) if program.of.declaration.name == name => Some(program.of.declaration),
        _ => None,
    })
}

/// Compiles a program.
pub(super) fn compile(declaration: &Declaration) -> Result<Compiled, String> {
    cain_vision::compile(declaration).map_err(|error| format!("{}: {error}", declaration.name))
}

/// Runs a program on all frames of a scene.
pub(super) fn run(compiled: &Compiled, scene: &Scene, scenes: &Scenes) -> Result<Ran, String> {
    let declaration = compiled.declaration();
    let (mut array, program) = (Meter::new(Array::new(SIDE, SIDE)), compiled.program());
    let numbers = vec![0.0; program.numbers];
    let mut frames =
        Frames::<_>::begin(&mut array, &program.preparation, numbers).map_err(|error: SimError| error.to_string())?;
    let own = [Settings::new()];
    let settings = if scene.frames.is_empty() { &own[..] } else { &scene.frames };
    let (mut took, mut entry) = (Hand { words: 0, levels: 0, regions: 0 }, None);
    for (number, own) in settings.iter().enumerate() {
        let parameters = parameters(declaration, &[&scene.set, own])?;
        let planes = planes(declaration, scene, scenes, number)?;
        entry = planes.first().cloned();
        let before = costs(&array);
        let pictures = frame(compiled, &mut array, &mut frames, &planes, &parameters)?;
        let frame = costs(&array);
        let words = frame.words - before.words - pictures;
        if words >= took.words {
            took = Hand { words, levels: frame.levels - before.levels, regions: frame.regions - before.regions };
        }
    }
    let named = declaration
        .results
        .iter()
        .map(|result| Ok((result.name.clone(), made(compiled, array.controller(), &frames, &result.of)?)));
    let results = named.collect::<Result<_, String>>()?;
    Ok(Ran { took, longest: longest(compiled), entry, results })
}

/// What was carried out so far, without the word that writes a rectangle into a register, which belongs to the call by hand.
fn costs(array: &Meter<Array>) -> Hand {
    let expenses = array.report().expenses;
    let words = expenses.iter().map(|expense| expense.tally.words()).sum();
    let mut sum = Hand { words, levels: 0, regions: 0 };
    for expense in &expenses {
        match expense.name.as_str() {
            "set_level" => sum.levels += expense.calls,
            "select_region" => {
                sum.regions += expense.calls;
                sum.words -= expense.calls;
            }
            "select_pattern" => sum.regions += expense.calls,
            _ => {}
        }
    }
    sum
}

/// The numbers of all parameters.
fn parameters(declaration: &Declaration, settings: &[&Settings]) -> Result<Vec<i64>, String> {
    let known = &declaration.parameters;
    let mut numbers: Vec<i64> = known.iter().map(|parameter| parameter.default).collect();
    for (name, number) in settings.iter().flat_map(|set| set.iter()).flat_map(|(name, to)| to.numbers(name)) {
        let place = known.iter().position(|parameter| parameter.name == name);
        let place = place.and_then(|place| numbers.get_mut(place));
        *place.ok_or_else(|| format!("{}: no parameter `{name}`", declaration.name))? = number;
    }
    Ok(numbers)
}

/// The greys for each input.
fn planes(declaration: &Declaration, scene: &Scene, scenes: &Scenes, number: usize) -> Result<Vec<Vec<u8>>, String> {
    let inputs = declaration.inputs.iter();
    inputs.map(|input| scenes.frame(scene.given.get(&input.name).unwrap_or(&scene.sees), number)).collect()
}

/// Carries out a frame; returns the words of taking the picture.
fn frame(
    compiled: &Compiled,
    array: &mut Meter<Array>,
    frames: &mut Frames<Vec<f64>>,
    planes: &[Vec<u8>],
    parameters: &[i64],
) -> Result<u64, String> {
    let declaration = compiled.declaration();
    let (mut inputs, mut levels, mut bits, mut pictures) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for ((input, held), greys) in declaration.inputs.iter().zip(compiled.inputs()).zip(planes) {
        if input.is_captured {
            // Of light of 0 to 127 DN, the array takes twice as much, less 127.
            let light: Vec<f32> = greys.iter().map(|grey| (f32::from(*grey) - 1.0) / 2.0).collect();
            array.controller_mut().expose(&light).map_err(|error| error.to_string())?;
            pictures += u64::from(CAPTURING);
            continue;
        }
        let is_bits = matches!(declaration.values.get(input.value.0), Some(Kind::Bits));
        inputs.push(Input { name: &input.name, held: *held, range: if is_bits { (0, 1) } else { (-128, 127) } });
        levels.push(greys.iter().map(|grey| (grey ^ 0x80).cast_signed()).collect::<Vec<i8>>());
        bits.push((is_bits, greys.iter().map(|grey| *grey >= 128).collect::<Vec<bool>>()));
    }
    let given = levels.iter().zip(&bits);
    let given = given.map(|(levels, (is_bits, bits))| if *is_bits { Given::Bits(bits) } else { Given::Levels(levels) });
    let named = declaration.parameters.iter().map(|parameter| Parameter {
        name: &parameter.name,
        number: compiled.number(parameter.value),
        range: parameter.range,
    });
    let (given, named) = (given.collect::<Vec<_>>(), named.collect::<Vec<_>>());
    let (is_first, least_side) = (compiled.is_first(), compiled.least_side());
    let interface = Interface { inputs: &inputs, parameters: &named, is_first, least_side };
    frames
        .frame_of(array, &interface, compiled.program().steps(), &[], (&given, parameters))
        .map_err(|error: FrameError<'_, SimError>| format!("{}: {error}", declaration.name))?;
    Ok(pictures)
}

/// What a result is.
fn made(compiled: &Compiled, array: &Array, frames: &Frames<Vec<f64>>, of: &Outcome) -> Result<Made, String> {
    let number = |value: &Value| frames.number(compiled.number(*value));
    let numbers = |values: &[Value]| values.iter().map(number).collect::<Vec<i64>>();
    Ok(match of {
        Outcome::Value(value) => match compiled.result(*value) {
            Some(Held::Reg(reg)) => Made::Levels(array.read_reg(reg).map_err(|error| error.to_string())?.to_vec()),
            Some(Held::Bit(bit)) => Made::Bits(array.read_bits(bit).map_err(|error| error.to_string())?),
            None => Made::Number(number(value)),
        },
        Outcome::Numbers(values) => {
            let found = numbers(values);
            Made::Numbers(
                found.split_last().filter(|(found, _)| **found != 0).map(|(_, of)| of.to_vec()).into_iter().collect(),
            )
        }
        Outcome::Tuple(values) => Made::Numbers(vec![numbers(values)]),
        Outcome::List(list) => {
            let place = compiled.list(*list).ok_or("a list has no place, which is a bug")?;
            #[expect(clippy::cast_possible_truncation, reason = "numbers of a controller are small")]
            let entry = |entry: &[f64]| entry.iter().map(|number| *number as i64).collect();
            Made::Numbers(place.entries(frames.numbers(0)).map(entry).collect())
        }
        Outcome::Events(value, most) => {
            let Some(Held::Bit(bit)) = compiled.result(*value) else {
                return Err("events have no plane, which is a bug".to_owned());
            };
            let bits = array.read_bits(bit).map_err(|error| error.to_string())?;
            let ones = (0_i64..).zip(bits).filter(|(_, bit)| *bit).map(|(pe, _)| vec![pe / WIDTH, pe % WIDTH]);
            Made::Numbers(ones.take(usize::try_from(*most).unwrap_or(usize::MAX)).collect())
        }
    })
}

/// What the longest frame costs, as `cain compile` tells it.
pub(super) fn longest(compiled: &Compiled) -> Longest {
    let (OnePass { words, calls, .. }, is_open) = OnePass::longest(compiled.program());
    Longest { words, calls, is_open }
}
