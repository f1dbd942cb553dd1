//! The firmware as a program that links against nothing but `core`.
//!
//! Firmware has no unwinding: this is the program where panics abort. Other builds, of the whole workspace for a
//! host, get an empty one. The command that links it on a host is in `tests/tests/firmware.rs`; that test fails
//! as soon as anything below pulls in the standard library, which then brings a second panic handler.

#![cfg_attr(panic = "abort", no_std, no_main)]

#[cfg(panic = "abort")]
mod start {
    use core::hint::{black_box, spin_loop};
    use core::panic::PanicInfo;

    use cain_firmware::frame;
    use cain_runtime::Aregs;
    use cain_runtime::device::{Device, LinkError, Transport};
    use cain_runtime::io::Address;

    /// In place of the interface to the chip, which differs between boards.
    struct Port;

    impl Transport for Port {
        fn write(&mut self, bytes: &[u8]) -> Result<(), LinkError> {
            black_box(bytes);
            Ok(())
        }

        fn read(&mut self, buffer: &mut [u8]) -> Result<usize, LinkError> {
            black_box(&mut *buffer);
            Ok(buffer.len())
        }
    }

    /// The entry point.
    #[allow(unsafe_code, reason = "the linker looks for the entry point by this name")]
    #[unsafe(no_mangle)]
    extern "C" fn _start() -> ! {
        let mut registers = Aregs::new();
        let mut rises = [Address::default(); 100];
        loop {
            let Ok(mut device) = Device::connect(Port) else { continue };
            while let Ok(found) = frame(&mut device, &mut registers, &mut rises) {
                // In place of whoever uses the result.
                black_box((found, &rises));
            }
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
