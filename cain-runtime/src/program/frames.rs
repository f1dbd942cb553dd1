//! Programs that run frame after frame: their states, what they take and what they give.

use core::fmt;

use super::{Pictures, Place, planes};
use crate::io::{ArrayIo, Size};
use crate::isa::program::{Held, Kinds, StepOf, Storage};
use crate::isa::{Bit, Reg, Switches};

/// A number that the host sets for each frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter<'p> {
    /// Its name.
    pub name: &'p str,
    /// The place of the number.
    pub number: usize,
    /// Its values: from the least to the largest.
    pub range: (i64, i64),
}

/// A plane that the host gives for each frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Input<'p> {
    /// Its name.
    pub name: &'p str,
    /// The register that holds it when a frame begins.
    pub held: Held,
    /// The levels that it may have, in DN; of bits 0 and 1.
    pub range: (i8, i8),
}

/// What a program takes for each frame, and where.
#[derive(Clone, Copy, Debug)]
pub struct Interface<'p> {
    /// The planes that the host gives.
    pub inputs: &'p [Input<'p>],
    /// The numbers that the host sets.
    pub parameters: &'p [Parameter<'p>],
    /// The place of the number that is 1 in the first frame, and 0 later.
    pub is_first: usize,
    /// The rows and the columns that an array has to have.
    pub least_side: usize,
}

/// The contents of a plane that the host gives, row by row from the north-west.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given<'a> {
    /// Levels in DN.
    Levels(&'a [i8]),
    /// Bits.
    Bits(&'a [bool]),
}

/// An array whose registers the host can write. The chip takes pictures itself, so that only programs with inputs of their own
/// need it.
pub trait PlaneIo: ArrayIo {
    /// Writes levels into a register: one in DN for each PE, row by row from the north-west.
    fn give_levels(&mut self, register: Reg, levels: &[i8]) -> Result<(), Self::Error>;

    /// Writes bits into a register: one for each PE, row by row from the north-west.
    fn give_bits(&mut self, bit: Bit, bits: &[bool]) -> Result<(), Self::Error>;
}

impl<A: PlaneIo + ?Sized> PlaneIo for &mut A {
    fn give_levels(&mut self, register: Reg, levels: &[i8]) -> Result<(), Self::Error> {
        (**self).give_levels(register, levels)
    }

    fn give_bits(&mut self, bit: Bit, bits: &[bool]) -> Result<(), Self::Error> {
        (**self).give_bits(bit, bits)
    }
}

/// Writes a plane into the register of its input.
fn give<A: PlaneIo + ?Sized>(array: &mut A, held: Held, plane: &Given<'_>) -> Result<(), A::Error> {
    match (held, plane) {
        (Held::Reg(register), Given::Levels(levels)) => array.give_levels(register, levels),
        (Held::Bit(bit), Given::Bits(bits)) => array.give_bits(bit, bits),
        // It was refused before.
        _ => Ok(()),
    }
}

/// The states of a program between its frames: the numbers of the controller, and how far it is. Planes stay on the array.
///
/// The program has steps of these [`Kinds`] only; code for others is left out of the firmware.
#[derive(Clone, Copy, Debug)]
pub struct Frames<N, const KINDS: u32 = { Kinds::ALL }> {
    numbers: N,
    stage: Stage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    First,
    Later,
    /// A frame ended with an error of the array, so that states may be of neither frame.
    Broken,
}

impl<N: AsRef<[f64]> + AsMut<[f64]>, const KINDS: u32> Frames<N, KINDS> {
    /// Before the first frame of a program, on an array that holds nothing else. There have to be as many numbers as the program
    /// [has](crate::isa::program::Program::numbers).
    ///
    /// # Errors
    ///
    /// Those of the array.
    pub fn begin<A, S>(array: &mut A, preparation: &[StepOf<S>], numbers: N) -> Result<Self, A::Error>
    where
        A: ArrayIo + ?Sized,
        S: Storage,
    {
        let mut frames = Self { numbers, stage: Stage::First };
        frames.reset(array, preparation)?;
        Ok(frames)
    }

    /// Forgets all frames.
    ///
    /// # Errors
    ///
    /// Those of the array; then the program has to be reset again.
    pub fn reset<A, S>(&mut self, array: &mut A, preparation: &[StepOf<S>]) -> Result<(), A::Error>
    where
        A: ArrayIo + ?Sized,
        S: Storage,
    {
        self.stage = Stage::Broken;
        self.numbers.as_mut().fill(0.0);
        let places = [Place::default()];
        let numbers = self.numbers.as_mut();
        Pictures::<KINDS, f64>::carry_out(array, preparation, &[], &places, numbers)?;
        self.stage = Stage::First;
        Ok(())
    }

    /// Carries out a frame of a program whose pictures the array takes itself.
    ///
    /// # Errors
    ///
    /// Unless it is one of the array, nothing was sent and states are as they were.
    pub fn frame<'p, 's, A, S>(
        &mut self,
        array: &mut A,
        interface: &Interface<'p>,
        steps: impl IntoIterator<Item = &'s StepOf<S>, IntoIter: Clone>,
        switches: &[Switches<'_>],
        parameters: &[i64],
    ) -> Result<(), FrameError<'p, A::Error>>
    where
        A: ArrayIo + ?Sized,
        S: Storage,
    {
        self.check(array.size(), interface, parameters)?;
        self.run(array, interface, steps, switches, parameters).map_err(FrameError::Array)
    }

    /// Carries out a frame of a program to which the host gives planes, in the order of its inputs.
    ///
    /// # Errors
    ///
    /// Unless it is one of the array, nothing was sent and states are as they were.
    pub fn frame_of<'p, 's, A, S>(
        &mut self,
        array: &mut A,
        interface: &Interface<'p>,
        steps: impl IntoIterator<Item = &'s StepOf<S>, IntoIter: Clone>,
        switches: &[Switches<'_>],
        (planes, parameters): (&[Given<'_>], &[i64]),
    ) -> Result<(), FrameError<'p, A::Error>>
    where
        A: PlaneIo + ?Sized,
        S: Storage,
    {
        self.check(array.size(), interface, parameters)?;
        for (input, plane) in interface.inputs.iter().zip(planes) {
            check_plane(array.size(), input, plane)?;
        }
        let stage = core::mem::replace(&mut self.stage, Stage::Broken);
        for (input, plane) in interface.inputs.iter().zip(planes) {
            give(array, input.held, plane).map_err(FrameError::Array)?;
        }
        self.stage = stage;
        self.run(array, interface, steps, switches, parameters).map_err(FrameError::Array)
    }

    /// Fails if a frame cannot begin.
    fn check<'p, E>(&self, size: Size, interface: &Interface<'p>, parameters: &[i64]) -> Result<(), FrameError<'p, E>> {
        if self.stage == Stage::Broken {
            return Err(FrameError::Broken);
        }
        let least = interface.least_side;
        if size.width.min(size.height) < least {
            return Err(FrameError::Small { least, size });
        }
        for (&Parameter { name, range, .. }, &found) in interface.parameters.iter().zip(parameters) {
            if !(range.0..=range.1).contains(&found) {
                return Err(FrameError::Parameter { name, found, range });
            }
        }
        Ok(())
    }

    #[expect(clippy::cast_precision_loss, reason = "numbers of a controller are small")]
    fn run<'s, A, S>(
        &mut self,
        array: &mut A,
        interface: &Interface<'_>,
        steps: impl IntoIterator<Item = &'s StepOf<S>, IntoIter: Clone>,
        switches: &[Switches<'_>],
        parameters: &[i64],
    ) -> Result<(), A::Error>
    where
        A: ArrayIo + ?Sized,
        S: Storage,
    {
        let is_first = core::mem::replace(&mut self.stage, Stage::Broken) == Stage::First;
        let numbers = self.numbers.as_mut();
        let set = interface.parameters.iter().zip(parameters).map(|(parameter, to)| (parameter.number, *to as f64));
        for (place, to) in set.chain([(interface.is_first, u8::from(is_first).into())]) {
            numbers.get_mut(place).into_iter().for_each(|number| *number = to);
        }
        Pictures::<KINDS, f64>::carry_out(array, steps, switches, &[Place::default()], numbers)?;
        self.stage = Stage::Later;
        Ok(())
    }

    /// A number of the controller after the last frame.
    #[must_use]
    pub fn number(&self, place: usize) -> i64 {
        self.numbers.as_ref().get(place).copied().map_or(0, planes::number)
    }

    /// Numbers of the controller after the last frame, from one on.
    #[must_use]
    pub fn numbers(&self, first: usize) -> &[f64] {
        self.numbers.as_ref().get(first..).unwrap_or_default()
    }
}

/// Fails if a plane is of another size or has other levels than its input.
fn check_plane<'p, E>(size: Size, input: &Input<'p>, plane: &Given<'_>) -> Result<(), FrameError<'p, E>> {
    let Input { name, range, held } = *input;
    let found = match (held, plane) {
        (Held::Reg(_), Given::Levels(levels)) => levels.len(),
        (Held::Bit(_), Given::Bits(bits)) => bits.len(),
        // None that are of this kind.
        _ => 0,
    };
    if found != size.width * size.height {
        return Err(FrameError::Size { name, found, size });
    }
    let Given::Levels(levels) = plane else { return Ok(()) };
    match levels.iter().position(|level| !(range.0..=range.1).contains(level)) {
        Some(pe) => {
            let place = (pe / size.width, pe % size.width);
            Err(FrameError::Level { name, found: levels[pe], place, range })
        }
        None => Ok(()),
    }
}

/// Why a frame was not carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FrameError<'p, E> {
    /// A parameter is out of its range. Nothing was sent.
    Parameter {
        /// Its name.
        name: &'p str,
        /// The number that was set.
        found: i64,
        /// The least and the largest number.
        range: (i64, i64),
    },
    /// The program reads PEs that the array does not have. Nothing was sent.
    Small {
        /// The rows and the columns that it has to have.
        least: usize,
        /// The size of the array.
        size: Size,
    },
    /// A plane has another size than the array. Nothing was sent.
    Size {
        /// Its name.
        name: &'p str,
        /// How many PEs it has.
        found: usize,
        /// The size of the array.
        size: Size,
    },
    /// A level of a plane is out of its range. Nothing was sent.
    Level {
        /// The name of the plane.
        name: &'p str,
        /// The level, in DN.
        found: i8,
        /// Its row from the north and its column from the west.
        place: (usize, usize),
        /// The least and the largest level.
        range: (i8, i8),
    },
    /// An earlier frame ended with an error of the array, which has left states of neither frame. Nothing was sent.
    Broken,
    /// The array cannot go on; the program has to be reset.
    Array(E),
}

impl<E: fmt::Display> fmt::Display for FrameError<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parameter { name, found, range: (least, most) } => {
                write!(f, "parameter `{name}` is {found}; expected a number from {least} to {most}")
            }
            Self::Small { least, size } => {
                write!(f, "the array has {size} PEs; the program takes at least {least} rows and {least} columns")
            }
            Self::Size { name, found, size } => {
                write!(f, "input `{name}` has {found} PEs, and the array has {size}; give one value for each of them")
            }
            Self::Level { name, found, place: (row, column), range: (least, most) } => write!(
                f,
                "input `{name}` is {found} DN in row {row} and column {column}, both from 0; expected levels from {least} to \
                 {most} DN"
            ),
            Self::Broken => f.write_str(
                "an earlier frame ended with an error of the array, so that its states are lost; call `reset`",
            ),
            Self::Array(error) => error.fmt(f),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> core::error::Error for FrameError<'_, E> {}
