//! A robot with two driven wheels whose motors are not alike.

use fastrand::Rng;

use crate::geometry::{Point, wrapped};
use crate::renderer::Pose;

/// The radius around the robot that must be free, in metres.
pub(crate) const RADIUS: f64 = 0.18;
/// Steps of the simulated motion per second: a multiple of all frame rates.
pub(crate) const STEPS: u32 = 240;

/// The distance between the wheels, in metres.
const AXLE: f64 = 0.287;
/// The time constant of motors in seconds: they come within 1/e of the commanded speed.
const LAG: f64 = 0.12;
/// The standard deviation of a motor's relative errors: a constant one, and one that changes in the course of a second.
const UNEQUAL: f64 = 0.06;
const UNSTEADY: f64 = 0.04;

/// A command to a robot, in metres and radians per second.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Command {
    pub(crate) speed: f64,
    pub(crate) turn: f64,
}

/// A moving robot.
pub(crate) struct Robot {
    pub(crate) pose: Pose,
    wheels: [Wheel; 2],
    random: Rng,
}

struct Wheel {
    speed: f64,
    factor: f64,
    drift: f64,
}

impl Robot {
    /// A robot that stands still.
    pub(crate) fn new(pose: Pose, mut random: Rng) -> Self {
        let wheels = [(); 2].map(|()| Wheel { speed: 0.0, factor: 1.0 + UNEQUAL * normal(&mut random), drift: 0.0 });
        Self { pose, wheels, random }
    }

    /// Puts the robot at another place, where it stands still.
    pub(crate) fn put(&mut self, pose: Pose) {
        self.pose = pose;
        self.wheels.iter_mut().for_each(|wheel| wheel.speed = 0.0);
    }

    /// Advances by one step.
    pub(crate) fn step(&mut self, command: Command) {
        let time = f64::from(STEPS).recip();
        let half = command.turn * AXLE / 2.0;
        for (wheel, told) in self.wheels.iter_mut().zip([command.speed - half, command.speed + half]) {
            wheel.drift += -wheel.drift * time + UNSTEADY * (2.0 * time).sqrt() * normal(&mut self.random);
            wheel.speed += (told * (wheel.factor + wheel.drift) - wheel.speed) * time / LAG;
        }
        let [left, right] = [self.wheels[0].speed, self.wheels[1].speed];
        let Pose { position, heading } = self.pose;
        let heading = wrapped(heading + (right - left) / AXLE * time);
        self.pose =
            Pose { position: position + Point::towards(heading) * (f64::midpoint(left, right) * time), heading };
    }
}

/// A nearly normal random number with a standard deviation of 1: a sum of twelve uniform ones.
fn normal(random: &mut Rng) -> f64 {
    (0..12).map(|_| random.f64()).sum::<f64>() - 6.0
}
