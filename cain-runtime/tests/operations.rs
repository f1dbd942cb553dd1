//! Tests operations on the simulated array against their definition pixel by pixel, with and without the errors of the
//! chip.

use cain_runtime::io::IoError;
use cain_runtime::isa::Direction;
use cain_runtime::operations::{self, From, Halvings, Pool};
use cain_runtime::sim::{Array, ErrorModel, SimError};
use cain_runtime::trace::Counter;
use cain_runtime::{Aregs, Dregs};

const SIDE: usize = 12;

/// Values of either sign, among them 0 and equal ones, different for each seed.
fn image(seed: u16) -> Vec<f32> {
    let value = |pe: u16| f32::from((pe * 7 % 13 * pe + pe * (seed + 5) * 13 + seed * 29) % 161) - 80.0;
    (0..144).map(|pe| if (pe + seed).is_multiple_of(11) { 0.0 } else { value(pe) }).collect()
}

fn bits(seed: u16) -> Vec<bool> {
    image(seed).into_iter().map(|value| value > 3.0).collect()
}

/// The models with which operations must be right, and the error that results may have there, in DN.
fn models() -> [(ErrorModel, f32); 3] {
    [(ErrorModel::ideal(), 0.0), (ErrorModel::constant(20.0), 1e-4), (ErrorModel::measured(), 5.0)]
}

#[track_caller]
fn assert_near(found: &[f32], wanted: impl IntoIterator<Item = f32>, tolerance: f32) {
    for (pe, (found, wanted)) in found.iter().zip(wanted).enumerate() {
        assert!((found - wanted).abs() <= tolerance, "PE {pe}: {found} instead of {wanted}");
    }
}

fn pairs<T: Copy>(a: &[T], b: &[T]) -> Vec<(T, T)> {
    a.iter().copied().zip(b.iter().copied()).collect()
}

#[test]
fn operations_in_place_are_right_on_every_model() -> Result<(), SimError> {
    for (model, tolerance) in models() {
        let (mut array, mut r) = (Array::new(SIDE, SIDE).errors(model), Aregs::new());
        let (a, b) = (image(1), image(2));
        let z = array.load(&mut r.b, &b)?;

        let mut x = array.load(&mut r.a, &a)?;
        operations::relu(&mut array, &mut x)?;
        assert_near(array.read(&x)?, a.iter().map(|x| x.max(0.0)), tolerance);

        let mut x = array.load(&mut r.a, &a)?;
        operations::leaky_relu(&mut array, &mut x, Halvings::<2>, (&mut r.c, &mut r.d))?;
        assert_near(array.read(&x)?, a.iter().map(|x| if *x > 0.0 { *x } else { x / 4.0 }), tolerance);

        let mut x = array.load(&mut r.a, &a)?;
        operations::abs(&mut array, &mut x, &mut r.c)?;
        assert_near(array.read(&x)?, a.iter().map(|x| x.abs()), tolerance);

        let mut x = array.load(&mut r.a, &a)?;
        operations::max(&mut array, &mut x, &z, &mut r.c)?;
        assert_near(array.read(&x)?, pairs(&a, &b).into_iter().map(|(x, z)| x.max(z)), tolerance);

        let mut x = array.load(&mut r.a, &a)?;
        operations::min(&mut array, &mut x, &z, &mut r.c)?;
        assert_near(array.read(&x)?, pairs(&a, &b).into_iter().map(|(x, z)| x.min(z)), tolerance);

        let mut x = array.load(&mut r.a, &a)?;
        operations::clamp(&mut array, &mut x, (-30, 45), &mut r.c)?;
        assert_near(array.read(&x)?, a.iter().map(|x| x.clamp(-30.0, 45.0)), tolerance);
    }
    Ok(())
}

#[test]
fn operations_into_another_register_keep_their_operands() -> Result<(), SimError> {
    for (model, tolerance) in models() {
        let (mut array, mut r) = (Array::new(SIDE, SIDE).errors(model), Aregs::new());
        let (a, b) = (image(3), image(4));
        let (x, z) = (array.load(&mut r.a, &a)?, array.load(&mut r.b, &b)?);

        let y = operations::relu_into(&mut array, &x, &mut r.c)?;
        assert_near(array.read(&y)?, a.iter().map(|x| x.max(0.0)), tolerance);
        let y = operations::abs_into(&mut array, &x, &mut r.c)?;
        assert_near(array.read(&y)?, a.iter().map(|x| x.abs()), tolerance);
        let y = operations::max_into(&mut array, &x, &z, &mut r.c)?;
        assert_near(array.read(&y)?, pairs(&a, &b).into_iter().map(|(x, z)| x.max(z)), tolerance);
        let y = operations::min_into(&mut array, &x, &z, &mut r.c)?;
        assert_near(array.read(&y)?, pairs(&a, &b).into_iter().map(|(x, z)| x.min(z)), tolerance);

        let y = operations::shift_into(&mut array, &x, From::<-1, 2>, &mut r.c)?;
        let inside = |pe: usize| pe % SIDE >= 1 && pe / SIDE >= 2;
        let moved = array.read(&y)?;
        for pe in (0..SIDE * SIDE).filter(|&pe| inside(pe)) {
            assert_near(&moved[pe..=pe], [a[pe - 1 - 2 * SIDE]], tolerance);
        }
        assert_eq!((array.read(&x)?, array.read(&z)?), (&a[..], &b[..]));
    }
    Ok(())
}

#[test]
fn bits_come_from_comparisons_and_decide() -> Result<(), SimError> {
    for (model, tolerance) in models() {
        let (mut array, mut r, mut d) = (Array::new(SIDE, SIDE).errors(model), Aregs::new(), Dregs::new());
        let (a, b) = (image(5), image(6));
        let (x, z) = (array.load(&mut r.a, &a)?, array.load(&mut r.b, &b)?);

        let bright = operations::threshold(&mut array, &x, 17, &mut d.r5)?;
        assert_eq!(array.read_bit_plane(&bright)?, a.iter().map(|x| *x > 17.0).collect::<Vec<_>>());
        let positive = operations::positive(&mut array, &x, &mut d.r6)?;
        assert_eq!(array.read_bit_plane(&positive)?, a.iter().map(|x| *x > 0.0).collect::<Vec<_>>());
        let above = operations::above(&mut array, &x, &z, &mut d.r7, &mut r.c)?;
        for (found, (x, z)) in array.read_bit_plane(&above)?.into_iter().zip(pairs(&a, &b)) {
            // Two transfers lose a little of the difference.
            assert!(found == (x > z) || (x - z).abs() <= tolerance / 2.0, "{x} > {z}");
        }

        let decided = pairs(&a, &b).into_iter().zip(array.read_bit_plane(&bright)?);
        let selected = decided.clone().map(|((x, z), bit)| if bit { x } else { z });
        let y = operations::select_into(&mut array, &bright, &x, &z, &mut r.c)?;
        assert_near(array.read(&y)?, selected, tolerance);
        let y = operations::level_into(&mut array, &bright, -90, &mut r.c)?;
        assert_near(array.read(&y)?, decided.clone().map(|(_, bit)| if bit { -90.0 } else { 0.0 }), tolerance);
        let mut y = array.load(&mut r.c, &a)?;
        operations::mask(&mut array, &mut y, &bright)?;
        assert_near(array.read(&y)?, decided.clone().map(|((x, _), bit)| if bit { x } else { 0.0 }), tolerance);
        let mut y = array.load(&mut r.c, &a)?;
        operations::replace(&mut array, &mut y, &bright, &z)?;
        assert_near(array.read(&y)?, decided.map(|((x, z), bit)| if bit { z } else { x }), tolerance);
    }
    Ok(())
}

/// The largest and the mean pixel of windows of a smaller image.
fn pooled(image: &[f32], side: usize, size: u8) -> (Vec<f32>, Vec<f32>) {
    let (mut largest, mut mean) = (Vec::new(), Vec::new());
    let (pixels_of_window, size) = (f32::from(size).powi(2), usize::from(size));
    for (row, column) in (0..side).step_by(size).flat_map(|row| (0..side).step_by(size).map(move |c| (row, c))) {
        let pixels = || (0..size * size).map(|i| image[(row + i / size) * side + column + i % size]);
        largest.push(pixels().fold(f32::MIN, f32::max));
        mean.push(pixels().sum::<f32>() / pixels_of_window);
    }
    (largest, mean)
}

/// The PEs of every `step`-th row and column.
fn sparse(plane: &[f32], step: usize) -> Vec<f32> {
    let pes = (0..SIDE).step_by(step).flat_map(|row| (0..SIDE).step_by(step).map(move |c| row * SIDE + c));
    pes.map(|pe| plane[pe]).collect()
}

#[test]
fn poolings_follow_each_other_on_a_wider_grid() -> Result<(), SimError> {
    for (model, tolerance) in models() {
        let (mut array, mut r) = (Array::new(SIDE, SIDE).errors(model), Aregs::new());
        let a = image(7);

        let mut x = array.load(&mut r.a, &a)?;
        operations::max_pool(&mut array, &mut x, Pool::<2, 1>, &mut r.b)?;
        let (once, _) = pooled(&a, SIDE, 2);
        assert_near(&sparse(array.read(&x)?, 2), once.iter().copied(), tolerance);
        operations::max_pool(&mut array, &mut x, Pool::<3, 2>, &mut r.b)?;
        assert_near(&sparse(array.read(&x)?, 6), pooled(&once, SIDE / 2, 3).0, 2.0 * tolerance);

        let mut x = array.load(&mut r.a, &a)?;
        operations::mean_pool(&mut array, &mut x, Pool::<4, 1>, (&mut r.b, &mut r.c))?;
        assert_near(&sparse(array.read(&x)?, 4), pooled(&a, SIDE, 4).1, 2.0 * tolerance);
    }
    Ok(())
}

#[test]
fn bits_are_combined_and_moved() -> Result<(), SimError> {
    let (mut array, mut d) = (Array::new(SIDE, SIDE), Dregs::new());
    let (p, q, s) = (bits(1), bits(2), bits(3));
    let x = array.load_bit_plane(&mut d.r5, &p)?;
    let z = array.load_bit_plane(&mut d.r6, &q)?;
    let w = array.load_bit_plane(&mut d.r7, &s)?;
    let all = |function: fn(bool, bool, bool) -> bool| -> Vec<bool> {
        pairs(&p, &q).into_iter().zip(&s).map(|((x, z), w)| function(x, z, *w)).collect()
    };

    let y = operations::not_into(&mut array, &x, &mut d.r8)?;
    assert_eq!(array.read_bit_plane(&y)?, all(|x, _, _| !x));
    let y = operations::or_into(&mut array, &x, &z, &mut d.r8)?;
    assert_eq!(array.read_bit_plane(&y)?, all(|x, z, _| x || z));
    let y = operations::and_into(&mut array, &x, &z, &mut d.r8, (&mut d.r0, &mut d.r9))?;
    assert_eq!(array.read_bit_plane(&y)?, all(|x, z, _| x && z));
    let y = operations::and_not_into(&mut array, &x, &z, &mut d.r8, &mut d.r0)?;
    assert_eq!(array.read_bit_plane(&y)?, all(|x, z, _| x && !z));
    let y = operations::xor_into(&mut array, &x, &z, &mut d.r8, (&mut d.r0, &mut d.r9))?;
    assert_eq!(array.read_bit_plane(&y)?, all(|x, z, _| x ^ z));
    let scratch = (&mut d.r0, &mut d.r9, &mut d.r10);
    let y = operations::majority_into(&mut array, (&x, &z, &w), &mut d.r8, scratch)?;
    assert_eq!(array.read_bit_plane(&y)?, all(|x, z, w| u8::from(x) + u8::from(z) + u8::from(w) >= 2));
    let scratch = (&mut d.r0, &mut d.r9, &mut d.r10);
    let y = operations::choose_into(&mut array, &w, (&x, &z), &mut d.r8, scratch)?;
    assert_eq!(array.read_bit_plane(&y)?, all(|x, z, w| if w { x } else { z }));

    let switches = (&mut d.r1, &mut d.r2, &mut d.r3, &mut d.r4);
    let y = operations::neighbour_into(&mut array, &x, Direction::East, &mut d.r8, switches)?;
    let east = |pe: usize| pe % SIDE + 1 < SIDE && p[pe + 1];
    assert_eq!(array.read_bit_plane(&y)?, (0..SIDE * SIDE).map(east).collect::<Vec<_>>());

    let (scratch, switches) = ((&mut d.r0, &mut d.r9), (&mut d.r1, &mut d.r2, &mut d.r3, &mut d.r4));
    let y = operations::any_pool_into(&mut array, &x, Pool::<3, 2>, &mut d.r8, scratch, switches)?;
    let inside = |pe: usize, south: usize, east: usize| pe / SIDE + south < SIDE && pe % SIDE + east < SIDE;
    let any = |pe: usize| {
        let mut window = (0..9).map(|i| (i / 3 * 2, i % 3 * 2)).filter(|&(south, east)| inside(pe, south, east));
        window.any(|(south, east)| p[pe + south * SIDE + east])
    };
    assert_eq!(array.read_bit_plane(&y)?, (0..SIDE * SIDE).map(any).collect::<Vec<_>>());
    Ok(())
}

#[test]
fn the_lowest_level_is_no_threshold() {
    let (mut array, mut r, mut d) = (Counter::new(Array::new(1, 1)), Aregs::new(), Dregs::new());
    let mut x = r.a.hold();
    let refused = SimError::from(IoError::Level(-128));
    assert_eq!(operations::threshold(&mut array, &x, -128, &mut d.r5).unwrap_err(), refused);
    assert_eq!(operations::clamp(&mut array, &mut x, (0, -128), &mut r.b).unwrap_err(), refused);
    assert_eq!(array.icws(), 0);
    assert_eq!(refused.to_string(), "level -128 cannot be compared with; use one from -127 to 127");
}
