//! Tests of programs that others may interrupt, and of the time until then.

use cain_isa::{Cells, Reg, Registers};
use cain_search::switches::{SwitchError, SwitchTable};
use cain_search::{
    Declaration, DeclarationError, InstructionSet, Interruption, SearchError, VerifyError, search, verify,
};

use super::common::{declaration, kernel};
use super::published::GAUSS_5;

/// A broad blur in all registers, 500 nodes.
fn blur() -> Declaration {
    let mut blur = declaration(&[(Reg::A, kernel(64, &GAUSS_5))]);
    blur.scratch = vec![Reg::B, Reg::C, Reg::D, Reg::E, Reg::F];
    blur.options.instructions = InstructionSet::Native;
    blur.options.nodes = 500;
    blur
}

/// Interruption by one program on these registers, with a limit on its wait in control words.
fn by(registers: &[Reg], latency: Option<u32>) -> Interruption {
    Interruption::new(vec![Cells::registers(Registers::of(registers))], latency)
}

#[test]
fn the_bound_is_part_of_the_search() {
    let others = [Reg::C, Reg::D, Reg::E];
    let free = search(&blur()).unwrap().program;
    let cells = Cells::registers(Registers::of(&others)).union(Cells::NEWS);
    let latency = SwitchTable::of(&free, cells).unwrap().latency();
    // Without room, it cannot be left between any two words.
    assert!(latency > 2, "{latency}");

    let mut bounded = blur();
    bounded.options.interruption = Some(by(&others, Some(2)));
    assert!(matches!(
        verify(&bounded, free.listing()),
        Err(VerifyError::Interruption(SwitchError::Latency { allowed: 2, .. }))
    ));
    let solution = search(&bounded).unwrap();
    let program = &solution.program;
    let [table] = program.switches() else { panic!("{:?}", program.switches()) };
    assert!(table.latency() <= 2, "{}", table.latency());
    assert_eq!(table, &SwitchTable::of(program, cells).unwrap());
    assert_eq!(verify(&bounded, program.listing()).as_ref(), Ok(program));
    assert!(program.report().icws >= free.report().icws);

    // A larger budget is never worse.
    bounded.options.nodes = 1_000;
    assert!(search(&bounded).unwrap().program.report().icws <= program.report().icws);
}

#[test]
fn each_of_several_has_a_table() {
    let mut blur = blur();
    let by = [&[Reg::B][..], &[Reg::C, Reg::D]].map(|registers| Cells::registers(Registers::of(registers)));
    blur.options.interruption = Some(Interruption::new(by.to_vec(), None));
    let program = search(&blur).unwrap().program;
    let others: Vec<Cells> = program.switches().iter().map(SwitchTable::others).collect();
    // While the first one runs, the second may interrupt it.
    assert_eq!(others, [by[0].union(by[1]).union(Cells::NEWS), by[1].union(Cells::NEWS)]);
}

#[test]
fn bounds_that_cannot_be_met() {
    let mut narrow = blur();
    narrow.options.interruption = Some(by(&[Reg::B, Reg::C], Some(0)));
    match search(&narrow) {
        Err(SearchError::Interruption { error: SwitchError::Latency { latency, allowed: 0 }, enough: None }) => {
            assert!(latency > 0);
        }
        other => panic!("{other:?}"),
    }
    // There is no register for the result while others use its own.
    narrow.scratch = vec![Reg::B, Reg::C];
    narrow.options.interruption = Some(by(&[Reg::A, Reg::B, Reg::C], None));
    match search(&narrow) {
        Err(SearchError::Interruption { error: SwitchError::NoRoom { results, .. }, enough: Some((1, _)) }) => {
            assert_eq!(results, [Reg::A]);
        }
        other => panic!("{other:?}"),
    }
    narrow.options.interruption = Some(by(&[Reg::F], None));
    let foreign = DeclarationError::OverwrittenByOthers(Reg::F);
    assert_eq!(search(&narrow), Err(SearchError::Declaration(foreign)));
}
