//! Kernels for machines other than SCAMP-5: the search runs when this is compiled, and the programs are proved and
//! simulated here.

use cain_runtime::isa::{Machine, Macros, Plan};
use cain_runtime::prove::Prover;
use cain_runtime::sim::{Array, SimError};
use cain_runtime::{Areg, reg};

/// SCAMP-5 with the registers that a small neural automaton needs.
mod nca {
    cain_runtime::scamp_kernels! {
        #![machine(registers = 103)]
        pub fn blur(R76) -> Z using (R0, Q) = 1/4 * [[1, 2, 1]];
    }
}

/// The machine of Cain's experiment with many kernels.
mod cain {
    cain_runtime::scamp_kernels! {
        #![machine(registers = 18)]
        pub fn blur(&A) -> R using (G, H) = 1/4 * [[1, 2, 1]];
    }
}

/// SCAMP-5 with the instructions that AUKE knows.
mod auke {
    cain_runtime::scamp_kernels! {
        #![machine(instructions = basic)]
        #[search(isa = macro)]
        pub fn blur(A) -> B using (C, D) = 1/4 * [[1, 2, 1]];
    }
}

/// Proves and simulates a program on its own machine; returns whether SCAMP-5 runs it too.
fn run(plan: &Plan, machine: Machine) -> Result<bool, SimError> {
    let proved = Prover::of(plan.listing, plan.inputs).unwrap();
    assert_eq!(proved.value(plan.outputs[0]).unwrap().to_string(), "1/4·x^-1 + 1/2 + 1/4·x");
    let simulate = |machine: Machine| {
        let mut array = Array::new(7, 1).machine(machine);
        array.load_reg(plan.inputs[0], &[0.0, 0.0, 0.0, 16.0, 0.0, 0.0, 0.0])?;
        array.execute_listing(plan.listing)?;
        Ok::<_, SimError>(array.read_reg(plan.outputs[0])?.to_vec())
    };
    assert_eq!(simulate(machine)?[1..6], [0.0, 4.0, 8.0, 4.0, 0.0]);
    Ok(simulate(Machine::SCAMP5).is_ok())
}

#[test]
fn a_machine_of_103_registers() -> Result<(), SimError> {
    let machine = Machine::SCAMP5.with_registers(103);
    assert!(!run(&nca::blur::PLAN, machine)?);
    assert!(nca::blur::PLAN.declaration.contains(" on (registers = 103) "));

    let mut scamp = Array::new(3, 1).machine(machine);
    let mut input = Areg::<reg::R<76>>::new();
    let (mut output, mut first, mut second) = (Areg::new(), Areg::new(), Areg::new());
    let image = scamp.load(&mut input, &[8.0, 16.0, 4.0])?;
    let blurred = nca::blur(&mut scamp, image, &mut output, &mut first, &mut second)?;
    assert_eq!(scamp.read(&blurred)?[1..2], [11.0]);
    Ok(())
}

#[test]
fn the_machine_of_18_registers() -> Result<(), SimError> {
    assert!(!run(&cain::blur::PLAN, Machine::SCAMP5.with_registers(18))?);
    Ok(())
}

#[test]
fn a_machine_with_the_instructions_of_auke() -> Result<(), SimError> {
    assert!(run(&auke::blur::PLAN, Machine::SCAMP5.with_macros(Macros::BASIC))?);
    let listed = |name: &str| auke::blur::PLAN.listing.iter().any(|line| line.to_string().starts_with(name));
    assert!(!listed("div(") && !listed("addx(") && !listed("mov2x("));
    Ok(())
}
