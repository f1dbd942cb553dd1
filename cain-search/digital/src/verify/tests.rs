//! Tests with hand-written programs: wrong ones, and right ones that differ from them in one detail.

use cain_analysis::prove::{Atom, Polynomial};
use cain_isa::asm::digital::{R5, R6, R7, R8};
use cain_isa::{Bit, Displacement, Dreg, Fraction, Instruction};

use super::{Program, VerifyError, verify};
use crate::{Declaration, DeclarationError, Format, Input, Logic, Output};

fn register(bit: Bit) -> Dreg {
    let Bit::Reg(register) = bit else { panic!("{bit}") };
    register
}

fn numbers(numbers: &[&[Bit]]) -> Vec<Vec<Dreg>> {
    numbers.iter().map(|bits| bits.iter().map(|&bit| register(bit)).collect()).collect()
}

/// A declaration with inputs of so many bits, each kept or not, and outputs.
fn declaration(inputs: &[(u32, bool)], outputs: &[Output]) -> Declaration {
    let input = |(place, &(bits, keep)): (usize, &(u32, bool))| Input {
        name: format!("in{place}"),
        format: Format::new(bits, false).unwrap(),
        keep,
        at: None,
    };
    Declaration {
        name: "test".into(),
        inputs: inputs.iter().enumerate().map(input).collect(),
        outputs: outputs.to_vec(),
        flag: true,
        nodes: 1,
    }
}

/// The sum of inputs, each with a weight and read this many columns to the east.
fn sum(name: &str, terms: &[(u16, i16, i32)]) -> Output {
    let mut kernel = Polynomial::new();
    for &(channel, x, weight) in terms {
        let atom = Atom { channel, displacement: Displacement::new(x, 0) };
        kernel.add_term(atom, Fraction::from(weight)).unwrap();
    }
    Output { name: name.into(), formula: kernel.into() }
}

fn program(inputs: &[&[Bit]], outputs: &[&[Bit]], lines: &[&str]) -> Program {
    let listing = lines.iter().map(|line| line.parse().unwrap()).collect();
    Program { listing, inputs: numbers(inputs), outputs: numbers(outputs) }
}

#[track_caller]
fn refused(declaration: &Declaration, program: &Program) -> VerifyError {
    verify(declaration, program).unwrap_err()
}

#[track_caller]
fn accepted(declaration: &Declaration, program: &Program) {
    assert_eq!(verify(declaration, program).unwrap().program(), program);
}

/// An input that lies in a given register is read from there.
#[test]
fn inputs_lie_where_they_are_given() {
    let pixel = Output { name: "same".into(), formula: Logic::pixel(0, Displacement::ZERO).into() };
    let mut given = declaration(&[(1, false)], &[pixel]);
    let run = |input: Bit| program(&[&[input]], &[&[R7]], &[&format!("MOV(R7,{input});")]);
    accepted(&given, &run(R5));
    accepted(&given, &run(R6));
    given.inputs[0].at = Some(register(R6));
    assert_eq!(refused(&given, &run(R5)), VerifyError::Shape);
    accepted(&given, &run(R6));
}

/// The first input is kept, the second one may be overwritten; the output is their AND.
#[test]
fn inputs_that_are_kept_are_as_they_were() {
    let both = |kept: [bool; 2]| {
        let pixels = [0, 1].map(|input| Logic::pixel(input, Displacement::ZERO));
        let output = Output { name: "both".into(), formula: Logic::All(pixels.to_vec()).into() };
        declaration(&kept.map(|keep| (1, keep)), &[output])
    };
    let run = |lines: &[&str]| program(&[&[R5], &[R6]], &[&[R7]], lines);
    let overwritten = |input, bit| VerifyError::Overwritten { input, register: register(bit) };
    let in_place = run(&["NOT(R5);", "NOT(R8,R6);", "NOR(R7,R5,R8);"]);
    accepted(&both([false, true]), &in_place);
    accepted(&both([false, false]), &in_place);
    assert_eq!(refused(&both([true, false]), &in_place), overwritten(0, R5));
    assert_eq!(refused(&both([true, true]), &in_place), overwritten(0, R5));
    let second = run(&["NOT(R6);", "NOT(R8,R5);", "NOR(R7,R6,R8);"]);
    accepted(&both([true, false]), &second);
    assert_eq!(refused(&both([true, true]), &second), overwritten(1, R6));
    // An overwritten input that is restored counts as kept; one restored from another place does not.
    accepted(&both([true, true]), &run(&["NOT(R5);", "NOT(R8,R6);", "NOR(R7,R5,R8);", "NOT(R5);"]));
    let other = run(&["NOT(R8,R6);", "NOT(R9,R5);", "NOR(R7,R8,R9);", "MOV(R5,R6);"]);
    assert_eq!(refused(&both([true, true]), &other), overwritten(0, R5));
    // The first input ends up in the register of the second.
    let exchanged = run(&["NOT(R8,R6);", "NOT(R9,R5);", "NOR(R7,R8,R9);", "NOT(R5,R8);", "NOT(R6,R9);"]);
    accepted(&both([false, false]), &exchanged);
    assert_eq!(refused(&both([true, true]), &exchanged), overwritten(0, R5));
    assert_eq!(refused(&both([false, true]), &exchanged), overwritten(1, R6));
}

/// Every bit of a number must be kept, not only the lowest.
#[test]
fn every_bit_that_is_kept_is_as_it_was() {
    let low = Logic::pixel(0, Displacement::ZERO);
    let kept = declaration(&[(2, true)], &[Output { name: "low".into(), formula: low.into() }]);
    let run = |lines: &[&str]| program(&[&[R5, R6]], &[&[R7]], lines);
    accepted(&kept, &run(&["MOV(R7,R5);"]));
    for (line, bit) in [("CLR(R5);", R5), ("CLR(R6);", R6), ("NOT(R6);", R6)] {
        let error = VerifyError::Overwritten { input: 0, register: register(bit) };
        assert_eq!(refused(&kept, &run(&["MOV(R7,R5);", line])), error);
    }
}

#[test]
fn every_bit_of_every_output_is_right() {
    // The sum of two pixels, and the pixel to the east.
    let outputs = [sum("sum", &[(0, 0, 1), (1, 0, 1)]), sum("east", &[(0, 1, 1)])];
    let declaration = declaration(&[(1, false), (1, false)], &outputs);
    let run = |lines: &[&str]| program(&[&[R5], &[R6]], &[&[R7, R8], &[Bit::Reg(Dreg::ALL[9])]], lines);
    let carry = ["NOT(R10,R5);", "NOT(R11,R6);", "NOR(R8,R10,R11);"];
    let low = ["NOR(R10,R5,R6);", "NOR(R7,R8,R10);"];
    let east = ["CLR(R1,R2,R3,R4);", "SET(R4);", "DNEWS0(R9,R5);"];
    let right = [&carry[..], &low, &east].concat();
    accepted(&declaration, &run(&right));
    let wrong = |output, bit, place: u8| VerifyError::Wrong { output, bit, register: Dreg::ALL[usize::from(place)] };
    let with = |place: usize, line: &'static str| {
        let mut lines = right.clone();
        lines[place] = line;
        run(&lines)
    };
    assert_eq!(refused(&declaration, &with(4, "MOV(R7,R5);")), wrong(0, 0, 7));
    assert_eq!(refused(&declaration, &run(&[&right[..], &["NOT(R8);"]].concat())), wrong(0, 1, 8));
    assert_eq!(refused(&declaration, &with(6, "SET(R2);")), wrong(1, 0, 9));
    assert_eq!(refused(&declaration, &with(7, "DNEWS0(R9,R6);")), wrong(1, 0, 9));
    assert_eq!(refused(&declaration, &run(&right[..5])), wrong(1, 0, 9));
    // A program that has the bits of the sum in the other order.
    let exchanged = Program { outputs: numbers(&[&[R8, R7], &[Bit::Reg(Dreg::ALL[9])]]), ..run(&right) };
    assert_eq!(refused(&declaration, &exchanged), wrong(0, 0, 8));
}

/// Pixels outside of the array are 0, even if a word reads them as 1.
#[test]
fn pixels_outside_are_zero() {
    let east = declaration(&[(1, false)], &[sum("east", &[(0, 1, 1)])]);
    let run = |lines: &[&str]| program(&[&[R5]], &[&[R6]], &[&["CLR(R1,R2,R3,R4);", "SET(R4);"], lines].concat());
    accepted(&east, &run(&["DNEWS0(R6,R5);"]));
    let border = |index: usize, line: &str| VerifyError::Border { index, instruction: line.parse().unwrap() };
    assert_eq!(refused(&east, &run(&["DNEWS1(R6,R5);"])), border(2, "DNEWS1(R6,R5);"));
    // The complement is 1 outside of the array.
    accepted(&east, &run(&["NOT(R7,R5);", "DNEWS1(R8,R7);", "NOT(R6,R8);"]));
    assert_eq!(refused(&east, &run(&["NOT(R7,R5);", "DNEWS0(R8,R7);", "NOT(R6,R8);"])), border(3, "DNEWS0(R8,R7);"));
    // Along both axes, and around a corner.
    let directions = [("R1", [0, -1]), ("R2", [-1, 0]), ("R3", [0, 1]), ("R4", [1, 0])];
    for (first, [x, y]) in directions {
        for (second, [u, v]) in directions {
            let atom = Atom { channel: 0, displacement: Displacement::new(x + u, y + v) };
            let mut kernel = Polynomial::new();
            kernel.add_term(atom, Fraction::ONE).unwrap();
            let there = declaration(&[(1, false)], &[Output { name: "there".into(), formula: kernel.into() }]);
            let open = [format!("SET({first});"), format!("SET({second});")];
            let lines =
                ["CLR(R1,R2,R3,R4);", &open[0], "DNEWS0(R7,R5);", "CLR(R1,R2,R3,R4);", &open[1], "DNEWS0(R6,R7);"];
            let program = program(&[&[R5]], &[&[R6]], &lines);
            if [x + u, y + v] == [0, 0] {
                assert_eq!(refused(&there, &program), border(5, "DNEWS0(R6,R7);"));
            } else {
                accepted(&there, &program);
            }
        }
    }
    // There and back: the PE's own pixel is lost at the border.
    let here = declaration(&[(1, false)], &[sum("here", &[(0, 0, 1)])]);
    let back = ["DNEWS0(R6,R5);", "CLR(R4);", "SET(R2);", "DNEWS0(R7,R6);", "MOV(R6,R7);"];
    assert_eq!(refused(&here, &run(&back)), border(5, "DNEWS0(R7,R6);"));
}

#[test]
fn flag_is_one_at_the_end() {
    let copy = declaration(&[(1, false)], &[sum("copy", &[(0, 0, 1)])]);
    let run = |lines: &[&str]| program(&[&[R5]], &[&[R6]], lines);
    assert_eq!(refused(&copy, &run(&["WHERE(R5);", "MOV(R6,FLAG);"])), VerifyError::Flag);
    accepted(&copy, &run(&["WHERE(R5);", "MOV(R6,FLAG);", "all();"]));
    accepted(&copy, &run(&["WHERE(R5);", "MOV(R6,FLAG);", "NOT(R7,R5);", "WHERE(R5,R7);"]));
    // FLAG is initially 1.
    accepted(&copy, &run(&["MOV(R6,R5);"]));
    assert_eq!(refused(&copy, &run(&["MOV(R6,R5);", "CLR(R7);", "WHERE(R7);"])), VerifyError::Flag);
}

#[test]
fn words_can_be_followed() {
    let copy = declaration(&[(1, false)], &[sum("copy", &[(0, 0, 1)])]);
    let run = |lines: &[&str]| program(&[&[R5]], &[&[R6]], lines);
    let unwritten = |index, bit| VerifyError::Unwritten { index, bit };
    assert_eq!(refused(&copy, &run(&["nop();", "MOV(R6,R7);"])), unwritten(1, R7));
    assert_eq!(refused(&copy, &run(&["MOV(R6,SELECT);"])), unwritten(0, Bit::Select));
    assert_eq!(refused(&copy, &run(&["MOV(R6,RECT);"])), unwritten(0, Bit::Rect));
    let unsupported = |index: usize, line: &str| {
        let instruction: Instruction = line.parse().unwrap();
        VerifyError::Unsupported { index, word: instruction.words().next().unwrap() }
    };
    assert_eq!(refused(&copy, &run(&["MOV(R6,R5);", "bus(A,B);"])), unsupported(1, "bus(A,B);"));
    assert_eq!(refused(&copy, &run(&["MOV(R6,R5);", "PROP0();"])), unsupported(1, "PROP0();"));
}

#[test]
fn numbers_have_their_registers() {
    let declaration = declaration(&[(1, false), (2, false)], &[sum("copy", &[(1, 0, 1)])]);
    let lines: &[&str] = &[];
    let right = program(&[&[R5], &[R6, R7]], &[&[R6, R7]], lines);
    accepted(&declaration, &right);
    let proved = verify(&declaration, &right).unwrap();
    assert_eq!([0, 1].map(|output| proved.output_format(output)), [Format::new(2, false), None]);
    for inputs in [&[&[R5][..], &[R6]][..], &[&[R5, R8], &[R6, R7]], &[&[R6, R7], &[R5]], &[&[R5]]] {
        assert_eq!(refused(&declaration, &program(inputs, &[&[R6, R7]], lines)), VerifyError::Shape);
    }
    for outputs in [&[&[R6][..]][..], &[&[R6, R7, R8]], &[&[R6, R7], &[R8]], &[]] {
        assert_eq!(refused(&declaration, &program(&[&[R5], &[R6, R7]], outputs, lines)), VerifyError::Shape);
    }
    let twice = |bit| VerifyError::Twice(register(bit));
    assert_eq!(refused(&declaration, &program(&[&[R6], &[R6, R7]], &[&[R6, R7]], lines)), twice(R6));
    assert_eq!(refused(&declaration, &program(&[&[R5], &[R7, R7]], &[&[R6, R7]], lines)), twice(R7));
    assert_eq!(refused(&declaration, &program(&[&[R5], &[R6, R7]], &[&[R7, R7]], lines)), twice(R7));
    let empty = Declaration { outputs: vec![], ..declaration };
    assert_eq!(refused(&empty, &right), VerifyError::Declaration(DeclarationError::NoOutput));
}

#[test]
fn programs_tell_their_words() {
    let program = program(&[&[R5]], &[&[R6]], &["AND(R6,R5,FLAG);", "nop();"]);
    assert_eq!(program.words(), 5);
}
