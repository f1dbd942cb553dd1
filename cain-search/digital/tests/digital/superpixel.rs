//! Tests of kernels over super-pixels, and of operations on sums. A program that is found has been proved.

use cain_analysis::owned::{Step, words};
use cain_analysis::prove::Polynomial;
use cain_digital::superpixel::{Carry, Converter, Declaration, Input, Layout, Output, Program, Then, search, verify};
use cain_isa::{Displacement, Fraction, Reg};

use crate::common::{SOBEL_X, kernel};

fn declaration(orders: &[Vec<Vec<usize>>], carry: Carry, kernel: Polynomial, bias: i64, relu: bool) -> Declaration {
    let layout = Layout::new(orders).unwrap();
    let bank = layout.banks() - 1;
    Declaration {
        name: "test".into(),
        layout,
        carry,
        inputs: vec![Input::new("in".into(), bank)],
        outputs: vec![Output {
            bias,
            then: if relu { Then::Rectify } else { Then::Nothing },
            ..Output::sum("out".into(), bank, kernel)
        }],
        nodes: 5000,
    }
}

#[test]
fn bias_and_rectifier() {
    let layouts: [(Vec<Vec<Vec<usize>>>, usize); 3] = [
        (vec![vec![vec![1, 2, 3, 4], vec![8, 7, 6, 5], vec![9, 10, 11, 12], vec![16, 15, 14, 13]]], 20),
        ((1..9).map(|bit| vec![bit]).collect::<Vec<_>>().chunks(8).map(<[_]>::to_vec).collect(), 12),
        (vec![vec![vec![0, 0, 1, 2], vec![0, 0, 4, 3]], vec![vec![1, 2, 0, 0], vec![4, 3, 0, 0]]], 20),
    ];
    for (orders, most) in layouts {
        for carry in [Carry::Propagate, Carry::Steps] {
            let relu = search(&declaration(&orders, carry, Polynomial::input(0), 0, true)).unwrap();
            let words = relu.program.program().words();
            assert!(carry == Carry::Steps || words <= most, "{words} words: {orders:?}");
            for (bias, relu) in [(1, false), (-7, true)] {
                let given = declaration(&orders, carry, kernel(&[SOBEL_X]), bias, relu);
                let solution = search(&given).unwrap();
                // The constant is prepared once.
                assert!(solution.program.program().reserved.len() > usize::from(orders[0].len() > 1));
            }
        }
    }
    let given = declaration(&[vec![vec![1, 2], vec![4, 3]]], Carry::Propagate, Polynomial::input(0), 8, false);
    assert!(search(&given).unwrap_err().to_string().contains("no signed number of 4 bits"));
}

fn snake() -> Vec<Vec<Vec<usize>>> {
    vec![vec![vec![1, 2, 3, 4], vec![8, 7, 6, 5], vec![9, 10, 11, 12], vec![16, 15, 14, 13]]]
}

#[test]
fn comparisons() {
    let mut difference = Polynomial::input(0);
    difference.add_scaled(&Polynomial::input(1), Fraction::from(-1), Displacement::ZERO).unwrap();
    for (orders, most) in [(snake(), 33), (vec![vec![vec![1, 2], vec![4, 3]]], 40), (vec![vec![vec![1]]], 22)] {
        for carry in [Carry::Propagate, Carry::Steps] {
            let mut given = declaration(&orders, carry, difference.clone(), 0, false);
            given.inputs.push(Input::new("other".into(), 0));
            given.outputs[0].then = Then::Compare;
            let words = search(&given).unwrap().program.program().words();
            assert!(carry == Carry::Steps || words <= most, "{words} words: {orders:?}");
            let mut given = declaration(&orders, carry, kernel(&[SOBEL_X]), -1, false);
            given.outputs[0].then = Then::Compare;
            search(&given).unwrap();
        }
    }
}

/// Tests the words and controller calls of an 8-bit conversion in each direction, and that no step can be omitted.
#[test]
fn conversions() {
    let converter = Some(Converter { register: Reg::A, bits: 8, unit: 0 });
    for (carry, most) in [(Carry::Propagate, (85, 108)), (Carry::Steps, (85, 220))] {
        let mut given = declaration(&snake(), carry, Polynomial::input(0), 0, false);
        given.inputs[0].converted = converter;
        given.outputs[0].converted = converter;
        let solution = search(&given).unwrap();
        let program = solution.program.program();
        let of = |steps: &[Step]| steps.iter().filter(|step| step.listing().is_some()).count();
        assert!(program.listing.is_empty());
        let [before, after] = [&program.before, &program.after].map(|steps| words(steps));
        assert!(before <= most.0 && after <= most.1, "{before} and {after} words");
        assert_eq!(
            program.calls(),
            program.before.len() + program.after.len() - of(&program.before) - of(&program.after)
        );
        if carry == Carry::Steps {
            // The last steps of a conversion may be those of another bit.
            continue;
        }
        for left_out in (0..program.before.len()).step_by(6) {
            let mut before = program.before.clone();
            before.remove(left_out);
            assert!(verify(&given, &Program { before, ..program.clone() }).is_err(), "without step {left_out}");
        }
        for left_out in (0..program.after.len()).step_by(6) {
            let mut after = program.after.clone();
            after.remove(left_out);
            assert!(verify(&given, &Program { after, ..program.clone() }).is_err(), "without step {left_out}");
        }
    }
}

/// Numbers that fill an integer of 64 bits.
#[test]
fn the_widest_numbers_are_converted() {
    let row = |row: usize| {
        let bits = (1..=16).map(move |bit| row * 16 + bit);
        if row.is_multiple_of(2) { bits.collect::<Vec<_>>() } else { bits.rev().collect() }
    };
    let mut given = declaration(&[(0..4).map(row).collect()], Carry::Propagate, Polynomial::input(0), 0, false);
    for unit in [0, 30, 56] {
        given.outputs[0].converted = Some(Converter { register: Reg::A, bits: 8, unit });
        search(&given).unwrap();
    }
}

/// The register of an input that nothing reads is free from the first word on.
#[test]
fn an_input_that_nothing_reads_takes_no_register() {
    let orders = [vec![vec![2, 3, 0, 0], vec![1, 4, 0, 0]], vec![vec![0, 0, 2, 3], vec![0, 0, 1, 4]]];
    let weight = Fraction::new(3, 4).unwrap();
    let with_inputs = |names: &[&str]| {
        let mut three_quarters = Polynomial::new();
        let channel = u16::try_from(names.len() - 1).unwrap();
        three_quarters.add_scaled(&Polynomial::input(channel), weight, Displacement::ZERO).unwrap();
        Declaration {
            inputs: names.iter().map(|name| Input::new((*name).into(), 0)).collect(),
            ..declaration(&orders, Carry::Propagate, three_quarters, 0, false)
        }
    };
    let words = |names: &[&str]| search(&with_inputs(names)).unwrap().program.program().words();
    assert_eq!(words(&["unread", "read"]), words(&["read"]));
}

/// A spiral: its bits go in all four directions, which take four of the seven registers for numbers.
fn spiral() -> Vec<Vec<Vec<usize>>> {
    vec![vec![vec![9, 10, 11, 0], vec![8, 1, 12, 0], vec![7, 2, 3, 0], vec![6, 5, 4, 0]]]
}

/// Where registers are short, words are spent: numbers are halved in the register whose bits are written one by one.
#[test]
fn few_registers_suffice_with_more_words() {
    let scaled = |denominator: i64| {
        let mut sum = Polynomial::new();
        let weight = Fraction::new(1, denominator).unwrap();
        sum.add_scaled(&Polynomial::input(0), weight, Displacement::ZERO).unwrap();
        sum
    };
    for (denominator, keep) in [(8, false), (2, true), (64, true)] {
        let mut given = declaration(&spiral(), Carry::Propagate, scaled(denominator), 0, false);
        given.inputs[0].keep = keep;
        search(&given).unwrap();
    }
    // Half of a neighbour's number with a bias, while the number itself is kept.
    let mut half = Polynomial::new();
    half.add_scaled(&Polynomial::input(0), Fraction::new(1, 2).unwrap(), Displacement::new(0, 1)).unwrap();
    let rows = [vec![vec![1, 2, 3, 4], vec![8, 7, 6, 5]]];
    let mut given = declaration(&rows, Carry::Propagate, half, -121, false);
    given.inputs[0].keep = true;
    search(&given).unwrap();
    // Twice a number, while the controller's directions and another number are held.
    let row = [vec![vec![1, 2], vec![4, 3]]];
    let mut given = declaration(&row, Carry::Propagate, kernel(&[&[&[-1]], &[&[2, 0, 0]]]), 1, false);
    given.inputs = vec![Input::new("in".into(), 0), Input { keep: true, ..Input::new("kept".into(), 0) }];
    search(&given).unwrap();
}

/// What takes the registers is told, and what would take fewer.
#[test]
fn too_few_registers_are_told_with_what_would_do() {
    let mut given = declaration(&spiral(), Carry::Propagate, kernel(&[SOBEL_X]), 3, true);
    given.inputs[0].keep = true;
    assert_eq!(
        search(&given).unwrap_err().to_string(),
        "no program found within the 7 registers that a PE has for numbers: directions of lower bits take 4 and biases 1; \
         declare an `order` whose bits go in fewer directions, no bias, or fewer inputs in `keep`"
    );
}
