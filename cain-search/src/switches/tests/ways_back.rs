//! Tests ways back that are right for one interruption and wrong for several.

use cain_isa::asm::{A, B, C, D, E, overwritten};
use cain_isa::prove::Prover;
use cain_isa::{Cells, HostController as _, Kept, Reg, Registers, Store, SwitchStep};

use super::super::{Point, flow_of, pieces_of, values};
use super::proved;

/// A point: after `at` instructions the program may be left, and it resumes at `resume`.
fn point(at: u32, resume: u32) -> Point {
    Point { at, resume, kept: vec![], bits: vec![], levels: vec![], sets_flag: false, extra: 0 }
}

/// A point at which a register is kept in another one.
fn keeping(at: u32, home: Reg, register: Reg) -> Point {
    Point { kept: vec![Kept { home: Some(home), register }], ..point(at, at) }
}

/// Whether a program from A to C is proved to be left at these points for others that overwrite these registers.
#[track_caller]
fn may_be_left(listing: &[&str], others: &[Reg], points: &[Point]) -> bool {
    let program = proved(listing, false, C, &[B, D, E]);
    let promised = Cells::registers(Registers::of(&[C]));
    let (flow, others) = (flow_of(program.listing(), promised), overwritten(others));
    let of_kernel = prove::check(program.declaration(), program.listing(), &flow, others, points).is_ok();
    let own = Cells::registers(Registers::of(&[A, B, C, D, E]));
    let steps = Steps::of_listing(program.listing(), own, promised);
    let of_words = values::check(&steps.pieces, &flow, others, points).is_ok();
    assert_eq!(of_kernel, of_words, "{points:?}");
    of_kernel
}

/// The program itself has overwritten the state since then.
#[test]
fn nothing_goes_back_to_what_the_program_has_overwritten() {
    let listing = ["bus(B,A);", "bus(C,B);", "bus(A,C);"];
    assert!(may_be_left(&listing, &[D], &[point(0, 0), point(1, 0), point(2, 0), point(3, 3)]));
    assert!(may_be_left(&listing, &[D], &[point(3, 1)]));
    assert!(may_be_left(&listing, &[D], &[point(3, 2)]));
    // A has another value then.
    assert!(!may_be_left(&listing, &[D], &[point(3, 0)]));
    assert!(!may_be_left(&listing, &[D], &[point(0, 0), point(3, 0)]));
}

/// The way leads from 3 back to 1, where A already has another value, and then from 1 back to 0, which needs A.
#[test]
fn ways_back_do_not_lead_to_others() {
    let listing = ["bus(B,A);", "bus(C,B);", "bus(A,C);"];
    let (first, second) = (point(1, 0), point(3, 1));
    assert!(may_be_left(&listing, &[D], std::slice::from_ref(&first)));
    assert!(may_be_left(&listing, &[D], std::slice::from_ref(&second)));
    assert!(!may_be_left(&listing, &[D], &[first, second.clone()]));
    assert!(may_be_left(&listing, &[D], &[point(1, 1), second.clone()]));
    assert!(!may_be_left(&listing, &[D], &[point(2, 0), second]));
}

/// C is kept in A at 2; from 3, the program would go back to 0, which needs A.
#[test]
fn what_a_way_back_needs_keeps_nothing_else() {
    let listing = ["bus(B,A);", "bus(C,B);", "bus(D,C);", "bus(C,D);"];
    let others = [C];
    let (kept, back) = (keeping(2, C, A), point(3, 0));
    assert!(may_be_left(&listing, &others, std::slice::from_ref(&kept)));
    assert!(may_be_left(&listing, &others, std::slice::from_ref(&back)));
    assert!(!may_be_left(&listing, &others, &[kept.clone(), back]));
    assert!(may_be_left(&listing, &others, &[keeping(2, C, E), point(3, 0)]));
    // Outside of the way back, on either side, it may be.
    assert!(may_be_left(&listing, &others, &[kept.clone(), point(3, 3)]));
    assert!(may_be_left(&listing, &others, &[point(1, 0), kept]));
    // The state at the target itself is overwritten.
    assert!(!may_be_left(&listing, &others, &[keeping(2, C, A), Point { kept: vec![], ..point(3, 2) }]));
    assert!(!may_be_left(&listing, &[C, D], &[Point { resume: 0, ..keeping(3, D, A) }]));
}

/// This is wrong even for one interruption alone.
#[test]
fn what_is_needed_is_not_overwritten_by_others() {
    let listing = ["bus(B,A);", "bus(C,B);", "bus(A,C);"];
    assert!(may_be_left(&listing, &[C], &[point(1, 1)]));
    assert!(!may_be_left(&listing, &[B], &[point(1, 1)]));
    assert!(may_be_left(&listing, &[B], &[point(1, 0)]));
    assert!(!may_be_left(&listing, &[A], &[point(1, 0)]));
    assert!(may_be_left(&listing, &[B], &[keeping(1, B, D)]));
    assert!(!may_be_left(&listing, &[B, D], &[keeping(1, B, D)]));
    // The result has to be there at the end.
    assert!(!may_be_left(&listing, &[C], &[point(3, 3)]));
    assert!(may_be_left(&listing, &[C], &[keeping(3, C, E)]));
}
