extern crate std;

use std::format;

use super::{Accuracy, Cost, Found, Plan, Stop};
use crate::asm::{A, B, C, EAST, add, movx, ratio};

const PLAN: Plan = Plan {
    name: "mean",
    declaration: "mean(A) -> (B) using (C) { B = [0 1 1] * A; }",
    inputs: &[A],
    outputs: &[B],
    listing: &[movx(C, A, EAST), add(B, A, C)],
    cost: Cost { macros: 2, icws: 4, peak_gain: ratio(2, 1) },
    accuracy: &[Accuracy { rms: 1.5, bias: -0.25, gain: 1.0, distortion: 0.0, fixed_pattern: 0.5, noise: 0.0 }],
    found: Found { nodes: 7, lower_bound: 2, stop: Stop::Proved },
    switches: &[],
};

#[test]
fn plans_are_printed_as_listings() {
    assert_eq!(format!("{PLAN}"), "movx(C,A,east);\nadd(B,A,C);\n");
    let short = "mean(A) -> (B) using (C) { B = [0 1 1] * A; }\nmovx(C,A,east);\nadd(B,A,C);";
    assert_eq!(format!("{PLAN:?}"), short);
    assert_eq!(
        format!("{PLAN:#?}"),
        "\
mean(A) -> (B) using (C) { B = [0 1 1] * A; }
cost: macros=2 icws=4 peak_gain=2
accuracy of B: rms=1.5 bias=-0.25 gain=1 distortion=0 fixed_pattern=0.5 noise=0
search: nodes=7 stop=proved
proved: instructions>=2

movx(C,A,east);
add(B,A,C);"
    );
}
