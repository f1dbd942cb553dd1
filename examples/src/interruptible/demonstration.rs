//! Corners at a fixed rate with a hard deadline, while a long program works in the background.

use std::error::Error;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};

use cain_runtime::isa::{Plan, Switches, Times};
use cain_runtime::sim::SimError;
use cain_runtime::tasks::{Counts, Requests, Schedule, Tasks, Ticking};

use crate::clockwork::WORD;
use crate::comparison::table;
use crate::long::{Background, Long, Results};
use crate::random::Random;
use crate::task::Filter;

/// The outcome of both tasks.
pub(crate) struct Demonstration {
    /// The deadline of the reflex after each request, in nanoseconds.
    pub(crate) deadline: u32,
    pub(crate) with: [Counts; 2],
    pub(crate) without: [Counts; 2],
    pub(crate) wrong: u32,
}

/// Runs both tasks for a number of frames of the reflex, with and without interruption. The deadline is what the
/// compiler promises: the latency of the background plus the length of the reflex.
pub(crate) fn run(
    slow: &Long,
    fast: &'static Plan,
    frames: u32,
    random: &mut Random,
) -> Result<Demonstration, Box<dyn Error>> {
    let table = table(slow, fast)?;
    let points: Vec<_> = table.switch_points().collect();
    let switches = [Switches { others: table.others(), points: &points, latency: table.latency() }];
    let deadline = (table.latency() + fast.cost.icws) * WORD;
    let wanted = slow.undisturbed()?;
    let image = random.plane(slow.side());
    let setting = Setting { slow, fast, deadline, frames, image: &image, wanted: &wanted };
    let (with, wrong) = setting.both(&switches)?;
    let (without, wrong_without) = setting.both(&[])?;
    Ok(Demonstration { deadline, with, without, wrong: wrong + wrong_without })
}

struct Setting<'s> {
    slow: &'s Long,
    fast: &'static Plan,
    deadline: u32,
    frames: u32,
    image: &'s [f32],
    wanted: &'s Results,
}

impl Setting<'_> {
    /// Runs the slow task again and again, and the fast one at a rate that does not divide it.
    fn both(&self, switches: &[Switches<'_>]) -> Result<([Counts; 2], u32), SimError> {
        let requests = Requests::<2>::new();
        let clock = AtomicU32::new(0);
        let mut of_slow = Background::new(self.slow, switches, self.wanted);
        let mut of_fast = Filter::new(self.fast, self.image)?;
        let array = Ticking::new(self.slow.begin(), &clock, Times::SCAMP5, |_| ());
        let mut tasks = Tasks::new(array, &clock, &requests);
        let every = 3 * self.deadline + WORD / 2;
        let schedule = Schedule { deadline: NonZeroU32::new(self.deadline), every: NonZeroU32::new(every) };
        let added = [tasks.add(0, &mut of_slow, Schedule::default()), tasks.add(1, &mut of_fast, schedule)];
        debug_assert_eq!(added, [Ok(()), Ok(())]);
        while clock.load(Ordering::Relaxed) / every < self.frames {
            let _ = requests.make(0, clock.load(Ordering::Relaxed));
            while tasks.serve()? {}
        }
        let counts = [0, 1].map(|number| tasks.counts(number).copied().unwrap_or_default());
        drop(tasks);
        Ok((counts, of_slow.wrong + of_fast.wrong))
    }
}
