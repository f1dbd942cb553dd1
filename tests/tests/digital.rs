//! Tests digital programs on the simulated array: exact sums and functions of pixels, where those outside count as 0.

use cain_analysis::prove::{Atom, Polynomial};
use cain_digital::{Declaration, Format, Formula, Input, Logic, Output, Proved, SearchError, search};
use cain_isa::{Bit, Displacement, Dreg, Fraction};
use cain_runtime::sim::Array;

use super::random::Random;

/// Images of numbers in rows from the north.
#[derive(Clone)]
struct Image {
    width: usize,
    pixels: Vec<i64>,
}

impl Image {
    /// The number at a displacement from a pixel.
    fn at(&self, pixel: usize, Displacement { x, y }: Displacement) -> i64 {
        let column = (pixel % self.width).checked_add_signed(x.into()).filter(|column| *column < self.width);
        let row = (pixel / self.width).checked_add_signed(-isize::from(y));
        let place = column.zip(row).map(|(column, row)| row * self.width + column);
        place.and_then(|place| self.pixels.get(place)).copied().unwrap_or(0)
    }
}

fn declaration<F: Clone + Into<Formula>>(inputs: &[i32], formulas: &[F], nodes: u64) -> Declaration {
    let input = |(i, bits): (usize, &i32)| Input {
        name: format!("in{i}"),
        format: Format::new(bits.unsigned_abs(), *bits < 0).unwrap(),
        keep: i > 0,
        at: None,
    };
    let output = |(i, formula): (usize, &F)| Output { name: format!("out{i}"), formula: formula.clone().into() };
    Declaration {
        name: "test".into(),
        inputs: inputs.iter().enumerate().map(input).collect(),
        outputs: formulas.iter().enumerate().map(output).collect(),
        flag: true,
        nodes,
    }
}

/// Runs a program and compares its outputs with the formulas.
fn check(program: &Proved, images: &[Image], random: &mut Random) {
    let (declaration, program) = (program.declaration(), program.program());
    let (width, pixels) = (images[0].width, images[0].pixels.len());
    let mut array = Array::new(width, pixels / width);
    for register in Dreg::ALL {
        let rubbish: Vec<bool> = (0..pixels).map(|_| random.below(2) == 1).collect();
        array.load_bits(Bit::Reg(register), &rubbish).unwrap();
    }
    let bit_of = |value: i64, bit: usize| value >> bit & 1 == 1;
    for (image, registers) in images.iter().zip(&program.inputs) {
        for (bit, &register) in registers.iter().enumerate() {
            let plane: Vec<bool> = image.pixels.iter().map(|&value| bit_of(value, bit)).collect();
            array.load_bits(Bit::Reg(register), &plane).unwrap();
        }
    }
    array.execute_listing(&program.listing).unwrap();
    for (output, registers) in declaration.outputs.iter().zip(&program.outputs) {
        let planes: Vec<Vec<bool>> =
            registers.iter().map(|&register| array.read_bits(Bit::Reg(register)).unwrap()).collect();
        for pixel in 0..pixels {
            let wanted = value(&output.formula, images, pixel);
            for (bit, plane) in planes.iter().enumerate() {
                assert_eq!(plane[pixel], bit_of(wanted, bit), "bit {bit} of {wanted} in pixel {pixel}: {program:?}");
            }
        }
    }
    assert!(array.read_bits(Bit::Flag).unwrap().iter().all(|flag| *flag));
}

/// The value of an output in a pixel.
fn value(formula: &Formula, images: &[Image], pixel: usize) -> i64 {
    match formula {
        Formula::Sum(kernel) => {
            let of_atom = |(atom, weight): (Atom, Fraction)| {
                weight.numerator() * images[usize::from(atom.channel)].at(pixel, atom.displacement)
            };
            kernel.terms().map(of_atom).sum()
        }
        Formula::Logic(logic) => {
            i64::from(logic.evaluate(&|input, bit, at| images[input].at(pixel, at) >> bit & 1 == 1))
        }
    }
}

fn kernel(random: &mut Random, channels: u16, sizes: (i16, i16), most: i64) -> Polynomial {
    let mut kernel = Polynomial::new();
    for channel in 0..channels {
        for x in -sizes.0..=sizes.0 {
            for y in -sizes.1..=sizes.1 {
                let weight = if random.below(3) == 0 { 0 } else { random.between(-most, most) };
                let atom = Atom { channel, displacement: Displacement::new(x, y) };
                kernel.add_term(atom, Fraction::new(weight, 1).unwrap()).unwrap();
            }
        }
    }
    kernel
}

fn random_images(random: &mut Random, inputs: &[i32]) -> Vec<Image> {
    let image = |bits: &i32| {
        let most = 1 << (bits.abs() - i32::from(*bits < 0));
        let min = if *bits < 0 { -most } else { 0 };
        Image { width: 11, pixels: (0..99).map(|_| random.between(min, most - 1)).collect() }
    };
    inputs.iter().map(image).collect()
}

/// The widths of the inputs, the number of outputs, the reach of kernels, and the largest weight.
type Shape = (&'static [i32], usize, (i16, i16), i64);

/// The kernels are random, of many forms.
#[test]
fn random_kernels_are_exact_everywhere() {
    let mut random = Random(1);
    let shapes: [Shape; 8] = [
        (&[1], 1, (1, 1), 1),
        (&[1], 1, (1, 1), 3),
        (&[1], 2, (1, 0), 2),
        (&[2], 1, (1, 1), 1),
        (&[-2], 1, (0, 1), 3),
        (&[1, 1], 1, (1, 0), 2),
        (&[-1, 2], 2, (0, 0), 3),
        (&[1], 1, (3, 0), 2),
    ];
    let mut found = 0;
    for (inputs, outputs, sizes, most) in shapes {
        for _ in 0..12 {
            let channels = u16::try_from(inputs.len()).unwrap();
            let kernels: Vec<Polynomial> = (0..outputs).map(|_| kernel(&mut random, channels, sizes, most)).collect();
            let solution = match search(&declaration(inputs, &kernels, 30_000)) {
                Ok(solution) => solution,
                Err(SearchError::Registers(_) | SearchError::Budget { .. }) => continue,
                Err(error) => panic!("{error}"),
            };
            let images = random_images(&mut random, inputs);
            check(&solution.program, &images, &mut random);
            found += 1;
        }
    }
    assert!(found >= 94, "{found} of 96 kernels have programs");
}

/// A function of bits of an input of one bit and one of two, nested to this depth.
fn function(random: &mut Random, depth: u64) -> Logic {
    let near = |random: &mut Random| i16::try_from(random.between(-1, 1)).unwrap();
    let choice = random.below(if depth == 0 { 2 } else { 8 });
    if choice < 2 {
        let at = Displacement::new(near(random), near(random));
        let input = usize::try_from(random.below(2)).unwrap();
        let bit = if input == 1 { u32::try_from(random.below(2)).unwrap() } else { 0 };
        return Logic::Pixel { input, bit, at };
    }
    let parts = |random: &mut Random| (0..=random.below(4)).map(|_| function(random, depth - 1)).collect::<Vec<_>>();
    match choice {
        2 => Logic::Not(Box::new(function(random, depth - 1))),
        3 => Logic::All(parts(random)),
        4 => Logic::Any(parts(random)),
        5 => Logic::Odd(parts(random)),
        // A function is moved to several places.
        6 => {
            let part = function(random, depth - 1);
            let places = (0..3).map(|_| part.moved(Displacement::new(near(random), near(random))).unwrap());
            Logic::Any(places.collect())
        }
        _ => {
            let least = u32::try_from(random.below(3)).unwrap();
            Logic::Count { of: parts(random), least, most: least + u32::try_from(random.below(3)).unwrap() }
        }
    }
}

#[test]
fn random_functions_are_right_everywhere() {
    let mut random = Random(3);
    let mut found = 0;
    for round in 0..90 {
        let functions: Vec<Logic> = (0..=round % 2).map(|_| function(&mut random, 1 + round % 3)).collect();
        let solution = match search(&declaration(&[1, 2], &functions, 2000)) {
            Ok(solution) => solution,
            Err(SearchError::Registers(_) | SearchError::Budget { .. }) => continue,
            Err(error) => panic!("{error}"),
        };
        let images = random_images(&mut random, &[1, 2]);
        check(&solution.program, &images, &mut random);
        found += 1;
    }
    assert!(found >= 70, "{found} of 90 functions have programs");
}

/// The image contains every neighbourhood of thresholded pixels.
#[test]
fn one_bit_kernels_are_exact_for_all_inputs() {
    let mut random = Random(2);
    let blocks = 1 << 9;
    let bit = |row: usize, column: usize| (column / 3) >> (3 * row + column % 3) & 1;
    let pixels = (0..3).flat_map(|row| (0..3 * blocks).map(move |column| i64::try_from(bit(row, column)).unwrap()));
    let image = Image { width: 3 * blocks, pixels: pixels.collect() };
    let weights = |rows: [[i64; 3]; 3]| {
        let mut kernel = Polynomial::new();
        for (y, row) in [1, 0, -1].into_iter().zip(rows) {
            for (x, weight) in (-1..).zip(row) {
                let atom = Atom { channel: 0, displacement: Displacement::new(x, y) };
                kernel.add_term(atom, Fraction::new(weight, 1).unwrap()).unwrap();
            }
        }
        kernel
    };
    for rows in [[[1, 1, 1]; 3], [[1, 2, 1], [2, 4, 2], [1, 2, 1]], [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]]] {
        let solution = search(&declaration(&[1], &[weights(rows)], 2000)).unwrap();
        check(&solution.program, std::slice::from_ref(&image), &mut random);
    }
}
