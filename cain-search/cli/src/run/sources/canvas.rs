//! The picture on which the frames of an animation are drawn, one over the other.

use std::mem;

/// Red, green, blue, and how opaque the pixel is.
pub(super) type Pixel = [u8; 4];

/// A picture that is transparent at first.
pub(super) struct Canvas {
    width: usize,
    pixels: Vec<Pixel>,
    /// What is done with the last frame before the next one.
    after: After,
}

/// A part of a picture.
#[derive(Clone, Copy)]
pub(super) struct Part {
    pub(super) left: usize,
    pub(super) top: usize,
    pub(super) width: usize,
    pub(super) height: usize,
}

/// How a frame is drawn over what was there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Over {
    /// It replaces it.
    Replace,
    /// Where it is transparent, what was there is seen.
    Blend,
}

/// What is left of a frame when the next one is drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Leave {
    All,
    /// Its part becomes transparent.
    Nothing,
    /// What was there before it is there again.
    Before,
}

enum After {
    Keep,
    Clear(Part),
    Restore(Part, Vec<Pixel>),
}

impl Canvas {
    pub(super) fn new(width: usize, height: usize) -> Self {
        Self { width, pixels: vec![[0; 4]; width * height], after: After::Keep }
    }

    /// Draws a frame, given as the pixels of its part in rows.
    pub(super) fn draw(&mut self, part: Part, pixels: impl IntoIterator<Item = Pixel>, over: Over, leave: Leave) {
        match mem::replace(&mut self.after, After::Keep) {
            After::Keep => {}
            After::Clear(part) => self.places(part).for_each(|place| *place = [0; 4]),
            After::Restore(part, before) => self.places(part).zip(before).for_each(|(place, before)| *place = before),
        }
        self.after = match leave {
            Leave::All => After::Keep,
            Leave::Nothing => After::Clear(part),
            Leave::Before => After::Restore(part, self.places(part).map(|place| *place).collect()),
        };
        // What is beyond the edges is not seen.
        let mut pixels = pixels.into_iter();
        for line in self.pixels.chunks_exact_mut(self.width.max(1)).skip(part.top).take(part.height) {
            let mut row = pixels.by_ref().take(part.width);
            for (place, pixel) in line.iter_mut().skip(part.left).zip(row.by_ref()) {
                *place = if over == Over::Blend { blended(*place, pixel) } else { pixel };
            }
            row.for_each(drop);
        }
    }

    fn places(&mut self, Part { left, top, width, height }: Part) -> impl Iterator<Item = &mut Pixel> {
        let lines = self.pixels.chunks_exact_mut(self.width.max(1)).skip(top).take(height);
        lines.flat_map(move |line| line.iter_mut().skip(left).take(width))
    }

    /// The colours that are seen; what is transparent is black if nothing else was there.
    pub(super) fn colours(&self) -> impl Iterator<Item = [u8; 3]> {
        self.pixels.iter().map(|[red, green, blue, _]| [*red, *green, *blue])
    }
}

/// A pixel seen through another one.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "levels are from 0 to 255")]
fn blended(below: Pixel, above: Pixel) -> Pixel {
    let ([.., under], [.., over]) = (below, above);
    match over {
        0 => return below,
        u8::MAX => return above,
        _ => {}
    }
    let share = |level: u8| f32::from(level) / 255.0;
    let (under, over) = (share(under), share(over));
    let opaque = under + over - under * over;
    let mixed = |below: u8, above: u8| {
        let light = share(above) * over + share(below) * under * (1.0 - over);
        (255.0 * (light / opaque)) as u8
    };
    let ([red, green, blue, _], [above_red, above_green, above_blue, _]) = (below, above);
    [mixed(red, above_red), mixed(green, above_green), mixed(blue, above_blue), (255.0 * opaque) as u8]
}
