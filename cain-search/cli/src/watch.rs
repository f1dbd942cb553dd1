//! The clock, Ctrl-C and the progress line while a search runs.

use std::fmt;
use std::ops::ControlFlow;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use cain_isa::Progress;

use crate::progress::Line;

/// The exit status of a program ended by Ctrl-C, as shells report it.
const STATUS: u8 = 130;
/// The least time between two recorded moments, other than those of better programs.
const RESOLUTION: Duration = Duration::from_millis(1);

/// Whether the user has pressed Ctrl-C, or wants work to end in another way.
#[derive(Clone, Default)]
pub struct Interrupt(Arc<Flags>);

#[derive(Default)]
struct Flags {
    is_listening: AtomicBool,
    is_pressed: AtomicBool,
    /// Who is told of the progress of searches, instead of the terminal.
    observer: Option<Box<Observer>>,
}

/// Is told of the progress of a search.
type Observer = dyn Fn(Progress) + Send + Sync;

impl fmt::Debug for Interrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Interrupt").field("is_pressed", &self.is_pressed()).finish_non_exhaustive()
    }
}

impl Interrupt {
    /// For a user who is at no terminal: `observer` is told of the progress of searches.
    #[must_use]
    pub fn observed(observer: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        Self(Arc::new(Flags { observer: Some(Box::new(observer)), ..Flags::default() }))
    }

    /// Ends the work as soon as possible, as Ctrl-C does.
    pub fn press(&self) {
        self.0.is_pressed.store(true, Ordering::Relaxed);
    }

    /// From now on, records Ctrl-C; a second one ends the program at once.
    pub(crate) fn listen(&self) {
        if self.0.is_listening.swap(true, Ordering::Relaxed) {
            return;
        }
        let pressed = self.clone();
        let listening = ctrlc::set_handler(move || {
            if pressed.0.is_pressed.swap(true, Ordering::Relaxed) {
                process::exit(STATUS.into());
            }
        });
        if let Err(error) = listening {
            eprintln!("Ctrl-C will end the program without a result: {error}");
        }
    }

    /// Whether work is to end.
    #[must_use]
    pub fn is_pressed(&self) -> bool {
        self.0.is_pressed.load(Ordering::Relaxed)
    }

    /// The exit status after Ctrl-C, whatever results there were.
    pub(crate) fn status(&self) -> Option<u8> {
        self.is_pressed().then_some(STATUS)
    }
}

/// The reason why a search was ended before its budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// The time that `--time` allows has passed.
    Time(Duration),
    /// The user pressed Ctrl-C.
    Interrupt,
}

/// Watches one search.
pub(crate) struct Watch<'a> {
    start: Instant,
    limit: Option<Duration>,
    interrupt: &'a Interrupt,
    line: Line,
    /// The numbers of nodes used at certain times; both are ascending.
    moments: Vec<(u64, Duration)>,
    best: Option<u32>,
    cut: Option<Cut>,
}

impl<'a> Watch<'a> {
    /// Starts the clock. The progress line appears only if the standard error is a terminal.
    pub(crate) fn start(name: &str, nodes: u64, limit: Option<Duration>, interrupt: &'a Interrupt) -> Self {
        let is_observed = interrupt.0.observer.is_some();
        let line = if is_observed { Line::hidden(nodes, "nodes") } else { Line::new(nodes, "nodes") };
        line.name(name);
        Self { start: Instant::now(), limit, interrupt, line, moments: Vec::new(), best: None, cut: None }
    }

    /// Records the progress and decides whether the search may continue.
    pub(crate) fn look(&mut self, progress: Progress) -> ControlFlow<()> {
        let elapsed = self.start.elapsed();
        let is_due = self.moments.last().is_none_or(|(_, last)| elapsed.saturating_sub(*last) >= RESOLUTION);
        if is_due || progress.best != self.best {
            self.best = progress.best;
            self.moments.push((progress.nodes, elapsed));
            self.show(progress);
        }
        if self.interrupt.is_pressed() {
            self.cut = Some(Cut::Interrupt);
        } else if let Some(limit) = self.limit.filter(|limit| elapsed >= *limit) {
            self.cut = Some(Cut::Time(limit));
        }
        if self.cut.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn show(&self, progress: Progress) {
        if let Some(observer) = &self.interrupt.0.observer {
            observer(progress);
        }
        self.line.message(match progress.best {
            Some(best) => format!("best {best}"),
            None => "nothing yet".to_owned(),
        });
        // All searches of a network together take more nodes than its budget.
        self.line.set(progress.nodes);
    }

    /// Stops the clock and removes the progress line.
    pub(crate) fn stop(self) -> Watched {
        Watched { total: self.start.elapsed(), moments: self.moments, cut: self.cut }
    }
}

/// The times of a search.
#[derive(Default)]
pub(crate) struct Watched {
    pub(crate) total: Duration,
    moments: Vec<(u64, Duration)>,
    pub(crate) cut: Option<Cut>,
}

impl Watched {
    /// A message for the user about a search that has a result, if there is something to tell.
    pub(crate) fn notice(&self) -> Option<&'static str> {
        (self.cut == Some(Cut::Interrupt)).then_some("this is the best program found before Ctrl-C")
    }

    /// The approximate time at which this number of nodes had been used.
    pub(crate) fn moment(&self, nodes: u64) -> Duration {
        let later = self.moments.partition_point(|(used, _)| *used < nodes);
        self.moments.get(later).map_or(self.total, |(_, moment)| *moment)
    }
}

#[cfg(test)]
mod tests {
    use super::{Cut, Interrupt, Watch};
    use cain_isa::Progress;
    use std::thread::sleep;
    use std::time::Duration;

    #[test]
    fn moments_are_kept_and_the_limit_breaks() {
        let interrupt = Interrupt::default();
        let limit = Duration::from_millis(30);
        let mut watch = Watch::start("test", 3, Some(limit), &interrupt);
        assert!(watch.look(Progress { nodes: 1, best: None }).is_continue());
        sleep(Duration::from_millis(10));
        assert!(watch.look(Progress { nodes: 2, best: Some(9) }).is_continue());
        sleep(limit);
        assert!(watch.look(Progress { nodes: 3, best: Some(8) }).is_break());
        let watched = watch.stop();
        assert_eq!(watched.cut, Some(Cut::Time(limit)));
        assert!(watched.moment(1) < watched.moment(2) && watched.moment(2) < watched.moment(3));
        assert!(watched.moment(2) >= Duration::from_millis(10));
        assert_eq!(watched.moment(4), watched.total);
    }
}
