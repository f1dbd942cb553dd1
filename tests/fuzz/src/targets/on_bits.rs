//! Decides whether a program on bits computes its declaration, on arrays of the independent machine.

use cain_analysis::owned::{Step, lines};
use cain_digital::superpixel::{self, Converter, Then};
use cain_digital::{self, Formula, Logic};
use cain_isa::{Dreg, Instruction};

use crate::Dice;
use crate::machine::Array;
use crate::oracle::ensure;

/// The sizes of arrays for digital programs: columns and rows. Kernels reach beyond the borders of each.
const SIZES: [(usize, usize); 4] = [(1, 1), (2, 3), (7, 5), (9, 8)];
/// The sizes of arrays for programs on super-pixels, in blocks.
const BLOCKS: [(usize, usize); 3] = [(1, 1), (2, 3), (4, 3)];
/// The number of random pictures for each array.
const PICTURES: usize = 8;

/// The numbers of all PEs, or of all blocks, row by row from the north.
type Numbers = Vec<i64>;

/// Runs a digital program on random numbers; returns its number of words.
pub(super) fn digital(
    declaration: &cain_digital::Declaration,
    program: &cain_digital::Program,
) -> Result<usize, String> {
    let mut dice = Dice::new("digital", 0, 0);
    let mut words = 0;
    for (width, height) in SIZES {
        for _ in 0..PICTURES {
            let mut array = Array::new(width, height, || dice.once_in(2));
            let mut given = Vec::new();
            for (input, registers) in declaration.inputs.iter().zip(&program.inputs) {
                let numbers = (0..width * height).map(|_| drawn(&mut dice, registers.len(), input.format.is_signed()));
                let numbers: Numbers = numbers.collect();
                write(&mut array, registers, &numbers);
                given.push(numbers);
            }
            run(&mut array, &program.listing)?;
            words = array.words();
            let held = |array: &Array, registers: &[Dreg], number: usize, wanted: i64| {
                let (x, y) = (number % width, number / width);
                registers.iter().enumerate().all(|(bit, register)| {
                    let found = array.bit(&register.to_string(), x, y);
                    found == (wanted >> bit & 1 == 1)
                })
            };
            for (output, registers) in declaration.outputs.iter().zip(&program.outputs) {
                for number in 0..width * height {
                    let wanted = wanted(&output.formula, &given, (width, height), number);
                    let (least, most) = bounds(registers.len(), wanted < 0);
                    ensure((least..=most).contains(&wanted), || format!("`{}` has too few bits", output.name))?;
                    ensure(held(&array, registers, number, wanted), || format!("`{}` is wrong", output.name))?;
                }
            }
            for ((input, registers), numbers) in declaration.inputs.iter().zip(&program.inputs).zip(&given) {
                let is_kept = (0..).zip(numbers).all(|(number, wanted)| held(&array, registers, number, *wanted));
                ensure(!input.keep || is_kept, || format!("`{}` is overwritten", input.name))?;
            }
            flag_is_set(&array)?;
        }
    }
    Ok(words)
}

/// Runs a program on super-pixels twice after one preparation; returns the number of words in a run.
pub(super) fn super_pixels(
    declaration: &superpixel::Declaration,
    program: &superpixel::Program,
) -> Result<usize, String> {
    let mut dice = Dice::new("superpixels", 0, 0);
    let layout = &declaration.layout;
    let mut words = 0;
    for (columns, rows) in BLOCKS {
        for _ in 0..PICTURES {
            let (width, height) = (columns * layout.width(), rows * layout.height());
            let mut array = Array::new(width, height, || dice.once_in(2));
            steps(&mut array, &program.setup)?;
            for _ in 0..2 {
                let before = array.words();
                // Others may have used registers that are not reserved.
                let others = Array::new(width, height, || dice.once_in(2));
                for register in Dreg::ALL.iter().filter(|register| !program.reserved.contains(register)) {
                    each(width, height, |x, y| {
                        let name = register.to_string();
                        array.set_bit(&name, x, y, others.bit(&name, x, y));
                    });
                }
                super_pixel_run(&mut array, declaration, program, (columns, rows), &mut dice)?;
                words = array.words() - before;
            }
        }
    }
    Ok(words)
}

fn super_pixel_run(
    array: &mut Array,
    declaration: &superpixel::Declaration,
    program: &superpixel::Program,
    (columns, rows): (usize, usize),
    dice: &mut Dice,
) -> Result<(), String> {
    let blocks = columns * rows;
    let mut given: Vec<Numbers> = Vec::new();
    for (input, register) in declaration.inputs.iter().zip(&program.inputs) {
        let bits = declaration.layout.places(input.bank).len();
        let numbers: Numbers = (0..blocks).map(|_| drawn(dice, bits, true)).collect();
        let Some(converter) = input.converted else {
            write_blocks(array, declaration, input.bank, *register, &numbers, columns);
            given.push(numbers);
            continue;
        };
        let (width, height) = array.size();
        let levels: Vec<i32> = (0..width * height).map(|_| level(dice)).collect();
        let name = converter.register.to_string();
        each(width, height, |x, y| array.set_level(&name, x, y, levels[y * width + x].into()));
        let top = declaration.layout.places(input.bank).get(converter.unit + converter.bits - 1);
        let top = top.ok_or("a converter has more bits than its number")?;
        let place = |block: usize| {
            let (x, y) = (block % columns * declaration.layout.width(), block / columns * declaration.layout.height());
            (y + top.row) * width + x + top.column
        };
        given.push((0..blocks).map(|block| modulo(code(converter, levels[place(block)]), bits)).collect());
    }
    let reserved: Vec<Vec<bool>> = program.reserved.iter().map(|register| plane(array, *register)).collect();
    steps(array, &program.before)?;
    run(array, &program.listing)?;
    steps(array, &program.after)?;
    for (output, register) in declaration.outputs.iter().zip(&program.outputs) {
        let bits = declaration.layout.places(output.bank).len();
        let wanted: Numbers = (0..blocks).map(|block| of_block(output, &given, (columns, rows), block, bits)).collect();
        let is_right = read_blocks(array, declaration, output.bank, *register, columns) == wanted;
        ensure(is_right, || format!("`{}` is wrong", output.name))?;
        if let Some(converter) = output.converted {
            let (width, height) = array.size();
            let name = converter.register.to_string();
            let mut is_level = true;
            each(width, height, |x, y| {
                let block = y / declaration.layout.height() * columns + x / declaration.layout.width();
                is_level &= (array.level(&name, x, y) - f64::from(level_of(converter, wanted[block]))).abs() < 1e-6;
            });
            ensure(is_level, || format!("the level of `{}` is wrong", output.name))?;
        }
    }
    for ((input, register), numbers) in declaration.inputs.iter().zip(&program.inputs).zip(&given) {
        if input.keep {
            let is_kept = read_blocks(array, declaration, input.bank, *register, columns) == *numbers;
            ensure(is_kept, || format!("`{}` is overwritten", input.name))?;
        }
    }
    for (register, before) in program.reserved.iter().zip(reserved) {
        ensure(plane(array, *register) == before, || format!("`{register}`, which is reserved, is overwritten"))?;
    }
    flag_is_set(array)
}

/// The number that a declaration wants in a block.
fn of_block(
    output: &superpixel::Output,
    given: &[Numbers],
    (columns, rows): (usize, usize),
    block: usize,
    bits: usize,
) -> i64 {
    let denominators = output.kernel.terms().map(|(_, weight)| weight.denominator());
    let halved = denominators.max().unwrap_or(1);
    let (mut more, mut less) = (output.bias.max(0), -output.bias.min(0));
    let mut sum = 0;
    for (atom, weight) in output.kernel.terms() {
        let weight = weight.numerator() * (halved / weight.denominator());
        let step = (atom.displacement.x.into(), atom.displacement.y.into());
        let number = neighbour((columns, rows), block, step);
        let number = number.map_or(0, |block| given[usize::from(atom.channel)][block]);
        sum += weight * number;
        if weight > 0 { more += weight * number } else { less -= weight * number }
    }
    match output.then {
        Then::Compare => -i64::from(modulo(more, bits) > modulo(less, bits)),
        then => {
            let sum = modulo(modulo(sum, bits).div_euclid(halved) + output.bias, bits);
            if then == Then::Rectify { sum.max(0) } else { sum }
        }
    }
}

/// The code of a level: its high bits above −127 DN.
fn code(converter: Converter, level: i32) -> i64 {
    let step = 256 >> converter.bits;
    i64::from((level + 127).max(0) / step) << converter.unit
}

/// The level of a number: code 0 is −128 DN, and the highest bit is worth 128.
fn level_of(converter: Converter, number: i64) -> i32 {
    let most = (1 << converter.bits) - 1;
    let code = i32::try_from((number >> converter.unit).clamp(0, most)).unwrap_or_default();
    code * (256 >> converter.bits) - 128
}

fn level(dice: &mut Dice) -> i32 {
    let level = if dice.once_in(6) { dice.pick(&[-128, -127, -1, 0, 1, 127]) } else { dice.between(-128, 127) };
    i32::try_from(level).unwrap_or_default()
}

/// The number that a declaration wants in a PE.
fn wanted(formula: &Formula, given: &[Numbers], size: (usize, usize), at: usize) -> i64 {
    match formula {
        Formula::Sum(kernel) => kernel
            .terms()
            .map(|(atom, weight)| {
                let step = (atom.displacement.x.into(), atom.displacement.y.into());
                let number = neighbour(size, at, step).map_or(0, |at| given[usize::from(atom.channel)][at]);
                weight.numerator() * number
            })
            .sum(),
        Formula::Logic(logic) => i64::from(truth(logic, &|input, bit, step| {
            neighbour(size, at, step).is_some_and(|at| given[input][at] >> bit & 1 == 1)
        })),
    }
}

/// The value of a Boolean function, given its bits by input, number of the bit and place.
fn truth(logic: &Logic, bit_at: &dyn Fn(usize, u32, (isize, isize)) -> bool) -> bool {
    let are_true = |parts: &[Logic]| parts.iter().filter(|part| truth(part, bit_at)).count();
    match logic {
        Logic::Constant(value) => *value,
        Logic::Pixel { input, bit, at } => bit_at(*input, *bit, (at.x.into(), at.y.into())),
        Logic::Not(part) => !truth(part, bit_at),
        Logic::All(parts) => are_true(parts) == parts.len(),
        Logic::Any(parts) => are_true(parts) > 0,
        Logic::Odd(parts) => are_true(parts) % 2 == 1,
        Logic::Count { of, least, most } => {
            u32::try_from(are_true(of)).is_ok_and(|count| (*least..=*most).contains(&count))
        }
    }
}

/// The place at a distance to the east and to the north, if it is in the array.
fn neighbour((width, height): (usize, usize), at: usize, (east, north): (isize, isize)) -> Option<usize> {
    let (x, y) = ((at % width).checked_add_signed(east)?, (at / width).checked_add_signed(-north)?);
    (x < width && y < height).then_some(y * width + x)
}

/// A random number with this many bits.
fn drawn(dice: &mut Dice, bits: usize, signed: bool) -> i64 {
    let (least, most) = bounds(bits, signed);
    dice.between(least, most)
}

/// The least and the greatest number with this many bits.
fn bounds(bits: usize, signed: bool) -> (i64, i64) {
    if signed { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
}

/// The number in two's complement that has the same lowest bits.
fn modulo(number: i64, bits: usize) -> i64 {
    let unused = 64 - bits;
    number << unused >> unused
}

/// Writes numbers, one to each PE.
fn write(array: &mut Array, registers: &[Dreg], numbers: &Numbers) {
    let (width, _) = array.size();
    for (place, number) in numbers.iter().enumerate() {
        for (bit, register) in registers.iter().enumerate() {
            array.set_bit(&register.to_string(), place % width, place / width, number >> bit & 1 == 1);
        }
    }
}

/// Writes numbers of a bank, one to each block. Other PEs keep their contents.
fn write_blocks(
    array: &mut Array,
    declaration: &superpixel::Declaration,
    bank: usize,
    register: Dreg,
    numbers: &Numbers,
    columns: usize,
) {
    let layout = &declaration.layout;
    for (block, number) in numbers.iter().enumerate() {
        let (x, y) = (block % columns * layout.width(), block / columns * layout.height());
        for (bit, place) in layout.places(bank).iter().enumerate() {
            array.set_bit(&register.to_string(), x + place.column, y + place.row, number >> bit & 1 == 1);
        }
    }
}

/// The numbers of a bank, one for each block.
fn read_blocks(
    array: &Array,
    declaration: &superpixel::Declaration,
    bank: usize,
    register: Dreg,
    columns: usize,
) -> Numbers {
    let layout = &declaration.layout;
    let (width, height) = array.size();
    let number = |block: usize| {
        let (x, y) = (block % columns * layout.width(), block / columns * layout.height());
        let places = layout.places(bank);
        let bits = places
            .iter()
            .enumerate()
            .map(|(bit, place)| i64::from(array.bit(&register.to_string(), x + place.column, y + place.row)) << bit);
        modulo(bits.sum(), places.len())
    };
    (0..width / layout.width() * (height / layout.height())).map(number).collect()
}

fn plane(array: &Array, register: Dreg) -> Vec<bool> {
    let (width, height) = array.size();
    let mut bits = Vec::new();
    each(width, height, |x, y| bits.push(array.bit(&register.to_string(), x, y)));
    bits
}

fn flag_is_set(array: &Array) -> Result<(), String> {
    let (width, height) = array.size();
    let mut is_set = true;
    each(width, height, |x, y| is_set &= array.bit("FLAG", x, y));
    ensure(is_set, || "FLAG is not 1 at the end".to_owned())
}

fn each(width: usize, height: usize, mut of: impl FnMut(usize, usize)) {
    (0..height).for_each(|y| (0..width).for_each(|x| of(x, y)));
}

fn run(array: &mut Array, listing: &[Instruction]) -> Result<(), String> {
    listing.iter().try_for_each(|instruction| array.execute(&instruction.to_string()))
}

fn steps(array: &mut Array, steps: &[Step]) -> Result<(), String> {
    steps.iter().flat_map(|step| lines(step, 256)).try_for_each(|line| array.execute(&line))
}
