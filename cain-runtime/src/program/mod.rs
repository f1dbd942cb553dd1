//! Carrying out programs.
//!
//! A [`Program`] is what a controller does for one call. [`run`] carries it out on any array; what watches it, or counts its
//! words, is an array that passes everything on to another one, as those in [`trace`](crate::trace) are. On a
//! [`Context`](crate::tasks::Context), others may interrupt it where it may be left.

mod address;
mod control;
mod frames;
mod left;
mod load;
mod pictures;
mod planes;
mod read;
mod real;
mod settings;

use crate::io::{ArrayIo, IoError};
use crate::isa::asm::digital::{RECT, clr, not_in_place, or_in_place};
use crate::isa::program::{Grid, Kinds, Program, StepOf, Storage, on_chip, outside};
use crate::isa::{Bit, Dreg, Switches, compensated_level, nearest_level};

use settings::{Setting, Settings};

pub use frames::{FrameError, Frames, Given, Input, Interface, Parameter, PlaneIo};
pub use load::load;
pub use pictures::{Margin, Place, places};
pub use planes::{Bits, Bounds, Events, Levels, List, Point};
pub use real::Real;

/// Does what has to be done once before the first [`run`].
///
/// The row and column selectors are at other PEs after that.
///
/// # Errors
///
/// [`IoError::BlockSize`] if the blocks of the program do not divide the array, and those of the
/// array.
pub fn prepare<A: ArrayIo + ?Sized>(array: &mut A, program: &Program) -> Result<(), A::Error> {
    let (rows, columns) = program.blocks;
    array.size().blocks_of((columns, rows))?;
    Pictures::<{ Kinds::PREPARATION }, f64>::carry_out(array, program.preparation, &[], &[], &mut [])
}

/// Carries a program out on an array that holds pictures in these places, and writes the numbers that are read: as many for
/// each place as the program [has](Program::numbers), those of the first place first.
pub fn run<A: ArrayIo + ?Sized>(
    array: &mut A,
    program: &Program,
    places: &[Place],
    numbers: &mut [f64],
) -> Result<(), A::Error> {
    run_only::<{ Kinds::ALL }, _, _>(array, program, places, numbers)
}

/// Does what [`run`] does, for a program with steps of these [`Kinds`] only. Code for other steps is left out of the firmware.
///
/// # Errors
///
/// [`IoError::Step`] at a step of another kind.
pub fn run_only<const KINDS: u32, A: ArrayIo + ?Sized, N: Real>(
    array: &mut A,
    program: &Program,
    places: &[Place],
    numbers: &mut [N],
) -> Result<(), A::Error> {
    Pictures::<KINDS, N>::carry_out(array, program.steps(), program.switches, places, numbers)
}

/// Carries out steps on an array that holds pictures in these places, and writes the numbers that are read. Each place has an
/// equal part of them; what is read of the whole array belongs to the first.
///
/// With switch points, it asks the array at every boundary between two pieces whether it was left there, and goes on where it is
/// told, when the controller holds again what steps had set.
///
/// ```
/// # #[cfg(feature = "sim")]
/// # fn main() -> Result<(), cain_runtime::sim::SimError> {
/// use cain_runtime::isa::program::{Area, Grid, Held, ReadOut, Selection, Step};
/// use cain_runtime::isa::{Bit, Reg, asm::*, asm::digital::*};
/// use cain_runtime::program::{Place, carry_out};
/// use cain_runtime::sim::Array;
///
/// // How many pixels of a picture of 2×2 are brighter than their east neighbours.
/// const GRID: Grid = Grid { top: 0, left: 0, row_step: 1, column_step: 1, height: 2, width: 2 };
/// const STEPS: [Step; 2] = [
///     Step::Execute(&[subx(B, A, EAST, A), neg(C, B), where_positive(&[reg(C)])]),
///     Step::Read(ReadOut {
///         from: Held::Bit(Bit::Flag),
///         grid: GRID,
///         windows: Some(&[Area { top: 0, left: 0, height: 2, width: 2 }]),
///         first: 0,
///         scale: 1.0,
///         shift: 0.0,
///         corrected: None,
///         mean: false,
///         adds: false,
///     }),
/// ];
/// let mut array = Array::new(3, 2);
/// array.load_reg(Reg::A, &[
///     5.0, 4.0, 9.0,
///     7.0, 6.0, 3.0,
/// ])?;
/// let mut numbers = [0.0];
/// carry_out(&mut array, &STEPS, &[], &[Place::default()], &mut numbers)?;
/// assert_eq!(numbers, [3.0]);
///
/// // 64 DN in every odd column, and their sum over the whole array.
/// const ODD: Selection = Selection { column: 1, free_column_bits: !1, ..Selection::ALL };
/// const SUM: [Step; 4] = [
///     Step::Level(64),
///     Step::Select(ODD),
///     Step::Execute(&[bus(&[NEWS], &[]), where_bits(&[SELECT]), bus(&[NEWS], &[IN]), all(), bus(&[reg(A)], &[NEWS])]),
///     Step::Sum { from: A, first: 0 },
/// ];
/// carry_out(&mut Array::new(64, 64), &SUM, &[], &[Place::default()], &mut numbers)?;
/// assert_eq!(numbers, [32.0]);
/// # Ok(())
/// # }
/// # #[cfg(not(feature = "sim"))]
/// # fn main() {}
/// ```
pub fn carry_out<'s, A, S>(
    array: &mut A,
    steps: impl IntoIterator<Item = &'s StepOf<S>, IntoIter: Clone>,
    switches: &[Switches<'_>],
    places: &[Place],
    numbers: &mut [f64],
) -> Result<(), A::Error>
where
    A: ArrayIo + ?Sized,
    S: Storage,
{
    Pictures::<{ Kinds::ALL }, f64>::carry_out(array, steps, switches, places, numbers)
}

/// The pictures on an array, and the numbers that are read of them, for steps of these kinds.
struct Pictures<'p, const KINDS: u32, N> {
    places: &'p [Place],
    numbers: &'p mut [N],
    switches: &'p [Switches<'p>],
    settings: Settings,
}

impl<'p, const KINDS: u32, N: Real> Pictures<'p, KINDS, N> {
    fn carry_out<'s, A, S>(
        array: &mut A,
        steps: impl IntoIterator<Item = &'s StepOf<S>, IntoIter: Clone>,
        switches: &'p [Switches<'p>],
        places: &'p [Place],
        numbers: &'p mut [N],
    ) -> Result<(), A::Error>
    where
        A: ArrayIo + ?Sized,
        S: Storage,
    {
        if KINDS & Kinds::SWITCHES == 0 && !switches.is_empty() {
            return Err(IoError::Step(Kinds::SWITCHES).into());
        }
        Self { places, numbers, switches, settings: Settings::default() }.steps(array, steps, 0)
    }

    /// What a step sets in the controller, if it does.
    fn setting<A: ArrayIo + ?Sized, S: Storage>(
        &self,
        array: &A,
        step: &StepOf<S>,
    ) -> Result<Option<Setting>, A::Error> {
        Ok(Some(match step {
            StepOf::Level(level) if KINDS & Kinds::LEVEL != 0 => Setting::Level(*level),
            StepOf::LevelOf { number, corrected } if KINDS & Kinds::LEVEL_OF != 0 => {
                let number: f64 = self.number(*number).into();
                let (factor, summand) = on_chip(*corrected, array.transfer_errors()).unwrap_or((1.0, 0.0));
                Setting::Level(nearest_level(factor * number + summand))
            }
            StepOf::Compensation { level, errors } if KINDS & Kinds::COMPENSATION != 0 => {
                Setting::Level(compensated_level(*level, errors, array.transfer_errors()))
            }
            StepOf::Select(selection) if KINDS & Kinds::SELECT != 0 => Setting::selectors(array, *selection)?,
            StepOf::Region(area) if KINDS & Kinds::REGION != 0 => Setting::rectangle(array, *area)?,
            _ => return Ok(None),
        }))
    }

    /// Carries out a step, before which there is the boundary with this number.
    fn step<A: ArrayIo + ?Sized, S: Storage>(
        &mut self,
        array: &mut A,
        step: &StepOf<S>,
        at: usize,
    ) -> Result<(), A::Error> {
        if let Some(setting) = self.setting(array, step)? {
            if KINDS & Kinds::SWITCHES != 0 {
                self.settings.add(setting);
            }
            return setting.send(array);
        }
        match step {
            StepOf::Execute(listing) if KINDS & Kinds::EXECUTE != 0 => array.execute_all(listing.as_ref())?,
            StepOf::Outside(register, grid) if KINDS & Kinds::OUTSIDE != 0 => {
                write_outside(array, *register, *grid, self.places)?;
            }
            StepOf::Load(plane) if KINDS & Kinds::LOAD != 0 => load(array, plane)?,
            StepOf::Read(read) if KINDS & Kinds::READ != 0 && !read.mean => {
                self.each(|place, numbers| read::map::<false, _, _, _>(array, read, place, numbers))?;
            }
            StepOf::Read(read) if KINDS & Kinds::MEAN != 0 && read.mean => {
                self.each(|place, numbers| read::map::<true, _, _, _>(array, read, place, numbers))?;
            }
            StepOf::Events(read) if KINDS & Kinds::EVENTS != 0 => {
                let is_alone = read.is_alone && self.places.len() == 1;
                self.each(|place, numbers| read::events(array, read, is_alone, place, numbers))?;
            }
            StepOf::Sum { from, first } if KINDS & Kinds::SUM != 0 => {
                let sum = i32::from(array.sum_fast(*from)?) - i32::from(read::ZERO);
                self.set(*first, N::whole(sum));
            }
            StepOf::Correct { number, factor, summand } if KINDS & Kinds::CORRECT != 0 => {
                if let Some((factor, summand)) = on_chip(Some((*factor, *summand)), array.transfer_errors()) {
                    let found: f64 = self.number(*number).into();
                    self.set(*number, N::whole(nearest_level(factor * found + summand).into()));
                }
            }
            StepOf::Count(count) if KINDS & Kinds::COUNT != 0 => read::counted(array, count, self.numbers)?,
            StepOf::Capture { into, half } if KINDS & Kinds::CAPTURE != 0 => array.capture(*into, *half)?,
            StepOf::RegionOf { register, first } if KINDS & Kinds::REGION_OF != 0 => {
                match control::region(array, self.numbers.get(*first..).unwrap_or_default())? {
                    Some(region) => array.load_region(*register, region)?,
                    None => array.execute(clr(&[Bit::Reg(*register)]))?,
                }
            }
            StepOf::Find { what, of, first } if KINDS & Kinds::FIND != 0 => {
                control::find(array, *what, *of, self.numbers.get_mut(*first..).unwrap_or_default())?;
            }
            StepOf::Compute { number, formula } if KINDS & Kinds::COMPUTE != 0 => {
                self.set(*number, control::value(formula.as_ref(), self.numbers));
            }
            StepOf::Loop { most, counter, check, goes_on, body } if KINDS & Kinds::LOOP != 0 => {
                let in_check = at + 1;
                for pass in 0..=*most {
                    self.set(*counter, N::of(pass.into()));
                    self.body(array, check, in_check)?;
                    if pass == *most || self.number(*goes_on) == N::default() {
                        break;
                    }
                    self.body(array, body, in_check + check.boundaries())?;
                }
            }
            StepOf::Decide { number, then, otherwise } if KINDS & Kinds::DECIDE != 0 => {
                let in_then = at + 1;
                if self.number(*number) == N::default() {
                    self.body(array, otherwise, in_then + then.boundaries())?;
                } else {
                    self.body(array, then, in_then)?;
                }
            }
            StepOf::Append { list, capacity, numbers } if KINDS & Kinds::APPEND != 0 => {
                self.append(*list, *capacity, numbers.as_ref());
            }
            _ => return Err(IoError::Step(step.kind()).into()),
        }
        Ok(())
    }

    fn number(&self, place: usize) -> N {
        self.numbers.get(place).copied().unwrap_or_default()
    }

    fn set(&mut self, place: usize, to: N) {
        self.numbers.get_mut(place).into_iter().for_each(|number| *number = to);
    }

    /// Adds numbers to a list.
    fn append(&mut self, list: usize, capacity: usize, numbers: &[usize]) {
        let entries = usize::try_from(self.number(list).truncated()).unwrap_or_default();
        if entries < capacity {
            for (place, number) in (list + 1 + entries * numbers.len()..).zip(numbers) {
                self.set(place, self.number(*number));
            }
        }
        self.set(list, self.number(list) + N::whole(1));
    }

    /// Reads something of each picture.
    fn each<E>(&mut self, mut read: impl FnMut(Place, &mut [N]) -> Result<(), E>) -> Result<(), E> {
        let count = self.numbers.len() / self.places.len().max(1);
        let numbers = self.numbers.chunks_mut(count.max(1));
        self.places.iter().zip(numbers).try_for_each(|(place, numbers)| read(*place, numbers))
    }
}

/// Writes 1 outside of the rectangles of a grid around each picture.
fn write_outside<A: ArrayIo + ?Sized>(
    array: &mut A,
    register: Dreg,
    grid: Grid,
    places: &[Place],
) -> Result<(), A::Error> {
    let bit = Bit::Reg(register);
    if let [place] = places {
        array.select_region(address::clipped(array.size(), grid, *place)?)?;
        return array.execute(outside(register));
    }
    array.execute(clr(&[bit]))?;
    for place in places {
        array.select_region(address::clipped(array.size(), grid, *place)?)?;
        array.execute(or_in_place(bit, RECT))?;
    }
    array.execute(not_in_place(bit))
}
