//! Published programs and programs found by hand, as texts: each computes its kernels exactly, at the costs printed for
//! it.

use std::fs;
use std::path::PathBuf;

use cain_analysis::prove::{Polynomial, Prover};
use cain_isa::{Displacement, Fraction, Instruction, Reg};

/// A kernel over A: a common denominator, and weights with row 0 north and column 0 west.
type Kernel = (i64, &'static [&'static [i64]]);

const GAUSS3: Kernel = (16, &[&[1, 2, 1], &[2, 4, 2], &[1, 2, 1]]);
const GAUSS5: Kernel =
    (64, &[&[0, 1, 2, 1, 0], &[1, 4, 6, 4, 1], &[2, 6, 10, 6, 2], &[1, 4, 6, 4, 1], &[0, 1, 2, 1, 0]]);

/// A program: its file, its macro instructions and control words, and the contents of registers at its end.
type Program = (&'static str, u32, u32, &'static [(Reg, Kernel)]);

const PROGRAMS: &[Program] = &[
    (
        "analognet2",
        21,
        48,
        &[
            (Reg::A, (4, &[&[0, 0, 0], &[-3, 1, 0], &[-3, 0, 2]])),
            (Reg::B, (4, &[&[-4, -1, 1], &[-1, 2, 0], &[1, 1, 0]])),
            (Reg::C, (4, &[&[-1, 2, 0], &[-1, 1, -3], &[0, -3, 0]])),
        ],
    ),
    ("gauss3", 8, 28, &[(Reg::A, GAUSS3)]),
    ("gauss3_basic", 12, 24, &[(Reg::A, GAUSS3)]),
    ("gauss3_words", 0, 8, &[(Reg::A, GAUSS3)]),
    ("gauss5", 18, 36, &[(Reg::A, GAUSS5)]),
    ("gauss5_halves", 17, 52, &[(Reg::A, GAUSS5)]),
    ("gauss3_gauss5", 19, 38, &[(Reg::A, GAUSS3), (Reg::B, GAUSS5)]),
    ("gauss3_gauss5_halves", 18, 54, &[(Reg::A, GAUSS3), (Reg::B, GAUSS5)]),
    ("sobel", 5, 10, &[(Reg::B, (1, &[&[-1, 0, 1], &[-2, 0, 2], &[-1, 0, 1]]))]),
    ("sobel_words", 0, 7, &[(Reg::C, (4, &[&[1, 0, -1], &[2, 0, -2], &[1, 0, -1]]))]),
];

fn folder() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "listings"].iter().collect()
}

/// The instructions of a file, without its comments and the markers of the kernel.
fn read(name: &str) -> Vec<Instruction> {
    let text = fs::read_to_string(folder().join(format!("{name}.scamp"))).unwrap();
    let code: String = text.lines().filter(|line| !line.starts_with("//")).collect();
    let calls = code.split_terminator(';').map(str::trim).filter(|call| !call.starts_with("scamp5_kernel"));
    calls.map(|call| call.parse().unwrap_or_else(|error| panic!("{name}: `{call}`: {error}"))).collect()
}

fn polynomial((denominator, rows): Kernel) -> Polynomial {
    let mut kernel = Polynomial::new();
    let middle = i16::try_from(rows.len() / 2).unwrap();
    for (y, row) in (-middle..=middle).rev().zip(rows) {
        for (x, weight) in (-middle..=middle).zip(*row) {
            let factor = Fraction::new(*weight, denominator).unwrap();
            kernel.add_scaled(&Polynomial::input(0), factor, Displacement::new(x, y)).unwrap();
        }
    }
    kernel
}

#[test]
fn every_listing_computes_its_kernels_at_its_costs() {
    for (name, macros, icws, outputs) in PROGRAMS {
        let prover = Prover::of(&read(name), &[Reg::A]).unwrap();
        for (reg, kernel) in *outputs {
            prover.check(*reg, &polynomial(*kernel)).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        assert_eq!((prover.report().macros, prover.report().icws), (*macros, *icws), "{name}");
    }
    let files = fs::read_dir(folder()).unwrap().count();
    assert_eq!(files, PROGRAMS.len(), "every file has its kernels");
}

#[test]
fn the_program_for_analognet2_needs_peak_gain() {
    let prover = Prover::of(&read("analognet2"), &[Reg::A]).unwrap();
    assert_eq!(prover.report().peak_gain, Fraction::new(11, 4).unwrap());
}

#[test]
fn no_line_of_a_listing_can_be_left_out() {
    for (name, _, _, outputs) in PROGRAMS {
        let listing = read(name);
        for left_out in 0..listing.len() {
            let mut listing = listing.clone();
            let line = listing.remove(left_out);
            let same = Prover::of(&listing, &[Reg::A]).is_ok_and(|prover| {
                outputs.iter().all(|(reg, kernel)| prover.check(*reg, &polynomial(*kernel)).is_ok())
            });
            assert!(!same, "{name}: `{line}` in place {left_out} does nothing");
        }
    }
}

/// The listing that AUKE makes of AnalogNet2 (printed in the Cain paper) has instructions that the bus cannot execute.
#[test]
fn what_the_bus_cannot_do_is_no_listing() {
    for line in ["divq(B,B);", "neg(C,C);"] {
        let error = line.parse::<Instruction>().unwrap_err().to_string();
        assert!(error.contains("is connected twice to one bus"), "{line} {error}");
    }
}
