//! The windows of pooling, and how they grow.

use super::OperationError;
use super::words::Draft;
use crate::Displacement;

/// A square window of pixels.
///
/// The result is left in every PE. If a pooling has stride s, the results in every s-th row and column count, so the
/// next layer finds its neighbours s times as far away: its window needs a `spacing` of s times this one's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Window {
    /// The number of pixels to the east and to the south, including the PE itself.
    pub size: u8,
    /// The distance in PEs between pixels: 1, or the product of the strides so far.
    pub spacing: u8,
}

/// The growth of a window along an axis: the pixels that are joined already, out of those wanted.
#[derive(Clone, Copy)]
pub(super) struct Walk {
    window: Window,
    joined: u8,
}

impl Walk {
    /// The distance, in PEs, at which the plane is joined with itself next.
    pub(super) const fn step(self) -> Option<(u16, Self)> {
        let left = self.window.size.saturating_sub(self.joined);
        if left == 0 {
            return None;
        }
        let step = if left < self.joined { left } else { self.joined };
        Some((step as u16 * self.window.spacing as u16, Self { joined: self.joined + step, ..self }))
    }
}

impl Window {
    /// The displacements of the pixels from the PE.
    pub fn displacements(self) -> impl Iterator<Item = Displacement> {
        let steps = move || (0..i16::from(self.size)).map(move |step| step.saturating_mul(self.spacing.into()));
        steps().flat_map(move |south| steps().map(move |east| Displacement::new(east, -south)))
    }

    pub(super) const fn walk(self) -> Walk {
        Walk { window: self, joined: 1 }
    }

    pub(super) const fn check(self, draft: &mut Draft) -> &mut Draft {
        if self.size == 0 || self.spacing == 0 { draft.fail(OperationError::TooSmall(1)) } else { draft }
    }
}
