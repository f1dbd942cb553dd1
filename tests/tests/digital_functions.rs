//! Tests digital filters, and those over super-pixels, as functions: on handles of bits, exact in every PE.

use cain_runtime::isa::Dreg;
use cain_runtime::sim::Array;
use cain_runtime::{Aregs, Dregs, operations, scamp_kernels};

scamp_kernels! {
    /// Horizontal edges of a thresholded image.
    #[search(isa = digital, bits = 1, nodes = 500)]
    pub fn edge(&image) -> gx = [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]];
    /// The input is given up, and the result has two numbers.
    #[search(isa = digital, bits = (image = 2, mask = -1), nodes = 300)]
    fn sums(image, &mask) -> (row, masked) {
        row = [[1, 1, 0]] * image;
        masked = [[1]] * image + [[2]] * mask;
    }
    #[search(isa = digital, bits = 1, nodes = 300)]
    fn same(image) -> out = [[1]];
}

mod from_file {
    cain_runtime::scamp_kernels!(file = "../corpus/digital.toml");
}

mod blocks {
    cain_runtime::scamp_kernels!(file = "../corpus/blocks.toml");

    /// The filters in a source file.
    pub(super) mod inline {
        cain_runtime::scamp_kernels! {
            #[search(isa = superpixel, nodes = 2_000)]
            #[superpixel(order = [[[1, 0], [2, 0]], [[0, 1], [0, 2]]], carry = steps, banks = (b = 1))]
            pub fn rest(&a, b) -> d = [[1]] * a - [[1]] * b;

            #[search(isa = superpixel, nodes = 2_000)]
            #[superpixel(
                order = [[1, 2, 3, 4], [8, 7, 6, 5]],
                relu = [out],
                adc = (image = (register = A, bits = 5)),
                dac = (out = (register = B, bits = 6)),
            )]
            pub fn sharp(&image) -> out = [[-1, 2, -1]];
        }
    }
}

const SIDE: usize = 6;

/// Pseudo-random values from 0 to below `below`.
fn values(seed: i32, below: i32) -> Vec<i32> {
    (0..36).map(|pe: i32| (pe * pe * 7 + pe * 5 + seed * 11) / 3 % below).collect()
}

/// The sum of weighted pixels, where pixels outside of the array are 0.
fn correlated(image: &[i32], weights: &[(isize, isize, i32)]) -> Vec<i32> {
    let at = |row: usize, column: usize, (down, east): (isize, isize)| {
        let inside = |place: usize, step: isize| place.checked_add_signed(step).filter(|place| *place < SIDE);
        Some(image[inside(row, down)? * SIDE + inside(column, east)?])
    };
    let sum = |pe: usize| {
        weights.iter().map(|&(down, east, weight)| weight * at(pe / SIDE, pe % SIDE, (down, east)).unwrap_or(0)).sum()
    };
    (0..SIDE * SIDE).map(sum).collect()
}

const SOBEL: [(isize, isize, i32); 6] = [(-1, -1, -1), (-1, 1, 1), (0, -1, -2), (0, 1, 2), (1, -1, -1), (1, 1, 1)];

#[test]
fn an_image_is_thresholded_and_its_edges_are_exact() {
    let (mut scamp, mut r, mut bits) = (Array::new(SIDE, SIDE), Aregs::new(), Dregs::new());
    let levels: Vec<i16> = values(1, 90).into_iter().map(|level| i16::try_from(level).unwrap()).collect();
    let plane = scamp.load(&mut r.a, &levels.iter().copied().map(f32::from).collect::<Vec<_>>()).unwrap();

    let edge::Registers { image, scratch } = edge::Registers::of(&mut bits);
    let image = operations::threshold(&mut scamp, &plane, 40, image).unwrap();
    let gx = edge(&mut scamp, &image, scratch).unwrap();

    let white: Vec<i32> = levels.iter().map(|&level| i32::from(level > 40)).collect();
    assert_eq!(scamp.read_number(&edge::OUTPUTS[0]).unwrap(), correlated(&white, &SOBEL));
    assert_eq!(scamp.read_number(&edge::INPUTS[0]).unwrap(), white);
    // The handles are those of the bits, lowest first.
    let handles: [Dreg; 4] = [gx.0.dreg(), gx.1.dreg(), gx.2.dreg(), gx.3.dreg()];
    assert_eq!(edge::OUTPUTS[0].registers, handles);
    assert_eq!((edge::OUTPUTS[0].name, edge::OUTPUTS[0].signed, edge::INPUTS[0].signed), ("gx", true, false));
    assert_eq!(scamp.read_bit_plane(&image).unwrap(), white.iter().map(|&bit| bit == 1).collect::<Vec<_>>());
}

#[test]
fn several_numbers_are_given_and_come_out() {
    let (mut scamp, mut bits) = (Array::new(SIDE, SIDE), Dregs::new());
    let (given, mask) = (values(2, 4), values(3, 2).iter().map(|bit| -bit).collect::<Vec<_>>());
    let registers = sums::Registers::of(&mut bits);
    scamp.load_number(&sums::INPUTS[0], &given).unwrap();
    scamp.load_number(&sums::INPUTS[1], &mask).unwrap();
    let image = (registers.image.0.hold(), registers.image.1.hold());
    let mask_plane = registers.mask.hold();
    sums(&mut scamp, image, &mask_plane, registers.scratch).unwrap();
    let [row, masked] = sums::OUTPUTS.each_ref().map(|number| scamp.read_number(number).unwrap());
    assert_eq!(row, correlated(&given, &[(0, -1, 1), (0, 0, 1)]));
    assert_eq!(masked, given.iter().zip(&mask).map(|(image, mask)| image + 2 * mask).collect::<Vec<_>>());
    assert_eq!(scamp.read_number(&sums::INPUTS[1]).unwrap(), mask);
}

/// A program of no words has no scratch registers.
#[test]
fn an_input_may_be_the_output() {
    let (mut scamp, mut bits) = (Array::new(SIDE, SIDE), Dregs::new());
    let same::Registers { image, scratch } = same::Registers::of(&mut bits);
    let white: Vec<bool> = values(4, 2).iter().map(|&bit| bit == 1).collect();
    let image = scamp.load_bit_plane(image, &white).unwrap();
    let out = same(&mut scamp, image, scratch).unwrap();
    assert_eq!(scamp.read_bit_plane(&out).unwrap(), white);
    assert_eq!(same::PLAN.cost.icws, 0);
}

#[test]
fn kernel_files_have_functions_of_both_kinds() {
    let (mut scamp, mut bits) = (Array::new(SIDE, SIDE), Dregs::new());
    let from_file::count::Registers { image, scratch } = from_file::count::Registers::of(&mut bits);
    let white = values(5, 2);
    let image = scamp.load_bit_plane(image, &white.iter().map(|&bit| bit == 1).collect::<Vec<_>>()).unwrap();
    from_file::count(&mut scamp, image, scratch).unwrap();
    let wanted = correlated(&white, &[(0, -1, 1), (0, 0, 1), (0, 1, 1)]);
    assert_eq!(scamp.read_number(&from_file::count::OUTPUTS[0]).unwrap(), wanted);
    assert_eq!(from_file::copy::PLAN.cost.icws, 2);
    assert_eq!(from_file::count::PLAN.declaration, "count(Image: 1) -> (n) { n = [1 1 1] * Image; }");
}

/// Pseudo-random numbers of all blocks: the numbers that their lowest bits represent.
fn numbers(seed: i64, bits: u32) -> Vec<i64> {
    (0..15).map(|block: i64| wrapped((block + 3) * (block + seed) * 7919, bits)).collect()
}

fn wrapped(number: i64, bits: u32) -> i64 {
    number << (64 - bits) >> (64 - bits)
}

/// A number of 5×3 blocks, 0 outside.
fn block_at(numbers: &[i64], block: usize, (down, east): (isize, isize)) -> i64 {
    let row = (block / 5).checked_add_signed(down).filter(|row| *row < 3);
    let column = (block % 5).checked_add_signed(east).filter(|column| *column < 5);
    row.zip(column).map_or(0, |(row, column)| numbers[row * 5 + column])
}

#[test]
fn super_pixels_are_prepared_once() {
    let (mut scamp, mut bits) = (Array::new(20, 6), Dregs::new());
    let registers = blocks::sobel::Registers::of(&mut bits);
    let blocks::sobel::Ready { image, scratch, prepared } = registers.prepare(&mut scamp).unwrap();
    let given = numbers(1, 8);
    scamp.load_blocks(&blocks::sobel::INPUTS[0], &given).unwrap();
    let gx = blocks::sobel(&mut scamp, image.hold(), scratch, &prepared).unwrap();
    let [number] = blocks::sobel::OUTPUTS;
    assert_eq!((number.name, number.register), ("gx", gx.dreg()));
    let sum = |block| SOBEL.iter().map(|&(y, x, weight)| i64::from(weight) * block_at(&given, block, (y, x))).sum();
    assert_eq!(scamp.read_blocks(&number).unwrap(), (0..15).map(|block| wrapped(sum(block), 8)).collect::<Vec<_>>());

    let mut narrow = Array::new(18, 6);
    let error = blocks::sobel::Registers::of(&mut bits).prepare(&mut narrow).unwrap_err();
    assert_eq!(
        error.to_string(),
        "blocks of 4×2 PEs do not divide an array of 18×6 PEs; its sides must be multiples of theirs"
    );
}

/// A second run finds the reserved registers unchanged; numbers are in two banks, one of them kept.
#[test]
fn super_pixels_in_banks() {
    let (mut scamp, mut bits) = (Array::new(10, 6), Dregs::new());
    let mut ready = blocks::rest::Registers::of(&mut bits).prepare(&mut scamp).unwrap();
    for seed in [2, 5] {
        let (a, b) = (numbers(seed, 2), numbers(seed + 1, 2));
        for (number, values) in blocks::rest::INPUTS.iter().zip([&a, &b]) {
            scamp.load_blocks(number, values).unwrap();
        }
        let kept = ready.a.hold();
        blocks::rest(&mut scamp, &kept, ready.b.hold(), ready.scratch.reborrow(), &ready.prepared).unwrap();
        let difference = a.iter().zip(&b).map(|(a, b)| wrapped(a - b, 2));
        assert_eq!(scamp.read_blocks(&blocks::rest::OUTPUTS[0]).unwrap(), difference.collect::<Vec<_>>());
        assert_eq!(scamp.read_blocks(&blocks::rest::INPUTS[0]).unwrap(), a);
    }
    let error = scamp.load_blocks(&blocks::rest::INPUTS[0], &[1; 14]).unwrap_err();
    assert_eq!(error.to_string(), "there are 14 numbers, but 5×3 blocks of PEs; give one number for each block");
}

/// The conversion goes from an analogue register to a number and back to another register; the number is kept.
#[test]
fn super_pixels_are_converted() {
    let (mut scamp, mut r, mut bits) = (Array::new(20, 6), Aregs::new(), Dregs::new());
    let registers = blocks::sharp::Registers::of(&mut r, &mut bits);
    let blocks::sharp::Ready { image, scratch, prepared } = registers.prepare(&mut scamp).unwrap();
    let levels: Vec<i16> = (0..120).map(|pe: i16| pe * pe % 256 - 128).collect();
    let image = scamp.load(image, &levels.iter().copied().map(f32::from).collect::<Vec<_>>()).unwrap();
    let (kept, (out, plane)) = blocks::sharp(&mut scamp, image, scratch, &prepared).unwrap();

    // The PE of the highest of five bits is the one in the south-east.
    let code = |block: usize| (i64::from(levels[(block / 5 * 2 + 1) * 20 + block % 5 * 4 + 3]) + 127).max(0) / 8;
    let codes: Vec<i64> = (0..15).map(code).collect();
    let sum = |block| 2 * codes[block] - block_at(&codes, block, (0, -1)) - block_at(&codes, block, (0, 1));
    let sharp: Vec<i64> = (0..15).map(|block| sum(block).max(0)).collect();
    let ([given], [number]) = (blocks::sharp::INPUTS, blocks::sharp::OUTPUTS);
    assert_eq!((given.register, given.analogue), (kept.dreg(), Some(cain_runtime::isa::Reg::A)));
    assert_eq!((number.register, number.analogue), (out.dreg(), Some(plane.reg())));
    assert_eq!(scamp.read_blocks(&given).unwrap(), codes);
    assert_eq!(scamp.read_blocks(&number).unwrap(), sharp);
    let level = |pe: usize| i16::try_from(sharp[pe / 40 * 5 + pe % 20 / 4].min(63) * 4 - 128).map(f32::from).unwrap();
    assert_eq!(scamp.read(&plane).unwrap(), (0..120).map(level).collect::<Vec<_>>());
}

#[test]
fn macros_and_kernel_files_have_the_same_super_pixels() {
    use blocks::inline;
    assert_eq!(format!("{:?}", inline::rest::PLAN), format!("{:?}", blocks::rest::PLAN));
    assert_eq!(format!("{:?}", inline::sharp::PLAN), format!("{:?}", blocks::sharp::PLAN));
    assert_eq!((inline::sharp::INPUTS, inline::rest::OUTPUTS), (blocks::sharp::INPUTS, blocks::rest::OUTPUTS));
}
