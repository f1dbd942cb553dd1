//! A program on a simulated array, frame after frame.

use std::path::Path;

use cain_isa::ErrorModel;
use cain_isa::program::Held;
use cain_runtime::io::Size;
use cain_runtime::pictures::{Palette, Picture};
use cain_runtime::program::{Bits, FrameError, Frames, Given, Input, Interface, Levels, Parameter};
use cain_runtime::sim::{Array, SimError};
use cain_runtime::trace::{Meter, Report, Timing};
use cain_vision::declaration::{Kind, Result as Outcome, Value};
use cain_vision::reference::{Answer, Content};
use cain_vision::{Compiled, StatePlace};

use crate::files::write_encoded;

/// A plane of an input.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Plane {
    /// Levels in DN.
    Levels(Vec<i8>),
    Bits(Vec<bool>),
}

/// The array that is simulated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conditions {
    pub(crate) size: Size,
    pub(crate) model: ErrorModel,
    /// Each stands for another die.
    pub(crate) seed: u64,
    /// The share of a difference that flows in a diffusion.
    pub(crate) diffusion: Option<f32>,
    /// The most words that may be carried out.
    pub(crate) words: u64,
}

/// A program with its states, on an array that holds nothing else.
pub(crate) struct Running {
    array: Meter<Array>,
    frames: Frames<Vec<f64>>,
}

impl Running {
    /// The program before its first frame.
    pub(crate) fn new(compiled: &Compiled, conditions: &Conditions) -> Result<Self, String> {
        let Conditions { size: Size { width, height }, model, seed, diffusion, words } = *conditions;
        let machine = compiled.declaration().machine;
        let mut array = Array::new(width, height).machine(machine).errors(model).seed(seed).most_words(words);
        if let Some(share) = diffusion {
            array = array.diffusion(share);
        }
        let program = compiled.program();
        let frames = Frames::<_>::begin(&mut array, &program.preparation, vec![0.0; program.numbers]);
        let frames = frames.map_err(|error: SimError| error.to_string())?;
        let timing = Timing { words: machine.times, ..Timing::SCAMP5 };
        Ok(Self { array: Meter::new(array).timing(timing), frames })
    }

    /// What comes out of a frame.
    pub(crate) fn frame(
        &mut self,
        compiled: &Compiled,
        planes: &[Plane],
        parameters: &[i64],
    ) -> Result<Vec<Answer>, String> {
        let declaration = compiled.declaration();
        let (mut inputs, mut given) = (Vec::new(), Vec::new());
        for ((input, held), plane) in declaration.inputs.iter().zip(compiled.inputs()).zip(planes) {
            if input.is_captured {
                expose(self.array.controller_mut(), plane).map_err(|error| error.to_string())?;
                continue;
            }
            inputs.push(Input { name: &input.name, held: *held, range: range(declaration.values.get(input.value.0)) });
            given.push(match plane {
                Plane::Levels(levels) => Given::Levels(levels),
                Plane::Bits(bits) => Given::Bits(bits),
            });
        }
        let named = declaration.parameters.iter().map(|parameter| Parameter {
            name: &parameter.name,
            number: compiled.number(parameter.value),
            range: parameter.range,
        });
        let (is_first, least_side) = (compiled.is_first(), compiled.least_side());
        let named: Vec<_> = named.collect();
        let interface = Interface { inputs: &inputs, parameters: &named, is_first, least_side };
        let (program, frames) = (compiled.program(), &mut self.frames);
        self.array
            .program(&program.name, |array| {
                let set = (given.as_slice(), parameters);
                frames.frame_of(array, &interface, program.steps(), &[], set)
            })
            .map_err(|error: FrameError<'_, SimError>| error.to_string())?;
        self.array.end_frame();
        declaration.results.iter().map(|result| self.answer(compiled, &result.of)).collect()
    }

    fn answer(&self, compiled: &Compiled, of: &Outcome) -> Result<Answer, String> {
        let number = |value: &Value| self.frames.number(compiled.number(*value));
        let array = self.array.controller();
        Ok(match of {
            Outcome::Value(value) => Answer::One(match compiled.result(*value) {
                Some(Held::Reg(reg)) => {
                    let levels = array.read_reg(reg).map_err(|error| error.to_string())?;
                    Content::Levels(levels.iter().copied().map(f64::from).collect())
                }
                Some(Held::Bit(bit)) => Content::Bits(array.read_bits(bit).map_err(|error| error.to_string())?),
                None => Content::Number(number(value)),
            }),
            Outcome::Numbers(values) => Answer::Several(values.iter().map(number).collect()),
            // They are always there.
            Outcome::Tuple(values) => Answer::Several(values.iter().map(number).chain([1]).collect()),
            Outcome::Events(value, most) => {
                let Some(Held::Bit(bit)) = compiled.result(*value) else {
                    return Err("events have no plane, which is a bug".to_owned());
                };
                let bits = array.read_bits(bit).map_err(|error| error.to_string())?;
                let most = usize::try_from(*most).unwrap_or(usize::MAX);
                let ones = bits.iter().enumerate().filter(|(_, bit)| **bit).take(most);
                let number = |place: usize| i64::try_from(place).unwrap_or(i64::MAX);
                Answer::List(ones.map(|(pe, _)| vec![number(pe / array.width()), number(pe % array.width())]).collect())
            }
            Outcome::List(list) => {
                let place = compiled.list(*list).ok_or("a list has no place, which is a bug")?;
                #[expect(clippy::cast_possible_truncation, reason = "numbers of a controller are small")]
                let entry = |entry: &[f64]| entry.iter().map(|number| *number as i64).collect();
                Answer::List(place.entries(self.frames.numbers(0)).map(entry).collect())
            }
        })
    }

    /// Writes the planes that are results, as the converter delivers them: grey is DN + 128, bits are 0 and 255.
    pub(crate) fn write(&mut self, compiled: &Compiled, folder: &Path, number: usize) -> Result<(), String> {
        let pictures = self.pictures(&results(compiled))?;
        let file = |(name, picture): (String, Picture)| (format!("{name}-{number:04}.png"), picture.png());
        write_encoded(folder, pictures.into_iter().map(file).collect())
    }

    /// The planes of all states, and of results that are none of them.
    pub(crate) fn kept(&mut self, compiled: &Compiled) -> Result<Vec<(String, Picture)>, String> {
        let states = compiled.declaration().states.iter().zip(compiled.states());
        let mut planes: Vec<(String, Held)> = states
            .filter_map(|(state, place)| match place {
                StatePlace::Plane(held) => Some((state.name.clone(), *held)),
                StatePlace::Number(_) => None,
            })
            .collect();
        for (name, held) in results(compiled) {
            if planes.iter().all(|(known, _)| *known != name) {
                planes.push((name, held));
            }
        }
        self.pictures(&planes)
    }

    /// Planes as the converter delivers them.
    fn pictures(&mut self, planes: &[(String, Held)]) -> Result<Vec<(String, Picture)>, String> {
        let array = self.array.controller_mut();
        let (width, pes) = (array.width(), array.width() * array.height());
        let mut pictures = Vec::new();
        for (name, held) in planes {
            let picture = match held {
                Held::Reg(reg) => {
                    let mut levels = vec![0; pes];
                    Levels::new(*reg).read(array, &mut levels).map_err(|error| error.to_string())?;
                    let levels: Vec<f32> = levels.into_iter().map(f32::from).collect();
                    Picture::of_values(&levels, width, Palette::Grey { from: -128.0, to: 127.0 })
                }
                Held::Bit(bit) => {
                    let mut bits = vec![false; pes];
                    Bits::new(*bit).read(array, &mut bits).map_err(|error| error.to_string())?;
                    Picture::of_bits(&bits, width)
                }
            };
            pictures.push((name.clone(), picture));
        }
        Ok(pictures)
    }

    /// What all frames have cost.
    pub(crate) fn report(&self) -> Report {
        self.array.report()
    }
}

/// The planes that are results.
fn results(compiled: &Compiled) -> Vec<(String, Held)> {
    let held = |value: &Value| compiled.result(*value);
    let results = compiled.declaration().results.iter().filter_map(|result| match &result.of {
        Outcome::Value(value) => Some((result.name.clone(), held(value)?)),
        _ => None,
    });
    results.collect()
}

/// Lets in the light of which the array takes these levels.
fn expose(array: &mut Array, plane: &Plane) -> Result<(), SimError> {
    let light = |level: f32| f32::midpoint(level, Array::RESET_LEVEL);
    let light: Vec<f32> = match plane {
        Plane::Levels(levels) => levels.iter().map(|level| light(f32::from(*level))).collect(),
        Plane::Bits(bits) => bits.iter().map(|bit| light(f32::from(u8::from(*bit)))).collect(),
    };
    array.expose(&light)
}

/// The levels that an input may have.
fn range(kind: Option<&Kind>) -> (i8, i8) {
    match kind {
        #[expect(clippy::cast_possible_truncation, reason = "saturates")]
        Some(Kind::Levels { low, high }) => (low.ceil() as i8, high.floor() as i8),
        _ => (0, 1),
    }
}
