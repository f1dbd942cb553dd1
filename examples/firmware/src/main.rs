//! The firmware as a program that links against nothing but `core`.
//!
//! Firmware has no unwinding: this is the program where panics abort. Other builds, of the whole workspace for a
//! host, get an empty one. The command that links it on a host stands in `tests/tests/firmware.rs`; that test fails
//! as soon as anything below pulls in the standard library, which then brings a second panic handler.

#![cfg_attr(panic = "abort", no_std, no_main)]

#[cfg(panic = "abort")]
mod start {
    use core::hint::{black_box, spin_loop};
    use core::panic::PanicInfo;

    use cain_firmware::{Wire, frame};
    use cain_runtime::Aregs;

    /// Where the machine starts.
    #[allow(unsafe_code, reason = "the linker looks for the entry point by this name")]
    #[unsafe(no_mangle)]
    extern "C" fn _start() -> ! {
        let mut buffer = [0; 512];
        let mut registers = Aregs::new();
        loop {
            let mut wire = Wire::new(&mut buffer);
            let done = frame(&mut wire, &mut registers);
            // In place of an interface to the chip.
            let _ = black_box((done, wire.sent()));
        }
    }

    #[panic_handler]
    fn panic(_: &PanicInfo<'_>) -> ! {
        loop {
            spin_loop();
        }
    }
}

#[cfg(not(panic = "abort"))]
fn main() {}
