//! A picture to draw on, with text in an outline font.

use ab_glyph::{Font as _, FontRef, Glyph, GlyphId, PxScale, ScaleFont as _, point};
use cain_runtime::pictures::{Colour, Picture};

use crate::style::Lettering;

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
    pub(crate) fn text(&mut self, text: &str, x: usize, y: usize, lettering: &Lettering, ink: Colour) {
        let lines = Line::of(text, lettering);
        self.draw(&lines, pixels(x), pixels(y), ink);
    }

    /// Writes one line centred on a point.
    pub(crate) fn centred(&mut self, text: &str, x: usize, y: usize, lettering: &Lettering, ink: Colour) {
        let line = Line::of(text, lettering);
        self.draw(&line, pixels(x) - line.width / 2.0, pixels(y) - line.height / 2.0, ink);
    }

    fn draw(&mut self, line: &Line<'_>, left: f32, top: f32, ink: Colour) {
        for glyph in &line.glyphs {
            let mut glyph = glyph.clone();
            glyph.position = point(left + glyph.position.x, top + glyph.position.y);
            let Some(outline) = line.font.outline_glyph(glyph) else { continue };
            let corner = outline.px_bounds().min;
            outline.draw(|x, y, coverage| {
                let (Some(x), Some(y)) = (place(corner.x, x), place(corner.y, y)) else { return };
                if let Some(pixel) = self.0.colour_mut(x, y) {
                    *pixel = [0, 1, 2].map(|channel: usize| mixed(pixel[channel], ink[channel], coverage));
                }
            });
        }
    }
}

/// The width of a line of text, in pixels.
pub(crate) fn width(text: &str, lettering: &Lettering) -> usize {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a width is not negative")]
    let width = Line::of(text, lettering).width.ceil() as usize;
    width
}

/// A line of text whose top left corner is the origin.
struct Line<'f> {
    font: &'f FontRef<'static>,
    glyphs: Vec<Glyph>,
    width: f32,
    height: f32,
}

impl<'f> Line<'f> {
    fn of(text: &str, lettering: &'f Lettering) -> Self {
        let font = lettering.font;
        let scaled = font.as_scaled(PxScale::from(lettering.height));
        let (mut width, mut last, mut glyphs) = (0.0, None::<GlyphId>, Vec::new());
        for character in text.chars() {
            let id = font.glyph_id(character);
            width += last.map_or(0.0, |last| scaled.kern(last, id));
            glyphs.push(id.with_scale_and_position(scaled.scale(), point(width, scaled.ascent())));
            width += scaled.h_advance(id);
            last = Some(id);
        }
        Self { font, glyphs, width, height: scaled.height() }
    }
}

/// A colour channel of which the fraction `coverage` is covered with ink.
fn mixed(paper: u8, ink: u8, coverage: f32) -> u8 {
    let mixed = f32::from(paper) + (f32::from(ink) - f32::from(paper)) * coverage.clamp(0.0, 1.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between two bytes")]
    let mixed = mixed.round() as u8;
    mixed
}

/// The pixel this far from a corner, if it is not left of or above the picture.
fn place(corner: f32, offset: u32) -> Option<usize> {
    #[expect(clippy::cast_possible_truncation, reason = "corners of outlines are whole and near the picture")]
    let corner = corner as i64;
    usize::try_from(corner + i64::from(offset)).ok()
}

#[expect(clippy::cast_precision_loss, reason = "pictures are small")]
fn pixels(length: usize) -> f32 {
    length as f32
}
