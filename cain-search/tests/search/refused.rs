//! Declarations that are refused, because they are wrong or cannot be computed: each error names the reason.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use cain_analysis::prove::{Atom, Polynomial};
use cain_isa::{Displacement, ErrorModel, ErrorModelError, Fraction, Machine, Reg};
use cain_search::{
    Declaration, DeclarationError, Input, InstructionSet, Kernel, KernelError, MaxGain, Options, Output, SearchError,
    search, search_watched, verify,
};
use proptest::prelude::*;

use crate::common::{as_cain, declaration, kernel, on_channel};

const A: Reg = Reg::A;
const B: Reg = Reg::B;

fn gauss() -> Polynomial {
    kernel(16, &[&[1, 2, 1], &[2, 4, 2], &[1, 2, 1]])
}

#[test]
fn too_few_registers() {
    let mut lonely = declaration(&[(A, kernel(2, &[&[1, 1, 0]]))]);
    lonely.scratch.clear();
    let error = search(&lonely).unwrap_err();
    assert_eq!(error, SearchError::Registers { writable: vec![A], enough: Some(2), remedy: None });
    assert_eq!(error.to_string(), "no program found that overwrites only `A`");
}

/// Otherwise, every prediction would be NaN, and the search would compare these.
#[test]
fn errors_that_are_no_numbers() {
    for (error_model, error) in [
        (ErrorModel { gain: f32::NAN, ..ErrorModel::measured() }, ErrorModelError::NotFinite("gain")),
        (ErrorModel { fixed_offset: -1.0, ..ErrorModel::measured() }, ErrorModelError::Negative("fixed_offset")),
    ] {
        let mut noisy = declaration(&[(A, gauss())]);
        noisy.options.error_model = error_model;
        assert_eq!(noisy.validate(), Err(DeclarationError::Errors(error)));
        assert_eq!(search(&noisy), Err(SearchError::Declaration(DeclarationError::Errors(error))));
    }
}

/// Each kernel needs a register, plus one more; the machine does not have so many.
#[test]
fn more_kernels_than_registers_hold() {
    let row = |i: i32| [1, i, 3 * i % 7];
    let kernels = (1..).map(|i| kernel(8, &[&row(i), &row(i + 2)[..], &row(3 * i)]));
    let outputs: Vec<_> = Reg::SCAMP5.into_iter().zip(kernels).collect();
    let mut full = declaration(&outputs);
    full.options.nodes = 100;
    let error = search(&full).unwrap_err();
    assert!(matches!(error, SearchError::Budget { enough: Some(7), .. }), "{error:?}");
    assert_eq!(
        error.to_string(),
        "no program found within 100 search nodes that overwrites only `A`, `B`, `C`, `D`, `E` and `F`"
    );
}

#[test]
fn programs_longer_than_a_limit() {
    let mut short = declaration(&[(A, gauss())]);
    let words = u64::from(search(&short).unwrap().program.report().icws);
    short.options.max_words = Some(words);
    let found = search(&short).unwrap().program;
    assert_eq!(u64::from(found.report().icws), words);
    let limit = words - 1;
    short.options.max_words = Some(limit);
    let Err(SearchError::TooLong { stop, .. }) = search(&short) else { panic!("{words} words are too many") };
    assert_eq!(search(&short), Err(SearchError::TooLong { limit, words, outputs: 1, stop }));
    let too_long = verify(&short, found.listing()).unwrap_err().to_string();
    assert_eq!(too_long, format!("the program has {words} control words, and `max_words` allows {limit}"));
}

/// A limit only refuses, also where the first programs of a search are far from it.
#[test]
fn a_limit_changes_no_search() {
    let row = [1, 4, 6, 4, 1];
    let rows: Vec<Vec<i32>> = row.iter().map(|y| row.iter().map(|x| x * y).collect()).collect();
    let mut wanted = declaration(&[(A, kernel(256, &rows.iter().map(Vec::as_slice).collect::<Vec<_>>()))]);
    wanted.options = Options { nodes: 5_000, ..Options::default() };
    for book in [true, false] {
        wanted.options = Options { book, max_words: None, ..wanted.options.clone() };
        let found = search(&wanted).unwrap();
        let words = u64::from(found.program.report().icws);
        let limited = |limit| {
            let options = Options { max_words: Some(limit), ..wanted.options.clone() };
            search(&Declaration { options, ..wanted.clone() })
        };
        let again = limited(words).unwrap();
        assert_eq!((again.program.listing(), &again.statistics), (found.program.listing(), &found.statistics));
        let error = limited(words - 1).unwrap_err();
        assert!(matches!(error, SearchError::TooLong { words: least, .. } if least == words), "{error:?}");
    }
}

/// The error says how much would fit, and comes before the budget is used if there is no hope; a larger one is then no
/// remedy.
#[test]
fn layers_far_above_a_limit() {
    let row = |y: i32| (0..11).map(|x| (5 * x + 3 * y * y) % 7 - 3).collect::<Vec<_>>();
    let kernels = (1..).map(|i| {
        let rows: Vec<_> = (i..i + 11).map(row).collect();
        kernel(8, &rows.iter().map(Vec::as_slice).collect::<Vec<_>>())
    });
    let mut several = declaration(&[B, Reg::C, Reg::D].into_iter().zip(kernels).collect::<Vec<_>>());
    several.options.max_gain = MaxGain::Any;
    several.options.max_words = Some(400);
    several.options.nodes = 1_000_000;
    let mut nodes = 0;
    let error = search_watched(&several, |progress| {
        nodes = progress.nodes;
        ControlFlow::Continue(())
    });
    let error = error.unwrap_err().to_string();
    assert!(
        error.contains("and `max_words` allows 400; allow more, or make several filters of it: about 1 "),
        "{error}"
    );
    assert!(nodes < 10_000, "{nodes}");
}

#[test]
fn more_outputs_than_registers() {
    let outputs = vec![(A, gauss()), (B, gauss()), (A, gauss())];
    assert_eq!(search(&declaration(&outputs)), Err(DeclarationError::OutputTwice(A).into()));
}

#[test]
fn no_budget() {
    for kernel in [gauss(), kernel(1, &[&[1]]), kernel(1, &[&[0]])] {
        let mut without = declaration(&[(A, kernel)]);
        without.options.nodes = 0;
        assert!(matches!(search(&without), Err(SearchError::Budget { nodes: 0, .. })));
    }
}

/// There is a program that needs no search.
#[test]
fn one_node_is_enough_for_a_program() {
    let mut hurried = declaration(&[(A, gauss()), (B, kernel(1, &[&[1, 0, -1]]))]);
    hurried.options.nodes = 1;
    let solution = search(&hurried).unwrap();
    assert!(solution.program.listing().len() <= 40 && solution.statistics.nodes <= 1);
}

#[test]
fn weights_beyond_the_integers_of_the_search() {
    let refused = |kernel| assert_eq!(search(&declaration(&[(A, kernel)])), Err(SearchError::Overflow));
    refused(kernel(1 << 40, &[&[1]]));
    refused(kernel(1, &[&[i32::MAX]]));
    refused(kernel(1, &[&[i32::MIN]]));
}

#[test]
fn weights_beyond_exact_arithmetic() {
    let largest = Fraction::new(i64::MAX, 1).unwrap();
    let kernel = Kernel::new(vec![vec![largest]]).unwrap();
    let mut sum = Polynomial::new();
    assert_eq!(kernel.add_to(&mut sum, Fraction::from(2), 0), Err(KernelError::Overflow));
    assert_eq!(kernel.add_to(&mut sum, Fraction::ONE, 0), Ok(()));
    assert_eq!(kernel.add_to(&mut sum, Fraction::ONE, 0), Err(KernelError::Overflow));
}

#[test]
fn declarations_that_contradict_themselves() {
    let good = declaration(&[(B, gauss())]);
    let refused = |error, change: fn(&mut Declaration)| {
        let mut bad = good.clone();
        change(&mut bad);
        assert_eq!(search(&bad), Err(SearchError::Declaration(error)));
    };
    refused(DeclarationError::NoInput, |bad| bad.inputs.clear());
    refused(DeclarationError::NoOutput, |bad| bad.outputs.clear());
    refused(DeclarationError::InputTwice(A), |bad| bad.inputs.push(Input { reg: A, keep: true }));
    refused(DeclarationError::KeptOutput(B), |bad| bad.inputs.push(Input { reg: B, keep: true }));
    refused(DeclarationError::ScratchTwice(A), |bad| bad.scratch.push(A));
    refused(DeclarationError::ScratchTwice(Reg::C), |bad| bad.scratch.push(Reg::C));
    refused(DeclarationError::NoSuchChannel(1), |bad| bad.outputs[0].kernel = on_channel(1, 1, &[&[1]]));
    let third = Fraction::new(1, 3).unwrap();
    let instructions = InstructionSet::Macro;
    refused(DeclarationError::Unreachable { reg: B, weight: third, instructions }, |bad| {
        bad.outputs[0].kernel = kernel(3, &[&[1]]);
    });
    let (instructions, weight) = (InstructionSet::Native, Fraction::new(1, 5).unwrap());
    refused(DeclarationError::Unreachable { reg: B, weight, instructions }, |bad| {
        bad.outputs[0].kernel = kernel(5, &[&[1]]);
        bad.options.instructions = InstructionSet::Native;
    });
}

#[test]
fn a_max_gain_below_the_gain_of_an_output() {
    let mut sum = declaration(&[(A, kernel(1, &[&[1, 1, 0]]))]);
    sum.options.max_gain = Fraction::new(3, 2).into();
    let error = search(&sum).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the kernel of `A` has a gain of 2, which is more than the `max_gain` of 3/2; allow at least 2"
    );
    sum.options.max_gain = MaxGain::AtMost(Fraction::from(2));
    assert!(search(&sum).is_ok());
}

#[test]
fn a_max_gain_below_the_gain_of_the_inputs() {
    let mut quarter = declaration(&[(B, kernel(4, &[&[1]]))]);
    quarter.options.max_gain = Fraction::new(1, 2).into();
    assert_eq!(
        search(&quarter).unwrap_err().to_string(),
        "a `max_gain` of 1/2 is below 1, the gain of the inputs themselves; allow at least 1"
    );
}

/// The program that needs no search is no excuse for a larger gain.
#[test]
fn max_gain_is_kept_to_by_the_first_program() {
    for nodes in [1, 5, 20, 100] {
        let mut bounded = declaration(&[(A, gauss()), (B, kernel(4, &[&[-1, 2, -1]]))]);
        bounded.options = Options { nodes, max_gain: MaxGain::AtMost(Fraction::ONE), ..as_cain() };
        match search(&bounded) {
            Ok(solution) => assert!(solution.program.report().peak_gain <= Fraction::ONE),
            Err(error) => assert!(matches!(error, SearchError::Budget { .. }), "{error}"),
        }
    }
}

/// A few weights within two steps, on some of three channels.
fn weights() -> impl Strategy<Value = Polynomial> {
    let place = (0_u16..3, -2_i16..=2, -2_i16..=2)
        .prop_map(|(channel, x, y)| Atom { channel, displacement: Displacement::new(x, y) });
    (prop::collection::vec((place, -9_i64..=9), 0..=9), 0_u32..=4).prop_map(|(terms, halvings)| {
        let mut sum = Polynomial::new();
        for (atom, weight) in terms {
            sum.add_term(atom, Fraction::new(weight, 1 << halvings).expect("a power of two")).expect("small");
        }
        sum
    })
}

prop_compose! {
    /// Any declaration with few registers, right or wrong.
    fn anything()(
        inputs in prop::collection::vec((0_u8..4, any::<bool>()), 0..=3),
        outputs in prop::collection::vec((0_u8..4, weights()), 0..=4),
        scratch in prop::collection::vec(0_u8..5, 0..=2),
        nodes in 0_u64..60,
        basic in any::<bool>(),
        max_gain in prop::option::weighted(0.2, 3_i64..60),
    ) -> Declaration {
        let reg = Reg::from_index;
        Declaration {
            name: "anything".into(),
            inputs: inputs.into_iter().map(|(i, keep)| Input { reg: reg(i), keep }).collect(),
            outputs: outputs.into_iter().map(|(i, kernel)| Output { reg: reg(i), kernel }).collect(),
            scratch: scratch.into_iter().map(reg).collect(),
            machine: Machine::SCAMP5.with_registers(256),
            options: Options {
                nodes,
                instructions: if basic { InstructionSet::Basic } else { InstructionSet::Macro },
                max_gain: max_gain.and_then(|quarters| Fraction::new(quarters, 4)).into(),
                ..as_cain()
            },
        }
    }
}

/// The declaration without its contradictions.
fn untangled(mut declaration: Declaration) -> Declaration {
    let mut taken = BTreeSet::new();
    declaration.inputs.retain(|input| taken.insert(input.reg));
    if declaration.inputs.is_empty() {
        declaration.inputs.push(Input { reg: A, keep: false });
        taken.insert(A);
    }
    let mut written = BTreeSet::new();
    let kept: Vec<Reg> = declaration.inputs.iter().filter(|input| input.keep).map(|input| input.reg).collect();
    declaration.outputs.retain(|output| !kept.contains(&output.reg) && written.insert(output.reg));
    taken.extend(&written);
    declaration.scratch.retain(|&reg| taken.insert(reg));
    let channels = u16::try_from(declaration.inputs.len()).expect("few");
    for output in &mut declaration.outputs {
        let mut kernel = Polynomial::new();
        for (atom, weight) in output.kernel.terms() {
            kernel.add_term(Atom { channel: atom.channel % channels, ..atom }, weight).expect("small");
        }
        output.kernel = kernel;
    }
    declaration
}

/// The declaration with scratch registers up to that number of registers to overwrite, on a machine that has them.
fn widened(declaration: &Declaration, writable: usize) -> Declaration {
    let mut wide = declaration.clone();
    wide.machine = wide.machine.with_registers(64);
    let is_free = |reg: &Reg| declaration.inputs.iter().all(|input| input.reg != *reg);
    for reg in (10..).map(Reg::from_index).filter(is_free) {
        if wide.writable().len() >= writable {
            break;
        }
        wide.scratch.push(reg);
    }
    wide
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Nothing panics, all programs found are right, and a number of registers that is said to suffice does.
    #[test]
    fn whatever_is_asked(declaration in prop_oneof![1 => anything(), 9 => anything().prop_map(untangled)]) {
        match search(&declaration) {
            Ok(solution) => {
                prop_assert_eq!(verify(&declaration, solution.program.listing()).unwrap(), solution.program);
                prop_assert!(solution.statistics.nodes <= declaration.options.nodes);
            }
            Err(SearchError::Budget { nodes: 0, .. } | SearchError::Declaration(_)) => {}
            Err(SearchError::Budget { writable, enough, .. } | SearchError::Registers { writable, enough, .. }) => {
                prop_assert_eq!(&writable, &declaration.writable());
                let Some(enough) = enough else {
                    prop_assert!(declaration.options.max_gain != MaxGain::Any);
                    return Ok(());
                };
                let inputs = declaration.inputs.iter().filter(|input| !input.keep).count();
                // Within a limit on the gain, inputs are halved in registers of their own.
                let helpers = if declaration.options.max_gain == MaxGain::Any { 1 } else { 2 };
                prop_assert!(enough > writable.len() && enough <= inputs + declaration.outputs.len() + helpers);
                let wide = widened(&declaration, enough);
                prop_assert!(search(&wide).is_ok(), "{} registers are not enough for {}", enough, wide);
            }
            Err(fault) => prop_assert!(false, "{}", fault),
        }
    }
}
