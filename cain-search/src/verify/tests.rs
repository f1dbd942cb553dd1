//! Tests with hand-written programs: wrong ones, and right ones that differ from them in one detail.

use cain_analysis::prove::{Atom, Mismatch, Polynomial, ProveError, Reach};
use cain_isa::asm::{A, B, C, D, E};
use cain_isa::{Cells, Displacement, ErrorModel, Fraction, Instruction, Machine, MachineError, Reg, Registers, Store};

use super::{VerifyError, verify, verify_within};
use crate::switches::SwitchError;
use crate::{
    Approximated, Approximation, Declaration, DeclarationError, Input, InstructionSet, Interruption, MaxGain,
    OffsetRule, Options, Output,
};

fn fraction(text: &str) -> Fraction {
    text.parse().unwrap()
}

/// Weights of pixels of input 0, each with its column to the east.
fn row(weights: &[(i16, &str)]) -> Polynomial {
    let mut sum = Polynomial::new();
    for &(x, weight) in weights {
        let atom = Atom { channel: 0, displacement: Displacement::new(x, 0) };
        sum.add_term(atom, fraction(weight)).unwrap();
    }
    sum
}

/// Outputs of the image in A, which is kept, by single control words; D and E may be overwritten.
fn declaration(outputs: &[(Reg, Polynomial)]) -> Declaration {
    Declaration {
        name: "test".into(),
        inputs: vec![Input { reg: A, keep: true }],
        outputs: outputs.iter().cloned().map(|(reg, kernel)| Output { reg, kernel }).collect(),
        scratch: vec![D, E],
        machine: Machine::SCAMP5,
        options: Options { max_gain: MaxGain::Any, ..Options::default() },
    }
}

fn listing(lines: &[&str]) -> Vec<Instruction> {
    lines.iter().map(|line| line.parse().unwrap()).collect()
}

#[track_caller]
fn refused(declaration: &Declaration, lines: &[&str]) -> VerifyError {
    verify(declaration, &listing(lines)).unwrap_err()
}

#[track_caller]
fn accepted(declaration: &Declaration, lines: &[&str]) -> super::Proved {
    verify(declaration, &listing(lines)).unwrap()
}

#[test]
fn every_output_holds_its_kernel() {
    let two = declaration(&[(B, row(&[(0, "1")])), (C, row(&[(1, "1")]))]);
    let right = ["bus(NEWS,A);", "bus(B,NEWS);", "bus(C,XE);"];
    let proved = accepted(&two, &right);
    assert_eq!((proved.outputs(), proved.listing()), (&two.outputs[..], &listing(&right)[..]));
    let mismatch = |reg, x, wanted, found| {
        let atom = Atom { channel: 0, displacement: Displacement::new(x, 0) };
        VerifyError::Wrong(Mismatch::Weight { reg, atom, wanted, found })
    };
    // The western neighbour replaces the eastern one, or the two outputs are exchanged.
    assert_eq!(refused(&two, &[right[0], right[1], "bus(C,XW);"]), mismatch(C, -1, Fraction::ZERO, Fraction::ONE));
    assert_eq!(refused(&two, &[right[0], "bus(B,XE);", "bus(C,NEWS);"]), mismatch(B, 0, Fraction::ONE, Fraction::ZERO));
    assert_eq!(refused(&two, &right[..2]), VerifyError::Wrong(Mismatch::Nothing { reg: C }));
}

/// The error is in the second output alone, in the first alone, or in both with a sum of zero.
#[test]
fn no_output_holds_the_transfer_error() {
    let one = || row(&[(0, "1")]);
    let minus = || row(&[(0, "-1")]);
    let right = ["bus(NEWS,A);", "bus(B,NEWS);", "bus(C,NEWS);"];
    accepted(&declaration(&[(B, one()), (C, one())]), &right);

    let single = ["bus(NEWS,A);", "bus(B,NEWS);", "bus(C,A);"];
    let error = VerifyError::OffsetError { reg: C, offset: Some(Fraction::ONE) };
    let mut second = declaration(&[(B, one()), (C, minus())]);
    assert_eq!(refused(&second, &single), error);
    assert_eq!(refused(&declaration(&[(C, minus()), (B, one())]), &single), error);
    second.options.offset = OffsetRule::Any;
    assert_eq!(accepted(&second, &single).report().offset_error(C), Some(Fraction::ONE));

    // B contains the error once, C minus once.
    let both = ["bus2(NEWS,D,A);", "bus(C,NEWS,D);", "bus(B,A);"];
    let opposite = declaration(&[(B, minus()), (C, one())]);
    assert_eq!(refused(&opposite, &both), VerifyError::OffsetError { reg: B, offset: Some(Fraction::ONE) });
    // The error in scratch registers does not matter.
    accepted(&declaration(&[(B, one())]), &["bus(NEWS,A);", "bus(B,NEWS);", "bus(D,A);"]);
}

/// Kernels may not differ from the declared ones by more than is allowed, over all weights together.
#[test]
fn approximated_weights_are_no_farther_than_allowed() {
    let half = ["bus2(NEWS,D,A);", "bus(B,NEWS);"];
    let within = |outputs: &[(Reg, Polynomial)], error: &str| {
        let mut near = declaration(outputs);
        near.options.approximate = Some(Approximation { depth: 4, error: fraction(error) });
        near.options.offset = OffsetRule::Any;
        near
    };
    // The weight is 1/2 instead of 3/5.
    let wanted = [(B, row(&[(0, "3/5")]))];
    let near = accepted(&within(&wanted, "1/10"), &half);
    assert_eq!(near.approximated(), Some(Approximated { depth: 1, error: fraction("1/10") }));
    assert_eq!(near.outputs()[0].kernel, row(&[(0, "1/2")]));
    for allowed in ["99/1000", "1/19", "0"] {
        let error = VerifyError::TooFar { error: Some(fraction("1/10")), allowed: fraction(allowed) };
        assert_eq!(refused(&within(&wanted, allowed), &half), error);
    }

    // Two kernels are off by 1/10 in opposite directions, and so are two weights of one kernel.
    let wanted = [(B, row(&[(0, "3/5")])), (C, row(&[(0, "2/5")]))];
    let both = [half[0], half[1], "bus(C,NEWS);"];
    accepted(&within(&wanted, "1/5"), &both);
    let error = VerifyError::TooFar { error: Some(fraction("1/5")), allowed: fraction("19/100") };
    assert_eq!(refused(&within(&wanted, "19/100"), &both), error);
    let wanted = [(B, row(&[(0, "3/5"), (1, "1/10")]))];
    accepted(&within(&wanted, "1/5"), &half);
    assert!(matches!(refused(&within(&wanted, "19/100"), &half), VerifyError::TooFar { .. }));

    // Nothing but a number of weights that is allowed: an output that nothing wrote has lost its input.
    assert_eq!(refused(&within(&wanted, "9"), &["bus2(NEWS,D,A);"]), VerifyError::Vanished { reg: B });
    // Without approximation, weights must be exact.
    assert!(matches!(refused(&declaration(&wanted[..1]), &half), VerifyError::Declaration(_)));
    assert_eq!(
        accepted(&declaration(&[(B, row(&[(0, "1")]))]), &["bus(NEWS,A);", "bus(B,NEWS);"]).approximated(),
        None
    );
}

#[test]
fn nothing_else_is_overwritten() {
    let copy = declaration(&[(B, row(&[(0, "1")]))]);
    let right = ["bus(NEWS,A);", "bus(B,NEWS);"];
    // D is scratch. A is kept, even if it gets its own value again, and C belongs to another program.
    accepted(&copy, &["bus(D,A);", right[0], right[1]]);
    assert_eq!(refused(&copy, &["bus(C,A);", right[0], right[1]]), VerifyError::Overwritten { index: 0, reg: C });
    let error = refused(&copy, &[right[0], right[1], "bus(A,NEWS);"]);
    assert_eq!(error, VerifyError::Overwritten { index: 2, reg: A });
    assert_eq!(error.index(), Some(2));
    let mut given = copy;
    given.inputs[0].keep = false;
    accepted(&given, &[right[0], right[1], "bus(A,NEWS);"]);
}

#[test]
fn no_value_is_larger_than_allowed() {
    // E is twice the image, as an intermediate result of a copy.
    let lines = ["bus(NEWS,A);", "bus(D,A);", "bus(E,NEWS,D);", "bus(NEWS,E);", "bus(B,NEWS,A);"];
    let mut copy = declaration(&[(B, row(&[(0, "1")]))]);
    copy.options.offset = OffsetRule::Any;
    assert_eq!(accepted(&copy, &lines).report().peak_gain, Fraction::from(2));
    for (allowed, max_gain) in [(MaxGain::Own, "1"), (MaxGain::AtMost(fraction("3/2")), "3/2")] {
        copy.options.max_gain = allowed;
        let error = VerifyError::MaxGain { gain: Fraction::from(2), max_gain: fraction(max_gain) };
        assert_eq!(refused(&copy, &lines), error);
    }
    copy.options.max_gain = MaxGain::AtMost(Fraction::from(2));
    accepted(&copy, &lines);
}

#[test]
fn limits_hold() {
    let right = ["bus(NEWS,A);", "bus(B,NEWS);"];
    let mut copy = declaration(&[(B, row(&[(0, "1")]))]);
    copy.options.max_words = Some(2);
    accepted(&copy, &right);
    copy.options.max_words = Some(1);
    assert_eq!(refused(&copy, &right), VerifyError::TooLong { words: 2, limit: 1 });
    copy.options.max_words = None;

    // The image goes to the east and comes back.
    let detour = ["bus(XE,A);", "bus(B,NEWS);", "bus(XW,B);", "bus(B,NEWS);"];
    let reach = accepted(&copy, &detour).reach();
    assert_eq!(reach, Reach { min: Displacement::ZERO, max: Displacement::new(1, 0) });
    copy.options.max_reach = Some(Reach::default());
    accepted(&copy, &right);
    assert_eq!(refused(&copy, &detour), VerifyError::MaxReach { reach, max_reach: Reach::default() });
    copy.options.max_reach = Some(reach);
    accepted(&copy, &detour);
    copy.options.max_reach = None;

    // Every word adds noise of 3 DN and nothing else is wrong: √18 = 4.2426 DN.
    copy.options.error_model = ErrorModel { noise: 3.0, ..ErrorModel::ideal() };
    copy.options.accuracy = Some(fraction("4243/1000"));
    let accuracy = accepted(&copy, &right).accuracy();
    assert!(accuracy.len() == 1 && (accuracy[0].rms() - 18.0_f64.sqrt()).abs() < 1e-9);
    copy.options.accuracy = Some(fraction("4242/1000"));
    assert_eq!(refused(&copy, &right), VerifyError::Inaccurate { rms: 4.243, limit: fraction("4242/1000") });
    copy.options.accuracy = None;

    // A copy of one weight reads two.
    assert!(verify_within(&copy, &listing(&right), 2).is_ok());
    let limit = VerifyError::Unprovable { index: 1, error: ProveError::Limit(1) };
    assert_eq!(verify_within(&copy, &listing(&right), 1), Err(limit));
}

#[test]
fn words_are_of_the_set_and_of_the_machine() {
    let mut copy = declaration(&[(B, row(&[(0, "1")]))]);
    let foreign = |index, line: &str| VerifyError::Foreign { index, instruction: line.parse().unwrap() };
    assert_eq!(refused(&copy, &["bus(NEWS,A);", "mov(B,A);"]), foreign(1, "mov(B,A);"));
    copy.options.instructions = InstructionSet::Macro;
    accepted(&copy, &["mov(B,A);"]);
    assert_eq!(refused(&copy, &["bus(NEWS,A);", "bus(B,NEWS);"]), foreign(0, "bus(NEWS,A);"));
    let missing = Reg::from_index(17);
    let lines = ["mov(B,A);", "mov(R,A);"];
    let error = MachineError::Register(missing);
    let instruction = lines[1].parse().unwrap();
    assert_eq!(refused(&copy, &lines), VerifyError::Machine { index: 1, instruction, error });
    let unwritten = VerifyError::Unprovable { index: 0, error: ProveError::Unwritten(Store::Reg(D)) };
    assert_eq!(refused(&copy, &["mov(B,D);"]), unwritten);
    assert_eq!(unwritten.index(), Some(0));
    copy.outputs.clear();
    assert_eq!(refused(&copy, &["mov(B,A);"]), VerifyError::Declaration(DeclarationError::NoOutput));
}

/// The reach covers the paths of values in all outputs and in each direction.
#[test]
fn the_reach_is_that_of_all_outputs() {
    let there = |x: i16, y: i16| {
        let mut kernel = Polynomial::new();
        kernel.add_scaled(&Polynomial::input(0), Fraction::ONE, Displacement::new(x, y)).unwrap();
        kernel
    };
    let lines = ["bus(NEWS,A);", "bus(B,XE);", "bus(C,XN);"];
    let first = accepted(&declaration(&[(B, there(1, 0)), (C, there(0, 1))]), &lines).reach();
    assert_eq!(first, Reach { min: Displacement::ZERO, max: Displacement::new(1, 1) });
    let lines = ["bus(NEWS,A);", "bus(B,XW);", "bus(C,XS);"];
    let second = accepted(&declaration(&[(B, there(-1, 0)), (C, there(0, -1))]), &lines).reach();
    assert_eq!(second, Reach { min: Displacement::new(-1, -1), max: Displacement::ZERO });
}

/// A program is refused if its result has no place while others run.
#[test]
fn what_interrupts_is_looked_at() {
    let mut copy = declaration(&[(B, row(&[(0, "1")]))]);
    let lines = ["bus(NEWS,A);", "bus(B,NEWS);"];
    let by = |registers: &[Reg]| {
        Some(Interruption::new(vec![Cells::registers(Registers::of(registers)).union(Cells::NEWS)], None))
    };
    copy.options.interruption = by(&[D]);
    assert_eq!(accepted(&copy, &lines).switches().len(), 1);
    // A is still there for a restart, unless the others overwrite it.
    copy.options.interruption = by(&[B, D, E]);
    assert_eq!(accepted(&copy, &lines).switches()[0].latency(), 1);
    copy.inputs[0].keep = false;
    copy.options.interruption = by(&[A, B, D, E]);
    let error = SwitchError::NoRoom { results: vec![B], missing: 1 };
    assert_eq!(refused(&copy, &lines), VerifyError::Interruption(error));
}
