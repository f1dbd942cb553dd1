//! Diffusion over the resistive links between PEs.

use alloc::vec::Vec;

use super::SimError;
use super::digital::Digital;
use crate::isa::{Axes, Bit, Direction};

impl Digital {
    /// The result of one diffusion of an image: over every closed link, a `share` of the difference flows.
    ///
    /// The link to the south is closed where `R1` is 1, the link to the west where `R2` is 1.
    pub(super) fn diffuse(&self, image: &[f32], axes: Axes, share: f32) -> Result<Vec<f32>, SimError> {
        let mut image = image.to_vec();
        let links: &[Direction] = match axes {
            Axes::Both => &[Direction::South, Direction::West],
            Axes::Horizontal => &[Direction::West],
            Axes::Vertical => &[Direction::South],
        };
        for &link in links {
            let closed = self.read(Bit::Reg(link.switch()))?.to_vec(image.len());
            let before = image.clone();
            for pe in (0..before.len()).filter(|&pe| closed[pe]) {
                let Some(neighbour) = self.neighbour(pe, link) else { continue };
                let flow = share * (before[neighbour] - before[pe]);
                image[pe] += flow;
                image[neighbour] -= flow;
            }
        }
        Ok(image)
    }
}
