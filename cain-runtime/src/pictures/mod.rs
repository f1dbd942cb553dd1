//! Planes as pictures, and pictures as frames.
//!
//! [`Palette`] gives every value a colour, [`Picture`] is a plane in colours, several side by side, or whatever is drawn
//! around them, and [`Animation`] shows one after the other, such as the steps of a program; both are encoded as PNG.
//! [`Image`] reads PNG, JPEG, PGM and PPM files, and [`Files`] is a source of frames of them. [`Deviation`] is what the eye
//! does not see: how far a plane is from the one that it should be.
//!
//! ```
//! use cain_runtime::isa::{HostController, asm::*};
//! use cain_runtime::pictures::{Image, Palette, Picture};
//! use cain_runtime::sim::Array;
//!
//! let mut array = Array::new(64, 48);
//! array.load_reg(A, &Image::example(64, 48).to_dn())?;
//! array.execute(subx(B, A, EAST, A))?;
//! let picture = Picture::of_values(array.read_reg(B)?, 64, Palette::Signed { limit: 32.0 });
//! assert!(picture.png()?.starts_with(b"\x89PNG"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod animation;
mod deviation;
mod encode;
mod files;
mod image;
mod palette;
mod picture;
mod pnm;

use std::string::String;

pub use self::animation::Animation;
pub use self::deviation::Deviation;
pub use self::encode::EncodeError;
pub use self::files::{Files, FrameError};
pub use self::image::{Image, ImageError};
pub use self::palette::{Colour, Palette};
pub use self::picture::Picture;

/// A text for a message, in which characters that act on a terminal are spelt as in Rust: a line break is `\n`.
fn printable(text: &str) -> String {
    // Beside the control characters: those that end lines or turn the direction of the text after them.
    let acts = |character: char| {
        character.is_control() || matches!(character, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let mut shown = String::new();
    for character in text.chars() {
        if acts(character) {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    shown
}

/// The nearest byte; what lies beyond bytes is cut.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast saturates, as it should")]
fn byte(value: f32) -> u8 {
    value.round() as u8
}
