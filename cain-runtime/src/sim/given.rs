//! Planes that the host gives to a simulated array.

use alloc::vec::Vec;

use super::camera::{Camera, CameraError, FrameSource};
use super::{Array, SimError};
use crate::isa::{Bit, Reg};
use crate::program::PlaneIo;

impl PlaneIo for Array {
    fn give_levels(&mut self, register: Reg, levels: &[i8]) -> Result<(), SimError> {
        let levels: Vec<f32> = levels.iter().copied().map(f32::from).collect();
        self.load_reg(register, &levels)
    }

    fn give_bits(&mut self, bit: Bit, bits: &[bool]) -> Result<(), SimError> {
        self.load_bits(bit, bits)
    }
}

impl<S: FrameSource> PlaneIo for Camera<S> {
    fn give_levels(&mut self, register: Reg, levels: &[i8]) -> Result<(), CameraError<S::Error>> {
        Ok(self.array_mut().give_levels(register, levels)?)
    }

    fn give_bits(&mut self, bit: Bit, bits: &[bool]) -> Result<(), CameraError<S::Error>> {
        Ok(self.array_mut().give_bits(bit, bits)?)
    }
}
