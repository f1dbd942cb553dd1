use cain_isa::prove::Prover;
use cain_isa::{Cells, HostController as _, Instruction, Machine, Reg, Registers, Store};

use super::{SwitchError, SwitchLimits, SwitchTable};
use crate::{Declaration, Input, InstructionSet, MaxGain, OffsetRule, Options, Output, Proved, verify};

const GAUSS: [&str; 7] = [
    "bus(NEWS,A);",
    "bus(C,XS);",
    "bus2(B,NEWS,C,A);",
    "bus2(D,A,XE,B);",
    "bus2(C,A,XW,B);",
    "bus2(NEWS,B,C,D);",
    "bus2(A,C,XN,B);",
];

/// A program from A that leaves its result in `output`, declared to compute what it computes.
fn proved(listing: &[&str], keep: bool, output: Reg, scratch: &[Reg]) -> Proved {
    let listing: Vec<Instruction> = listing.iter().map(|line| line.parse().unwrap()).collect();
    let prover = Prover::of(&listing, &[Reg::A]).unwrap();
    let is_native = listing.iter().any(|line| matches!(line, Instruction::Word(_)));
    let instructions = if is_native { InstructionSet::Native } else { InstructionSet::Macro };
    let declaration = Declaration {
        name: "f".to_owned(),
        inputs: vec![Input { reg: Reg::A, keep }],
        outputs: vec![Output { reg: output, kernel: prover.value(output).unwrap().clone() }],
        scratch: scratch.to_vec(),
        machine: Machine::SCAMP5,
        options: Options { instructions, offset: OffsetRule::Any, max_gain: MaxGain::Any, ..Options::default() },
    };
    verify(&declaration, &listing).unwrap()
}

/// What programs on these registers overwrite.
fn others(registers: &[Reg]) -> Cells {
    Cells::registers(Registers::of(registers)).union(Cells::NEWS)
}

/// Interrupts the program at every point of the table and runs it to its end; how many points there were.
fn interrupt_everywhere(program: &Proved, table: &SwitchTable) -> usize {
    let output = &program.outputs()[0];
    for point in table.points() {
        let mut state = Prover::new(&[Reg::A]);
        for &instruction in &program.listing()[..point.at as usize] {
            state.execute(instruction).unwrap();
        }
        let moved = point.kept.iter().map(cain_isa::Kept::save);
        moved.for_each(|word| state.issue(word).unwrap());
        state.load(Store::News, 7);
        table.others().analogue().iter().for_each(|reg| state.load(Store::Reg(reg), 7));
        point.kept.iter().for_each(|kept| state.issue(kept.restore()).unwrap());
        let rest = &program.listing()[point.resume as usize..];
        let end = state.after(rest).unwrap();
        assert_eq!(end.check(output.reg, &output.kernel), Ok(()), "{point:?}");
        assert_eq!(end.report().offset_error(output.reg), program.report().offset_error(output.reg), "{point:?}");
    }
    table.points().len()
}

#[test]
fn others_with_registers_of_their_own_wait_only_for_news() {
    let gauss = proved(&GAUSS, false, Reg::A, &[Reg::B, Reg::C, Reg::D, Reg::E, Reg::F]);
    let table = SwitchTable::of(&gauss, others(&[Reg::E])).unwrap();
    // NEWS is kept in F where the next word reads it.
    assert_eq!(interrupt_everywhere(&gauss, &table), 8);
    assert_eq!(table.latency(), 2);
}

#[test]
fn values_are_moved_out_of_the_way() {
    let gauss = proved(&GAUSS, false, Reg::A, &[Reg::B, Reg::C, Reg::D, Reg::E, Reg::F]);
    let table = SwitchTable::of(&gauss, others(&[Reg::A, Reg::B])).unwrap();
    assert!(table.points().iter().any(|point| !point.kept.is_empty()));
    assert_eq!(interrupt_everywhere(&gauss, &table), 8);
}

#[test]
fn what_is_lost_is_computed_again() {
    // Three moves to the east; A is only read, so that each can be done again.
    let east = ["movx(B,A,east);", "movx(C,B,east);", "movx(B,C,east);"];
    let far = proved(&east, true, Reg::B, &[Reg::C]);
    let table = SwitchTable::of(&far, others(&[Reg::C])).unwrap();
    let after_two = table.points().iter().find(|point| point.at == 2).unwrap();
    assert_eq!((after_two.resume, after_two.extra), (1, 2));
    assert_eq!(interrupt_everywhere(&far, &table), 4);
    // No interruption may cost anything: this one has to wait.
    let table = SwitchTable::within(&far, others(&[Reg::C]), SwitchLimits { extra: 0 }).unwrap();
    assert_eq!(table.points().iter().map(|point| point.at).collect::<Vec<_>>(), [0, 1, 3]);
    assert_eq!((table.latency(), table.most_extra()), (4, 0));
}

#[test]
fn results_need_a_place() {
    let gauss = proved(&GAUSS, false, Reg::A, &[Reg::B, Reg::C, Reg::D]);
    let all = others(&[Reg::A, Reg::B, Reg::C, Reg::D]);
    let error = SwitchTable::of(&gauss, all).unwrap_err();
    assert_eq!(error, SwitchError::NoRoom { results: vec![Reg::A], missing: 1 });
    let error = SwitchTable::of(&gauss, others(&[Reg::E])).unwrap_err();
    assert_eq!(error, SwitchError::Foreign { register: Reg::E });
}

#[test]
fn an_input_that_is_only_read_keeps_nothing_but_serves_again() {
    let program = proved(&["movx(B,A,east);", "add(B,B,A);"], true, Reg::B, &[]);
    let table = SwitchTable::of(&program, others(&[Reg::B])).unwrap();
    let resumed: Vec<_> = table.points().iter().map(|point| (point.at, point.resume, point.extra)).collect();
    assert_eq!(resumed, [(0, 0, 0), (1, 0, 2), (2, 0, 4)]);
    assert_eq!(interrupt_everywhere(&program, &table), 3);
}
