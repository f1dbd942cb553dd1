//! Tests that programs which others interrupt compute the results of undisturbed runs.

mod long;
mod network;
mod program;

use std::cell::Cell;
use std::num::NonZeroU32;
use std::sync::atomic::AtomicU32;

use cain_codegen::kernel_file;
use cain_runtime::HostController;
use cain_runtime::io::{ArrayIo, IoError};
use cain_runtime::isa::{Cells, Cost, Found, Fraction, Plan, Reg, Registers, Stop, Switches, Times, asm::*};
use cain_runtime::sim::{Array, SimError};
use cain_runtime::tasks::{AddError, Clock as _, Context, Outcome, Requests, Schedule, Task, Tasks, Ticking};
use cain_search::{Proved, search};

const SIDE: usize = 24;
/// The distance from the edges beyond which results are defined.
const BORDER: usize = 6;

const FILTERS: &str = r#"
[slow]
inputs = ["A"]
outputs.A = { scale = "1/4", kernel = [[0, 0, 0], [-3, 1, 0], [-3, 0, 2]] }
outputs.B = { scale = "1/4", kernel = [[-4, -1, 1], [-1, 2, 0], [1, 1, 0]] }
outputs.C = { scale = "1/4", kernel = [[-1, 2, 0], [-1, 1, -3], [0, -3, 0]] }
scratch = ["D", "E", "F"]
search = { max_gain = "any", nodes = 200 }
interruptible = { by = ["middle", "fast"], latency = "1.5 us" }

[middle]
inputs = ["E"]
outputs.E = { scale = "1/4", kernel = [[1, 0, 0], [0, 2, 0], [0, 0, 1]] }
scratch = ["D", "F"]
search = { nodes = 200, isa = "macro" }
interruptible = { by = ["fast"] }

[fast]
inputs = ["F"]
outputs.F = { scale = "1/2", kernel = [[1, 1, 0]] }
scratch = ["E"]
search = { nodes = 200 }
"#;

fn program(name: &str) -> Proved {
    let filters = kernel_file::parse(FILTERS).unwrap();
    let filter = filters.iter().find(|filter| filter.name() == name).unwrap();
    search(&filter.declaration).unwrap().program
}

/// The program as constant data.
fn plan(program: &Proved) -> Plan {
    let declaration = program.declaration();
    let tables = program.switches().to_vec().leak().iter().map(|table| Switches {
        others: table.others(),
        points: table.switch_points().collect::<Vec<_>>().leak(),
        latency: table.latency(),
    });
    Plan {
        name: declaration.name.clone().leak(),
        declaration: "",
        inputs: declaration.inputs.iter().map(|input| input.reg).collect::<Vec<_>>().leak(),
        outputs: declaration.outputs.iter().map(|output| output.reg).collect::<Vec<_>>().leak(),
        listing: program.listing().to_vec().leak(),
        cost: Cost { macros: 0, icws: program.report().icws, peak_gain: Fraction::ONE },
        accuracy: &[],
        found: Found { nodes: 0, lower_bound: 0, stop: Stop::Nodes },
        switches: tables.collect::<Vec<_>>().leak(),
    }
}

fn image(seed: u32) -> Vec<f32> {
    let mut state = seed;
    let pixel = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f32::from(u16::try_from(state >> 26).unwrap()) - 32.0
    };
    std::iter::repeat_with(pixel).take(SIDE * SIDE).collect()
}

/// The inner part of a plane.
fn inside(plane: &[f32]) -> Vec<f32> {
    let is_inside = |pe: &usize| [pe / SIDE, pe % SIDE].iter().all(|at| (BORDER..SIDE - BORDER).contains(at));
    (0..SIDE * SIDE).filter(is_inside).map(|pe| plane[pe]).collect()
}

/// The results of a plan in an undisturbed run.
fn undisturbed(plan: &Plan, seed: u32) -> Vec<Vec<f32>> {
    let mut array = Array::new(SIDE, SIDE);
    array.load_reg(plan.inputs[0], &image(seed)).unwrap();
    array.run(plan).unwrap();
    plan.outputs.iter().map(|&reg| inside(array.read_reg(reg).unwrap())).collect()
}

/// Gives tests the planes of a simulated array behind wrappers.
trait Planes: ArrayIo<Error = SimError> {
    fn array(&mut self) -> &mut Array;
}

impl<F: FnMut(u32)> Planes for Ticking<'_, Array, F> {
    fn array(&mut self) -> &mut Array {
        self.controller_mut()
    }
}

/// A task that computes a plan on an image and checks the results.
struct Filter {
    plan: Plan,
    seed: u32,
    wanted: Vec<Vec<f32>>,
    runs: Cell<u32>,
}

impl Filter {
    fn new(plan: Plan, seed: u32) -> Self {
        Self { wanted: undisturbed(&plan, seed), plan, seed, runs: Cell::new(0) }
    }
}

impl<H: Planes> Task<H> for Filter {
    fn cells(&self) -> Cells {
        let words = self.plan.listing.iter().flat_map(cain_isa::Instruction::words).map(|word| word.effect(true));
        let words = words.map(|effect| effect.writes.union(effect.reads));
        let points = self.plan.switches.iter().flat_map(|table| table.points);
        let kept = points.flat_map(|point| point.kept).map(|kept| Cells::register(kept.register));
        words.chain(kept).fold(Cells::NONE, Cells::union)
    }

    fn run(&mut self, scamp: &mut Context<'_, H>) -> Result<Outcome, SimError> {
        scamp.controller().array().load_reg(self.plan.inputs[0], &image(self.seed))?;
        scamp.run(&self.plan)?;
        for (&reg, wanted) in self.plan.outputs.iter().zip(&self.wanted) {
            assert!(&inside(scamp.controller().array().read_reg(reg)?) == wanted, "{}: {reg}", self.plan.name);
        }
        self.runs.set(self.runs.get() + 1);
        Ok(Outcome::Done)
    }
}

/// Runs the three tasks with requests for the two faster ones after a number of words of the array. Returns the
/// response of the fastest in nanoseconds, and how often the others were left.
fn run(plans: &[Plan; 3], middle_at: u32, fast_at: u32) -> (u32, u32) {
    let requests = Requests::<3>::new();
    let clock = AtomicU32::new(0);
    let words = Cell::new(0);
    let handler = |now| {
        words.set(words.get() + 1);
        if words.get() == middle_at {
            requests.make(1, now).unwrap();
        }
        if words.get() == fast_at {
            requests.make(2, now).unwrap();
        }
    };
    let scamp = Ticking::new(Array::new(SIDE, SIDE), &clock, Times::SCAMP5, handler);
    let mut filters = plans.each_ref().map(|plan| Filter::new(*plan, 7));
    let mut tasks = Tasks::new(scamp, &clock, &requests);
    for (number, filter) in filters.iter_mut().enumerate() {
        tasks.add(number, filter, Schedule::default()).unwrap();
    }
    requests.make(0, 0).unwrap();
    while tasks.serve().unwrap() {}
    let counts = [0, 1, 2].map(|number| *tasks.counts(number).unwrap());
    assert_eq!(counts.map(|counts| counts.runs), [1, 1, 1]);
    (counts[2].worst_response, counts[0].interruptions + counts[1].interruptions)
}

/// The filters with tables that are made when this is compiled.
mod declared {
    cain_runtime::scamp_kernels! {
        #[search(max_gain = any, nodes = 200)]
        #[interruptible(by = [middle, fast], latency <= 1.5 us)]
        pub fn slow(A) -> (A, B, C) using (D, E, F) {
            A = 1/4 * [[0, 0, 0], [-3, 1, 0], [-3, 0, 2]];
            B = 1/4 * [[-4, -1, 1], [-1, 2, 0], [1, 1, 0]];
            C = 1/4 * [[-1, 2, 0], [-1, 1, -3], [0, -3, 0]];
        }

        #[search(isa = macro, nodes = 200)]
        #[interruptible(by = [fast])]
        pub fn middle(E) -> E using (D, F) = 1/4 * [[1, 0, 0], [0, 2, 0], [0, 0, 1]];

        #[search(isa = macro, nodes = 200)]
        #[interruptible(registers = [E, F])]
        pub fn by_registers(E) -> E using (D, F) = 1/4 * [[1, 0, 0], [0, 2, 0], [0, 0, 1]];

        #[search(nodes = 200)]
        pub fn fast(F) -> F using (E) = 1/2 * [[1, 1, 0]];
    }
}

#[test]
fn tables_come_with_generated_functions() {
    let [slow, middle, fast] = plans();
    let generated = [declared::slow::PLAN, declared::middle::PLAN, declared::fast::PLAN];
    for (plan, generated) in [slow, middle, fast].iter().zip(generated) {
        assert_eq!(plan.listing, generated.listing);
        assert_eq!(plan.switches, generated.switches);
    }
    assert_eq!(declared::by_registers::PLAN.switches, middle.switches);
    assert_eq!([slow, middle, fast].map(|plan| plan.switches.len()), [2, 1, 0]);
}

fn plans() -> [Plan; 3] {
    ["slow", "middle", "fast"].map(|name| plan(&program(name)))
}

#[test]
fn every_point_at_every_nesting() {
    let plans = plans();
    let [slow, middle, _] = plans.each_ref().map(|plan| plan.cost.icws);
    let bound = plans[0].switches[0].latency.max(plans[1].switches[0].latency) * Times::SCAMP5.analogue;
    let mut nested = 0;
    for middle_at in 1..=slow {
        for fast_at in middle_at..middle_at + middle {
            let (response, interruptions) = run(&plans, middle_at, fast_at);
            assert!(response <= bound, "{response} > {bound} at {middle_at}, {fast_at}");
            nested += u32::from(interruptions == 2);
        }
    }
    assert!(nested > slow, "{nested} of {slow}");
}

#[test]
fn requests_of_the_clock_and_their_deadlines() {
    let [slow, _, fast] = plans();
    let length = fast.cost.icws * Times::SCAMP5.analogue;
    let latency = slow.switches[0].latency * Times::SCAMP5.analogue;
    let missed = |plan: Plan, deadline: u32| {
        let requests = Requests::<2>::new();
        let clock = AtomicU32::new(0);
        let scamp = Ticking::new(Array::new(SIDE, SIDE), &clock, Times::SCAMP5, |_| ());
        let (mut slow, mut fast) = (Filter::new(plan, 1), Filter::new(fast, 2));
        let mut tasks = Tasks::new(scamp, &clock, &requests);
        tasks.add(0, &mut slow, Schedule::default()).unwrap();
        let every = NonZeroU32::new(7 * length);
        tasks.add(1, &mut fast, Schedule { deadline: NonZeroU32::new(deadline), every }).unwrap();
        for _ in 0..20 {
            requests.make(0, (&clock).now()).unwrap();
            while tasks.serve().unwrap() {}
        }
        let counts = *tasks.counts(1).unwrap();
        assert!(counts.requests > 10 && counts.runs > 10, "{counts:?}");
        assert!(tasks.counts(0).unwrap().interruptions == 0 || counts.worst_response <= latency);
        counts.missed
    };
    assert_eq!(missed(slow, latency + length), 0);
    assert!(missed(Plan { switches: &[], ..slow }, latency + length) > 0);
}

/// A task that misbehaves: it overwrites a register that it does not name, waits where it holds images, or fails.
enum Odd {
    Foreign,
    Holding(&'static [Reg], Cell<u32>),
    Failing(Cell<bool>),
    Tired(Cell<u32>),
}

impl<H: Planes> Task<H> for Odd {
    fn cells(&self) -> Cells {
        Cells::registers(Registers::of(&[A, B, C]))
    }

    fn run(&mut self, scamp: &mut Context<'_, H>) -> Result<Outcome, SimError> {
        match self {
            Self::Foreign => scamp.execute(res(F))?,
            Self::Holding(held, interrupted) => {
                scamp.execute(res2(A, B))?;
                scamp.execute(res(C))?;
                scamp.switch_point(held)?;
                interrupted.set(u32::from(scamp.away() > 0));
                for &reg in *held {
                    assert!(scamp.controller().array().read_reg(reg)?.iter().all(|&value| value == 0.0), "{reg}");
                }
            }
            Self::Failing(fails) => {
                if fails.replace(false) {
                    return Err(IoError::NoStep.into());
                }
            }
            Self::Tired(times) => {
                times.set(times.get() + 1);
                return Ok(if times.get() < 3 { Outcome::Again } else { Outcome::Done });
            }
        }
        Ok(Outcome::Done)
    }
}

/// Runs one of these tasks, with another one above it that writes A and B; returns the result, and how often the latter
/// ran.
fn beside(odd: &mut Odd) -> (Result<bool, SimError>, u32) {
    struct Writer;
    impl<H: Planes> Task<H> for Writer {
        fn cells(&self) -> Cells {
            Cells::registers(Registers::of(&[A, B]))
        }

        fn run(&mut self, scamp: &mut Context<'_, H>) -> Result<Outcome, SimError> {
            for reg in [A, B] {
                scamp.controller().array().load_reg(reg, &image(9))?;
            }
            scamp.execute(res(A)).map(|()| Outcome::Done)
        }
    }
    let requests = Requests::<2>::new();
    let clock = AtomicU32::new(0);
    let is_requested = Cell::new(false);
    let handler = |now| {
        if !is_requested.replace(true) {
            requests.make(1, now).unwrap();
        }
    };
    let scamp = Ticking::new(Array::new(SIDE, SIDE), &clock, Times::SCAMP5, handler);
    let mut writer = Writer;
    let mut tasks = Tasks::new(scamp, &clock, &requests);
    tasks.add(0, odd, Schedule::default()).unwrap();
    tasks.add(1, &mut writer, Schedule::default()).unwrap();
    requests.make(0, 0).unwrap();
    let result = tasks.serve();
    (result, tasks.counts(1).unwrap().runs)
}

#[test]
fn between_programs_tasks_say_what_they_hold() {
    // One register can be moved to C; two cannot.
    for (held, interrupted) in [(&[A][..], 1), (&[C], 1), (&[A, B], 0)] {
        let mut odd = Odd::Holding(held, Cell::new(7));
        let (result, runs) = beside(&mut odd);
        let Odd::Holding(_, found) = odd else { unreachable!() };
        assert_eq!((result.is_ok(), runs.min(1), found.get()), (true, interrupted, interrupted), "{held:?}");
    }
}

#[test]
fn mistakes_are_told() {
    let (result, _) = beside(&mut Odd::Foreign);
    let message = "the task writes `F`, which is not among the cells that it has declared to use";
    assert_eq!(result.unwrap_err().to_string(), message);

    let requests = Requests::<1>::new();
    assert_eq!(
        requests.make(0, 0).unwrap_err().to_string(),
        "no task 0 was added; there is room for 1, counted from 0, the lowest priority"
    );
    let clock = AtomicU32::new(0);
    let scamp = Ticking::new(Array::new(SIDE, SIDE), &clock, Times::SCAMP5, |_| ());
    let (mut one, mut two) = (Odd::Failing(Cell::new(true)), Odd::Tired(Cell::new(0)));
    let mut tasks = Tasks::new(scamp, &clock, &requests);
    tasks.add(0, &mut one, Schedule::default()).unwrap();
    assert_eq!(tasks.add(0, &mut two, Schedule::default()), Err(AddError::Taken { number: 0 }));

    // After an error, the task starts anew at its next request.
    requests.make(0, 0).unwrap();
    assert!(tasks.serve().is_err());
    assert!(!tasks.serve().unwrap());
    requests.make(0, 0).unwrap();
    assert!(tasks.serve().unwrap());
    let counts = tasks.counts(0).unwrap();
    assert_eq!((counts.requests, counts.runs, counts.missed), (2, 2, 1));
}

#[test]
fn a_task_may_start_again() {
    let mut odd = Odd::Tired(Cell::new(0));
    assert!(beside(&mut odd).0.unwrap());
    assert!(matches!(odd, Odd::Tired(times) if times.get() == 3));
}
