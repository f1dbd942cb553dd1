//! The work of a firmware with the array: it captures a frame, runs two kernels, applies a threshold, and lists the
//! pixels that pass it.
//!
//! It needs neither the standard library nor an allocator. The plans are constants; running one is a loop over its
//! words.
//!
//! ```sh
//! rustup target add thumbv6m-none-eabi
//! cargo build -p cain-firmware --target thumbv6m-none-eabi --profile firmware
//! ```
//!
//! builds the firmware for a Cortex-M0. `tests/tests/projects/firmware.rs` runs it in QEMU with a simulated array at the other end of
//! its link, and `examples/sizes.rs` measures how much memory it takes.

#![no_std]

pub mod kernels;
pub mod networks;

use cain_runtime::device::{Device, DeviceError, Transport};
use cain_runtime::io::{Address, ArrayIo, Events};
use cain_runtime::isa::asm::digital::{FLAG, R5, or, set};
use cain_runtime::isa::asm::{B, C, add, all, reg, where_positive};
use cain_runtime::isa::{Bit, Dreg, Instruction, Plan, Reg};
use cain_runtime::program::Place;
use cain_runtime::{Aregs, Dregs};

use kernels::{slope, smooth};
use networks::strokes;

/// The number of DN that half the slope must exceed.
pub const THRESHOLD: i8 = 10;

/// Sets R5 to 1 where B + C is positive.
const COMPARE: [Instruction; 4] = [add(C, B, C), where_positive(&[reg(C)]), or(R5, &[FLAG]), all()];

/// Takes a frame and lists the pixels where half the increase of brightness to the east exceeds [`THRESHOLD`].
pub fn frame<S: ArrayIo>(scamp: &mut S, r: &mut Aregs, rises: &mut [Address]) -> Result<Events, S::Error> {
    scamp.capture(Reg::D, Reg::A)?;
    let image = smooth(scamp, r.a.hold(), &mut r.b, &mut r.c)?;
    slope(scamp, &image, &mut r.b, &mut r.c)?;
    scamp.load_level(C, -THRESHOLD)?;
    COMPARE.into_iter().try_for_each(|instruction| scamp.execute(instruction))?;
    scamp.scan_events(R5, rises)
}

/// Executes plans one after the other, starting from the same value in all pixels of each register.
pub fn run_all<S: ArrayIo>(scamp: &mut S, plans: &[&Plan]) -> Result<(), S::Error> {
    for reg in [Reg::A, Reg::B, Reg::C, Reg::D, Reg::E, Reg::F] {
        scamp.load_level(reg, THRESHOLD)?;
    }
    for register in Dreg::ALL {
        scamp.execute(set(&[Bit::Reg(register)]))?;
    }
    plans.iter().try_for_each(|plan| scamp.run(plan))
}

/// Takes a frame, classifies it with the network, and writes the answer as a level to A.
pub fn classify<S: ArrayIo>(scamp: &mut S) -> Result<(), S::Error> {
    let (mut regs, mut bits) = (Aregs::new(), Dregs::new());
    let strokes::Registers { image, scratch } = strokes::Registers::of(&mut regs, &mut bits);
    scamp.capture(Reg::D, strokes::PLAN.pictures[0].register)?;
    let heads = strokes(scamp, image.hold(), scratch, Place { row: 2, column: 2 })?;
    scamp.load_level(Reg::A, i8::try_from(heads.class).unwrap_or(i8::MAX))
}

/// A session of the firmware: a frame, these plans, and the network if `HAS_NETWORK`; otherwise, it is not linked.
pub fn session<const HAS_NETWORK: bool>(link: impl Transport, plans: &[&Plan]) -> Result<Events, DeviceError> {
    let mut device = Device::connect(link)?;
    let found = frame(&mut device, &mut Aregs::new(), &mut [Address::default(); 100])?;
    run_all(&mut device, plans)?;
    if HAS_NETWORK {
        classify(&mut device)?;
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use cain_runtime::device::{Board, Device, Loopback};
    use cain_runtime::io::{Address, Events, Size};
    use cain_runtime::sim::{Array, Camera};

    use super::{Aregs, frame};

    #[test]
    fn a_frame_finds_the_edge_through_the_driver() {
        // The scene is dark in the west, and bright from the fifth column on.
        let scene = |size: Size, light: &mut [f32]| {
            light.chunks_mut(size.width).for_each(|row| row[4..].fill(100.0));
        };
        let board = Board::new(Camera::new(Array::new(8, 4), scene));
        let mut device = Device::connect(Loopback::new(board)).unwrap();
        let mut rises = [Address::default(); 32];
        let found = frame(&mut device, &mut Aregs::new(), &mut rises).unwrap();
        assert_eq!(found, Events { listed: 12, complete: true });
        // Smoothing makes the edge wider by a pixel to the east. Columns count from the right, so 3 is the fifth from
        // the left.
        for (row, columns) in (0..).zip(rises[..12].chunks(3)) {
            assert_eq!(columns, [2, 3, 4].map(|column| Address::new(row, column)));
        }
    }
}
