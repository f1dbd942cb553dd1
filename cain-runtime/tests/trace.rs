//! Recorder and counter: what they see, and that they hide nothing from the controller behind them.

use cain_runtime::isa::asm::*;
use cain_runtime::isa::{Cost, Found, Fraction, HostController, Instruction, Plan, Stop, Word};
use cain_runtime::prove::{ProveError, Prover};
use cain_runtime::trace::{Counter, Recorder};

const MEAN: Plan = Plan {
    name: "mean",
    declaration: "mean(A) -> (A) using (B, C) { A = 1/2 [0 1 1] * A; }",
    inputs: &[A],
    outputs: &[A],
    listing: &[div(B, C, A), subx(A, B, EAST, C)],
    cost: Cost { macros: 2, icws: 7, headroom: Fraction::ONE },
    found: Found { nodes: 0, lower_bound: 0, stop: Stop::Nodes },
};

/// Notes which of the three methods was called.
#[derive(Default)]
struct Calls(Vec<&'static str>);

impl HostController for Calls {
    type Error = core::convert::Infallible;

    fn issue(&mut self, _: Word) -> Result<(), Self::Error> {
        self.0.push("issue");
        Ok(())
    }

    fn execute(&mut self, _: Instruction) -> Result<(), Self::Error> {
        self.0.push("execute");
        Ok(())
    }

    fn run(&mut self, _: &Plan) -> Result<(), Self::Error> {
        self.0.push("run");
        Ok(())
    }
}

#[test]
fn words_instructions_and_plans_are_passed_on_as_such() {
    let mut scamp = Recorder::new(Counter::new(Calls::default()));
    scamp.run(&MEAN).unwrap();
    scamp.execute(mov(D, A)).unwrap();
    let Instruction::Word(word) = bus(&[NEWS], &[reg(A)]) else { unreachable!() };
    scamp.issue(word).unwrap();

    assert_eq!(scamp.to_string(), "div(B,C,A);\nsubx(A,B,east,C);\nmov(D,A);\nbus(NEWS,A);\n");
    let counter = scamp.into_controller();
    assert_eq!((counter.macros(), counter.icws()), (3, 10));
    assert!((counter.microseconds() - 1.9).abs() < 1e-9);
    assert_eq!(counter.into_controller().0, ["run", "execute", "issue"]);
}

#[test]
fn what_is_counted_is_what_the_prover_saw() {
    let mut scamp = Counter::new(Prover::new(&[A]));
    scamp.run(&MEAN).unwrap();
    let report = scamp.controller().report();
    assert_eq!((scamp.macros(), scamp.icws()), (report.macros.into(), report.icws.into()));
}

#[test]
fn what_fails_is_not_recorded() {
    let mut scamp = Recorder::new(Counter::new(Prover::new(&[A])));
    assert!(matches!(scamp.execute(mov(B, C)), Err(ProveError::Unwritten(_))));
    assert!(scamp.listing().is_empty());
    assert_eq!(scamp.controller().icws(), 0);
}
