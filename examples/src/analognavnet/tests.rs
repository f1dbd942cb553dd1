use cain_runtime::sim::ErrorModel;
use fastrand::Rng;

use crate::course::Course;
use crate::drive::{Task, drive};
use crate::geometry::Point;
use crate::labels::{Label, Sample};
use crate::network::Eye;
use crate::renderer::{Pose, Scene};
use crate::robot::{Command, Robot, STEPS};
use crate::{drawing, trials};

/// On an ideal array, both heads are right about most views of corridors that were not used for training.
#[test]
fn the_heads_know_what_is_right() {
    let views = 40;
    let [turn, go] = trials::accuracy(&Eye::new(ErrorModel::ideal(), 0), 5, views).unwrap();
    assert!(turn * 10 >= views * 8 && go * 10 >= views * 7, "{turn} and {go} of {views}");
}

/// With the errors of a chip, a robot that looks to the side at first goes through the corridor.
#[test]
fn a_robot_finds_its_way() {
    let mut random = Rng::with_seed(8);
    let scene = Scene::random(Course::straight(12.0, 1.8), &mut random);
    let start = Pose { position: Point { x: 1.0, y: 0.3 }, heading: 0.3 };
    let task = Task { distance: 4.0, rate: 20, crashes: 1 };
    let drive = drive(&mut Eye::new(ErrorModel::measured(), 1), &scene, start, task, random).unwrap();
    assert!(drive.arrived && drive.crashes.is_empty(), "crashes: {:?}", drive.crashes);
    let svg = drawing::svg(&scene.course, &[("a run".to_owned(), &drive)]).unwrap();
    assert_eq!(svg.matches("<polyline").count(), 1);
}

/// Mirrored places have mirrored labels, and stopping is right only in front of a wall.
#[test]
fn labels_lead_to_the_middle() {
    let course = Course::straight(10.0, 2.0);
    let label = |y: f64, heading: f64| Label::of(&course, &Pose { position: Point { x: 5.0, y }, heading });
    assert_eq!(label(0.5, 0.0), Label { right: true, stop: false });
    assert_eq!(label(-0.5, 0.0), Label { right: false, stop: false });
    assert_eq!(label(0.5, 1.2), Label { right: true, stop: true });
    assert_eq!(label(-0.5, -1.2), Label { right: false, stop: true });
}

/// Walls are at half the width from the centre line, also at corners, and a lap is as long as its line.
#[test]
fn corridors_are_equally_wide_everywhere() {
    let mut random = Rng::with_seed(3);
    for course in [Course::straight(9.0, 1.5), trials::octagon(), Course::winding(1.5, &mut random)] {
        let half = course.clearance(course.at(2.0).0);
        for i in 4..20 {
            let along = course.length() * f64::from(i) / 24.0;
            let (point, _) = course.at(along);
            assert!(course.clearance(point) <= half + 1e-9 && course.clearance(point) > 0.9 * half, "at {along}");
            assert!((course.place(point).along - along).abs() < 1e-6 && course.deviation(point) < 1e-9);
        }
    }
}

/// With equal commands both wheels of a robot without faults would go straight on; this one has motors of its own.
#[test]
fn robots_differ_and_are_reproducible() {
    let end = |seed: u64| {
        let mut robot = Robot::new(Pose { position: Point { x: 0.0, y: 0.0 }, heading: 0.0 }, Rng::with_seed(seed));
        (0..2 * STEPS).for_each(|_| robot.step(Command { speed: 0.8, turn: 0.0 }));
        robot.pose.position
    };
    assert_eq!(end(1), end(1));
    assert!((end(1) - end(2)).length() > 0.01);
    assert!((1.0..1.7).contains(&end(1).x), "{:?}", end(1));
}

/// The same seed draws the same world, and another seed another one.
#[test]
fn views_follow_from_the_seed() {
    let view = |seed: u64| {
        let Sample { scene, pose, .. } = Sample::random(&mut Rng::with_seed(seed));
        let mut light = vec![0.0; 256 * 256];
        scene.render(&pose, &mut light);
        assert!(light.iter().all(|light| (0.0..=1.0).contains(light)));
        light
    };
    assert!(view(1) == view(1) && view(1) != view(2));
}
