//! Tests ways back that are right for one interruption and wrong for several.

use cain_analysis::prove::Prover;
use cain_isa::asm::{A, B, C, D, E, overwritten};
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
    let flow = flow_of(program.listing(), Cells::registers(Registers::of(&[C])));
    let is_proved = values::check(&pieces_of(program.listing()), &flow, overwritten(others), points).is_ok();
    // Left at any point, and then at that point or one before it again, it computes what it should if that is proved.
    let computes = |first: &Point, second: Option<&Point>| {
        let mut state = Prover::new(&[A]);
        let mut from = 0;
        for point in [Some(first), second].into_iter().flatten() {
            let (Some(part), words) =
                (program.listing().get(from as usize..point.at as usize), point.as_switch_point())
            else {
                return true;
            };
            for line in part {
                state.execute(*line).unwrap();
            }
            words.leaving().filter_map(SwitchStep::word).for_each(|word| state.issue(word).unwrap());
            state.load(Store::News, 7);
            for reg in others {
                state.load(Store::Reg(*reg), 7);
            }
            words.returning().filter_map(SwitchStep::word).for_each(|word| state.issue(word).unwrap());
            from = point.resume;
        }
        let end = state.after(&program.listing()[from as usize..]);
        let offset = program.report().offset_error(C);
        end.is_ok_and(|end| {
            end.check(C, &program.outputs()[0].kernel).is_ok() && end.report().offset_error(C) == offset
        })
    };
    let seconds = || points.iter().map(Some).chain([None]);
    let all = points.iter().all(|first| seconds().all(|second| computes(first, second)));
    assert!(all || !is_proved, "{points:?}");
    is_proved
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
