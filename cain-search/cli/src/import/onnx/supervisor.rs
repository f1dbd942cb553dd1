//! Who waits for an import.

use crate::watch::Interrupt;

/// Whoever waits, may want the work to end, and is told how far it is.
#[derive(Clone, Copy)]
pub(crate) struct Supervisor<'a> {
    pub(crate) interrupt: &'a Interrupt,
    /// Is told how many of the settings that are tried together have been tried, and how many these are.
    pub(crate) progress: &'a (dyn Fn(u64, u64) + Sync),
}

impl Supervisor<'_> {
    /// Fails once the work is to end.
    pub(crate) fn check(&self) -> Result<(), String> {
        if self.interrupt.is_pressed() { Err("interrupted".to_owned()) } else { Ok(()) }
    }
}
