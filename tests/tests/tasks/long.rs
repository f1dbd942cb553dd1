//! Networks, networks in the pixels and automata are left at every point, and still compute the results of undisturbed
//! runs.

use std::cell::Cell;
use std::sync::atomic::AtomicU32;

use cain_analysis::owned::Step;
use cain_codegen::Overrides;
use cain_codegen::kernel_file::parse_any;
use cain_codegen::kinds::Item;
use cain_in_pixel::{Declaration, Pixels};
use cain_network::CompiledNetwork;
use cain_network::automaton::{Automaton, Bits, CompileAutomatonError, CompiledAutomaton, Layer, Registers as Places};
use cain_runtime::HostController as _;
use cain_runtime::io::{ArrayIo, Pattern};
use cain_runtime::isa::{Bit, Cells, Dreg, Instruction, Machine, Reg, Registers, Switches, Times, asm::*};
use cain_runtime::program::{Place, carry_out};
use cain_runtime::sim::{Array, SimError};
use cain_runtime::tasks::{Context, Outcome, Requests, Schedule, Task, Tasks, Ticking};
use cain_search::switches::{Steps, SwitchError, SwitchLimits, SwitchTable};
use cain_search::{InstructionSet, Interruption, Options};

use super::image;

/// A program, and the array on which it starts.
struct Long<'p> {
    program: Vec<Step>,
    /// How many numbers are read.
    numbers: usize,
    /// The registers that hold results.
    outputs: &'p [Reg],
    begin: Array,
    steps: Steps,
}

impl Long<'_> {
    /// Runs the program on a controller; returns its results.
    fn run<A: ArrayIo<Error = SimError>>(
        &self,
        scamp: &mut A,
        switches: &[Switches<'_>],
    ) -> Result<Vec<f64>, SimError> {
        let mut numbers = vec![0.0; self.numbers];
        carry_out(scamp, &self.program, switches, &[Place { row: 4, column: 4 }], &mut numbers)?;
        Ok(numbers)
    }

    /// The planes with results.
    fn held(&self, array: &Array) -> Result<Vec<f32>, SimError> {
        self.outputs.iter().try_fold(Vec::new(), |held, &reg| Ok([held, array.read_reg(reg)?.to_vec()].concat()))
    }
}

/// The numbers that are read out, and the planes with results at the end.
type Results = (Vec<f64>, Vec<f32>);

/// The program as a task that checks its results.
struct Background<'p> {
    long: &'p Long<'p>,
    switches: &'p [Switches<'p>],
    wanted: &'p Results,
    right: u32,
}

type Scamp<'c, F> = Ticking<'c, Array, F>;

impl<F: FnMut(u32)> Task<Scamp<'_, F>> for Background<'_> {
    fn cells(&self) -> Cells {
        everything()
    }

    fn run(&mut self, scamp: &mut Context<'_, Scamp<'_, F>>) -> Result<Outcome, SimError> {
        scamp.controller().controller_mut().clone_from(&self.long.begin);
        let numbers = self.long.run(scamp, self.switches)?;
        let held = self.long.held(scamp.controller().controller_mut())?;
        assert_eq!((numbers, held), *self.wanted);
        self.right += 1;
        Ok(Outcome::Done)
    }
}

/// All registers, of a task whose programs were compiled for those that the others leave to it.
pub(crate) fn everything() -> Cells {
    Cells::registers((0..u8::MAX).map(Reg::from_index).collect()).union(Dreg::ALL.into_iter().collect())
}

/// Overwrites everything it may with different values each time: registers, bits, NEWS and the state of the controller.
pub(crate) struct Scribbler {
    pub(crate) cells: Cells,
    pub(crate) seed: u32,
}

impl<F: FnMut(u32)> Task<Scamp<'_, F>> for Scribbler {
    fn cells(&self) -> Cells {
        self.cells
    }

    fn run(&mut self, scamp: &mut Context<'_, Scamp<'_, F>>) -> Result<Outcome, SimError> {
        self.seed = self.seed.wrapping_mul(1_664_525).wrapping_add(99);
        let array = scamp.controller().controller_mut();
        let (width, height) = (array.width(), array.height());
        let pixels: Vec<f32> = image(self.seed).into_iter().cycle().take(width * height).collect();
        for reg in self.cells.analogue().iter() {
            array.load_reg(reg, &pixels)?;
        }
        for bit in self.cells.bits() {
            array.load_bits(bit, &pixels.iter().map(|&pixel| pixel > 0.0).collect::<Vec<_>>())?;
        }
        scamp.set_level(77)?;
        scamp.execute(bus(&[NEWS], &[IN]))?;
        scamp.select_pattern(Pattern::ALL)?;
        Ok(Outcome::Done)
    }
}

/// Runs the program beside a task that is requested where `is_time` says so, by words; returns how often the program
/// was left.
fn beside(
    long: &Long<'_>,
    wanted: &Results,
    switches: &[Switches<'_>],
    others: Cells,
    mut is_time: impl FnMut(u32) -> bool,
) -> u32 {
    let requests = Requests::<2>::new();
    let clock = AtomicU32::new(0);
    let words = Cell::new(0);
    let handler = |now| {
        words.set(words.get() + 1);
        if is_time(words.get()) {
            requests.make(1, now).unwrap();
        }
    };
    let (mut background, mut scribbler) =
        (Background { long, switches, wanted, right: 0 }, Scribbler { cells: others, seed: 5 });
    let scamp = Ticking::new(long.begin.clone(), &clock, Times::SCAMP5, handler);
    let mut tasks = Tasks::new(scamp, &clock, &requests);
    tasks.add(0, &mut background, Schedule::default()).unwrap();
    tasks.add(1, &mut scribbler, Schedule::default()).unwrap();
    requests.make(0, 0).unwrap();
    while tasks.serve().unwrap() {}
    let interruptions = tasks.counts(0).unwrap().interruptions;
    drop(tasks);
    assert_eq!(background.right, 1);
    interruptions
}

/// Leaves the program at each point of its table in separate runs, and then at many points in the same run; returns the
/// table.
fn everywhere(long: &Long<'_>, others: Cells, limits: SwitchLimits) -> SwitchTable {
    let table = SwitchTable::of_steps_within(&long.steps, others, limits).unwrap();
    let points: Vec<_> = table.switch_points().collect();
    let of = |points| Switches { others: table.others(), points, latency: table.latency() };
    let mut array = long.begin.clone();
    let wanted = (long.run(&mut array, &[]).unwrap(), long.held(&array).unwrap());
    let words = long.steps.words_before();
    for point in points.iter().filter(|point| words[point.at as usize] > 0) {
        let left = beside(long, &wanted, &[of(std::slice::from_ref(point))], others, |word| word == 1);
        assert_eq!(left, 1, "{point:?}");
    }
    let mut state = 3_u32;
    let left = beside(long, &wanted, &[of(&points)], others, |_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 29 == 0
    });
    assert!(left > 0);
    table
}

fn registers(registers: &[Reg]) -> Cells {
    Cells::registers(Registers::of(registers))
}

fn compiled(text: &str) -> CompiledNetwork {
    let filters = parse_any(text, Overrides::default()).unwrap();
    let [Item::Network(network)] = filters.as_slice() else { panic!("no network") };
    cain_network::compile(&network.network).unwrap()
}

fn long_network(compiled: &CompiledNetwork) -> Long<'static> {
    let mut begin = Array::new(20, 20);
    begin.load_reg(compiled.input(), &image(3)[..400]).unwrap();
    let program = compiled.program();
    let steps = Steps::of(program.steps(), &compiled.network().machine, Cells::NONE);
    Long { program: program.steps().cloned().collect(), numbers: program.numbers, outputs: &[], begin, steps }
}

/// A network of kernels, thresholds and counts, like `AnalogNet2`.
const COUNTS: &str = r#"
[network.counts]
input = { size = [12, 12], levels = "-60..60", binarise = 128 }
search = { nodes = 200 }

[[network.counts.layer]]
name = "sums"
op = "convolution"
scale = "1/4"
kernels = [[[0, 0, 0], [-3, 1, 0], [-3, 0, 2]], [[-4, -1, 1], [-1, 2, 0], [1, 1, 0]], [[-1, 2, 0], [-1, 1, -3], [0, -3, 0]]]

[[network.counts.layer]]
name = "large"
op = "threshold"
at = [90, 30, 60]
values = [0, 1]

[[network.counts.layer]]
name = "read"
op = "windows"
windows = [[0, 0, 5, 5], [5, 5, 5, 5]]
"#;

/// A network of kernels and rectifiers, like `AnalogNavNet`.
const MAPS: &str = r#"
[network.maps]
input = { size = [12, 12], levels = "0..100", range = "0..1" }
search = { nodes = 200 }

[[network.maps.layer]]
name = "first"
op = "convolution"
scale = "1/4"
kernels = [[[0, 1, 0], [1, 2, 1], [0, 1, 0]], [[1, 2, 1], [0, 0, 0], [-1, -2, -1]]]
padding = [1, 1, 1, 1]

[[network.maps.layer]]
name = "first_relu"
op = "relu"

[[network.maps.layer]]
name = "second"
op = "convolution"
scale = "1/4"
kernels = [[[[0, 0, 0], [0, 3, 0], [0, 0, 0]], [[-1, 0, -1], [-1, 0, -1], [-1, 0, -1]]]]
padding = [1, 1, 1, 1]

[[network.maps.layer]]
name = "second_relu"
op = "relu"

[[network.maps.layer]]
name = "read"
op = "windows"
windows = [[0, 0, 6, 6], [6, 6, 6, 6]]
mean = true
"#;

#[test]
fn networks_are_left_at_every_point() {
    for text in [COUNTS, MAPS] {
        let compiled = compiled(text);
        let long = long_network(&compiled);
        let all = SwitchLimits { extra: u32::MAX, latency: 0 };
        let mut kinds = [0; 3];
        for others in [registers(&[Reg::F]), registers(&[Reg::E, Reg::F]), registers(&[Reg::D, Reg::E, Reg::F])] {
            let table = everywhere(&long, others, all);
            for point in table.points() {
                kinds[0] += usize::from(point.resume < point.at);
                kinds[1] += usize::from(!point.kept.is_empty());
                kinds[2] += usize::from(point.extra == 0);
            }
        }
        assert!(kinds.iter().all(|&kind| kind > 0), "{kinds:?}");
    }
}

/// Bits of the network in registers that the others overwrite, and FLAG, are kept in free ones.
#[test]
fn bits_of_a_network_are_kept() {
    let compiled = compiled(COUNTS);
    let long = long_network(&compiled);
    let bits: Cells = compiled.program().written().1.into_iter().collect();
    let table = everywhere(&long, registers(&[Reg::F]).union(bits), SwitchLimits { extra: 8, latency: 0 });
    assert!(table.points().iter().any(|point| !point.bits.is_empty()), "{:?}", table.points());
}

/// A network whose bits are read as levels by the next layer.
const LEVELS: &str = r#"
[network.corners]
input = { size = [12, 12], levels = "-60..60" }
search = { nodes = 200 }

[[network.corners.layer]]
name = "slopes"
op = "convolution"
scale = "1/2"
kernels = [[[0, 0, 0], [-1, 0, 1], [0, 0, 0]], [[0, 1, 0], [0, 0, 0], [0, -1, 0]]]
padding = 1

[[network.corners.layer]]
name = "edges"
op = "threshold"
at = 20

[[network.corners.layer]]
name = "both"
op = "convolution"
scale = "1/4"
kernels = [[[[0, 1, 0], [0, 1, 0], [0, 0, 0]], [[0, 0, 0], [0, 1, 1], [0, 0, 0]]]]
padding = 1

[[network.corners.layer]]
name = "corners"
op = "threshold"
at = 0.6

[[network.corners.layer]]
name = "read"
op = "windows"
size = 6
"#;

/// With others in all six registers, planes of two levels wait as bits.
#[test]
fn levels_are_kept_as_bits() {
    let compiled = compiled(LEVELS);
    let long = long_network(&compiled);
    let all = registers(&[Reg::A, Reg::B, Reg::C, Reg::D, Reg::E, Reg::F]);
    let table = everywhere(&long, all, SwitchLimits { extra: 16, latency: 0 });
    assert!(table.points().iter().any(|point| point.levels.len() == 2), "{:?}", table.points());
    // Here the others leave room for one of the planes, and would wait longer for both.
    let table = everywhere(&long, registers(&[Reg::A, Reg::B]), SwitchLimits { extra: 16, latency: 0 });
    assert!(table.latency() < 10, "{}", table.latency());
}

/// One block of filters on a small array.
fn pixels() -> cain_in_pixel::Compiled {
    let sign = |number: usize| if number * 7919 % 5 < 2 { -1 } else { 1 };
    let network = Declaration {
        side: 32,
        block: 16,
        picture: 12,
        scale: 1,
        pixels: Pixels::TwoBits,
        taps: 4,
        filters: (0..4).map(|filter| (0..16).map(|tap| sign(filter * 16 + tap * 3)).collect()).collect(),
        pool: 4,
        second: None,
        dense: (0..64).map(|maximum| (0..3).map(|class| [0, 1, -1][(maximum * 7 + class) % 3]).collect()).collect(),
        machine: Machine::SCAMP5,
        interruption: None,
    };
    cain_in_pixel::compile(&network).unwrap()
}

fn long_pixels(compiled: &cain_in_pixel::Compiled) -> Long<'static> {
    let mut begin = Array::new(32, 32);
    for plane in compiled.planes() {
        begin.load_bits(Bit::Reg(plane.register), &plane.bits).unwrap();
    }
    let pixels: Vec<f32> = image(11).into_iter().cycle().take(32 * 32).collect();
    begin.load_reg(Reg::A, &pixels).unwrap();
    let program = compiled.parts().iter().flat_map(|part| part.steps.clone()).collect();
    Long { program, numbers: 3, outputs: &[], begin, steps: compiled.steps() }
}

#[test]
fn networks_in_the_pixels_are_left_at_every_point() {
    let compiled = pixels();
    let long = long_pixels(&compiled);
    let all = SwitchLimits { extra: 16, latency: 0 };
    let table = everywhere(&long, registers(&[Reg::E, Reg::F]), all);
    // FLAG selects the values that are added up: it is kept as a bit.
    assert!(table.points().iter().any(|point| !point.bits.is_empty()));
    // Weights are moved out of the way and back.
    let weights = compiled.planes()[0].register;
    let few = SwitchLimits { extra: 16, latency: 12 };
    let table = everywhere(&long, registers(&[Reg::F]).union(Cells::bit(Bit::Reg(weights))), few);
    let moved = |point: &cain_search::switches::Point| point.bits.iter().any(|kept| kept.home == Bit::Reg(weights));
    assert!(table.points().iter().any(moved));
    // If others overwrite all bits, there is no room for weights.
    let everything: Cells = Dreg::ALL.into_iter().collect();
    let error = SwitchTable::of_steps(&long.steps, everything).unwrap_err();
    assert!(matches!(error, SwitchError::NoRoomForBits { .. }));
    assert!(error.to_string().starts_with("at its end the program holds `R7`"), "{error}");
}

fn automaton(interruption: Option<Interruption>) -> Result<CompiledAutomaton, CompileAutomatonError> {
    let none = vec![vec![0; 3]; 3];
    let west = vec![vec![0, 0, 0], vec![3, 1, 0], vec![0; 3]];
    let north = vec![vec![0, -2, 0], vec![0, 5, 0], vec![0; 3]];
    let own = vec![vec![0, 0, 0], vec![0, 7, 0], vec![0; 3]];
    let single = |weights: &[i32]| weights.iter().map(|weight| vec![vec![*weight]]).collect::<Vec<_>>();
    let automaton = Automaton {
        name: "small".into(),
        size: (8, 8),
        alive: 26,
        classes: 2,
        scale: 2,
        bits: Bits { state: 8, activation: 7, update: 7, register: 20 },
        layers: vec![
            Layer {
                kernels: vec![
                    vec![west, none.clone(), own, none.clone()],
                    vec![north, none.clone(), none.clone(), none],
                ],
            },
            Layer { kernels: vec![single(&[1, 0]), single(&[2, -1]), single(&[-1, 3])] },
        ],
        machine: Machine::SCAMP5.with_registers(12),
        options: Options { nodes: 500, instructions: InstructionSet::Macro, ..Options::default() },
        interruption,
    };
    cain_network::automaton::compile(&automaton, |_, _| std::ops::ControlFlow::Continue(()))
}

/// The state and the random bits are preserved, whatever runs in the registers in between.
#[test]
fn steps_of_an_automaton_are_left_at_every_point() {
    let compiled = automaton(None).unwrap();
    let listing: Vec<Instruction> = compiled.instructions().copied().collect();
    let machine = compiled.automaton().machine;
    let state = compiled.registers().state();
    let mut begin = Array::new(20, 20).machine(machine);
    for (number, reg) in (0..).zip(machine.registers.iter()) {
        begin.load_reg(reg, &image(number)[..400]).unwrap();
    }
    for (number, bit) in (7..).zip(Dreg::ALL) {
        let plane: Vec<bool> = image(number)[..400].iter().map(|&pixel| pixel > 0.0).collect();
        begin.load_bits(Bit::Reg(bit), &plane).unwrap();
    }
    let program = vec![Step::Execute(listing)];
    let long = Long { program, numbers: 0, outputs: state, begin, steps: compiled.steps() };
    let last: Vec<Reg> = machine.registers.iter().rev().take(2).collect();
    let all = SwitchLimits { extra: 24, latency: 0 };
    for others in
        [registers(&last), registers(&state[1..3]), registers(&last).union(Cells::bit(Bit::Reg(Places::NOISE)))]
    {
        let table = everywhere(&long, others, all);
        assert!(table.latency() < 40, "{}", table.latency());
    }
}

/// If the step holds values in registers of others, these are moved away, or other programs avoid them; what is
/// impossible is reported.
#[test]
fn automata_keep_the_promise_of_their_declaration() {
    let wanted = |others: &[Reg], latency| Some(Interruption::new(vec![registers(others)], Some(latency)));
    let all: Vec<Reg> = Machine::SCAMP5.with_registers(12).registers.iter().collect();
    let moved = automaton(wanted(&all[..2], 12)).unwrap();
    assert!(moved.automaton().machine.registers.contains(all[0]));
    let [table] = moved.switches() else { panic!("one table") };
    assert!(table.latency() <= 12 && table.most_extra() > 0, "{}, {}", table.latency(), table.most_extra());

    let apart = automaton(wanted(&all[..2], 5)).unwrap();
    assert!(!apart.automaton().machine.registers.contains(all[0]));
    assert_eq!(apart.switches()[0].latency(), 5);

    let error = automaton(wanted(&all[..7], 1)).unwrap_err();
    assert!(matches!(error, CompileAutomatonError::Interruption { enough: Some(10), .. }), "{error:?}");
}

/// Long programs are left within a fiftieth of their length, at the cost of a hundredth of it.
#[test]
fn long_programs_are_left_soon_and_for_little() {
    let compiled = pixels();
    let steps = compiled.steps();
    let table = SwitchTable::of_steps(&steps, registers(&[Reg::E, Reg::F])).unwrap();
    let words = steps.words();
    assert!(
        words < 1_000 || (50 * table.latency() <= words && 100 * table.most_extra() <= words),
        "{}",
        table.latency()
    );
    // There are fewer points, but others need not wait longer.
    let few = SwitchLimits { extra: 16, latency: 30 };
    let few = SwitchTable::of_steps_within(&steps, registers(&[Reg::E, Reg::F]), few).unwrap();
    let all = SwitchLimits { extra: 16, latency: 0 };
    let all = SwitchTable::of_steps_within(&steps, registers(&[Reg::E, Reg::F]), all).unwrap();
    assert!(few.latency() <= 30.max(all.latency()) && few.points().len() * 4 < all.points().len());
}
