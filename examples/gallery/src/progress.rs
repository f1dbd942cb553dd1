//! Tells the waiting user what is going on.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(2);

/// Reports the current activity on standard error, if it takes longer than two seconds.
pub(crate) struct Progress(Sender<String>);

impl Progress {
    /// A report without an activity.
    pub(crate) fn new() -> Self {
        let (sender, stages) = channel::<String>();
        thread::spawn(move || {
            let mut stage = stages.recv().ok();
            while let Some(current) = stage {
                stage = match stages.recv_timeout(PATIENCE) {
                    Err(RecvTimeoutError::Timeout) => {
                        eprintln!("gallery: {current} ...");
                        stages.recv().ok()
                    }
                    next => next.ok(),
                };
            }
        });
        Self(sender)
    }

    /// Sets the current activity.
    pub(crate) fn stage(&self, stage: impl Into<String>) {
        // Without the thread, there is just no message.
        let _ = self.0.send(stage.into());
    }
}
