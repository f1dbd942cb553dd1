//! A line that tells how far work is, on the standard error if that is a terminal; of some work, which may take long, a new line
//! now and then if it is a log.

use std::fmt::Write as _;
use std::io::{IsTerminal as _, Write as _, stderr};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The least time between two pictures of a line.
const PAUSE: Duration = Duration::from_millis(50);
/// The least time between two lines of a log.
const LOG_PAUSE: Duration = Duration::from_secs(10);
/// The columns of a bar.
const BAR: u64 = 24;
/// The most columns of a line, which no terminal breaks.
const WIDTH: usize = 79;

/// The line, which threads may share. It is removed when this is dropped.
pub(crate) struct Line {
    is_shown: AtomicBool,
    done: AtomicU64,
    all: AtomicU64,
    /// What is counted, such as `nodes`.
    what: &'static str,
    texts: Mutex<Texts>,
    /// When the next line of a log is due, if it has some.
    due: Option<Mutex<Instant>>,
}

#[derive(Default)]
struct Texts {
    /// What the work is on.
    name: String,
    message: String,
    /// The number of columns that are written, and since when.
    written: Option<(usize, Instant)>,
}

impl Line {
    /// A line about so many things, which appears when work is told.
    pub(crate) fn new(all: u64, what: &'static str) -> Self {
        let line = Self::hidden(all, what);
        line.show();
        line
    }

    /// One that counts and is not shown.
    pub(crate) fn hidden(all: u64, what: &'static str) -> Self {
        let [done, all] = [0, all].map(AtomicU64::new);
        Self { is_shown: AtomicBool::new(false), done, all, what, texts: Mutex::default(), due: None }
    }

    /// Writes a new line now and then if the standard error is no terminal, so that a log tells that something is going on.
    pub(crate) fn logged(mut self) -> Self {
        self.due = (!stderr().is_terminal()).then(|| Mutex::new(Instant::now() + LOG_PAUSE));
        self
    }

    /// Tells what the work is on.
    pub(crate) fn name(&self, name: &str) {
        name.clone_into(&mut self.texts().name);
        self.draw();
    }

    /// Shows the line from now on.
    pub(crate) fn show(&self) {
        self.is_shown.store(stderr().is_terminal(), Ordering::Relaxed);
    }

    fn is_hidden(&self) -> bool {
        !self.is_shown.load(Ordering::Relaxed)
    }

    /// This many more are done.
    pub(crate) fn advance(&self, more: u64) {
        self.done.fetch_add(more, Ordering::Relaxed);
        self.draw();
    }

    /// This many are done; if that is more than there were thought to be, these are all.
    pub(crate) fn set(&self, done: u64) {
        self.done.store(done, Ordering::Relaxed);
        self.all.fetch_max(done, Ordering::Relaxed);
        self.draw();
    }

    /// Adds a message behind the numbers.
    pub(crate) fn message(&self, message: String) {
        self.texts().message = message;
    }

    /// The line without its bar.
    pub(crate) fn text(&self) -> String {
        let [done, all] = [&self.done, &self.all].map(|number| grouped(number.load(Ordering::Relaxed)));
        let message = self.texts().message.clone();
        format!("{done} of {all} {}{}{message}", self.what, if message.is_empty() { "" } else { ", " })
    }

    fn texts(&self) -> MutexGuard<'_, Texts> {
        self.texts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The line of a log, if one is due.
    fn line_at(&self, now: Instant) -> Option<String> {
        // Another thread is about to write one.
        let mut due = self.due.as_ref()?.try_lock().ok().filter(|due| **due <= now)?;
        *due = now + LOG_PAUSE;
        Some(self.text())
    }

    fn draw(&self) {
        if let Some(line) = self.line_at(Instant::now()) {
            eprintln!("{line}");
        }
        if self.is_hidden() || self.texts().written.is_some_and(|(_, since)| since.elapsed() < PAUSE) {
            return;
        }
        let (done, all) = (self.done.load(Ordering::Relaxed), self.all.load(Ordering::Relaxed));
        let mut line = self.texts().name.clone();
        if all > 0 {
            let _ = write!(line, "{}{} {}", if line.is_empty() { "" } else { " " }, bar(done, all), self.text());
        }
        let line: String = line.chars().filter(|character| !character.is_control()).take(WIDTH).collect();
        let columns = line.chars().count();
        let mut texts = self.texts();
        let before = texts.written.replace((columns, Instant::now())).map_or(0, |(columns, _)| columns);
        // What was longer is written over. There is no place to report an error.
        let _ = write!(stderr().lock(), "\r{line}{:1$}", "", before.saturating_sub(columns));
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if let Some((columns, _)) = self.texts().written.take() {
            let _ = write!(stderr().lock(), "\r{:1$}\r", "", columns);
        }
    }
}

/// A bar that is as full as so many are of all.
fn bar(done: u64, all: u64) -> String {
    let filled = u128::from(done.min(all)) * u128::from(BAR) / u128::from(all.max(1));
    let place = |column| match u128::from(column) {
        column if column < filled => '=',
        column if column == filled => '>',
        _ => ' ',
    };
    format!("[{}]", (0..BAR).map(place).collect::<String>())
}

/// A number with a comma before every three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::time::Instant;

    use super::{LOG_PAUSE, Line, bar, grouped};

    #[test]
    fn numbers_and_bars() {
        let numbers = [0, 999, 1_000, 65_536, 1_234_567].map(grouped);
        assert_eq!(numbers, ["0", "999", "1,000", "65,536", "1,234,567"]);
        assert_eq!(bar(0, 5), format!("[>{}]", " ".repeat(23)));
        assert_eq!(bar(50, 100), format!("[{}>{}]", "=".repeat(12), " ".repeat(11)));
        assert_eq!([bar(7, 7), bar(9, 7)], [(); 2].map(|()| format!("[{}]", "=".repeat(24))));
        assert_eq!(bar(u64::MAX - 1, u64::MAX), format!("[{}>]", "=".repeat(23)));
    }

    #[test]
    fn what_a_line_says() {
        let line = Line::hidden(1200, "nodes");
        line.advance(3);
        assert_eq!(line.text(), "3 of 1,200 nodes");
        line.message("best 7".to_owned());
        line.set(1000);
        assert_eq!(line.text(), "1,000 of 1,200 nodes, best 7");
        line.set(5000);
        assert_eq!(line.text(), "5,000 of 5,000 nodes, best 7");
        assert!(line.is_hidden());
    }

    #[test]
    fn logs_have_a_line_now_and_then() {
        let start = Instant::now();
        let mut line = Line::hidden(20_000, "nodes");
        line.due = Some(Mutex::new(start + LOG_PAUSE));
        line.message("0 of 3 plans".to_owned());
        line.advance(1_500);
        assert_eq!(line.line_at(start), None);
        let told = |pauses: u32| line.line_at(start + LOG_PAUSE * pauses);
        assert_eq!(told(1).as_deref(), Some("1,500 of 20,000 nodes, 0 of 3 plans"));
        line.message("1 of 3 plans".to_owned());
        assert_eq!(told(1), None);
        assert_eq!(told(2).as_deref(), Some("1,500 of 20,000 nodes, 1 of 3 plans"));
        assert_eq!(Line::hidden(20_000, "nodes").line_at(start + LOG_PAUSE * 3), None);
    }
}
