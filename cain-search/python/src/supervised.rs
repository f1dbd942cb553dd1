//! Long work: without the lock of the interpreter, told of to a callback, and ended by signals.

use std::panic;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use cain_cli::library::Interrupt;

use crate::error::failed;

/// How often signals are looked at, and how often the callback is called at most.
const PERIOD: Duration = Duration::from_millis(50);
/// The stack of the thread that does the work, as large as that of main threads.
const STACK: usize = 8 << 20;

/// How far work is.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    /// Two numbers whose meaning depends on the work: what is done, and the best result or what there is to do.
    now: Mutex<(u64, Option<u64>)>,
    changes: AtomicU64,
}

impl Progress {
    pub(crate) fn tell(&self, done: u64, other: Option<u64>) {
        *self.now.lock().unwrap_or_else(PoisonError::into_inner) = (done, other);
        self.changes.fetch_add(1, Ordering::Relaxed);
    }
}

/// Tells a callback of progress.
struct Teller<'a> {
    callback: Option<&'a Py<PyAny>>,
    progress: &'a Progress,
    /// The changes that have been told.
    told: u64,
}

impl Teller<'_> {
    fn tell(&mut self, py: Python<'_>) -> PyResult<()> {
        let changes = self.progress.changes.load(Ordering::Relaxed);
        if let Some(callback) = self.callback.filter(|_| changes != self.told) {
            self.told = changes;
            let now = *self.progress.now.lock().unwrap_or_else(PoisonError::into_inner);
            callback.call1(py, now)?;
        }
        Ok(())
    }
}

/// Does work in a thread of its own while the interpreter goes on, and waits for it. A signal such as that of Ctrl-C, or an
/// exception in the callback, ends the work and is the result.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    callback: Option<Py<PyAny>>,
    work: impl FnOnce(&Interrupt, &Progress) -> T + Send,
) -> PyResult<T> {
    if let Some(callback) =
        callback.as_ref().map(|callback| callback.bind(py)).filter(|callback| !callback.is_callable())
    {
        let kind = callback.get_type();
        return Err(failed(format!(
            "`progress` is of the type `{}`; expected a function of two numbers",
            kind.name()?
        )));
    }
    let progress = Arc::new(Progress::default());
    let observer = Arc::clone(&progress);
    let interrupt = Interrupt::observed(move |now| observer.tell(now.nodes, now.best.map(u64::from)));
    let mut teller = Teller { callback: callback.as_ref(), progress: &progress, told: 0 };
    let (done, failure) = py.detach(|| {
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            let (work_interrupt, work_progress) = (interrupt.clone(), Arc::clone(&progress));
            let worker =
                thread::Builder::new().name("cain".to_owned()).stack_size(STACK).spawn_scoped(scope, move || {
                    let done = panic::catch_unwind(panic::AssertUnwindSafe(|| work(&work_interrupt, &work_progress)));
                    // Whoever waits has ended only after the worker.
                    let _ = sender.send(());
                    done
                });
            let worker = match worker {
                Ok(worker) => worker,
                Err(error) => return (Err(format!("there is no thread for the work: {error}")), None),
            };
            let mut failure = None;
            while receiver.recv_timeout(PERIOD) == Err(RecvTimeoutError::Timeout) {
                if failure.is_none()
                    && let Err(error) = Python::attach(|py| py.check_signals().and_then(|()| teller.tell(py)))
                {
                    interrupt.press();
                    failure = Some(error);
                }
            }
            let done = worker.join().and_then(|done| done);
            (done.map_err(|_| "a bug of this package ended the work; please report it".to_owned()), failure)
        })
    });
    if let Some(error) = failure {
        return Err(error);
    }
    py.check_signals()?;
    teller.tell(py)?;
    done.map_err(PyRuntimeError::new_err)
}
