//! Programs on a simulated array, beside their meaning.

mod border;
mod others;

use std::cell::RefCell;

use cain_analysis::owned::Step;
use cain_isa::Bit;
use cain_isa::program::Held;
use cain_isa::random::SplitMix64;
use cain_runtime::program::{Place, carry_out};
use cain_runtime::sim::Array;
use cain_vision::declaration::{Declaration, Result as Outcome, Value};
use cain_vision::reference::{Answer, Content, Reference};
use cain_vision::{CompileError, Compiled, StatePlace, compile};

use border::Borders;

#[allow(unused_imports, reason = "not used by all tests")]
pub(crate) use others::some_cells;

pub(crate) const SIDE: usize = 16;

/// A program on an array, with its states.
pub(crate) struct Running {
    compiled: Compiled,
    steps: Vec<Step>,
    array: Array,
    frames: usize,
    numbers: Vec<f64>,
    /// When others interrupt it, if they may.
    random: RefCell<SplitMix64>,
    interruptions: u32,
}

impl Running {
    pub(crate) fn new(declaration: &Declaration, mut array: Array) -> Result<Self, CompileError> {
        let compiled = compile(declaration)?;
        carry_out(&mut array, &compiled.program().preparation, &[], &[], &mut []).unwrap();
        let numbers = vec![0.0; compiled.program().numbers];
        let steps = compiled.program().steps().cloned().collect();
        let random = RefCell::new(SplitMix64::new(1));
        Ok(Self { compiled, steps, array, frames: 0, numbers, random, interruptions: 0 })
    }

    /// Nothing is corrected for the errors of a chip any more.
    #[allow(dead_code, reason = "not used by all tests")]
    pub(crate) fn forget_corrections(&mut self) {
        for step in &mut self.steps {
            match step {
                Step::Read(read) => read.corrected = None,
                Step::LevelOf { corrected, .. } => *corrected = None,
                Step::Compensation { level, .. } => *step = Step::Level(*level),
                Step::Correct { factor, summand, .. } => (*factor, *summand) = (1.0, 0.0),
                _ => {}
            }
        }
    }

    /// Every state in an analogue register loses so much, in DN.
    #[allow(dead_code, reason = "not used by all tests")]
    pub(crate) fn lose(&mut self, loss: f32) {
        for place in self.compiled.states() {
            if let StatePlace::Plane(Held::Reg(reg)) = place {
                let levels: Vec<f32> = self.array.read_reg(*reg).unwrap().iter().map(|level| level - loss).collect();
                self.array.load_reg(*reg, &levels).unwrap();
            }
        }
    }

    pub(crate) fn frame(&mut self, inputs: &[Content], parameters: &[i64]) -> Vec<Answer> {
        let declaration = self.compiled.declaration().clone();
        let held = self.compiled.inputs().iter().zip(&declaration.inputs);
        for ((held, input), content) in held.zip(inputs) {
            match (held, content) {
                (_, Content::Levels(levels)) if input.is_captured => {
                    let light: Vec<f32> =
                        levels.iter().map(|level| f32::midpoint(*level as f32, Array::RESET_LEVEL)).collect();
                    self.array.expose(&light).unwrap();
                }
                (Held::Reg(reg), Content::Levels(levels)) => {
                    let levels: Vec<f32> = levels.iter().map(|level| *level as f32).collect();
                    self.array.load_reg(*reg, &levels).unwrap();
                }
                (Held::Bit(Bit::Reg(bit)), Content::Bits(bits)) => self.array.load_bits(Bit::Reg(*bit), bits).unwrap(),
                _ => panic!("an input of another kind"),
            }
        }
        for (value, parameter) in declaration.parameter_values().zip(parameters) {
            let place = self.compiled.number(value);
            self.numbers[place] = *parameter as f64;
        }
        let is_first = self.compiled.is_first();
        self.numbers[is_first] = f64::from(u8::from(self.frames == 0));
        self.frames += 1;
        let (steps, array, numbers) = (&self.steps, &mut self.array, &mut self.numbers);
        match self.compiled.switches() {
            [] => carry_out(array, steps, &[], &[Place::default()], numbers).unwrap(),
            [table, ..] => self.interruptions += others::interrupted(array, steps.iter(), table, numbers, &self.random),
        }
        let one = |value: Value| match self.compiled.result(value) {
            Some(Held::Reg(reg)) => {
                Content::Levels(self.array.read_reg(reg).unwrap().iter().map(|level| f64::from(*level)).collect())
            }
            Some(Held::Bit(Bit::Reg(bit))) => Content::Bits(self.array.read_bits(Bit::Reg(bit)).unwrap()),
            _ => Content::Number(self.numbers[self.compiled.number(value)] as i64),
        };
        declaration
            .results
            .iter()
            .map(|result| match &result.of {
                Outcome::Value(value) => Answer::One(one(*value)),
                Outcome::Numbers(values) => Answer::Several(
                    values.iter().map(|value| self.numbers[self.compiled.number(*value)] as i64).collect(),
                ),
                Outcome::Tuple(values) => Answer::Several(
                    values.iter().map(|value| self.numbers[self.compiled.number(*value)] as i64).chain([1]).collect(),
                ),
                Outcome::Events(value, most) => {
                    let Content::Bits(bits) = one(*value) else { panic!("events of bits") };
                    let ones =
                        (0..bits.len()).filter(|pe| bits[*pe]).map(|pe| vec![(pe / SIDE) as i64, (pe % SIDE) as i64]);
                    Answer::List(ones.take(*most as usize).collect())
                }
                Outcome::List(list) => {
                    let entries = self.compiled.list(*list).unwrap().entries(&self.numbers);
                    Answer::List(entries.map(|entry| entry.iter().map(|number| *number as i64).collect()).collect())
                }
            })
            .collect()
    }
}

/// Compares frames with their meaning, but for levels that are not defined; the words of the program.
#[allow(dead_code, reason = "not used by all tests")]
pub(crate) fn compare(declaration: &Declaration, frames: &[(Vec<Content>, Vec<i64>)]) -> usize {
    try_compare(declaration, frames, false).unwrap().0
}

/// Compares frames with their meaning, where bits are defined as well if that is wanted; the words of the program, and how often
/// others have interrupted it.
pub(crate) fn try_compare(
    declaration: &Declaration,
    frames: &[(Vec<Content>, Vec<i64>)],
    only_defined: bool,
) -> Result<(usize, u32), CompileError> {
    let mut running = Running::new(declaration, Array::new(SIDE, SIDE))?;
    let mut reference = Reference::new(declaration, SIDE, SIDE);
    let mut borders = Borders::new(declaration);
    for (number, (inputs, parameters)) in frames.iter().enumerate() {
        for (place, parameter) in parameters.iter().enumerate() {
            reference.set(place, *parameter);
        }
        let (found, wanted) = (running.frame(inputs, parameters), reference.frame(inputs));
        borders.frame();
        for ((found, wanted), result) in found.iter().zip(&wanted).zip(&declaration.results) {
            let is_defined = |pe: &usize| match &result.of {
                Outcome::Value(value) if only_defined => borders.is_defined(*value, *pe, SIDE),
                _ => true,
            };
            let mut pes = (0..SIDE * SIDE).filter(is_defined);
            let is_right = match (found, wanted) {
                (Answer::One(Content::Levels(found)), Answer::One(Content::Levels(wanted))) => {
                    pes.all(|pe| wanted[pe].is_nan() || (found[pe] - wanted[pe]).abs() < 1e-3)
                }
                (Answer::One(Content::Bits(found)), Answer::One(Content::Bits(wanted))) => {
                    pes.all(|pe| found[pe] == wanted[pe])
                }
                (found, wanted) => found == wanted,
            };
            assert!(
                is_right,
                "frame {number}, {} {:?}: {}\n{declaration:?}\n{}",
                result.name,
                result.of,
                difference(found, wanted),
                listing(&running.compiled)
            );
        }
        borders.end();
    }
    Ok((running.compiled.program().words(), running.interruptions))
}

/// Where planes differ first.
fn difference(found: &Answer, wanted: &Answer) -> String {
    let first = match (found, wanted) {
        (Answer::One(Content::Levels(found)), Answer::One(Content::Levels(wanted))) => {
            let differs = |pe: &usize| (found[*pe] - wanted[*pe]).abs() >= 1e-3;
            (0..found.len()).find(differs).map(|pe| format!("{} instead of {} in PE {pe}", found[pe], wanted[pe]))
        }
        (Answer::One(Content::Bits(found)), Answer::One(Content::Bits(wanted))) => {
            let differs = |pe: &usize| found[*pe] != wanted[*pe];
            (0..found.len()).find(differs).map(|pe| format!("{} instead of {} in PE {pe}", found[pe], wanted[pe]))
        }
        _ => None,
    };
    first.unwrap_or_else(|| format!("{found:?} instead of {wanted:?}"))
}

fn listing(compiled: &Compiled) -> String {
    let steps = compiled.program().steps();
    steps.flat_map(|step| cain_analysis::owned::lines(step, SIDE)).collect::<Vec<_>>().join("\n")
}
