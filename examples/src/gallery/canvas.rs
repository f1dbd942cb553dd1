//! A picture to draw on, with the shapes and fonts of `embedded-graphics`.

use std::convert::Infallible;

use embedded_graphics::Pixel;
use embedded_graphics::mono_font::{MonoFont, MonoTextStyle};
use embedded_graphics::pixelcolor::{Rgb888, RgbColor};
use embedded_graphics::prelude::{DrawTarget, Drawable, OriginDimensions, Point, Size};
use embedded_graphics::text::{Alignment, Baseline, Text, TextStyleBuilder};
use image::imageops::{self, FilterType};
use image::{Rgb, RgbImage};

/// A picture to draw on. Positions are in pixels from the top left corner.
pub(crate) struct Canvas(RgbImage);

impl Canvas {
    pub(crate) fn new(width: u32, height: u32, color: Rgb<u8>) -> Self {
        Self(RgbImage::from_pixel(width, height, color))
    }

    pub(crate) fn into_picture(self) -> RgbImage {
        self.0
    }

    pub(crate) fn paste(&mut self, picture: &RgbImage, x: u32, y: u32) {
        imageops::replace(&mut self.0, picture, x.into(), y.into());
    }

    pub(crate) fn fill(&mut self, x: u32, y: u32, width: u32, height: u32, color: Rgb<u8>) {
        self.paste(&RgbImage::from_pixel(width, height, color), x, y);
    }

    /// Writes one line whose top left corner is given.
    pub(crate) fn text(&mut self, text: &str, x: u32, y: u32, font: &MonoFont<'_>, color: Rgb<u8>) {
        self.line(text, x, y, font, color, Alignment::Left, Baseline::Top);
    }

    /// Writes one line in letters of twice the size, on a strip of its own colour.
    pub(crate) fn heading(&mut self, text: &str, x: u32, y: u32, font: &MonoFont<'_>, ink: Rgb<u8>, paper: Rgb<u8>) {
        let length = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
        let Size { width, height } = font.character_size;
        let mut strip = Self::new((width * length).min(self.0.width()), height, paper);
        strip.text(text, 0, 0, font, ink);
        let (width, height) = (2 * strip.0.width(), 2 * strip.0.height());
        self.paste(&imageops::resize(&strip.0, width, height, FilterType::Nearest), x, y);
    }

    /// Writes one line around a point.
    pub(crate) fn centred(&mut self, text: &str, x: u32, y: u32, font: &MonoFont<'_>, color: Rgb<u8>) {
        self.line(text, x, y, font, color, Alignment::Center, Baseline::Middle);
    }

    #[expect(clippy::too_many_arguments, reason = "what a line of text has")]
    fn line(
        &mut self,
        text: &str,
        x: u32,
        y: u32,
        font: &MonoFont<'_>,
        Rgb([red, green, blue]): Rgb<u8>,
        alignment: Alignment,
        baseline: Baseline,
    ) {
        let at = Point::zero() + Size::new(x, y);
        let style = TextStyleBuilder::new().alignment(alignment).baseline(baseline).build();
        let Ok(_) =
            Text::with_text_style(text, at, MonoTextStyle::new(font, Rgb888::new(red, green, blue)), style).draw(self);
    }
}

impl OriginDimensions for Canvas {
    fn size(&self) -> Size {
        Size::new(self.0.width(), self.0.height())
    }
}

impl DrawTarget for Canvas {
    type Color = Rgb888;
    type Error = Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<Rgb888>>>(&mut self, pixels: I) -> Result<(), Infallible> {
        for Pixel(point, color) in pixels {
            let (Ok(x), Ok(y)) = (u32::try_from(point.x), u32::try_from(point.y)) else { continue };
            if let Some(pixel) = self.0.get_pixel_mut_checked(x, y) {
                *pixel = Rgb([color.r(), color.g(), color.b()]);
            }
        }
        Ok(())
    }
}
