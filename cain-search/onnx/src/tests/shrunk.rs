//! Numbers that are moved towards zero, or are zero where they are near it.

use super::super::proto::{Attribute, Node};
use super::{assert_near, imported, integers, node, outcome, picture, problem, tensor};

/// The number of each pixel.
fn numbers() -> Vec<f64> {
    picture().iter().map(|grey| f64::from(*grey) / 255.0 * 120.0 - 60.0).collect()
}

fn shrink(lambd: f32, bias: f32) -> Node {
    let attribute = |(name, f): (&str, f32)| Attribute { name: name.to_owned(), f, ..Attribute::default() };
    let attribute = [("lambd", lambd), ("bias", bias)].map(attribute).to_vec();
    Node { attribute, ..node("Shrink", &["picture"], "last", &[]) }
}

/// With a negative limit, all numbers are below the one or above the other.
#[test]
fn numbers_shrink_by_any_limit() {
    for (limit, bias) in [(-20.5, -3.0), (-20.5, 0.0), (0.0, 2.0), (20.5, 2.0)] {
        let shrunk = |number: f64| {
            let (limit, bias) = (f64::from(limit), f64::from(bias));
            if number < -limit {
                number + bias
            } else if number > limit {
                number - bias
            } else {
                0.0
            }
        };
        let wanted: Vec<f64> = numbers().into_iter().map(shrunk).collect();
        let found = imported(&[shrink(limit, bias)], &[], &["last"]).unwrap();
        assert_near(&outcome(&found, &picture()), &wanted, 1e-9);
    }
}

#[test]
fn nothing_is_repeated_no_times() {
    let expand = [node("Expand", &["picture", "sizes"], "last", &[])];
    assert_eq!(
        problem(&expand, &[integers("sizes", &[0, 1, 1, 1])]),
        "node `last` (Expand): repeats [1, 1, 6, 6] numbers to fill the sizes [0, 1, 6, 6], which hold none; expected sizes from 1"
    );
}

/// What exporters write for `Hardshrink` and `Softshrink`: conditions of the numbers on both sides, or of their absolute values.
#[test]
fn selections_on_both_sides_are_sums_of_both() {
    let limits = [tensor("high", &[], vec![20.5]), tensor("low", &[], vec![-20.5]), tensor("zero", &[], vec![0.0])];
    let side = |op: &str, limit: &str| node(op, &["picture", limit], op, &[]);
    let both = |op: &str, first: (&str, &str), second: (&str, &str)| {
        [side(first.0, first.1), side(second.0, second.1), node(op, &[first.0, second.0], "condition", &[])].to_vec()
    };
    let sizes =
        |op: &str| [node("Abs", &["picture"], "sizes", &[]), node(op, &["sizes", "high"], "condition", &[])].to_vec();
    let negated = {
        let mut all = sizes("Greater");
        all[1].output = vec!["outside".to_owned()];
        all.push(node("Not", &["outside"], "condition", &[]));
        all
    };
    let softened = [
        node("Sign", &["picture"], "sign", &[]),
        node("Mul", &["sign", "high"], "less", &[]),
        node("Sub", &["picture", "less"], "soft", &[]),
        node("Mul", &["picture", "zero"], "none", &[]),
    ];
    let hard = |number: f64| if number.abs() > 20.5 { number } else { 0.0 };
    let soft = |number: f64| if number.abs() > 20.5 { number - number.signum() * 20.5 } else { 0.0 };
    for (condition, holds_outside) in [
        (both("Or", ("Greater", "high"), ("Less", "low")), true),
        (both("Or", ("LessOrEqual", "low"), ("GreaterOrEqual", "high")), true),
        (both("And", ("GreaterOrEqual", "low"), ("LessOrEqual", "high")), false),
        (sizes("Greater"), true),
        (sizes("LessOrEqual"), false),
        (negated, false),
    ] {
        for (is_soft, (far, near)) in [(false, ("picture", "zero")), (true, ("soft", "none"))] {
            let (yes, no) = if holds_outside { (far, near) } else { (near, far) };
            let last = node("Where", &["condition", yes, no], "last", &[]);
            let nodes = [&condition[..], &softened, &[last]].concat();
            let found = imported(&nodes, &limits, &["last"]).unwrap();
            let wanted: Vec<f64> =
                numbers().into_iter().map(|number| if is_soft { soft(number) } else { hard(number) }).collect();
            assert_near(&outcome(&found, &picture()), &wanted, 1e-9);
        }
    }
    // Between other numbers there is more than zero.
    let nodes = [sizes("Greater"), vec![node("Where", &["condition", "picture", "high"], "last", &[])]].concat();
    assert!(problem(&nodes, &limits).starts_with("node `last` (Where): selects between results"));
}
