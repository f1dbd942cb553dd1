//! Whole programs on the simulator, compared with plain Rust.

use cain_runtime::isa::random::SplitMix64;
use cain_runtime::isa::{Bit, Drift, ErrorModel};
use cain_runtime::program::{Bounds, FrameError, Point};
use cain_runtime::scamp_program;
use cain_runtime::sim::{Array, SimError};

scamp_program! {
    /// What moves in front of a slowly learned background.
    pub program movement(image, threshold: 0..=127 = 24, learn: bool = true) -> (mask, pixels, area, next background) {
        state background = image;
        let change = abs(image - background);
        let mask = change > threshold;
        next background = background + 1/8 * (image - background) where !mask & learn;
        let pixels = count(mask);
        let area = bounds(mask);
    }

    /// Up to four blobs of a mask, each with its box.
    program blobs(mask: bits) -> (boxes, left, start) {
        var rest = mask;
        let start = first(mask);
        list boxes;
        while any(rest), at most 4 {
            let blob = flood(point(first(rest)), rest, until stable);
            rest = rest & !blob;
            boxes += bounds(blob);
        }
        let left = count(rest);
    }
}

scamp_program! {
    /// Bright where something has just moved, fading.
    program fading(image, decay: 1..=32 = 8) -> (next history, recent) {
        state last = image;
        state history: levels = -128;
        let moving = abs(image - last) > 20;
        next last = image;
        next history = if moving { 127 } else { max(history - decay, -128) };
        let recent = count(history > 0);
    }

    /// Inputs may have any name.
    program named(plan: bits, interface: levels, least: 0..=9 = 3) -> (bright) {
        let bright = plan & interface > least;
    }
}

scamp_program! {
    use sobel from "../corpus/gallery.toml";

    /// Where the picture gets brighter, towards the east and towards the north.
    #[search(nodes = 200)]
    program slopes(image, least: 0..=80 = 6) -> (east, north) {
        let (x, y) = sobel(image);
        let east = x > least & !border();
        let north = y > least & !border();
    }
}

scamp_program! {
    /// Tuples of two and of four numbers, some of them negative.
    program pairs(mask: bits, by: -9..=9) -> (next at, ends) {
        state at = (0, 0);
        next at = (at[0] + by, at[1] - 2);
        let ends = (-by, count(mask), -7, by / 2);
    }
}

scamp_program! {
    /// What is before a background that is learned where nothing has moved for a while.
    pub program unmoved(image) -> (before, next background, next age) {
        state last = image;
        state background = image, levels(16);
        state age: digits(4) = 0;
        let moving = abs(image - last) > 30;
        let aged = if moving { 0 } else { age + 1 };
        let before = abs(image - background) > 30;
        next last = image;
        next background = image where age > 14 & moving;
        next age = aged;
    }
}

const SIDE: usize = 32;
const PES: usize = SIDE * SIDE;

/// Light of which the array takes these levels.
fn light(levels: &[f32]) -> Vec<f32> {
    levels.iter().map(|level| (level + Array::RESET_LEVEL) / 2.0).collect()
}

#[test]
fn states_follow_frames() {
    let mut array = Array::new(SIDE, SIDE);
    let mut program = Movement::begin(&mut array).unwrap();
    let mut random = SplitMix64::new(3);
    let mut background: Option<Vec<f32>> = None;
    for (frame, (threshold, learn)) in
        [(24, true), (24, true), (60, true), (10, false), (10, true)].into_iter().enumerate()
    {
        let picture: Vec<f32> = (0..PES).map(|_| f32::from(u8::try_from(random.below(160)).unwrap()) - 80.0).collect();
        array.expose(&light(&picture)).unwrap();
        let found = program.frame(&mut array, &movement::Parameters { threshold, learn }).unwrap();
        let before = background.take().unwrap_or_else(|| picture.clone());
        let changes =
            |pe: usize| f64::from((picture[pe] - before[pe]).abs()) > f64::from(i32::try_from(threshold).unwrap());
        let wanted: Vec<bool> = (0..PES).map(changes).collect();
        let after = |pe: usize| {
            if learn && !wanted[pe] { before[pe] + (picture[pe] - before[pe]) / 8.0 } else { before[pe] }
        };
        let after: Vec<f32> = (0..PES).map(after).collect();
        let mut bits = [false; PES];
        found.mask.read(&mut array, &mut bits).unwrap();
        assert!(bits == wanted.as_slice(), "frame {frame}");
        assert_eq!(found.pixels, i64::try_from(wanted.iter().filter(|bit| **bit).count()).unwrap());
        let ones = || (0..PES).filter(|pe| wanted[*pe]);
        let area = ones().next().map(|first| Bounds {
            top: first / SIDE,
            left: ones().map(|pe| pe % SIDE).min().unwrap(),
            bottom: ones().next_back().unwrap() / SIDE,
            right: ones().map(|pe| pe % SIDE).max().unwrap(),
        });
        assert_eq!(found.area, area);
        let mut levels = [0; PES];
        found.background.read(&mut array, &mut levels).unwrap();
        assert!(levels.iter().zip(&after).all(|(found, wanted)| (f32::from(*found) - wanted).abs() <= 0.51));
        background = Some(after);
    }
}

/// What is kept as levels of few values and in bits is the same after 200 frames of the same picture, while every register
/// drifts by more in that time than there are levels between black and white.
#[test]
fn states_do_not_drift() {
    let drift = Drift { rate: 0.05, level: -128.0 };
    let mut array = Array::new(SIDE, SIDE).errors(ErrorModel { drift, ..ErrorModel::ideal() });
    let mut program = Unmoved::begin(&mut array).unwrap();
    let mut random = SplitMix64::new(5);
    let picture: Vec<f32> = (0..PES).map(|_| f32::from(u8::try_from(random.below(160)).unwrap()) - 80.0).collect();
    let mut first = None;
    for frame in 1_i64..=200 {
        array.expose(&light(&picture)).unwrap();
        let found = program.frame(&mut array).unwrap();
        let mut bits = [true; PES];
        found.before.read(&mut array, &mut bits).unwrap();
        assert!(bits.iter().all(|bit| !bit), "frame {frame}");
        for (place, digit) in [found.age_0, found.age_1, found.age_2, found.age_3].iter().enumerate() {
            digit.read(&mut array, &mut bits).unwrap();
            let is_one = frame.min(15) >> place & 1 == 1;
            assert!(bits.iter().all(|bit| *bit == is_one), "frame {frame}, bit {place}");
        }
        let mut levels = [0; PES];
        found.background.read(&mut array, &mut levels).unwrap();
        if frame >= 2 {
            assert_eq!(*first.get_or_insert(levels), levels, "frame {frame}");
        }
    }
    // Two thousand microseconds, in which registers drift by 100 DN.
    assert!(200 * unmoved::PLAN.nanoseconds() > 2_000_000, "{} ns", unmoved::PLAN.nanoseconds());
}

/// A filter of a kernel file that the source file uses, turned neither way.
#[test]
fn filters_are_called() {
    let mut array = Array::new(SIDE, SIDE);
    let mut program = Slopes::begin(&mut array).unwrap();
    let mut random = SplitMix64::new(8);
    let picture: Vec<f32> = (0..PES).map(|_| f32::from(u8::try_from(random.below(160)).unwrap()) - 80.0).collect();
    array.expose(&light(&picture)).unwrap();
    let found = program.frame(&mut array, &slopes::Parameters { least: 20 }).unwrap();
    let differs = |pe: usize, ahead: isize, aside: isize| {
        let at = |by: isize| picture[pe.checked_add_signed(by).unwrap()];
        let difference = |aside: isize| at(aside + ahead) - at(aside - ahead);
        let (row, column) = (pe / SIDE, pe % SIDE);
        let is_inside = |place: usize| (1..SIDE - 1).contains(&place);
        is_inside(row) && is_inside(column) && difference(-aside) + 2.0 * difference(0) + difference(aside) > 160.0
    };
    let (mut bits, side) = ([false; PES], isize::try_from(SIDE).unwrap());
    for (plane, ahead, aside) in [(found.east, 1, side), (found.north, -side, 1)] {
        plane.read(&mut array, &mut bits).unwrap();
        let wanted: Vec<bool> =
            (0..PES).map(|pe| pe > SIDE && pe < PES - SIDE && pe % SIDE > 0 && differs(pe, ahead, aside)).collect();
        assert!(bits == wanted.as_slice() && wanted.contains(&true), "{ahead}");
    }
}

#[test]
fn parameters_out_of_range_change_nothing() {
    let mut array = Array::new(SIDE, SIDE);
    let mut program = Movement::begin(&mut array).unwrap();
    array.expose(&[50.0; PES]).unwrap();
    let parameters = movement::Parameters { threshold: 128, ..movement::Parameters::default() };
    let error = program.frame(&mut array, &parameters).unwrap_err();
    assert_eq!(error, FrameError::Parameter { name: "threshold", found: 128, range: (0, 127) });
    let found = program.frame(&mut array, &movement::Parameters::default()).unwrap();
    assert_eq!((found.pixels, found.area), (0, None));
    array.expose(&[90.0; PES]).unwrap();
    assert_eq!(program.frame(&mut array, &movement::Parameters::default()).unwrap().pixels, 1024);
    program.reset(&mut array).unwrap();
    assert_eq!(program.frame(&mut array, &movement::Parameters::default()).unwrap().pixels, 0);
}

/// An error of the array may leave FLAG at 0 in some PEs; behind a reset, everything is as if it had not happened.
#[test]
fn errors_of_the_array_leave_nothing_behind() {
    let frames = |program: &mut Fading, array: &mut Array| {
        let mut seen = Vec::new();
        for shift in 0..3 {
            let picture: Vec<f32> =
                (0..PES).map(|pe| if pe / SIDE / 3 % 2 == shift % 2 { 100.0 } else { 20.0 }).collect();
            array.expose(&picture)?;
            let found = program.frame(array, &fading::Parameters::default());
            let (recent, history) = match found {
                Ok(found) => (found.recent, found.history),
                Err(FrameError::Array(error)) => return Err(error),
                Err(error) => panic!("{error}"),
            };
            let mut levels = [0; PES];
            history.read(array, &mut levels)?;
            seen.push((recent, levels));
        }
        Ok::<_, SimError>(seen)
    };
    let mut array = Array::new(SIDE, SIDE);
    let mut program = Fading::begin(&mut array).unwrap();
    let wanted = frames(&mut program, &mut array).unwrap();
    let mut partly = 0;
    for words in 10.. {
        let mut array = Array::new(SIDE, SIDE);
        let mut program = Fading::begin(&mut array).unwrap();
        array = array.most_words(words);
        let Err(_) = frames(&mut program, &mut array) else { break };
        array = array.most_words(u64::MAX);
        let flags = array.read_bits(Bit::Flag).unwrap();
        partly += usize::from(flags.contains(&false));
        program.reset(&mut array).unwrap();
        assert!(frames(&mut program, &mut array).unwrap() == wanted, "{words}");
    }
    assert!(partly > 0);
}

#[test]
fn inputs_have_any_name() {
    let mut array = Array::new(SIDE, SIDE);
    let mut program = Named::begin(&mut array).unwrap();
    let (plan, mut interface, mut bright) = ([true; PES], [0; PES], [false; PES]);
    interface[7] = 4;
    let found = program.frame(&mut array, &plan, &interface, &named::Parameters::default()).unwrap();
    found.bright.read(&mut array, &mut bright).unwrap();
    assert!(bright.iter().enumerate().all(|(pe, bit)| *bit == (pe == 7)));
}

#[test]
fn blobs_are_listed() {
    let mut array = Array::new(SIDE, SIDE);
    let mut program = Blobs::begin(&mut array).unwrap();
    let squares = [(3, 4, 2), (3, 12, 5), (10, 3, 1), (15, 20, 6), (25, 25, 3)];
    let mut mask = [false; PES];
    for (top, left, side) in squares {
        (top..top + side).for_each(|row| mask[row * SIDE + left..][..side].fill(true));
    }
    let found = program.frame(&mut array, &mask).unwrap();
    assert_eq!((found.left, found.start), (9, Some(Point { row: 3, column: 4 })));
    assert_eq!((found.boxes.len(), found.boxes.missed()), (4, 0));
    assert!(found.boxes.iter().eq([[3, 4, 4, 5], [3, 12, 7, 16], [10, 3, 10, 3], [15, 20, 20, 25]]));
    let found = program.frame(&mut array, &[false; PES]).unwrap();
    assert_eq!((found.left, found.start, found.boxes.is_empty()), (0, None, true));
    let error = program.frame(&mut array, &mask[1..]).unwrap_err().to_string();
    assert_eq!(error, "input `mask` has 1023 PEs, and the array has 32×32; give one value for each of them");
}

#[test]
fn tuples_keep_their_signs() {
    let mut array = Array::new(SIDE, SIDE);
    let mut program = Pairs::begin(&mut array).unwrap();
    let mask: Vec<bool> = (0..PES).map(|pe| pe % 100 == 0).collect();
    for (by, at, half) in [(-5, [-5, -2], -3), (3, [-2, -4], 1)] {
        let found = program.frame(&mut array, &mask, &pairs::Parameters { by }).unwrap();
        assert_eq!((found.at, found.ends), (at, [-by, 11, -7, half]));
    }
}
