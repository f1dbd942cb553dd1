//! Planes of levels that stay on the array: what they have in error on the average is added to them.

use std::collections::BTreeSet;

use cain_analysis::owned::Step;
use cain_isa::Reg;
use cain_isa::asm::{IN, NEWS, bus};
use cain_isa::program::Held;
use cain_network::expected::Pairs;

use super::follow::Follower;
use super::levels::moved;
use crate::declaration::Value;
use crate::plan::Piece;

/// The least mean error that is worth two words and a level, in DN. What pictures have from being taken is less, and cancels in
/// differences to copies of earlier ones if it stays in them.
const WORTH: f64 = 2.0;

impl<'d> Follower<'d> {
    /// What corrects planes behind a frame.
    pub(super) fn summands(&mut self, planes: impl Iterator<Item = (Held, Value)>) -> Vec<Piece<'d>> {
        let mut corrected = BTreeSet::new();
        let mut pieces = Vec::new();
        for (held, value) in planes {
            if let Held::Reg(reg) = held
                && let Some(more) = self.missing(reg, value)
                && corrected.insert(reg)
            {
                pieces.extend([Piece::Do(moved(0, more, self.model.offset)), Piece::Do(added(reg))]);
            }
        }
        pieces
    }

    /// How many DN have to be added to a plane, if that is worth it.
    fn missing(&mut self, reg: Reg, value: Value) -> Option<i16> {
        if self.mean_error(reg, value)?.abs() <= WORTH {
            return None;
        }
        // The words that add it err as well.
        let before = self.moment();
        self.give_level(0, 0);
        let error = self.step(&added(reg)).ok().and_then(|()| self.mean_error(reg, value));
        before.restore(self);
        #[expect(clippy::cast_possible_truncation, reason = "saturates")]
        let missing = -(error?.round() as i16);
        Some(missing).filter(|missing| *missing != 0 && i8::try_from(*missing).is_ok())
    }

    fn mean_error(&self, reg: Reg, value: Value) -> Option<f64> {
        let content = self.content(Held::Reg(reg))?;
        Some(self.pairs(content, value).into_iter().collect::<Pairs>().mean_error())
    }
}

/// Adds the level of the controller to a register.
fn added(reg: Reg) -> Step {
    Step::Execute(vec![bus(&[NEWS], &[reg.into(), IN]), bus(&[reg.into()], &[NEWS])])
}
