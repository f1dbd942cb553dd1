extern crate std;
use super::{Fraction, ParseFractionError};
use std::string::ToString;

#[test]
fn reads_and_prints_exactly() {
    for (text, shown) in [
        ("3", "3"),
        ("-2/32", "-1/16"),
        ("0.125", "1/8"),
        ("-.5", "-1/2"),
        ("1.", "1"),
        ("-0.11", "-11/100"),
        ("1 / 4", "1/4"),
        ("0", "0"),
        ("2.50", "5/2"),
        ("1e3", "1000"),
        ("1e-05", "1/100000"),
        ("-2.5E+1", "-25"),
        ("0.00000095367431640625", "1/1048576"),
        ("25000000000000000000000e-22", "5/2"),
        ("0.10000000000000000000000000", "1/10"),
        ("0e999999999999999999999", "0"),
        ("9223372036854775807", "9223372036854775807"),
    ] {
        assert_eq!(text.parse::<Fraction>().unwrap().to_string(), shown, "{text}");
    }
}

#[test]
fn refuses_what_is_no_number() {
    for text in ["", ".", "-", "x", "1/x", "1.2.3", "--1.5", "e3", "1e", "1e+", "1e1.5", "1 e3", "NaN", "1e3/4"] {
        assert_eq!(text.parse::<Fraction>(), Err(ParseFractionError::Syntax), "{text}");
    }
    assert_eq!("1/0".parse::<Fraction>(), Err(ParseFractionError::ZeroDenominator));
    assert_eq!("99999999999999999999".parse::<Fraction>(), Err(ParseFractionError::Overflow));
    for text in ["0.00000000000000000001", "1e19", "1e-400", "1e99999999999999999999", "0.3333333333333333333333"] {
        assert_eq!(text.parse::<Fraction>(), Err(ParseFractionError::Overflow), "{text}");
    }
}

#[test]
fn fractions_are_in_lowest_terms() {
    for numerator in -40_i64..=40 {
        for denominator in (-40_i64..=40).filter(|&denominator| denominator != 0) {
            let fraction = Fraction::new(numerator, denominator).unwrap();
            let (above, below) = (fraction.numerator(), fraction.denominator());
            assert!(below > 0 && above * denominator == numerator * below, "{numerator}/{denominator} is {fraction}");
            let is_common = |divisor: &i64| above % divisor == 0 && below % divisor == 0;
            assert_eq!((2..=40).find(is_common), None, "{numerator}/{denominator} is {fraction}");
        }
    }
    assert_eq!(Fraction::new(i64::MIN, 2), Fraction::new(-(1 << 62), 1));
    assert_eq!(Fraction::new(i64::MIN, 1), None);
}

#[test]
fn overflow_is_an_answer() {
    let huge = Fraction::new(i64::MAX, 1).unwrap();
    assert_eq!(huge.checked_add(Fraction::ONE), None);
    assert_eq!(huge.checked_mul(huge), None);
    assert_eq!(Fraction::ONE.checked_div(Fraction::ZERO), None);
    assert_eq!(Fraction::new(1, 0), None);
}
