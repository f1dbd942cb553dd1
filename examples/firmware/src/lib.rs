//! What a firmware does with the array: capture, two kernels, a threshold, and a list of the pixels that pass it.
//!
//! No standard library, no allocator. The plans are constants; running one is a loop over its words.
//!
//! Linked for x86-64 as in `tests/tests/firmware.rs`, but in the release profile with `opt-level = "s"` and `lto = "off"`,
//! the program has 44,519 bytes of code and constants, 11,904 of data and 344 of zeroed memory.

#![no_std]

use cain_runtime::io::{Address, ArrayIo, Events};
use cain_runtime::isa::asm::digital::{FLAG, R5, or};
use cain_runtime::isa::asm::{B, C, add, all, reg, where_positive};
use cain_runtime::isa::{Instruction, Reg};
use cain_runtime::{Aregs, scamp_kernels};

scamp_kernels! {
    /// Evens out pixels with their neighbours to the west.
    pub fn smooth(A) -> A using (B, C) = 1/2 * [[1, 1, 0]];

    /// Half the slope from west to east; the image survives.
    pub fn slope(&A) -> B using (C) = 1/2 * [[-1, 0, 1]];
}

/// How many DN half the slope must exceed.
pub const THRESHOLD: i8 = 10;

/// R5 becomes 1 where B + C is positive.
const COMPARE: [Instruction; 4] = [add(C, B, C), where_positive(&[reg(C)]), or(R5, &[FLAG]), all()];

/// Takes a frame and lists the pixels where half the rise of the brightness to the east is more than [`THRESHOLD`].
pub fn frame<S: ArrayIo>(scamp: &mut S, r: &mut Aregs, rises: &mut [Address]) -> Result<Events, S::Error> {
    scamp.capture(Reg::D, Reg::A)?;
    let image = smooth(scamp, r.a.hold(), &mut r.b, &mut r.c)?;
    slope(scamp, &image, &mut r.b, &mut r.c)?;
    scamp.load_level(C, -THRESHOLD)?;
    COMPARE.into_iter().try_for_each(|instruction| scamp.execute(instruction))?;
    scamp.scan_events(R5, rises)
}

#[cfg(test)]
mod tests {
    use cain_runtime::device::{Board, Device, Loopback};
    use cain_runtime::io::{Address, Events, Size};
    use cain_runtime::sim::{Array, Camera};

    use super::{Aregs, frame};

    #[test]
    fn a_frame_finds_the_edge_through_the_driver() {
        // Dark in the west, and bright from the fifth column on.
        let scene = |size: Size, light: &mut [f32]| {
            light.chunks_mut(size.width).for_each(|row| row[4..].fill(100.0));
        };
        let board = Board::new(Camera::new(Array::new(8, 4), scene));
        let mut device = Device::connect(Loopback::new(board)).unwrap();
        let mut rises = [Address::default(); 32];
        let found = frame(&mut device, &mut Aregs::new(), &mut rises).unwrap();
        assert_eq!(found, Events { listed: 12, complete: true });
        // Smoothing makes the edge wider by a pixel to the east. Columns count from the right: 3 is the fifth.
        for (row, columns) in (0..).zip(rises[..12].chunks(3)) {
            assert_eq!(columns, [2, 3, 4].map(|column| Address::new(row, column)));
        }
    }
}
