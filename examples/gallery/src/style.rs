//! The style of all drawings.

use std::sync::LazyLock;

use ab_glyph::FontRef;
use cain_runtime::pictures::Colour;

pub(crate) const PAPER: Colour = [17, 19, 24];
pub(crate) const CARD: Colour = [29, 32, 40];
pub(crate) const STRONG: Colour = [240, 242, 246];
pub(crate) const WEAK: Colour = [168, 176, 190];

/// The gap in pixels between cards, and between the pictures on them.
pub(crate) const GAP: usize = 20;
/// The height of the caption below a picture.
pub(crate) const CAPTION: usize = 30;
/// The distance between lines of text.
pub(crate) const LINE: usize = 24;

/// A font in a size.
pub(crate) struct Lettering {
    pub(crate) font: &'static FontRef<'static>,
    /// The distance from the top of the tallest letters to the bottom of the lowest, in pixels.
    pub(crate) height: f32,
}

static PLAIN: LazyLock<FontRef<'static>> = LazyLock::new(|| font(dejavu::sans::regular()));
static BOLD: LazyLock<FontRef<'static>> = LazyLock::new(|| font(dejavu::sans::bold()));
static FIXED: LazyLock<FontRef<'static>> = LazyLock::new(|| font(dejavu::sans_mono::regular()));

fn font(bytes: &'static [u8]) -> FontRef<'static> {
    FontRef::try_from_slice(bytes).expect("a font of the crate `dejavu`")
}

/// The font of names.
pub(crate) fn heading() -> Lettering {
    Lettering { font: &BOLD, height: 30.0 }
}

/// The font of sentences and captions.
pub(crate) fn body() -> Lettering {
    Lettering { font: &PLAIN, height: 19.0 }
}

/// The font of weights.
pub(crate) fn number() -> Lettering {
    Lettering { font: &PLAIN, height: 23.0 }
}

/// The font of instructions.
pub(crate) fn listing() -> Lettering {
    Lettering { font: &FIXED, height: 20.0 }
}
