//! Corridors: walls on both sides of a line.

use std::f64::consts::{FRAC_PI_4, TAU};

use fastrand::Rng;

use crate::geometry::{Point, Segment};

/// A corridor.
#[derive(Clone, Debug)]
pub(crate) struct Course {
    pub(crate) walls: Vec<Segment>,
    /// The centre line.
    centre: Vec<Segment>,
    closed: bool,
}

/// A place in a corridor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// The distance along the centre line.
    pub(crate) along: f64,
    /// The direction of the corridor there.
    pub(crate) direction: f64,
}

impl Course {
    /// A straight corridor.
    pub(crate) fn straight(length: f64, width: f64) -> Self {
        Self::around(&[Point { x: 0.0, y: 0.0 }, Point { x: length, y: 0.0 }], width, false)
    }

    /// A corridor around an octagon, counter-clockwise from the middle of its south-eastern side.
    pub(crate) fn octagon(side: f64, width: f64) -> Self {
        let radius = side / 2.0 / (FRAC_PI_4 / 2.0).sin();
        let corner = |i: u8| Point::towards(TAU * (f64::from(i) - 1.5) / 8.0) * radius;
        let middle = (corner(0) + corner(1)) * 0.5;
        let corners: Vec<Point> = std::iter::once(middle).chain((1..=8).map(corner)).collect();
        Self::around(&corners, width, true)
    }

    /// A corridor of that width with corners of up to 60°.
    pub(crate) fn winding(width: f64, random: &mut Rng) -> Self {
        let mut direction: f64 = 0.0;
        let mut corners = vec![Point { x: 0.0, y: 0.0 }];
        for _ in 0..4 {
            let last = corners[corners.len() - 1];
            corners.push(last + Point::towards(direction) * (3.0 + 5.0 * random.f64()));
            direction += (2.0 * random.f64() - 1.0) * 60_f64.to_radians();
        }
        Self::around(&corners, width, false)
    }

    /// The corridor around a line; an open one has walls at its ends.
    fn around(corners: &[Point], width: f64, closed: bool) -> Self {
        let count = corners.len();
        let lines = if closed { count } else { count - 1 };
        let centre: Vec<_> = (0..lines).map(|i| Segment { from: corners[i], to: corners[(i + 1) % count] }).collect();
        let side = |offset: f64| -> Vec<Point> {
            let beside = |corner: usize| {
                let before = if closed { (corner + lines - 1) % lines } else { corner.saturating_sub(1) };
                let [a, b] = [before, corner.min(lines - 1)].map(|line| centre[line].direction().left());
                // Walls meet where they are at that distance from both lines.
                corners[corner] + (a + b) * (offset / (1.0 + a.dot(b)))
            };
            (0..count).map(beside).collect()
        };
        let (left, right) = (side(width / 2.0), side(-width / 2.0));
        let wall = |side: &[Point], i: usize| Segment { from: side[i], to: side[(i + 1) % count] };
        let mut walls: Vec<_> = (0..lines).flat_map(|i| [wall(&left, i), wall(&right, i)]).collect();
        if !closed {
            walls.extend([0, count - 1].map(|end| Segment { from: left[end], to: right[end] }));
        }
        Self { walls, centre, closed }
    }

    /// The length of the centre line.
    pub(crate) fn length(&self) -> f64 {
        self.centre.iter().map(|line| line.length()).sum()
    }

    /// The place on the centre line that is nearest to a point.
    pub(crate) fn place(&self, point: Point) -> Place {
        let mut before = 0.0;
        let mut best = (f64::INFINITY, Place { along: 0.0, direction: 0.0 });
        for line in &self.centre {
            let distance = line.distance(point);
            if distance < best.0 {
                best = (distance, Place { along: before + line.nearest(point), direction: line.direction().angle() });
            }
            before += line.length();
        }
        best.1
    }

    /// The point at a distance along the centre line, and the direction there; a circular corridor begins again after
    /// its end.
    pub(crate) fn at(&self, along: f64) -> (Point, f64) {
        let mut rest = if self.closed { along.rem_euclid(self.length()) } else { along };
        let last = self.centre.len() - 1;
        for line in &self.centre[..last] {
            if rest < line.length() {
                return (line.at(rest), line.direction().angle());
            }
            rest -= line.length();
        }
        let line = self.centre[last];
        (line.at(rest.min(line.length())), line.direction().angle())
    }

    /// The distance along the centre line from one place to another, by the shorter way in a circular corridor.
    pub(crate) fn advance(&self, from: f64, to: f64) -> f64 {
        let (way, round) = (to - from, self.length());
        if self.closed { (way + round / 2.0).rem_euclid(round) - round / 2.0 } else { way }
    }

    /// The distance of a point from the centre line.
    pub(crate) fn deviation(&self, point: Point) -> f64 {
        self.centre.iter().map(|line| line.distance(point)).fold(f64::INFINITY, f64::min)
    }

    /// The distance of a point from the nearest wall.
    pub(crate) fn clearance(&self, point: Point) -> f64 {
        self.walls.iter().map(|wall| wall.distance(point)).fold(f64::INFINITY, f64::min)
    }

    /// The first wall that a ray hits: its number, its distance in lengths of `ray`, and the position along the wall.
    pub(crate) fn hit(&self, origin: Point, ray: Point) -> Option<(usize, f64, f64)> {
        let hits = self.walls.iter().enumerate();
        let hits = hits.filter_map(|(i, wall)| wall.hit(origin, ray).map(|(distance, along)| (i, distance, along)));
        hits.min_by(|a, b| a.1.total_cmp(&b.1))
    }
}
