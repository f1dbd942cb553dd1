//! The limits of a declaration on how large values may become.

use cain_isa::{Fraction, Machine, Range};

use super::{Declaration, DeclarationError, MaxGain, Options, Output};

impl Options {
    /// Checks that the range of the inputs is possible on a machine.
    pub fn check_input(&self, machine: &Machine) -> Result<(), DeclarationError> {
        let registers = machine.range.either_sign();
        let input = self.input.unwrap_or(registers);
        if input.min > input.max || input.magnitude() == 0 {
            return Err(DeclarationError::EmptyInput(input));
        }
        if input.min < registers.min || input.max > registers.max {
            return Err(DeclarationError::InputBeyondRegisters { input, registers });
        }
        Ok(())
    }

    /// Checks that the limit on gains is not below the gain of the inputs.
    pub fn check_max_gain(&self) -> Result<(), DeclarationError> {
        match self.max_gain {
            MaxGain::AtMost(max_gain) if max_gain < Fraction::ONE => {
                Err(DeclarationError::MaxGainBelowInputs(max_gain))
            }
            _ => Ok(()),
        }
    }
}

impl Declaration {
    /// The range of values that inputs can have.
    #[must_use]
    pub fn input_range(&self) -> Range {
        self.options.input.unwrap_or(self.machine.range.either_sign())
    }

    /// The gain of an output; `None` if exact arithmetic overflows.
    #[must_use]
    pub fn gain(&self, output: &Output) -> Option<Fraction> {
        output.kernel.gain_for(self.input_range())
    }

    /// The gain of a value that just fits in the registers.
    #[must_use]
    pub fn gain_of_registers(&self) -> Fraction {
        let [registers, inputs] =
            [self.machine.range.either_sign(), self.input_range()].map(|range| i64::from(range.magnitude()));
        Fraction::new(registers, inputs).unwrap_or(Fraction::ONE)
    }

    /// The largest gain that a value may have; `None` if there is no limit, or one beyond exact arithmetic.
    #[must_use]
    pub fn max_gain(&self) -> Option<Fraction> {
        match self.options.max_gain {
            MaxGain::Own => {
                let mut outputs = self.outputs.iter();
                outputs.try_fold(self.gain_of_registers(), |most, output| Some(most.max(self.gain(output)?)))
            }
            MaxGain::AtMost(max_gain) => Some(max_gain),
            MaxGain::Any => None,
        }
    }

    /// Checks that an output is within the limit, like any other value.
    pub(super) fn check_gain_of(&self, output: &Output) -> Result<(), DeclarationError> {
        match (self.options.max_gain, self.gain(output)) {
            (MaxGain::AtMost(max_gain), Some(gain)) if gain > max_gain => {
                Err(DeclarationError::MaxGain { reg: output.reg, gain, max_gain })
            }
            _ => Ok(()),
        }
    }
}
