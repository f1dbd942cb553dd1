//! Tests that the option `memory` limits the process, not only what the search itself counts. Linux reports the peak.
#![cfg(target_os = "linux")]

use std::fs;

use cain_analysis::prove::{Atom, Polynomial};
use cain_isa::{Displacement, Fraction, Reg};
use cain_search::{Declaration, Input, InstructionSet, MaxGain, Objective, Options, Output, search};

/// The memory of the process besides the search, in MiB: unused memory of the allocator, and the weights of all words
/// of a program of a thousand words whose error is predicted.
const BASE: u64 = 32;

/// A kernel without a weight that is zero and without symmetry.
fn dense(size: i16) -> Polynomial {
    let mut kernel = Polynomial::new();
    let middle = size / 2;
    for (x, y) in (-middle..=middle).flat_map(|x| (-middle..=middle).map(move |y| (x, y))) {
        let weight = i64::from((x * 37 + y * 59 + x * y * 11).rem_euclid(61)) - 30;
        let weight = Fraction::new(if weight == 0 { 31 } else { weight }, 64).expect("no zero");
        kernel.add_term(Atom { channel: 0, displacement: Displacement::new(x, y) }, weight).expect("small");
    }
    kernel
}

/// The peak of the process in a search, in MiB.
fn peak(declaration: &Declaration) -> u64 {
    // Writing 5 resets the peak.
    fs::write("/proc/self/clear_refs", "5").expect("the peak can be reset");
    search(declaration).expect("a program");
    status("VmHWM:").div_ceil(1024)
}

/// A figure of this process in KiB.
fn status(name: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("Linux has it");
    let line = status.lines().find_map(|line| line.strip_prefix(name)).expect("the figure");
    line.trim().trim_end_matches("kB").trim().parse().expect("a number")
}

/// This is a single test, so that no other one runs in the process at the same time. Little memory comes first, since
/// the allocator keeps some of the memory that a search frees.
#[test]
fn large_kernels_stay_within_memory() {
    let kinds = [
        (InstructionSet::Macro, Objective::Macros),
        (InstructionSet::Macro, Objective::Accuracy),
        (InstructionSet::Native, Objective::Icws),
    ];
    let limits = [Options::LEAST_MEMORY, 64];
    for (memory, (size, nodes)) in limits.into_iter().flat_map(|memory| [(memory, (9, 600)), (memory, (15, 200))]) {
        for (instructions, objective) in kinds {
            let declaration = Declaration {
                name: "dense".into(),
                inputs: vec![Input { reg: Reg::A, keep: false }],
                outputs: vec![Output { reg: Reg::A, kernel: dense(size) }],
                scratch: vec![Reg::B, Reg::C, Reg::D],
                machine: cain_isa::Machine::SCAMP5,
                options: Options {
                    nodes,
                    memory,
                    instructions,
                    objective,
                    max_gain: MaxGain::Any,
                    ..Options::default()
                },
            };
            let peak = peak(&declaration);
            assert!(peak <= memory + BASE, "{size}×{size} {instructions:?} {objective:?}: {peak} of {memory} MiB");
        }
    }
}
