//! The function of an automaton, on an array of integers, computes what its weights say.

use cain_codegen::generate::{Maker, RuntimePath, source};
use cain_codegen::kernel_file::parse_automata;
use cain_codegen::{Mode, Plans};
use cain_isa::automaton::AutomatonPlan;
use cain_runtime::sim::{IntegerArray, IntegerError};
use cain_search::automaton::{Automaton, Cells, Noise, Reference, Saturated};

use super::Dice;

mod generated {
    cain_runtime::scamp_kernels!(file = "cells.toml");
}

fn declared() -> Automaton {
    let text = include_str!("cells.toml");
    parse_automata(text, &mut |_| Err(String::new())).unwrap().remove(0).automaton
}

/// An array with room for what the automaton moves.
fn array(plan: &AutomatonPlan) -> IntegerArray {
    let (height, width) = plan.size;
    IntegerArray::new(width, height, plan.reach)
}

/// The numbers of the state, plane by plane, without the bits below them.
fn state(array: &IntegerArray, plan: &AutomatonPlan) -> Vec<i32> {
    let registers = plan.state.iter().skip(1);
    registers.flat_map(|&reg| array.read(reg).flatten().map(|number| number >> plan.format.guard)).collect()
}

#[test]
fn steps_are_those_of_exact_arithmetic() -> Result<(), IntegerError> {
    let (automaton, plan) = (declared(), &generated::cells::PLAN);
    let reference = Reference::new(&automaton);
    let mut dice = Dice(3);
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
    // Nothing would be shown by numbers that never leave their range.
    assert!(saturated.activations > 0 && saturated.updates > 0 && saturated.states > 0, "{saturated:?}");
    Ok(())
}

/// The words of a step are those that the compiler counts.
#[test]
fn plans_have_all_words() {
    let compiled = cain_search::automaton::compile(&declared(), |_, _| std::ops::ControlFlow::Continue(())).unwrap();
    let words: usize = compiled.step().unwrap().iter().map(|instruction| instruction.words().count()).sum();
    assert_eq!(generated::cells::PLAN.words(), words);
}

/// The generated file of an automaton, or why there is none.
fn generated_from(text: &str, mode: Mode) -> Result<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cells.toml");
    std::fs::write(&path, text).unwrap();
    let maker = Maker { name: "a test", runtime_option: "--runtime" };
    let source = source(&path, &RuntimePath::default(), &Plans { mode, folder: None }, maker, |_| {});
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
