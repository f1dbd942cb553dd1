//! The firmware as a program for a controller.
//!
//! The link to the chip differs between boards. Here, the standard input and output of the computer that emulates the
//! controller take its place, over semihosting. A build for a host, such as that of the whole workspace, yields an
//! empty program.

#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod controller {
    use core::panic::PanicInfo;

    use cain_firmware::{kernels, networks, session};
    use cain_runtime::device::{LinkError, Transport};
    use cain_runtime::isa::Plan;
    use cortex_m_rt::entry;
    use semihosting::io::{Read as _, Stdin, Stdout, Write as _, stdin, stdout};
    use semihosting::process::ExitCode;

    /// If `FIRMWARE_KERNEL=name` is set at compile time, the firmware has only this kernel or network, to measure its
    /// size.
    const PLANS: &[&Plan] = match option_env!("FIRMWARE_KERNEL") {
        None => &kernels::ALL,
        Some(name) => match kernels::find(name) {
            Some(plan) => &[plan],
            None => &[],
        },
    };

    const HAS_NETWORK: bool = match option_env!("FIRMWARE_KERNEL") {
        None => true,
        Some(name) => kernels::is_same(name, networks::strokes::PLAN.name),
    };

    struct Link {
        requests: Stdout,
        answers: Stdin,
    }

    impl Transport for Link {
        fn write(&mut self, bytes: &[u8]) -> Result<(), LinkError> {
            self.requests.write_all(bytes).map_err(|_| LinkError::Failed)
        }

        fn read(&mut self, buffer: &mut [u8]) -> Result<usize, LinkError> {
            match self.answers.read(buffer) {
                Ok(0) => Err(LinkError::Closed),
                read => read.map_err(|_| LinkError::Failed),
            }
        }
    }

    #[entry]
    fn main() -> ! {
        let (Ok(requests), Ok(answers)) = (stdout(), stdin()) else { ExitCode::FAILURE.exit_process() };
        match session::<HAS_NETWORK>(Link { requests, answers }, PLANS) {
            Ok(_) => ExitCode::SUCCESS.exit_process(),
            Err(_) => ExitCode::FAILURE.exit_process(),
        }
    }

    /// The message is not printed, as that would bring the formatting of text into the firmware.
    #[panic_handler]
    fn panic(_: &PanicInfo<'_>) -> ! {
        ExitCode::FAILURE.exit_process()
    }
}

#[cfg(not(target_os = "none"))]
fn main() {}
