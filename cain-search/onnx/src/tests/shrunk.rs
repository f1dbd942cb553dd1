//! Numbers that are moved towards zero, or are zero where they are near it.

use super::super::proto::{Attribute, Node};
use super::{assert_near, imported, integers, node, outcome, picture, problem};

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
