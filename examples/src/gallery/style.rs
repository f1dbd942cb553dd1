//! The style of all drawings.

use cain_runtime::pictures::Colour;
use embedded_graphics::mono_font::MonoFont;
use embedded_graphics::mono_font::iso_8859_1::FONT_9X18_BOLD;

pub(crate) const PAPER: Colour = [17, 19, 24];
pub(crate) const CARD: Colour = [29, 32, 40];
pub(crate) const STRONG: Colour = [240, 242, 246];
pub(crate) const WEAK: Colour = [158, 166, 180];

pub(crate) const FONT: MonoFont<'_> = FONT_9X18_BOLD;

/// Pixels between cards, and between the pictures on them.
pub(crate) const GAP: usize = 20;
/// The height of the caption below a picture.
pub(crate) const CAPTION: usize = 30;
/// From one line of text to the next.
pub(crate) const LINE: usize = 22;
