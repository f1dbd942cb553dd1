//! Weights and scales at the limits of the search: a program, or an error that names the limit. These tests are
//! compiled with overflow checks.

use cain_analysis::prove::{Atom, Polynomial};
use cain_isa::{Displacement, Fraction, Reg};
use cain_search::{Declaration, Input, InstructionSet, Objective, Options, Output, SearchError, search, verify};
use proptest::prelude::*;

use crate::common::{declaration, kernel, on_channel};

const SETS: [InstructionSet; 3] = [InstructionSet::Macro, InstructionSet::Basic, InstructionSet::Native];

/// Searches; a program must be right, and an error must name its reason.
fn holds(declaration: &Declaration) -> Result<(), TestCaseError> {
    match search(declaration) {
        Ok(solution) => {
            prop_assert_eq!(&verify(declaration, solution.program.listing()).unwrap(), &solution.program);
            prop_assert!(solution.statistics.nodes <= declaration.options.nodes);
        }
        Err(
            SearchError::Declaration(_)
            | SearchError::Overflow
            | SearchError::Budget { .. }
            | SearchError::Registers { .. },
        ) => {}
        Err(fault) => prop_assert!(false, "{}", fault),
    }
    Ok(())
}

/// The tests are meaningful only if additions are checked here and in the library.
#[test]
#[should_panic(expected = "overflow")]
fn overflow_is_checked() {
    let largest = std::hint::black_box(i32::MAX);
    std::hint::black_box(largest + 1);
}

#[test]
fn weights_at_the_limit() {
    let kernels = [
        kernel(2, &[&[1_073_741_823]]),
        kernel(1, &[&[-131_072]]),
        kernel(9, &[&[1, 1, 536_870_912]]),
        kernel(9, &[&[1, 1, 119_304_647]]),
        kernel(2, &[&[1], &[3], &[1_073_741_823]]),
        kernel(1 << 28, &[&[839_235_011], &[-536_870_912], &[-536_870_912]]),
        kernel(1, &[&[1 << 30, -(1 << 30), 1 << 30]]),
        kernel(1 << 28, &[&[1 << 30, 1, -(1 << 30)]]),
    ];
    for kernel in kernels {
        for instructions in SETS {
            let mut extreme = declaration(&[(Reg::A, kernel.clone())]);
            extreme.options.instructions = instructions;
            extreme.options.nodes = 300;
            holds(&extreme).unwrap();
        }
    }
}

#[test]
fn weights_beyond_the_limit() {
    let beyond = [kernel(1 << 29, &[&[1]]), kernel(1, &[&[(1 << 30) + 1]]), kernel(2, &[&[1, 0, (1 << 30) + 1]])];
    for kernel in beyond {
        let error = search(&declaration(&[(Reg::A, kernel)])).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the weights do not fit the search: in units of their common denominator, which may be at most 2^28, each \
             may be at most 2^30"
        );
    }
    assert!(search(&declaration(&[(Reg::A, kernel(1, &[&[1 << 30]]))])).is_ok());
}

/// Small weights, and weights next to a power of two or to the limit.
fn weight() -> impl Strategy<Value = i32> {
    let near_power = (0_u32..=30, -3_i32..=3).prop_map(|(bit, more)| (1_i32 << bit).saturating_add(more));
    let large = prop_oneof![near_power, Just(1 << 30), 1_i32..=1 << 30];
    prop_oneof![-4_i32..=4, (large, any::<bool>()).prop_map(|(weight, sign)| if sign { weight } else { -weight })]
}

prop_compose! {
    fn extreme()(
        weights in prop::collection::vec((weight(), 0_u16..2, -7_i16..=7, -7_i16..=7), 1..=6),
        second in prop::collection::vec((weight(), 0_u16..2, -1_i16..=1, -1_i16..=1), 0..=3),
        halvings in 0_u32..=29,
        thirds in prop::option::weighted(0.4, 0_u32..=17),
        instructions in prop::sample::select(&SETS[..]),
        objective in prop::sample::select(&[Objective::Macros, Objective::Icws, Objective::Accuracy][..]),
        max_gain in prop::option::weighted(0.2, (1_i64..=i64::MAX, 1_i64..=1 << 30)),
        registers in 2_u8..=14,
        nodes in 1_u64..=20,
    ) -> Declaration {
        let denominator = match (thirds, instructions) {
            (Some(thirds), InstructionSet::Native) => 3_i64.pow(thirds),
            _ => 1 << halvings,
        };
        let polynomial = |terms: &[(i32, u16, i16, i16)]| {
            let mut sum = Polynomial::new();
            for &(weight, channel, x, y) in terms {
                let weight = Fraction::new(weight.into(), denominator).expect("no zero");
                sum.add_term(Atom { channel, displacement: Displacement::new(x, y) }, weight).expect("small");
            }
            sum
        };
        let reg = Reg::from_index;
        let input = |i| Input { reg: reg(i), keep: false };
        Declaration {
            name: "extreme".into(),
            inputs: vec![input(0), input(1)],
            outputs: vec![
                Output { reg: reg(0), kernel: polynomial(&weights) },
                Output { reg: reg(1), kernel: polynomial(&second) },
            ],
            scratch: (2..registers).map(reg).collect(),
            machine: cain_isa::Machine::SCAMP5.with_registers(256),
            options: Options {
                nodes,
                instructions,
                objective,
                max_gain: max_gain.and_then(|(numerator, denominator)| Fraction::new(numerator, denominator)).into(),
                ..Options::default()
            },
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_wraps(declaration in extreme()) {
        holds(&declaration)?;
    }
}

/// Terms of every channel and at the corners of the largest kernel.
#[test]
fn corners() {
    let mut sum = on_channel(0, 1, &[&[1 << 30]]);
    for (x, y) in [(-14, -14), (-14, 14), (14, -14), (14, 14)] {
        let weight = Fraction::from(1 << 30);
        sum.add_term(Atom { channel: 0, displacement: Displacement::new(x, y) }, weight).unwrap();
    }
    for instructions in SETS {
        let mut corners = declaration(&[(Reg::A, sum.clone())]);
        corners.options.instructions = instructions;
        corners.options.nodes = 50;
        holds(&corners).unwrap();
    }
}
