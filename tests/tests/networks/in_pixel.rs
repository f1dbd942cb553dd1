//! Tests that functions of networks in the pixels compute what their declarations say, with weights loaded through
//! selectors.

use cain_codegen::kernel_file::load_in_pixel;
use cain_in_pixel::compile;
use cain_isa::{Bit, Dreg};
use cain_runtime::io::IoError;
use cain_runtime::isa::program::{Area, BitPlane};
use cain_runtime::program::load;
use cain_runtime::sim::{Array, SimError};
use cain_runtime::{Aregs, Dregs, scamp_kernels, scamp_network};

use super::Random;

scamp_kernels!(file = "../../corpus/in_pixel.toml");

/// A network with a second convolution.
mod second {
    super::scamp_kernels!(file = "../../corpus/in_pixel_maps.toml");
}

mod in_rust {
    use super::scamp_network;

    scamp_network! {
        /// The network of the kernel file, in Rust.
        pub(super) in_pixel corners {
            input = { size = 6, block = 8, array = 16, binarise = 100 };
            filters = convolution { size = 2, weights = ["++-+", "-+++", "+--+", [-1, -1, 1, 1]] };
            maxima = max_pool { size = 4 };
            scores = dense {
                classes = 3,
                weights = [
                    "+-0", "0+-", "-0+", "++-", "0-+", "+00", "-+0", "0+0",
                    "--+", "+0-", "00+", "+-+", "0+-", "-++", "+0+", "-0-",
                ],
            };
        }
    }
}

const SIDE: usize = 16;
const PICTURE: usize = 6;

#[test]
fn functions_compute_what_the_network_does() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/in_pixel.toml");
    let [declared] = <[_; 1]>::try_from(load_in_pixel(path.as_ref()).unwrap()).unwrap();
    let (network, pixels) = (declared.of.network, corners::PLAN.pictures[0].pixels);
    let [top, left] = [pixels.top, pixels.left].map(isize::cast_unsigned);
    let (mut regs, mut bits) = (Aregs::new(), Dregs::new());
    let mut registers = corners::Registers::of(&mut regs, &mut bits);
    let mut scamp = Array::new(SIDE, SIDE);
    let weights = corners::load(&mut scamp, registers.weights, &mut registers.scratch).unwrap();
    for plane in compile(&network).unwrap().planes() {
        let loaded = scamp.read_bits(Bit::Reg(plane.register)).unwrap();
        assert_eq!(loaded, plane.bits, "{}", plane.register);
    }

    let mut dice = Random(5);
    let mut classes = [0; 3];
    for _ in 0..24 {
        let ink: Vec<u8> = (0..PICTURE * PICTURE).map(|_| u8::from(dice.below(2) == 0)).collect();
        let mut seen = vec![90.0; SIDE * SIDE];
        for (place, is_ink) in ink.iter().enumerate() {
            let (row, column) = (top + place / PICTURE, left + place % PICTURE);
            seen[row * SIDE + column] = if *is_ink == 1 { 90.0 } else { -90.0 };
        }
        let image = scamp.load(registers.image, &seen).unwrap();
        let answer = corners(&mut scamp, image, &mut registers.scratch, &weights).unwrap();

        // Half a sum counts half the level, each product counts 16 times, and a step is 4096 DN.
        let step = f64::from(corners::LEVEL) / 2.0 * 16.0 / 4096.0;
        for (found, score) in answer.scores.into_iter().zip(network.scores(&ink)) {
            #[expect(clippy::cast_precision_loss, reason = "scores are small")]
            let expected = score as f64 * step;
            assert!((f64::from(found) - expected).abs() <= 0.51, "{found} instead of {expected}");
        }
        let largest = answer.scores.iter().max().unwrap();
        assert_eq!(answer.scores.iter().position(|score| score == largest), Some(answer.class));
        classes[answer.class] += 1;
    }
    assert!(classes.iter().filter(|count| **count > 0).count() > 1, "{classes:?}");
}

#[test]
fn macros_and_kernel_files_are_the_same() {
    let [ours, theirs] = [&corners::PLAN, &in_rust::corners::PLAN].map(|plan| plan.steps().collect::<Vec<_>>());
    assert_eq!(ours, theirs);
    assert_eq!(corners::PLAN.preparation, in_rust::corners::PLAN.preparation);
    let words: u32 = corners::PLAN.parts.iter().map(|part| part.words).sum();
    assert_eq!(corners::PLAN.words(), words);
}

/// Planes without any pattern, and with hardly any zeros, can be loaded into all registers except those used for
/// loading.
#[test]
fn any_plane_is_loaded() {
    let mut dice = Random(7);
    let side = 16;
    for register in Dreg::ALL {
        for sparse in [2, 40] {
            let distinct: Vec<u8> = (0..side * side / 8)
                .map(|_| (0..8).map(|bit| u8::from(dice.below(sparse) != 0) << bit).sum())
                .collect();
            let rows: Vec<u8> = (0..16).collect();
            let plane = BitPlane { register, rows: rows.leak(), distinct: distinct.leak() };
            let mut scamp = Array::new(side, side);
            let loaded = load(&mut scamp, &plane);
            if ["R0", "R5", "R6"].contains(&register.to_string().as_str()) {
                assert_eq!(loaded, Err(SimError::Io(IoError::Reserved(register))));
                continue;
            }
            loaded.unwrap();
            let bits: Vec<bool> = (0..side * side).map(|pe| plane.bit(pe / side, pe % side)).collect();
            assert_eq!(scamp.read_bits(Bit::Reg(register)).unwrap(), bits, "{register}");
        }
    }
}

#[test]
fn planes_of_other_arrays_are_refused() {
    let plane = corners::PLAN.planes().next().unwrap();
    for (width, height) in [(32, 32), (16, 32), (12, 12)] {
        assert!(load(&mut Array::new(width, height), plane).is_err(), "{width}×{height}");
    }
}

/// The scores of a network with a second convolution are exact.
#[test]
fn functions_compute_a_second_convolution() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/in_pixel_maps.toml");
    let [declared] = <[_; 1]>::try_from(load_in_pixel(path.as_ref()).unwrap()).unwrap();
    let (network, grid) = (declared.of.network, second::maps::PLAN.pictures[0].pixels);
    let [top, left] = [grid.top, grid.left].map(isize::cast_unsigned);
    let taken = Area::new(top, left, grid.height * grid.row_step, grid.width * grid.column_step);
    let (mut regs, mut bits) = (Aregs::new(), Dregs::new());
    let mut registers = second::maps::Registers::of(&mut regs, &mut bits);
    let mut scamp = Array::new(SIDE, SIDE);
    let weights = second::maps::load(&mut scamp, registers.weights, &mut registers.scratch).unwrap();

    let mut dice = Random(11);
    let mut scores = std::collections::BTreeSet::new();
    for _ in 0..24 {
        let pixels: Vec<u8> = (0..PICTURE * PICTURE).map(|_| u8::try_from(dice.below(4)).unwrap()).collect();
        let seen: Vec<f32> = (0..SIDE * SIDE)
            .map(|pe| {
                let (row, column) = (pe / SIDE, pe % SIDE);
                if !taken.contains(row, column) {
                    return 90.0;
                }
                let place = (row - top) / grid.row_step * PICTURE + (column - left) / grid.column_step;
                [-100.0, -33.0, 33.0, 100.0][usize::from(pixels[place])]
            })
            .collect();
        let image = scamp.load(registers.image, &seen).unwrap();
        let answer = second::maps(&mut scamp, image, &mut registers.scratch, &weights).unwrap();
        let wanted = network.scores(&pixels);
        scores.extend(wanted.iter().copied());
        assert_eq!(answer.scores.map(i64::from).to_vec(), wanted);
    }
    assert!(scores.len() > 10, "{scores:?}");
}
