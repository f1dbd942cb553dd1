//! Programs without states and loops.

use super::planes::{Bits, HEIGHT, Levels, WIDTH, pictures, plane};
use super::run::{Run, borrowed, region};

/// Levels where both are defined.
fn less(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    Some(one? - other?)
}

#[test]
fn threshold() {
    let mut run = Run::of("threshold", "threshold");
    for (picture, t) in pictures(1, 3).iter().zip([32, -100, 0]) {
        run.frame(picture, &[("threshold", t)]).has_bits("bright", &picture.map(|level| level > t as f64));
    }
}

#[test]
fn ones() {
    let mut run = Run::of("ones", "ones");
    for (picture, t) in pictures(11, 3).iter().zip([32, -100, 99]) {
        let bright = picture.map(|level| level > t as f64);
        let answers = run.frame(picture, &[("threshold", t)]);
        answers.has_bits("bright", &bright);
        assert_eq!(answers.number("number"), bright.count());
    }
}

#[test]
fn capture() {
    let mut run = Run::of("capture", "capture");
    let picture = &pictures(12, 1)[0];
    run.frame(picture, &[("coarse", 0)]).has_all_levels("picture", picture);
    let coarse = picture.map(|level| (level / 16.0).floor() * 16.0 + 8.0);
    run.frame(picture, &[("coarse", 1)]).has_all_levels("picture", &coarse);
}

#[test]
fn rectangles() {
    let mut run = Run::of("rectangles", "rectangles");
    let inside = |[top, left, height, width]: [i64; 4]| {
        plane(|row, column| (top..top + height).contains(&row) && (left..left + width).contains(&column))
    };
    for (one, other) in [([1, 2, 5, 6], [3, 4, 20, 5]), ([0, 0, 0, 3], [4, 4, 1, 1])] {
        let answers = run.blind(&borrowed(&[region("one", one), region("other", other)].concat()));
        let (a, b) = (inside(one), inside(other));
        answers.has_bits("both", &a.with(&b, |a, b| a && b));
        answers.has_bits("either_of_them", &a.with(&b, |a, b| a || b));
        answers.has_bits("not_both", &a.with(&b, |a, b| !(a && b)));
        answers.has_bits("exactly_one", &a.with(&b, |a, b| a != b));
    }
}

#[test]
fn bounding_box() {
    let mut run = Run::of("bounding_box", "bounding_box");
    let parts = [region("a", [2, 9, 2, 2]), region("b", [5, 3, 1, 4]), region("c", [0, 0, 0, 0])].concat();
    assert_eq!(run.blind(&borrowed(&parts)).numbers("around"), [2, 3, 5, 10, 1]);
    let none = ["a", "b", "c"].map(|name| region(name, [1, 1, 0, 5])).concat();
    assert_eq!(run.blind(&borrowed(&none)).numbers("around"), [0, 0, 0, 0, 0]);
}

#[test]
fn shifts() {
    let mut run = Run::of("shifted", "shifted");
    let mut bits = Run::of("shifted_bits", "shifted_bits");
    for (picture, (east, north)) in pictures(2, 5).iter().zip([(0, 0), (3, -2), (-9, 11), (20, 0), (1, 8)]) {
        let amounts = [("east", east), ("north", north)];
        let answers = run.frame(picture, &amounts);
        let moved = plane(|row, column| picture.get(row + north, column - east));
        answers.has_levels("moved", &moved);
        answers.has_levels("change", &picture.with(&moved, |one, other| less(Some(one), other)));
        for outside in [false, true] {
            let answers = bits.frame(picture, &[amounts.as_slice(), &[("outside_is", outside.into())]].concat());
            let bright =
                plane(|row, column| picture.get(row + north, column - east).map_or(outside, |level| level > 32.0));
            answers.has_bits("moved", &bright);
        }
    }
}

#[test]
fn edges() {
    let mut run = Run::of("edges", "edges");
    for (picture, t) in pictures(3, 2).iter().zip([24, 90]) {
        let answers = run.frame(picture, &[("threshold", t)]);
        let of = |south: i64, east: i64| {
            plane(|row, column| less(picture.get(row + south, column + east), picture.get(row, column)).map(f64::abs))
        };
        let (vertical, horizontal) = (of(0, -1), of(1, 0));
        answers.has_levels("vertical", &vertical);
        answers.has_levels("horizontal", &horizontal);
        // What is not defined at the border is above no threshold.
        let above = |level: Option<f64>| level.is_some_and(|level| level > t as f64);
        answers.has_bits("edges", &vertical.with(&horizontal, |one, other| above(one) || above(other)));
    }
}

/// The sum of weighted neighbours, where all of them are on the array; rows of weights from the north.
fn filtered(picture: &Levels, weights: &[&[f64]]) -> super::planes::Plane<Option<f64>> {
    let (height, width) = (weights.len() as i64, weights[0].len() as i64);
    plane(|row, column| {
        let mut sum = 0.0;
        for (y, weights) in (-height / 2..).zip(weights) {
            for (x, weight) in (-width / 2..).zip(*weights) {
                if *weight != 0.0 {
                    sum += weight * picture.get(row + y, column + x)?;
                }
            }
        }
        Some(sum)
    })
}

#[test]
fn sobel() {
    let picture = &pictures(4, 1)[0];
    let answers = Run::of("sobel", "sobel").frame(picture, &[]);
    let x = filtered(picture, &[&[-1.0, 0.0, 1.0], &[-2.0, 0.0, 2.0], &[-1.0, 0.0, 1.0]]);
    let y = filtered(picture, &[&[1.0, 2.0, 1.0], &[0.0, 0.0, 0.0], &[-1.0, -2.0, -1.0]]);
    answers.has_levels("strength", &x.with(&y, |x, y| Some((x?.abs() + y?.abs()) / 8.0)));
    let laplace = filtered(picture, &[&[0.0, -1.0, 0.0], &[-1.0, 4.0, -1.0], &[0.0, -1.0, 0.0]]);
    answers.has_levels("curvature", &laplace.map(|level| level.map(|level| level.abs() / 4.0)));
}

#[test]
fn adaptive_threshold() {
    let mut run = Run::of("adaptive_threshold", "adaptive_threshold");
    let weights: [&[f64]; 5] = [
        &[1.0, 1.0, 1.0, 1.0, 1.0],
        &[1.0, 1.0, 2.0, 1.0, 1.0],
        &[1.0, 2.0, 4.0, 2.0, 1.0],
        &[1.0, 1.0, 2.0, 1.0, 1.0],
        &[1.0, 1.0, 1.0, 1.0, 1.0],
    ];
    for (picture, offset) in pictures(5, 2).iter().zip([35, 3]) {
        let mean = filtered(picture, &weights);
        let above = |level: f64, mean: Option<f64>| mean.is_some_and(|mean| level - mean / 32.0 + offset as f64 > 0.0);
        run.frame(picture, &[("offset", offset)]).has_bits("bright", &picture.with(&mean, above));
    }
}

#[test]
fn medians() {
    let picture = &pictures(6, 1)[0];
    let cross: &[(i64, i64)] = &[(0, 0), (0, 1), (0, -1), (1, 0), (-1, 0)];
    let square: Vec<(i64, i64)> = (-1..=1).flat_map(|y| (-1..=1).map(move |x| (y, x))).collect();
    for (name, places) in [("median", cross), ("median_of_nine", &square)] {
        let median = plane(|row, column| {
            let mut around: Vec<f64> =
                places.iter().map(|(y, x)| picture.get(row + y, column + x)).collect::<Option<_>>()?;
            around.sort_by(f64::total_cmp);
            Some(around[around.len() / 2])
        });
        Run::of("median", name).frame(picture, &[]).has_levels("smooth", &median);
    }
}

#[test]
fn convolution() {
    let picture = &pictures(7, 1)[0];
    // The last of eight neighbours has half of the weight, the one before it a quarter.
    let spiral: [(i64, i64); 8] = [(0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0), (1, 1)];
    let wanted = plane(|row, column| {
        let mut sum = picture.here(row, column) / 256.0;
        for (k, (y, x)) in spiral.iter().enumerate() {
            sum += picture.get(row + y, column + x)? / f64::from(1 << (8 - k));
        }
        Some(sum)
    });
    Run::of("convolution", "convolution").frame(picture, &[]).has_levels("result", &wanted);
}

const RING: [(i64, i64); 16] = [
    (-3, 0),
    (-3, 1),
    (-2, 2),
    (-1, 3),
    (0, 3),
    (1, 3),
    (2, 2),
    (3, 1),
    (3, 0),
    (3, -1),
    (2, -2),
    (1, -3),
    (0, -3),
    (-1, -3),
    (-2, -2),
    (-3, -1),
];

/// Whether nine neighbours in a ring are far above, or far below the middle.
fn corners(picture: &Levels, sign: f64, t: f64) -> Bits {
    plane(|row, column| {
        let middle = picture.here(row, column);
        let differs =
            |(y, x): (i64, i64)| picture.get(row + y, column + x).is_some_and(|level| sign * (level - middle) > t);
        (0..16).any(|start| (start..start + 9).all(|place| differs(RING[place % 16])))
    })
}

#[test]
fn fast() {
    let mut run = Run::of("fast", "fast");
    for (picture, t) in super::planes::blobs(8, 4).iter().zip([20, 50, 1, 64]) {
        let corners =
            corners(picture, 1.0, t as f64).with(&corners(picture, -1.0, t as f64), |one, other| one || other);
        assert!(corners.count() > 0);
        run.frame(picture, &[("threshold", t)]).has_bits("corners", &corners);
    }
}

#[test]
fn corners_of_four_points() {
    let picture = &pictures(9, 1)[0];
    let wanted = plane(|row, column| {
        let above = |(y, x): &(i64, i64)| {
            picture.get(row + y, column + x).is_some_and(|level| level - picture.here(row, column) > 20.0)
        };
        [(3, 0), (-3, 0), (0, 3), (0, -3)].iter().filter(|place| above(place)).count() >= 3
    });
    Run::of("corners", "corners").frame(picture, &[("threshold", 20)]).has_bits("corners", &wanted);
}

#[test]
fn patterns_and_events() {
    let answers = Run::of("pattern", "pattern").blind(&[]);
    answers.has_bits("grid", &plane(|row, column| row % 4 == 1 && column % 2 == 0));
    answers.has_bits("rows_alone", &plane(|row, _| row % 4 == 1));
    let mut run = Run::of("events", "events");
    for (picture, t) in pictures(10, 2).iter().zip([90, 0]) {
        let points = picture.map(|level| level > t as f64).ones().into_iter().take(20);
        let points: Vec<Vec<i64>> = points.map(|(row, column)| vec![row, column]).collect();
        assert_eq!(run.frame(picture, &[("threshold", t)]).list("points"), points);
    }
}

#[test]
fn alarm() {
    let mut run = Run::of("alarm", "alarm");
    for (picture, t) in pictures(11, 4).iter().zip([90, 99, 0, 60]) {
        let part = [2, 3, 3, 4];
        let parameters = [vec![("threshold".to_owned(), t)], region("part", part).to_vec()].concat();
        let answers = run.frame(picture, &borrowed(&parameters));
        let inside = |row: i64, column: i64| (2..5).contains(&row) && (3..7).contains(&column);
        let any = plane(|row, column| inside(row, column) && picture.here(row, column) > t as f64).count() > 0;
        assert_eq!(answers.number("alarm"), any.into());
        answers.has_bits("everywhere_one", &plane(|_, _| any));
    }
}

#[test]
fn histogram() {
    let picture = &pictures(12, 1)[0];
    let answers = Run::of("histogram", "histogram").frame(picture, &[]);
    let mut counts = vec![vec![0]; 16];
    for level in &picture.values {
        counts[((level + 128.0) / 16.0) as usize][0] += 1;
    }
    assert_eq!(answers.list("counts"), counts);
    let sum: f64 = picture.values.iter().sum();
    assert_eq!(answers.number("whole"), (sum / 4096.0).round() as i64);
    assert_eq!(counts.iter().flatten().sum::<i64>(), HEIGHT * WIDTH);
}

#[test]
fn addresses() {
    let mut run = Run::of("addresses", "addresses");
    for [row, free_rows, column, free_columns] in [[3, 252, 9, 0], [0, 255, 1, 254], [5, 2, 255, 240], [200, 0, 4, 255]]
    {
        let parameters = [("row", row), ("free_rows", free_rows), ("column", column), ("free_columns", free_columns)];
        let agrees = |address: i64, value: i64, free: i64| (address ^ value) & (255 ^ free) == 0;
        let wanted = plane(|y, x| agrees(y, row, free_rows) && agrees(x, column, free_columns));
        run.blind(&parameters).has_bits("chosen", &wanted);
    }
}
