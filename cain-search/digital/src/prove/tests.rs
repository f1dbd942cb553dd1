//! Compares functions with plain arithmetic and a plain simulation.

use std::collections::BTreeMap;

use cain_analysis::prove::{Atom, Polynomial};
use cain_isa::random::SplitMix64;
use cain_isa::{Bit, Displacement, Dreg, Fraction, Instruction, Operation, Word};

use super::{Bdd, Function, Machine, ReplayError, TooLarge, Variable, bit_of_sum, function_of, wanted};
use crate::grid::{Grid, random_words};
use crate::{Format, Input, Logic};

/// All assignments of values to variables.
fn assignments(variables: &[Variable]) -> impl Iterator<Item = BTreeMap<Variable, bool>> {
    (0..1_u32 << variables.len()).map(|values| {
        let bit = |(place, &variable)| (variable, values >> place & 1 == 1);
        variables.iter().enumerate().map(bit).collect()
    })
}

fn variable(input: usize, bit: u32, x: i32) -> Variable {
    Variable { bit, y: 0, x, input }
}

/// Sums of signed and unsigned numbers, with weights of either sign, are compared bit by bit for all numbers.
#[test]
fn bits_of_sums_are_those_of_the_numbers() {
    for (formats, weights) in [
        ([(2, false), (2, false)], [1, 1]),
        ([(3, false), (2, true)], [3, -2]),
        ([(2, true), (3, true)], [-5, 7]),
        ([(1, false), (3, true)], [-1, 4]),
        ([(3, true), (1, true)], [6, 12]),
    ] {
        let number = |(bits, signed): (u32, bool)| Format::new(bits, signed).unwrap();
        let inputs = formats.map(|format| Input { name: String::new(), format: number(format), keep: false, at: None });
        let mut kernel = Polynomial::new();
        for (channel, weight) in (0..).zip(weights) {
            let displacement = Displacement::new(if channel == 0 { 0 } else { -1 }, 0);
            kernel.add_term(Atom { channel, displacement }, Fraction::from(weight)).unwrap();
        }
        let mut bdd = Bdd::new();
        let functions = wanted(&mut bdd, &inputs, &kernel, Format::new(7, true).unwrap()).unwrap();
        assert_eq!(functions.len(), 7);
        let of_input =
            |input: usize| (0..formats[input].0).map(move |bit| variable(input, bit, if input == 0 { 0 } else { -1 }));
        let variables: Vec<Variable> = of_input(0).chain(of_input(1)).collect();
        for values in assignments(&variables) {
            let mut sum = 0_i32;
            for input in [0, 1] {
                let (bits, signed) = formats[input];
                let mut value = 0;
                for bit in of_input(input).filter(|bit| values[bit]) {
                    let is_sign = signed && bit.bit == bits - 1;
                    value += if is_sign { -(1 << bit.bit) } else { 1 << bit.bit };
                }
                sum += weights[input] * value;
            }
            for (place, &function) in functions.iter().enumerate() {
                assert_eq!(
                    bdd.evaluate(function, |variable| values[&variable]),
                    sum >> place & 1 == 1,
                    "{sum} {place}"
                );
            }
        }
    }
    // Beyond the width of all numbers, the sign is repeated.
    let mut bdd = Bdd::new();
    let terms = [(variable(0, 0, 0), -1)];
    let sign = bdd.variable(variable(0, 0, 0)).unwrap();
    assert_eq!(bit_of_sum(&mut bdd, &terms, 100), Ok(sign));
    assert_eq!(bit_of_sum(&mut bdd, &[], 0), Ok(Function::FALSE));
}

#[test]
fn functions_are_those_that_expressions_say() {
    let pixel = |input: usize, bit: u32, x: i16| Logic::Pixel { input, bit, at: Displacement::new(x, 0) };
    let [a, b, c, d] = [pixel(0, 0, 0), pixel(0, 1, 0), pixel(1, 0, -3), pixel(0, 0, 2)];
    let variables = [variable(0, 0, 0), variable(0, 1, 0), variable(1, 0, -3), variable(0, 0, 2)];
    let all = vec![a.clone(), b.clone(), c.clone(), d.clone()];
    let not = |logic: &Logic| Logic::Not(Box::new(logic.clone()));
    let mut cases = vec![
        Logic::Constant(true),
        Logic::Constant(false),
        not(&a),
        Logic::All(all.clone()),
        Logic::Any(all.clone()),
        Logic::Odd(all.clone()),
        Logic::Odd(vec![a.clone(), Logic::All(vec![b.clone(), not(&c)]), Logic::Constant(true)]),
        Logic::All(vec![]),
        Logic::Any(vec![]),
    ];
    for least in 0..6 {
        cases.extend((0..6).map(|most| Logic::Count { of: all.clone(), least, most }));
    }
    cases.push(Logic::Count { of: vec![a, not(&b), Logic::Odd(vec![c, d])], least: 2, most: u32::MAX });
    for logic in cases {
        let mut bdd = Bdd::new();
        let function = function_of(&mut bdd, &logic).unwrap();
        for values in assignments(&variables) {
            let wanted = logic.evaluate(&|input, bit, at| values[&variable(input, bit, at.x.into())]);
            assert_eq!(bdd.evaluate(function, |variable| values[&variable]), wanted, "{logic:?}");
        }
        let read: Vec<Variable> = bdd.variables_of(function);
        assert!(read.is_sorted() && read.iter().all(|variable| variables.contains(variable)));
    }
}

/// A diagram has one node for each distinct part, and no more nodes than allowed.
#[test]
fn diagrams_have_a_limit() {
    let variables = [0, 1, 2].map(|x| variable(0, 0, x));
    let odd = |bdd: &mut Bdd| {
        function_of(bdd, &Logic::Odd([0, 1, 2].map(|x| Logic::pixel(0, Displacement::new(x, 0))).to_vec()))
    };
    let mut bdd = Bdd::new();
    let function = odd(&mut bdd).unwrap();
    assert_eq!(bdd.variables_of(function), variables);
    assert_eq!(bdd.variables_of(Function::TRUE), []);
    let size = bdd.size();
    assert_eq!(odd(&mut bdd), Ok(function));
    assert_eq!(bdd.size(), size);
    assert_eq!(odd(&mut Bdd::with_limit(size)), Ok(function));
    assert_eq!(odd(&mut Bdd::with_limit(size - 1)), Err(TooLarge));
    assert_eq!(bdd.and(function, function.not()), Ok(Function::FALSE));
    assert_eq!(bdd.and(function.not(), function.not()), Ok(function.not()));
    assert!(Function::constant(true) == Function::TRUE && Function::constant(false) == Function::FALSE);
}

/// Functions move along both axes in the right direction, and inputs and bits stay distinct.
#[test]
fn functions_move_along_both_axes() {
    let mut bdd = Bdd::new();
    let at = |x, y| Variable { bit: 3, y, x, input: 7 };
    let here = bdd.variable(at(1, -2)).unwrap();
    let there = bdd.variable(at(3, 3)).unwrap();
    assert_eq!(bdd.moved(here, Displacement::new(2, 5)), Ok(there));
    assert_eq!(bdd.moved(here.not(), Displacement::new(2, 5)), Ok(there.not()));
    assert_eq!(bdd.moved(Function::TRUE, Displacement::new(2, 5)), Ok(Function::TRUE));
    let both = bdd.and(here, there.not()).unwrap();
    assert_eq!(bdd.without(both.not(), |variable| variable.x == 3), Ok(here.not()));
    assert_eq!(bdd.without(both.not(), |variable| variable.y == -2), Ok(Function::TRUE));
}

const WIDTH: usize = 4;
const HEIGHT: usize = 3;
/// The first registers of the inputs.
const INPUTS: [Dreg; 2] = [Dreg::ALL[5], Dreg::ALL[6]];

/// Words on functions agree with words on bits in every PE of an array whose outside pixels are 0, as far as they can
/// be followed; they also read FLAG and the gate of `R12`.
#[test]
fn random_programs_do_on_functions_what_they_do_on_bits() {
    let mut followed = 0;
    for seed in 0..1500 {
        let mut random = SplitMix64::new(seed);
        let (mut bdd, mut machine) = (Bdd::new(), Machine::new());
        let mut grid = Grid::new(WIDTH, HEIGHT, || random.below(2) == 1);
        let given = grid.clone();
        for (input, register) in INPUTS.into_iter().enumerate() {
            let function = bdd.variable(variable(input, 0, 0)).unwrap();
            machine.give(register.into(), function);
        }
        let switches = [1, 2, 3, 4].map(|number| Dreg::ALL[number]);
        let clear = cain_isa::Logic::new(Operation::Clr, &switches, &[]).map(Word::Logic).unwrap();
        let open = cain_isa::Logic::new(Operation::Set, &[switches[random.below(4)]], &[]).map(Word::Logic).unwrap();
        let mut words = vec![clear, open];
        (0..10).for_each(|_| words.extend(random_words(&mut random)));
        for word in words {
            if machine.word(&mut bdd, word).is_err() {
                break;
            }
            followed += 1;
            grid.word(word);
            let is_one = |pe: usize, variable: Variable| {
                let place = given.neighbour(pe, variable.x, variable.y);
                place.is_some_and(|place| given.read(place, INPUTS[variable.input].into()))
            };
            let bits = Dreg::ALL.map(Bit::Reg).into_iter().chain([Bit::Flag]);
            for (bit, function) in bits.filter_map(|bit| Some((bit, machine.read(bit).ok()?))) {
                for pe in 0..WIDTH * HEIGHT {
                    let found = bdd.evaluate(function, |variable| is_one(pe, variable));
                    assert_eq!(found, grid.read(pe, bit), "seed {seed}, {word} {bit}, PE {pe}");
                }
            }
            assert_eq!(machine.flag_is_one(), machine.read(Bit::Flag) == Ok(Function::TRUE));
        }
    }
    assert!(followed > 5_500, "{followed}");
}

#[test]
fn words_that_cannot_be_followed_are_told() {
    let (mut bdd, mut machine) = (Bdd::new(), Machine::new());
    let mut run = |lines: &[&str]| {
        lines.iter().try_for_each(|line| machine.execute(&mut bdd, line.parse::<Instruction>().unwrap()))
    };
    let unwritten = |number: usize| Err(ReplayError::Unwritten(Bit::Reg(Dreg::ALL[number])));
    assert_eq!(run(&["MOV(R6,R5);"]), unwritten(5));
    assert_eq!(run(&["SET(R5);", "DNEWS0(R6,R5);"]), unwritten(3));
    // First the gate is unknown, and then the bit that remains where it is 0.
    assert_eq!(run(&["CLR(R1,R2,R3,R4);", "MOV(R12,R5);"]), unwritten(0));
    assert_eq!(run(&["MOV(R0,R5);", "MOV(R12,R5);"]), Ok(()));
    assert!(matches!(run(&["bus(A,B);"]), Err(ReplayError::Unsupported(Word::Bus(_)))));
    assert_eq!(run(&["MOV(R5,SELECT);"]), Err(ReplayError::Unwritten(Bit::Select)));
    assert_eq!(run(&["MOV(R5,RECT);"]), Err(ReplayError::Unwritten(Bit::Rect)));
}

/// The second half of a word in place writes the result of the first, unless another word came in between.
#[test]
fn halves_of_words_belong_together() {
    let logic = |operation, targets: &[Dreg], sources: &[Bit]| {
        Word::Logic(cain_isa::Logic::new(operation, targets, sources).unwrap())
    };
    let [first, second] = [Dreg::ALL[5], Dreg::ALL[6]];
    let hold = logic(Operation::HoldNor, &[], &[first.into()]);
    let store = logic(Operation::StoreNor, &[second], &[]);
    let (mut bdd, mut machine) = (Bdd::new(), Machine::new());
    assert_eq!(machine.word(&mut bdd, store), Err(ReplayError::Unsupported(store)));
    let function = bdd.variable(variable(0, 0, 0)).unwrap();
    machine.give(first.into(), function);
    assert_eq!(machine.word(&mut bdd, hold), Ok(()));
    assert_eq!(machine.read(second.into()), Err(ReplayError::Unwritten(second.into())));
    assert_eq!(machine.word(&mut bdd, store), Ok(()));
    assert_eq!(machine.read(second.into()), Ok(function.not()));
    assert_eq!(machine.word(&mut bdd, store), Err(ReplayError::Unsupported(store)));
    machine.word(&mut bdd, hold).unwrap();
    machine.word(&mut bdd, logic(Operation::Or, &[Dreg::ALL[7]], &[first.into()])).unwrap();
    assert_eq!(machine.word(&mut bdd, store), Err(ReplayError::Unsupported(store)));
}
