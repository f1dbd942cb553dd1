//! Programs in all formats.

mod formats;
mod well_formed;

use cain_analysis::prove::Prover;
use cain_codegen::Plan;
use cain_isa::{Instruction, Machine, Reg, Stop};
use cain_search::{
    Declaration, Input, InstructionSet, MaxGain, OffsetRule, Options, Output, Solution, Statistics, verify,
};

/// The plan of any program: the declaration is derived from what it computes.
pub(super) fn plan(inputs: &[(Reg, bool)], outputs: &[Reg], listing: &[Instruction]) -> Plan {
    let registers: Vec<Reg> = inputs.iter().map(|(reg, _)| *reg).collect();
    let prover = Prover::of(listing, &registers).unwrap();
    let output = |&reg: &Reg| Output { reg, kernel: prover.value(reg).unwrap().clone() };
    let instructions = match listing.first() {
        Some(Instruction::Word(_)) => InstructionSet::Native,
        _ => InstructionSet::Macro,
    };
    let is_for_scamp5 = listing.iter().all(|instruction| Machine::SCAMP5.allows(instruction).is_ok());
    let mut declaration = Declaration {
        name: "test".to_owned(),
        inputs: inputs.iter().map(|&(reg, keep)| Input { reg, keep }).collect(),
        outputs: outputs.iter().map(output).collect(),
        scratch: Vec::new(),
        machine: if is_for_scamp5 { Machine::SCAMP5 } else { Machine::SCAMP5.with_registers(256) },
        options: Options { instructions, offset: OffsetRule::Any, max_gain: MaxGain::Any, ..Options::default() },
    };
    let taken = declaration.writable();
    let clobbers = prover.report().writes.iter().copied();
    declaration.scratch = clobbers.filter(|reg| !taken.contains(reg)).collect();
    let program = verify(&declaration, listing).unwrap();
    let statistics = Statistics { nodes: 7, nodes_to_first: 1, nodes_to_best: 5, lower_bound: 2, stop: Stop::Proved };
    Plan::new(Solution { program, statistics }, None, None)
}

pub(super) fn parse(lines: &[&str]) -> Vec<Instruction> {
    lines.iter().map(|line| line.parse().unwrap()).collect()
}

/// The mean with the neighbour to the east, in place.
fn mean() -> Plan {
    plan(&[(Reg::A, false)], &[Reg::A], &parse(&["div(B,C,A);", "subx(A,B,east,C);"]))
}

/// Two inputs, of which one is kept, in native words with a value in NEWS.
fn native() -> Plan {
    plan(&[(Reg::A, false), (Reg::B, true)], &[Reg::C], &parse(&["bus(XW,A);", "bus(C,NEWS,B);"]))
}
