//! Turns planes into pictures, and pictures into frames.
//!
//! [`Palette`] assigns a colour to every value. [`Picture`] is a plane in colours, or several side by side with
//! anything drawn around them, and [`Animation`] shows pictures one after the other, such as the steps of a program;
//! both are encoded as PNG. [`Image`] reads PNG, JPEG, PGM and PPM files, and [`Files`] turns such files into frames.
//! [`Deviation`] measures what the eye cannot: how far a plane is from what it should be.
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
mod read;
mod scale;

use std::string::String;

pub use self::animation::Animation;
pub use self::deviation::Deviation;
pub use self::encode::EncodeError;
pub use self::files::{Files, FrameError};
pub use self::image::{Image, ImageError};
pub use self::palette::{Colour, Palette};
pub use self::picture::Picture;

/// A text for a message, in which characters that would act on a terminal are escaped as in Rust: a line break becomes
/// `\n`.
fn printable(text: &str) -> String {
    // Besides control characters, these are characters that end lines or change the direction of the text.
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

/// The nearest byte; values beyond the range are clamped.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast saturates, as it should")]
fn byte(value: f32) -> u8 {
    value.round() as u8
}
