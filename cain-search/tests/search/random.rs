//! Tests random small kernels: every program of the search is proved, and no line of it can be omitted.

use cain_analysis::prove::{Polynomial, Prover};
use cain_isa::{Cells, Fraction, HostController as _, Reg, Registers, Store};
use cain_search::switches::{Point, SwitchError, SwitchTable};
use cain_search::{InstructionSet, Kernel, Proved, search, verify};
use proptest::prelude::*;

use crate::common::declaration;

fn weights() -> impl Strategy<Value = Polynomial> {
    (prop_oneof![Just(1), Just(3)], prop::collection::vec(-4_i32..=4, 9), 0_u32..=3).prop_map(
        |(height, weights, halvings)| {
            let rows = weights.chunks(3).take(height);
            let rows = rows.map(|row| row.iter().copied().map(Fraction::from).collect()).collect();
            let mut sum = Polynomial::new();
            let scale = Fraction::new(1, 1 << halvings).expect("a power of two");
            Kernel::new(rows).expect("rows of three").add_to(&mut sum, scale, 0).expect("small weights");
            sum
        },
    )
}

fn instruction_set() -> impl Strategy<Value = InstructionSet> {
    prop_oneof![Just(InstructionSet::Macro), Just(InstructionSet::Basic), Just(InstructionSet::Native)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    #[test]
    fn what_is_found_is_right(
        kernels in prop::collection::vec(weights(), 1..=2),
        instructions in instruction_set(),
        keep in any::<bool>(),
    ) {
        let registers = [Reg::B, Reg::C];
        let outputs: Vec<_> = registers.into_iter().zip(kernels).collect();
        let mut declaration = declaration(&outputs);
        declaration.options.instructions = instructions;
        declaration.options.nodes = 800;
        declaration.inputs[0].keep = keep;
        let solution = search(&declaration).unwrap();
        prop_assert_eq!(&verify(&declaration, solution.program.listing()).unwrap(), &solution.program);
        for left_out in 0..solution.program.listing().len() {
            let mut shorter = solution.program.listing().to_vec();
            shorter.remove(left_out);
            prop_assert!(verify(&declaration, &shorter).is_err(), "line {} is not needed", left_out);
        }
    }

    #[test]
    fn what_is_interrupted_is_right(
        kernels in prop::collection::vec(weights(), 1..=2),
        instructions in instruction_set(),
        keep in any::<bool>(),
        others in 0_u8..64,
        when in any::<u64>(),
    ) {
        let registers = [Reg::B, Reg::C];
        let outputs: Vec<_> = registers.into_iter().zip(kernels).collect();
        let mut declaration = declaration(&outputs);
        declaration.options.instructions = instructions;
        declaration.options.nodes = 300;
        declaration.inputs[0].keep = keep;
        let program = search(&declaration).unwrap().program;
        let others: Registers = Reg::SCAMP5.into_iter().filter(|reg| others >> reg.index() & 1 == 1).collect();
        let others = Cells::registers(others).union(Cells::NEWS);
        match SwitchTable::of(&program, others) {
            Ok(table) => {
                interrupt_everywhere(&program, &table)?;
                interrupt_often(&program, &table, when)?;
            }
            // There is not even room for the results.
            Err(error) => prop_assert!(matches!(error, SwitchError::NoRoom { .. }), "{}", error),
        }
    }
}

/// Leaves the program at every point of the table, loses everything that others may overwrite, comes back, and runs to
/// the end.
fn interrupt_everywhere(program: &Proved, table: &SwitchTable) -> Result<(), TestCaseError> {
    for point in table.points() {
        let (before, _) = program.listing().split_at(point.at as usize);
        let mut state = Prover::of(before, &[Reg::A]).unwrap();
        leave(&mut state, table, point);
        let state = state.after(&program.listing()[point.resume as usize..]).unwrap();
        check(program, &state)?;
    }
    Ok(())
}

/// Leaves the program again and again, whenever the next bit of `when` is set, and runs to the end.
fn interrupt_often(program: &Proved, table: &SwitchTable, mut when: u64) -> Result<(), TestCaseError> {
    let mut state = Prover::new(&[Reg::A]);
    let mut at = 0;
    loop {
        let point = table.points().iter().find(|point| point.at == at);
        if let Some(point) = point.filter(|_| when & 1 == 1) {
            leave(&mut state, table, point);
            at = point.resume;
        } else if let Some(&instruction) = program.listing().get(at as usize) {
            state.execute(instruction).unwrap();
            at += 1;
        } else {
            return check(program, &state);
        }
        when >>= 1;
    }
}

/// Lets others overwrite everything they may, while the values of the point are kept.
fn leave(state: &mut Prover, table: &SwitchTable, point: &Point) {
    point.kept.iter().for_each(|kept| state.issue(kept.save()).unwrap());
    state.load(Store::News, 7);
    table.others().analogue().iter().for_each(|reg| state.load(Store::Reg(reg), 7));
    point.kept.iter().for_each(|kept| state.issue(kept.restore()).unwrap());
}

/// Checks that the outputs and the kept input are as in an undisturbed run.
fn check(program: &Proved, state: &Prover) -> Result<(), TestCaseError> {
    for output in program.outputs() {
        prop_assert_eq!(state.check(output.reg, &output.kernel), Ok(()));
        let offset = state.report().offset_error(output.reg);
        prop_assert_eq!(offset, program.report().offset_error(output.reg));
    }
    if program.declaration().inputs[0].keep {
        prop_assert_eq!(state.check(Reg::A, &Polynomial::input(0)), Ok(()));
    }
    Ok(())
}
