//! Tests of automata whose results can be computed by hand, of random bits, and of errors.

use std::ops::ControlFlow;

use cain_isa::{Machine, Word};

use super::{
    Automaton, AutomatonError, Bits, Cells, CompileAutomatonError, Layer, Noise, Reference, clock_periods, compile,
};
use cain_search::{InstructionSet, Options};

/// An automaton with the grey, one hidden integer and two classes, and a first layer of two outputs that reads the west
/// and the north.
fn small() -> Automaton {
    let none = vec![vec![0; 3]; 3];
    let west = vec![vec![0, 0, 0], vec![3, 1, 0], vec![0; 3]];
    let north = vec![vec![0, -2, 0], vec![0, 5, 0], vec![0; 3]];
    let own = vec![vec![0, 0, 0], vec![0, 7, 0], vec![0; 3]];
    let single = |weights: &[i32]| weights.iter().map(|weight| vec![vec![*weight]]).collect::<Vec<_>>();
    Automaton {
        name: "small".into(),
        size: (3, 3),
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
        options: Options { nodes: 2_000, instructions: InstructionSet::Macro, ..Options::default() },
        interruption: None,
    }
}

#[test]
fn a_step_is_rounded_down_rectified_and_saturated() {
    let automaton = small();
    let picture = [0, 0, 0, 20, 40, 0, 0, 0, 200];
    let mut cells = Cells::new(&automaton, &picture);
    let saturated = Reference::new(&automaton).step(&mut cells, &[true; 9]);
    // In the middle: 3·20 + 40 and 5·40 over 4 become 25 and 50, and then 25/4, 0 and 125/4.
    let state = |cells: &Cells, cell: usize| (0..3).map(|channel| cells.state(channel)[cell]).collect::<Vec<_>>();
    assert_eq!(state(&cells, 4), [6, 0, 31]);
    // In the south-east corner: 200/4 and 1000/4, which saturates at seven bits; the update has six bits and a sign.
    assert_eq!(state(&cells, 8), [12, -7, 63]);
    assert_eq!((saturated.activations, saturated.updates, saturated.states), (1, 1, 0));
    // The western cell is not alive.
    assert_eq!(state(&cells, 3), [0, 0, 0]);
    assert_eq!([4, 8].map(|cell| cells.class(&automaton, cell)), [1, 1]);

    let before = cells.clone();
    Reference::new(&automaton).step(&mut cells, &[false; 9]);
    assert_eq!(cells, before);
    cells.show(&automaton, &[0, 0, 0, 0, 90, 90, 0, 0, 0]);
    assert_eq!(state(&cells, 4), [6, 0, 31]);
    assert_eq!(state(&cells, 8), [0, 0, 0]);
}

#[test]
fn the_class_is_the_first_of_equals() {
    let automaton = small();
    let cells = Cells::new(&automaton, &[255; 9]);
    assert_eq!(cells.class(&automaton, 0), 0);
}

#[test]
fn programs_are_proved_and_fit_the_registers() {
    let automaton = small();
    let compiled = compile(&automaton, |_, _| ControlFlow::Continue(())).unwrap();
    let guards: Vec<u32> = compiled.layers().iter().map(|layer| layer.guard).collect();
    assert_eq!(guards, [2, 2]);
    assert!(compiled.layers().iter().all(|layer| layer.width <= 20));
    // Inputs are preserved, and no register of the machine is used for two things at once.
    let registers = compiled.registers();
    assert_eq!(registers.inputs(1), registers.outputs(0));
    for (layer, outputs) in [registers.outputs(0), registers.outputs(1)].into_iter().enumerate() {
        assert!(outputs.iter().all(|reg| !registers.state().contains(reg) && !registers.inputs(layer).contains(reg)));
    }
}

#[test]
fn what_does_not_fit_is_told_before_the_search() {
    type Change = fn(&mut Automaton);
    let cases: [(Change, &str); 11] = [
        (|a| a.size = (0, 3), "the picture has 0×3 cells; expected 1 to 256 rows and columns"),
        (|a| a.layers.clear(), "there is no layer"),
        (|a| a.classes = 4, "4 classes do not fit the 3 outputs of the last layer"),
        (|a| a.bits.state = 17, "`state` has 17 bits; expected 2 to 16"),
        (|a| a.scale = 40, "the denominator of the weights is 2^40; expected at most 2^16"),
        (
            |a| a.machine = Machine::SCAMP5,
            "the machine has 6 registers; the state, the results of two layers and a sum need 10",
        ),
        (
            |a| a.bits.register = 11,
            "layer 1: its sums need registers of 12 bits, these have 11; expected `register = 12`",
        ),
        (|a| a.layers[0].kernels[1].truncate(3), "layer 1: output 1 has weights for 3 inputs; expected 4"),
        (|a| a.layers[1].kernels[2].push(vec![vec![1]]), "layer 2: output 2 has weights for 3 inputs; expected 2"),
        (|a| a.layers[0].kernels[1][2].truncate(1), "layer 1: a kernel of output 1 has another size"),
        (
            |a| a.layers[1] = Layer { kernels: vec![vec![vec![vec![0; 3]; 3]; 2]; 3] },
            "layer 2: a kernel has 3×3 weights; expected 1×1",
        ),
    ];
    for (change, expected) in cases {
        let mut automaton = small();
        change(&mut automaton);
        let message = automaton.check().unwrap_err().to_string();
        assert!(message.starts_with(expected), "{message}");
        let compiled = compile(&automaton, |_, _| ControlFlow::Continue(()));
        assert!(matches!(compiled, Err(CompileAutomatonError::Declaration(_))));
    }
    assert_eq!(small().check(), Ok::<(), AutomatonError>(()));
}

/// Each statistic is a sum of many bits or of products of two, whose distribution is that of a fair coin.
#[test]
fn random_bits_are_fair_and_independent_in_pairs() {
    let (height, width, steps) = (28, 28, 400);
    let mut noise = Noise::new(7, (height, width));
    let sign = |bit: bool| if bit { 1_i64 } else { -1 };
    let mut sums = [0_i64; 8];
    let mut own = vec![0_i64; height * width];
    for _ in 0..steps {
        let before = noise.clone();
        noise.step();
        let (bits, old) = (noise.bits(), before.bits());
        for row in 1..height {
            for column in 1..width - 1 {
                let cell = row * width + column;
                let here = sign(bits[cell]);
                own[cell] += here;
                let others = [
                    1,
                    sign(bits[cell - 1]),
                    sign(bits[cell - width]),
                    sign(bits[cell - width - 1]),
                    sign(old[cell]),
                    sign(old[cell - 1]),
                    sign(old[cell + 1]),
                    sign(old[cell - width]),
                ];
                sums.iter_mut().zip(others).for_each(|(sum, other)| *sum += here * other);
            }
        }
    }
    let count = 27 * 26 * steps;
    // Five standard deviations.
    for (statistic, sum) in sums.into_iter().enumerate() {
        assert!(sum * sum < 25 * count, "statistic {statistic}: {sum} of {count}");
    }
    assert!(own.iter().all(|sum| sum * sum < 25 * steps), "a cell is chosen too often or too rarely");
    assert_ne!(Noise::new(8, (height, width)).bits(), Noise::new(7, (height, width)).bits());
}

/// The periods of macro instructions that underlie the publication's figures.
#[test]
fn periods_of_macro_instructions() {
    let periods = |line: &str| {
        let line: cain_isa::Instruction = line.parse().unwrap();
        line.words().map(|word| clock_periods(&word)).sum::<u32>()
    };
    let expected = [
        ("mov(B,A);", 2),
        ("movx(B,A,east);", 3),
        ("mov2x(B,A,east,east);", 4),
        ("divq(B,A);", 4),
        ("add(C,A,B);", 5),
        ("sub(C,A,B);", 5),
        ("neg(B,A);", 5),
        ("add(D,A,B,C);", 6),
        ("addx(C,A,B,east);", 6),
        ("subx(C,A,east,B);", 6),
        ("sub2x(C,A,east,east,B);", 7),
    ];
    for (line, wanted) in expected {
        assert_eq!(periods(line), wanted, "{line}");
    }
    assert_eq!(clock_periods(&Word::All), 1);
}
