//! Statistics of a task's requests.

use super::Ticks;

/// Statistics of the requests for a task.
///
/// If one run serves several requests, times are those of the first one, which has waited longest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// How often the task was requested.
    pub requests: u32,
    /// How often it ran. Requests that came before it could begin were served by one run.
    pub runs: u32,
    /// How often it ran once more because it [asked to](super::Outcome::Again).
    pub again: u32,
    /// How often it ended later than its deadline, or with an error.
    pub missed: u32,
    /// The longest time from a request until it began.
    pub worst_response: Ticks,
    /// The sum of the times from a request until the task began, over all runs.
    pub total_response: u64,
    /// The longest time from a request until it had ended.
    pub worst_completion: Ticks,
    /// How often it was left for others.
    pub interruptions: u32,
    /// The number of control words that these interruptions cost, for values moved out of the way and back and for what
    /// was computed again.
    pub extra_words: u64,
    /// The longest time of a single interruption.
    pub longest_away: Ticks,
}

impl Counts {
    pub(super) fn begin(&mut self, requests: u32, response: Ticks) {
        self.requests = self.requests.wrapping_add(requests);
        self.runs = self.runs.wrapping_add(1);
        self.worst_response = self.worst_response.max(response);
        self.total_response = self.total_response.wrapping_add(response.into());
    }

    pub(super) fn end(&mut self, completion: Ticks, missed: bool) {
        self.worst_completion = self.worst_completion.max(completion);
        self.missed = self.missed.wrapping_add(missed.into());
    }

    pub(super) fn interrupted(&mut self, away: Ticks, extra_words: u32) {
        self.interruptions = self.interruptions.wrapping_add(1);
        self.extra_words = self.extra_words.wrapping_add(extra_words.into());
        self.longest_away = self.longest_away.max(away);
    }
}
