//! Networks whose declaration says that they may be interrupted.

use std::cell::Cell;
use std::sync::atomic::AtomicU32;

use cain_codegen::Overrides;
use cain_codegen::kernel_file::{AnyFilter, parse_any};
use cain_runtime::isa::{Bit, Cells, Dreg, Reg, Times};
use cain_runtime::network::Place;
use cain_runtime::sim::{Array, SimError};
use cain_runtime::tasks::{Context, Outcome, Requests, Schedule, Task, Tasks, Ticking};
use cain_runtime::{Aregs, Dregs, scamp_network};
use cain_search::network::compile;

use crate::image;
use crate::long::Scribbler;

scamp_network! {
    #[search(nodes = 500)]
    #[interruptible(registers = [E, F, R9], latency <= 2 us)]
    network counts {
        input = { size = [12, 12], levels = -60..60 };
        edge = convolution { scale = 1/2, kernels = [[[-1, 0, 1]], [[0.5, 1, 0.5]]], padding = [0, 1] };
        is_edge = threshold { at = 20 };
        halves = windows { size = [6, 12] };
    }
}

const SIDE: usize = 16;

/// Takes a picture and counts its edges.
struct Looks {
    wanted: Option<counts::Heads>,
    runs: u32,
}

type Scamp<'c, F> = Ticking<'c, Array, F>;

impl Looks {
    fn look<H: cain_runtime::io::ArrayIo<Error = SimError>>(
        &mut self,
        scamp: &mut H,
        load: impl FnOnce(&mut H) -> Result<(), SimError>,
    ) -> Result<(), SimError> {
        load(scamp)?;
        let (mut regs, mut bits) = (Aregs::new(), Dregs::new());
        let registers = counts::Registers::of(&mut regs, &mut bits);
        let heads = counts(scamp, registers.image.hold(), registers.scratch, Place { row: 2, column: 2 })?;
        assert_eq!(*self.wanted.get_or_insert(heads), heads);
        self.runs += 1;
        Ok(())
    }
}

fn load(array: &mut Array) -> Result<(), SimError> {
    let pixels: Vec<f32> = image(7).into_iter().take(SIDE * SIDE).collect();
    array.load_reg(counts::PLAN.input, &pixels)
}

impl<F: FnMut(u32)> Task<Scamp<'_, F>> for Looks {
    fn cells(&self) -> Cells {
        Cells::registers((0..u8::MAX).map(Reg::from_index).collect())
    }

    fn run(&mut self, scamp: &mut Context<'_, Scamp<'_, F>>) -> Result<Outcome, SimError> {
        self.look(scamp, |scamp| load(scamp.controller().controller_mut()))?;
        Ok(Outcome::Done)
    }
}

/// Requests after any number of words: the results are those of an undisturbed run, and nobody waits longer than the plan
/// says.
#[test]
fn a_network_is_left_as_soon_as_its_declaration_says() {
    let mut alone = Looks { wanted: None, runs: 0 };
    alone.look(&mut Array::new(SIDE, SIDE), load).unwrap();
    let [table] = counts::PLAN.switches else { panic!("one table") };
    let others = [Reg::E, Reg::F].map(Cells::register).into_iter().fold(Cells::NEWS, Cells::union);
    assert_eq!(table.others, others.union(Cells::bit(Bit::Reg(Dreg::ALL[9]))));
    assert!(table.latency <= 10, "{}", table.latency);

    let word = Times::SCAMP5.analogue;
    for after in 1..counts::PLAN.words() {
        let (requests, clock, words) = (Requests::<2>::new(), AtomicU32::new(0), Cell::new(0));
        let handler = |now| {
            words.set(words.get() + 1);
            if words.get() == after {
                requests.make(1, now).unwrap();
            }
        };
        let mut looks = Looks { wanted: alone.wanted, runs: 0 };
        let mut scribbler = Scribbler { cells: table.others, seed: 5 };
        let mut tasks =
            Tasks::new(Ticking::new(Array::new(SIDE, SIDE), &clock, Times::SCAMP5, handler), &clock, &requests);
        tasks.add(0, &mut looks, Schedule::default()).unwrap();
        tasks.add(1, &mut scribbler, Schedule::default()).unwrap();
        requests.make(0, 0).unwrap();
        while tasks.serve().unwrap() {}
        let waited = tasks.counts(1).unwrap().worst_response;
        drop(tasks);
        assert_eq!(looks.runs, 1);
        assert!(waited <= table.latency * word, "{waited} ns after {after} words");
    }
}

/// A latency that only another choice of registers can hold, and one that nothing can.
#[test]
fn networks_keep_out_of_the_way_or_say_that_they_cannot() {
    const FILE: &str = "[network.maps]\ninput = { size = [12, 12], levels = \"-60..60\" }\nsearch = { nodes = 300 }\n\
        interruptible = { registers = REGISTERS, latency = \"LATENCY\" }\n\
        [[network.maps.layer]]\nname = \"edge\"\nop = \"convolution\"\nscale = \"1/4\"\n\
        kernels = [[[-1, 0, 1], [-2, 0, 2]], [[1, 1, 0], [0, 1, 1]]]\npadding = [1, 1, 0, 1]\n\
        [[network.maps.layer]]\nname = \"rectified\"\nop = \"relu\"\n\
        [[network.maps.layer]]\nname = \"sums\"\nop = \"windows\"\nsize = 6\n";
    let network = |registers: &str, latency: &str| {
        let text = FILE.replace("REGISTERS", registers).replace("LATENCY", latency);
        let filters = parse_any(&text, Overrides::default()).map_err(|errors| errors[0].to_string())?;
        let [AnyFilter::Network(network)] = filters.as_slice() else { panic!("no network") };
        compile(&network.network).map_err(|error| network.uncompiled(&error).to_string())
    };
    let first = network("[\"E\", \"F\"]", "1 ms").unwrap();
    assert!(first.written().0.contains(&Reg::E) && first.switches()[0].latency() > 2);
    let apart = network("[\"E\", \"F\"]", "380 ns").unwrap();
    assert_eq!(apart.switches()[0].latency(), 2);
    assert!(!apart.written().0.contains(&Reg::E) && !apart.written().0.contains(&Reg::F));

    for (registers, latency, message) in [
        (
            "[\"A\", \"B\", \"C\", \"D\", \"E\", \"F\"]",
            "1 us",
            "4:73: others may have to wait for `maps` for up to 27 control words (5.13 µs); with 4 analogue registers that they \
             do not use it is never in their way",
        ),
        (
            "[\"E\", \"G\"]",
            "1 us",
            "4:37: unknown register `G`; expected `A`, `B`, `C`, `D`, `E`, `F`, `R0`, `R1`, `R2`, `R3`, `R4`, `R5`, `R6`, \
             `R7`, `R8`, `R9`, `R10`, `R11` or `R12`",
        ),
        ("[\"E\"]", "1 s", "4:48: expected a time in `ns`, `us` or `ms`, such as `20 us`; found `1 s`"),
    ] {
        assert_eq!(network(registers, latency).unwrap_err(), message);
    }
}
