//! Compares the exhaustive search with programs that are carried out in the registers of the machine.

use std::collections::BTreeSet;

use cain_analysis::prove::{Polynomial, Prover};
use cain_isa::{Direction, Fraction, HostController, Machine, Reg};

use super::in_one_go;
use crate::InstructionSet;
use crate::engine::gain::GainLimit;
use crate::engine::instructions::every_instruction;
use crate::engine::macros::forms::Forms;
use crate::engine::terms::{self, Term};
use crate::engine::values::{Answer, Query};

const REGISTERS: [Reg; 4] = [Reg::A, Reg::B, Reg::C, Reg::D];
/// The weight 1, chosen such that values are integers after three halvings.
const UNITS: i32 = 8;

/// The contents of the registers, except zeros, in these units.
fn values(prover: &Prover) -> BTreeSet<Vec<Term>> {
    let in_units = |weight: Fraction| {
        let units = weight.checked_mul(Fraction::from(UNITS)).unwrap();
        assert_eq!(units.denominator(), 1);
        i32::try_from(units.numerator()).unwrap()
    };
    let value = |polynomial: &Polynomial| {
        let terms = polynomial.terms().map(|(atom, weight)| (terms::key(0, atom.displacement), in_units(weight)));
        let mut terms: Vec<Term> = terms.collect();
        terms.sort_unstable();
        terms
    };
    let polynomials = REGISTERS.iter().filter_map(|&reg| prover.value(reg));
    polynomials.map(value).filter(|value| !value.is_empty()).collect()
}

/// For everything that one and two instructions leave in four registers, and for a sample of what three leave, the
/// search finds a program that is no longer.
#[test]
fn nothing_that_the_machine_does_is_refuted() {
    let instructions = every_instruction(&REGISTERS, &[Direction::East, Direction::North]);
    let forms = Forms::of(InstructionSet::Macro, &Machine::SCAMP5);
    let start = Prover::new(&[Reg::A]);
    let input = [(terms::key(0, cain_isa::Displacement::ZERO), UNITS)];
    let mut seen = BTreeSet::from([values(&start)]);
    let mut layer = vec![start];
    for length in 1..=3 {
        let mut next = Vec::new();
        for prover in &layer {
            for &instruction in &instructions {
                let mut after = prover.clone();
                let wanted = if after.execute(instruction).is_ok() { values(&after) } else { continue };
                if !seen.insert(wanted.clone()) {
                    continue;
                }
                let wanted: Vec<&[Term]> = wanted.iter().map(Vec::as_slice).collect();
                let gain = GainLimit::at_most(None, 1);
                let query = Query { known: &[&input], wanted: &wanted, least: 0, most: length, gain, room: usize::MAX };
                assert!(matches!(in_one_go(&forms, &query), Answer::Program(_)), "{instruction}: {wanted:?}");
                next.push(after);
            }
        }
        // Continuing from every state would take minutes.
        next.truncate(100);
        layer = next;
    }
    assert!(seen.len() > 10_000);
}
