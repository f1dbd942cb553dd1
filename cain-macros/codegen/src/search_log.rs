//! How long a build has searched, and for what.

use std::cell::RefCell;
use std::time::Duration;

/// The searches of a build so far, each with its declaration and its time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchLog(RefCell<Vec<(String, Duration)>>);

impl SearchLog {
    /// Nobody minds searches of less time than this altogether.
    const NOTABLE: Duration = Duration::from_secs(2);
    /// The most declarations that a note names.
    const MOST_NAMES: usize = 5;

    pub(crate) fn add(&self, name: &str, time: Duration) {
        self.0.borrow_mut().push((name.to_owned(), time));
    }

    /// What to tell the user of the package, if searches took long: those that took longest, and how to do without them.
    #[must_use]
    pub fn note(&self, package: &str) -> Option<String> {
        let mut searches = self.0.borrow().clone();
        let total: Duration = searches.iter().map(|(_, time)| time).sum();
        if total < Self::NOTABLE {
            return None;
        }
        searches.sort_by(|(_, a), (_, b)| b.cmp(a));
        let others = searches.split_off(searches.len().min(Self::MOST_NAMES));
        let named = searches.iter().map(|(name, time)| format!("`{name}` {:.1} s", time.as_secs_f64()));
        let rest = (!others.is_empty()).then(|| format!("and {} more", others.len()));
        let all = named.chain(rest).collect::<Vec<_>>().join(", ");
        Some(format!(
            "note: searching for programs took {:.1} s ({all})\n  = help: `cain pin -p {package}` writes what is found to plan \
             files, with which no build searches for it",
            total.as_secs_f64()
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::{Duration, SearchLog};

    #[test]
    fn long_searches_are_told() {
        let log = SearchLog::default();
        log.add("gauss", Duration::from_millis(700));
        log.add("sobel", Duration::from_millis(1_200));
        assert_eq!(log.note("camera"), None);
        for number in 1..=5 {
            log.add(&format!("edge{number}"), Duration::from_millis(100 * number));
        }
        let note = "note: searching for programs took 3.4 s (`sobel` 1.2 s, `gauss` 0.7 s, `edge5` 0.5 s, `edge4` 0.4 s, \
                    `edge3` 0.3 s, and 2 more)\n  = help: `cain pin -p camera` writes what is found to plan files, with which no \
                    build searches for it";
        assert_eq!(log.note("camera").as_deref(), Some(note));
    }
}
