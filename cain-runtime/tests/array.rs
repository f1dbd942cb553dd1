//! Tests of the simulated array: orientation, borders, range, and errors.

use cain_runtime::Aregs;
use cain_runtime::isa::asm::*;
use cain_runtime::isa::{HostController, Instruction, Store};
use cain_runtime::sim::{Array, ErrorModel, SimError};

/// The corner of an image without any symmetry.
#[rustfmt::skip]
const IMAGE: [f32; 12] = [
    1.0,  2.0,  3.0,  4.0,
    5.0,  6.0,  7.0,  8.0,
    9.0, 10.0, 11.0, 12.0,
];

/// `IMAGE` in A of a 4×3 array.
fn array() -> Array {
    let mut array = Array::new(4, 3);
    array.load_reg(A, &IMAGE).unwrap();
    array
}

/// The contents of B after the instructions, with `IMAGE` in A.
fn run(instructions: &[Instruction]) -> Vec<f32> {
    let mut array = array();
    for &instruction in instructions {
        array.execute(instruction).unwrap();
    }
    array.read_reg(B).unwrap().to_vec()
}

#[test]
#[rustfmt::skip]
fn row_0_is_north_and_column_0_is_west() {
    assert_eq!(run(&[movx(B, A, NORTH)]), [
        0.0, 0.0, 0.0, 0.0,
        1.0, 2.0, 3.0, 4.0,
        5.0, 6.0, 7.0, 8.0,
    ]);
    assert_eq!(run(&[movx(B, A, EAST)]), [
         2.0,  3.0,  4.0, 0.0,
         6.0,  7.0,  8.0, 0.0,
        10.0, 11.0, 12.0, 0.0,
    ]);
    assert_eq!(run(&[movx(B, A, SOUTH)]), [
        5.0,  6.0,  7.0,  8.0,
        9.0, 10.0, 11.0, 12.0,
        0.0,  0.0,  0.0,  0.0,
    ]);
    assert_eq!(run(&[movx(B, A, WEST)]), [
        0.0, 1.0,  2.0,  3.0,
        0.0, 5.0,  6.0,  7.0,
        0.0, 9.0, 10.0, 11.0,
    ]);
}

#[test]
#[rustfmt::skip]
fn two_steps_in_one_instruction() {
    assert_eq!(run(&[mov2x(B, A, SOUTH, EAST)]), [
         6.0,  7.0,  8.0, 0.0,
        10.0, 11.0, 12.0, 0.0,
         0.0,  0.0,  0.0, 0.0,
    ]);
    assert_eq!(run(&[sub2x(B, A, NORTH, NORTH, A)]), [
        -1.0, -2.0, -3.0, -4.0,
        -5.0, -6.0, -7.0, -8.0,
        -8.0, -8.0, -8.0, -8.0,
    ]);
}

#[test]
fn ports_are_the_news_of_a_neighbour_read_and_written() {
    // Reading XE takes NEWS of the eastern neighbour; writing XE fills it, so every PE receives from its western
    // neighbour.
    let read = run(&[bus(&[NEWS], &[reg(A)]), bus(&[reg(B)], &[XE])]);
    assert_eq!(read, run(&[movx(B, A, EAST)]));
    let written = run(&[bus(&[XE], &[reg(A)]), bus(&[reg(B)], &[NEWS])]);
    assert_eq!(written, run(&[movx(B, A, WEST)]));
}

#[test]
fn a_shared_bus_divides() {
    let mut array = array();
    array.execute(bus(&[reg(B), reg(C), NEWS], &[reg(A)])).unwrap();
    let third = IMAGE.map(|value| -value / 3.0);
    assert_eq!(array.read_reg(B).unwrap(), third);
    assert_eq!(array.read_reg(C).unwrap(), third);
    assert_eq!(run(&[divq(B, A)]), IMAGE.map(|value| value / 2.0));
}

#[test]
fn a_saturating_array_cuts_every_value_written() {
    let load = |mode| {
        let mut array = Array::new(3, 1).errors(mode);
        array.load_reg(A, &[-200.0, 100.0, -128.0]).unwrap();
        array
    };
    let twice = [mov(C, A), add(B, A, C)];

    let mut ideal = load(ErrorModel::ideal());
    twice.into_iter().try_for_each(|line| ideal.execute(line)).unwrap();
    assert_eq!(ideal.read_reg(B).unwrap(), [-400.0, 200.0, -256.0]);

    let mut saturating = load(ErrorModel::saturating());
    assert_eq!(saturating.read_reg(A).unwrap(), [-128.0, 100.0, -128.0]);
    // All values pass through NEWS, negated: it holds at most 127.
    twice.into_iter().try_for_each(|line| saturating.execute(line)).unwrap();
    assert_eq!(saturating.read_reg(B).unwrap(), [-127.0, 127.0, -127.0]);
}

#[test]
fn reading_what_was_never_written_is_an_error() {
    let mut array = array();
    assert_eq!(array.execute(add(B, A, C)), Err(SimError::Unwritten(Store::Reg(C))));
    assert_eq!(array.read_reg(B), Err(SimError::Unwritten(Store::Reg(B))));
    assert_eq!(array.execute(bus(&[reg(B)], &[XN])), Err(SimError::Unwritten(Store::News)));
    let mut r = Aregs::new();
    assert_eq!(
        array.read(&r.e.hold()).unwrap_err().to_string(),
        "register `E` is read before anything is written to it; load an image into it first"
    );
}

#[test]
fn a_register_needs_no_image_to_be_reset() {
    let mut array = Array::new(2, 2);
    array.execute(res(C)).unwrap();
    assert_eq!(array.read_reg(C).unwrap(), [0.0; 4]);
}

#[test]
fn an_image_of_the_wrong_size_is_refused() {
    let (mut array, mut r) = (array(), Aregs::new());
    let error = array.load(&mut r.b, &[0.0; 11]).unwrap_err();
    assert_eq!(error, SimError::WrongSize { found: 11, width: 4, height: 3 });
    assert_eq!(error.to_string(), "the image has 11 pixels, but the array has 4×3 PEs; scale the image to that size");
    assert_eq!(array.read_reg(B), Err(SimError::Unwritten(Store::Reg(B))));
    assert_eq!(array.expose(&[0.0; 13]), Err(SimError::WrongSize { found: 13, width: 4, height: 3 }));
}

#[test]
fn any_size() {
    for (width, height) in [(0, 0), (0, 3), (1, 1), (1, 5), (5, 1), (3, 7), (256, 256)] {
        let mut array = Array::new(width, height);
        array.load_reg(A, &vec![1.0; width * height]).unwrap();
        for direction in [NORTH, EAST, SOUTH, WEST] {
            array.execute(mov2x(B, A, direction, direction)).unwrap();
            let vertical = matches!(direction, NORTH | SOUTH);
            let (along, lines) = if vertical { (height, width) } else { (width, height) };
            let kept = array.read_reg(B).unwrap().iter().filter(|value| **value != 0.0).count();
            assert_eq!(kept, along.saturating_sub(2) * lines, "{width}×{height}, {direction}");
        }
    }
}

#[test]
fn planes_are_read_where_they_were_loaded() {
    let (mut array, mut r) = (Array::new(4, 3), Aregs::new());
    let a = array.load(&mut r.a, &IMAGE).unwrap();
    let f = array.load(&mut r.f, &IMAGE.map(|value| -value)).unwrap();
    assert_eq!(array.read(&a).unwrap(), IMAGE);
    assert_eq!(array.read(&f).unwrap(), IMAGE.map(|value| -value));
}
