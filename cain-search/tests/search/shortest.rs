//! Compares the search with brute force: it finds every result of a few instructions on a small machine with no more of
//! them.
//!
//! The programs are enumerated and executed by the prover of `cain-isa`, and share nothing with the search.

use std::collections::{BTreeMap, BTreeSet};

use cain_analysis::prove::{Polynomial, Prover};
use cain_isa::{
    Cell, Direction, ErrorModel, HostController, Instruction, Macro, Op, Operand, OperandKind, Reg, Stop, Store, Word,
};
use cain_search::{Declaration, Input, InstructionSet, OffsetRule, Options, Output, search};

use crate::common::as_cain;
use crate::common::kernel;

const A: Reg = Reg::A;
const B: Reg = Reg::B;
const C: Reg = Reg::C;
const D: Reg = Reg::D;

/// A machine and its use.
struct Machine {
    instructions: InstructionSet,
    offset: OffsetRule,
    inputs: Vec<Input>,
    outputs: Vec<Reg>,
    scratch: Vec<Reg>,
    directions: Vec<Direction>,
}

/// The contents of the outputs at the end.
type Kernels = Vec<Polynomial>;

impl Machine {
    fn of_macros(input: Input, outputs: &[Reg], scratch: &[Reg], directions: &[Direction]) -> Self {
        Self {
            instructions: InstructionSet::Macro,
            offset: OffsetRule::Any,
            inputs: vec![input],
            outputs: outputs.to_vec(),
            scratch: scratch.to_vec(),
            directions: directions.to_vec(),
        }
    }

    fn of_words(input: Input, outputs: &[Reg], scratch: &[Reg], offset: OffsetRule) -> Self {
        let macros = Self::of_macros(input, outputs, scratch, &[Direction::East, Direction::North]);
        Self { instructions: InstructionSet::Native, offset, ..macros }
    }

    fn declaration(&self, kernels: &[Polynomial]) -> Declaration {
        let outputs = self.outputs.iter().zip(kernels);
        Declaration {
            name: "target".into(),
            inputs: self.inputs.clone(),
            outputs: outputs.map(|(&reg, kernel)| Output { reg, kernel: kernel.clone() }).collect(),
            scratch: self.scratch.clone(),
            machine: cain_isa::Machine::SCAMP5,
            // Bias is not allowed, as it would count as instructions.
            options: Options {
                instructions: self.instructions,
                offset: self.offset,
                error_model: ErrorModel::ideal(),
                ..as_cain()
            },
        }
    }

    fn registers(&self) -> Vec<Reg> {
        let mut all: Vec<Reg> =
            self.inputs.iter().map(|input| input.reg).chain(self.declaration(&[]).writable()).collect();
        all.extend(self.outputs.iter().chain(&self.scratch));
        all.sort_unstable();
        all.dedup();
        all
    }

    /// All instructions that can be written down for the machine, some of which it can run.
    fn every_instruction(&self) -> Vec<Instruction> {
        let registers = self.registers();
        match self.instructions {
            InstructionSet::Native => every_word(&registers, &self.directions),
            _ => Op::ARITHMETIC.iter().flat_map(|&op| every_macro(op, &registers, &self.directions)).collect(),
        }
    }

    /// The contents of the outputs after programs of up to `most` instructions, with the least number of instructions.
    fn reached(&self, most: u32) -> BTreeMap<Kernels, u32> {
        let (registers, instructions) = (self.registers(), self.every_instruction());
        let kept = |reg: Reg| self.inputs.iter().any(|input| input.reg == reg && input.keep);
        let state = |prover: &Prover| {
            let values: Vec<_> = registers.iter().map(|&reg| prover.value(reg).cloned()).collect();
            let offset_errors: Vec<_> =
                registers.iter().map(|&reg| format!("{:?}", prover.report().offset_error(reg))).collect();
            (
                values,
                prover.stored(Store::News).cloned(),
                if self.offset == OffsetRule::Any { vec![] } else { offset_errors },
            )
        };
        let inputs: Vec<Reg> = self.inputs.iter().map(|input| input.reg).collect();
        let start = Prover::new(&inputs);
        let mut reached = BTreeMap::new();
        let mut note = |prover: &Prover, length: u32| {
            let kernels: Option<Kernels> = self.outputs.iter().map(|&reg| prover.value(reg).cloned()).collect();
            if let Some(kernels) = kernels.filter(|_| self.allows(prover)) {
                reached.entry(kernels).or_insert(length);
            }
        };
        note(&start, 0);
        let mut seen = BTreeSet::from([state(&start)]);
        let mut layer = vec![start];
        for length in 1..=most {
            let mut next = Vec::new();
            for (prover, &instruction) in layer.iter().flat_map(|prover| instructions.iter().map(move |i| (prover, i)))
            {
                let mut after = prover.clone();
                if after.execute(instruction).is_err() || after.report().writes.iter().any(|&reg| kept(reg)) {
                    continue;
                }
                note(&after, length);
                // No instruction follows the last ones.
                if length < most && seen.insert(state(&after)) {
                    next.push(after);
                }
            }
            layer = next;
        }
        reached
    }

    /// Whether the outputs contain no more of the transfer error than they may.
    fn allows(&self, prover: &Prover) -> bool {
        let is_free =
            |reg: &Reg| prover.report().offset_error(*reg).is_some_and(|displacement| displacement == 0.into());
        self.offset == OffsetRule::Any || self.outputs.iter().all(is_free)
    }

    /// Checks the search on all of these results, or on each `every`-th; returns the number of results checked.
    fn check(&self, length: u32, every: usize) -> usize {
        let reached = self.reached(length);
        let mut missed = Vec::new();
        let asked = reached.iter().step_by(every);
        let count = asked.len();
        let mut proved = 0;
        for (kernels, &least) in asked {
            let declaration = self.declaration(kernels);
            match search(&declaration) {
                Ok(solution) => {
                    let found = u32::try_from(solution.program.listing().len()).unwrap();
                    assert!(solution.statistics.lower_bound <= least, "{declaration}: {least}");
                    proved += usize::from(solution.statistics.stop == Stop::Proved);
                    if found > least {
                        missed.push(format!("{declaration}: {found} instead of {least}"));
                    }
                }
                Err(error) => missed.push(format!("{declaration}: {error}, but {least} will do")),
            }
        }
        assert!(
            missed.is_empty(),
            "{} of {count} missed, such as\n{}",
            missed.len(),
            missed[..missed.len().min(8)].join("\n")
        );
        assert_eq!(proved, count, "proved");
        count
    }
}

fn every_macro(op: Op, registers: &[Reg], directions: &[Direction]) -> Vec<Instruction> {
    let mut lists: Vec<Vec<Operand>> = vec![vec![]];
    for kind in op.operands() {
        let choices: Vec<Operand> = match kind {
            OperandKind::Direction => directions.iter().map(|&direction| direction.into()).collect(),
            _ => registers.iter().map(|&reg| Operand::Reg(reg)).collect(),
        };
        lists = lists.iter().flat_map(|l| choices.iter().map(|&c| [l.as_slice(), &[c]].concat())).collect();
    }
    lists.iter().filter_map(|list| Macro::new(op, list).ok()).map(Instruction::Macro).collect()
}

fn every_word(registers: &[Reg], directions: &[Direction]) -> Vec<Instruction> {
    let ports = directions.iter().map(|&direction| Cell::Port(direction));
    let cells: Vec<Cell> = registers.iter().map(|&reg| Cell::Reg(reg)).chain([Cell::News]).chain(ports).collect();
    let subsets = |most: usize| {
        let mut all: Vec<Vec<Cell>> = vec![vec![]];
        for &cell in &cells {
            let with: Vec<Vec<Cell>> =
                all.iter().filter(|s| s.len() < most).map(|s| [s.as_slice(), &[cell]].concat()).collect();
            all.extend(with);
        }
        all
    };
    let sources = subsets(Word::MAX_SOURCES);
    let mut words = Vec::new();
    for destinations in subsets(Word::MAX_DESTINATIONS) {
        words
            .extend(sources.iter().filter_map(|sources| Word::new(&destinations, sources).ok()).map(Instruction::Word));
    }
    words
}

fn kept(reg: Reg) -> Input {
    Input { reg, keep: true }
}

fn free(reg: Reg) -> Input {
    Input { reg, keep: false }
}

/// Machines with one output or two, with registers to spare or none, with a kept input or one that may be overwritten.
fn machines_of_macros(directions: &[Direction]) -> Vec<Machine> {
    let machine = |input, outputs: &[Reg], scratch: &[Reg]| Machine::of_macros(input, outputs, scratch, directions);
    vec![
        machine(kept(A), &[B], &[]),
        machine(kept(A), &[B], &[C]),
        machine(free(A), &[A], &[B]),
        machine(free(A), &[B], &[C]),
        machine(kept(A), &[B, C], &[]),
        machine(free(A), &[A, B], &[C]),
        machine(kept(A), &[B, C], &[D]),
    ]
}

fn machines_of_words() -> Vec<Machine> {
    let mut machines = Vec::new();
    for offset in [OffsetRule::Any, OffsetRule::Cancelled] {
        let machine = |input, outputs: &[Reg], scratch: &[Reg]| Machine::of_words(input, outputs, scratch, offset);
        machines.push(machine(kept(A), &[B], &[]));
        machines.push(machine(kept(A), &[B], &[C]));
        machines.push(machine(free(A), &[A], &[B]));
        machines.push(machine(kept(A), &[B, C], &[]));
    }
    machines
}

#[test]
fn one_macro_instruction() {
    let asked: usize = machines_of_macros(&Direction::ALL).iter().map(|machine| machine.check(1, 1)).sum();
    assert!(asked > 100);
}

#[test]
fn two_macro_instructions() {
    let asked: usize = machines_of_macros(&[Direction::East]).iter().map(|machine| machine.check(2, 3)).sum();
    assert!(asked > 200, "{asked}");
}

#[test]
fn two_words() {
    let asked: usize = machines_of_words().iter().map(|machine| machine.check(2, 1)).sum();
    assert!(asked > 100, "{asked}");
}

#[test]
#[ignore = "takes minutes"]
fn three_macro_instructions() {
    for machine in machines_of_macros(&[Direction::East, Direction::North]) {
        machine.check(3, 1);
    }
}

#[test]
#[ignore = "takes minutes"]
fn three_words() {
    for machine in machines_of_words() {
        machine.check(3, 1);
    }
}

/// The bus cannot add a register to itself, so a copy is made.
#[test]
fn values_that_stand_in_two_registers() {
    let machine = Machine::of_macros(kept(A), &[B], &[], &[]);
    for (row, scratch, least) in [(&[2][..], &[][..], 2), (&[0, 0, 2], &[C], 2), (&[3], &[C], 3), (&[-2], &[C], 2)] {
        let mut declaration = machine.declaration(&[kernel(1, &[row])]);
        declaration.scratch = scratch.to_vec();
        let solution = search(&declaration).unwrap();
        assert_eq!(
            (solution.program.listing().len(), solution.statistics.stop),
            (least, Stop::Proved),
            "{declaration}"
        );
    }
}
