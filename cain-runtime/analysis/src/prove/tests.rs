use cain_isa::asm::{A, B, C, D, EAST, NORTH, SOUTH, WEST, add, bus, div, mov, movx, reg};
use cain_isa::{Displacement, Fraction, HostController, Machine, MachineError, Macros, NewsReading, Reg, Store};

use super::{Mismatch, ProveError, Prover};

#[test]
fn reading_nothing_is_an_error() {
    assert_eq!(Prover::of(&[mov(B, C)], &[A]).unwrap_err(), ProveError::Unwritten(Store::Reg(C)));
    let neighbour = bus(&[reg(B)], &[cain_isa::asm::XE]);
    assert_eq!(Prover::of(&[neighbour], &[A]).unwrap_err(), ProveError::Unwritten(Store::News));
}

#[test]
fn the_report_tells_what_a_program_touches() {
    let prover = Prover::of(&[div(C, D, A), add(B, A, C)], &[A]).unwrap();
    let report = prover.report();
    assert_eq!((report.macros, report.icws), (2, 7));
    assert_eq!(report.reads.iter().copied().collect::<alloc::vec::Vec<_>>(), [A]);
    assert_eq!(report.writes.len(), 4);
    assert_eq!(report.clobbers(&[B]).into_iter().collect::<alloc::vec::Vec<Reg>>(), [A, C, D]);
    assert_eq!(report.peak_gain, Fraction::new(3, 2).unwrap());
}

#[test]
fn a_wrong_weight_is_named() {
    let prover = Prover::of(&[movx(B, A, EAST)], &[A]).unwrap();
    let wanted = Prover::of(&[movx(B, A, WEST)], &[A]).unwrap();
    let wanted = wanted.value(B).unwrap();
    let error = prover.check(B, wanted).unwrap_err();
    assert_eq!(
        alloc::string::ToString::to_string(&error),
        "register `B` weighs input 0 at (-1, 0) with 0 instead of 1"
    );
    assert_eq!(prover.check(C, wanted), Err(Mismatch::Nothing { reg: C }));
}

#[test]
fn steps_there_and_back_cancel() {
    let listing = [movx(B, A, NORTH), movx(B, B, EAST), movx(B, B, SOUTH), movx(B, B, WEST)];
    let prover = Prover::of(&listing, &[A]).unwrap();
    prover.check(B, prover.value(A).unwrap()).unwrap();
    // The path is taken into account: south is read while the value is one PE to the west.
    assert_eq!(prover.reach(B).min, Displacement::new(-1, -1));
    assert_eq!(prover.reach(B).max, Displacement::new(0, 0));
}

/// The remaining constant error of each macro instruction, according to the documentation of scamp5 macros.
#[test]
fn macro_instructions_cancel_the_transfer_error() {
    use cain_isa::asm::{add2x, diva, divq, neg, res, sub2x, subx};
    let offset =
        |listing: &[cain_isa::Instruction], reg| Prover::of(listing, &[A, B, C]).unwrap().report().offset_error(reg);
    for instruction in [
        mov(D, A),
        add(D, A, B),
        movx(D, A, EAST),
        subx(D, A, EAST, B),
        sub2x(D, A, EAST, NORTH, B),
        add2x(D, A, B, EAST, NORTH),
        neg(D, A),
        res(D),
        divq(D, A),
    ] {
        assert_eq!(offset(&[instruction], D), Some(Fraction::ZERO), "{instruction}");
    }
    let after = |reg| (offset(&[div(C, D, A)], reg), offset(&[diva(A, C, D)], reg));
    assert_eq!(after(A), (Some(Fraction::ZERO), Some(Fraction::ZERO)));
    assert_eq!(after(C), (Some(Fraction::ZERO), Some(Fraction::ONE)));
    assert_eq!(after(D), (Some(Fraction::ONE), Some(Fraction::ONE)));
}

#[test]
fn single_words_leave_the_transfer_error() {
    use cain_isa::asm::{NEWS, XE};
    let step = [bus(&[NEWS, reg(B)], &[reg(A)]), bus(&[reg(A)], &[XE, reg(B)])];
    let offsets = |n: usize| {
        let prover = Prover::of(&step.repeat(n), &[A]).unwrap();
        assert_eq!(prover.offset_error(Store::Reg(A)), prover.report().offset_error(A));
        prover.report().offset_error(A)
    };
    assert_eq!((offsets(1), offsets(4)), (Some(Fraction::from(-1)), Some(Fraction::from(-4))));
    assert_eq!(Prover::of(&[bus(&[reg(B)], &[])], &[A]).unwrap().report().offset_error(B), Some(Fraction::ONE));
}

/// The listing reads values of 1 to 4 weights several times.
#[test]
fn weights_that_are_read_can_be_limited() {
    use cain_isa::asm::{NEWS, XE};
    let grow = [bus(&[NEWS], &[reg(A)]), bus(&[reg(B)], &[XE, reg(A)]), bus(&[reg(A)], &[reg(B)])];
    let listing = grow.repeat(3);
    let read = (1 + 2 + 2) + (2 + 4 + 3) + (3 + 6 + 4);
    let limited = |weights| Prover::new(&[A]).limited_to(weights).after(&listing);
    assert_eq!(limited(read).unwrap().value(A).unwrap().terms().len(), 4);
    assert_eq!(limited(read - 1).unwrap_err(), ProveError::Limit(read - 1));
}

#[test]
fn overflow_is_an_error() {
    let mut listing = alloc::vec::Vec::new();
    for _ in 0..64 {
        listing.extend([mov(B, A), add(A, A, B)]);
    }
    assert_eq!(Prover::of(&listing, &[A]).unwrap_err(), ProveError::Overflow);
}

/// The machine lacks both the instructions and the single words.
#[test]
fn what_the_machine_lacks_is_an_error() {
    let refused = |machine: Machine, line| Prover::new(&[A]).on(machine).after(&[line]).unwrap_err();
    let missing = Reg::from_index(17);
    assert_eq!(refused(Machine::SCAMP5, mov(missing, A)), ProveError::Machine(MachineError::Register(missing)));
    assert!(Prover::new(&[A]).on(Machine::SCAMP5.with_registers(18)).after(&[mov(missing, A)]).is_ok());
    let auke = Machine::SCAMP5.with_macros(Macros::BASIC);
    let error = refused(auke, cain_isa::asm::add3(B, A, C, D));
    assert_eq!(alloc::string::ToString::to_string(&error), "the machine has no instruction `add3`");
    let own = Machine::SCAMP5.with_bus(cain_isa::BusLimits { reads: NewsReading::Own, ..cain_isa::BusLimits::SCAMP5 });
    let word = bus(&[reg(B)], &[cain_isa::asm::XE]);
    assert_eq!(refused(own, word), ProveError::Machine(MachineError::Reading(NewsReading::Port)));
    let mut prover = Prover::new(&[A]).on(own);
    assert!(word.words().all(|word| prover.issue(word).is_err()));
    assert_eq!(prover.report().icws, 0);
}

/// The difference of non-negative values is not larger than either.
#[test]
fn gains_depend_on_the_range_of_inputs() {
    let slope = [movx(B, A, EAST), cain_isa::asm::sub(B, B, A)];
    let gain = |range| Prover::new(&[A]).for_inputs(range).after(&slope).unwrap().report().peak_gain;
    assert_eq!(gain(cain_isa::Range { min: 0, max: 127 }), Fraction::ONE);
    assert_eq!(gain(cain_isa::Range::SCAMP5), Fraction::from(2));
    assert_eq!(Prover::new(&[A]).after(&slope).unwrap().report().peak_gain, Fraction::from(2));
}

/// A loaded image has not been moved and contains no error, in registers and in NEWS.
#[test]
fn a_loaded_image_is_new() {
    use cain_isa::asm::{NEWS, XE};
    let loaded = crate::prove::Polynomial::input(7);
    let mut prover =
        Prover::of(&[bus(&[NEWS], &[reg(A)]), bus(&[reg(B)], &[XE]), bus(&[NEWS], &[reg(B)])], &[A]).unwrap();
    assert_eq!((prover.reach(B).max.x, prover.report().offset_error(B)), (1, Some(Fraction::ZERO)));
    prover = prover.after(&[bus(&[reg(B)], &[XE])]).unwrap();
    assert_eq!(prover.report().offset_error(B), Some(Fraction::ZERO));
    prover = prover.after(&[bus(&[reg(C)], &[reg(B)])]).unwrap();
    assert_eq!(prover.report().offset_error(C), Some(Fraction::ONE));
    prover.load(Store::Reg(C), 7);
    assert_eq!((prover.value(C), prover.report().offset_error(C)), (Some(&loaded), Some(Fraction::ZERO)));
    assert_eq!(prover.reach(C), super::Reach::default());
    // NEWS contains the error once; the loaded image does not.
    assert_eq!(
        prover.clone().after(&[bus(&[reg(D)], &[NEWS])]).unwrap().report().offset_error(D),
        Some(Fraction::ZERO)
    );
    prover.load(Store::News, 7);
    assert_eq!(prover.stored(Store::News), Some(&loaded));
    let after = prover.after(&[bus(&[reg(D)], &[NEWS])]).unwrap();
    assert_eq!((after.report().offset_error(D), after.reach(D)), (Some(Fraction::ONE), super::Reach::default()));
}
