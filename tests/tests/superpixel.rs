//! Tests programs on super-pixels on the simulated array: sums modulo 2ⁿ, where everything outside counts as 0.

use cain_analysis::prove::{Atom, Polynomial};
use cain_digital::superpixel::{
    Carry, Converter, Declaration, Input, Layout, Output, Program, Proved, SearchError, Then, VerifyError, search,
    verify,
};
use cain_isa::{Bit, Displacement, Dreg, Fraction, Reg};
use cain_runtime::program::carry_out;
use cain_runtime::sim::Array;

use super::random::Random;

/// The number of blocks along a side of the array.
const BLOCKS: usize = 5;

/// The numbers of all blocks, in rows from the north.
type Image = Vec<i64>;

fn at(image: &Image, block: usize, by: Displacement) -> i64 {
    let column = (block % BLOCKS).checked_add_signed(by.x.into()).filter(|column| *column < BLOCKS);
    let row = (block / BLOCKS).checked_add_signed(-isize::from(by.y)).filter(|row| *row < BLOCKS);
    column.zip(row).map_or(0, |(column, row)| image[row * BLOCKS + column])
}

/// The number that the low bits represent in two's complement.
fn wrapped(value: i64, bits: usize) -> i64 {
    let unused = 64 - bits;
    value << unused >> unused
}

/// The PE of a block that holds a bit.
fn pe(layout: &Layout, block: usize, bank: usize, bit: usize) -> usize {
    let place = layout.places(bank)[bit];
    let row = block / BLOCKS * layout.height() + place.row;
    row * BLOCKS * layout.width() + block % BLOCKS * layout.width() + place.column
}

/// The level of a code, −128 to 127 DN.
fn level(code: u64) -> f32 {
    f32::from(u8::try_from(code).unwrap()) - 128.0
}

/// The PEs of a block.
fn pes_of(layout: &Layout, block: usize) -> impl Iterator<Item = usize> {
    let (width, height) = (layout.width(), layout.height());
    let (left, top) = (block % BLOCKS * width, block / BLOCKS * height);
    (0..height).flat_map(move |row| (0..width).map(move |column| (top + row) * BLOCKS * width + left + column))
}

/// The value of an output in a block.
fn wanted(output: &Output, bits: usize, images: &[Image], block: usize) -> i64 {
    let whole = output.kernel.terms().map(|(_, weight)| weight.denominator()).max().unwrap_or(1);
    let of_term = |(atom, weight): (Atom, Fraction)| {
        let weight = weight.numerator() * (whole / weight.denominator());
        weight.wrapping_mul(at(&images[usize::from(atom.channel)], block, atom.displacement))
    };
    let sum_of = |is_in: &dyn Fn(Fraction) -> bool| {
        let terms = output.kernel.terms().filter(|(_, weight)| is_in(*weight));
        terms.map(of_term).fold(0_i64, i64::wrapping_add)
    };
    let halved = wrapped(sum_of(&|_| true), bits) >> whole.trailing_zeros();
    let biased = wrapped(halved.wrapping_add(output.bias), bits);
    match output.then {
        Then::Nothing => biased,
        Then::Rectify => biased.max(0),
        Then::Compare => {
            let more = sum_of(&|weight| weight > Fraction::ZERO).wrapping_add(output.bias.max(0));
            let less = sum_of(&|weight| weight < Fraction::ZERO).wrapping_add(output.bias.min(0)).wrapping_neg();
            -i64::from(wrapped(more, bits) > wrapped(less, bits))
        }
    }
}

/// Runs a program and compares its outputs.
fn check(program: &Proved, random: &mut Random) {
    let (declaration, program) = (program.declaration(), program.program());
    let layout = &declaration.layout;
    let mut array = Array::new(BLOCKS * layout.width(), BLOCKS * layout.height());
    let pes = BLOCKS * layout.width() * BLOCKS * layout.height();
    for register in Dreg::ALL {
        let rubbish: Vec<bool> = (0..pes).map(|_| random.below(2) == 1).collect();
        array.load_bits(Bit::Reg(register), &rubbish).unwrap();
    }
    carry_out(&mut array, &program.setup, &[], &[], &mut []).unwrap();
    for _ in 0..2 {
        let mut images = Vec::new();
        for register in Dreg::ALL.into_iter().filter(|register| !program.reserved.contains(register)) {
            let rubbish: Vec<bool> = (0..pes).map(|_| random.below(2) == 1).collect();
            array.load_bits(Bit::Reg(register), &rubbish).unwrap();
        }
        for (input, &register) in declaration.inputs.iter().zip(&program.inputs) {
            let bits = layout.places(input.bank).len();
            let number = |random: &mut Random| {
                wrapped(
                    i64::try_from(random.below(1 << 31)).unwrap() << 20 ^ i64::try_from(random.below(1 << 31)).unwrap(),
                    bits,
                )
            };
            let image: Image = (0..BLOCKS * BLOCKS).map(|_| number(random)).collect();
            let mut plane: Vec<bool> = (0..pes).map(|_| random.below(2) == 1).collect();
            for (block, value) in image.iter().enumerate() {
                for bit in 0..bits {
                    plane[pe(layout, block, input.bank, bit)] = value >> bit & 1 == 1;
                }
            }
            let image = match input.converted {
                None => {
                    array.load_bits(Bit::Reg(register), &plane).unwrap();
                    image
                }
                Some(converter) => {
                    let codes: Vec<u64> = (0..pes).map(|_| random.below(256)).collect();
                    let levels: Vec<f32> = codes.iter().map(|&code| level(code)).collect();
                    array.load_reg(converter.register, &levels).unwrap();
                    let highest = converter.unit + converter.bits - 1;
                    let code = |block| codes[pe(layout, block, input.bank, highest)].saturating_sub(1).cast_signed();
                    (0..image.len())
                        .map(|block| wrapped(code(block) >> (8 - converter.bits) << converter.unit, bits))
                        .collect()
                }
            };
            images.push(image);
        }
        carry_out(&mut array, &program.before, &[], &[], &mut []).unwrap();
        array.execute_listing(&program.listing).unwrap();
        carry_out(&mut array, &program.after, &[], &[], &mut []).unwrap();
        for (output, &register) in declaration.outputs.iter().zip(&program.outputs) {
            let plane = array.read_bits(Bit::Reg(register)).unwrap();
            let bits = layout.places(output.bank).len();
            for block in 0..BLOCKS * BLOCKS {
                let wanted = wanted(output, bits, &images, block);
                if let Some(converter) = output.converted {
                    let code = (wanted >> converter.unit).clamp(0, (1 << converter.bits) - 1) << (8 - converter.bits);
                    let wanted = level(code.unsigned_abs());
                    let found = array.read_reg(converter.register).unwrap();
                    let is_wrong = |pe: usize| (found[pe] - wanted).abs() > 0.01;
                    assert!(!pes_of(layout, block).any(is_wrong), "{wanted} DN in block {block}: {program:?}");
                }
                for bit in 0..bits {
                    let found = plane[pe(layout, block, output.bank, bit)];
                    assert_eq!(found, wanted >> bit & 1 == 1, "bit {bit} of {wanted} in block {block}: {program:?}");
                }
            }
        }
        assert!(array.read_bits(Bit::Flag).unwrap().iter().all(|flag| *flag));
    }
}

fn kernel(rows: &[[i64; 3]], denominator: i64, channel: u16) -> Polynomial {
    let mut kernel = Polynomial::new();
    for (y, row) in [1, 0, -1].into_iter().zip(rows) {
        for (x, &weight) in [-1, 0, 1].into_iter().zip(row) {
            let atom = Atom { channel, displacement: Displacement::new(x, y) };
            kernel.add_term(atom, Fraction::new(weight, denominator).unwrap()).unwrap();
        }
    }
    kernel
}

fn declaration(layout: &Layout, carry: Carry, banks: (&[usize], usize), kernels: Vec<Polynomial>) -> Declaration {
    let input = |(i, &bank): (usize, &usize)| Input::new(format!("in{i}"), bank);
    let output = |(i, kernel)| Output::sum(format!("out{i}"), banks.1, kernel);
    Declaration {
        name: "test".into(),
        layout: layout.clone(),
        carry,
        inputs: banks.0.iter().enumerate().map(input).collect(),
        outputs: kernels.into_iter().enumerate().map(output).collect(),
        nodes: 5000,
    }
}

fn snake() -> Layout {
    Layout::new(&[vec![vec![1, 2, 3, 4], vec![8, 7, 6, 5], vec![9, 10, 11, 12], vec![16, 15, 14, 13]]]).unwrap()
}

fn loop_of_four() -> Layout {
    Layout::new(&[vec![vec![1, 2], vec![4, 3]]]).unwrap()
}

const SOBEL: [[i64; 3]; 3] = [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]];

/// Tests the words of one-pixel operations and of well-known kernels on 16 bits.
#[test]
fn lengths_on_the_snake() {
    let layout = snake();
    let one = |weights: &[i64]| {
        let mut sum = Polynomial::new();
        for (channel, &weight) in (0..).zip(weights) {
            let atom = Atom { channel, displacement: Displacement::ZERO };
            sum.add_term(atom, Fraction::new(weight, 1).unwrap()).unwrap();
        }
        sum
    };
    let kernels: [(&[usize], Polynomial, usize, usize); 6] = [
        (&[0, 0], one(&[1, 1]), 13, 39),
        (&[0, 0], one(&[1, -1]), 12, 38),
        (&[0], one(&[-1]), 10, 36),
        (&[0], one(&[2]), 1, 1),
        (&[0], kernel(&SOBEL, 1, 0), 70, 122),
        (&[0], kernel(&[[0, 1, 0], [1, 1, 0], [0, 0, 0]], 2, 0), 55, 81),
    ];
    let mut random = Random(1);
    for (inputs, kernel, propagated, stepped) in kernels {
        for (carry, words) in [(Carry::Propagate, propagated), (Carry::Steps, stepped)] {
            let solution = search(&declaration(&layout, carry, (inputs, 0), vec![kernel.clone()])).unwrap();
            let program = solution.program.program();
            assert!(program.words() <= words, "{} words for {kernel}, {carry:?}", program.words());
            assert!(program.selects() <= 5, "{} patterns", program.selects());
            check(&solution.program, &mut random);
        }
    }
}

/// Tests random kernels and layouts.
#[test]
fn random_kernels_are_exact_everywhere() {
    let layouts = [
        vec![vec![vec![1, 2], vec![4, 3]]],
        vec![vec![vec![1], vec![2], vec![3], vec![4], vec![5], vec![6], vec![7], vec![8]]],
        vec![vec![vec![16, 15, 2, 1], vec![13, 14, 3, 4], vec![12, 9, 8, 5], vec![11, 10, 7, 6]]],
        vec![vec![vec![0, 0, 1, 2], vec![0, 0, 4, 3]], vec![vec![1, 2, 0, 0], vec![4, 3, 0, 0]]],
        vec![vec![vec![1, 2], vec![0, 0]], vec![vec![0, 0], vec![1, 2]]],
        vec![vec![vec![1]]],
    ];
    let mut random = Random(2);
    let mut found = 0;
    for orders in layouts {
        let layout = Layout::new(&orders).unwrap();
        for round in 0..6 {
            let carry = if round % 2 == 0 { Carry::Propagate } else { Carry::Steps };
            let bank = layout.banks() - 1;
            let weights = [0; 3].map(|_| [0; 3].map(|_| if random.below(2) == 0 { 0 } else { random.between(-3, 3) }));
            let denominator = if round % 3 == 2 { 2 } else { 1 };
            let mut sum = kernel(&weights, denominator, 0);
            let inputs: &[usize] = if round == 4 { &[0, bank] } else { &[0] };
            if round == 4 {
                sum.add_scaled(&Polynomial::input(1), Fraction::ONE, Displacement::new(0, 1)).unwrap();
            }
            let solution = match search(&declaration(&layout, carry, (inputs, bank), vec![sum])) {
                Ok(solution) => solution,
                Err(SearchError::Registers(_)) => continue,
                Err(error) => panic!("{error:?}"),
            };
            check(&solution.program, &mut random);
            found += 1;
        }
    }
    assert!(found >= 28, "{found} of 36 kernels have programs");
}

/// Tests operations on a sum, in several layouts.
#[test]
fn bias_and_rectifier() {
    let mut random = Random(3);
    let columns = Layout::new(&[vec![vec![1], vec![2], vec![3], vec![4], vec![5], vec![6], vec![7], vec![8]]]).unwrap();
    let banks =
        Layout::new(&[vec![vec![0, 0, 1, 2], vec![0, 0, 4, 3]], vec![vec![1, 2, 0, 0], vec![4, 3, 0, 0]]]).unwrap();
    for (layout, most) in [(snake(), 20), (columns, 12), (loop_of_four(), 20), (banks, 20)] {
        for carry in [Carry::Propagate, Carry::Steps] {
            let bank = layout.banks() - 1;
            let mut given = declaration(&layout, carry, (&[bank], bank), vec![Polynomial::input(0)]);
            given.outputs[0].then = Then::Rectify;
            let solution = search(&given).unwrap();
            let words = solution.program.program().words();
            assert!(carry == Carry::Steps || words <= most, "{words} words: {layout:?}");
            check(&solution.program, &mut random);
            for bias in [1, -7, 5] {
                let mut given = declaration(&layout, carry, (&[0], bank), vec![kernel(&SOBEL, 2, 0)]);
                given.outputs[0].bias = bias;
                given.outputs[0].then = if bias < 2 { Then::Rectify } else { Then::Nothing };
                check(&search(&given).unwrap().program, &mut random);
            }
        }
    }
    let mut given = declaration(&loop_of_four(), Carry::Propagate, (&[0], 0), vec![Polynomial::input(0)]);
    given.outputs[0].bias = 8;
    assert!(search(&given).unwrap_err().to_string().contains("no signed number of 4 bits"));
}

/// Numbers are compared whose difference may not fit.
#[test]
fn comparisons() {
    let mut random = Random(4);
    let column =
        Layout::new(&[(1..6).map(|bit| vec![bit]).chain([vec![0], vec![0], vec![0]]).collect::<Vec<_>>()]).unwrap();
    let bit = Layout::new(&[vec![vec![1]]]).unwrap();
    for (layout, most) in [(snake(), 33), (loop_of_four(), 40), (column, 25), (bit, 22)] {
        for carry in [Carry::Propagate, Carry::Steps] {
            let mut difference = Polynomial::input(0);
            difference.add_scaled(&Polynomial::input(1), Fraction::from(-1), Displacement::ZERO).unwrap();
            let mut given = declaration(&layout, carry, (&[0, 0], 0), vec![difference]);
            given.outputs[0].then = Then::Compare;
            let solution = search(&given).unwrap();
            let words = solution.program.program().words();
            assert!(carry == Carry::Steps || words <= most, "{words} words: {layout:?}");
            check(&solution.program, &mut random);
            let mut given = declaration(&layout, carry, (&[0], 0), vec![kernel(&SOBEL, 1, 0)]);
            given.outputs[0].then = Then::Compare;
            given.outputs[0].bias = -1;
            check(&search(&given).unwrap().program, &mut random);
        }
    }
}

/// Tests conversions from analogue registers to numbers, and back, with saturation in both directions.
#[test]
fn conversions() {
    let mut random = Random(5);
    let columns =
        (0..4).map(|at| (1..5).map(|bit| (0..4).map(|column| if column == at { bit } else { 0 }).collect()).collect());
    let columns = Layout::new(&columns.collect::<Vec<Vec<Vec<usize>>>>()).unwrap();
    let converter = |register, bits, unit| Some(Converter { register, bits, unit });
    for (layout, bits, unit) in [(snake(), 8, 0), (snake(), 5, 2), (loop_of_four(), 4, 0), (columns, 3, 1)] {
        for carry in [Carry::Propagate, Carry::Steps] {
            let bank = layout.banks() - 1;
            let mut given =
                declaration(&layout, carry, (&[0, bank], bank), vec![kernel(&SOBEL, 1, 0), Polynomial::input(1)]);
            given.inputs[0].converted = converter(Reg::A, bits, unit);
            given.inputs[1].keep = true;
            given.outputs[0].converted = converter(Reg::A, bits, unit);
            given.outputs[1].converted = converter(Reg::C, bits.min(2), unit);
            let solution = search(&given).unwrap();
            for _ in 0..4 {
                check(&solution.program, &mut random);
            }
        }
    }
}

/// Without one of its words, a program computes something else.
#[test]
fn a_program_without_a_word_is_refused() {
    let solution =
        search(&declaration(&loop_of_four(), Carry::Propagate, (&[0], 0), vec![kernel(&SOBEL, 1, 0)])).unwrap();
    let (declaration, program) = (solution.program.declaration(), solution.program.program());
    for left_out in (0..program.listing.len()).step_by(3) {
        let mut listing = program.listing.clone();
        listing.remove(left_out);
        let shorter = Program { listing, ..program.clone() };
        assert!(verify(declaration, &shorter).is_err(), "without word {left_out}");
    }
    let swapped = Program { reserved: vec![program.inputs[0]], ..program.clone() };
    assert!(matches!(verify(declaration, &swapped), Err(VerifyError::Twice(_))));
}
