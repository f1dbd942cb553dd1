//! A drive: the array looks, the network steers, the robot moves.

use std::f64::consts::FRAC_PI_2;

use cain_runtime::sim::SimError;
use fastrand::Rng;

use crate::geometry::{Point, wrapped};
use crate::network::{Eye, Opinion};
use crate::renderer::{Pose, Scene};
use crate::robot::{Command, RADIUS, Robot, STEPS};

/// The speed in metres per second on a clear way, as published for the corridor.
const SPEED: f64 = 0.8;
/// The turning rate in radians per second if the network is certain where to turn.
const TURN: f64 = 1.6;
/// The number of seconds for which a change of opinion is extrapolated.
const FORESIGHT: f64 = 0.05;
/// A robot is lost if it takes this many times as long as at full speed.
const PATIENCE: f64 = 3.0;

/// A task for the robot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task {
    /// The distance to drive along the corridor, in metres.
    pub(crate) distance: f64,
    /// Pictures per second.
    pub(crate) rate: u32,
    /// The number of crashes after which the drive ends.
    pub(crate) crashes: usize,
}

/// The outcome of a drive.
pub(crate) struct Drive {
    /// The positions of the robot when it took each picture.
    pub(crate) path: Vec<Point>,
    /// The positions where it hit a wall or had turned round.
    pub(crate) crashes: Vec<Point>,
    /// Whether it has reached the end.
    pub(crate) arrived: bool,
    /// The root mean square of its distance from the centre line, in metres.
    pub(crate) deviation: f64,
}

/// Drives through a corridor from a place on. After a crash, the robot is put back on the centre line.
pub(crate) fn drive(eye: &mut Eye, scene: &Scene, start: Pose, task: Task, random: Rng) -> Result<Drive, SimError> {
    let course = &scene.course;
    let mut robot = Robot::new(start, random);
    let mut drive = Drive { path: vec![], crashes: vec![], arrived: false, deviation: 0.0 };
    let mut along = course.place(start.position).along;
    let (mut driven, mut squares) = (0.0, 0.0);
    let mut steering = Steering::default();
    let looks = count(PATIENCE * task.distance / SPEED * f64::from(task.rate));
    for _ in 0..looks {
        drive.path.push(robot.pose.position);
        squares += course.deviation(robot.pose.position).powi(2);
        // While the network looks at this picture, the robot follows the command from the previous one.
        let command = steering.command;
        steering.change(eye.look(scene, &robot.pose)?, task.rate);
        (0..STEPS / task.rate).for_each(|_| robot.step(command));

        let place = course.place(robot.pose.position);
        driven += course.advance(along, place.along);
        along = place.along;
        if driven >= task.distance {
            drive.arrived = true;
            break;
        }
        let turned_round = wrapped(robot.pose.heading - place.direction).abs() > FRAC_PI_2;
        if turned_round || course.clearance(robot.pose.position) < RADIUS {
            drive.crashes.push(robot.pose.position);
            if drive.crashes.len() >= task.crashes {
                break;
            }
            let (position, heading) = course.at(along);
            robot.put(Pose { position, heading });
            steering = Steering::default();
        }
    }
    drive.deviation = (squares / real(drive.path.len().max(1))).sqrt();
    Ok(drive)
}

/// The controller of the robot: proportional to the opinion of the network and to its change.
#[derive(Default)]
struct Steering {
    command: Command,
    before: Option<f64>,
}

impl Steering {
    fn change(&mut self, Opinion { right, stop }: Opinion, rate: u32) {
        let left = 1.0 - 2.0 * right;
        let change = (left - self.before.unwrap_or(left)) * f64::from(rate);
        self.before = Some(left);
        self.command =
            Command { speed: SPEED * (1.0 - stop), turn: TURN * (left + FORESIGHT * change).clamp(-1.0, 1.0) };
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
fn count(number: f64) -> usize {
    number.ceil() as usize
}

#[expect(clippy::cast_precision_loss, reason = "a drive takes fewer than 2^52 pictures")]
fn real(count: usize) -> f64 {
    count as f64
}
