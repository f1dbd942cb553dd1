//! Tests of kernels of all sizes and shapes.

use cain_analysis::prove::Polynomial;
use cain_isa::{Displacement, Fraction, Reg};
use cain_search::{Kernel, Solution, search};

use crate::common::{declaration, kernel};

const A: Reg = Reg::A;
const B: Reg = Reg::B;

/// Searches with a small budget; `search` has proved every program that it returns.
#[track_caller]
fn solve(outputs: &[(Reg, Polynomial)], nodes: u64) -> Solution {
    let mut declaration = declaration(outputs);
    declaration.options.nodes = nodes;
    search(&declaration).unwrap_or_else(|error| panic!("{declaration}: {error}"))
}

/// The outer product of a row with itself.
fn square(denominator: i64, row: &[i32]) -> Polynomial {
    let rows: Vec<Vec<i32>> = row.iter().map(|y| row.iter().map(|x| x * y).collect()).collect();
    kernel(denominator, &rows.iter().map(Vec::as_slice).collect::<Vec<_>>())
}

/// A kernel moved by a displacement.
fn moved(kernel: &Polynomial, factor: i32, x: i16, y: i16) -> Polynomial {
    let mut sum = Polynomial::new();
    sum.add_scaled(kernel, Fraction::from(factor), Displacement::new(x, y)).expect("small");
    sum
}

/// Weights without any structure, between −4 and 4.
fn rough(size: i32) -> Polynomial {
    let weight = |x: i32, y: i32| (x * x * 7 + x * y * 5 + y * y * 3 + x + 2 * y) % 9 - 4;
    let rows: Vec<Vec<i32>> = (0..size).map(|y| (0..size).map(|x| weight(x, y)).collect()).collect();
    kernel(1, &rows.iter().map(Vec::as_slice).collect::<Vec<_>>())
}

const BINOMIAL_7: [i32; 7] = [1, 6, 15, 20, 15, 6, 1];

/// Published Cain finds no program.
#[test]
fn binomial_7() {
    let length = solve(&[(A, square(4096, &BINOMIAL_7))], 2_000).program.listing().len();
    assert!(length <= 60, "{length}");
}

#[test]
fn binomial_13() {
    let row = [1, 12, 66, 220, 495, 792, 924, 792, 495, 220, 66, 12, 1];
    let solution = solve(&[(A, square(1 << 24, &row))], 10);
    assert!(solution.statistics.lower_bound >= 24);
}

#[test]
fn boxes_up_to_the_largest_size() {
    for (size, denominator, most) in [(7, 1, 110), (15, 1, 480), (15, 256, 480)] {
        let length = solve(&[(A, square(denominator, &vec![1; size]))], 50).program.listing().len();
        assert!(length <= most, "{size}: {length}");
    }
}

#[test]
fn the_largest_kernel_without_structure() {
    let length = solve(&[(A, rough(15))], 3).program.listing().len();
    assert!(length <= 700, "{length}");
}

#[test]
fn zeros_everywhere() {
    let zero = kernel(1, &[&[0, 0, 0]]);
    for count in 1..=6 {
        let zeros: Vec<_> = Reg::SCAMP5.into_iter().take(count).map(|reg| (reg, zero.clone())).collect();
        assert!(solve(&zeros, 10).program.listing().len() <= count);
    }
    // The zeros come with a kernel that needs their registers for intermediate values.
    let mut outputs: Vec<_> = [B, Reg::C, Reg::D, Reg::E].map(|reg| (reg, zero.clone())).into();
    outputs.push((A, rough(3)));
    let alone = solve(&[(A, rough(3))], 500).program.listing().len();
    assert!(solve(&outputs, 500).program.listing().len() <= alone + 4);
}

#[test]
fn the_input_in_every_register() {
    let identity = kernel(1, &[&[1]]);
    let copies: Vec<_> = Reg::SCAMP5.map(|reg| (reg, identity.clone())).into();
    assert_eq!(solve(&copies, 10).program.listing().len(), 5);
    assert_eq!(solve(&copies[1..], 10).program.listing().len(), 5);
}

#[test]
fn shifts_near_and_far() {
    for (x, y) in [(0_i16, 1_i16), (-1, 0), (1, 1), (-2, 0), (7, 7), (-7, 3), (14, -14)] {
        let steps = usize::from(x.unsigned_abs() + y.unsigned_abs());
        let shift = moved(&Polynomial::input(0), 1, x, y);
        // An instruction makes two steps.
        for reg in [A, B] {
            assert_eq!(
                solve(&[(reg, shift.clone())], 500).program.listing().len(),
                steps.div_ceil(2),
                "{x}, {y} in {reg}"
            );
        }
    }
}

#[test]
fn scalings() {
    let at_most = |numerator: i32, denominator: i64, most: usize| {
        for reg in [A, B] {
            let length = solve(&[(reg, kernel(denominator, &[&[numerator]]))], 500).program.listing().len();
            assert!(length <= most, "{numerator}/{denominator} in {reg}: {length}");
        }
    };
    at_most(-1, 1, 2);
    at_most(2, 1, 3);
    at_most(3, 1, 4);
    at_most(4, 1, 5);
    at_most(-2, 1, 3);
    at_most(1, 2, 2);
    at_most(-1, 2, 2);
    at_most(1, 64, 7);
    at_most(-3, 8, 8);
    at_most(1 << 10, 1, 30);
}

#[test]
fn halvings_to_the_last_digit() {
    assert_eq!(solve(&[(B, kernel(1 << 28, &[&[1]]))], 500).program.listing().len(), 28);
    let mut both = kernel(1 << 28, &[&[1]]);
    both.add_scaled(&Polynomial::input(0), Fraction::ONE, Displacement::new(1, 0)).unwrap();
    assert!(solve(&[(B, both)], 10).program.listing().len() <= 40);
}

/// However two kernels are related, together they cost little more than one.
#[test]
fn relatives() {
    let one = rough(3);
    let alone = solve(&[(B, one.clone())], 500).program.listing().len();
    let both = |other| solve(&[(B, one.clone()), (A, other)], 500).program.listing().len();
    for (name, other, more) in [
        ("itself", one.clone(), 1),
        ("its negative", moved(&one, -1, 0, 0), 2),
        ("a translate", moved(&one, 1, 1, 1), 2),
        ("the negative of a translate", moved(&one, -1, 0, -1), 3),
        ("its double", moved(&one, 2, 0, 0), 4),
    ] {
        // A small budget spread over two kernels may cost one instruction more.
        let together = both(other);
        assert!(together <= alone + more + 1, "{name}: {together} against {alone}");
    }
}

#[test]
fn even_sizes_with_an_origin() {
    let ones = vec![vec![Fraction::ONE; 2]; 2];
    for origin in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let mut sum = Polynomial::new();
        let quarter = Fraction::new(1, 4).unwrap();
        Kernel::with_origin(ones.clone(), origin).unwrap().add_to(&mut sum, quarter, 0).unwrap();
        assert!(solve(&[(A, sum)], 500).program.listing().len() <= 6, "{origin:?}");
    }
    // The origin may be a corner of the largest size, so that the kernel reaches 14 PEs away.
    let mut corner = Polynomial::new();
    let rows = vec![vec![Fraction::ONE; 15]; 15];
    Kernel::with_origin(rows, (14, 0)).unwrap().add_to(&mut corner, Fraction::ONE, 0).unwrap();
    assert!(solve(&[(A, corner)], 3).program.listing().len() <= 480);
}

/// Four kernels at once, where published Cain finds programs of more than 60 instructions or none.
#[test]
fn four_rough_kernels() {
    let outputs: Vec<_> = (0..4)
        .map(|i| {
            let row = |y: i32| [0, 1, 2].map(|x: i32| (3 * x * x + 5 * y * y + 7 * i * (x + 2 * y) + 2 * i) % 9);
            (Reg::from_index(u8::try_from(i).expect("small")), kernel(8, &[&row(0), &row(1), &row(2)]))
        })
        .collect();
    let length = solve(&outputs, 2_000).program.listing().len();
    assert!(length <= 120, "{length}");
}
