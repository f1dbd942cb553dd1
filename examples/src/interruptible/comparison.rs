//! Compares how long a request waits, and its price, for different ways in which a running program makes room for it.

use std::cell::Cell;
use std::error::Error;
use std::sync::atomic::AtomicU32;

use cain_runtime::isa::{Plan, Switches, Times};
use cain_runtime::sim::{Array, ErrorModel, SimError};
use cain_runtime::tasks::{Counts, Requests, Schedule, Tasks, Ticking};
use cain_runtime::trace::Timing;

use cain_search::switches::{SwitchError, SwitchTable};

use crate::added;
use crate::cells::{PLANES, overwritten};
use crate::clockwork::{Clockwork, WORD};
use crate::long::{Background, Long};
use crate::points::{Points, Slow};
use crate::random::Random;
use crate::task::{Filter, side};

/// A row of the comparison; times are in microseconds.
pub(crate) struct Row {
    pub(crate) task: &'static str,
    /// The program that interrupts it.
    pub(crate) by: &'static str,
    pub(crate) method: &'static str,
    pub(crate) positions: u32,
    pub(crate) mean: f64,
    pub(crate) worst: f64,
    /// The bound that the compiler promises, if any.
    pub(crate) bound: Option<f64>,
    /// The mean price of an interruption.
    pub(crate) extra: f64,
    /// The most that an interruption changes a result on a chip with errors as measured, in DN or in units of the
    /// read-out; `None` where it was not tried.
    pub(crate) added: Option<f64>,
    /// A bound of that change, if there is one.
    pub(crate) added_bound: Option<f64>,
    /// The number of runs on the simulated array whose results differ from undisturbed ones, or that waited for another
    /// time than the clock says, plus the number of requests that waited for longer than promised.
    pub(crate) wrong: u32,
}

/// The rows of a kernel and the one that interrupts it, at every boundary between its words: the scheduler serves each
/// request on a simulated array. A run that takes another time than the clock says counts as wrong.
pub(crate) fn compare(slow: &'static Plan, fast: &'static Plan, image: &[f32]) -> Result<[Row; 3], SimError> {
    let drained: &'static Plan = Box::leak(Box::new(Plan { switches: &[], ..*slow }));
    let clockwork = Clockwork::of_plan(slow);
    let names = Names { task: slow.name, by: fast.name };
    let mut rows = [
        save_everything(&names, &clockwork, PLANES),
        names.row("end of layer", positions(&clockwork), None, |at| (Clockwork::until(&[clockwork.words()], at), 0)),
        names.row("switch points", positions(&clockwork), bound(slow), |at| clockwork.response(at)),
    ];
    let mut added = 0.0_f64;
    for at in 1..=slow.cost.icws {
        added = added.max(serve(slow, fast, image, MEASURED, |word| word == at)?.added);
        for (plan, row) in [drained, slow].into_iter().zip(1..) {
            let served = serve(plan, fast, image, ErrorModel::ideal(), |word| word == at)?;
            let expected = match row {
                1 => Clockwork::until(&[clockwork.words()], at * WORD),
                _ => clockwork.response(at * WORD).0,
            };
            rows[row].wrong += served.wrong + u32::from(served.fast.worst_response != expected);
        }
    }
    if let Some(&table) = slow.switches.first() {
        let points = Points { slow: Slow::Kernel(slow, image), table, before: clockwork.boundaries(), fast, image };
        rows[2].wrong += points.wrong()?;
        (rows[2].added, rows[2].added_bound) = (Some(added), added::bound(slow, &MEASURED));
    }
    Ok(rows)
}

/// The measured errors of a chip, without the noise of its converter, which differs at every reading.
const MEASURED: ErrorModel = ErrorModel { readout_noise: 0.0, ..ErrorModel::measured() };

/// The row of `requests` requests at random times, by the clock.
pub(crate) fn at_random(slow: &'static Plan, fast: &'static Plan, requests: u32, random: &mut Random) -> Row {
    let clockwork = Clockwork::of_plan(slow);
    let names = Names { task: slow.name, by: fast.name };
    names.row(RANDOM, times(&clockwork, requests, random), bound(slow), |at| clockwork.response(at))
}

fn bound(slow: &Plan) -> Option<u32> {
    slow.switches.first().map(|table| table.latency * WORD)
}

/// The rows of a long program, at all boundaries and at random times, by the clock. At `checks` positions spread over
/// the program, the scheduler serves the request on a simulated array; a run with other results or another time counts
/// as wrong.
pub(crate) fn compare_long(
    long: &Long,
    fast: &'static Plan,
    (checks, requests): (u32, u32),
    random: &mut Random,
) -> Result<Vec<Row>, Box<dyn Error>> {
    let table = table(long, fast)?;
    let clockwork = Clockwork::of_steps(&long.steps, &table);
    let names = Names { task: long.name, by: fast.name };
    let bound = Some(table.latency() * WORD);
    let mut rows = vec![
        save_everything(&names, &clockwork, long.planes),
        names.row("end of layer", positions(&clockwork), None, |at| (Clockwork::until(&long.layers, at), 0)),
        names.row("switch points", positions(&clockwork), bound, |at| clockwork.response(at)),
        names.row(RANDOM, times(&clockwork, requests, random), bound, |at| clockwork.response(at)),
    ];
    let points: Vec<_> = table.switch_points().collect();
    let switches = [Switches { others: table.others(), points: &points, latency: table.latency() }];
    let wanted = long.undisturbed()?;
    let image = random.plane(long.side());
    let slow = Slow::Long(long, &wanted);
    let [switch_table] = switches;
    let points = Points { slow, table: switch_table, before: clockwork.boundaries(), fast, image: &image };
    rows[2].wrong += points.wrong()?;
    let on_chip = |array: Array| array.errors(MEASURED);
    let wanted_on_chip = long.undisturbed_on(on_chip(long.begin()))?;
    let words = clockwork.words();
    for check in 0..checks.min(words) {
        let at = 1 + u32::try_from(u64::from(check) * u64::from(words) / u64::from(checks.min(words))).unwrap_or(0);
        let served = serve_long(Background::new(long, &switches, &wanted), (fast, &image), at)?;
        rows[2].wrong += served.wrong + u32::from(served.fast.worst_response != clockwork.response(at * WORD).0);
        if !long.is_digital {
            let background = Background::on(on_chip(long.begin()), long, &switches, &wanted_on_chip);
            let served = serve_long(background, (fast, &image), at)?;
            rows[2].added = Some(rows[2].added.unwrap_or(0.0).max(served.added));
        }
    }
    Ok(rows)
}

/// The places where a long program may be left for a kernel.
pub(crate) fn table(long: &Long, fast: &Plan) -> Result<SwitchTable, SwitchError> {
    SwitchTable::of_steps(&long.steps, overwritten(fast))
}

const RANDOM: &str = "switch points, random";

/// The times after each word.
fn positions(clockwork: &Clockwork) -> Vec<u32> {
    (1..=clockwork.words()).map(|word| word * WORD).collect()
}

/// Random times while the program runs, in nanoseconds.
fn times(clockwork: &Clockwork, requests: u32, random: &mut Random) -> Vec<u32> {
    let end = u64::from(clockwork.words() * WORD);
    (0..requests).map(|_| 1 + u32::try_from(random.below(end)).unwrap_or(0)).collect()
}

/// The row of saving everything, as a processor with a memory does: after the running instruction, all analogue
/// registers and NEWS are read out, and written back later. The array is no such processor; the time is that of its
/// converter, and writing is assumed to be as fast. Bits are not counted, in favour of this method.
fn save_everything(names: &Names, clockwork: &Clockwork, planes: u16) -> Row {
    let plane = 65536.0 * f64::from(Timing::SCAMP5.scanned_value);
    let waits = |at| (Clockwork::until(clockwork.boundaries(), at), 0);
    let row = names.row("save everything", positions(clockwork), None, waits);
    let all = f64::from(planes) * plane;
    Row { mean: row.mean + all, worst: row.worst + all, extra: 2.0 * all, ..row }
}

/// A program, and the one that interrupts it.
struct Names {
    task: &'static str,
    by: &'static str,
}

impl Names {
    /// The row of requests at these times, each with its waiting time and its price in words.
    fn row(
        &self,
        method: &'static str,
        times: Vec<u32>,
        bound: Option<u32>,
        response: impl Fn(u32) -> (u32, u32),
    ) -> Row {
        let (mut total, mut worst, mut extra, mut late) = (0_u64, 0, 0_u64, 0);
        let positions = u32::try_from(times.len()).unwrap_or(u32::MAX);
        for at in times {
            let (wait, words) = response(at);
            total += u64::from(wait);
            worst = worst.max(wait);
            extra += u64::from(words);
            // A broken promise counts like a wrong result.
            late += u32::from(bound.is_some_and(|bound| wait > bound));
        }
        #[expect(clippy::cast_precision_loss, reason = "means")]
        let [mean, extra] =
            [total as f64 / 1000.0, extra as f64 * microseconds(WORD)].map(|sum| sum / f64::from(positions.max(1)));
        Row {
            task: self.task,
            by: self.by,
            method,
            positions,
            mean,
            worst: microseconds(worst),
            bound: bound.map(microseconds),
            extra,
            added: None,
            added_bound: None,
            wrong: late,
        }
    }
}

/// The outcome of two tasks.
pub(crate) struct Served {
    pub(crate) fast: Counts,
    pub(crate) wrong: u32,
    /// The largest difference of a result.
    pub(crate) added: f64,
}

/// Runs the slow program once. The fast one is requested after the words of the array that the caller chooses, counted
/// from 1.
pub(crate) fn serve(
    slow: &'static Plan,
    fast: &'static Plan,
    image: &[f32],
    errors: ErrorModel,
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
    let array = || Array::new(side(image), side(image)).errors(errors);
    let (mut of_slow, mut of_fast) = (Filter::on(array(), slow, image)?, Filter::on(array(), fast, image)?);
    let mut tasks = Tasks::new(Ticking::new(array(), &clock, Times::SCAMP5, handler), &clock, &requests);
    let added = [tasks.add(0, &mut of_slow, Schedule::default()), tasks.add(1, &mut of_fast, Schedule::default())];
    debug_assert_eq!(added, [Ok(()), Ok(())]);
    let _ = requests.make(0, 0);
    while tasks.serve()? {}
    let fast = tasks.counts(1).copied().unwrap_or_default();
    drop(tasks);
    Ok(Served { fast, wrong: of_slow.wrong + of_fast.wrong, added: of_slow.added.into() })
}

/// Runs the long program once beside a filter that is requested after a number of words of the array.
fn serve_long(
    mut background: Background<'_>,
    (fast, image): (&'static Plan, &[f32]),
    at: u32,
) -> Result<Served, SimError> {
    let requests = Requests::<2>::new();
    let clock = AtomicU32::new(0);
    let words = Cell::new(0);
    let handler = |now| {
        words.set(words.get() + 1);
        if words.get() == at {
            // The task is added below.
            let _ = requests.make(1, now);
        }
    };
    let mut of_fast = Filter::on(background.begin(), fast, image)?;
    let mut tasks = Tasks::new(Ticking::new(background.begin(), &clock, Times::SCAMP5, handler), &clock, &requests);
    let added = [tasks.add(0, &mut background, Schedule::default()), tasks.add(1, &mut of_fast, Schedule::default())];
    debug_assert_eq!(added, [Ok(()), Ok(())]);
    let _ = requests.make(0, 0);
    while tasks.serve()? {}
    let fast = tasks.counts(1).copied().unwrap_or_default();
    drop(tasks);
    Ok(Served { fast, wrong: background.wrong + of_fast.wrong, added: background.added })
}

pub(crate) fn microseconds(nanoseconds: u32) -> f64 {
    f64::from(nanoseconds) / 1000.0
}
