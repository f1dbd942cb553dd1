//! Animations of what a program keeps from frame to frame.

use std::path::PathBuf;

use cain_runtime::pictures::{Animation, Picture};

use super::super::Run;
use crate::files::write_encoded;

/// The most pixels in all pictures together.
const MOST_PIXELS: usize = 1 << 28;
/// For how long each frame is shown.
const MILLISECONDS: u16 = 200;

/// An animation of each state and of each plane that is a result.
pub(super) struct Animations {
    folder: PathBuf,
    all: Vec<(String, Animation)>,
    /// The pixels of one picture, and of all so far.
    pixels: (usize, usize),
}

impl Animations {
    /// Animations without frames, if they are wanted.
    pub(super) fn new(args: &Run) -> Option<Self> {
        let folder = args.animate.clone()?;
        Some(Self { folder, all: Vec::new(), pixels: (args.size.width * args.size.height, 0) })
    }

    /// Adds a frame.
    pub(super) fn frame(&mut self, pictures: Vec<(String, Picture)>) -> Result<(), String> {
        for (name, picture) in pictures {
            self.pixels.1 += self.pixels.0;
            if self.pixels.1 > MOST_PIXELS {
                return Err(format!(
                    "--animate: more than {MOST_PIXELS} pixels; give fewer frames, or a smaller array with --size"
                ));
            }
            if let Some((_, animation)) = self.all.iter_mut().find(|(known, _)| *known == name) {
                animation.push(picture);
                continue;
            }
            let mut animation = Animation::new(MILLISECONDS);
            animation.push(picture);
            self.all.push((name, animation));
        }
        Ok(())
    }

    /// Writes them.
    pub(super) fn write(self) -> Result<(), String> {
        let files = self.all.into_iter().map(|(name, animation)| (format!("{name}.png"), animation.png()));
        write_encoded(&self.folder, files.collect())
    }
}
