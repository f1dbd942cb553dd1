//! Tests of programs as sums, and of words.

use super::{IntegerArray, IntegerError, IntegerProgram};
use crate::isa::{HostController as _, Instruction, Reg};
use alloc::vec::Vec;

fn listing(lines: &[&str]) -> Vec<Instruction> {
    lines.iter().map(|line| line.parse().unwrap()).collect()
}

fn array(values: &[i32], width: usize) -> IntegerArray {
    let mut array = IntegerArray::new(width, values.len() / width, 2);
    array.load(Reg::A, |row, column| {
        let at = usize::try_from(row).ok().zip(usize::try_from(column).ok().filter(|column| *column < width));
        at.and_then(|(row, column)| values.get(row * width + column)).copied().unwrap_or(0)
    });
    array
}

/// Every macro instruction is carried out as one sum, and every word as one.
#[test]
fn macro_instructions_and_their_words_agree_with_arithmetic() {
    let values: Vec<i32> = (0..20).map(|i| 8 * ((i * 37) % 50 - 25)).collect();
    let at = |row: usize, column: usize| values[row * 5 + column];
    let macros = listing(&[
        "movx(B,A,east);",
        "sub(C,B,A);",
        "divq(D,C);",
        "add(E,A,B,D);",
        "sub2x(F,A,north,west,E);",
        "div(B,C,A);",
    ]);
    let words: Vec<Instruction> = macros.iter().flat_map(Instruction::words).map(Instruction::Word).collect();
    for (listing, sums) in [(&macros, 12), (&words, 18)] {
        let program = IntegerProgram::new(listing).unwrap();
        assert_eq!(program.len(), sums);
        let mut array = array(&values, 5);
        array.run(&program).unwrap();
        let half = |row, column| (at(row, column + 1) - at(row, column)) / 2;
        let sum = |row, column| at(row, column) + at(row, column + 1) + half(row, column);
        let read = |reg| array.read(reg).map(<[i32]>::to_vec).collect::<Vec<_>>();
        assert_eq!(read(Reg::D)[1][2], half(1, 2));
        assert_eq!(read(Reg::E)[1][2], sum(1, 2));
        assert_eq!(read(Reg::F)[1][2], at(0, 1) - sum(1, 2));
        assert_eq!(read(Reg::B)[2][3], at(2, 3) / 2);
        assert_eq!(read(Reg::C)[2][3], -at(2, 3) / 2);
    }
}

#[test]
fn what_is_no_sum_of_planes_is_refused() {
    let thirds = IntegerProgram::new(&listing(&["bus3(B,C,D,A);"]));
    assert!(matches!(thirds, Err(IntegerError::Divisor(3))), "{thirds:?}");
    let camera = IntegerProgram::new(&listing(&["get_image(A);"]));
    assert!(matches!(camera, Err(IntegerError::NotATransfer(_))), "{camera:?}");
    let far = IntegerProgram::new(&listing(&["mov2x(B,A,east,east);"])).unwrap();
    let mut narrow = IntegerArray::new(3, 3, 1);
    assert!(matches!(narrow.run(&far), Err(IntegerError::Reach(_))));
}

/// Places that FLAG does not select are unchanged, including those around the PEs, where FLAG is then 0.
#[test]
fn words_are_carried_out_where_flag_is_1() {
    let mut array = array(&[5, -3, 0, 7], 4);
    for line in ["where(A);", "mov(B,A);", "all();", "movx(C,B,east);"] {
        array.execute(line.parse::<Instruction>().unwrap()).unwrap();
    }
    let read = |array: &IntegerArray, reg| array.read(reg).flatten().copied().collect::<Vec<_>>();
    assert_eq!(read(&array, Reg::B), [5, 0, 0, 7]);
    assert_eq!(read(&array, Reg::C), [0, 0, 7, 0]);
    let unwritten = array.execute("WHERE(R5);".parse::<Instruction>().unwrap());
    assert!(matches!(unwritten, Err(IntegerError::Bits(_))), "{unwritten:?}");
    let propagation = array.execute("PROP0();".parse::<Instruction>().unwrap());
    assert!(matches!(propagation, Err(IntegerError::Word(_))), "{propagation:?}");
}
