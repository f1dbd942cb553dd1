//! Programs that remember something.

use super::morphology::{CROSS, flooded, grown, shrunk, square};
use super::planes::{Bits, Levels, blobs, pictures, plane};
use super::run::{Run, borrowed, region};

#[test]
fn difference() {
    let mut run = Run::of("difference", "difference");
    let mut last = plane(|_, _| 0.0);
    for (picture, absolute) in pictures(30, 4).iter().zip([0, 1, 1, 0]) {
        let change = picture.with(&last, |one, other| if absolute == 1 { (one - other).abs() } else { one - other });
        run.frame(picture, &[("absolute", absolute)]).has_all_levels("change", &change);
        last = picture.clone();
    }
}

#[test]
fn parts_are_renewed() {
    let (mut flag, mut bits) = (Run::of("flag", "flag"), Run::of("masked_write", "masked_write"));
    let mut kept = plane(|_, _| 0.0);
    let mut kept_bits = plane(|_, _| false);
    for (picture, part) in pictures(31, 3).iter().zip([[1, 1, 5, 5], [3, 4, 50, 3], [0, 0, 0, 4]]) {
        let [top, left, height, width] = part;
        let inside = plane(|row, column| (top..top + height).contains(&row) && (left..left + width).contains(&column));
        let parameters = region("part", part);
        kept = plane(
            |row, column| if inside.bit(row, column) { picture.here(row, column) } else { kept.here(row, column) },
        );
        flag.frame(picture, &borrowed(&parameters)).has_all_levels("kept", &kept);
        kept_bits =
            plane(
                |row, column| {
                    if inside.bit(row, column) { picture.here(row, column) > 32.0 } else { kept_bits.bit(row, column) }
                },
            );
        bits.frame(picture, &borrowed(&parameters)).has_bits("kept", &kept_bits);
    }
}

#[test]
fn motion() {
    let mut run = Run::of("motion", "motion");
    let pictures = pictures(32, 4);
    // Before the first frame, the state is the first picture.
    let mut last = &pictures[0];
    for (picture, t) in pictures.iter().zip([15, 15, 80, 0]) {
        let moving = picture.with(last, |one, other| (one - other).abs() > t as f64);
        run.frame(picture, &[("threshold", t)]).has_bits("moving", &moving);
        last = picture;
    }
}

/// The nearest of the middles of so many equal steps, in whole DN; the upper one of two.
fn snapped(level: f64, count: i32) -> f64 {
    let middle = |step: i32| ((f64::from(step) + 0.5) * 256.0 / f64::from(count) + 0.5).floor() - 128.0;
    let distance = |of: &f64| (of - level).abs();
    (0..count).rev().map(middle).min_by(|one, other| distance(one).total_cmp(&distance(other))).unwrap()
}

#[test]
fn quantised() {
    let mut run = Run::of("quantised", "quantised");
    let mut kept: Option<Levels> = None;
    for (picture, store) in pictures(33, 4).iter().zip([0, 1, 0, 0]) {
        let answers = run.frame(picture, &[("store", store)]);
        let before = kept.clone().unwrap_or_else(|| picture.clone());
        answers.has_all_levels("kept", &before);
        let next = if store == 1 { picture.clone() } else { before };
        kept = Some(next.map(|level| snapped(level, 10)));
    }
}

#[test]
fn background() {
    let mut run = Run::of("background", "background");
    let pictures = pictures(34, 3);
    let (mut last, mut background) = (pictures[0].clone(), pictures[0].clone());
    let mut age = plane(|_, _| -96.0);
    // The same picture for a while, then another one.
    for frame in 0..40 {
        let picture = &pictures[if frame < 25 { 0 } else { 1 + frame % 2 }];
        let tick = frame % 5 != 4;
        let parameters = [("moving", 16), ("different", 24), ("spread", 1), ("step", 20), ("tick", tick.into())];
        let answers = run.frame(picture, &parameters);
        let motion = grown(&picture.with(&last, |one, other| (one - other).abs() > 16.0), &CROSS);
        let older = |motion: bool, age: f64| match (motion, tick) {
            (true, _) => -96.0,
            (false, true) => (age + 20.0_f64).min(96.0),
            (false, false) => age,
        };
        age = motion.with(&age, older);
        answers.has_bits("before", &picture.with(&background, |one, other| (one - other).abs() > 24.0));
        let learned = age.map(|age| age > 80.0);
        background =
            plane(|row, column| (if learned.bit(row, column) { picture } else { &background }).here(row, column));
        answers.has_all_levels("age", &age);
        answers.has_all_levels("background", &background);
        background = background.map(|level| snapped(level, 16));
        last = picture.clone();
    }
}

#[test]
fn sums() {
    let mut run = Run::of("sums", "sums");
    let mut mean = 0;
    for picture in &pictures(35, 4) {
        let picture = picture.map(|level| level * 1.25);
        let answers = run.frame(&picture, &borrowed(&region("part", [0, 0, 6, 200])));
        let steps = |rows: i64| {
            let levels = (0..rows).flat_map(|row| (0..16).map(move |column| (row, column)));
            (levels.map(|(row, column)| picture.here(row, column)).sum::<f64>() / 4096.0).round() as i64
        };
        let whole = steps(12);
        assert_eq!((answers.number("whole"), answers.number("of_part")), (whole, steps(6)));
        mean = (3 * mean + whole).div_euclid(4);
        assert_eq!(answers.number("mean"), mean);
    }
}

#[test]
fn retina() {
    let mut run = Run::of("retina", "retina");
    let pictures = pictures(36, 4);
    let mut reference = pictures[0].clone();
    for (picture, t) in pictures.iter().zip([12, 50, 64, 30]) {
        let answers = run.frame(picture, &[("threshold", t)]);
        let events = |above: &dyn Fn(f64, f64) -> f64| -> Vec<Vec<i64>> {
            let events = picture.with(&reference, |one, other| above(one, other) > t as f64);
            events.ones().into_iter().take(200).map(|(row, column)| vec![row, column]).collect()
        };
        assert_eq!(answers.list("on"), events(&|one, other| one - other));
        assert_eq!(answers.list("off"), events(&|one, other| other - one));
        reference = picture.with(&reference, |one, other| if (one - other).abs() > t as f64 { one } else { other });
    }
}

#[test]
fn oscillators() {
    let mut run = Run::of("oscillators", "oscillators");
    let wrap = |x: f64| {
        if x > 60.0 {
            x - 120.0
        } else if x < -60.0 {
            x + 120.0
        } else {
            x
        }
    };
    let mut phase = plane(|_, _| 0.0);
    for frame in 0..12 {
        let picture = &pictures(37 + frame % 3, 1)[0];
        let answers = run.frame(picture, &[("base", 15)]);
        let moved = plane(|row, column| {
            let here = phase.here(row, column);
            let pulls = [(-1, 0), (0, 1), (1, 0), (0, -1)].iter().map(|(y, x)| {
                // At the border, the PE itself.
                wrap(phase.get(row + y, column + x).unwrap_or(here) - here)
            });
            here + 15.0 + picture.here(row, column) / 32.0 + pulls.sum::<f64>() / 8.0
        });
        let wrapped = moved.map(|level| level > 60.0).with(&super::morphology::border(), |over, border| over && border);
        let wrapped: Vec<Vec<i64>> =
            wrapped.ones().into_iter().take(100).map(|(row, column)| vec![row, column]).collect();
        assert_eq!(answers.list("wrapped"), wrapped, "{frame}");
        phase = moved.map(|level| if level > 60.0 { level - 120.0 } else { level });
        answers.has_all_levels("phase", &phase);
    }
}

#[test]
fn maze() {
    let mut run = Run::of("maze", "maze");
    let mut map = plane(|_, _| false);
    for (picture, (learn, gap)) in blobs(38, 6).iter().zip([(1, 0), (1, 1), (0, 1), (0, 2), (1, 2), (0, 0)]) {
        let answers = run.frame(picture, &[("learn", learn), ("gap", gap), ("threshold", 0)]);
        let closed = |bits: &Bits, places: &[(i64, i64)]| {
            let mut bits = bits.clone();
            (0..gap).for_each(|_| bits = grown(&bits, places));
            (0..gap).for_each(|_| bits = shrunk(&bits, places));
            bits
        };
        let bright = picture.map(|level| level > 0.0);
        let seed = plane(|row, column| (row, column) == (8, 8));
        let board = closed(&flooded(&seed, &closed(&bright, &CROSS), Some(60)), &square());
        let dark = bright.with(&board, |bright, board| !bright && board);
        let ball = plane(|row, column| dark.bit(row, column) && !map.bit(row, column) && learn == 0);
        answers.has_bits("ball", &ball);
        let mut wanted = ball.bounds();
        wanted.push((ball.count() > 0).into());
        assert_eq!(answers.numbers("where_it_is"), wanted);
        if learn == 1 {
            map = map.with(&dark, |map, dark| map || dark);
        }
    }
}

/// What a state begins with is brought into its range, as what it is given is.
#[test]
fn states_begin_in_their_range() {
    for (first, wanted) in [("t", 3), ("t - 20", 0), ("count(everywhere())", 3), ("2", 2)] {
        let text = format!("program p(t: 0..=9) -> (s) {{ state s: 0..=3 = {first}; next s = s; }}");
        assert_eq!(Run::text(&text).blind(&[("t", 9)]).number("s"), wanted, "{first}");
    }
}
