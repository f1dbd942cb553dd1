//! The appearance of surfaces.

use fastrand::Rng;

/// Cells along each side of a lattice; a power of two.
const CELLS: usize = 64;
/// The width in pixels of one metre at a distance of one metre.
const PIXELS: f32 = 239.0;

/// The grey of a surface: random spots on a ground, and panels with joints between them.
#[derive(Clone, Debug)]
pub(crate) struct Texture {
    ground: f32,
    /// Random numbers from −1 to 1.
    lattice: Vec<f32>,
    /// The contrast of spots: a factor for the numbers of the lattice.
    contrast: f32,
    /// Cells of the lattice per metre.
    grain: [f32; 2],
    /// The width of panels in metres, and how much their brightness differs.
    panel: f32,
    variety: f32,
    joint: f32,
}

impl Texture {
    /// A texture whose ground colour lies between these greys, from 0 to 1.
    pub(crate) fn random(random: &mut Rng, darkest: f32, brightest: f32) -> Self {
        let mut between = |low: f32, high: f32| low + (high - low) * random.f32();
        Self {
            ground: between(darkest, brightest),
            contrast: between(0.02, 0.2),
            grain: [between(1.0, 12.0), between(1.0, 12.0)],
            panel: between(0.3, 2.5),
            variety: between(0.0, 0.15),
            joint: between(0.0, 0.25),
            lattice: (0..CELLS * CELLS).map(|_| between(-1.0, 1.0)).collect(),
        }
    }

    /// The grey of a place, given in metres along both axes, seen from a distance.
    pub(crate) fn grey(&self, x: f32, y: f32, distance: f32) -> f32 {
        let [across, up] = [x * self.grain[0], y * self.grain[1]];
        // Spots smaller than a pixel are invisible.
        let per_pixel = self.grain[0].max(self.grain[1]) * distance / PIXELS;
        let spots = self.contrast * self.spots(across, up) / (1.0 + 4.0 * per_pixel * per_pixel);
        let panel = x / self.panel;
        let number = panel.floor();
        let [beside, _] = wrapped(number);
        let shade = self.variety * self.lattice[beside];
        let joint = if (panel - number) * self.panel < 0.02 { self.joint } else { 0.0 };
        self.ground + spots + shade - joint
    }

    /// The lattice, with bilinear interpolation.
    fn spots(&self, x: f32, y: f32) -> f32 {
        let (left, top) = (x.floor(), y.floor());
        let (right, down) = (x - left, y - top);
        let ([left, next], [top, below]) = (wrapped(left), wrapped(top));
        let row = |row: usize| {
            let (a, b) = (self.lattice[row * CELLS + left], self.lattice[row * CELLS + next]);
            a + (b - a) * right
        };
        let (above, below) = (row(top), row(below));
        above + (below - above) * down
    }
}

/// A cell of the lattice and the next one; the first one follows the last.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the sign is kept by the wrapping")]
fn wrapped(cell: f32) -> [usize; 2] {
    let cell = (cell as i64 as usize) & (CELLS - 1);
    [cell, (cell + 1) & (CELLS - 1)]
}
