//! The correct answers of the network for a view, and viewpoints.

use fastrand::Rng;

use crate::course::Course;
use crate::geometry::{Point, wrapped};
use crate::renderer::{Pose, Scene};
use crate::robot::RADIUS;

/// The distance ahead at which the robot should be back on the centre line, in metres.
const AHEAD: f64 = 1.0;
/// The distance that has to be free ahead, in metres.
const FREE: f64 = 0.9;

/// The right action at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Label {
    /// Whether to turn right rather than left.
    pub(crate) right: bool,
    /// Whether to stop rather than go forwards.
    pub(crate) stop: bool,
}

impl Label {
    pub(crate) fn of(course: &Course, pose: &Pose) -> Self {
        let forwards = Point::towards(pose.heading);
        // For a robot that faces the wrong way, the centre line to follow is behind it.
        let place = course.place(pose.position);
        let along = if wrapped(place.direction - pose.heading).cos() < 0.0 { -AHEAD } else { AHEAD };
        let (goal, _) = course.at(place.along + along);
        let sides = [-RADIUS, 0.0, RADIUS].map(|side| pose.position + forwards.left() * side);
        let is_free = |from: Point| course.hit(from, forwards).is_none_or(|(_, distance, _)| distance > FREE);
        Self { right: forwards.cross(goal - pose.position) < 0.0, stop: !sides.into_iter().all(is_free) }
    }
}

/// A view and the right action there.
pub(crate) struct Sample {
    pub(crate) scene: Scene,
    pub(crate) pose: Pose,
    pub(crate) label: Label,
}

impl Sample {
    /// A random place in a random corridor, looking in a random direction.
    pub(crate) fn random(random: &mut Rng) -> Self {
        let course = Course::winding(1.4 + 0.8 * random.f64(), random);
        let pose = loop {
            let (middle, direction) = course.at(1.0 + (course.length() - 2.0) * random.f64());
            let aside = Point::towards(direction).left() * (2.0 * random.f64() - 1.0);
            let pose = Pose { position: middle + aside, heading: direction + 2.0 * random.f64() - 1.0 };
            if course.clearance(pose.position) > RADIUS {
                break pose;
            }
        };
        let label = Label::of(&course, &pose);
        Self { scene: Scene::random(course, random), pose, label }
    }
}
