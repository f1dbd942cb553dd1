//! Operations are proved for all values, in all registers that they accept, and take no more words than they say.

use cain_analysis::prove::{self, OperationProofError, Specification};
use cain_isa::operations::{Place, Window};
use cain_isa::{Bit, Direction, Directions, Displacement, Dreg, OperationError, PlaneOperation, Reg};

/// Makes an operation in these analogue and digital registers.
type Make = fn(&[Reg], &[Dreg]) -> PlaneOperation;

const EAST: Direction = Direction::East;
const NORTH: Direction = Direction::North;

/// Every operation with the numbers of analogue and digital registers that it names; it gets words in registers that
/// are all different. Bits that are read may be others than registers; here they are registers.
const OPERATIONS: &[(usize, usize, usize, Make)] = &[
    (2, 2, 0, |r, _| PlaneOperation::Shift { y: r[0], x: r[1], from: Displacement::ZERO }),
    (2, 2, 0, |r, _| PlaneOperation::Shift { y: r[0], x: r[1], from: Displacement::new(-1, 1) }),
    (8, 2, 0, |r, _| PlaneOperation::Shift { y: r[0], x: r[1], from: Displacement::new(3, -4) }),
    (6, 2, 0, |r, _| PlaneOperation::Shift { y: r[0], x: r[1], from: Displacement::new(-3, -3) }),
    (5, 2, 0, |r, _| PlaneOperation::Relu { y: r[0], x: r[1] }),
    (5, 4, 0, |r, _| PlaneOperation::LeakyRelu { y: r[0], x: r[1], ts: [r[2], r[3]], halvings: 1 }),
    (9, 4, 0, |r, _| PlaneOperation::LeakyRelu { y: r[0], x: r[1], ts: [r[2], r[3]], halvings: 3 }),
    (6, 2, 0, |r, _| PlaneOperation::Abs { y: r[0], x: r[1] }),
    (6, 2, 0, |r, _| PlaneOperation::AbsInPlace { x: r[0], t: r[1] }),
    (7, 3, 0, |r, _| PlaneOperation::Max { y: r[0], x: r[1], z: r[2] }),
    (5, 3, 0, |r, _| PlaneOperation::MaxInPlace { x: r[0], z: r[1], at: Place::Here, t: r[2] }),
    (5, 3, 0, |r, _| PlaneOperation::MaxInPlace { x: r[0], z: r[1], at: Place::At(EAST), t: r[2] }),
    (5, 3, 0, |r, _| PlaneOperation::MaxInPlace { x: r[0], z: r[1], at: Place::Beyond(EAST, NORTH), t: r[2] }),
    (6, 3, 0, |r, _| PlaneOperation::Min { y: r[0], x: r[1], z: r[2] }),
    (5, 3, 0, |r, _| PlaneOperation::MinInPlace { x: r[0], z: r[1], at: Place::Here, t: r[2] }),
    (5, 3, 0, |r, _| PlaneOperation::MinInPlace { x: r[0], z: r[1], at: Place::At(NORTH), t: r[2] }),
    (5, 3, 0, |r, _| PlaneOperation::MinInPlace { x: r[0], z: r[1], at: Place::Beyond(EAST, EAST), t: r[2] }),
    (5, 2, 0, |r, _| PlaneOperation::AtLeastLevel { x: r[0], t: r[1] }),
    (4, 1, 0, |r, _| PlaneOperation::AtMostMinusLevel { x: r[0] }),
    (4, 1, 0, |r, _| PlaneOperation::AtMostZero { x: r[0] }),
    (3, 1, 1, |r, b| PlaneOperation::Positive { b: b[0], x: r[0], inverted: false }),
    (3, 1, 1, |r, b| PlaneOperation::AboveMinusLevel { b: b[0], x: r[0], inverted: true }),
    (5, 3, 1, |r, b| PlaneOperation::Above { b: b[0], x: r[0], z: r[1], t: r[2], inverted: false }),
    (5, 3, 1, |r, b| PlaneOperation::Above { b: b[0], x: r[0], z: r[1], t: r[2], inverted: true }),
    (5, 3, 1, |r, b| PlaneOperation::Select { y: r[0], b: b[0].into(), x: r[1], z: r[2] }),
    (4, 2, 1, |r, b| PlaneOperation::Replace { x: r[0], b: b[0].into(), z: r[1] }),
    (4, 1, 1, |r, b| PlaneOperation::Clear { x: r[0], b: b[0].into() }),
    (4, 1, 1, |r, b| PlaneOperation::ReplaceByLevel { x: r[0], b: b[0].into() }),
    (4, 1, 1, |r, b| PlaneOperation::AddLevel { x: r[0], b: b[0].into() }),
    (5, 2, 1, |r, b| PlaneOperation::Mask { y: r[0], b: b[0].into(), x: r[1] }),
    (5, 1, 1, |r, b| PlaneOperation::Level { y: r[0], b: b[0].into() }),
    (3, 3, 0, |r, _| PlaneOperation::MeanInPlace { x: r[0], at: Place::At(EAST), ts: [r[1], r[2]] }),
    (10, 2, 0, |r, _| PlaneOperation::MaxPool { x: r[0], t: r[1], window: Window { size: 2, spacing: 1 } }),
    (20, 2, 0, |r, _| PlaneOperation::MaxPool { x: r[0], t: r[1], window: Window { size: 3, spacing: 2 } }),
    (34, 2, 0, |r, _| PlaneOperation::MaxPool { x: r[0], t: r[1], window: Window { size: 5, spacing: 2 } }),
    (6, 3, 0, |r, _| PlaneOperation::MeanPool { x: r[0], ts: [r[1], r[2]], window: Window { size: 2, spacing: 1 } }),
    (24, 3, 0, |r, _| PlaneOperation::MeanPool { x: r[0], ts: [r[1], r[2]], window: Window { size: 4, spacing: 3 } }),
    (1, 0, 2, |_, b| PlaneOperation::Not { y: b[0], x: b[1].into() }),
    (1, 0, 3, |_, b| PlaneOperation::Or { y: b[0], x: b[1].into(), z: b[2].into() }),
    (3, 0, 5, |_, b| PlaneOperation::And { y: b[0], x: b[1].into(), z: b[2].into(), ts: [b[3], b[4]] }),
    (2, 0, 4, |_, b| PlaneOperation::AndNot { y: b[0], x: b[1].into(), z: b[2].into(), t: b[3] }),
    (4, 0, 5, |_, b| PlaneOperation::Xor { y: b[0], x: b[1].into(), z: b[2].into(), ts: [b[3], b[4]] }),
    (4, 0, 7, |_, b| PlaneOperation::Majority {
        y: b[0],
        xs: [b[1].into(), b[2].into(), b[3].into()],
        ts: [b[4], b[5], b[6]],
    }),
    (4, 0, 7, |_, b| PlaneOperation::Choose {
        y: b[0],
        s: b[1].into(),
        x: b[2].into(),
        z: b[3].into(),
        ts: [b[4], b[5], b[6]],
    }),
    (1, 0, 4, |_, b| PlaneOperation::AnyPool {
        y: b[0],
        x: b[1].into(),
        ts: [b[2], b[3]],
        window: Window { size: 1, spacing: 1 },
    }),
    (8, 0, 4, |_, b| PlaneOperation::AnyPool {
        y: b[0],
        x: b[1].into(),
        ts: [b[2], b[3]],
        window: Window { size: 2, spacing: 1 },
    }),
    (12, 0, 4, |_, b| PlaneOperation::AnyPool {
        y: b[0],
        x: b[1].into(),
        ts: [b[2], b[3]],
        window: Window { size: 3, spacing: 1 },
    }),
    (26, 0, 4, |_, b| PlaneOperation::AnyPool {
        y: b[0],
        x: b[1].into(),
        ts: [b[2], b[3]],
        window: Window { size: 4, spacing: 3 },
    }),
    (3, 0, 2, |_, b| PlaneOperation::Neighbours {
        y: b[0],
        x: b[1].into(),
        from: Directions::new(&[EAST, NORTH]),
        outside: false,
    }),
    (2, 0, 2, |_, b| PlaneOperation::Neighbours {
        y: b[0],
        x: b[1].into(),
        from: Directions::new(&Direction::ALL),
        outside: true,
    }),
];

/// The ways in which `count` operands can share registers: for each operand the number of its register, new ones in
/// order.
fn sharings(count: usize) -> Vec<Vec<usize>> {
    (0..count).fold(vec![vec![]], |lists, _| {
        let next = |list: &Vec<usize>| list.iter().max().map_or(0, |last| last + 1);
        lists.iter().flat_map(|list| (0..=next(list)).map(move |new| [list.as_slice(), &[new]].concat())).collect()
    })
}

/// Analogue registers from C on and digital ones from R5 on, by number.
fn registers(analogue: &[usize], digital: &[usize]) -> (Vec<Reg>, Vec<Dreg>) {
    let reg = |&number: &usize| Reg::from_index(u8::try_from(number + 2).unwrap());
    let dreg = |&number: &usize| Dreg::ALL[number + 5];
    (analogue.iter().map(reg).collect(), digital.iter().map(dreg).collect())
}

#[test]
fn operations_take_the_words_that_are_documented() {
    for (words, analogue, digital, make) in OPERATIONS {
        let all = |count: usize| (0..count).collect::<Vec<_>>();
        let (regs, dregs) = registers(&all(*analogue), &all(*digital));
        let operation = make(&regs, &dregs);
        assert_eq!(operation.words().unwrap().len(), *words, "{operation:?}");
    }
}

#[test]
fn whatever_registers_are_accepted_the_result_is_proved() {
    let mut refused = 0;
    for (_, analogue, digital, make) in OPERATIONS {
        for regs in sharings(*analogue) {
            for dregs in sharings(*digital) {
                let (regs, dregs) = registers(&regs, &dregs);
                let operation = make(&regs, &dregs);
                match prove::operation(&operation) {
                    Ok(()) => {}
                    Err(OperationProofError::Operation(_)) => refused += 1,
                    Err(error) => panic!("{operation:?}: {error}"),
                }
            }
        }
    }
    assert!(refused > 0);
}

#[test]
fn registers_with_special_roles_are_proved_or_refused() {
    for y in Dreg::ALL {
        for x in Dreg::ALL.map(Bit::Reg).into_iter().chain([Bit::Flag, Bit::Select]) {
            let ts = [Dreg::ALL[0], Dreg::ALL[9]];
            for operation in [
                PlaneOperation::Not { y, x },
                PlaneOperation::Xor { y, x, z: Dreg::ALL[5].into(), ts },
                PlaneOperation::Neighbours { y, x, from: Directions::new(&[EAST]), outside: false },
                PlaneOperation::AnyPool {
                    y,
                    x,
                    ts: [Dreg::ALL[8], Dreg::ALL[9]],
                    window: Window { size: 2, spacing: 1 },
                },
                PlaneOperation::Mask { y: Reg::A, b: x, x: Reg::B },
                PlaneOperation::Positive { b: y, x: Reg::A, inverted: true },
            ] {
                if let Err(error) = prove::operation(&operation) {
                    assert!(matches!(error, OperationProofError::Operation(_)), "{operation:?}: {error}");
                }
            }
        }
    }
}

/// The proof is not vacuous: it fails as soon as any word is omitted.
#[test]
fn every_word_is_needed() {
    for (_, analogue, digital, make) in OPERATIONS {
        let all = |count: usize| (0..count).collect::<Vec<_>>();
        let (regs, dregs) = registers(&all(*analogue), &all(*digital));
        let operation = make(&regs, &dregs);
        if let PlaneOperation::MaxPool { window, .. } | PlaneOperation::AnyPool { window, .. } = operation
            && window.size > 2
        {
            continue;
        }
        let (words, specification) = (operation.words().unwrap().to_vec(), Specification::of(&operation).unwrap());
        specification.check(&words).unwrap();
        for left_out in 0..words.len() {
            let mut fewer = words.clone();
            fewer.remove(left_out);
            assert!(specification.check(&fewer).is_err(), "{operation:?} without {}", words[left_out]);
        }
    }
}

#[test]
fn what_cannot_be_done_is_refused_with_the_reason() {
    let window = |size, spacing| Window { size, spacing };
    for (operation, message) in [
        (
            PlaneOperation::Abs { y: Reg::A, x: Reg::A },
            "register `A` is connected twice to one bus; use another register for one of them",
        ),
        (
            PlaneOperation::Max { y: Reg::B, x: Reg::A, z: Reg::B },
            "register `B` is overwritten while it is still needed; use another one as result or scratch",
        ),
        (
            PlaneOperation::Not { y: Dreg::ALL[12], x: Bit::Flag },
            "`R12` is written only where `R0` is 1; use another register",
        ),
        (
            PlaneOperation::MaxPool { x: Reg::A, t: Reg::B, window: window(0, 1) },
            "sizes, distances and numbers of halvings are at least 1 here",
        ),
        (
            PlaneOperation::MeanPool { x: Reg::A, ts: [Reg::B, Reg::C], window: window(3, 1) },
            "the mean of 3 pixels is not made by halving; use a power of two, or declare a kernel",
        ),
        (
            PlaneOperation::MaxPool { x: Reg::A, t: Reg::B, window: window(255, 255) },
            "the operation takes more than 64 words; split it",
        ),
        (
            PlaneOperation::Shift { y: Reg::A, x: Reg::B, from: Displacement::new(i16::MIN, i16::MAX) },
            "the operation takes more than 64 words; split it",
        ),
    ] {
        assert_eq!(operation.words().map(|words| words.len()).unwrap_err().to_string(), message);
    }
    assert_eq!(
        PlaneOperation::Not { y: Dreg::ALL[5], x: Dreg::ALL[5].into() }.words().map(|words| words.len()),
        Err(OperationError::Word(cain_isa::WordError::InPlace(Dreg::ALL[5])))
    );
}
