//! Tests with hand-written programs: wrong ones, and right ones that differ from them in one detail.

use cain_analysis::owned::{Step, step_of};
use cain_analysis::prove::{Atom, Polynomial};
use cain_isa::asm::A;
use cain_isa::program::Selection;
use cain_isa::{Displacement, Dreg, Instruction, Word};

use super::{Reason, VerifyError, verify};
use crate::superpixel::convert::{adc, dac};
use crate::superpixel::{Carry, Converter, Declaration, DeclarationError, Input, Layout, Output, Program, Then};

const R5: Dreg = Dreg::ALL[5];
const R6: Dreg = Dreg::ALL[6];
const R7: Dreg = Dreg::ALL[7];

/// A layout with the lower bit in the west and the sign in the east.
fn row() -> Vec<Vec<usize>> {
    vec![vec![1, 2]]
}

/// A kernel of input pixels with weights, each read from the given number of blocks to the east and to the north.
fn kernel(terms: &[(u16, [i16; 2], &str)]) -> Polynomial {
    let mut sum = Polynomial::new();
    for &(channel, [x, y], weight) in terms {
        let atom = Atom { channel, displacement: Displacement::new(x, y) };
        sum.add_term(atom, weight.parse().unwrap()).unwrap();
    }
    sum
}

fn declaration(order: Vec<Vec<usize>>, kernel: Polynomial) -> Declaration {
    Declaration {
        name: "test".into(),
        layout: Layout::new(&[order]).unwrap(),
        carry: Carry::Propagate,
        inputs: vec![Input::new("in".into(), 0)],
        outputs: vec![Output::sum("out".into(), 0, kernel)],
        nodes: 1,
    }
}

fn listing(lines: &[&str]) -> Vec<Instruction> {
    lines.iter().map(|line| line.parse().unwrap()).collect()
}

fn steps(lines: &[&str]) -> Vec<Step> {
    listing(lines).into_iter().map(step_of).collect()
}

/// The PEs in every second column, counted from the right.
const EASTERN: Selection = Selection { column: 1, free_column_bits: !1, ..Selection::ALL };

/// A program from R5 to R6 that finds R7 prepared: 1 in the eastern of two columns and 0 in the other.
fn program(lines: &[&str]) -> Program {
    let setup = [vec![Step::Select(EASTERN)], steps(&["MOV(R7,SELECT);"])].concat();
    Program { setup, reserved: vec![R7], ..unprepared(lines) }
}

/// A program from R5 to R6 without preparation.
fn unprepared(lines: &[&str]) -> Program {
    Program {
        setup: vec![],
        before: vec![],
        listing: listing(lines),
        after: vec![],
        inputs: vec![R5],
        outputs: vec![R6],
        reserved: vec![],
    }
}

#[track_caller]
fn refused(declaration: &Declaration, program: &Program) -> VerifyError {
    verify(declaration, program).unwrap_err()
}

#[track_caller]
fn accepted(declaration: &Declaration, program: &Program) {
    assert_eq!(verify(declaration, program).unwrap().program(), program);
}

fn wrong(bit: usize) -> VerifyError {
    VerifyError::Wrong { output: 0, bit, register: R6 }
}

/// R7 holds what the listing finds prepared, in this run and in the next one.
#[test]
fn reserved_registers_are_as_they_were() {
    let copy = declaration(row(), kernel(&[(0, [0, 0], "1")]));
    let run = |more: &[&str]| program(&[&["MOV(R6,R5);"], more].concat());
    accepted(&copy, &run(&[]));
    accepted(&copy, &run(&["NOT(R7);", "NOT(R7);"]));
    // These write another value in both columns, in the western one, and in the eastern one alone.
    for line in ["NOT(R7);", "SET(R7);", "CLR(R7);", "MOV(R7,R5);"] {
        assert_eq!(refused(&copy, &run(&[line])), VerifyError::Overwritten(R7), "{line}");
    }
    // The same is checked in the conversions before and after the listing.
    let before = |lines: &[&str]| Program { before: steps(lines), ..run(&[]) };
    let after = |lines: &[&str]| Program { after: steps(lines), ..run(&[]) };
    for part in [&before as &dyn Fn(&[&str]) -> Program, &after] {
        accepted(&copy, &part(&["NOT(R7);", "NOT(R7);"]));
        assert_eq!(refused(&copy, &part(&["NOT(R7);"])), VerifyError::Overwritten(R7));
        assert_eq!(refused(&copy, &part(&["CLR(R7);"])), VerifyError::Overwritten(R7));
        // Registers that are not reserved may be overwritten.
        accepted(&copy, &part(&["SET(R8);"]));
        assert_eq!(refused(&copy, &part(&["CLR(R8);", "WHERE(R8);"])), VerifyError::Flag);
    }
    // One of several reserved registers is overwritten.
    let both = Program {
        setup: [run(&[]).setup, steps(&["CLR(R8);"])].concat(),
        reserved: vec![Dreg::ALL[8], R7],
        ..run(&[])
    };
    accepted(&copy, &both);
    let lines = |line| listing(&["MOV(R6,R5);", line]);
    assert_eq!(refused(&copy, &Program { listing: lines("NOT(R7);"), ..both.clone() }), VerifyError::Overwritten(R7));
    let error = VerifyError::Overwritten(Dreg::ALL[8]);
    assert_eq!(refused(&copy, &Program { listing: lines("SET(R8);"), ..both }), error);
    // The register has to be prepared.
    assert_eq!(refused(&copy, &Program { setup: vec![], ..run(&[]) }), VerifyError::Overwritten(R7));
    // Only reserved registers still have their contents when the listing begins.
    let forgotten = Program { setup: steps(&["CLR(R7);", "CLR(R8);"]), ..program(&["OR(R6,R5,R8);"]) };
    assert_eq!(refused(&copy, &forgotten), wrong(0));
}

#[test]
fn inputs_that_are_kept_are_as_they_were() {
    let mut copy = declaration(row(), kernel(&[(0, [0, 0], "1")]));
    let overwritten =
        [program(&["MOV(R6,R5);", "CLR(R5);"]), program(&["MOV(R6,R5);", "OR(R8,R5,R7);", "MOV(R5,R8);"])];
    for program in &overwritten {
        accepted(&copy, program);
    }
    copy.inputs[0].keep = true;
    for program in &overwritten {
        assert_eq!(refused(&copy, program), VerifyError::Overwritten(R5));
    }
    accepted(&copy, &program(&["MOV(R6,R5);", "CLR(R5);", "MOV(R5,R6);"]));
    // Conversions must preserve an unconverted input, and outputs and kept inputs.
    let right = program(&["MOV(R6,R5);"]);
    for lines in [&["CLR(R5);"][..], &["OR(R8,R5,R7);", "MOV(R5,R8);"]] {
        assert_eq!(refused(&copy, &Program { before: steps(lines), ..right.clone() }), VerifyError::Overwritten(R5));
        assert_eq!(refused(&copy, &Program { after: steps(lines), ..right.clone() }), VerifyError::Overwritten(R5));
    }
    assert_eq!(refused(&copy, &Program { after: steps(&["NOT(R6);"]), ..right.clone() }), VerifyError::Overwritten(R6));
    copy.inputs[0].keep = false;
    accepted(&copy, &Program { after: steps(&["CLR(R5);"]), ..right.clone() });
    assert_eq!(refused(&copy, &Program { before: steps(&["CLR(R5);"]), ..right }), VerifyError::Overwritten(R5));
}

#[test]
fn flag_is_one_at_the_end() {
    let copy = declaration(row(), kernel(&[(0, [0, 0], "1")]));
    assert_eq!(refused(&copy, &program(&["MOV(R6,R5);", "WHERE(R5);"])), VerifyError::Flag);
    // FLAG is 1 in one of the columns only.
    assert_eq!(refused(&copy, &program(&["MOV(R6,R5);", "WHERE(R7);"])), VerifyError::Flag);
    accepted(&copy, &program(&["MOV(R6,R5);", "WHERE(R7);", "all();"]));
    // The preparation happens once: in the next run, FLAG is as the first one left it.
    let mut prepared = program(&["NOT(R9,R7);", "NOR(R8,R9,FLAG);", "OR(R6,R5,R8);", "all();"]);
    accepted(&copy, &prepared);
    prepared.setup.extend(steps(&["WHERE(R7);"]));
    assert_eq!(refused(&copy, &prepared), VerifyError::Flag);
    prepared.setup.extend(steps(&["all();"]));
    accepted(&copy, &prepared);
}

/// A level set once, and a plane filled once, are not there in every run.
#[test]
fn levels_are_set_in_every_run() {
    let mut copy = declaration(vec![vec![1]], kernel(&[(0, [0, 0], "1")]));
    copy.outputs[0].converted = Some(Converter { register: A, bits: 1, unit: 0 });
    // Neither −1 nor 0 has more than the lowest level.
    let lowest = [vec![Step::Level(-128)], steps(&["bus(NEWS,IN);", "bus(A,NEWS);"])].concat();
    let with = |setup: &[Step], after: &[Step]| Program {
        setup: setup.to_vec(),
        after: after.to_vec(),
        ..unprepared(&["MOV(R6,R5);"])
    };
    accepted(&copy, &with(&[], &lowest));
    let error = VerifyError::WrongLevel { output: 0, register: A };
    for before in 1..=lowest.len() {
        assert_eq!(refused(&copy, &with(&lowest[..before], &lowest[before..])), error, "{before}");
    }
    let other = [vec![Step::Level(-127)], lowest[1..].to_vec()].concat();
    assert_eq!(refused(&copy, &with(&[], &other)), error);
}

/// The lower bit moves to the place of the sign, from where nothing passes to the next block.
const DOUBLED: [&str; 6] =
    ["CLR(R1,R2,R3,R4);", "SET(R2);", "DNEWS0(R8,R5);", "NOT(R9,R8);", "NOT(R10,R7);", "NOR(R6,R9,R10);"];
/// The sign in both columns.
const SIGN: [&str; 9] = [
    "CLR(R1,R2,R3,R4);",
    "SET(R4);",
    "DNEWS0(R8,R5);",
    "NOT(R9,R8);",
    "NOR(R8,R9,R7);",
    "NOT(R9,R5);",
    "NOT(R10,R7);",
    "NOR(R11,R9,R10);",
    "OR(R6,R8,R11);",
];

#[test]
fn weights_halvings_and_biases_count() {
    let with = |weight: &str, bias| {
        let mut declaration = declaration(row(), kernel(&[(0, [0, 0], weight)]));
        declaration.outputs[0].bias = bias;
        declaration
    };
    let doubled = program(&DOUBLED);
    accepted(&with("2", 0), &doubled);
    accepted(&with("-2", 0), &doubled);
    assert_eq!(refused(&with("1", 0), &doubled), wrong(0));
    assert_eq!(refused(&with("2", 1), &doubled), wrong(0));
    assert_eq!(refused(&with("2", -2), &doubled), wrong(1));
    assert_eq!(refused(&with("4", 0), &doubled), wrong(1));
    // 2a + 1 and 2a + 2.
    let one = [&DOUBLED[..], &["OR(R8,R6,R10);", "MOV(R6,R8);"]].concat();
    accepted(&with("2", 1), &program(&one));
    assert_eq!(refused(&with("2", -1), &program(&one)), wrong(1));
    accepted(&with("2", -2), &program(&[&DOUBLED[..5], &["NOR(R6,R8,R10);"]].concat()));
    // Half of the number, rounded down: −2 and −1 become −1, 0 and 1 become 0.
    accepted(&with("1/2", 0), &program(&SIGN));
    assert_eq!(refused(&with("1/4", 0), &program(&["CLR(R6);"])), wrong(0));
    accepted(&with("1/4", 0), &program(&SIGN));
    assert_eq!(refused(&with("1", 0), &program(&SIGN)), wrong(0));
    // One less.
    accepted(&with("1/2", -1), &program(&[&SIGN[..8], &["NOR(R10,R8,R11);", "OR(R6,R10,R7);"]].concat()));
}

#[test]
fn rectifiers_and_comparisons_count() {
    let with = |weight: &str, bias, then| {
        let mut declaration = declaration(row(), kernel(&[(0, [0, 0], weight)]));
        (declaration.outputs[0].bias, declaration.outputs[0].then) = (bias, then);
        declaration
    };
    // The result is 1 where the number is 1.
    let rectified = ["CLR(R1,R2,R3,R4);", "SET(R4);", "DNEWS0(R8,R5);", "NOT(R9,R5);", "NOR(R6,R9,R8,R7);"];
    accepted(&with("1", 0, Then::Rectify), &program(&rectified));
    assert_eq!(refused(&with("1", 0, Then::Nothing), &program(&rectified)), wrong(0));
    assert_eq!(refused(&with("1", 0, Then::Rectify), &program(&["MOV(R6,R5);"])), wrong(0));
    let lower = ["NOT(R9,R5);", "NOR(R6,R9,R7);"];
    assert_eq!(refused(&with("1", 0, Then::Rectify), &program(&lower)), wrong(0));
    accepted(&with("2", 0, Then::Rectify), &program(&["CLR(R6);"]));

    // 0 > a holds where the number is negative.
    accepted(&with("-1", 0, Then::Compare), &program(&SIGN));
    assert_eq!(refused(&with("1", 0, Then::Compare), &program(&SIGN)), wrong(0));
    assert_eq!(refused(&with("-1", 1, Then::Compare), &program(&SIGN)), wrong(0));
    // a > 1 holds for no number and a > −2 for all but one; 1 > 2a always holds, as 2a is −2 or 0.
    accepted(&with("1", -1, Then::Compare), &program(&["CLR(R6);"]));
    accepted(&with("-2", 1, Then::Compare), &program(&["SET(R6);"]));
    assert_eq!(refused(&with("1", -2, Then::Compare), &program(&["CLR(R6);"])), wrong(0));
    // The result is wrong because it appears in both columns.
    assert_eq!(refused(&with("-1", 0, Then::Compare), &program(&["MOV(R6,R5);"])), wrong(0));
    assert_eq!(refused(&with("-2", 1, Then::Compare), &program(&["MOV(R6,R7);"])), wrong(0));
    assert_eq!(refused(&with("-2", 1, Then::Compare), &program(&["NOT(R6,R7);"])), wrong(1));
}

/// Two steps in each direction, to the same place in the next block.
#[test]
fn blocks_are_read_where_they_lie() {
    let directions = [("R1", [0, -1]), ("R2", [-1, 0]), ("R3", [0, 1]), ("R4", [1, 0])];
    for (switch, _) in directions {
        let open = format!("SET({switch});");
        let lines = ["CLR(R1,R2,R3,R4);", &open, "DNEWS0(R8,R5);", "DNEWS0(R6,R8);"];
        for (other, at) in directions {
            let there = declaration(vec![vec![1, 2], vec![4, 3]], kernel(&[(0, at, "1")]));
            if switch == other {
                accepted(&there, &program(&lines));
                let error = refused(&there, &program(&[&lines[..3], &["DNEWS1(R6,R8);"]].concat()));
                assert!(matches!(error, VerifyError::Wrong { .. }), "{error:?}");
                assert_eq!(refused(&there, &program(&[&lines[..2], &["DNEWS0(R6,R5);"]].concat())), wrong(0));
            } else {
                assert_eq!(refused(&there, &program(&lines)), wrong(0), "{switch} {other}");
            }
        }
    }
    // Two borders are crossed, along both axes and around a corner; values that have left the array do not come back.
    for (first, [x, y]) in directions {
        for (second, [u, v]) in directions {
            let there = declaration(vec![vec![1]], kernel(&[(0, [x + u, y + v], "1")]));
            let open = [format!("SET({first});"), format!("SET({second});")];
            let lines =
                ["CLR(R1,R2,R3,R4);", &open[0], "DNEWS0(R8,R5);", "CLR(R1,R2,R3,R4);", &open[1], "DNEWS0(R6,R8);"];
            if [x + u, y + v] == [0, 0] {
                assert_eq!(refused(&there, &unprepared(&lines)), wrong(0));
            } else {
                accepted(&there, &unprepared(&lines));
            }
        }
    }
    // One block to the east and back.
    let here = declaration(vec![vec![1]], kernel(&[(0, [0, 0], "1")]));
    let back = ["CLR(R1,R2,R3,R4);", "SET(R4);", "DNEWS0(R8,R5);", "CLR(R4);", "SET(R2);", "DNEWS0(R6,R8);"];
    assert_eq!(refused(&here, &unprepared(&back)), wrong(0));
    // The sum modulo 2 of one bit from two sides, which are 0 outside.
    let sides = declaration(vec![vec![1]], kernel(&[(0, [1, 0], "1"), (0, [-1, 0], "1")]));
    let either = ["CLR(R1,R2,R3,R4);", "SET(R4);", "DNEWS0(R8,R5);", "CLR(R4);", "SET(R2);", "DNEWS0(R9,R5);"];
    let exclusive = ["NOT(R10,R8);", "NOT(R11,R9);", "NOR(R1,R10,R11);", "NOR(R2,R8,R9);", "NOR(R6,R1,R2);"];
    accepted(&sides, &unprepared(&[&either[..], &exclusive].concat()));
    assert_eq!(refused(&sides, &unprepared(&[&either[..], &["OR(R6,R8,R9);"]].concat())), wrong(0));
}

/// The sign goes to the western column, the only one where R0 is 1.
#[test]
fn propagations_go_where_they_are_let() {
    let sign = declaration(row(), kernel(&[(0, [0, 0], "1/2")]));
    let start = ["NOT(R8,R5);", "NOT(R9,R7);", "SET(R0);", "NOR(R12,R8,R9);", "CLR(R1,R2,R3,R4);"];
    let run = |rest: &[&str]| program(&[&start[..], rest, &["MOV(R6,R12);"]].concat());
    accepted(&sign, &run(&["SET(R4);", "NOT(R0,R7);", "PROP0();"]));
    // The propagation fails without R0, in the other direction, and with R0 set in the other column as well.
    assert_eq!(refused(&sign, &run(&["SET(R4);", "NOT(R0,R7);"])), wrong(0));
    assert_eq!(refused(&sign, &run(&["SET(R2);", "NOT(R0,R7);", "PROP0();"])), wrong(0));
    assert_eq!(refused(&sign, &run(&["SET(R4);", "MOV(R0,R7);", "PROP0();"])), wrong(0));
    let endless = refused(&sign, &run(&["SET(R4);", "PROP0();"]));
    assert!(matches!(endless, VerifyError::Step { error: Reason::Unsupported, .. }), "{endless:?}");
    // The second half alone is not a word.
    let mut half = run(&["SET(R4);", "NOT(R0,R7);"]);
    half.listing.push(Instruction::Word(Word::Propagate { outside: false }));
    assert!(matches!(refused(&sign, &half), VerifyError::Step { error: Reason::Unsupported, .. }));
    // 1 comes in from outside, which for most blocks is another block.
    accepted(&sign, &run(&["SET(R4);", "NOT(R0,R7);", "PROP1();"]));
    assert_eq!(refused(&sign, &run(&["SET(R2,R4);", "NOT(R0,R7);", "PROP1();"])), wrong(0));
}

#[test]
fn what_is_not_known_is_no_result() {
    let copy = declaration(row(), kernel(&[(0, [0, 0], "1")]));
    assert_eq!(refused(&copy, &program(&["OR(R6,R5,R8);"])), wrong(0));
    assert_eq!(refused(&copy, &program(&["MOV(R6,R5);", "WHERE(R8);"])), VerifyError::Flag);
    // Where R0 is 0, nothing enters R12.
    accepted(&copy, &program(&["SET(R0);", "MOV(R12,R5);", "CLR(R0);", "MOV(R12,R8);", "MOV(R6,R12);"]));
    assert_eq!(refused(&copy, &program(&["SET(R0);", "MOV(R12,R5);", "MOV(R12,R8);", "MOV(R6,R12);"])), wrong(0));
    let step = "rpix();".to_owned();
    let error = VerifyError::Step { index: 1, step, error: Reason::Unsupported };
    assert_eq!(refused(&copy, &program(&["MOV(R6,R5);", "rpix();"])), error);
}

#[test]
fn numbers_have_their_registers() {
    let copy = declaration(row(), kernel(&[(0, [0, 0], "1")]));
    let right = program(&["MOV(R6,R5);"]);
    let with = |inputs: &[Dreg], outputs: &[Dreg]| Program {
        inputs: inputs.to_vec(),
        outputs: outputs.to_vec(),
        ..right.clone()
    };
    for wrong in [with(&[], &[R6]), with(&[R5, R5], &[R6]), with(&[R5], &[]), with(&[R5], &[R6, R5])] {
        assert_eq!(refused(&copy, &wrong), VerifyError::Shape);
    }
    assert_eq!(refused(&copy, &with(&[R7], &[R6])), VerifyError::Twice(R7));
    assert_eq!(refused(&copy, &with(&[R5], &[R7])), VerifyError::Twice(R7));
    let mut two = copy.clone();
    two.inputs.push(Input::new("other".into(), 0));
    assert_eq!(refused(&two, &with(&[R5, R5], &[R6])), VerifyError::Twice(R5));
    accepted(&two, &with(&[R5, R6], &[R6]));
    let none = Declaration { outputs: vec![], ..copy };
    assert_eq!(refused(&none, &right), VerifyError::Declaration(DeclarationError::NoOutput));
}

/// Bits of an input in another bank do not belong to the number.
#[test]
fn numbers_are_in_their_bank() {
    let mut copy = declaration(vec![vec![1, 0]], kernel(&[(0, [0, 0], "1")]));
    copy.layout = Layout::new(&[vec![vec![1, 0]], vec![vec![0, 1]]]).unwrap();
    // Only the PE of the bit matters.
    accepted(&copy, &program(&["OR(R6,R5,R7);"]));
    assert_eq!(refused(&copy, &program(&["NOT(R8,R7);", "OR(R6,R5,R8);"])), wrong(0));
    // The rest of the register does not belong to the number.
    let from_the_east = program(&["CLR(R1,R2,R3,R4);", "SET(R4);", "DNEWS0(R6,R5);"]);
    assert_eq!(refused(&copy, &from_the_east), wrong(0));
    copy.inputs[0].bank = 1;
    assert_eq!(refused(&copy, &program(&["OR(R6,R5,R7);"])), wrong(0));
    accepted(&copy, &from_the_east);
}

/// A register that is prepared in one block is not prepared in all of them.
#[test]
fn patterns_are_the_same_in_every_block() {
    let doubled = declaration(row(), kernel(&[(0, [0, 0], "2")]));
    let with = |pattern| {
        let mut program = program(&DOUBLED);
        program.setup[0] = Step::Select(pattern);
        program
    };
    accepted(&doubled, &with(EASTERN));
    let of_columns = |free_column_bits| Selection { free_column_bits, ..EASTERN };
    let of_rows = |free_row_bits| Selection { free_row_bits, ..EASTERN };
    for pattern in [Selection { free_row_bits: 0, ..of_columns(0) }, of_columns(!3), of_rows(!1)] {
        let step = cain_analysis::owned::lines(&Step::Select(pattern), 256).concat();
        let error = VerifyError::Step { index: 0, step, error: Reason::Unsupported };
        assert_eq!(refused(&doubled, &with(pattern)), error);
    }
}

fn level_of(step: &Step) -> Option<i8> {
    if let Step::Level(level) = step { Some(*level) } else { None }
}

/// Two bits by successive approximation, and back: no level and no transfer could be left out.
#[test]
fn every_step_of_a_conversion_counts() {
    let converter = Converter { register: A, bits: 2, unit: 0 };
    let copy = declaration(row(), kernel(&[(0, [0, 0], "1")]));
    let right = unprepared(&["MOV(R6,R5);"]);
    let is_analogue = |word| matches!(word, Word::Bus(_) | Word::Where(_));
    let is_needed = |step: &Step| match step {
        Step::Level(_) => true,
        step => step.listing().unwrap_or_default().iter().flat_map(Instruction::words).any(is_analogue),
    };
    let without = |steps: &[Step], place: usize| [&steps[..place], &steps[place + 1..]].concat();

    let mut taken = copy.clone();
    taken.inputs[0].converted = Some(converter);
    let before = adc(&taken.layout, 0, converter, R5);
    accepted(&taken, &Program { before: before.clone(), ..right.clone() });
    let places = (0..before.len()).filter(|&place| is_needed(&before[place]));
    for place in places {
        let error = refused(&taken, &Program { before: without(&before, place), ..right.clone() });
        assert!(matches!(error, VerifyError::WrongCode { input: 0, .. }), "{:?}: {error:?}", before[place]);
    }
    // A threshold that is off by 1 DN is wrong for a single level.
    for (place, level) in before.iter().enumerate().filter_map(|(place, step)| Some((place, level_of(step)?))) {
        for wrong in [level - 1, level + 1] {
            let before = [&before[..place], &[Step::Level(wrong)], &before[place + 1..]].concat();
            let error = refused(&taken, &Program { before, ..right.clone() });
            assert!(matches!(error, VerifyError::WrongCode { input: 0, .. }), "{wrong}: {error:?}");
        }
    }
    assert!(matches!(refused(&taken, &right), VerifyError::WrongCode { input: 0, bit: 0 }));

    let mut given = copy;
    given.outputs[0].converted = Some(converter);
    let after = dac(&given.layout, 0, converter, R6, Carry::Propagate);
    accepted(&given, &Program { after: after.clone(), ..right.clone() });
    let error = VerifyError::WrongLevel { output: 0, register: A };
    for place in (0..after.len()).filter(|&place| is_needed(&after[place])) {
        assert_eq!(refused(&given, &Program { after: without(&after, place), ..right.clone() }), error);
    }
    assert_eq!(refused(&given, &right), error);
}

/// The levels that codes stand for, from the lowest to the highest.
#[test]
fn converters_stand_for_levels() {
    let two = Converter { register: A, bits: 2, unit: 1 };
    assert_eq!([-128, -127, -64, -63, 0, 1, 64, 65, 127].map(|level| two.code(level)), [0, 0, 0, 1, 1, 2, 2, 3, 3]);
    assert_eq!(
        [-9, -1, 0, 1, 2, 3, 4, 6, 7, 8, 99].map(|number| two.level(number)),
        [-128, -128, -128, -128, -64, -64, 0, 64, 64, 64, 64]
    );
    assert_eq!((two.top(), Converter { register: A, bits: 8, unit: 0 }.top()), (2, 7));
    let all = Converter { register: A, bits: 8, unit: 0 };
    assert_eq!([-128, -127, -126, 127].map(|level| all.code(level)), [0, 0, 1, 254]);
    assert_eq!([0, 1, 254, 255, 256].map(|number| all.level(number)), [-128, -127, 126, 127, 127]);
}
