//! Handles Ctrl-C.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The exit status of a program that Ctrl-C ended, by the convention of shells.
const STATUS: i32 = 130;

/// Whether the user has pressed Ctrl-C.
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Records Ctrl-C from now on; a second one ends the program at once.
    pub(crate) fn listen() -> Self {
        let pressed = Arc::new(AtomicBool::new(false));
        let recorded = Arc::clone(&pressed);
        let listening = ctrlc::set_handler(move || {
            if recorded.swap(true, Ordering::Relaxed) {
                process::exit(STATUS);
            }
        });
        if let Err(error) = listening {
            eprintln!("Ctrl-C will end the program without a result: {error}");
        }
        Self(pressed)
    }

    pub(crate) fn is_pressed(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
