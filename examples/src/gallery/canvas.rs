//! A picture to draw on, with the shapes and fonts of `embedded-graphics`.

use std::convert::Infallible;

use cain_runtime::pictures::{Colour, Picture};
use embedded_graphics::Pixel;
use embedded_graphics::mono_font::{MonoFont, MonoTextStyle};
use embedded_graphics::pixelcolor::{Rgb888, RgbColor};
use embedded_graphics::prelude::{DrawTarget, Drawable, OriginDimensions, Point, Size};
use embedded_graphics::text::{Alignment, Baseline, Text, TextStyleBuilder};

/// A picture to draw on. Positions are in pixels from the top left corner.
pub(crate) struct Canvas(Picture);

impl Canvas {
    pub(crate) fn new(width: usize, height: usize, colour: Colour) -> Self {
        Self(Picture::filled(width, height, colour))
    }

    pub(crate) fn into_picture(self) -> Picture {
        self.0
    }

    pub(crate) fn paste(&mut self, picture: &Picture, x: usize, y: usize) {
        self.0.paste(picture, x, y);
    }

    pub(crate) fn fill(&mut self, x: usize, y: usize, width: usize, height: usize, colour: Colour) {
        self.paste(&Picture::filled(width, height, colour), x, y);
    }

    /// Writes one line whose top left corner is given.
    pub(crate) fn text(&mut self, text: &str, x: usize, y: usize, font: &MonoFont<'_>, colour: Colour) {
        self.line(text, x, y, font, colour, Alignment::Left, Baseline::Top);
    }

    /// Writes one line in letters of twice the size, on a strip of its own colour.
    pub(crate) fn heading(&mut self, text: &str, x: usize, y: usize, font: &MonoFont<'_>, ink: Colour, paper: Colour) {
        let Size { width, height } = font.character_size;
        let mut strip = Self::new(width as usize * text.chars().count(), height as usize, paper);
        strip.text(text, 0, 0, font, ink);
        self.paste(&strip.0.enlarged(2), x, y);
    }

    /// Writes one line around a point.
    pub(crate) fn centred(&mut self, text: &str, x: usize, y: usize, font: &MonoFont<'_>, colour: Colour) {
        self.line(text, x, y, font, colour, Alignment::Center, Baseline::Middle);
    }

    #[expect(clippy::too_many_arguments, reason = "what a line of text has")]
    fn line(
        &mut self,
        text: &str,
        x: usize,
        y: usize,
        font: &MonoFont<'_>,
        [red, green, blue]: Colour,
        alignment: Alignment,
        baseline: Baseline,
    ) {
        let at = Point::zero() + size(x, y);
        let style = TextStyleBuilder::new().alignment(alignment).baseline(baseline).build();
        let Ok(_) =
            Text::with_text_style(text, at, MonoTextStyle::new(font, Rgb888::new(red, green, blue)), style).draw(self);
    }
}

impl OriginDimensions for Canvas {
    fn size(&self) -> Size {
        size(self.0.width(), self.0.height())
    }
}

impl DrawTarget for Canvas {
    type Color = Rgb888;
    type Error = Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<Rgb888>>>(&mut self, pixels: I) -> Result<(), Infallible> {
        for Pixel(point, colour) in pixels {
            let (Ok(x), Ok(y)) = (usize::try_from(point.x), usize::try_from(point.y)) else { continue };
            if let Some(pixel) = self.0.colour_mut(x, y) {
                *pixel = [colour.r(), colour.g(), colour.b()];
            }
        }
        Ok(())
    }
}

/// A size as `embedded-graphics` has it.
fn size(width: usize, height: usize) -> Size {
    let side = |length| u32::try_from(length).unwrap_or(u32::MAX);
    Size::new(side(width), side(height))
}
