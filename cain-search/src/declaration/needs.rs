//! Checks whether a machine has what every program for a kernel needs.

use cain_analysis::prove::Polynomial;
use cain_isa::{Displacement, Fraction, Machine};

use super::need::Need;
use super::{Declaration, DeclarationError, InstructionSet};
use crate::engine::macros::forms::Forms;

impl Declaration {
    /// Finds kernels that no program can compute because the machine lacks an instruction.
    ///
    /// SCAMP-5 lacks none.
    pub(super) fn check_needs(&self) -> Result<(), DeclarationError> {
        if (self.machine.macros, self.machine.bus) == (Machine::SCAMP5.macros, Machine::SCAMP5.bus) {
            return Ok(());
        }
        let instructions = self.options.instructions;
        let has: Box<dyn Fn(Need) -> bool> = if instructions == InstructionSet::Native {
            Box::new(|need| has_words(&self.machine, need))
        } else {
            let forms = Forms::of(instructions, &self.machine);
            Box::new(move |need| has_macros(&forms, need))
        };
        for output in &self.outputs {
            if let Some(need) = needs(&output.kernel).into_iter().find(|need| !has(*need)) {
                return Err(DeclarationError::Missing { reg: output.reg, need, instructions });
            }
        }
        Ok(())
    }
}

/// The operations that every program for a kernel needs.
fn needs(kernel: &Polynomial) -> Vec<Need> {
    let any = |is: &dyn Fn(Fraction, Displacement) -> bool| {
        kernel.terms().any(|(atom, weight)| is(weight, atom.displacement))
    };
    // Only halving and negating a single value leads to these weights.
    let is_single = |weight: Fraction| weight.numerator().unsigned_abs() == 1;
    let needs = [
        (Need::Clear, kernel.is_zero()),
        (Need::Halve, any(&|weight, _| weight.denominator() % 2 == 0)),
        (Need::DivideByThree, any(&|weight, _| weight.thirds() > 0)),
        (Need::Negate, any(&|weight, _| weight < Fraction::ZERO)),
        (Need::Shift, any(&|_, displacement| displacement != Displacement::ZERO)),
        (Need::Add, kernel.terms().len() > 1 || any(&|weight, _| !is_single(weight))),
    ];
    needs.into_iter().filter(|(_, is_needed)| *is_needed).map(|(need, _)| need).collect()
}

fn has_macros(forms: &Forms, need: Need) -> bool {
    forms.iter().any(|form| need.is_done_by(form))
}

/// Whether control words can do this. A word inverts, adds its sources, divides by the number of its destinations, and
/// can always write a neighbour's NEWS.
fn has_words(machine: &Machine, need: Need) -> bool {
    match need {
        Need::Halve => machine.bus.destinations >= 2,
        Need::DivideByThree => machine.bus.destinations >= 3,
        Need::Add => machine.bus.sources >= 2,
        Need::Negate | Need::Shift => machine.bus.sources >= 1,
        Need::Clear => true,
    }
}
