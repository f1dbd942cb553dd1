//! All ways in which something can go that chooses on its way.

use std::cell::RefCell;

/// The choices of one way, and of those that are still to come.
#[derive(Default)]
pub(crate) struct Choices {
    /// What was chosen, and of how many.
    path: Vec<(u32, u32)>,
    at: usize,
}

impl Choices {
    /// One of so many, counted from 0.
    pub(crate) fn choose(&mut self, of: u32) -> u32 {
        if self.at == self.path.len() {
            self.path.push((0, of));
        }
        let (chosen, before) = self.path[self.at];
        assert_eq!(before, of, "the way there is the same each time");
        self.at += 1;
        chosen
    }

    /// Whether there is another way.
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

/// Goes all ways; how many there are.
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
