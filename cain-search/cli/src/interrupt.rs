//! Ctrl-C.

use std::process::{self, ExitCode};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The exit status of a program that ends by Ctrl-C, as shells have it.
const STATUS: u8 = 130;

/// Whether the user has pressed Ctrl-C.
#[derive(Clone, Default)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// From now on Ctrl-C is noted; pressed again, it ends the program at once.
    pub(crate) fn listen(&self) {
        let pressed = self.clone();
        let listening = ctrlc::set_handler(move || {
            if pressed.0.swap(true, Ordering::Relaxed) {
                process::exit(STATUS.into());
            }
        });
        if let Err(error) = listening {
            eprintln!("Ctrl-C will end the program without a result: {error}");
        }
    }

    pub(crate) fn is_pressed(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The exit status of the program, if it was ended by Ctrl-C, whatever it could still do.
    pub(crate) fn status(&self) -> Option<ExitCode> {
        self.is_pressed().then(|| ExitCode::from(STATUS))
    }
}
