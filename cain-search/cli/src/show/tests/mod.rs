//! Programs in all formats.

mod formats;
mod well_formed;

use cain_isa::prove::Prover;
use cain_isa::{Found, Instruction, Machine, Reg, Stop};
use cain_search::{Declaration, Input, Options, Output};

use super::source::Program;

/// A program that computes whatever it computes: what it leaves in the output registers is what was asked for.
fn program(inputs: &[(Reg, bool)], outputs: &[Reg], listing: &[Instruction]) -> Program {
    let registers: Vec<Reg> = inputs.iter().map(|(reg, _)| *reg).collect();
    let prover = Prover::of(listing, &registers).unwrap();
    let output = |&reg: &Reg| Output { reg, kernel: prover.value(reg).unwrap().clone() };
    let mut declaration = Declaration {
        name: "test".to_owned(),
        inputs: inputs.iter().map(|&(reg, keep)| Input { reg, keep }).collect(),
        outputs: outputs.iter().map(output).collect(),
        scratch: Vec::new(),
        machine: Machine::SCAMP5.with_registers(256),
        options: Options::default(),
    };
    let taken = declaration.writable();
    let clobbers = prover.report().writes.iter().copied();
    declaration.scratch = clobbers.filter(|reg| !taken.contains(reg)).collect();
    let report = prover.report().clone();
    let found = Found { nodes: 7, lower_bound: 2, stop: Stop::Proved };
    Program { declaration, doc: None, approximated: None, listing: listing.to_vec(), report, found, plan: None }
}

fn parse(lines: &[&str]) -> Vec<Instruction> {
    lines.iter().map(|line| line.parse().unwrap()).collect()
}

/// The mean with the neighbour to the east, in place.
fn mean() -> Program {
    program(&[(Reg::A, false)], &[Reg::A], &parse(&["div(B,C,A);", "subx(A,B,east,C);"]))
}

/// Two inputs, of which one is kept, in native words with a value in NEWS.
fn native() -> Program {
    program(&[(Reg::A, false), (Reg::B, true)], &[Reg::C], &parse(&["bus(XW,A);", "bus(C,NEWS,B);"]))
}
