//! Tests of large linear maps: many inputs and outputs.

use cain_analysis::prove::{Atom, Polynomial};
use cain_isa::{Displacement, Fraction, Machine, Reg, Stop};
use cain_search::{
    Declaration, Input, InstructionSet, MaxGain, OffsetRule, Options, Output, SearchError, Solution, search, verify,
};

use crate::common::{kernel, on_threads};

/// A generator of pseudo-random numbers that are the same on every machine.
struct Numbers(u64);

impl Numbers {
    fn up_to(&mut self, most: u16) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i64::from(u16::try_from(self.0 >> 48).unwrap() % (most + 1))
    }
}

/// A layer of a network: kernels of each input for each output.
#[derive(Clone, Copy)]
struct Layer {
    inputs: u8,
    outputs: u8,
    /// Kernels have 2·`radius` + 1 rows.
    radius: i16,
    registers: u16,
    /// Weights are in units of 1/`denominator`, up to 15 of them.
    denominator: i64,
    instructions: InstructionSet,
}

const LAYER: Layer =
    Layer { inputs: 6, outputs: 7, radius: 1, registers: 40, denominator: 64, instructions: InstructionSet::Macro };

impl Layer {
    fn declaration(self) -> Declaration {
        let mut numbers = Numbers(u64::from(self.inputs) << 8 | u64::from(self.outputs));
        let mut kernel = || {
            let mut kernel = Polynomial::new();
            for channel in 0..self.inputs {
                for (x, y) in
                    (-self.radius..=self.radius).flat_map(|y| (-self.radius..=self.radius).map(move |x| (x, y)))
                {
                    let weight = Fraction::new(numbers.up_to(30) - 15, self.denominator).unwrap();
                    kernel
                        .add_term(Atom { channel: channel.into(), displacement: Displacement::new(x, y) }, weight)
                        .unwrap();
                }
            }
            kernel
        };
        let mut registers = (0..u8::try_from(self.registers).unwrap()).map(Reg::from_index);
        let inputs = registers.by_ref().take(self.inputs.into()).map(|reg| Input { reg, keep: true }).collect();
        let outputs =
            registers.by_ref().take(self.outputs.into()).map(|reg| Output { reg, kernel: kernel() }).collect();
        Declaration {
            name: "layer".into(),
            inputs,
            outputs,
            scratch: registers.collect(),
            machine: Machine::SCAMP5.with_registers(self.registers),
            options: Options {
                instructions: self.instructions,
                max_gain: MaxGain::Any,
                nodes: 1_000,
                ..Options::default()
            },
        }
    }
}

/// Searches, and proves the program once more.
#[track_caller]
fn solve(declaration: &Declaration) -> Solution {
    let solution = search(declaration).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(verify(declaration, solution.program.listing()).as_ref(), Ok(&solution.program));
    solution
}

#[track_caller]
fn length(declaration: &Declaration) -> usize {
    solve(declaration).program.listing().len()
}

/// A weight of five bits has 1.7 signed digits on average; two of them take an instruction, or six a word in the best
/// case.
#[test]
fn layers_of_macro_instructions_and_words() {
    let weights = LAYER.declaration().weights();
    let macros = length(&LAYER.declaration());
    let words = length(&Layer { instructions: InstructionSet::Native, ..LAYER }.declaration());
    assert!(macros < weights * 5 / 4, "{macros} for {weights} weights");
    assert!(words < weights, "{words} for {weights} weights");
    let basic = length(&Layer { instructions: InstructionSet::Basic, ..LAYER }.declaration());
    assert!(basic > macros, "{basic}");
}

/// Values serve several of ten kernels, and are exchanged for others that serve more.
#[test]
fn many_kernels_of_one_input() {
    let mut declaration = Layer { inputs: 1, outputs: 10, registers: 18, ..LAYER }.declaration();
    declaration.options.offset = OffsetRule::Any;
    let mut numbers = Numbers(1);
    for output in &mut declaration.outputs {
        let rows = [0; 3].map(|_| [0; 3].map(|_| i32::try_from(numbers.up_to(8)).unwrap()));
        output.kernel = kernel(8, &rows.each_ref().map(<[i32; 3]>::as_slice));
    }
    let mut found = |nodes, threads| {
        declaration.options.nodes = nodes;
        on_threads(threads, || solve(&declaration))
    };
    let [few, one, several] = [(400, 1), (4_000, 1), (4_000, 3)].map(|(nodes, threads)| found(nodes, threads));
    assert_eq!(one, several);
    let [few, many] = [few, one].map(|solution| solution.program.listing().len());
    assert!(many * 6 < few * 5, "{few} {many}");
}

/// A table of shared sums needs registers.
#[test]
fn more_registers_make_shorter_programs() {
    let scarce = length(&Layer { registers: 15, ..LAYER }.declaration());
    let plenty = length(&Layer { registers: 60, ..LAYER }.declaration());
    assert!(plenty * 10 < scarce * 9, "{plenty} {scarce}");
}

/// The shapes are: one place with several channels, one channel with many places, and integer weights.
#[test]
fn other_shapes() {
    for instructions in [InstructionSet::Macro, InstructionSet::Native] {
        for (inputs, outputs, radius, registers, denominator) in
            [(20, 18, 0, 60, 64), (1, 40, 1, 60, 16), (1, 5, 4, 20, 64), (3, 12, 1, 30, 1), (4, 10, 1, 60, 2)]
        {
            let layer = Layer { inputs, outputs, radius, registers, denominator, instructions };
            let declaration = layer.declaration();
            let found = length(&declaration);
            assert!(found < 3 * declaration.weights(), "{found} for {declaration}");
        }
    }
}

/// By default, no value may be larger than a result, and transfer errors cancel; [`verify`] checks that.
#[test]
fn gains_that_are_limited() {
    for instructions in [InstructionSet::Macro, InstructionSet::Native] {
        for layer in [LAYER, Layer { inputs: 20, outputs: 18, radius: 0, registers: 60, ..LAYER }] {
            let mut declaration = Layer { instructions, ..layer }.declaration();
            let any = length(&declaration);
            declaration.options.max_gain = MaxGain::Own;
            let own = length(&declaration);
            assert!(any < own && own < 4 * declaration.weights(), "{any} {own}");
            declaration.options.offset = OffsetRule::Any;
            solve(&declaration);
        }
    }
}

/// Results go to registers of inputs only when these are no longer needed.
#[test]
fn outputs_in_the_registers_of_inputs() {
    for instructions in [InstructionSet::Macro, InstructionSet::Native] {
        let mut declaration = Layer { instructions, ..LAYER }.declaration();
        for input in &mut declaration.inputs {
            input.keep = false;
        }
        for (output, input) in declaration.outputs.iter_mut().zip(&declaration.inputs) {
            declaration.scratch.push(std::mem::replace(&mut output.reg, input.reg));
        }
        solve(&declaration);
    }
}

#[test]
fn zeros_and_single_weights() {
    for instructions in [InstructionSet::Macro, InstructionSet::Native] {
        let mut declaration = Layer { instructions, ..LAYER }.declaration();
        let single = |channel, numerator, denominator| {
            let mut kernel = Polynomial::new();
            let displacement = Displacement::new(0, i16::from(denominator > 1));
            kernel.add_term(Atom { channel, displacement }, Fraction::new(numerator, denominator).unwrap()).unwrap();
            kernel
        };
        declaration.outputs[0].kernel = Polynomial::new();
        declaration.outputs[1].kernel = single(0, 1, 1);
        declaration.outputs[2].kernel = single(1, -1, 1);
        declaration.outputs[3].kernel = single(2, -1, 64);
        // There are enough of the others to make it large.
        let kernel = declaration.outputs[4].kernel.clone();
        let rest = declaration.scratch.split_off(10);
        declaration.outputs.extend(rest.into_iter().map(|reg| Output { reg, kernel: kernel.clone() }));
        solve(&declaration);
    }
}

#[test]
fn more_nodes_are_no_worse() {
    for instructions in [InstructionSet::Macro, InstructionSet::Native] {
        let mut declaration = Layer { instructions, ..LAYER }.declaration();
        let mut before = usize::MAX;
        for nodes in [1, 100, 400, 1_600, 6_400] {
            declaration.options.nodes = nodes;
            let solution = solve(&declaration);
            let found = solution.program.listing().len();
            assert!(found <= before, "{nodes} nodes: {found} after {before}");
            assert_eq!(solution.statistics.stop, Stop::Nodes);
            assert!(solution.statistics.nodes <= nodes);
            before = found;
        }
        declaration.options.nodes = 1;
        assert!(before < length(&declaration));
    }
}

#[test]
fn any_number_of_threads() {
    let found = |threads| on_threads(threads, || search(&LAYER.declaration()).unwrap());
    assert_eq!(found(1), found(3));
}

#[test]
fn little_memory_is_enough() {
    let mut declaration = LAYER.declaration();
    declaration.options.memory = Options::LEAST_MEMORY;
    solve(&declaration);
}

/// The error immediately says how many registers would suffice.
#[test]
fn too_few_registers() {
    for instructions in [InstructionSet::Macro, InstructionSet::Native] {
        let mut declaration = Layer { registers: 13, instructions, ..LAYER }.declaration();
        declaration.options.nodes = u64::MAX;
        let Err(SearchError::Registers { writable, enough: Some(enough), .. }) = search(&declaration) else {
            panic!("{instructions:?}");
        };
        assert_eq!(writable.len(), 7);
        let registers = 13 + u16::try_from(enough - writable.len()).unwrap();
        let mut declaration = Layer { registers, instructions, ..LAYER }.declaration();
        declaration.options.nodes = 1;
        solve(&declaration);
    }
}

/// Ten kernels with 18 registers, as in Figure 4 of Stow et al. 2022: for sizes in between, neither search alone is
/// better.
#[test]
fn a_few_kernels_of_one_input() {
    for offset in [OffsetRule::Cancelled, OffsetRule::Any] {
        let layer = Layer { inputs: 1, outputs: 10, registers: 18, denominator: 16, ..LAYER };
        let mut declaration = layer.declaration();
        (declaration.options.offset, declaration.options.nodes) = (offset, 2_000);
        let found = length(&declaration);
        assert!(found < 130, "{found}");
    }
}
