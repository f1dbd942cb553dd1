//! Tests that the function of an automaton, on an array of integers, computes what its weights define.

use cain_analysis::owned;
use cain_codegen::generate::{Maker, RuntimePath, source};
use cain_codegen::kernel_file::parse_automata;
use cain_codegen::{Mode, Plans};
use cain_isa::automaton::{AutomatonPlan, StateBits};
use cain_isa::program::{Part, Program, Step};
use cain_isa::{Instruction, Machine};
use cain_network::automaton::{
    Automaton, Bits, Cells, CompileAutomatonError, CompiledAutomaton, Layer, Noise, Reference, Registers, Saturated,
    compile,
};
use cain_runtime::automaton::begin;
use cain_runtime::sim::{IntegerArray, IntegerError};
use cain_search::{InstructionSet, Options};

use super::Random;

mod generated {
    cain_runtime::scamp_kernels!(file = "cells.toml");
}

fn declared() -> Automaton {
    let text = include_str!("cells.toml");
    parse_automata(text, &mut |_| Err(String::new())).unwrap().remove(0).of.automaton
}

/// An array with room for the values that the automaton moves.
fn array(plan: &AutomatonPlan) -> IntegerArray {
    let (height, width) = plan.size;
    IntegerArray::new(width, height, plan.reach)
}

/// The integers of the state, plane by plane, without their guard bits.
fn state(array: &IntegerArray, plan: &AutomatonPlan) -> Vec<i32> {
    let registers = plan.state.iter().skip(1);
    registers.flat_map(|&reg| array.read(reg).flatten().map(|number| number >> plan.guard)).collect()
}

#[test]
fn steps_are_those_of_exact_arithmetic() -> Result<(), IntegerError> {
    let (automaton, plan) = (declared(), &generated::cells::PLAN);
    let reference = Reference::new(&automaton);
    let mut dice = Random(3);
    let mut saturated = Saturated::default();
    for seed in 0..4 {
        let mut array = array(plan);
        let picture = dice.picture(35);
        let mut cells = generated::cells::Cells::begin(&mut array, &picture, seed)?;
        let (mut expected, mut noise) = (Cells::new(&automaton, &picture), Noise::new(seed, automaton.size));
        for round in 0..6 {
            if round == 3 {
                let picture = dice.picture(35);
                cells.show(&mut array, &picture)?;
                expected.show(&automaton, &picture);
            }
            generated::cells(&mut array, &mut cells, 4)?;
            for _ in 0..4 {
                noise.step();
                saturated.add(reference.step(&mut expected, noise.bits()));
            }
            let planes = (0..automaton.state()).flat_map(|channel| expected.state(channel)).copied();
            assert_eq!(state(&array, plan), planes.collect::<Vec<_>>(), "seed {seed}, round {round}");
        }
        let mut classes = [None; 35];
        cells.classes(&mut array, &mut classes)?;
        let class = |cell| expected.is_alive(cell).then(|| u16::try_from(expected.class(&automaton, cell)).unwrap());
        assert_eq!(classes.to_vec(), (0..35).map(class).collect::<Vec<_>>());
    }
    // Numbers that never leave their range would prove nothing.
    assert!(saturated.activations > 0 && saturated.updates > 0 && saturated.states > 0, "{saturated:?}");
    Ok(())
}

/// The number of words in a step equals the compiler's count.
#[test]
fn plans_have_all_words() {
    let compiled = compile(&declared(), |_, _| std::ops::ControlFlow::Continue(())).unwrap();
    let words = compiled.instructions().flat_map(Instruction::words).count();
    assert_eq!(generated::cells::PLAN.step.words() as usize, words);
}

/// The generated file of an automaton, or the error.
fn generated_from(text: &str, mode: Mode) -> Result<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cells.toml");
    std::fs::write(&path, text).unwrap();
    let maker = Maker { name: "a test", runtime_option: "--runtime" };
    let source = source(&path, &RuntimePath::default(), &Plans::new(mode, None), maker, |_| {});
    source.map(|source| source.text).map_err(|error| error.to_string())
}

#[test]
fn automata_without_a_function() {
    let text = include_str!("cells.toml");
    let interruptible = text.replace("classes = 3", "classes = 3\ninterruptible = { registers = [\"R5\"] }");
    let error = generated_from(&interruptible, Mode::Auto).unwrap_err();
    assert!(error.contains("cells.toml:10:") && error.contains("remove `interruptible`"), "{error}");
    let narrow = text.replace("update = 8 }", "update = 8, register = 14 }");
    let error = generated_from(&narrow, Mode::Auto).unwrap_err();
    assert!(error.contains("expected `register = "), "{error}");
    let locked = generated_from(text, Mode::Locked).unwrap_err();
    assert!(locked.contains("automaton `cells`") && locked.contains("run `cain pin`"), "{locked}");
    let stub = generated_from(text, Mode::Stub).unwrap();
    assert!(stub.contains("the automaton `cells` has no program; build without `CAIN_PLANS=stub`"), "{stub}");
}

/// A plan that lives as long as the tests.
fn plan_of(compiled: &CompiledAutomaton) -> &'static AutomatonPlan {
    let listing = |listing: &[Instruction]| -> &'static [Instruction] { listing.to_vec().leak() };
    let step = |step: &owned::Step| match step {
        owned::Step::Execute(instructions) => Step::Execute(listing(instructions)),
        owned::Step::Store(reg, format) => Step::Store(*reg, *format),
        step => panic!("{step:?} is no step of an automaton"),
    };
    let steps: Vec<_> = compiled.program().steps().map(step).collect();
    let part = Part { name: "all", words: 0, nanoseconds: 0, steps: steps.leak() };
    let classes: Vec<_> = compiled.classes().iter().map(|list| listing(list)).collect();
    Box::leak(Box::new(AutomatonPlan {
        step: Program { parts: vec![part].leak(), ..NOTHING },
        size: compiled.automaton().size,
        alive: compiled.automaton().alive,
        reach: compiled.reach(),
        state: compiled.registers().state().to_vec().leak(),
        guard: compiled.guard(0),
        bits: StateBits {
            alive: Registers::ALIVE,
            noise: Registers::NOISE,
            rule: Registers::RULE,
            class: Registers::CLASS,
        },
        clear: listing(compiled.clear()),
        classes: classes.leak(),
    }))
}

const NOTHING: Program =
    Program { name: "random", blocks: (1, 1), pictures: &[], preparation: &[], parts: &[], numbers: 0, switches: &[] };

/// An automaton of random sizes and weights, for macro instructions or control words.
fn random_automaton(dice: &mut Random, instructions: InstructionSet) -> Automaton {
    let mut below = |end: u64| usize::try_from(dice.below(end)).unwrap();
    let state = 1 + below(4);
    let sizes: Vec<usize> = (0..below(3)).map(|_| 1 + below(4)).chain([state]).collect();
    let (mut inputs, mut side) = (1 + state, [1, 3, 3, 5][below(4)]);
    let mut layers = Vec::new();
    for outputs in sizes {
        let mut weight = || [0, 0, i32::try_from(below(31)).unwrap() - 15][below(3)];
        let mut matrix = || (0..side).map(|_| (0..side).map(|_| weight()).collect()).collect::<Vec<Vec<_>>>();
        let mut kernel = || (0..inputs).map(|_| matrix()).collect::<Vec<_>>();
        layers.push(Layer { kernels: (0..outputs).map(|_| kernel()).collect() });
        (inputs, side) = (outputs, 1);
    }
    let bits = Bits { state: 6 + u8::try_from(below(5)).unwrap(), activation: 7, update: 6, register: 32 };
    Automaton {
        name: "random".into(),
        size: (1 + below(6), 1 + below(6)),
        alive: u8::try_from(below(100)).unwrap(),
        classes: 1 + below(state as u64),
        scale: u8::try_from(below(7)).unwrap(),
        bits,
        layers,
        machine: Machine::SCAMP5.with_registers(30),
        options: Options { nodes: 300, instructions, ..Options::default() },
        interruption: None,
    }
}

#[test]
fn random_automata_compute_what_their_weights_say() -> Result<(), IntegerError> {
    let mut dice = Random(9);
    let mut native = 0;
    for round in 0..14 {
        let instructions = [InstructionSet::Macro, InstructionSet::Native][round % 2];
        let automaton = random_automaton(&mut dice, instructions);
        let watch = |_, _| std::ops::ControlFlow::Continue(());
        let compiled = match compile(&automaton, watch) {
            Ok(compiled) => compiled,
            // Words that halve in two registers at once also divide by three in three.
            Err(CompileAutomatonError::Thirds { .. }) if instructions == InstructionSet::Native => continue,
            Err(error) => panic!("{round}: {error}\n{automaton:?}"),
        };
        native += u32::from(instructions == InstructionSet::Native);
        let plan = plan_of(&compiled);
        let picture = dice.picture(automaton.size.0 * automaton.size.1);
        let mut array = array(plan);
        begin(&mut array, plan, &picture, 7)?;
        let (mut expected, mut noise) = (Cells::new(&automaton, &picture), Noise::new(7, automaton.size));
        for step in 0..6 {
            cain_runtime::automaton::step(&mut array, plan)?;
            noise.step();
            Reference::new(&automaton).step(&mut expected, noise.bits());
            let planes: Vec<i32> =
                (0..automaton.state()).flat_map(|channel| expected.state(channel)).copied().collect();
            assert_eq!(state(&array, plan), planes, "round {round}, step {step}: {automaton:?}");
        }
    }
    assert!(native > 3, "{native}");
    Ok(())
}
