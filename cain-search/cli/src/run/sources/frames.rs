//! The limits of sources of pictures, and what the formats of animations have in common.

use super::canvas::Canvas;

/// The most pictures in one source.
pub(super) const MOST_PICTURES: usize = 10_000;
/// The most memory that a frame may take when it is decoded.
pub(super) const MOST_BYTES: usize = 1 << 28;

/// The frames of a file.
pub(super) trait Frames {
    /// The width and height of the whole picture.
    fn size(&self) -> (usize, usize);

    /// Draws the next frame; `None` after the last.
    fn draw_next(&mut self, canvas: &mut Canvas) -> Result<Option<Shown>, String>;
}

/// How long a frame is shown.
pub(super) struct Shown {
    pub(super) milliseconds: u32,
}
