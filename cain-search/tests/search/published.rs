//! The filters of Table 1 of the Cain paper (Stow et al. 2022) against the published counts.

use cain_analysis::prove::Polynomial;
use cain_isa::{Reg, Stop};
use cain_search::{Options, Solution, search};

use crate::common::{as_cain, declaration, kernel};

pub(crate) const GAUSS_5: [&[i32]; 5] =
    [&[0, 1, 2, 1, 0], &[1, 4, 6, 4, 1], &[2, 6, 10, 6, 2], &[1, 4, 6, 4, 1], &[0, 1, 2, 1, 0]];

fn gauss_3() -> Polynomial {
    kernel(16, &[&[1, 2, 1], &[2, 4, 2], &[1, 2, 1]])
}

fn solve(outputs: &[(Reg, Polynomial)], nodes: u64) -> Solution {
    let mut declaration = declaration(outputs);
    declaration.options = Options { nodes, ..as_cain() };
    search(&declaration).unwrap()
}

#[test]
fn gauss_3_is_proved_optimal() {
    let solution = solve(&[(Reg::A, gauss_3())], 5_000);
    assert_eq!(solution.program.listing().len(), 8, "published: 10");
    assert_eq!((solution.statistics.stop, solution.statistics.lower_bound), (Stop::Proved, 8));
}

#[test]
fn gauss_5() {
    let solution = solve(&[(Reg::A, kernel(64, &GAUSS_5))], 10_000);
    assert!(solution.program.listing().len() <= 15, "{}; published: 19", solution.program.listing().len());
}

#[test]
fn both_gauss_kernels_at_once() {
    let solution = solve(&[(Reg::A, kernel(64, &GAUSS_5)), (Reg::B, gauss_3())], 10_000);
    assert!(solution.program.listing().len() <= 17, "{}; published: 26", solution.program.listing().len());
}

#[test]
fn analognet2() {
    let outputs = [
        (Reg::A, kernel(4, &[&[0, 0, 0], &[-3, 1, 0], &[-3, 0, 2]])),
        (Reg::B, kernel(4, &[&[-4, -1, 1], &[-1, 2, 0], &[1, 1, 0]])),
        (Reg::C, kernel(4, &[&[-1, 2, 0], &[-1, 1, -3], &[0, -3, 0]])),
    ];
    let solution = solve(&outputs, 10_000);
    assert!(solution.program.listing().len() <= 16, "{}; published: 21", solution.program.listing().len());
}
