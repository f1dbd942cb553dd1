//! Compares a whole step on the simulated array with exact arithmetic.

use std::ops::ControlFlow;

use cain_isa::{Bit, HostController, Instruction, Machine};
use cain_network::automaton::{
    Automaton, Bits, Cells, CompiledAutomaton, Layer, Noise, Reference, Registers, Saturated, compile,
};
use cain_runtime::sim::Array;
use cain_search::{InstructionSet, Options};

use super::simulate::Simulator;

/// An automaton with integer weights, for which an array without rounding computes the same as integers.
fn automaton(scale: u8, register: u8) -> Automaton {
    let cross = vec![vec![0, 1, 0], vec![-1, 2, 1], vec![0, 0, 0]];
    let corner = vec![vec![0, 0, 1], vec![0, -1, 0], vec![0, 1, 0]];
    let own = |weight| vec![vec![0; 3], vec![0, weight, 0], vec![0; 3]];
    let single = |weights: &[i32]| weights.iter().map(|weight| vec![vec![*weight]]).collect::<Vec<_>>();
    Automaton {
        name: "crosses".into(),
        size: (9, 10),
        alive: 26,
        classes: 2,
        scale,
        bits: Bits { state: 16, activation: 16, update: 16, register },
        layers: vec![
            Layer {
                kernels: vec![
                    vec![cross.clone(), own(1), corner.clone(), own(-1)],
                    vec![own(1), corner, own(0), cross],
                    vec![own(0), own(-1), own(2), own(1)],
                ],
            },
            Layer { kernels: vec![single(&[1, -1, 0]), single(&[-2, 1, 1]), single(&[0, 1, -1])] },
        ],
        machine: Machine::SCAMP5.with_registers(14),
        options: Options { nodes: 3_000, instructions: InstructionSet::Macro, ..Options::default() },
        interruption: None,
    }
}

/// A ring on a black background.
fn ring() -> Vec<u8> {
    let pixel = |row: usize, column: usize| match (row, column) {
        (3 | 6, 3..=6) | (4 | 5, 3 | 6) => u8::try_from(40 + row * column).unwrap(),
        _ => 0,
    };
    (0..9).flat_map(|row| (0..10).map(move |column| pixel(row, column))).collect()
}

fn compiled(automaton: &Automaton) -> CompiledAutomaton {
    compile(automaton, |_, _| ControlFlow::Continue(())).unwrap()
}

fn carry_out(array: &mut Array, listing: &[Instruction]) {
    for &instruction in listing {
        array.execute(instruction).unwrap();
    }
}

#[test]
#[expect(clippy::cast_precision_loss, reason = "numbers of 16 bits")]
fn the_instructions_of_a_step_compute_it() {
    let automaton = automaton(0, 24);
    let compiled = compiled(&automaton);
    let (height, width) = automaton.size;
    let mut cells = Cells::new(&automaton, &ring());
    let mut noise = Noise::new(3, automaton.size);
    let mut array = Array::new(width, height).machine(automaton.machine);
    for (channel, &reg) in compiled.registers().state().iter().enumerate() {
        let plane: Vec<f32> = cells.plane(channel).iter().map(|value| *value as f32).collect();
        array.load_reg(reg, &plane).unwrap();
    }
    let alive: Vec<bool> = (0..height * width).map(|cell| cells.is_alive(cell)).collect();
    for (register, bits) in
        [(Registers::ALIVE, &alive[..]), (Registers::NOISE, noise.bits()), (Registers::RULE, noise.rule())]
    {
        array.load_bits(Bit::Reg(register), bits).unwrap();
    }
    let reference = Reference::new(&automaton);
    let step: Vec<_> = compiled.instructions().copied().collect();
    for _ in 0..3 {
        noise.step();
        assert_eq!(reference.step(&mut cells, noise.bits()), Saturated::default());
        carry_out(&mut array, &step);
        assert_eq!(array.read_bits(Bit::Reg(Registers::NOISE)).unwrap(), noise.bits());
        for (channel, &reg) in compiled.registers().state().iter().enumerate() {
            let expected: Vec<f32> = cells.plane(channel).iter().map(|value| *value as f32).collect();
            assert_eq!(array.read_reg(reg).unwrap(), expected, "number {channel} of the state");
        }
    }
    assert!((0..height * width).any(|cell| cells.class(&automaton, cell) == 1));
    for (class, listing) in compiled.classes().iter().enumerate() {
        carry_out(&mut array, listing);
        let is_of_class = |cell: usize| alive[cell] && cells.class(&automaton, cell) == class;
        let expected: Vec<bool> = (0..height * width).map(is_of_class).collect();
        assert_eq!(array.read_bits(Bit::Reg(Registers::CLASS)).unwrap(), expected, "class {class}");
    }
}

#[test]
fn programs_on_wide_registers_compute_the_exact_state() {
    for instructions in [InstructionSet::Macro, InstructionSet::Native] {
        let mut automaton = automaton(2, 24);
        automaton.options.instructions = instructions;
        let compiled = compiled(&automaton);
        let simulator = Simulator::new(&compiled).unwrap();
        let reference = Reference::new(&automaton);
        let mut noise = Noise::new(5, automaton.size);
        // The picture touches the border.
        let picture: Vec<u8> = (0..90_u8).map(|cell| cell.wrapping_mul(37)).collect();
        let mut cells = Cells::new(&automaton, &picture);
        for step in 0..10 {
            noise.step();
            let mut expected = cells.clone();
            reference.step(&mut expected, noise.bits());
            simulator.step(&mut cells, noise.bits()).unwrap();
            assert_eq!(cells, expected, "step {step}");
        }
        assert!(cells.state(0).iter().any(|value| *value != 0));
    }
}
