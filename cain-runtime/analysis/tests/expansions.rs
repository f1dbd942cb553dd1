//! The expansions against their documented results, for every choice of registers that the chip can run.

use cain_analysis::prove::{Polynomial, Prover};
use cain_isa::{Direction, Displacement, Fraction, Instruction, Macro, Op, Operand, OperandKind, Reg};

const REGS: [Reg; 4] = [Reg::A, Reg::B, Reg::C, Reg::D];

/// Lists of all operands of the kinds that the instruction takes.
fn operand_lists(op: Op) -> Vec<Vec<Operand>> {
    let mut lists = vec![vec![]];
    for kind in op.operands() {
        let choices: Vec<Operand> = match kind {
            OperandKind::Direction => Direction::ALL.map(Operand::Direction).to_vec(),
            _ => REGS.map(Operand::Reg).to_vec(),
        };
        lists = lists
            .iter()
            .flat_map(|list| choices.iter().map(move |&choice| [list.as_slice(), &[choice]].concat()))
            .collect();
    }
    lists
}

/// The effects that the vendor documents, as an independent table: (operand that receives the result, terms as
/// (numerator, denominator, operand that is read, operands whose directions it is read from)).
type Terms = &'static [(i64, i64, usize, &'static [usize])];

fn documented(op: Op) -> &'static [(usize, Terms)] {
    match op {
        Op::Res => &[(0, &[])],
        Op::Mov => &[(0, &[(1, 1, 1, &[])])],
        Op::Add => &[(0, &[(1, 1, 1, &[]), (1, 1, 2, &[])])],
        Op::Add3 => &[(0, &[(1, 1, 1, &[]), (1, 1, 2, &[]), (1, 1, 3, &[])])],
        Op::Sub => &[(0, &[(1, 1, 1, &[]), (-1, 1, 2, &[])])],
        Op::Neg => &[(0, &[(-1, 1, 1, &[])])],
        Op::Divq => &[(0, &[(1, 2, 1, &[])])],
        Op::Div => &[(0, &[(1, 2, 2, &[])]), (1, &[(-1, 2, 2, &[])]), (2, &[(1, 1, 2, &[])])],
        Op::DivCopy => &[(0, &[(1, 2, 3, &[])]), (1, &[(-1, 2, 3, &[])]), (2, &[(1, 1, 3, &[])])],
        Op::Diva => &[(0, &[(1, 2, 0, &[])]), (1, &[(-1, 2, 0, &[])]), (2, &[(-1, 2, 0, &[])])],
        Op::Movx => &[(0, &[(1, 1, 1, &[2])])],
        Op::Mov2x => &[(0, &[(1, 1, 1, &[2, 3])])],
        Op::Addx => &[(0, &[(1, 1, 1, &[3]), (1, 1, 2, &[3])])],
        Op::Add2x => &[(0, &[(1, 1, 1, &[3, 4]), (1, 1, 2, &[3, 4])])],
        Op::Subx => &[(0, &[(1, 1, 1, &[2]), (-1, 1, 3, &[])])],
        Op::Sub2x => &[(0, &[(1, 1, 1, &[2, 3]), (-1, 1, 4, &[])])],
        _ => unreachable!("only arithmetic is in the table"),
    }
}

fn reg(operand: Operand) -> Reg {
    match operand {
        Operand::Reg(reg) => reg,
        _ => unreachable!("the table names a register operand"),
    }
}

fn displacement(operand: Operand) -> Displacement {
    match operand {
        Operand::Direction(direction) => direction.displacement(),
        _ => unreachable!("the table names a direction operand"),
    }
}

#[test]
fn every_legal_macro_does_what_the_vendor_documents() {
    for &op in Op::ARITHMETIC {
        let mut legal = 0;
        for operands in operand_lists(op) {
            let Ok(instruction) = Macro::new(op, &operands) else { continue };
            legal += 1;
            let before = Prover::new(&REGS);
            let after = Prover::of(&[Instruction::Macro(instruction)], &REGS).unwrap();
            assert_eq!(after.report().icws as usize, op.icws());
            let mut written = Vec::new();
            for &(result, terms) in documented(op) {
                let mut wanted = Polynomial::new();
                for &(numerator, denominator, source, directions) in terms {
                    let at = directions.iter().fold(Displacement::ZERO, |sum, &d| sum + displacement(operands[d]));
                    let value = before.value(reg(operands[source])).unwrap();
                    wanted.add_scaled(value, Fraction::new(numerator, denominator).unwrap(), at).unwrap();
                }
                let result = reg(operands[result]);
                written.push(result);
                after.check(result, &wanted).unwrap_or_else(|error| panic!("{instruction} {error}"));
            }
            for other in REGS.into_iter().filter(|other| !written.contains(other)) {
                assert_eq!(after.value(other), before.value(other), "{instruction} touches {other}");
            }
        }
        assert!(legal > 0, "{} never runs", op.name());
    }
}
