//! The experiments of the publication: accuracy of the heads, runs through a straight corridor, and laps.

use cain_runtime::sim::SimError;
use cain_runtime::trace::Report;
use fastrand::Rng;
use rayon::prelude::*;

use crate::course::Course;
use crate::drive::{Drive, Task, drive};
use crate::geometry::Point;
use crate::labels::{Label, Sample};
use crate::network::Eye;
use crate::renderer::{self, Pose, Scene};

/// The number of crashes after which a lap ends.
const MOST_CRASHES: usize = 8;
/// The length of a run in metres; the corridor is longer.
const RUN: f64 = 25.0;
const CORRIDOR: f64 = 32.0;
const WIDTH: f64 = 1.8;
/// Metres along a side of the octagon, in the middle of its corridor.
const SIDE: f64 = 3.5;

/// A random generator of its own for each experiment of a kind.
fn random(seed: u64, kind: u64, number: u64) -> Rng {
    Rng::with_seed(seed << 32 ^ kind << 24 ^ number)
}

/// The number of views, of `views`, for which each head is right: left or right, and forwards or stop.
pub(crate) fn accuracy(eye: &Eye, seed: u64, views: u64) -> Result<[u64; 2], SimError> {
    let right = |number| {
        let Sample { scene, pose, label } = Sample::random(&mut random(seed, 1, number));
        let opinion = eye.clone().look(&scene, &pose)?;
        let found = Label { right: opinion.right > 0.5, stop: opinion.stop > 0.5 };
        Ok([u64::from(found.right == label.right), u64::from(found.stop == label.stop)])
    };
    (0..views).into_par_iter().map(right).try_reduce(|| [0; 2], |a, b| Ok([a[0] + b[0], a[1] + b[1]]))
}

/// Runs through straight corridors, each with different textures and motors, that end with the first crash.
pub(crate) fn runs(eye: &Eye, seed: u64, count: u64, rate: u32) -> Result<Vec<Drive>, SimError> {
    let run = |number| {
        let mut random = random(seed, 2, number);
        let scene = Scene::random(Course::straight(CORRIDOR, WIDTH), &mut random);
        let aside = 0.6 * (random.f64() - 0.5);
        let start = Pose { position: Point { x: 1.0, y: aside }, heading: 0.5 * (random.f64() - 0.5) };
        drive(&mut eye.clone(), &scene, start, Task { distance: RUN, rate, crashes: 1 }, random)
    };
    (0..count).into_par_iter().map(run).collect()
}

/// The corridor of the laps.
pub(crate) fn octagon() -> Course {
    Course::octagon(SIDE, WIDTH)
}

/// A lap at each of these frame rates, with the same textures and motors.
pub(crate) fn laps(eye: &Eye, seed: u64, rates: &[u32]) -> Result<Vec<Drive>, SimError> {
    let lap = |&rate: &u32| {
        let (scene, start, random) = start(seed);
        let task = Task { distance: scene.course.length(), rate, crashes: MOST_CRASHES };
        drive(&mut eye.clone(), &scene, start, task, random)
    };
    rates.par_iter().map(lap).collect()
}

/// The view of the robot where laps begin, from 0 to 1.
pub(crate) fn view(seed: u64) -> Vec<f32> {
    let (scene, start, _) = start(seed);
    let mut light = vec![0.0; renderer::SIDE * renderer::SIDE];
    scene.render(&start, &mut light);
    light
}

/// The costs of looking from there.
pub(crate) fn costs(eye: &Eye, seed: u64) -> Result<Report, SimError> {
    let (scene, start, _) = start(seed);
    eye.clone().costs(&scene, &start)
}

/// The place where laps begin, and the random numbers of the motors.
fn start(seed: u64) -> (Scene, Pose, Rng) {
    let mut random = random(seed, 3, 0);
    let course = octagon();
    let (position, heading) = course.at(0.0);
    (Scene::random(course, &mut random), Pose { position, heading }, random)
}
