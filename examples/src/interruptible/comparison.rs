//! How long a request waits, and what it costs, by the way in which a running program makes room for it.

use std::cell::Cell;
use std::sync::atomic::AtomicU32;

use cain_runtime::isa::{Plan, Times};
use cain_runtime::sim::{Array, SimError};
use cain_runtime::tasks::{Counts, Requests, Schedule, Tasks, Ticking};
use cain_runtime::trace::Timing;

use crate::task::{Filter, side};

/// One row of the comparison; times in microseconds.
pub(crate) struct Row {
    pub(crate) task: &'static str,
    pub(crate) method: &'static str,
    pub(crate) positions: u32,
    pub(crate) mean: f64,
    pub(crate) worst: f64,
    /// What the compiler promises, if it does.
    pub(crate) bound: Option<f64>,
    /// The mean of what an interruption costs.
    pub(crate) extra: f64,
    /// Results that differ from those of undisturbed runs.
    pub(crate) wrong: u32,
}

/// The rows of a program and the one that interrupts it, at every boundary between its words.
pub(crate) fn compare(slow: &'static Plan, fast: &'static Plan, image: &[f32]) -> Result<[Row; 3], SimError> {
    let drained: &'static Plan = Box::leak(Box::new(Plan { switches: &[], ..*slow }));
    let positions = slow.cost.icws;
    Ok([
        save_everything(slow, positions),
        measure(drained, fast, "end of layer", positions, image)?,
        measure(slow, fast, "switch points", positions, image)?,
    ])
}

/// As a processor with a memory does: after the instruction that runs, all analogue registers and NEWS are read out, and
/// written back later. The array is no such processor; the time is that of its converter, and writing is taken to be as
/// fast.
fn save_everything(slow: &'static Plan, positions: u32) -> Row {
    const PLANES: f64 = 7.0;
    let plane = 65536.0 * f64::from(Timing::SCAMP5.scanned_value);
    let waits = slow.listing.iter().flat_map(|instruction| {
        let words: u32 = instruction.words().map(|_| 1).sum();
        (0..words).map(|left| microseconds(left * Times::SCAMP5.analogue))
    });
    let mean = waits.clone().sum::<f64>() / f64::from(positions) + PLANES * plane;
    let worst = waits.fold(0.0, f64::max) + PLANES * plane;
    let extra = 2.0 * PLANES * plane;
    Row { task: slow.name, method: "save everything", positions, mean, worst, bound: None, extra, wrong: 0 }
}

/// A request at each boundary between words, served by the scheduler.
fn measure(
    slow: &'static Plan,
    fast: &'static Plan,
    method: &'static str,
    positions: u32,
    image: &[f32],
) -> Result<Row, SimError> {
    let (mut total, mut worst, mut extra, mut wrong) = (0.0, 0, 0, 0);
    for at in 1..=positions {
        let Served { slow: of_slow, fast: of_fast, wrong: differ } = serve(slow, fast, image, |word| word == at)?;
        total += microseconds(of_fast.worst_response);
        worst = worst.max(of_fast.worst_response);
        extra += of_slow.extra_words;
        wrong += differ;
    }
    let extra = microseconds(Times::SCAMP5.analogue * u32::try_from(extra).unwrap_or(u32::MAX)) / f64::from(positions);
    let bound = slow.switches.first().map(|table| microseconds(table.latency * Times::SCAMP5.analogue));
    let mean = total / f64::from(positions);
    Ok(Row { task: slow.name, method, positions, mean, worst: microseconds(worst), bound, extra, wrong })
}

/// What became of two tasks.
pub(crate) struct Served {
    pub(crate) slow: Counts,
    pub(crate) fast: Counts,
    pub(crate) wrong: u32,
}

/// Runs the slow program once. The fast one is requested after the words of the array, counted from 1, that the caller
/// chooses.
pub(crate) fn serve(
    slow: &'static Plan,
    fast: &'static Plan,
    image: &[f32],
    mut is_time: impl FnMut(u32) -> bool,
) -> Result<Served, SimError> {
    let requests = Requests::<2>::new();
    let clock = AtomicU32::new(0);
    let words = Cell::new(0);
    let handler = |now| {
        words.set(words.get() + 1);
        if is_time(words.get()) {
            // The task is added below.
            let _ = requests.make(1, now);
        }
    };
    let array = Array::new(side(image), side(image));
    let (mut of_slow, mut of_fast) = (Filter::new(slow, image)?, Filter::new(fast, image)?);
    let mut tasks = Tasks::new(Ticking::new(array, &clock, Times::SCAMP5, handler), &clock, &requests);
    let added = [tasks.add(0, &mut of_slow, Schedule::default()), tasks.add(1, &mut of_fast, Schedule::default())];
    debug_assert_eq!(added, [Ok(()), Ok(())]);
    let _ = requests.make(0, 0);
    while tasks.serve()? {}
    let [slow, fast] = [0, 1].map(|number| tasks.counts(number).copied().unwrap_or_default());
    drop(tasks);
    Ok(Served { slow, fast, wrong: of_slow.wrong + of_fast.wrong })
}

pub(crate) fn microseconds(nanoseconds: u32) -> f64 {
    f64::from(nanoseconds) / 1000.0
}
