use alloc::format;
use alloc::string::ToString;

use cain_isa::asm::digital::{R0, R5, R6, R12, mux, not_in_place, or, xorx};
use cain_isa::asm::{A, B, C, EAST, abs, add, all, mov, mov2x, movx, neg, reg, sq, where_positive};
use cain_isa::{Bit, Fraction, HostController, Instruction, Word};

use super::{ClaimError, Claims, Condition, Follower, Value};
use crate::prove::ProveError;

fn after(program: &[Instruction]) -> Follower {
    let mut follower = Follower::new();
    program.iter().try_for_each(|&line| follower.execute(line)).unwrap();
    follower
}

fn minus(a: Value, b: &Value) -> Value {
    a.plus(Fraction::from(-1), b).unwrap()
}

#[test]
fn the_macro_for_absolute_values_is_right_for_all_values() {
    let negative = minus(Value::zero(), &Value::of(A));
    let wanted = Value::of(A).max(negative.clone()).unwrap();
    let found = after(&[abs(B, A)]).reg(B);
    Claims::new().value("B", found.clone(), wanted).check().unwrap();
    // For a non-negative value, the result is the value itself, for others it is not.
    let error = Claims::new().value("B", found, Value::of(A)).check().unwrap_err();
    assert_eq!(error.to_string(), "there are images for which B is -A instead of A");
}

/// Values that are never larger than wanted, or never smaller, are wrong all the same.
#[test]
fn values_on_one_side_of_those_wanted_are_wrong() {
    let positive = || Condition::positive(Value::of(A));
    let most = Value::choice(positive(), Value::of(A), Value::zero());
    let least = Value::choice(positive(), Value::zero(), Value::of(A));
    for found in [most, least] {
        let error = Claims::new().value("B", found, Value::zero()).check().unwrap_err();
        assert_eq!(error.to_string(), "there are images for which B is A instead of 0");
    }
}

#[test]
fn what_one_condition_says_of_another_is_known() {
    // Where A > B and B > C, A > C; and conversely where C > B and B > A.
    let positive = |a, b| Condition::positive(minus(Value::of(a), &Value::of(b)));
    let premise = Condition::all([positive(A, B), positive(B, C)]);
    let both = Condition::all([premise.clone(), positive(A, C)]);
    Claims::new().bit("both", both, premise).check().unwrap();
    // A > B does not follow from A + B > 0.
    let sum = Condition::positive(Value::of(A).plus(Fraction::ONE, &Value::of(B)).unwrap());
    let both = Condition::all([sum.clone(), positive(A, B)]);
    assert!(matches!(Claims::new().bit("both", both, sum).check(), Err(ClaimError::Differs { .. })));
}

#[test]
fn values_that_differ_only_where_they_are_equal_are_the_same() {
    let x = || Value::of(A);
    let strict = Value::choice(Condition::positive(x()), x(), Value::zero());
    let negative = Condition::positive(minus(Value::zero(), &x()));
    Claims::new().value("A", Value::choice(negative, Value::zero(), x()), strict).check().unwrap();
}

#[test]
fn a_neighbour_that_was_not_written_is_seen() {
    let partly = |step| after(&[where_positive(&[reg(A)]), step, all()]).reg(B);
    let wanted = |at| Value::choice(Condition::positive(Value::of(A)), Value::of(A).at(at).unwrap(), Value::of(B));
    let east = EAST.displacement();
    Claims::new().value("B", partly(movx(B, A, EAST)), wanted(east)).check().unwrap();
    // `mov2x` reads the NEWS of a neighbour whose FLAG may be 0.
    assert!(Claims::new().value("B", partly(mov2x(B, A, EAST, EAST)), wanted(east + east)).check().is_err());
}

#[test]
fn errors_of_words_that_do_not_cancel_are_seen() {
    let once = after(&[cain_isa::asm::bus(&[reg(B)], &[reg(A)])]).reg(B);
    let negative = minus(Value::zero(), &Value::of(A));
    assert!(Claims::new().value("B", once, negative.clone()).check().is_err());
    Claims::new().value("B", after(&[neg(B, A)]).reg(B), negative).check().unwrap();
    Claims::new()
        .value(
            "C",
            after(&[mov(B, A), add(C, A, B)]).reg(C),
            Value::zero().plus(Fraction::from(2), &Value::of(A)).unwrap(),
        )
        .check()
        .unwrap();
}

#[test]
fn digital_macros_have_their_truth_tables() {
    let (bit, r7) = (Condition::of, Bit::Reg(cain_isa::Dreg::ALL[7]));
    let exclusive = bit(R6).choose(bit(R5).inverse(), bit(R5));
    Claims::new().bit("R7", after(&[xorx(r7, R6, R5)]).bit(r7), exclusive).check().unwrap();
    // `R12` is written only where `R0` is 1, which is the basis of `MUX`.
    let gated = bit(R0).choose(bit(R5), bit(R12));
    Claims::new().bit("R12", after(&[or(R12, &[R5])]).bit(R12), gated).check().unwrap();
    Claims::new()
        .bit("R7", after(&[mux(r7, FREE, R6, R5)]).bit(r7), bit(FREE).choose(bit(R6), bit(R5)))
        .check()
        .unwrap();
    Claims::new().bit("R5", after(&[not_in_place(R5)]).bit(R5), bit(R5).inverse()).check().unwrap();
    let east = ["CLR(R1,R2,R3,R4);", "SET(R4);", "DNEWS0(R7,R5);"].map(|line| line.parse().unwrap());
    let there = bit(R5).at(EAST.displacement()).unwrap();
    Claims::new().bit("R7", after(&east).bit(r7), there).check().unwrap();
    assert!(Claims::new().bit("R7", after(&east).bit(r7), bit(R5)).check().is_err());
}

/// A bit without a special role.
const FREE: Bit = Bit::Reg(cain_isa::Dreg::ALL[9]);

#[test]
fn words_that_do_more_are_told() {
    for word in [sq(&[reg(A)]).words().next().unwrap(), Word::ReadPropagation] {
        let error = Follower::new().issue(word).unwrap_err();
        assert_eq!(error, ProveError::NotPiecewise(word));
        let wanted = format!("`{word}` can be proved neither as a transfer nor as a choice between values");
        assert_eq!(error.to_string(), wanted);
    }
}

/// All cases are examined, up to the limit.
#[test]
fn cases_have_a_limit() {
    let bits = [R0, R5, R6, R12];
    let choices = |swapped: bool| {
        let add = |sum: Value, bit: &Bit| {
            let (then, otherwise) = if swapped { (B, A) } else { (A, B) };
            let condition = if swapped { Condition::of(*bit).inverse() } else { Condition::of(*bit) };
            sum.plus(Fraction::ONE, &Value::choice(condition, Value::of(then), Value::of(otherwise))).unwrap()
        };
        bits.iter().fold(Value::zero(), add)
    };
    let claims = Claims::new().value("sum", choices(false), choices(true));
    assert_eq!(claims.check_within(16), Ok(()));
    assert_eq!(claims.check_within(15), Err(ClaimError::TooManyCases));
    assert_eq!(claims.check(), Ok(()));
}

#[test]
fn equal_conditions_and_values_are_written_alike() {
    let [bit, other] = [R5, R6].map(Condition::of);
    let positive = || Condition::positive(Value::of(A));
    assert_eq!(Value::choice(positive(), Value::of(B), Value::of(B)), Value::of(B));
    let known = [true, false].map(|bit| Value::choice(Condition::Known(bit), Value::of(A), Value::of(B)));
    assert_eq!(known, [A, B].map(Value::of));
    assert_eq!(Condition::positive(Value::zero()), Condition::Known(false));
    let any = |conditions: &[&Condition]| Condition::any(conditions.iter().copied().cloned());
    assert_eq!(any(&[&Condition::Known(false), &bit]), bit);
    assert_eq!(any(&[&bit, &Condition::Known(true), &other]), Condition::Known(true));
    assert_eq!(any(&[]), Condition::Known(false));
    assert_eq!(Condition::all([]), Condition::Known(true));
    let texts = [
        (any(&[&bit, &other]).to_string(), "(R5) or (R6)"),
        (bit.at(EAST.displacement()).unwrap().inverse().to_string(), "not (R5(1,0))"),
        (Condition::Known(true).to_string(), "1"),
        (positive().to_string(), "A > 0"),
        (minus(Value::choice(bit, Value::of(A), Value::of(B)), &Value::of(C)).to_string(), "-C + (R5 ? A : B)"),
        (
            Value::of(A)
                .at(EAST.displacement())
                .unwrap()
                .plus(Fraction::new(1, 2).unwrap(), &Value::offset())
                .unwrap()
                .to_string(),
            "A(1,0) + 1/2·offset",
        ),
    ];
    for (text, wanted) in texts {
        assert_eq!(text, wanted);
    }
}
