//! Whether an automaton can be compiled.

use super::declaration::{Automaton, Bits, Layer, bits_of};
use super::error::AutomatonError;
use cain_search::MAX_SIZE;

impl Automaton {
    /// Checks, before any search, that layers match each other and numbers fit into the registers.
    pub fn check(&self) -> Result<(), AutomatonError> {
        let (height, width) = self.size;
        if height == 0 || width == 0 || height.max(width) > crate::MOST_PIXELS {
            return Err(AutomatonError::Size { height, width });
        }
        self.check_bits()?;
        if self.layers.is_empty() {
            return Err(AutomatonError::NoLayer);
        }
        let mut inputs = 1 + self.state();
        let mut weights = 0_usize;
        for (number, layer) in self.layers.iter().enumerate() {
            layer.check(number, inputs)?;
            let (rows, columns) = layer.size();
            weights = weights.saturating_add(layer.outputs() * layer.inputs() * rows * columns);
            inputs = layer.outputs();
        }
        if weights > Self::MOST_WEIGHTS {
            return Err(AutomatonError::Weights { found: weights });
        }
        let state = self.state();
        if !(1..=state).contains(&self.classes) {
            return Err(AutomatonError::Classes { found: self.classes, state });
        }
        self.check_registers()?;
        (0..self.layers.len()).try_for_each(|layer| self.check_sums(layer))
    }

    fn check_bits(&self) -> Result<(), AutomatonError> {
        let Bits { state, activation, update, register } = self.bits;
        let (number, wide) = Bits::MOST;
        let all = [("state", state, 2, number), ("activation", activation, 1, number), ("update", update, 2, number)];
        let all = all.into_iter().chain([("register", register, 2, wide)]);
        for (what, found, least, most) in all {
            if !(least..=most).contains(&found) {
                return Err(AutomatonError::Bits { what, found, least, most });
            }
        }
        if self.scale > Self::MOST_SCALE {
            return Err(AutomatonError::Scale { found: self.scale });
        }
        Ok(())
    }

    fn check_registers(&self) -> Result<(), AutomatonError> {
        let (found, needed) = (self.machine.registers.len(), self.registers_needed());
        if found < needed { Err(AutomatonError::Registers { found, needed }) } else { Ok(()) }
    }

    /// Checks that the sums of a layer fit into the registers.
    fn check_sums(&self, layer: usize) -> Result<(), AutomatonError> {
        let Some(sums) = self.layers.get(layer) else { return Ok(()) };
        let mut needed = 0;
        for output in 0..sums.outputs() {
            let (mut low, mut high) = (0_i64, 0_i64);
            for (input, _, _, weight) in sums.terms(output) {
                let (least, most) = self.range(layer, input);
                let ends = [i64::from(weight) * i64::from(least), i64::from(weight) * i64::from(most)];
                low += ends[0].min(ends[1]);
                high += ends[0].max(ends[1]);
            }
            needed = needed.max(bits_of(low, high));
        }
        let found = self.bits.register;
        if needed > u32::from(found) { Err(AutomatonError::Sums { layer, found, needed }) } else { Ok(()) }
    }
}

impl Layer {
    fn check(&self, layer: usize, inputs: usize) -> Result<(), AutomatonError> {
        let (rows, columns) = self.size();
        let is_odd = rows % 2 == 1 && columns % 2 == 1;
        let most = if layer == 0 { MAX_SIZE } else { 1 };
        if !is_odd || rows.max(columns) > most {
            return Err(AutomatonError::Kernel { layer, rows, columns });
        }
        let outputs = self.outputs();
        if outputs > crate::MOST_CHANNELS {
            return Err(AutomatonError::Outputs { layer, found: outputs });
        }
        for (output, kernel) in self.kernels.iter().enumerate() {
            if kernel.len() != inputs {
                return Err(AutomatonError::Inputs { layer, output, found: kernel.len(), expected: inputs });
            }
            let is_whole =
                |matrix: &Vec<Vec<i32>>| matrix.len() == rows && matrix.iter().all(|row| row.len() == columns);
            if !kernel.iter().all(is_whole) {
                return Err(AutomatonError::Ragged { layer, output });
            }
        }
        Ok(())
    }
}
