//! Kept planes, moves under masks and other short programs.

use super::morphology::{flooded, square};
use super::planes::{Bits, Plane, blobs, pictures, plane};
use super::run::{Run, borrowed, region};

#[test]
fn keep() {
    let mut run = Run::of("keep", "keep");
    let mut kept = (plane(|_, _| 0.0), plane(|_, _| false));
    for (picture, take) in pictures(90, 4).iter().zip([0, 1, 0, 1]) {
        if take == 1 {
            kept = (picture.clone(), picture.map(|level| level > 32.0));
        }
        let answers = run.frame(picture, &[("take", take)]);
        answers.has_all_levels("picture", &kept.0);
        answers.has_bits("bright", &kept.1);
    }
}

#[test]
fn loading() {
    let codes = plane(|row, column| (row * 16 + column) * 7 % 32);
    let planes: Vec<Bits> = (0..5).map(|bit| codes.map(|code| code >> bit & 1 == 1)).collect();
    let answers = Run::of("loading", "loading").bit_planes(&planes);
    answers.has_all_levels("picture", &codes.map(|code| code as f64 * 6.0 - 93.0));
}

#[test]
fn moved_code() {
    let mut run = Run::of("moved_code", "moved_code");
    for (picture, (east, north)) in pictures(91, 3).iter().zip([(0, 0), (3, 9), (-10, -1)]) {
        let answers = run.frame(picture, &[("east", east), ("north", north)]);
        let moved = plane(|row, column| picture.get(row + north, column - east));
        answers.has_levels("moved", &moved);
        // Bits that come in are 0: the lowest step.
        let code = |level: f64| ((level + 128.0) / 16.0).floor() * 16.0 - 120.0;
        answers.has_all_levels("moved_code", &moved.map(|level| level.map_or(-120.0, code)));
    }
}

#[test]
fn shapes_on_request() {
    let mut run = Run::of("shape", "shape");
    let (mut rest, mut shape) = (plane(|_, _| false), plane(|_, _| false));
    for (picture, (renew, take)) in blobs(92, 7).iter().zip([(0, 1), (1, 0), (0, 1), (0, 1), (1, 1), (0, 0), (0, 1)]) {
        let answers = run.frame(picture, &[("renew", renew), ("take", take)]);
        let bright = if renew == 1 { picture.map(|level| level > 32.0) } else { rest.clone() };
        if take == 1 {
            let first = bright.ones().first().copied();
            shape = flooded(&plane(|row, column| Some((row, column)) == first), &bright, Some(20));
        }
        rest = bright.with(&shape, |bright, shape| bright && !shape);
        answers.has_bits("shape", &shape);
        let mut wanted = shape.bounds();
        wanted.push((shape.count() > 0).into());
        assert_eq!(answers.numbers("box"), wanted);
    }
}

#[test]
fn walls() {
    let mut run = Run::of("walls", "walls");
    let inside = |[top, left, height, width]: [i64; 4]| {
        plane(|row, column| (top..top + height).contains(&row) && (left..left + width).contains(&column))
    };
    let mut walls = plane(|_, _| false);
    let seeds = [5, 5, 2, 2];
    let frames = [([0, 3, 9, 1], 1, 0, 0), ([8, 0, 1, 16], 1, 0, 0), ([0, 9, 7, 1], 1, 0, 1), ([0, 0, 1, 1], 0, 1, 0)];
    for (wall, add, clear, sideways) in frames {
        let mut parameters = [region("wall", wall), region("seeds", seeds)].concat();
        let others = [("add", add), ("clear", clear), ("sideways", sideways), ("steps", 6)];
        parameters.extend(others.map(|(name, value)| (name.to_owned(), value)));
        let answers = run.blind(&borrowed(&parameters));
        let new = inside(wall);
        walls = walls.with(&new, |old, new| (old || new && add == 1) && clear == 0);
        let free = walls.map(|wall| !wall);
        let reached = if sideways == 1 {
            let mut reached = inside(seeds).with(&free, |seed, free| seed && free);
            for _ in 0..6 {
                reached =
                    plane(|row, column| free.bit(row, column) && (-1..=1).any(|east| reached.bit(row, column + east)));
            }
            reached
        } else {
            flooded(&inside(seeds), &free, Some(6))
        };
        answers.has_bits("reached", &reached);
    }
}

#[test]
fn hysteresis() {
    let mut run = Run::of("hysteresis", "hysteresis");
    for picture in &pictures(93, 3) {
        let (low, high) = (picture.map(|level| level > 40.0), picture.map(|level| level > 90.0));
        let mut reached = high;
        loop {
            let next = plane(|row, column| {
                low.bit(row, column) && square().iter().any(|(y, x)| reached.bit(row + y, column + x))
            });
            if next == reached {
                break;
            }
            reached = next;
        }
        let answers = run.frame(picture, &[("low", 40), ("high", 90)]);
        answers.has_bits("things", &reached);
        assert_eq!(answers.number("number"), reached.count());
    }
}

#[test]
fn recurrent() {
    const SEEN: [[f64; 3]; 3] = [[1.0, -1.0, 1.0], [-1.0, 1.0, -1.0], [1.0, 1.0, 1.0]];
    const KEPT: [[f64; 3]; 3] = [[-1.0, 1.0, 1.0], [1.0, 1.0, -1.0], [-1.0, 1.0, -1.0]];
    let mut run = Run::of("recurrent", "recurrent");
    let mut memory = plane(|_, _| true);
    // What is not defined at the border is above nothing.
    let convolved = |bits: &Bits, kernel: &[[f64; 3]; 3], row: i64, column: i64| {
        let mut sum = 0.0;
        for (y, weights) in (-1..).zip(kernel) {
            for (x, weight) in (-1..).zip(weights) {
                sum += weight * if bits.get(row + y, column + x)? { 4.0 } else { -4.0 };
            }
        }
        Some(sum)
    };
    for (picture, bias) in pictures(94, 4).iter().zip([0, 8, -12, 0]) {
        let answers = run.frame(picture, &[("bias", bias)]);
        let seen = picture.map(|level| level > 0.0);
        let out =
            plane(|row, column| Some(convolved(&seen, &KEPT, row, column)? + convolved(&memory, &SEEN, row, column)?));
        answers.has_levels("out", &out);
        let gate = plane(|row, column| {
            let sum = convolved(&seen, &SEEN, row, column).zip(convolved(&memory, &KEPT, row, column));
            sum.is_some_and(|(one, other)| one + other - bias as f64 > 0.0)
        });
        memory = gate.with(&memory, |gate, memory| gate == memory);
        answers.has_bits("memory", &memory);
    }
}

/// Where a PE beyond lines moves from: so many PEs nearer to the centre.
fn lines(place: i64, centre: i64, apart: i64, count: i64) -> i64 {
    let passed = ((place - centre).abs() / apart).min(count);
    if place < centre { -passed } else { passed }
}

/// Rows move aside: to the west below the centre.
fn skewed_rows(bits: &Bits, centre: i64, apart: i64, count: i64) -> Bits {
    Plane::of(bits.height, bits.width, |row, column| bits.bit(row, column + lines(row, centre, apart, count)))
}

#[test]
fn turn() {
    let mut run = Run::of("turn", "turn");
    for (picture, (count, apart)) in blobs(95, 4).iter().zip([(0, 4), (1, 3), (2, 2), (3, 1)]) {
        let parameters = [("lines", count), ("apart", apart), ("row", 5), ("column", 8)];
        let once = skewed_rows(&picture.map(|level| level > 32.0), 5, apart, count);
        let twice = plane(|row, column| once.bit(row - lines(column, 8, apart, count), column));
        run.frame(picture, &parameters).has_bits("turned", &skewed_rows(&twice, 5, apart, count));
    }
}

#[test]
fn scale() {
    let mut run = Run::of("scale", "scale");
    let picture = &blobs(96, 1)[0];
    let answers = run.frame(picture, &[("lines", 1), ("apart", 3), ("centre", 6)]);
    let bright = picture.map(|level| level > 32.0);
    // One line: what lies beyond it comes from one PE nearer to the centre.
    let from = |place: i64| {
        if place >= 9 {
            place - 1
        } else if place <= 3 {
            place + 1
        } else {
            place
        }
    };
    answers.has_bits("scaled", &plane(|row, column| bright.bit(from(row), from(column))));
}

#[test]
fn perspective() {
    let mut run = Run::of("perspective", "perspective");
    for (picture, (lines, apart, down)) in blobs(99, 4).iter().zip([(0, 2, 2), (1, 3, 4), (3, 2, 1), (3, 1, 3)]) {
        let bright = picture.map(|level| level > 32.0);
        let seen = plane(|row, column| {
            // Back to where it was: the last line was the last to move it.
            let back = |place: i64, line: i64| match (place - 8) / (apart * line) {
                _ if row < down * line => place,
                1.. => place - 1,
                ..=-1 => place + 1,
                0 => place,
            };
            bright.bit(row, (1..=lines).rev().fold(column, back))
        });
        let parameters = [("lines", lines), ("apart", apart), ("down", down), ("centre", 8)];
        run.frame(picture, &parameters).has_bits("seen", &seen);
    }
}

#[test]
fn filters() {
    let picture = &pictures(97, 1)[0];
    let answers = Run::of("filters", "filters").frame(picture, &[]);
    let sum = |weight: fn(i64, i64) -> f64| {
        plane(move |row, column| {
            square().iter().map(|(y, x)| Some(weight(*y, *x) * picture.get(row + y, column + x)?)).sum::<Option<f64>>()
        })
    };
    answers.has_levels("gauss", &sum(|y, x| ((2 - y.abs()) * (2 - x.abs())) as f64 / 16.0));
    let mean = sum(|_, _| 1.0 / 9.0);
    answers.has_levels("detail", &picture.with(&mean, |level, mean| Some(level - mean?)));
}

#[test]
fn quantisation() {
    let picture = &pictures(98, 1)[0];
    let answers = Run::of("quantisation", "quantisation").frame(picture, &[]);
    answers.has_bits("negative", &picture.map(|level| level < 0.0));
    let code = picture.map(|level| (level.abs() / 16.0).floor().min(7.0));
    for bit in 0..3 {
        answers.has_bits(&format!("size.{bit}"), &code.map(|code| code as i64 >> bit & 1 == 1));
    }
    let back = picture.with(&code, |level, code| if level < 0.0 { -(code * 16.0 + 8.0) } else { code * 16.0 + 8.0 });
    answers.has_all_levels("picture", &back);
}
