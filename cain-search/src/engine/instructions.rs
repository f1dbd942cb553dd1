//! The instructions of each set.

use cain_isa::{Cell, Direction, Instruction, Macro, Op, Operand, OperandKind, Reg, Word};

use crate::InstructionSet;

/// The cells and ports of the NEWS family that can be destinations or sources.
pub(crate) const NEWS_FAMILY: [Cell; 5] = [
    Cell::News,
    Cell::Port(Direction::North),
    Cell::Port(Direction::East),
    Cell::Port(Direction::South),
    Cell::Port(Direction::West),
];

impl InstructionSet {
    /// Whether programs may use this instruction. In the native set these are transfers over the bus, except averages
    /// of ports, whose effect on the chip is not established; in the other sets, macro instructions that calculate.
    #[must_use]
    pub fn contains(self, instruction: &Instruction) -> bool {
        match self {
            Self::Native => matches!(instruction, Instruction::Word(Word::Bus(bus)) if !bus.is_mean()),
            Self::Macro | Self::Basic => {
                matches!(instruction, Instruction::Macro(instruction) if ops(self).contains(&instruction.op()))
            }
        }
    }
}

/// The macro instructions of a set that calculate.
pub(crate) fn ops(instructions: InstructionSet) -> &'static [Op] {
    match instructions {
        InstructionSet::Macro | InstructionSet::Native => Op::ARITHMETIC,
        InstructionSet::Basic => Op::BASIC,
    }
}

/// Every list of directions that the instruction takes.
pub(crate) fn direction_lists(op: Op) -> Vec<Vec<Direction>> {
    let mut lists = vec![vec![]];
    for _ in op.operands().iter().filter(|kind| **kind == OperandKind::Direction) {
        lists = lists
            .iter()
            .flat_map(|list: &Vec<Direction>| Direction::ALL.map(|direction| [list.as_slice(), &[direction]].concat()))
            .collect();
    }
    lists
}

/// The instruction with these registers and directions as its operands; `None` if the chip cannot run it.
pub(crate) fn assemble(op: Op, registers: &[Reg], directions: &[Direction]) -> Option<Macro> {
    let (mut registers, mut directions) = (registers.iter(), directions.iter());
    let operands: Option<Vec<Operand>> = op
        .operands()
        .iter()
        .map(|kind| match kind {
            OperandKind::Direction => directions.next().map(|&direction| Operand::Direction(direction)),
            _ => registers.next().map(|&reg| Operand::Reg(reg)),
        })
        .collect();
    Macro::new(op, &operands?).ok()
}

/// Every macro instruction that can be formed with some registers and directions.
#[cfg(test)]
pub(crate) fn every_instruction(registers: &[Reg], directions: &[Direction]) -> Vec<Instruction> {
    let mut all = Vec::new();
    for &op in Op::ARITHMETIC {
        let mut lists: Vec<Vec<Operand>> = vec![vec![]];
        for kind in op.operands() {
            let choices: Vec<Operand> = match kind {
                OperandKind::Direction => directions.iter().map(|&direction| direction.into()).collect(),
                _ => registers.iter().map(|&reg| Operand::Reg(reg)).collect(),
            };
            lists = lists.iter().flat_map(|l| choices.iter().map(|&c| [l.as_slice(), &[c]].concat())).collect();
        }
        all.extend(lists.iter().filter_map(|list| Macro::new(op, list).ok()).map(Instruction::Macro));
    }
    all
}
