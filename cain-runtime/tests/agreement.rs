//! Runs random programs that the chip can run: the simulator computes what the prover finds, however the program is
//! divided into portions, and so does a device that receives it as bits.

use cain_runtime::device::{Board, Device, Loopback};
use cain_runtime::isa::asm::{E, NEWS, bus, reg};
use cain_runtime::isa::{
    Bit, Cell, Direction, HostController, Instruction, Macro, Op, Operand, OperandKind, Reg, Word, asm,
};
use cain_runtime::prove::{Polynomial, Prover, Reach};
use cain_runtime::sim::{Array, ErrorModel, Saturation};
use proptest::prelude::*;
use proptest::sample::select;

const SIZE: i32 = 24;
const REGISTERS: [Reg; 4] = [Reg::A, Reg::B, Reg::C, Reg::D];

fn operand(kind: OperandKind) -> BoxedStrategy<Operand> {
    match kind {
        OperandKind::Direction => select(Direction::ALL.map(Operand::Direction).to_vec()).boxed(),
        OperandKind::Times => (1..=3_u8).prop_map(Operand::Times).boxed(),
        _ => select(REGISTERS.map(Operand::Reg).to_vec()).boxed(), // No instruction here has bits.
    }
}

/// Any macro instruction with any operands that its rules allow.
fn macro_instruction() -> impl Strategy<Value = Instruction> {
    select([Op::ARITHMETIC, Op::ANALOGUE].concat()).prop_flat_map(|op| {
        let operands: Vec<_> = op.operands().iter().map(|&kind| operand(kind)).collect();
        operands.prop_filter_map("breaks a rule of the bus", move |operands| {
            Macro::new(op, &operands).ok().map(Instruction::Macro)
        })
    })
}

/// Any control word that the rules of the bus allow.
fn word() -> impl Strategy<Value = Instruction> {
    let mut cells: Vec<Cell> = REGISTERS.map(Cell::Reg).to_vec();
    cells.push(Cell::News);
    cells.extend(Direction::ALL.map(Cell::Port));
    let list = |most| prop::collection::vec(select(cells.clone()), 0..=most);
    (list(3), list(4)).prop_filter_map("breaks a rule of the bus", |(destinations, sources)| {
        Word::new(&destinations, &sources).ok().map(Instruction::Word)
    })
}

/// Any average of ports.
fn average() -> impl Strategy<Value = Instruction> {
    let ports = prop::sample::subsequence(Direction::ALL.to_vec(), 1..=Direction::ALL.len());
    (select(REGISTERS.to_vec()), ports).prop_map(|(reg, ports)| asm::mean(reg.into(), &ports))
}

/// A program that reads nothing before it is written, from an image in A and one in B.
fn program() -> impl Strategy<Value = (Vec<Instruction>, Prover)> {
    let line = prop_oneof![6 => macro_instruction().boxed(), 2 => word().boxed(), 1 => average().boxed()];
    prop::collection::vec(line, 1..=10).prop_map(|lines| {
        let mut prover = Prover::new(&[Reg::A, Reg::B]);
        let mut kept = Vec::new();
        for line in lines {
            let before = prover.clone();
            match prover.execute(line) {
                Ok(()) => kept.push(line),
                Err(_) => prover = before,
            }
        }
        (kept, prover)
    })
}

fn image() -> impl Strategy<Value = Vec<f32>> {
    let pixel = (-16_i8..=16).prop_map(f32::from);
    prop::collection::vec(pixel, usize::try_from(SIZE * SIZE).expect("a small number"))
}

/// The value of a polynomial over two images in the PE `x` to the east and `y` to the north of the south-west corner.
fn evaluate(polynomial: &Polynomial, images: [&[f32]; 2], (x, y): (i32, i32)) -> f64 {
    let terms = polynomial.terms().map(|(atom, weight)| {
        let (x, y) = (x + i32::from(atom.displacement.x), y + i32::from(atom.displacement.y));
        weight.to_f64() * f64::from(images[usize::from(atom.channel)][index(x, y)])
    });
    terms.sum()
}

/// The place of a PE in an image, whose first row is north.
fn index(x: i32, y: i32) -> usize {
    usize::try_from((SIZE - 1 - y) * SIZE + x).expect("a PE of the array")
}

/// The PEs that have the reach of a value around them.
fn inside(reach: Reach) -> impl Iterator<Item = (i32, i32)> {
    let span = |low: i16, high: i16| -i32::from(low)..SIZE - i32::from(high);
    span(reach.min.x, reach.max.x).flat_map(move |x| span(reach.min.y, reach.max.y).map(move |y| (x, y)))
}

proptest! {
    #[test]
    fn the_simulator_computes_what_the_prover_says((listing, prover) in program(), a in image(), b in image()) {
        let size = usize::try_from(SIZE).expect("a small number");
        let mut array = Array::new(size, size);
        array.load_reg(Reg::A, &a).unwrap();
        array.load_reg(Reg::B, &b).unwrap();
        for &line in &listing {
            array.execute(line).unwrap();
        }
        for reg in REGISTERS {
            let Some(polynomial) = prover.value(reg) else {
                prop_assert!(array.read_reg(reg).is_err(), "{} was never written", reg);
                continue;
            };
            let found = array.read_reg(reg).unwrap();
            let tolerance = 1e-3 * prover.report().peak_gain.to_f64().max(1.0);
            for (x, y) in inside(prover.reach(reg)) {
                let expected = evaluate(polynomial, [&a, &b], (x, y));
                let found = f64::from(found[index(x, y)]);
                prop_assert!((expected - found).abs() <= tolerance, "{reg} at ({x}, {y}): {expected}, not {found}");
            }
        }
    }

    /// If words add a constant that depends on their number of destinations, the sum that reaches a register equals the
    /// prover's report. If the constant is the same for all words, that sum is 0 after macro instructions, except in
    /// the negative halves of divisions.
    #[test]
    fn constant_errors_arrive_as_often_as_the_prover_reports((listing, prover) in program(), a in image()) {
        let size = usize::try_from(SIZE).expect("a small number");
        let run = |model: ErrorModel| {
            let mut array = Array::new(size, size).errors(model);
            array.load_reg(Reg::A, &a).unwrap();
            array.load_reg(Reg::B, &a).unwrap();
            for &line in &listing {
                array.execute(line).unwrap();
            }
            array
        };
        let offset = [20.0, 23.0, 25.0];
        let (ideal, with_error) = (run(ErrorModel::ideal()), run(ErrorModel { offset, ..ErrorModel::ideal() }));
        for reg in REGISTERS.into_iter().filter(|&reg| prover.value(reg).is_some()) {
            let counts = prover.report().offset_error_by_destinations(reg).unwrap();
            let expected: f64 = counts.iter().zip(offset).map(|(count, error)| count.to_f64() * f64::from(error)).sum();
            let (without, with) = (ideal.read_reg(reg).unwrap(), with_error.read_reg(reg).unwrap());
            let tolerance = 2e-2 * prover.report().peak_gain.to_f64().max(1.0);
            for (x, y) in inside(prover.reach(reg)) {
                let found = f64::from(with[index(x, y)]) - f64::from(without[index(x, y)]);
                prop_assert!((expected - found).abs() <= tolerance, "{reg} at ({x}, {y}): {found}, not {expected}");
            }
        }
    }

    #[test]
    fn a_listing_is_the_sequence_of_its_words(
        (listing, _) in program(), (width, height) in (1..=24_usize, 1..=24_usize), image in image(),
        model in prop_oneof![
            3 => Just(ErrorModel::ideal()),
            1 => Just(ErrorModel::saturating()),
            2 => Just(ErrorModel { mismatch: 0.01, ..ErrorModel::measured() }),
            1 => Just(ErrorModel { saturation: Saturation::Soft, ..ErrorModel::measured() }),
            1 => Just(ErrorModel { relative_noise: 0.01, noise: 0.5, ..ErrorModel::measured() }),
        ],
        seed in any::<u64>(), part in any::<bool>(),
    ) {
        let mut whole = Array::new(width, height).errors(model).seed(seed).outside(3.0);
        let pixels = |skipped| image.iter().cycle().skip(skipped).take(width * height).copied().collect::<Vec<_>>();
        whole.load_reg(Reg::A, &pixels(0)).unwrap();
        whole.load_reg(Reg::B, &pixels(7)).unwrap();
        if part {
            whole.load_bits(Bit::Flag, &pixels(3).iter().map(|value| *value > 0.0).collect::<Vec<_>>()).unwrap();
        }
        let mut by_word = whole.clone();
        whole.execute_listing(&listing).unwrap();
        for word in listing.iter().flat_map(Instruction::words) {
            by_word.issue(word).unwrap();
        }
        for reg in REGISTERS {
            prop_assert_eq!(whole.read_reg(reg), by_word.read_reg(reg), "{}", reg);
        }
        let what_is_in_news = bus(&[reg(E)], &[NEWS]);
        prop_assert_eq!(whole.execute(what_is_in_news), by_word.execute(what_is_in_news));
        prop_assert_eq!(whole.read_reg(E), by_word.read_reg(E));
    }

    /// Lines do not preserve the order of sources, so sums of thirds may differ in their last digits.
    #[test]
    fn a_device_does_what_the_simulator_does((listing, prover) in program(), a in image(), b in image()) {
        let size = usize::try_from(SIZE).expect("a small number");
        let mut simulator = Array::new(size, size);
        simulator.load_reg(Reg::A, &a).unwrap();
        simulator.load_reg(Reg::B, &b).unwrap();
        let mut device = Device::connect(Loopback::new(Board::new(simulator.clone()))).unwrap();
        simulator.execute_listing(&listing).unwrap();
        let kernel = device.upload_listing(&listing).unwrap();
        device.launch(kernel).unwrap();
        let board = device.into_link().into_board();
        for reg in REGISTERS {
            let (expected, found) = (simulator.read_reg(reg), board.array().read_reg(reg));
            let (Ok(expected), Ok(found)) = (expected, found) else {
                prop_assert_eq!(expected, found, "{}", reg);
                continue;
            };
            let tolerance = 1e-5 * prover.report().peak_gain.to_f64().max(1.0) * 16.0;
            for (expected, found) in expected.iter().zip(found) {
                let difference = f64::from((expected - found).abs());
                prop_assert!(difference <= tolerance, "{}: {}, not {}", reg, found, expected);
            }
        }
    }
}
