//! Tests networks that are declared to be interruptible.

use std::cell::Cell;
use std::sync::atomic::AtomicU32;

use cain_codegen::Overrides;
use cain_codegen::kernel_file::parse_any;
use cain_codegen::kinds::Item;
use cain_network::compile;
use cain_runtime::isa::{Bit, Cells, Dreg, Reg, SwitchStep, Times};
use cain_runtime::program::{Place, prepare};
use cain_runtime::sim::{Array, SimError};
use cain_runtime::tasks::{Context, Outcome, Requests, Schedule, Task, Tasks, Ticking};
use cain_runtime::{Aregs, Dregs, scamp_network};

use super::image;
use super::long::{Scribbler, everything};

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

/// A task that takes a picture and counts its edges.
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
    array.load_reg(counts::PLAN.pictures[0].register, &pixels)
}

impl<F: FnMut(u32)> Task<Scamp<'_, F>> for Looks {
    fn cells(&self) -> Cells {
        everything()
    }

    fn run(&mut self, scamp: &mut Context<'_, Scamp<'_, F>>) -> Result<Outcome, SimError> {
        self.look(scamp, |scamp| load(scamp.controller().controller_mut()))?;
        Ok(Outcome::Done)
    }
}

/// After requests at any number of words, the results are those of an undisturbed run, and others wait no longer than
/// the plan says.
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

/// One latency can only be met with another choice of registers, another one not at all.
#[test]
fn networks_keep_out_of_the_way_or_say_that_they_cannot() {
    const FILE: &str = "[network.maps]\ninput = { size = [12, 12], levels = \"-60..60\" }\nsearch = { nodes = 300, objective = \"icws\" }\n\
        interruptible = { registers = REGISTERS, latency = \"LATENCY\" }\n\
        [[network.maps.layer]]\nname = \"edge\"\nop = \"convolution\"\nscale = \"1/4\"\n\
        kernels = [[[-1, 0, 1], [-2, 0, 2]], [[1, 1, 0], [0, 1, 1]]]\npadding = [1, 1, 0, 1]\n\
        [[network.maps.layer]]\nname = \"rectified\"\nop = \"relu\"\n\
        [[network.maps.layer]]\nname = \"sums\"\nop = \"windows\"\nsize = 6\n";
    let network = |registers: &str, latency: &str| {
        let text = FILE.replace("REGISTERS", registers).replace("LATENCY", latency);
        let filters = parse_any(&text, Overrides::default()).map_err(|errors| errors[0].to_string())?;
        let [Item::Network(network)] = filters.as_slice() else { panic!("no network") };
        compile(&network.network).map_err(|error| network.failed(&error).to_string())
    };
    let first = network("[\"E\", \"F\"]", "1 ms").unwrap();
    assert!(first.program().written().0.contains(&Reg::E) && first.switches()[0].latency() > 2);
    let apart = network("[\"E\", \"F\"]", "380 ns").unwrap();
    assert_eq!(apart.switches()[0].latency(), 2);
    assert!(!apart.program().written().0.contains(&Reg::E) && !apart.program().written().0.contains(&Reg::F));

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

scamp_network! {
    /// A network whose bits are read as levels by the next layer, with others in all registers.
    #[search(nodes = 200)]
    #[interruptible(registers = [A, B, C, D, E, F])]
    network levels {
        input = { size = [12, 12], levels = -60..60 };
        slopes = convolution { scale = 1/2, kernels = [[[-1, 0, 1]], [[1, 0, 0]]], padding = [0, 1] };
        edges = threshold { at = 20 };
        both = convolution { scale = 1/4, kernels = [[[[1, 1, 0]], [[0, 1, 1]]]], padding = [0, 1] };
        corners = threshold { at = 3/5 };
        halves = windows { size = [6, 12] };
    }
}

/// The compiled program is the one that was proved.
#[test]
fn planes_that_wait_as_bits_are_in_the_plan() {
    let [table] = levels::PLAN.switches else { panic!("one table") };
    let kept: Vec<_> = table.points.iter().flat_map(|point| point.levels).collect();
    assert!(!kept.is_empty() && kept.iter().all(|kept| kept.low == 0 && kept.high > 16), "{kept:?}");
    let levels = |step: SwitchStep| step.word().is_none();
    assert!(table.points.iter().any(|point| point.leaving().any(levels) && point.returning().any(levels)));
}

mod in_pixel {
    use super::scamp_network;

    scamp_network! {
        #[interruptible(registers = [E, F, R3], latency <= 4 us)]
        pub(super) in_pixel corners {
            input = { size = 6, block = 8, array = 16, binarise = 100 };
            filters = convolution { size = 2, weights = ["++-+", "-+++", "+--+", [-1, -1, 1, 1]] };
            maxima = max_pool { size = 4 };
            scores = dense {
                classes = 3,
                weights = [
                    "+-0", "0+-", "-0+", "++-", "0-+", "+00", "-+0", "0+0",
                    "--+", "+0-", "00+", "+-+", "0+-", "-++", "+0+", "-0-",
                ],
            };
        }
    }
}

/// A task that loads the weights, takes a picture and finds its class; the words of the picture come after those of the
/// weights.
struct Sees {
    wanted: Option<in_pixel::corners::Answer>,
    runs: u32,
}

impl Sees {
    fn see<H: cain_runtime::io::ArrayIo<Error = SimError>>(
        &mut self,
        scamp: &mut H,
        load: impl FnOnce(&mut H) -> Result<(), SimError>,
    ) -> Result<(), SimError> {
        let (mut regs, mut bits) = (Aregs::new(), Dregs::new());
        let mut registers = in_pixel::corners::Registers::of(&mut regs, &mut bits);
        let weights = in_pixel::corners::load(scamp, registers.weights, &mut registers.scratch)?;
        load(scamp)?;
        let answer = in_pixel::corners(scamp, registers.image.hold(), &mut registers.scratch, &weights)?;
        assert_eq!(*self.wanted.get_or_insert(answer), answer);
        self.runs += 1;
        Ok(())
    }
}

fn load_ink(array: &mut Array) -> Result<(), SimError> {
    let pixels: Vec<f32> = image(13).into_iter().take(SIDE * SIDE).map(|pixel| pixel.signum() * 90.0).collect();
    array.load_reg(in_pixel::corners::PLAN.pictures[0].register, &pixels)
}

impl<F: FnMut(u32)> Task<Scamp<'_, F>> for Sees {
    fn cells(&self) -> Cells {
        everything()
    }

    fn run(&mut self, scamp: &mut Context<'_, Scamp<'_, F>>) -> Result<Outcome, SimError> {
        self.see(scamp, |scamp| load_ink(scamp.controller().controller_mut()))?;
        Ok(Outcome::Done)
    }
}

/// For a network whose weights are in the pixels, these are also still there for the next picture.
#[test]
fn a_network_in_the_pixels_is_left_as_soon_as_its_declaration_says() {
    let mut alone = Sees { wanted: None, runs: 0 };
    alone.see(&mut Array::new(SIDE, SIDE), load_ink).unwrap();
    let [table] = in_pixel::corners::PLAN.switches else { panic!("one table") };
    assert!(table.others.contains(Cells::bit(Bit::Reg(Dreg::ALL[3]))) && table.latency <= 21, "{}", table.latency);

    let (mut interruptions, word) = (0, Times::SCAMP5.analogue);
    for after in 1..in_pixel::corners::PLAN.words() {
        let (requests, clock, words) = (Requests::<2>::new(), AtomicU32::new(0), Cell::new(0));
        let weights: u32 = loading_words();
        let handler = |now| {
            words.set(words.get() + 1);
            if words.get() == weights + after {
                requests.make(1, now).unwrap();
            }
        };
        let mut sees = Sees { wanted: alone.wanted, runs: 0 };
        let mut scribbler = Scribbler { cells: table.others, seed: 5 };
        let mut tasks =
            Tasks::new(Ticking::new(Array::new(SIDE, SIDE), &clock, Times::SCAMP5, handler), &clock, &requests);
        tasks.add(0, &mut sees, Schedule::default()).unwrap();
        tasks.add(1, &mut scribbler, Schedule::default()).unwrap();
        requests.make(0, 0).unwrap();
        while tasks.serve().unwrap() {}
        let waited = tasks.counts(1).unwrap().worst_response;
        interruptions += tasks.counts(0).unwrap().interruptions;
        drop(tasks);
        assert_eq!(sees.runs, 1);
        assert!(waited <= table.latency * word, "{waited} ns after {after} words");
    }
    assert!(interruptions > in_pixel::corners::PLAN.words() / 2, "{interruptions}");
}

/// The number of control words that load the weights.
fn loading_words() -> u32 {
    let clock = AtomicU32::new(0);
    let words = Cell::new(0);
    let mut scamp = Ticking::new(Array::new(SIDE, SIDE), &clock, Times::SCAMP5, |_| words.set(words.get() + 1));
    prepare(&mut scamp, &in_pixel::corners::PLAN).unwrap();
    words.get()
}

/// Promises that a network in the pixels or an automaton cannot keep are reported at their place.
#[test]
fn networks_in_the_pixels_and_automata_say_that_they_cannot() {
    use cain_codegen::kernel_file::{parse_automata, parse_in_pixel};
    const PIXELS: &str = "[in_pixel.corners]\ninput = { size = 6, block = 8, array = 16 }\ninterruptible = INTERRUPTIBLE\n\
        [[in_pixel.corners.layer]]\nname = \"filters\"\nop = \"convolution\"\nsize = 2\n\
        weights = [\"++-+\", \"-+++\", \"+--+\", \"--++\"]\n\
        [[in_pixel.corners.layer]]\nname = \"maxima\"\nop = \"max_pool\"\nsize = 4\n\
        [[in_pixel.corners.layer]]\nname = \"scores\"\nop = \"dense\"\nclasses = 1\nweights = WEIGHTS\n";
    const AUTOMATON: &str = "[machine]\nregisters = 6\n[automaton.grow]\nsize = [4, 4]\nclasses = 1\ndenominator = 4\n\
        layers = [[[[[1]], [[2]]]]]\nsearch = { nodes = 10, isa = \"macro\" }\ninterruptible = INTERRUPTIBLE\n";
    let pixels = |interruptible: &str| {
        let weights = format!("[{}]", vec!["\"+\""; 16].join(", "));
        let text = PIXELS.replace("INTERRUPTIBLE", interruptible).replace("WEIGHTS", &weights);
        let networks = parse_in_pixel(&text, &mut |_| unreachable!()).map_err(|errors| errors[0].to_string())?;
        let compiled = cain_in_pixel::compile(&networks[0].network);
        compiled.map(|compiled| compiled.switches().len()).map_err(|error| networks[0].failed(&error).to_string())
    };
    assert_eq!(pixels("{ registers = [\"F\"], latency = \"2 us\" }"), Ok(1));
    for (interruptible, message) in [
        (
            "{ registers = [\"A\", \"B\", \"C\", \"D\", \"E\", \"F\"], latency = \"1 us\" }",
            "3:73: others may have to wait for `corners` for up to",
        ),
        ("{ registers = [\"X\"] }", "3:32: unknown register `X`; expected `A`, `B`,"),
        (
            "{ by = [\"edges\"] }",
            "3:25: a network lists the registers that others overwrite; use `registers` in place of `by`",
        ),
        ("{ latency = \"2 us\" }", "3:17: `in_pixel.corners.interruptible`: takes the filters that may interrupt"),
        ("{ registers = [\"E\"], latency = \"0 us\" }", "3:48: `0 us` is not a whole number of nanoseconds above 0"),
    ] {
        let found = pixels(interruptible).unwrap_err();
        assert!(found.starts_with(message), "{found}");
    }

    let automaton = |interruptible: &str| {
        let text = AUTOMATON.replace("INTERRUPTIBLE", interruptible);
        let automata = parse_automata(&text, &mut |_| unreachable!()).map_err(|errors| errors[0].to_string())?;
        let compiled =
            cain_network::automaton::compile(&automata[0].automaton, |_, _| std::ops::ControlFlow::Continue(()));
        compiled.map(|compiled| compiled.switches().len()).map_err(|error| automata[0].failed(&error).to_string())
    };
    assert_eq!(automaton("{ registers = [\"F\"], latency = \"2 us\" }"), Ok(1));
    let found = automaton("{ registers = [\"A\", \"B\", \"C\"], latency = \"190 ns\" }").unwrap_err();
    assert!(found.starts_with("9:58: others may have to wait for `grow` for up to"), "{found}");
    assert!(found.ends_with("with 4 analogue registers that they do not use it is never in their way"), "{found}");
}
