//! What a firmware does with the array: two kernels per frame, sent over a wire as control words.
//!
//! No standard library, no allocator. The plans are constants; running one is a loop over its words.

#![no_std]

mod wire;

use cain_runtime::{Aregs, HostController, scamp_kernels};

pub use wire::{Full, Wire};

scamp_kernels! {
    /// Evens out pixels with their neighbours to the west.
    pub fn smooth(A) -> A using (B, C) = 1/2 * [[1, 1, 0]];

    /// The slope from west to east; the image survives.
    pub fn slope(&A) -> B using () = [[-1, 0, 1]];
}

/// Processes the image that the sensor has put into register A. The slope is then in B.
pub fn frame<H: HostController>(scamp: &mut H, r: &mut Aregs) -> Result<(), H::Error> {
    let image = smooth(scamp, r.a.hold(), &mut r.b, &mut r.c)?;
    slope(scamp, &image, &mut r.b)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Aregs, Full, Wire, frame, slope, smooth};

    #[test]
    fn a_frame_fits_a_small_buffer() {
        let mut buffer = [0; 256];
        let mut wire = Wire::new(&mut buffer);
        frame(&mut wire, &mut Aregs::new()).unwrap();
        let words = smooth::PLAN.cost.icws + slope::PLAN.cost.icws;
        assert!(wire.sent().len() >= 3 * words as usize);
    }

    #[test]
    fn a_full_buffer_is_an_error() {
        let mut buffer = [0; 8];
        assert_eq!(frame(&mut Wire::new(&mut buffer), &mut Aregs::new()), Err(Full));
    }
}
