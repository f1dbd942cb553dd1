//! Tests controller functions on the simulated array against plain loops over the image.

use core::convert::Infallible;

use cain_runtime::HostController;
use cain_runtime::io::{Address, ArrayIo, Events, Flood, IoError, Pattern, Region, Scan, Size};
use cain_runtime::isa::asm::digital::{R0, R1, R2, R5, R6, SELECT, or, set};
use cain_runtime::isa::asm::{A, B, C, gauss, gaussh, gaussv};
use cain_runtime::isa::program::{Selection, Step};
use cain_runtime::isa::{Axes, Bit, Dreg, WordError};
use cain_runtime::program::carry_out;
use cain_runtime::sim::{Array, Camera, CameraError, ErrorModel, FrameSource, Saturation, SimError};

const WIDTH: usize = 16;
const HEIGHT: usize = 8;
const R5_REG: Dreg = Dreg::ALL[5];
const R6_REG: Dreg = Dreg::ALL[6];

/// A value for the pixel in row y from the top and column x from the left, different for all of them.
fn value(x: usize, y: usize) -> i16 {
    i16::try_from(y * WIDTH + x).unwrap() - 64
}

/// An arbitrary bit for a pixel.
fn bit(x: usize, y: usize) -> bool {
    (x * 5 + y * 3) % 7 == 2
}

fn pixels<T>(pixel: impl Fn(usize, usize) -> T) -> Vec<T> {
    (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y))).map(|(x, y)| pixel(x, y)).collect()
}

/// An array with `value` in A and `bit` in R5.
fn array() -> Array {
    let mut array = Array::new(WIDTH, HEIGHT);
    array.load_reg(A, &pixels(|x, y| value(x, y).into())).unwrap();
    array.load_bits(R5, &pixels(bit)).unwrap();
    array
}

fn at(row: u16, column: u16) -> Address {
    Address::new(row, column)
}

fn code(value: i16) -> u8 {
    u8::try_from((value + 128).clamp(0, 255)).unwrap()
}

#[test]
fn one_cell_and_scans() {
    let mut array = array();
    assert_eq!(array.read_cell(A, at(0, 0)), Ok(code(value(WIDTH - 1, 0))));
    assert_eq!(array.read_cell(A, at(7, 15)), Ok(code(value(0, HEIGHT - 1))));

    let scan = Scan { region: Region::new(at(1, 2), at(7, 12)), row_step: 3, column_step: 4 };
    let mut codes = [0; 20];
    let count = array.scan(A, scan, &mut codes).unwrap();
    let mut expected = Vec::new();
    for column in [2, 6, 10] {
        for row in [1, 4, 7] {
            expected.push(code(value(WIDTH - 1 - column, row)));
        }
    }
    assert_eq!(codes[..count], expected);
}

#[test]
fn codes_end_where_bytes_do() {
    let mut array = Array::new(4, 1);
    array.load_reg(A, &[-1000.0, -0.4, 0.6, 1000.0]).unwrap();
    let mut codes = [0; 4];
    array.scan(A, Scan::every(array.size().region().unwrap()), &mut codes).unwrap();
    assert_eq!(codes, [255, 129, 128, 0]);
}

#[test]
fn means_of_blocks_run_down_the_columns_from_the_right() {
    let mut array = array();
    let mut codes = [0; 64];
    array.scan_means(A, &mut codes).unwrap();
    for (i, &found) in codes.iter().enumerate() {
        let (x, y) = (WIDTH - 2 - i / 8 * 2, i % 8);
        // The mean of two neighbours lies half way, and halves are rounded up.
        assert_eq!(found, code(value(x, y) + 1), "{i}");
    }
    let mut sums = [0; 64];
    array.sum_64(A, &mut sums).unwrap();
    assert_eq!(sums, codes);

    let mut sums = [0; 16];
    array.sum_16(A, &mut sums).unwrap();
    for (i, &found) in sums.iter().enumerate() {
        let (left, top) = (WIDTH - 4 - i / 4 * 4, i % 4 * 2);
        let block = (0..2).flat_map(|dy| (0..4).map(move |dx| f32::from(value(left + dx, top + dy))));
        let mean = block.sum::<f32>() / 8.0;
        assert!((f32::from(found) - 128.0 - mean).abs() <= 0.5, "{i}");
    }
}

#[test]
fn sums_of_64_by_64_pes_are_means() {
    let mut array = Array::scamp5();
    array.load_reg(A, &vec![32.0; 65536]).unwrap();
    assert_eq!(array.sum_region(A, Region::new(at(0, 0), at(63, 63))), Ok(128 + 32));
    assert_eq!(array.sum_region(A, Region::new(at(0, 0), at(31, 31))), Ok(128 + 8));
    assert_eq!(array.sum_sparse(A, Pattern::row(3)), Ok(128 + 2));
    // The whole array is 16 such regions, a sparse pattern 4: the byte saturates.
    assert_eq!((array.sum_fast(A), array.sum_sparse(A, Pattern::SPARSE)), (Ok(255), Ok(255)));
    array.load_reg(A, &vec![-5.0; 65536]).unwrap();
    assert_eq!((array.sum_fast(A), array.sum_sparse(A, Pattern::SPARSE)), (Ok(128 - 80), Ok(128 - 20)));
}

#[test]
fn bits_are_packed_from_the_right() {
    let mut array = array();
    let mut bytes = [0; WIDTH / 8 * HEIGHT];
    assert_eq!(array.scan_bits(R5, (2, 4), &mut bytes), Ok(6));
    for row in 2..=4 {
        for column in 0..WIDTH {
            let packed = bytes[(row - 2) * 2 + column / 8] >> (column % 8) & 1;
            assert_eq!(packed == 1, bit(WIDTH - 1 - column, row), "{row}, {column}");
        }
    }
}

#[test]
fn events_are_counted_and_the_corner_is_one_of_them() {
    let mut array = array();
    let mut expected = Vec::new();
    for row in 0..HEIGHT {
        for column in 0..WIDTH {
            if bit(WIDTH - 1 - column, row) {
                expected.push(at(u16::try_from(row).unwrap(), u16::try_from(column).unwrap()));
            }
        }
    }
    let mut events = [Address::default(); WIDTH * HEIGHT];
    let found = array.scan_events(R5, &mut events).unwrap();
    assert_eq!((&events[..found.listed], found.complete), (expected.as_slice(), true));
    let few = array.scan_events(R5, &mut events[..3]).unwrap();
    assert_eq!(few, Events { listed: 3, complete: false });

    array.load_pattern(R5_REG, Pattern::point(at(0, 0))).unwrap();
    assert_eq!(array.scan_events(R5, &mut events), Ok(Events { listed: 1, complete: true }));
    assert_eq!(events[0], at(0, 0));
}

#[test]
fn boxes_ors_and_counts() {
    let mut array = array();
    let region = Region::new(at(2, 3), at(5, 9));
    array.load_region(R5_REG, region).unwrap();
    assert_eq!(array.bounding_box(R5), Ok(Some(region)));
    assert_eq!(array.any(R5, Pattern::ALL), Ok(true));
    assert_eq!(array.any(R5, Pattern::column(9)), Ok(true));
    assert_eq!(array.any(R5, Pattern::column(10)), Ok(false));
    // 28 of 128 PEs.
    assert_eq!(array.estimate_count(R5_REG, B), Ok(896));
    array.execute(set(&[R5])).unwrap();
    assert_eq!(array.estimate_count(R5_REG, B), Ok(4095));

    array.load_bits(R5, &[false; WIDTH * HEIGHT]).unwrap();
    assert_eq!((array.bounding_box(R5), array.any(R5, Pattern::ALL)), (Ok(None), Ok(false)));
    assert_eq!(array.estimate_count(R5_REG, B), Ok(0));
}

#[test]
fn patterns_and_regions_choose_pes() {
    let mut array = array();
    let pattern = Pattern { row: 1, column: 2, free_row_bits: 2, free_column_bits: 12 };
    array.load_pattern(R5_REG, pattern).unwrap();
    let wanted = |x: usize, y: usize| [1, 3].contains(&y) && (WIDTH - 1 - x) % 4 == 2;
    assert_eq!(array.read_bits(R5).unwrap(), pixels(wanted));
    assert_eq!(array.read_bits(SELECT).unwrap(), pixels(wanted));
    array.load_region(R6_REG, Region::new(at(0, 0), at(1, 3))).unwrap();
    assert_eq!(array.read_bits(R6).unwrap(), pixels(|x, y| y < 2 && x >= WIDTH - 4));
}

#[test]
fn planes_move_with_their_content() {
    let inside = |x: usize, y: usize, east: i16, north: i16| {
        let x = usize::try_from(i16::try_from(x).unwrap() - east).ok().filter(|x| *x < WIDTH)?;
        let y = usize::try_from(i16::try_from(y).unwrap() + north).ok().filter(|y| *y < HEIGHT)?;
        Some((x, y))
    };
    for (east, north) in [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (2, 0), (3, 2), (-5, 4), (-2, -7), (20, 1)] {
        for outside in [false, true] {
            let mut array = array();
            array.shift(A, east, north).unwrap();
            let moved = pixels(|x, y| inside(x, y, east, north).map_or(0.0, |(x, y)| value(x, y).into()));
            assert_eq!(array.read_reg(A).unwrap(), moved, "{east}, {north}");
            array.shift_bits(R5_REG, east, north, outside).unwrap();
            let moved = pixels(|x, y| inside(x, y, east, north).map_or(outside, |(x, y)| bit(x, y)));
            assert_eq!(array.read_bits(R5).unwrap(), moved, "{east}, {north}, {outside}");
        }
    }
}

#[test]
fn a_flood_fills_the_part_of_the_mask_that_it_reaches() {
    let mut array = array();
    let room = |x: usize, y: usize| x < 6 && y < 5;
    let other_room = |x: usize, y: usize| x > 8 && y > 2;
    array.load_bits(R6, &pixels(|x, y| room(x, y) || other_room(x, y))).unwrap();
    array.load_bits(R5, &pixels(|x, y| (x, y) == (2, 3))).unwrap();
    array.flood(R5_REG, R6, Flood::default()).unwrap();
    assert_eq!(array.read_bits(R5).unwrap(), pixels(room));
    array.flood(R5_REG, R6, Flood { outside: true, ..Flood::default() }).unwrap();
    assert_eq!(array.read_bits(R5).unwrap(), pixels(|x, y| room(x, y) || other_room(x, y)));
}

#[test]
fn levels_are_exact_in_spite_of_the_transfer_error() {
    let mut array = Array::new(2, 2).errors(ErrorModel { offset: [20.0; 3], ..ErrorModel::ideal() });
    array.load_level(B, -100).unwrap();
    assert_eq!(array.read_reg(B).unwrap(), [-100.0; 4]);
}

#[test]
fn frames_come_from_a_source() {
    let mut number = 0.0;
    let source = |size: Size, light: &mut [f32]| {
        number += 1.0;
        assert_eq!((size.width, size.height, light.len()), (3, 1, 3));
        light.copy_from_slice(&[0.0, number, 127.0]);
    };
    let mut camera = Camera::new(Array::new(3, 1), source);
    for frame in [1.0, 2.0] {
        camera.capture(B, C).unwrap();
        assert_eq!(camera.array().read_reg(B).unwrap(), [-127.0, 2.0 * frame - 127.0, 127.0]);
        assert_eq!(camera.array().read_reg(C).unwrap(), [0.0, frame, 127.0]);
    }
    assert_eq!(camera.read_cell(C, at(0, 1)), Ok(128 + 2));
}

#[test]
fn a_gain_doubles_the_light_without_constant_errors() {
    let light = [0.0, 3.0, 20.0, 60.0, 127.0];
    let camera = |model| {
        let source = move |_: Size, frame: &mut [f32]| frame.copy_from_slice(&light);
        Camera::new(Array::new(5, 1).errors(model), source)
    };
    for gain in 1..=5_u8 {
        let amplified = light.map(|light| light * f32::from(1_u8 << (gain - 1)));
        for model in [ErrorModel::ideal(), ErrorModel::saturating()] {
            let mut camera = camera(model);
            camera.capture_with_gain(B, C, gain).unwrap();
            let half = if model == ErrorModel::ideal() { amplified } else { amplified.map(|light| light.min(127.0)) };
            assert_eq!(camera.array().read_reg(C).unwrap(), half, "{gain}");
            assert_eq!(camera.array().read_reg(B).unwrap(), half.map(|light| 2.0 * light - 127.0), "{gain}");
        }
        let (mut exact, mut with_error) = (camera(ErrorModel::ideal()), camera(ErrorModel::constant(1.0)));
        for camera in [&mut exact, &mut with_error] {
            camera.capture_with_gain(B, C, gain).unwrap();
        }
        for reg in [B, C] {
            assert_eq!(exact.array().read_reg(reg), with_error.array().read_reg(reg), "{gain} {reg}");
        }
    }
    for gain in [0, 6, 255] {
        let refused = camera(ErrorModel::ideal()).capture_with_gain(B, C, gain).unwrap_err();
        assert_eq!(refused, IoError::Gain(gain).into());
        assert_eq!(refused.to_string(), format!("there is no gain {gain}; choose one from 1 to 5"));
    }
}

#[test]
fn captured_pictures_are_as_the_error_model_expects_them() {
    let light = [0.0, 20.0, 63.5, 127.0];
    let model = ErrorModel { relative_noise: 0.0, noise: 0.0, saturation: Saturation::None, ..ErrorModel::level(1) };
    let source = move |_: Size, frame: &mut [f32]| frame.copy_from_slice(&light);
    let mut camera = Camera::new(Array::new(4, 1).errors(model), source);
    camera.capture(B, C).unwrap();
    for (found, light) in camera.array().read_reg(B).unwrap().iter().zip(light) {
        let expected = model.captured(2.0 * light - 127.0);
        assert!((found - expected).abs() < 1e-3, "{light}: {found}, not {expected}");
    }
}

#[test]
fn a_plane_diffuses_where_the_links_are_closed() {
    let mut array = array().diffusion(0.25);
    array.execute(set(&[R1, R2])).unwrap();
    let mut expected = array.clone();
    array.diffuse(A, 3, Axes::Both).unwrap();
    expected.execute(gauss(A, A)).unwrap();
    array.diffuse(A, 0, Axes::Both).unwrap();
    assert_eq!(array.read_reg(A), expected.read_reg(A));
    array.diffuse(A, 3, Axes::Horizontal).unwrap();
    expected.execute(gaussh(A, A)).unwrap();
    array.diffuse(A, 3, Axes::Vertical).unwrap();
    expected.execute(gaussv(A, A)).unwrap();
    assert_eq!(array.read_reg(A), expected.read_reg(A));
}

#[test]
fn a_source_without_frames_is_an_error() {
    struct Unplugged;
    impl FrameSource for Unplugged {
        type Error = &'static str;
        fn next_frame(&mut self, _: Size, _: &mut [f32]) -> Result<(), &'static str> {
            Err("the cable is unplugged")
        }
    }
    let error = Camera::new(Array::new(3, 1), Unplugged).capture(B, C).unwrap_err();
    assert_eq!(error.to_string(), "there is no next frame: the cable is unplugged");

    let dazzling = |_: Size, light: &mut [f32]| light.fill(f32::INFINITY);
    let error = Camera::new(Array::new(3, 1), dazzling).wait_for_frame();
    assert_eq!(error, Err(CameraError::<Infallible>::Array(SimError::NotFinite { row: 0, column: 0 })));
}

#[test]
fn wrong_arguments_are_refused_before_anything_happens() {
    let mut array = array();
    let size = array.size();
    let outside = |address| SimError::Io(IoError::Outside { address, size });
    let swapped = Region::new(at(3, 3), at(2, 5));
    assert_eq!(array.read_cell(A, at(8, 0)), Err(outside(at(8, 0))));
    assert_eq!(array.load_region(R6_REG, Region::new(at(0, 0), at(0, 16))), Err(outside(at(0, 16))));
    assert_eq!(array.select_region(swapped), Err(IoError::Corners(swapped).into()));
    assert_eq!(array.sum_region(A, swapped), Err(IoError::Corners(swapped).into()));
    let still = Scan { row_step: 0, ..Scan::every(size.region().unwrap()) };
    assert_eq!(array.scan(A, still, &mut [0; 200]), Err(IoError::NoStep.into()));
    let short = Err(IoError::Buffer { needed: 128, found: 127 }.into());
    assert_eq!(array.scan(A, Scan::every(size.region().unwrap()), &mut [0; 127]), short);
    assert_eq!(array.scan_bits(R5, (0, 1), &mut []), Err(IoError::Buffer { needed: 4, found: 0 }.into()));
    assert_eq!(array.scan_bits(R5, (0, 8), &mut [0; 99]), Err(outside(at(8, 15))));
    assert_eq!(array.read_cell(B, at(0, 0)).unwrap_err().to_string().split(' ').next(), Some("register"));
    assert_eq!(array.capture(B, B), Err(IoError::Word(WordError::Repeated(B)).into()));
    let r0 = Dreg::ALL[0];
    assert_eq!(array.shift_bits(r0, 1, 0, false), Err(IoError::Reserved(r0).into()));
    assert_eq!(array.flood(R5_REG, R0, Flood::default()), Err(IoError::Reserved(r0).into()));
    assert_eq!(array.read_bits(R6), Err(SimError::UnwrittenBit(Bit::Reg(R6_REG))));

    let mut odd = Array::new(12, 8);
    odd.load_reg(A, &[0.0; 96]).unwrap();
    let size = odd.size();
    assert_eq!(odd.scan_means(A, &mut [0; 64]), Err(IoError::Blocks { count: 8, size }.into()));
    let mut none = Array::new(0, 4);
    assert_eq!(none.select_pattern(Pattern::ALL), Err(IoError::NoAddresses(none.size()).into()));

    for wrong in [f32::NAN, f32::INFINITY] {
        let mut image = vec![0.0; WIDTH * HEIGHT];
        image[WIDTH + 2] = wrong;
        let refused = Err(SimError::NotFinite { row: 1, column: 2 });
        assert_eq!((array.load_reg(A, &image), array.expose(&image)), (refused, refused));
    }
}

/// Columns of a program count from the left, those of the controller from the right: in arrays of any width, as long as the
/// same PEs are selected in equal parts of it.
#[test]
fn selections_of_programs_repeat_over_the_array() {
    const COPY: Step = Step::Execute(&[or(R5, &[SELECT])]);
    let every_second = |column| Selection { column, free_column_bits: !1, ..Selection::ALL };
    for (width, column) in [(6, 0), (6, 1), (8, 1)] {
        let mut array = Array::new(width, 1);
        let steps = [Step::Select(every_second(column)), COPY];
        carry_out(&mut array, &steps, &[], &[], &mut []).unwrap();
        let wanted: Vec<bool> = (0..width).map(|place| place % 2 == usize::from(column)).collect();
        assert_eq!(array.read_bits(R5).unwrap(), wanted, "{width} {column}");
    }
    let mut array = Array::new(6, 1);
    let fourth = Step::Select(Selection { column: 3, free_column_bits: !3, ..Selection::ALL });
    let refused = carry_out(&mut array, &[fourth], &[], &[], &mut []);
    assert_eq!(refused, Err(IoError::NoAddresses(array.size()).into()));
}
