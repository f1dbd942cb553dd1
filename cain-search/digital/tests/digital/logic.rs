//! Tests of the lengths of programs for Boolean functions.

use cain_digital::{Declaration, Format, Input, Logic, Output, search};
use cain_isa::Displacement;

fn pixel(x: i16, y: i16) -> Logic {
    Logic::pixel(0, Displacement::new(x, y))
}

fn not(logic: Logic) -> Logic {
    Logic::Not(Box::new(logic))
}

/// Some of the PEs around one, in rows from the north-west: all but those with a 0.
fn around(mask: [[u8; 3]; 3]) -> Vec<Logic> {
    let rows = (-1..).zip(mask).flat_map(|(row, mask)| (-1..).zip(mask).map(move |(x, is_in)| (x, -row, is_in)));
    rows.filter(|(.., is_in)| *is_in == 1).map(|(x, y, _)| pixel(x, y)).collect()
}

const CROSS: [[u8; 3]; 3] = [[0, 1, 0], [1, 1, 1], [0, 1, 0]];
const NEIGHBOURS: [[u8; 3]; 3] = [[0, 1, 0], [1, 0, 1], [0, 1, 0]];
const SQUARE: [[u8; 3]; 3] = [[1; 3]; 3];
const RING: [[u8; 3]; 3] = [[1, 1, 1], [1, 0, 1], [1, 1, 1]];

fn words(functions: &[Logic]) -> usize {
    let output = |(i, logic): (usize, &Logic)| Output { name: format!("out{i}"), formula: logic.clone().into() };
    let declaration = Declaration {
        name: "test".into(),
        inputs: vec![Input { name: "in".into(), format: Format::new(1, false).unwrap(), keep: false, at: None }],
        outputs: functions.iter().enumerate().map(output).collect(),
        flag: true,
        nodes: 20_000,
    };
    let solution = search(&declaration).unwrap();
    solution.program.program().words()
}

/// A function over all PEs of a mask.
fn opened(inner: fn(Vec<Logic>) -> Logic, outer: fn(Vec<Logic>) -> Logic) -> Logic {
    let parts = around(CROSS).into_iter().map(|part| {
        let Logic::Pixel { at, .. } = part else { panic!("no pixel") };
        inner(around(CROSS)).moved(at).unwrap()
    });
    outer(parts.collect())
}

#[test]
fn neighbourhoods() {
    let life = |of: Vec<Logic>| {
        let count = |number| Logic::Count { of: of.clone(), least: number, most: number };
        Logic::Any(vec![count(3), Logic::All(vec![pixel(0, 0), count(2)])])
    };
    let row = || vec![pixel(-1, 0), pixel(0, 0), pixel(1, 0)];
    let cases: [(&str, Logic, usize); 14] = [
        ("copy", pixel(0, 0), 0),
        ("complement", not(pixel(0, 0)), 1),
        ("dilation by a cross", Logic::Any(around(CROSS)), 3),
        ("erosion by a cross", Logic::All(around(CROSS)), 4),
        ("dilation by a square", Logic::Any(around(SQUARE)), 8),
        ("erosion by a square", Logic::All(around(SQUARE)), 9),
        ("inner edge", Logic::All(vec![pixel(0, 0), not(Logic::All(around(NEIGHBOURS)))]), 5),
        ("difference to the east", Logic::Odd(vec![pixel(0, 0), pixel(1, 0)]), 7),
        ("median of a row", Logic::majority(row()), 9),
        ("median of a square", Logic::majority(around(SQUARE)), 39),
        ("parity of a row", Logic::Odd(row()), 11),
        ("opening", opened(Logic::All, Logic::Any), 6),
        ("closing", opened(Logic::Any, Logic::All), 39),
        ("Life", life(around(RING)), 38),
    ];
    let square: Vec<Logic> = (-2..=2).flat_map(|y| (-2..=2).map(move |x| pixel(x, y))).collect();
    let large = [("dilation by 5×5", Logic::Any(square.clone()), 23), ("erosion by 5×5", Logic::All(square), 24)];
    for (name, logic, most) in cases.into_iter().chain(large) {
        let words = words(&[logic]);
        assert!(words <= most, "{name}: {words} words");
    }
}
