//! A whole program, that of `examples/programs/motion.cain`, which a filter interrupts in the middle of its frames.

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};

use cain_runtime::io::ArrayIo;
use cain_runtime::isa::{Cells, Dreg, Plan, Reg, Times};
use cain_runtime::program::FrameError;
use cain_runtime::scamp_program;
use cain_runtime::sim::{Array, SimError};
use cain_runtime::tasks::{Context, Counts, Outcome, Requests, Schedule, Task, Tasks, Ticking};

use crate::clockwork::WORD;
use crate::random::Random;
use crate::task::{Clocked, Filter};

scamp_program! {
    /// What has changed since the last frame.
    #[search(nodes = 2_000)]
    #[interruptible(registers = [E, F], latency <= 4 us)]
    program motion(image, threshold: 0..=127 = 15) -> (moving) {
        state last = image;
        let moving = abs(image - last) > threshold;
        next last = image;
    }
}

/// PEs along each side of the simulated array.
const SIDE: usize = 24;

/// What came of both tasks.
pub(crate) struct Both {
    /// The most that the filter waits, as the compiler promises, in nanoseconds.
    pub(crate) latency: u32,
    pub(crate) of_program: Counts,
    pub(crate) of_filter: Counts,
    /// Frames and runs whose results are not those of undisturbed ones.
    pub(crate) wrong: u32,
}

/// Runs the program for a number of frames, and the filter at a rate that does not divide them.
pub(crate) fn run(filter: &'static Plan, frames: u32, random: &mut Random) -> Result<Both, SimError> {
    let light: Vec<Vec<f32>> = (0..frames).map(|_| random.plane(SIDE).iter().map(|x| x + 60.0).collect()).collect();
    let image = random.plane(SIDE);
    let mut array = Array::new(SIDE, SIDE);
    let mut alone = Frames { program: Motion::begin(&mut array)?, light: &light, moving: Vec::new() };
    for _ in 0..frames {
        alone.frame(&mut array, Array::expose)?;
    }
    let wanted = alone.moving;

    let (requests, clock) = (Requests::<2>::new(), AtomicU32::new(0));
    let mut array = Array::new(SIDE, SIDE);
    let mut program = Frames { program: Motion::begin(&mut array)?, light: &light, moving: Vec::new() };
    let mut of_filter = Filter::new(filter, &image)?;
    let latency = motion::PLAN.switches.iter().map(|table| table.latency * WORD).max().unwrap_or(u32::MAX);
    let every = 3 * (latency + filter.cost.icws * WORD) / 2 + WORD / 2;
    let mut tasks = Tasks::new(Ticking::new(array, &clock, Times::SCAMP5, |_| ()), &clock, &requests);
    let schedule = Schedule { deadline: None, every: NonZeroU32::new(every) };
    let added = [tasks.add(0, &mut program, Schedule::default()), tasks.add(1, &mut of_filter, schedule)];
    debug_assert_eq!(added, [Ok(()), Ok(())]);
    for _ in 0..frames {
        let _ = requests.make(0, clock.load(Ordering::Relaxed));
        while tasks.serve()? {}
    }
    let counts = [0, 1].map(|number| tasks.counts(number).copied().unwrap_or_default());
    drop(tasks);
    let differs = program.moving.iter().zip(&wanted).filter(|(found, wanted)| found != wanted).count();
    let missing = wanted.len() - program.moving.len();
    let wrong = u32::try_from(differs + missing).unwrap_or(u32::MAX) + of_filter.wrong;
    Ok(Both { latency, of_program: counts[0], of_filter: counts[1], wrong })
}

/// The program, and what it found.
struct Frames<'l> {
    program: Motion,
    light: &'l [Vec<f32>],
    moving: Vec<Vec<bool>>,
}

impl Frames<'_> {
    /// Carries out a frame, after light has fallen on the array.
    fn frame<A: ArrayIo<Error = SimError>>(
        &mut self,
        array: &mut A,
        expose: impl FnOnce(&mut A, &[f32]) -> Result<(), SimError>,
    ) -> Result<(), SimError> {
        expose(array, &self.light[self.moving.len()])?;
        let found = match self.program.frame(array, &motion::Parameters::default()) {
            Ok(found) => found,
            Err(FrameError::Array(error)) => return Err(error),
            // The parameters are in their ranges, and an error of the array has ended everything before.
            Err(_) => return Ok(()),
        };
        let mut moving = vec![false; SIDE * SIDE];
        found.moving.read(array, &mut moving)?;
        self.moving.push(moving);
        Ok(())
    }
}

impl<F: FnMut(u32)> Task<Clocked<'_, F>> for Frames<'_> {
    fn cells(&self) -> Cells {
        // The program was compiled for the registers that the filter leaves to it.
        Cells::registers((0..u8::MAX).map(Reg::from_index).collect()).union(Dreg::ALL.into_iter().collect())
    }

    fn run(&mut self, scamp: &mut Context<'_, Clocked<'_, F>>) -> Result<Outcome, SimError> {
        self.frame(scamp, |scamp, light| scamp.controller().controller_mut().expose(light))?;
        Ok(Outcome::Done)
    }
}

#[cfg(test)]
mod tests {
    use cain_runtime::isa::random::SplitMix64;

    use super::{Both, Random, run};
    use crate::programs::FAST;

    /// The filter does not wait for the end of a frame, and nothing is lost.
    #[test]
    fn frames_are_interrupted() {
        let Both { latency, of_program, of_filter, wrong } = run(FAST[0], 40, &mut Random(SplitMix64::new(3))).unwrap();
        assert_eq!((of_program.runs, wrong), (40, 0));
        assert!(of_program.interruptions > 5 && of_filter.runs > 20, "{of_program:?}, {of_filter:?}");
        assert!(of_filter.worst_response <= latency && latency <= 4_000, "{of_filter:?}, {latency}");
    }
}
