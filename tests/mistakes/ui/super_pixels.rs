//! Registers that are prepared stay as they are; a filter that cannot be a function is told at its name.

use cain_runtime::sim::{Array, SimError};
use cain_runtime::{Dregs, scamp_kernels};

scamp_kernels!(file = "super_pixels.toml");

fn main() -> Result<(), SimError> {
    let (mut scamp, mut bits) = (Array::new(4, 2), Dregs::new());
    let double::Ready { image, mut scratch, prepared } = double::Registers::of(&mut bits).prepare(&mut scamp)?;
    let _ = double(&mut scamp, image.hold(), scratch.reborrow(), &prepared)?;
    let _ = scamp.load_bit_plane(&mut bits.r2, &[true; 8])?;
    let _ = double(&mut scamp, image.hold(), scratch, &prepared)?;
    Ok(())
}
