//! Others, which interrupt a frame wherever they may and overwrite everything that they may.

use std::cell::RefCell;
use std::sync::atomic::AtomicU32;

use cain_analysis::owned::Step;
use cain_isa::asm::{IN, NEWS, bus};
use cain_isa::random::SplitMix64;
use cain_isa::{Cells, Dreg, HostController as _, Machine, Switches, Times};
use cain_runtime::io::{ArrayIo, Pattern};
use cain_runtime::program::{Place, carry_out};
use cain_runtime::sim::{Array, SimError};
use cain_runtime::tasks::{Context, Outcome, Requests, Schedule, Task, Tasks, Ticking};
use cain_search::switches::SwitchTable;

/// A frame as a task.
struct Frame<'f> {
    steps: Vec<&'f Step>,
    switches: Switches<'f>,
    numbers: &'f mut [f64],
}

impl<H: ArrayIo> Task<H> for Frame<'_> {
    fn cells(&self) -> Cells {
        Machine::SCAMP5.cells()
    }

    fn run(&mut self, scamp: &mut Context<'_, H>) -> Result<Outcome, H::Error> {
        let (steps, switches) = (self.steps.iter().copied(), std::slice::from_ref(&self.switches));
        carry_out(scamp, steps, switches, &[Place::default()], self.numbers)?;
        Ok(Outcome::Done)
    }
}

/// What interrupts it.
struct Others<'r> {
    cells: Cells,
    random: &'r RefCell<SplitMix64>,
}

impl<F: FnMut(u32)> Task<Ticking<'_, &mut Array, F>> for Others<'_> {
    fn cells(&self) -> Cells {
        self.cells
    }

    fn run(&mut self, scamp: &mut Context<'_, Ticking<'_, &mut Array, F>>) -> Result<Outcome, SimError> {
        let array = scamp.controller().controller_mut();
        let pes = array.width() * array.height();
        let below = |most| self.random.borrow_mut().below(most);
        for reg in self.cells.analogue().iter() {
            array.load_reg(reg, &(0..pes).map(|_| below(200) as f32 - 100.0).collect::<Vec<_>>())?;
        }
        for bit in self.cells.bits() {
            array.load_bits(bit, &(0..pes).map(|_| below(2) == 0).collect::<Vec<_>>())?;
        }
        scamp.set_level(-77)?;
        scamp.execute(bus(&[NEWS], &[IN]))?;
        scamp.select_pattern(Pattern::ALL)?;
        Ok(Outcome::Done)
    }
}

/// Carries out a frame, which others interrupt now and then; how often they did.
pub(super) fn interrupted<'s>(
    array: &mut Array,
    steps: impl Iterator<Item = &'s Step>,
    table: &SwitchTable,
    numbers: &mut [f64],
    random: &RefCell<SplitMix64>,
) -> u32 {
    let points: Vec<_> = table.switch_points().collect();
    let switches = Switches { others: table.others(), points: &points, latency: table.latency() };
    let (requests, clock) = (Requests::<2>::new(), AtomicU32::new(0));
    let handler = |now| {
        if random.borrow_mut().below(4) == 0 {
            requests.make(1, now).unwrap();
        }
    };
    let mut frame = Frame { steps: steps.collect(), switches, numbers };
    let mut others = Others { cells: table.others(), random };
    let mut tasks = Tasks::new(Ticking::new(array, &clock, Times::SCAMP5, handler), &clock, &requests);
    tasks.add(0, &mut frame, Schedule::default()).unwrap();
    tasks.add(1, &mut others, Schedule::default()).unwrap();
    requests.make(0, 0).unwrap();
    while tasks.serve().unwrap() {}
    let waited = tasks.counts(1).unwrap().worst_response;
    assert!(waited <= table.latency() * Times::SCAMP5.analogue, "{waited} ns, {} words", table.latency());
    tasks.counts(0).unwrap().interruptions
}

/// Registers that others overwrite: some of the six, and some bits.
#[allow(dead_code, reason = "not used by all tests")]
pub(crate) fn some_cells(random: &mut SplitMix64) -> Cells {
    let (first, bits) = (2 + random.below(4), random.below(4));
    let registers = Machine::SCAMP5.registers.iter().skip(first).collect();
    Cells::registers(registers).union((0..bits).map(|_| Dreg::ALL[random.below(13)]).collect())
}
