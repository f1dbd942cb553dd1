//! Tests of programs that do not compute their declaration: the error names the reason, and the instruction if there is
//! one.

use crate::common::{declaration, kernel};
use cain_isa::{Fraction, Instruction, Reg};
use cain_search::{Declaration, DeclarationError, MaxGain, Options, VerifyError, verify};

/// The mean with the neighbour to the east, from A to B, with C to spare and all gains at most 2.
fn mean() -> Declaration {
    let mut mean = declaration(&[(Reg::B, kernel(2, &[&[0, 1, 1]]))]);
    mean.inputs[0].keep = true;
    mean.scratch = vec![Reg::C];
    mean.options.max_gain = MaxGain::AtMost(Fraction::from(2));
    mean
}

/// The error of a program for [`mean`].
fn refused(listing: &[&str]) -> VerifyError {
    verify(&mean(), &parse(listing)).unwrap_err()
}

fn parse(listing: &[&str]) -> Vec<Instruction> {
    listing.iter().map(|line| line.parse().unwrap()).collect()
}

#[test]
fn a_right_program_is_proved() {
    let listing = parse(&["divq(C,A);", "movx(B,C,east);", "add(B,B,C);"]);
    let proved = verify(&mean(), &listing).unwrap();
    assert_eq!((proved.declaration(), proved.listing()), (&mean(), listing.as_slice()));
    assert_eq!((proved.report().macros, proved.report().icws), (3, 6));
    assert_eq!((proved.reach().min.x, proved.reach().max.x), (0, 1));
}

#[test]
fn each_rule_is_kept() {
    for (listing, index, message) in [
        (&["divq(C,A);", "bus(B,C);"][..], Some(1), "`bus(B,C);` is not in the filter's instruction set"),
        (&["divq(C,A);", "add(B,C,D);"], Some(1), "register `D` is read before anything is written to it"),
        (
            &["divq(C,A);", "movx(B,C,west);", "add(B,B,C);"],
            None,
            "the program does not compute the filter: register `B` weighs input 0 at (-1, 0) with 1/2 instead of 0",
        ),
        (
            &["divq(C,A);", "mov(F,C);", "movx(B,C,east);", "add(B,B,C);"],
            Some(1),
            "the program overwrites `F`, which the filter does not allow",
        ),
        (
            &["mov(C,A);", "add(C,A,C);", "add(C,A,C);", "divq(C,A);", "movx(B,C,east);", "add(B,B,C);"],
            None,
            "a value of the program has a gain of 3, but at most 2 is allowed",
        ),
    ] {
        let error = refused(listing);
        assert_eq!((error.index(), error.to_string().as_str()), (index, message), "{listing:?}");
    }
}

/// One word leaves an error that two would cancel.
#[test]
fn transfer_errors_have_to_cancel() {
    let options = Options::default();
    let negative = Declaration { options, ..declaration(&[(Reg::B, kernel(1, &[&[-1]]))]) };
    let error = verify(&negative, &parse(&["bus(B,A);"])).unwrap_err();
    assert_eq!(error, VerifyError::OffsetError { reg: Reg::B, offset: Some(Fraction::ONE) });
    assert_eq!(error.to_string(), "the program leaves the transfer error in `B`, where it has to cancel");
}

#[test]
fn a_declaration_without_sense_has_no_program() {
    let twice = declaration(&[(Reg::B, kernel(1, &[&[1]])), (Reg::B, kernel(1, &[&[1]]))]);
    assert_eq!(
        verify(&twice, &parse(&["mov(B,A);"])),
        Err(VerifyError::Declaration(DeclarationError::OutputTwice(Reg::B)))
    );
}
