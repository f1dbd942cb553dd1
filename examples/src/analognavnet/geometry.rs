//! Points of the plane, in metres: x to the east, y to the north, angles counter-clockwise from the east.

use std::f64::consts::PI;
use std::ops::{Add, Mul, Sub};

/// A point, or a vector.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

impl Point {
    /// The unit vector in a direction.
    pub(crate) fn towards(angle: f64) -> Self {
        let (y, x) = angle.sin_cos();
        Self { x, y }
    }

    pub(crate) fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y
    }

    /// Positive if the other vector is to the left of this one.
    pub(crate) fn cross(self, other: Self) -> f64 {
        self.x * other.y - self.y * other.x
    }

    pub(crate) fn length(self) -> f64 {
        self.x.hypot(self.y)
    }

    /// The direction of a vector.
    pub(crate) fn angle(self) -> f64 {
        self.y.atan2(self.x)
    }

    /// The vector turned to the left by a right angle.
    pub(crate) fn left(self) -> Self {
        Self { x: -self.y, y: self.x }
    }
}

impl Add for Point {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y }
    }
}

impl Sub for Point {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y }
    }
}

impl Mul<f64> for Point {
    type Output = Self;

    fn mul(self, factor: f64) -> Self {
        Self { x: self.x * factor, y: self.y * factor }
    }
}

/// A straight line between two points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segment {
    pub(crate) from: Point,
    pub(crate) to: Point,
}

impl Segment {
    pub(crate) fn length(self) -> f64 {
        (self.to - self.from).length()
    }

    /// The unit vector from its beginning to its end.
    pub(crate) fn direction(self) -> Point {
        (self.to - self.from) * self.length().recip()
    }

    /// The distance from its beginning to the place nearest to a point.
    pub(crate) fn nearest(self, point: Point) -> f64 {
        (point - self.from).dot(self.direction()).clamp(0.0, self.length())
    }

    pub(crate) fn at(self, along: f64) -> Point {
        self.from + self.direction() * along
    }

    pub(crate) fn distance(self, point: Point) -> f64 {
        (self.at(self.nearest(point)) - point).length()
    }

    /// The place where a ray hits it: the number of lengths of `ray` from its origin, and the distance from the
    /// segment's beginning.
    pub(crate) fn hit(self, origin: Point, ray: Point) -> Option<(f64, f64)> {
        let direction = self.direction();
        let across = ray.cross(direction);
        let to = self.from - origin;
        let (distance, along) = (to.cross(direction) / across, to.cross(ray) / across);
        // For a parallel ray, both conditions fail.
        (distance > 0.0 && (0.0..=self.length()).contains(&along)).then_some((distance, along))
    }
}

/// The angle, wrapped to the range from −π to π.
pub(crate) fn wrapped(angle: f64) -> f64 {
    (angle + PI).rem_euclid(2.0 * PI) - PI
}
