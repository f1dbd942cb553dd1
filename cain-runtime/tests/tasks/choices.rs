//! Enumerates all paths of a function that makes choices.

use std::cell::RefCell;

/// The choices on a path, and those still to be explored.
#[derive(Default)]
pub(crate) struct Choices {
    /// The choices made, each with its number of options.
    path: Vec<(u32, u32)>,
    at: usize,
}

impl Choices {
    /// Chooses one of `of` options, counted from 0.
    pub(crate) fn choose(&mut self, of: u32) -> u32 {
        if self.at == self.path.len() {
            self.path.push((0, of));
        }
        let (chosen, before) = self.path[self.at];
        assert_eq!(before, of, "the way there is the same each time");
        self.at += 1;
        chosen
    }

    /// Moves on to the next path; returns whether there is one.
    fn advance(&mut self) -> bool {
        self.at = 0;
        while let Some((chosen, of)) = self.path.pop() {
            if chosen + 1 < of {
                self.path.push((chosen + 1, of));
                return true;
            }
        }
        false
    }
}

/// Explores all paths; returns their number.
pub(crate) fn all_ways(mut go: impl FnMut(&RefCell<Choices>)) -> u64 {
    let choices = RefCell::new(Choices::default());
    let mut ways = 0;
    loop {
        go(&choices);
        ways += 1;
        if !choices.borrow_mut().advance() {
            return ways;
        }
    }
}
