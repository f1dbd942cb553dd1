//! What a controller does for one call, while it is being compiled.
//!
//! Kinds of declarations compile to a [`Program`]. What it costs, which registers it needs, where it may be left, and what it is
//! written down as, in Rust, in JSON and in tables, follows from it.

mod sections;
mod text;

use alloc::string::String;
use alloc::vec::Vec;

use cain_isa::program::{Held, LOADING, Picture, PlaneOf, ReadOutOf, StepOf, Storage};
use cain_isa::{Dreg, Instruction, Machine, MachineError, Reg, Times};

use crate::sorted::Set;

pub use sections::{OnePass, Section, sections};
pub use text::{Line, lines, shown, with_points};

/// PEs along each side of SCAMP-5, for which steps are written unless a program is for another array.
pub const SIDE: usize = 256;

/// Lists are vectors, which can still change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owned;

impl Storage for Owned {
    type List<T: Clone + core::fmt::Debug + PartialEq + 'static> = Vec<T>;
}

/// One thing that a controller does.
pub type Step = StepOf<Owned>;
/// A read-out of one map.
pub type ReadOut = ReadOutOf<Owned>;
/// Bits that are loaded into a register.
pub type BitPlane = PlaneOf<Owned>;

/// A program as it is found: that of [`Program`](cain_isa::program::Program), with what it was made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// Its name.
    pub name: String,
    /// Rows and columns of the blocks that the array is cut into, which have to divide it.
    pub blocks: (usize, usize),
    /// The pictures that it works on.
    pub pictures: Vec<Picture>,
    /// What is done once, before the first call.
    pub preparation: Vec<Step>,
    /// What is done in every call, in this order.
    pub parts: Vec<Part>,
    /// How many numbers are read for each place of a picture.
    pub numbers: usize,
    /// How long words take.
    pub times: Times,
}

/// A part of a program.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// What is done, in this order.
    pub steps: Vec<Step>,
    /// What it makes, as far as that is told.
    pub made: Option<Made>,
}

/// The maps that a part makes.
#[derive(Clone, Debug, PartialEq)]
pub struct Made {
    /// What holds them afterwards.
    pub held: Vec<Held>,
    /// The least and the largest value in them, in DN, if that is told.
    pub range: Option<(f64, f64)>,
}

impl Program {
    /// A program of that name that does nothing.
    pub fn new(name: impl Into<String>, times: Times) -> Self {
        Self {
            name: name.into(),
            blocks: (1, 1),
            pictures: Vec::new(),
            preparation: Vec::new(),
            parts: Vec::new(),
            numbers: 0,
            times,
        }
    }

    /// A program of that name that carries out a listing.
    pub fn of_listing(name: impl Into<String>, listing: &[Instruction], times: Times) -> Self {
        let part = Part::new("program", [Step::Execute(listing.to_vec())].into());
        Self { parts: [part].into(), ..Self::new(name, times) }
    }

    /// All steps of a call, in their order.
    pub fn steps(&self) -> impl Iterator<Item = &Step> + Clone {
        self.parts.iter().flat_map(|part| &part.steps)
    }

    /// Control words of a call.
    #[must_use]
    pub fn words(&self) -> usize {
        self.parts.iter().map(Part::words).fold(0, usize::saturating_add)
    }

    /// How many [calls](StepOf::calls) of the controller a call is at most.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.steps().map(StepOf::calls).fold(0, u64::saturating_add)
    }

    /// The time of a call as far as it is [known](StepOf::nanoseconds).
    #[must_use]
    pub fn nanoseconds(&self) -> u64 {
        self.parts.iter().map(|part| part.nanoseconds(&self.times)).fold(0, u64::saturating_add)
    }

    /// The registers that the preparation or a call writes.
    #[must_use]
    pub fn written(&self) -> (Set<Reg>, Set<Dreg>) {
        written(self.preparation.iter().chain(self.steps()))
    }

    /// Checks that a machine has everything that the preparation and a call need.
    ///
    /// # Errors
    ///
    /// The first thing that it lacks.
    pub fn allowed(&self, machine: &Machine) -> Result<(), MachineError> {
        allowed(machine, self.preparation.iter().chain(self.steps()))
    }

    /// PEs along each side of the array: those of SCAMP-5, unless a plane that is loaded has others.
    #[must_use]
    pub fn side(&self) -> usize {
        let side = |step: &Step| if let Step::Load(plane) = step { Some(plane.side()) } else { None };
        self.preparation.iter().find_map(side).unwrap_or(SIDE)
    }

    /// The registers that the preparation loads.
    #[must_use]
    pub fn loaded(&self) -> Set<Dreg> {
        let planes = self.preparation.iter();
        planes.filter_map(|step| if let Step::Load(plane) = step { Some(plane.register) } else { None }).collect()
    }
}

impl Part {
    /// A part of that name, of which nothing is told that it makes.
    pub fn new(name: impl Into<String>, steps: Vec<Step>) -> Self {
        Self { name: name.into(), steps, made: None }
    }

    /// Control words.
    #[must_use]
    pub fn words(&self) -> usize {
        words(&self.steps)
    }

    /// The time of its steps as far as it is [known](StepOf::nanoseconds).
    #[must_use]
    pub fn nanoseconds(&self, times: &Times) -> u64 {
        nanoseconds(&self.steps, times)
    }
}

/// The step that carries out one instruction.
#[must_use]
pub fn step_of(instruction: Instruction) -> Step {
    Step::Execute([instruction].into())
}

/// The control words of steps, for one picture.
#[must_use]
pub fn words(steps: &[Step]) -> usize {
    let words = |step: &Step| usize::try_from(step.tally().words()).unwrap_or(usize::MAX);
    steps.iter().map(words).fold(0, usize::saturating_add)
}

/// The time of steps for one picture, as far as it is [known](StepOf::nanoseconds).
#[must_use]
pub fn nanoseconds(steps: &[Step], times: &Times) -> u64 {
    steps.iter().map(|step| step.nanoseconds(times)).fold(0, u64::saturating_add)
}

/// Steps with all instructions that follow each other in one, so that they are launched at once.
#[must_use]
pub fn merged(steps: &[Step]) -> Vec<Step> {
    let mut merged: Vec<Step> = Vec::new();
    for step in steps {
        match (merged.last_mut(), step) {
            (Some(Step::Execute(listing)), Step::Execute(more)) => listing.extend(more),
            _ => merged.push(step.clone()),
        }
    }
    merged
}

/// The registers that steps write.
pub fn written<'s>(steps: impl IntoIterator<Item = &'s Step>) -> (Set<Reg>, Set<Dreg>) {
    let (mut regs, mut bits) = (Set::new(), Set::new());
    for step in steps {
        for word in step.listing().unwrap_or_default().iter().flat_map(Instruction::words) {
            regs.extend(word.effect(true).written().analogue().iter());
            bits.extend(word.targets());
        }
        match step {
            Step::Outside(bit, _) | Step::RegionOf { register: bit, .. } => bits.extend([*bit]),
            Step::Store(reg, _) => regs.extend([*reg]),
            Step::Load(plane) => bits.extend(LOADING.into_iter().chain([plane.register])),
            Step::Capture { into, half } => regs.extend([*into, *half]),
            Step::Loop { .. } | Step::Decide { .. } => {
                for (more_regs, more_bits) in step.bodies().map(written) {
                    regs.extend(more_regs);
                    bits.extend(more_bits);
                }
            }
            _ => {}
        }
    }
    (regs, bits)
}

/// Checks that a machine has all the words that steps are made of, and the registers that they write.
///
/// # Errors
///
/// The first thing that it lacks.
pub fn allowed<'s>(machine: &Machine, steps: impl IntoIterator<Item = &'s Step>) -> Result<(), MachineError> {
    for step in steps {
        let words = step.listing().unwrap_or_default().iter().flat_map(Instruction::words);
        words.into_iter().try_for_each(|word| machine.allows_word(&word))?;
        let (regs, bits) = written([step]);
        if let Some(reg) = regs.iter().find(|reg| !machine.registers.contains(**reg)) {
            return Err(MachineError::Register(*reg));
        }
        if let Some(bit) = bits.iter().find(|bit| bit.number() >= machine.bits) {
            return Err(MachineError::Bit(*bit));
        }
        step.bodies().into_iter().try_for_each(|body| allowed(machine, body))?;
    }
    Ok(())
}

/// The bits of the PEs of a square array, row by row, with equal rows once.
#[must_use]
pub fn plane(register: Dreg, bits: &[bool], side: usize) -> BitPlane {
    let (mut rows, mut distinct) = (Vec::new(), Vec::<Vec<u8>>::new());
    for bits in bits.chunks(side.max(1)) {
        let byte = |bits: &[bool]| bits.iter().rev().fold(0, |byte, bit| byte << 1 | u8::from(*bit));
        let row: Vec<u8> = bits.chunks(8).map(byte).collect();
        let number = distinct.iter().position(|known| *known == row).unwrap_or_else(|| {
            distinct.push(row);
            distinct.len() - 1
        });
        // An array has no more than 256 rows.
        rows.push(u8::try_from(number).unwrap_or(u8::MAX));
    }
    BitPlane { register, rows, distinct: distinct.concat() }
}
