//! Renders the view of a camera on the robot: one ray for each column of pixels.

use fastrand::Rng;

use crate::course::Course;
use crate::geometry::Point;
use crate::texture::Texture;

/// Pixels along each side of a picture.
pub(crate) const SIDE: usize = 256;

/// The tangents of half the angles of view of SCAMP-5's lens in the published experiments, 56.3° and 43.7°.
const ACROSS: f64 = 0.535;
const UPWARDS: f64 = 0.401;
/// Heights of the camera, of walls, and of the skirting along them, in metres.
const CAMERA: f32 = 0.35;
const WALL: f32 = 2.4;

/// A position and a direction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pose {
    pub(crate) position: Point,
    pub(crate) heading: f64,
}

/// A corridor with its textures and its light.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    pub(crate) course: Course,
    walls: [Texture; 4],
    floor: Texture,
    ceiling: Texture,
    skirting: Skirting,
    light: f32,
}

#[derive(Clone, Debug)]
struct Skirting {
    height: f32,
    grey: f32,
}

impl Scene {
    /// The corridor with random textures.
    pub(crate) fn random(course: Course, random: &mut Rng) -> Self {
        let walls = std::array::from_fn(|_| Texture::random(random, 0.4, 0.85));
        let floor = Texture::random(random, 0.15, 0.5);
        let ceiling = Texture::random(random, 0.7, 1.0);
        let skirting = Skirting { height: 0.08 + 0.1 * random.f32(), grey: 0.3 * random.f32() };
        Self { course, walls, floor, ceiling, skirting, light: 0.7 + 0.4 * random.f32() }
    }

    /// The light of all pixels from 0 to 1, in rows from the top.
    pub(crate) fn render(&self, pose: &Pose, light: &mut [f32]) {
        let forwards = Point::towards(pose.heading);
        let right = forwards.left() * -1.0;
        for column in 0..SIDE {
            let ray = forwards + right * (ACROSS * offset(column));
            self.render_column(pose.position, ray, &mut light[column..]);
        }
    }

    /// Renders a column of pixels; consecutive pixels are one row apart in `light`.
    fn render_column(&self, position: Point, ray: Point, light: &mut [f32]) {
        let hit = self.course.hit(position, ray);
        // Lengths of the ray correspond to distances along the axis of the camera.
        let distance = hit.map_or(f64::INFINITY, |(_, distance, _)| distance);
        for (row, pixel) in light.iter_mut().step_by(SIDE).enumerate() {
            let slope = single(-UPWARDS * offset(row));
            let height = CAMERA + slope * single(distance);
            let (depth, grey) = match hit {
                Some((wall, _, along)) if (0.0..WALL).contains(&height) => {
                    let depth = single(distance);
                    (depth, self.wall(wall, single(along), height, depth))
                }
                _ => {
                    let (surface, above) =
                        if slope < 0.0 { (&self.floor, -CAMERA) } else { (&self.ceiling, WALL - CAMERA) };
                    let depth = above / slope;
                    let place = position + ray * f64::from(depth);
                    (depth, surface.grey(single(place.x), single(place.y), depth))
                }
            };
            *pixel = (self.light * grey / (1.0 + 0.05 * depth)).clamp(0.0, 1.0);
        }
    }

    fn wall(&self, number: usize, along: f32, height: f32, depth: f32) -> f32 {
        if height < self.skirting.height {
            return self.skirting.grey;
        }
        self.walls[number % self.walls.len()].grey(along, height, depth)
    }
}

/// The position of the middle of a pixel between the borders of the picture, −1 and 1.
#[expect(clippy::cast_precision_loss, reason = "a picture has 256 pixels along each side")]
fn offset(pixel: usize) -> f64 {
    (pixel as f64 + 0.5) / (SIDE as f64 / 2.0) - 1.0
}

#[expect(clippy::cast_possible_truncation, reason = "pictures are in single precision")]
const fn single(value: f64) -> f32 {
    value as f32
}
