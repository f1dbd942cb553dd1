//! Long programs in the background: networks, a network in the pixels, and the step of an automaton.

use std::error::Error;
use std::ops::ControlFlow;

use cain_analysis::owned::Step;
use cain_in_pixel::{Declaration, Pixels};
use cain_network::automaton;
use cain_network::{Image, Layer, Network, Operation, Padding, Source, Window, compile};
use cain_runtime::io::ArrayIo;
use cain_runtime::isa::{Bit, Cells, Dreg, Fraction, Instruction, Machine, Reg, Switches};
use cain_runtime::program::{Place, carry_out};
use cain_runtime::sim::{Array, SimError};
use cain_runtime::tasks::{Context, Outcome, Task};
use cain_search::Options;
use cain_search::switches::Steps;

use crate::cells::PLANES;
use crate::random::Random;
use crate::task::Clocked;

/// A program of a controller's steps, and the array on which it starts.
pub(crate) struct Long {
    pub(crate) name: &'static str,
    program: Vec<Step>,
    /// How many numbers are read.
    numbers: usize,
    /// The program as the search for switch points sees it.
    pub(crate) steps: Steps,
    /// The number of control words before the end of each layer.
    pub(crate) layers: Vec<u32>,
    /// The number of analogue planes of its array.
    pub(crate) planes: u16,
    begin: Array,
    /// Whether registers hold integers, to which a chip's errors do not apply.
    pub(crate) is_digital: bool,
    /// The registers that hold results at the end.
    outputs: Vec<Reg>,
}

/// The results of a program: numbers that are read out, and planes.
pub(crate) type Results = (Vec<f64>, Vec<f32>);

/// The number of PEs along each side of the array of networks, and of their pictures, which are in its middle.
pub(crate) const SIDE: usize = 48;
const PICTURE: usize = 28;
const CORNER: usize = (SIDE - PICTURE) / 2;

impl Long {
    /// All long programs; `side` is that of the array with weights in its pixels.
    pub(crate) fn all(random: &mut Random, side: usize) -> Result<Vec<Self>, Box<dyn Error>> {
        Ok(vec![analognavnet(random)?, analognet2(random)?, in_the_pixels(random, side)?, of_the_automaton(random)?])
    }

    /// The number of PEs along each side.
    pub(crate) fn side(&self) -> usize {
        self.begin.width()
    }

    /// The array on which it starts.
    pub(crate) fn begin(&self) -> Array {
        self.begin.clone()
    }

    /// The results of an undisturbed run.
    pub(crate) fn undisturbed(&self) -> Result<Results, SimError> {
        self.undisturbed_on(self.begin())
    }

    /// The results of an undisturbed run on a given array.
    pub(crate) fn undisturbed_on(&self, mut array: Array) -> Result<Results, SimError> {
        let numbers = self.run(&mut array, &[])?;
        Ok((numbers, self.results(&array)?))
    }

    fn run<A: ArrayIo<Error = SimError>>(
        &self,
        scamp: &mut A,
        switches: &[Switches<'_>],
    ) -> Result<Vec<f64>, SimError> {
        let mut numbers = vec![0.0; self.numbers];
        let place = Place { row: CORNER, column: CORNER };
        carry_out(scamp, &self.program, switches, &[place], &mut numbers)?;
        Ok(numbers)
    }

    fn results(&self, array: &Array) -> Result<Vec<f32>, SimError> {
        self.outputs.iter().try_fold(Vec::new(), |planes, &reg| Ok([planes, array.read_reg(reg)?.to_vec()].concat()))
    }
}

/// Runs the program again and again from the same array, and compares its results.
pub(crate) struct Background<'p> {
    pub(crate) long: &'p Long,
    pub(crate) switches: &'p [Switches<'p>],
    pub(crate) wanted: &'p Results,
    /// The array on which it starts.
    begin: Array,
    /// The number of runs with other results.
    pub(crate) wrong: u32,
    /// The largest difference of a number that is read out.
    pub(crate) added: f64,
}

impl<'p> Background<'p> {
    /// The task of a long program on its array.
    pub(crate) fn new(long: &'p Long, switches: &'p [Switches<'p>], wanted: &'p Results) -> Self {
        Self::on(long.begin(), long, switches, wanted)
    }

    /// The array on which it starts.
    pub(crate) fn begin(&self) -> Array {
        self.begin.clone()
    }

    /// The task on a given array.
    pub(crate) fn on(begin: Array, long: &'p Long, switches: &'p [Switches<'p>], wanted: &'p Results) -> Self {
        Self { long, switches, wanted, begin, wrong: 0, added: 0.0 }
    }
}

impl<F: FnMut(u32)> Task<Clocked<'_, F>> for Background<'_> {
    fn cells(&self) -> Cells {
        // The program has the lowest priority: no other program has to make room for it.
        Cells::registers((0..u8::MAX).map(Reg::from_index).collect()).union(Dreg::ALL.into_iter().collect())
    }

    fn run(&mut self, scamp: &mut Context<'_, Clocked<'_, F>>) -> Result<Outcome, SimError> {
        scamp.controller().controller_mut().clone_from(&self.begin);
        let numbers = self.long.run(scamp, self.switches)?;
        let planes = self.long.results(scamp.controller().controller_mut())?;
        let differences = numbers.iter().zip(&self.wanted.0).map(|(found, wanted)| (found - wanted).abs());
        self.added = differences.fold(self.added, f64::max);
        self.wrong += u32::from((numbers, planes) != *self.wanted);
        Ok(Outcome::Done)
    }
}

/// The part of the robot's network that runs on the array.
fn analognavnet(random: &mut Random) -> Result<Long, Box<dyn Error>> {
    let same = Padding { top: 1, left: 1, bottom: 1, right: 1 };
    let first = [[[0, 1, 0], [1, 2, 1], [0, 1, 0]], [[1, 2, 1], [0, 0, 0], [-1, -2, -1]]];
    let second = [[[0, 0, 0], [0, 3, 0], [0, 0, 0]], [[-1, 0, -1], [-1, 0, -1], [-1, 0, -1]]];
    let third = [[0, 1, 0], [0, 3, 0], [0, 1, 0]];
    let windows = Operation::Windows { windows: Window::tiles((PICTURE, PICTURE), (7, 7)), mean: true };
    let layers = vec![
        convolution(&first.map(|kernel| vec![kernel]), same),
        Operation::Relu,
        convolution(&[second.to_vec()], same),
        Operation::Relu,
        convolution(&[vec![third]], same),
        Operation::Relu,
        windows,
    ];
    network("AnalogNavNet", (0.0, 100.0), layers, random)
}

/// A network of three kernels, thresholds, and counts in windows.
fn analognet2(random: &mut Random) -> Result<Long, Box<dyn Error>> {
    let kernels = [
        [[0, 0, 0], [-3, 1, 0], [-3, 0, 2]],
        [[-4, -1, 1], [-1, 2, 0], [1, 1, 0]],
        [[-1, 2, 0], [-1, 1, -3], [0, -3, 0]],
    ];
    let windows =
        [2, 6, 11, 15].into_iter().flat_map(|top| [4, 8, 13].map(|left| Window { top, left, height: 9, width: 9 }));
    let layers = vec![
        convolution(&kernels.map(|kernel| vec![kernel]), Padding::NONE),
        Operation::Threshold { at: vec![90.0, 30.0, 60.0], inclusive: false, below: 0.0, above: 1.0 },
        Operation::Windows { windows: windows.collect(), mean: false },
    ];
    network("AnalogNet2", (-60.0, 60.0), layers, random)
}

/// A convolution with weights in quarters: for each output a kernel of each input.
fn convolution(kernels: &[Vec<[[i64; 3]; 3]>], padding: Padding) -> Operation {
    let quarters = |weight: i64| Fraction::new(weight, 4).unwrap_or(Fraction::ZERO);
    let kernel = |kernel: &[[i64; 3]; 3]| kernel.iter().map(|row| row.map(quarters).to_vec()).collect();
    Operation::Convolution {
        kernels: kernels.iter().map(|inputs| inputs.iter().map(kernel).collect()).collect(),
        bias: vec![0.0; kernels.len()],
        stride: (1, 1),
        dilation: (1, 1),
        padding,
    }
}

fn network(
    name: &'static str,
    levels: (f64, f64),
    layers: Vec<Operation>,
    random: &mut Random,
) -> Result<Long, Box<dyn Error>> {
    let from = |number: usize| number.checked_sub(1).map_or(Source::Image, Source::Layer);
    let layers = layers.into_iter().enumerate();
    let layers =
        layers.map(|(number, operation)| Layer { name: format!("l{number}"), from: vec![from(number)], operation });
    let network = Network {
        name: name.to_owned(),
        input: Image { height: PICTURE, width: PICTURE, levels, range: levels, binarise: None },
        pictures: vec![],
        largest_sums: Fraction::ONE,
        layers: layers.collect(),
        machine: Machine::SCAMP5,
        options: Options { nodes: 2_000, ..Options::default() },
        interruption: None,
    };
    let compiled = compile(&network)?;
    let mut begin = Array::new(SIDE, SIDE);
    begin.load_reg(compiled.input(), &random.plane(SIDE))?;
    let mut words = 0;
    let layer_of = |stage: &cain_network::Stage| stage.layer;
    let mut ends: Vec<(Option<usize>, u32)> = Vec::new();
    for stage in compiled.stages() {
        words += Steps::of(&stage.steps, &network.machine, Cells::NONE).words();
        match ends.last_mut() {
            Some((layer, end)) if *layer == layer_of(stage) => *end = words,
            _ => ends.push((layer_of(stage), words)),
        }
    }
    let steps: Vec<Step> = compiled.steps().cloned().collect();
    let numbers = compiled.readouts().iter().map(|(_, count)| count).sum();
    Ok(Long {
        name,
        steps: Steps::of(&steps, &network.machine, Cells::NONE),
        program: steps,
        numbers,
        layers: ends.into_iter().map(|(_, end)| end).collect(),
        planes: PLANES,
        begin,
        is_digital: false,
        outputs: Vec::new(),
    })
}

/// A network of the same size as in the example `in_pixel`, with random weights.
fn in_the_pixels(random: &mut Random, side: usize) -> Result<Long, Box<dyn Error>> {
    const BLOCK: usize = 32;
    const CLASSES: usize = 10;
    let blocks = (side / BLOCK) * (side / BLOCK);
    let maxima = blocks * (BLOCK / 4) * (BLOCK / 4);
    let mut sign = || if random.below(2) == 0 { -1 } else { 1 };
    let filters = (0..blocks).map(|_| (0..16).map(|_| sign()).collect()).collect();
    let dense = (0..maxima).map(|_| (0..CLASSES).map(|_| sign()).collect()).collect();
    let network = Declaration {
        side,
        block: BLOCK,
        picture: PICTURE,
        scale: 1,
        pixels: Pixels::OneBit,
        taps: 4,
        filters,
        pool: 4,
        second: None,
        dense,
        machine: Machine::SCAMP5,
        interruption: None,
    };
    let compiled = cain_in_pixel::compile(&network)?;
    let mut begin = Array::new(side, side);
    for plane in compiled.planes() {
        begin.load_bits(Bit::Reg(plane.register), &plane.bits)?;
    }
    begin.load_reg(compiled.input(), &random.plane(side))?;
    let ends = compiled.parts().iter().scan(0, |words, part| {
        *words += u32::try_from(part.words()).unwrap_or(u32::MAX);
        Some(*words)
    });
    let layers = ends.collect();
    Ok(Long {
        name: "in the pixels",
        steps: compiled.steps(),
        program: compiled.parts().iter().flat_map(|part| part.steps.clone()).collect(),
        numbers: CLASSES,
        layers,
        planes: PLANES,
        begin,
        is_digital: false,
        outputs: Vec::new(),
    })
}

/// The number of PEs along each side of the array of the automaton.
const CELLS: usize = 32;

/// A step of the automaton that `examples/training/automaton.py` has trained: three layers, written out.
fn of_the_automaton(random: &mut Random) -> Result<Long, Box<dyn Error>> {
    let compiled = automaton::compile(&super::automaton::trained()?, |_, _| ControlFlow::Continue(()))?;
    let listing: Vec<Instruction> = compiled.instructions().copied().collect();
    let words = |list: &[Instruction]| Steps::of_listing(list, Cells::NONE, Cells::NONE).words();
    // Instructions after a layer belong to it; random bits come first, and the update last.
    let update = compiled.program().parts.last().map_or(0, |part| u32::try_from(part.words()).unwrap_or(u32::MAX));
    let all = words(&listing);
    let programs: Vec<u32> = compiled.layers().iter().map(|layer| words(layer.program.listing())).collect();
    let between = all.saturating_sub(update + programs.iter().sum::<u32>());
    let ends = programs.iter().scan(between, |end, words| {
        *end += words;
        Some(*end)
    });
    let mut layers: Vec<u32> = ends.collect();
    layers.push(all);

    // The machine has the registers that the automaton leaves alone.
    let machine = super::automaton::MACHINE;
    let mut begin = Array::new(CELLS, CELLS).machine(machine);
    for reg in machine.registers.iter() {
        begin.load_reg(reg, &random.plane(CELLS))?;
    }
    for bit in Dreg::ALL {
        let plane: Vec<bool> = (0..CELLS * CELLS).map(|_| random.below(2) == 0).collect();
        begin.load_bits(Bit::Reg(bit), &plane)?;
    }
    Ok(Long {
        name: "automaton",
        steps: compiled.steps(),
        outputs: compiled.registers().state().to_vec(),
        program: vec![Step::Execute(listing)],
        numbers: 0,
        layers,
        planes: u16::try_from(machine.registers.len() + 1).unwrap_or(u16::MAX),
        begin,
        is_digital: true,
    })
}
