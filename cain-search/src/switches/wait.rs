//! How long others may have to wait for a program with loops and decisions.

use super::Point;

/// The control words along the ways through a part of a program, the longest of them; `None` where there is no such way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wait {
    /// From its beginning to its end, on ways without a point.
    through: Option<u64>,
    /// From its beginning to the first point, until the others begin.
    first: Option<u64>,
    /// From the last point to its end.
    last: Option<u64>,
    /// From a point within, or from coming back to one, until the others begin.
    within: u64,
}

impl Wait {
    /// So many words in which nothing can be left.
    pub(super) fn words(words: u32) -> Self {
        Self { through: Some(words.into()), first: None, last: None, within: 0 }
    }

    /// A point. While the program comes back to it, a request may arrive that makes it leave again.
    pub(super) fn at(point: &Point) -> Self {
        let (leaving, returning) = (u64::from(point.leaving()), u64::from(point.returning()));
        Self { through: None, first: Some(leaving), last: Some(0), within: returning + leaving }
    }

    /// This part, and another one after it.
    pub(super) fn then(self, next: Self) -> Self {
        let sum = |one: Option<u64>, other: Option<u64>| Some(one?.saturating_add(other?));
        Self {
            through: sum(self.through, next.through),
            first: self.first.max(sum(self.through, next.first)),
            last: next.last.max(sum(self.last, next.through)),
            within: self.within.max(next.within).max(sum(self.last, next.first).unwrap_or(0)),
        }
    }

    /// One of both parts.
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            through: self.through.max(other.through),
            first: self.first.max(other.first),
            last: self.last.max(other.last),
            within: self.within.max(other.within),
        }
    }

    /// This part at most so many times.
    pub(super) fn at_most(self, times: u32) -> Self {
        let none = Self::words(0);
        let (mut all, mut power, mut left) = (none, none.or(self), times);
        while left > 0 {
            if left & 1 == 1 {
                all = all.then(power);
            }
            power = power.then(power);
            left >>= 1;
        }
        all
    }

    /// The longest time from a request until the others begin, if the program can be left at its end.
    pub(super) fn longest(self) -> u32 {
        u32::try_from(self.first.unwrap_or(0).max(self.within)).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::Wait;

    /// A point that costs so many words there and back.
    fn point(leaving: u64, returning: u64) -> Wait {
        Wait { through: None, first: Some(leaving), last: Some(0), within: leaving + returning }
    }

    #[test]
    fn loops_without_a_point_take_all_their_passes() {
        let before = point(0, 0).then(Wait::words(3));
        let after = Wait::words(2).then(point(1, 0));
        let of_loop = |pass: Wait, times| before.then(pass.at_most(times)).then(after).longest();
        assert_eq!(of_loop(Wait::words(7), 0), 3 + 2 + 1);
        assert_eq!(of_loop(Wait::words(7), 10), 3 + 70 + 2 + 1);
        assert_eq!(of_loop(Wait::words(7), u32::MAX), u32::MAX);
        // With a point in each pass, from the one to the next, or around the loop if there is no pass.
        let pass = Wait::words(4).then(point(1, 2)).then(Wait::words(5));
        assert_eq!([0, 1, 2, 1000].map(|times| of_loop(pass, times)), [6, 8, 10, 10]);
    }

    #[test]
    fn the_longer_way_of_a_decision_counts() {
        let ways = Wait::words(9).or(Wait::words(2).then(point(0, 0)).then(Wait::words(4)));
        assert_eq!(Wait::words(1).then(ways).then(Wait::words(1)).then(point(0, 0)).longest(), 11);
        let ways = Wait::words(1).or(Wait::words(20).then(point(0, 0)));
        assert_eq!(ways.then(point(0, 0)).longest(), 20);
        // No word is between two requests at a point that moves nothing.
        assert_eq!(point(0, 0).then(point(0, 0)).longest(), 0);
    }
}
