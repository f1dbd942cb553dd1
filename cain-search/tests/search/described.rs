//! Tests of machines described as values: their programs use only what they have.

use cain_analysis::prove::Polynomial;
use cain_isa::{
    BusLimits, Cell, Instruction, Machine, MachineError, Macros, NewsReading, Op, Operand, Reg, Registers, Word,
};
use cain_search::{
    Declaration, DeclarationError, Input, InstructionSet, Need, Options, Output, SearchError, Solution, VerifyError,
    search, verify,
};

use crate::common::{as_cain, declaration, kernel};

const NCA: Machine = Machine::SCAMP5.with_registers(103);
const CAIN: Machine = Machine::SCAMP5.with_registers(18);
const AUKE: Machine = Machine::SCAMP5.with_macros(Macros::BASIC);

fn gauss() -> Polynomial {
    kernel(16, &[&[1, 2, 1], &[2, 4, 2], &[1, 2, 1]])
}

fn sobel() -> Polynomial {
    kernel(8, &[&[1, 0, -1], &[2, 0, -2], &[1, 0, -1]])
}

/// A declaration of kernels in the first registers, computed from the last one, with all registers of the machine to
/// work in.
fn on(machine: Machine, kernels: &[Polynomial]) -> Declaration {
    let mut free: Vec<Reg> = machine.registers.iter().collect();
    let input = free.pop().expect("a register");
    let scratch = free.split_off(kernels.len());
    Declaration {
        name: "filter".into(),
        inputs: vec![Input { reg: input, keep: false }],
        outputs: free.into_iter().zip(kernels).map(|(reg, kernel)| Output { reg, kernel: kernel.clone() }).collect(),
        scratch,
        machine,
        options: Options { nodes: 300, ..as_cain() },
    }
}

/// Searches, and checks every line independently of the machine's description in the search.
#[track_caller]
fn solve(declaration: &Declaration) -> Solution {
    let solution = search(declaration).unwrap_or_else(|error| panic!("{declaration}: {error}"));
    assert_eq!(verify(declaration, solution.program.listing()), Ok(solution.program.clone()));
    for line in solution.program.listing() {
        assert_eq!(declaration.machine.allows(line), Ok(()), "{line}");
    }
    solution
}

fn ops(listing: &[Instruction]) -> impl Iterator<Item = Op> {
    listing.iter().filter_map(|line| match line {
        Instruction::Macro(line) => Some(line.op()),
        Instruction::Word(_) => None,
    })
}

#[test]
fn a_machine_of_103_registers() {
    let solution = solve(&on(NCA, &[gauss(), sobel()]));
    let last = Operand::Reg("R76".parse().unwrap());
    let reads = |line: &Instruction| matches!(line, Instruction::Macro(line) if line.operands().contains(&last));
    assert!(solution.program.listing().iter().any(reads));
}

#[test]
fn the_machine_of_18_registers() {
    let kernels: Vec<_> = (1..=10).map(|i| kernel(8, &[&[i, 3, 1], &[2, 8 - i, 0], &[1, i, 1]])).collect();
    let solution = solve(&on(CAIN, &kernels));
    // Ten kernels need more registers than SCAMP-5 has.
    assert!(solution.program.report().writes.len() > 6);
}

#[test]
fn a_machine_with_the_instructions_of_auke() {
    let of_machine = solve(&on(AUKE, &[gauss()]));
    assert!(ops(of_machine.program.listing()).all(|op| Op::BASIC.contains(&op)));
    // The machine restricts programs like the instruction set.
    let mut of_set = on(Machine::SCAMP5, &[gauss()]);
    of_set.options.instructions = InstructionSet::Basic;
    assert_eq!(of_machine.program.listing(), solve(&of_set).program.listing());
}

#[test]
fn control_words_within_the_limits_of_a_bus() {
    let native = |bus| {
        let mut declaration = on(Machine::SCAMP5.with_bus(bus), &[sobel()]);
        declaration.options.instructions = InstructionSet::Native;
        declaration
    };
    let narrow = BusLimits { destinations: 2, sources: 2, reads: NewsReading::Own };
    solve(&native(narrow));
    solve(&native(BusLimits { sources: 3, ..BusLimits::SCAMP5 }));

    let undivided = BusLimits { destinations: 1, ..narrow };
    let missing = |need| DeclarationError::Missing { reg: Reg::A, need, instructions: InstructionSet::Native };
    assert_eq!(search(&native(undivided)).unwrap_err(), missing(Need::Halve).into());
    let single = BusLimits { sources: 1, ..narrow };
    assert_eq!(search(&native(single)).unwrap_err(), missing(Need::Add).into());
}

/// Whichever instruction is missing, there is a program without it or a reason why there is none.
#[test]
fn every_instruction_can_be_missing() {
    for &missing in Op::ARITHMETIC {
        let macros = Op::ARITHMETIC.iter().copied().filter(|op| *op != missing).collect();
        let wanted = [gauss(), sobel(), Polynomial::input(0), Polynomial::new()];
        for kernels in [&wanted[..1], &wanted[1..2], &wanted[2..3], &wanted[3..]] {
            let declaration = on(Machine::SCAMP5.with_macros(macros), kernels);
            match (search(&declaration), missing) {
                (Ok(solution), _) => assert!(ops(solution.program.listing()).all(|op| op != missing)),
                (Err(error), Op::Res) => {
                    let text = "the kernel of `A` needs setting a register to zero, which the machine does not have \
                                among its macro instructions; the search does it by `res`";
                    assert_eq!(error.to_string(), text);
                }
                (Err(error), _) => assert!(
                    missing == Op::Mov && matches!(error, SearchError::Registers { .. } | SearchError::Budget { .. }),
                    "without {missing:?}: {declaration}: {error}"
                ),
            }
        }
    }
}

#[test]
fn what_a_machine_lacks_for_a_kernel() {
    let row = |row: &[i32]| kernel(1, &[row]);
    for (macros, kernel, need) in [
        (&[Op::Movx, Op::Sub, Op::Mov][..], kernel(2, &[&[1]]), Need::Halve),
        (&[Op::Add, Op::Mov, Op::Divq], row(&[0, 1, 1]), Need::Shift),
        (&[Op::Add, Op::Mov, Op::Movx], row(&[0, 1, -1]), Need::Negate),
        (&[Op::Mov, Op::Movx, Op::Neg], row(&[3]), Need::Add),
        (&[Op::Mov, Op::Movx, Op::Neg], row(&[0]), Need::Clear),
    ] {
        let declaration = on(Machine::SCAMP5.with_macros(Macros::of(macros)), &[kernel]);
        let missing = DeclarationError::Missing { reg: Reg::A, need, instructions: InstructionSet::Macro };
        assert_eq!(declaration.validate(), Err(missing), "{declaration}");
        assert_eq!(search(&declaration).unwrap_err(), missing.into());
    }
}

#[test]
fn registers_that_the_machine_does_not_have() {
    let scamp = declaration(&[(Reg::B, gauss())]);
    for (machine, missing) in [
        (Machine::SCAMP5.with_registers(1), Reg::B),
        (Machine::SCAMP5.with_registers(5), Reg::F),
        (Machine { registers: Registers::of(&[Reg::B, Reg::C]), ..Machine::SCAMP5 }, Reg::A),
    ] {
        let refused = Declaration { machine, ..scamp.clone() }.validate();
        assert_eq!(refused, Err(DeclarationError::NoSuchRegister(missing)));
    }
    let text = DeclarationError::NoSuchRegister(Reg::F).to_string();
    assert_eq!(text, "the machine has no analogue register `F`");
}

#[test]
fn programs_for_another_machine_are_not_proved() {
    let on_scamp = on(Machine::SCAMP5, &[gauss()]);
    let listing = solve(&on_scamp).program.listing().to_vec();
    let on_auke = Declaration { machine: AUKE, ..on_scamp.clone() };
    let index = listing.iter().position(|line| AUKE.allows(line).is_err()).expect("an instruction that AUKE has not");
    let instruction = listing[index];
    let error = AUKE.allows(&instruction).unwrap_err();
    assert_eq!(verify(&on_auke, &listing), Err(VerifyError::Machine { index, instruction, error }));

    let words: Vec<Instruction> = listing.iter().flat_map(Instruction::words).map(Instruction::Word).collect();
    let mut native = on_scamp;
    native.options.instructions = InstructionSet::Native;
    assert!(verify(&native, &words).is_ok());
    native.machine.bus.destinations = 1;
    let line = Instruction::Word(Word::new(&[Cell::Reg(Reg::B), Cell::News], &[Cell::Reg(Reg::A)]).unwrap());
    let error = MachineError::Destinations { most: 1 };
    assert_eq!(native.machine.allows(&line), Err(error));
    assert!(matches!(verify(&native, &words), Err(VerifyError::Machine { error: found, .. }) if found == error));
}

#[test]
fn the_canonical_text_names_another_machine() {
    let plain = on(Machine::SCAMP5, &[kernel(1, &[&[1]])]);
    let text = plain.to_string();
    assert_eq!(text, "filter(F) -> (A) using (B, C, D, E) { A = [1] * F; }");
    let basic = Declaration { machine: AUKE, ..plain };
    assert_eq!(basic.to_string(), text.replace("{ A", "on (instructions = basic) { A"));
}
