//! Tests whole programs that are declared to be interruptible.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::atomic::AtomicU32;

use cain_runtime::io::ArrayIo;
use cain_runtime::isa::program::Step;
use cain_runtime::isa::{Bit, Cells, Dreg, Reg, Switches, Times};
use cain_runtime::program::Frames;
use cain_runtime::scamp_program;
use cain_runtime::sim::{Array, SimError};
use cain_runtime::tasks::{Context, Outcome, Requests, Schedule, Task, Tasks, Ticking};

use super::long::{Scribbler, everything};

scamp_program! {
    /// What moves in front of a learned background and did not move before, part by part; where much moves, the background is a
    /// smoother picture.
    #[search(nodes = 300)]
    #[interruptible(registers = [D, E, F, R5, R6], latency <= 6 us)]
    program follow(image, threshold: 0..=127 = 20, rounds: 0..=3 = 2) -> (moves, pixels, boxes, next busy, next background) {
        state background = image;
        state seen: bits = false;
        state busy: 0..=100 = 0;
        let moves = abs(image - background) > threshold;
        let pixels = count(moves);
        list boxes;
        var rest = moves & !seen;
        while any(rest), at most 3 {
            let part = flood(point(first(rest)), rest, until stable);
            rest = rest & !part;
            boxes += bounds(part);
        }
        var smooth = image;
        repeat rounds { smooth = 1/2 * smooth + 1/4 * (smooth@east + smooth@west); }
        next background = if pixels > 40 { smooth } else { background + 1/8 * (image - background) };
        next busy = if pixels > 40 { min(busy + 1, 100) } else { 0 };
        next seen = moves;
    }
}

const SIDE: usize = 16;
const PES: usize = SIDE * SIDE;
const FRAMES: usize = 5;

type Scamp<'c, F> = Ticking<'c, Array, F>;

/// Light of a slope with two bright squares, the second of which grows.
fn light(frame: usize) -> Vec<f32> {
    let is_in = |pe: usize, (top, left, side): (usize, usize, usize)| {
        (top..top + side).contains(&(pe / SIDE)) && (left..left + side).contains(&(pe % SIDE))
    };
    let squares = [(2, 2 + frame, 3), (7, 6, [0, 2, 7, 8, 3][frame])];
    let level = |pe: usize| if squares.iter().any(|square| is_in(pe, *square)) { 110 } else { 30 + 2 * (pe % SIDE) };
    (0..PES).map(|pe| f32::from(u8::try_from(level(pe)).unwrap())).collect()
}

/// What a frame results in.
type Found = (Vec<bool>, i64, Vec<[i64; 4]>, i64, Vec<i8>);

fn found<A: ArrayIo<Error = SimError>>(scamp: &mut A, program: &mut Follow) -> Result<Found, SimError> {
    let found = program.frame(scamp, &follow::Parameters::default()).map_err(|error| match error {
        cain_runtime::program::FrameError::Array(error) => error,
        other => panic!("{other}"),
    })?;
    let (mut moves, mut background) = (vec![false; PES], vec![0; PES]);
    found.moves.read(scamp, &mut moves)?;
    found.background.read(scamp, &mut background)?;
    Ok((moves, found.pixels, found.boxes.iter().collect(), found.busy, background))
}

/// A task that carries out a frame for each request.
struct Follows {
    program: Follow,
    found: Vec<Found>,
}

impl<F: FnMut(u32)> Task<Scamp<'_, F>> for Follows {
    fn cells(&self) -> Cells {
        everything()
    }

    fn run(&mut self, scamp: &mut Context<'_, Scamp<'_, F>>) -> Result<Outcome, SimError> {
        scamp.controller().controller_mut().expose(&light(self.found.len()))?;
        self.found.push(found(scamp, &mut self.program)?);
        Ok(Outcome::Done)
    }
}

/// The frames of an undisturbed run.
fn alone() -> Vec<Found> {
    let mut array = Array::new(SIDE, SIDE);
    let mut program = Follow::begin(&mut array).unwrap();
    let frame = |frame| {
        array.expose(&light(frame)).unwrap();
        found(&mut array, &mut program).unwrap()
    };
    (0..FRAMES).map(frame).collect()
}

fn table() -> &'static Switches<'static> {
    let [table] = follow::PLAN.switches else { panic!("one table") };
    table
}

/// After a request at any of the words of all frames, results and states are those of an undisturbed run, and others wait no
/// longer than the plan says.
#[test]
fn a_program_is_left_as_soon_as_its_declaration_says() {
    let (wanted, table, word) = (alone(), table(), Times::SCAMP5.analogue);
    let others = Cells::registers([Reg::D, Reg::E, Reg::F].into_iter().collect()).union(Cells::NEWS);
    assert_eq!(table.others, others.union([5, 6].map(|bit| Dreg::ALL[bit]).into_iter().collect()));
    assert!(u64::from(table.latency) * u64::from(word) <= 6_000, "{}", table.latency);
    // Each way of the decision is taken, and the loop has several passes in one frame.
    assert_eq!(wanted.iter().map(|found| found.3).collect::<Vec<_>>(), [0, 0, 1, 2, 3]);
    assert!(wanted.iter().any(|found| found.2.len() > 1));

    let (mut after, mut interruptions) = (1, 0);
    loop {
        let (requests, clock, words) = (Requests::<2>::new(), AtomicU32::new(0), Cell::new(0));
        let handler = |now| {
            words.set(words.get() + 1);
            if words.get() == after {
                requests.make(1, now).unwrap();
            }
        };
        let mut array = Array::new(SIDE, SIDE);
        let mut follows = Follows { program: Follow::begin(&mut array).unwrap(), found: Vec::new() };
        let mut scribbler = Scribbler { cells: table.others, seed: 5 };
        let mut tasks = Tasks::new(Ticking::new(array, &clock, Times::SCAMP5, handler), &clock, &requests);
        tasks.add(0, &mut follows, Schedule::default()).unwrap();
        tasks.add(1, &mut scribbler, Schedule::default()).unwrap();
        for _ in 0..FRAMES {
            requests.make(0, 0).unwrap();
            while tasks.serve().unwrap() {}
        }
        let waited = tasks.counts(1).unwrap().worst_response;
        interruptions += tasks.counts(0).unwrap().interruptions;
        drop(tasks);
        assert!(follows.found == wanted, "after {after} words");
        assert!(waited <= table.latency * word, "{waited} ns after {after} words");
        if after > words.get() {
            break;
        }
        after += 1;
    }
    // In each run but the last one, or a few at the very end of a frame.
    assert!(interruptions > after - 10 && after > 300, "{interruptions} of {after}");
}

/// The program with other tables, as a task.
struct Steps<'s> {
    frames: Frames<Vec<f64>>,
    switches: &'s [Switches<'s>],
    /// Set when a frame begins.
    begins: &'s Cell<bool>,
    numbers: Vec<Vec<f64>>,
}

impl<F: FnMut(u32)> Task<Scamp<'_, F>> for Steps<'_> {
    fn cells(&self) -> Cells {
        everything()
    }

    fn run(&mut self, scamp: &mut Context<'_, Scamp<'_, F>>) -> Result<Outcome, SimError> {
        scamp.controller().controller_mut().expose(&light(self.numbers.len()))?;
        self.begins.set(true);
        let (interface, steps) = (&follow::INTERFACE, follow::PLAN.steps());
        let frame = self.frames.frame(scamp, interface, steps, self.switches, &[20, 2]);
        frame.unwrap_or_else(|error| panic!("{error}"));
        self.numbers.push(self.frames.numbers(0).to_vec());
        Ok(Outcome::Done)
    }
}

/// Carries out all frames with these tables, with a request at the first word of each frame and then where `is_time` says so, by
/// words; the numbers after each frame, and how often it was left.
fn run(switches: &[Switches<'_>], mut is_time: impl FnMut() -> bool) -> (Vec<Vec<f64>>, u32) {
    let (requests, clock, begins) = (Requests::<2>::new(), AtomicU32::new(0), Cell::new(false));
    let handler = |now| {
        if begins.take() || is_time() {
            requests.make(1, now).unwrap();
        }
    };
    let mut array = Array::new(SIDE, SIDE);
    let frames = Frames::<_>::begin(&mut array, follow::PLAN.preparation, vec![0.0; follow::PLAN.numbers]).unwrap();
    let mut follows = Steps { frames, switches, begins: &begins, numbers: Vec::new() };
    let mut scribbler = Scribbler { cells: table().others, seed: 11 };
    let mut tasks = Tasks::new(Ticking::new(array, &clock, Times::SCAMP5, handler), &clock, &requests);
    tasks.add(0, &mut follows, Schedule::default()).unwrap();
    tasks.add(1, &mut scribbler, Schedule::default()).unwrap();
    for _ in 0..FRAMES {
        requests.make(0, 0).unwrap();
        while tasks.serve().unwrap() {}
    }
    let left = tasks.counts(0).unwrap().interruptions;
    drop(tasks);
    (follows.numbers, left)
}

/// The boundaries of steps that are within loops, and within decisions.
fn within(steps: &[Step], mut first: u32, is_within: (bool, bool), found: &mut [BTreeSet<u32>; 2]) {
    for step in steps {
        let pieces = u32::try_from(step.pieces()).unwrap();
        let (bodies, now) = match step {
            Step::Loop { check, body, .. } => ([Some(check), Some(body)], (true, is_within.1)),
            Step::Decide { then, otherwise, .. } => ([Some(then), Some(otherwise)], (is_within.0, true)),
            _ => ([None, None], is_within),
        };
        let mut inner = first + 1;
        for body in bodies.into_iter().flatten() {
            within(body.steps(), inner, now, found);
            inner += u32::try_from(body.boundaries()).unwrap();
        }
        for (set, _) in found.iter_mut().zip([is_within.0, is_within.1]).filter(|(_, is_within)| *is_within) {
            set.extend(first..first + if step.listing().is_some() { pieces } else { 1 });
        }
        first += pieces;
    }
}

/// Each point alone is taken in each frame that comes to it, and then many points in the same frame.
#[test]
fn a_program_is_left_at_every_point() {
    let table = table();
    let (wanted, left) = run(&[], || false);
    assert_eq!(left, 0);
    let of = |points| Switches { others: table.others, points, latency: table.latency };
    let mut taken = BTreeSet::new();
    for point in table.points {
        let (numbers, left) = run(&[of(std::slice::from_ref(point))], || false);
        assert!(numbers == wanted, "{point:?}");
        if left > 0 {
            taken.insert(point.at);
        }
    }
    let missed: Vec<_> = table.points.iter().filter(|point| !taken.contains(&point.at)).collect();
    // Before the picture is taken there was no word yet.
    assert!(missed.iter().all(|point| point.at == 0), "{missed:?}");

    let mut places = [BTreeSet::new(), BTreeSet::new()];
    let steps: Vec<Step> = follow::PLAN.steps().cloned().collect();
    within(&steps, 0, (false, false), &mut places);
    let [of_loops, of_decisions] = places.map(|places| places.intersection(&taken).count());
    assert!(of_loops > 10 && of_decisions > 2 && taken.len() > 40, "{of_loops}, {of_decisions}, {}", taken.len());
    assert!(
        table.points.iter().any(|point| !point.kept.is_empty())
            && table.points.iter().any(|point| point.resume < point.at)
    );

    let mut state = 3_u32;
    let (numbers, left) = run(std::slice::from_ref(table), || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 29 == 0
    });
    assert!(numbers == wanted && left > 20, "{left}");
}

/// What the table says is needed: without the way to bring values back, or with a point where there is none, results differ.
#[test]
fn points_without_their_moves_are_noticed() {
    let (table, wanted) = (table(), run(&[], || false).0);
    let mut wrong = 0;
    for point in table.points.iter().filter(|point| !point.kept.is_empty() || !point.bits.is_empty()) {
        let alone = [cain_runtime::isa::SwitchPoint { kept: &[], bits: &[], ..*point }];
        let switches = Switches { others: table.others, points: &alone, latency: table.latency };
        wrong += u32::from(run(&[switches], || false).0 != wanted);
    }
    assert!(wrong > 0);
    assert!(table.others.contains(Cells::bit(Bit::Reg(Dreg::ALL[5]))));
}

/// Programs keep out of the way of others, or say that they cannot.
#[test]
fn programs_say_that_they_cannot_be_left() {
    use cain_codegen::Overrides;
    use cain_codegen::kinds::Item;
    const PROGRAM: &str = "#[search(nodes = 200)]\n#[interruptible(INTERRUPTIBLE)]\n\
        program p(image, threshold: 0..=127 = 20) -> (mask) {\n    state before = image;\n    state on: bits = false;\n    \
        let mask = abs(image - before) > threshold | on@east;\n    next before = image;\n    next on = mask;\n}\n";
    let latency = |interruptible: &str| -> Result<Vec<u32>, String> {
        let text = PROGRAM.replace("INTERRUPTIBLE", interruptible);
        let file = format!("program = '''\n{text}'''\n");
        let items = cain_codegen::kernel_file::parse_any(&file, Overrides::default())
            .map_err(|mistakes| mistakes[0].to_string())?;
        let [Item::Vision(program)] = items.as_slice() else { panic!("a program") };
        let compiled =
            cain_vision::compile(&program.declaration).map_err(|error| program.failed(&error).to_string())?;
        Ok(compiled.switches().iter().map(cain_search::switches::SwitchTable::latency).collect::<Vec<u32>>())
    };
    assert_eq!(latency("registers = [F]").map(|latency| latency.len()), Ok(1));
    let usual = latency("registers = [D, E, F, R5]").unwrap();
    let word = Times::SCAMP5.analogue;
    assert_eq!(latency(&format!("registers = [D, E, F, R5], latency <= {} ns", usual[0] * word)), Ok(usual));
    for (interruptible, message) in [
        ("registers = [D, E, F, R5], latency <= 190 ns", "3:55: others may have to wait for `p` for up to"),
        (
            "registers = [A, B, C, D, E, F]",
            "3:30: state `before`: no register is left for this state that interrupting programs do not overwrite: nobody moves \
             states out of their way between frames; let them use fewer registers, or keep the state in fewer bits",
        ),
        ("registers = [A, G]", "3:33: unknown register `G`; expected `A`, `B`,"),
        ("by = [q]", "3:23: a program lists the registers that others overwrite; use `registers` in place of `by`"),
        ("latency <= 2 us", "3:3: `interruptible`: takes the filters that may interrupt"),
        ("registers = [E])]\n#[interruptible(registers = [E]", "4:1: `interruptible` is given twice"),
    ] {
        let found = latency(interruptible).unwrap_err();
        assert!(found.starts_with(message), "{found}");
    }
}
