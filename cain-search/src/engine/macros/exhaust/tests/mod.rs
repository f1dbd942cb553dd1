//! Checks against brute force, random programs, and kernels whose shortest programs are known.

mod brute;
mod divided;
mod machine;

use std::collections::BTreeMap;

use cain_isa::{Displacement, Fraction, Machine};

use self::brute::{Registers, random, reachable};
use super::exhaust;
use crate::InstructionSet::{self, Basic, Macro};
use crate::engine::gain::GainLimit;
use crate::engine::macros::forms::{Forms, Shape};
use crate::engine::terms::{self, Term};
use crate::engine::values::{Answer, Query, Unfinished, ValueProgram};

/// A kernel centred on the origin, with rows from north to south.
fn kernel(rows: &[&[i32]]) -> Vec<Term> {
    let middle = |n: usize| i16::try_from(n / 2).unwrap();
    let mut terms: Vec<Term> = (0..)
        .zip(rows)
        .flat_map(|(y, row)| {
            (0..).zip(*row).map(move |(x, &weight)| (x - middle(row.len()), middle(rows.len()) - y, weight))
        })
        .filter(|at| at.2 != 0)
        .map(|(x, y, weight)| (terms::key(0, Displacement::new(x, y)), weight))
        .collect();
    terms.sort_unstable();
    terms
}

fn input(weight: i32) -> Vec<Term> {
    vec![(terms::key(0, Displacement::ZERO), weight)]
}

/// A limit on the sum of absolute coefficients.
fn at_most(max_gain: Option<Fraction>) -> GainLimit {
    GainLimit::at_most(max_gain, 1)
}

fn ask(forms: &Forms, known: &[&[Term]], wanted: &[&[Term]], most: u32) -> Answer {
    in_one_go(forms, &Query { known, wanted, least: 0, most, gain: at_most(None), room: usize::MAX })
}

fn in_one_go(forms: &Forms, query: &Query<'_>) -> Answer {
    exhaust(forms, query, &mut Unfinished::default(), &mut || true)
}

/// Checks every step of a program and returns its length.
fn checked(forms: &Forms, query: &Query<'_>, program: &ValueProgram) -> usize {
    let Query { known, wanted, gain, .. } = *query;
    let refined = |value: &[Term]| value.iter().map(|&(key, weight)| (key, weight << program.finer)).collect();
    let mut registers: BTreeMap<Vec<Term>, usize> = BTreeMap::new();
    for value in known {
        *registers.entry(refined(value)).or_default() += 1;
    }
    for step in &program.steps {
        let form = forms.get(step.form);
        for operand in &step.operands {
            let uses = step.operands.iter().filter(|other| *other == operand).count();
            assert!(registers[operand] >= if form.repeats { 1 } else { uses }, "{step:?}");
        }
        let shift = terms::step(form.displacement);
        let sum = |parts: &[(&Vec<Term>, i32, u32)]| {
            let mut sum = BTreeMap::new();
            for (value, sign, shift) in parts {
                for &(key, weight) in *value {
                    *sum.entry(key.wrapping_add(*shift)).or_insert(0) += sign * weight;
                }
            }
            sum.into_iter().filter(|term| term.1 != 0).collect::<Vec<Term>>()
        };
        let expected = match (form.shape, step.operands.as_slice()) {
            (Shape::Move, [x]) => vec![sum(&[(x, 1, shift)])],
            (Shape::Negate, [x]) => vec![sum(&[(x, -1, 0)])],
            (Shape::Add, [x, y]) => vec![sum(&[(x, 1, shift), (y, 1, shift)])],
            (Shape::Add3, [x, y, z]) => vec![sum(&[(x, 1, 0), (y, 1, 0), (z, 1, 0)])],
            (Shape::Subtract, [x, y]) => vec![sum(&[(x, 1, shift), (y, -1, 0)])],
            (Shape::Halve | Shape::Divide, [x]) => {
                assert_eq!(**x, sum(&[(&step.results[0], 2, 0)]));
                let negative = sum(&[(&step.results[0], -1, 0)]);
                *registers.entry(negative.clone()).or_default() += 1;
                *registers.entry(x.clone()).or_default() += 1;
                [vec![step.results[0].clone()], vec![negative]].concat()[..step.results.len()].to_vec()
            }
            other => panic!("{other:?}"),
        };
        assert_eq!(step.results, expected);
        for result in expected {
            assert!(gain.bound(program.finer).allows(&result));
            *registers.entry(result).or_default() += 1;
        }
    }
    for value in wanted {
        assert!(registers.contains_key::<Vec<Term>>(&refined(value)));
    }
    program.steps.len()
}

/// The length of a shortest program, if it has at most `most` instructions.
fn shortest(forms: &Forms, known: &[&[Term]], wanted: &[&[Term]], most: u32) -> Option<usize> {
    length(forms, &Query { known, wanted, least: 0, most, gain: at_most(None), room: usize::MAX })
}

fn length(forms: &Forms, query: &Query<'_>) -> Option<usize> {
    match in_one_go(forms, query) {
        Answer::Program(program) => Some(checked(forms, query, &program)),
        Answer::None => None,
        Answer::Undecided { .. } => panic!("undecided without a budget"),
    }
}

/// Checks that everything that brute force makes from these values is found with the same length: each value alone, and
/// some pairs of values.
fn compare(instructions: InstructionSet, start: &[Vec<Term>], length: usize, most: Option<i32>, every: usize) {
    let forms = Forms::of(instructions, &Machine::SCAMP5);
    let mut registers = Registers::new();
    for value in start {
        *registers.entry(value.clone()).or_default() += 1;
    }
    let mut least: BTreeMap<Vec<&Vec<Term>>, usize> = BTreeMap::new();
    let gain = at_most(most.map(Fraction::from));
    let reachable = reachable(&forms, &registers, length, gain.bound(0));
    for (registers, &length) in &reachable {
        let values: Vec<&Vec<Term>> = registers.keys().filter(|value| !value.is_empty()).collect();
        let pairs = values.iter().enumerate().flat_map(|(i, &x)| values[..i].iter().map(move |&y| vec![y, x]));
        for wanted in values.iter().map(|&x| vec![x]).chain(pairs) {
            let known = least.entry(wanted).or_insert(length);
            *known = length.min(*known);
        }
    }
    let known: Vec<&[Term]> = start.iter().map(Vec::as_slice).collect();
    let mut asked = 0;
    for (i, (wanted, &length)) in least.iter().enumerate() {
        if wanted.len() == 1 || i % every == 0 {
            let wanted: Vec<&[Term]> = wanted.iter().map(|value| value.as_slice()).collect();
            let most = u32::try_from(length).unwrap() + 1;
            let query = Query { known: &known, wanted: &wanted, least: 0, most, gain, room: usize::MAX };
            assert_eq!(self::length(&forms, &query), Some(length), "{wanted:?}");
            asked += 1;
        }
    }
    assert!(asked > 100);
}

#[test]
fn like_plain_enumeration_in_the_basic_set() {
    compare(Basic, &[input(16)], 4, None, 40);
    compare(Basic, &[input(8), kernel(&[&[8, 0, -16]])], 3, None, 20);
    compare(Basic, &[input(8), input(8), input(-4)], 2, None, 1);
    compare(Basic, &[input(16)], 3, Some(24), 1);
}

#[test]
fn like_plain_enumeration_in_the_macro_set() {
    compare(Macro, &[input(4)], 2, None, 3);
    compare(Macro, &[input(4)], 2, Some(6), 3);
    compare(Macro, &[input(4), kernel(&[&[4, 0, -8]])], 2, None, 50);
    compare(Macro, &[input(8), input(8), input(-4)], 2, None, 50);
}

#[test]
fn no_random_program_is_refuted() {
    let forms = Forms::of(Macro, &Machine::SCAMP5);
    let mut state = 1_u64;
    let mut pick = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % n
    };
    let start = input(16);
    for round in 0..600 {
        let length = 3 + round % 2;
        let registers = random(&forms, &Registers::from([(start.clone(), 1)]), length, &mut pick);
        let values: Vec<&Vec<Term>> = registers.keys().filter(|value| !value.is_empty()).collect();
        let wanted: Vec<&[Term]> = (0..=round % 3).map(|_| values[pick(values.len())].as_slice()).collect();
        let found = shortest(&forms, &[&start], &wanted, 4);
        assert!(found.is_some_and(|found| found <= length), "{wanted:?}: {found:?}");
    }
}

#[test]
fn known_kernels() {
    let forms = Forms::of(Macro, &Machine::SCAMP5);
    let sobel = kernel(&[&[1, 0, -1], &[2, 0, -2], &[1, 0, -1]]);
    assert!(matches!(ask(&forms, &[&input(1)], &[&sobel], 4), Answer::None));
    assert_eq!(shortest(&forms, &[&input(1)], &[&sobel], 5), Some(5));
    let laplacian = kernel(&[&[0, 1, 0], &[1, -4, 1], &[0, 1, 0]]);
    assert_eq!(shortest(&forms, &[&input(1)], &[&laplacian], 5), Some(5));
    let mean = kernel(&[&[1, 1, 1], &[1, 1, 1], &[1, 1, 1]]);
    assert_eq!(shortest(&forms, &[&input(1)], &[&mean], 6), Some(6));
    // Both signs of the mean of two neighbours, in units in which the halves of the input are not integers.
    let pair = [kernel(&[&[0, 1, 1]]), kernel(&[&[0, -1, -1]])];
    assert_eq!(shortest(&forms, &[&input(2)], &[&pair[0], &pair[1]], 5), Some(3));
}

#[test]
fn what_is_there_takes_nothing() {
    let forms = Forms::of(Basic, &Machine::SCAMP5);
    assert_eq!(shortest(&forms, &[&input(1)], &[&input(1)], 0), Some(0));
    assert_eq!(shortest(&forms, &[&input(1)], &[], 0), Some(0));
    assert_eq!(shortest(&forms, &[], &[&input(1)], 3), None);
}

/// A limit between two integers rules out nothing below it, whatever the units of the values of the query.
#[test]
fn fractional_gains() {
    let forms = Forms::of(Basic, &Machine::SCAMP5);
    let length = 4;
    let one = 1 << length;
    let start = [vec![(terms::key(0, Displacement::ZERO), one)], vec![(terms::key(1, Displacement::ZERO), 2 * one)]];
    let registers = start.iter().map(|value| (value.clone(), 1)).collect();
    let halves = 5;
    let limit = at_most(Fraction::new(halves, 2));
    let reachable = reachable(&forms, &registers, length, limit.bound(u32::try_from(length).unwrap()));
    for (values, length) in reachable.into_iter().step_by(3) {
        let is_whole = |value: &&Vec<Term>| !value.is_empty() && value.iter().all(|term| term.1 % one == 0);
        let coarse = |value: &Vec<Term>| value.iter().map(|&(key, weight)| (key, weight / one)).collect::<Vec<_>>();
        let (known, wanted): (Vec<_>, Vec<_>) =
            (start.iter().map(coarse).collect(), values.keys().filter(is_whole).map(coarse).collect());
        let [known, wanted] = [&known, &wanted].map(|all| all.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let most = u32::try_from(length).unwrap();
        let query = Query { known: &known, wanted: &wanted, least: 0, most, gain: limit, room: usize::MAX };
        assert!(matches!(in_one_go(&forms, &query), Answer::Program(_)), "{wanted:?}");
    }
}

#[test]
fn limits() {
    let forms = Forms::of(Macro, &Machine::SCAMP5);
    let (start, step) = (input(1), kernel(&[&[-1, 0, 1]]));
    let bounded = |norm: i32| {
        let gain = at_most(Some(Fraction::from(norm)));
        in_one_go(&forms, &Query { known: &[&start], wanted: &[&step], least: 0, most: 4, gain, room: usize::MAX })
    };
    assert!(matches!(bounded(2), Answer::Program(program) if program.steps.len() == 2));
    assert!(matches!(bounded(1), Answer::None));

    let sobel = kernel(&[&[1, 0, -1], &[2, 0, -2], &[1, 0, -1]]);
    let mut nodes = 0;
    let query = Query { known: &[&start], wanted: &[&sobel], least: 0, most: 5, gain: at_most(None), room: usize::MAX };
    let answer = exhaust(&forms, &query, &mut Unfinished::default(), &mut || {
        nodes += 1;
        nodes <= 100
    });
    assert!(matches!(answer, Answer::Undecided { at_least: 5 }), "{answer:?}");
    // A weight that is too large for integers in units that allow for halvings.
    let answer = ask(&forms, &[&input(1 << 29)], &[&sobel], 5);
    assert!(matches!(answer, Answer::Undecided { at_least: 2 }), "{answer:?}");
}

/// However often a search is interrupted, it reaches the same answer and hardly tries anything twice.
#[test]
fn searches_go_on_where_they_were_left() {
    let forms = Forms::of(Macro, &Machine::SCAMP5);
    // A kernel that takes five instructions, and two that take more.
    let sobel: [&[i32]; 3] = [&[1, 0, -1], &[2, 0, -2], &[1, 0, -1]];
    let cases: [(i32, [&[i32]; 3], u32); 3] =
        [(1, sobel, 5), (2, [&[3, 1, 2], &[0, 5, 1], &[2, 3, 0]], 5), (1, [&[3, 1, 2], &[0, 5, 1], &[2, 3, 0]], 5)];
    for (weight, rows, most) in cases {
        let (start, wanted) = (input(weight), kernel(&rows));
        let query =
            Query { known: &[&start], wanted: &[&wanted], least: 0, most, gain: at_most(None), room: usize::MAX };
        let search = |most_at_once: u64| {
            let (mut unfinished, mut all) = (Unfinished::default(), 0);
            for attempts in 1.. {
                let mut points = 0;
                let answer = exhaust(&forms, &query, &mut unfinished, &mut || {
                    points += 1;
                    points <= most_at_once
                });
                all += points;
                if !matches!(answer, Answer::Undecided { .. }) {
                    let program =
                        if let Answer::Program(program) = answer { format!("{program:?}") } else { String::new() };
                    return (program, all, attempts);
                }
            }
            unreachable!("an endless loop")
        };
        let (program, points, _) = search(u64::MAX);
        let (other, other_points, attempts) = search(90);
        assert_eq!(program.is_empty(), other.is_empty(), "{rows:?}");
        assert!(other_points <= points + points / 4 + 90, "{rows:?}: {points} points, {other_points} in {attempts}");
    }
}
