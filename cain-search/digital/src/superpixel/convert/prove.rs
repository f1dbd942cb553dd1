//! Proves that a program converts inputs and outputs as declared.

use cain_isa::{Bit, Dreg};

use crate::prove::{Function, Variable};
use crate::superpixel::levels::Level;
use crate::superpixel::verify::{Replay, VerifyError};

use super::Converter;

impl Replay<'_> {
    /// Checks that analogue registers, whatever they hold, become the numbers that the listing takes, and that other
    /// inputs are preserved.
    pub(in crate::superpixel) fn check_before(mut self) -> Result<(), VerifyError> {
        let inputs = || self.declaration.inputs.iter().zip(&self.program.inputs).enumerate();
        let mut codes = Vec::new();
        for (number, (input, &register)) in inputs() {
            let Some(converter) = input.converted else {
                self.give(number, input.bank, register)?;
                continue;
            };
            let bits = (0..).take(Converter::MAX_BITS).map(|bit| Variable { bit, y: 0, x: 0, input: number });
            let bits: Vec<Variable> = bits.collect();
            // A level has eight bits.
            let level = |number| i32::try_from(number).unwrap_or(0) - 128;
            let level = Level::of_bits(&mut self.bdd, &bits, false, &level)?;
            let place = self.declaration.layout.places(input.bank)[converter.top()];
            self.blocks.give_level(place, converter.register, level.clone());
            codes.push((number, input.bank, register, converter, level));
        }
        self.steps(&self.program.before)?;
        for (number, bank, register, converter, level) in codes {
            self.check_code((number, bank, register), converter, &level)?;
        }
        for (number, (input, &register)) in self.declaration.inputs.iter().zip(&self.program.inputs).enumerate() {
            if input.converted.is_none() {
                self.check_kept(number, input.bank, register)?;
            }
        }
        self.check_rest()
    }

    /// Checks that the register of an input in a bank holds the code of a level.
    fn check_code(
        &mut self,
        (input, bank, register): (usize, usize, Dreg),
        converter: Converter,
        level: &Level,
    ) -> Result<(), VerifyError> {
        for (bit, &place) in self.declaration.layout.places(bank).iter().enumerate() {
            let wanted = match (converter.unit..=converter.top()).position(|converted| converted == bit) {
                Some(of_code) => level.any(&mut self.bdd, |level| converter.code(level) >> of_code & 1 == 1)?,
                None => Function::FALSE,
            };
            if self.blocks.read(place, Bit::Reg(register)) != Some(wanted) {
                return Err(VerifyError::WrongCode { input, bit });
            }
        }
        Ok(())
    }

    /// Checks that numbers, whatever they are, become levels in all PEs of a block and are preserved.
    pub(in crate::superpixel) fn check_after(mut self) -> Result<(), VerifyError> {
        let outputs = self.declaration.outputs.iter().map(|output| output.bank).zip(&self.program.outputs);
        let kept = self.declaration.inputs.iter().zip(&self.program.inputs).filter(|(input, _)| input.keep);
        let numbers: Vec<(usize, Dreg)> = outputs
            .chain(kept.map(|(input, register)| (input.bank, register)))
            .map(|(bank, &register)| (bank, register))
            .collect();
        for (number, &(bank, register)) in numbers.iter().enumerate() {
            self.give(number, bank, register)?;
        }
        self.steps(&self.program.after)?;
        for (number, output) in self.declaration.outputs.iter().enumerate() {
            let Some(converter) = output.converted else { continue };
            let bits = (0..).take(self.declaration.layout.places(output.bank).len());
            let bits: Vec<Variable> = bits.map(|bit| Variable { bit, y: 0, x: 0, input: number }).collect();
            let wanted = Level::of_bits(&mut self.bdd, &bits, true, &|number| converter.level(number))?;
            let register = converter.register;
            let is_wrong = |place| self.blocks.read_level(place, register) != Some(&wanted);
            if self.declaration.layout.block().any(is_wrong) {
                return Err(VerifyError::WrongLevel { output: number, register });
            }
        }
        for (number, (bank, register)) in numbers.into_iter().enumerate() {
            self.check_kept(number, bank, register)?;
        }
        self.check_rest()
    }
}
