//! Tests which planes a bit can represent.

use cain_isa::Reg;
use cain_isa::asm::{A, B, C, D};

use super::super::levels::{Known, Levels};
use super::Piece;

/// The planes of two levels after a program; a number sets the level of `IN`.
fn after(program: &str) -> Vec<(Reg, Levels)> {
    let mut known = Known::new();
    for line in program.split_whitespace() {
        let piece = match line.parse() {
            Ok(level) => Piece::Level(Some(level)),
            Err(_) => Piece::Instruction(line.parse().unwrap()),
        };
        known.carry_out(&piece);
    }
    known.planes().into_iter().collect()
}

/// A is 64 where R5 is 1 and −20 elsewhere.
const PLANE: &str = "20 bus(A,IN); WHERE(R5); -64 bus(A,IN); all();";
const LEVELS: (Reg, Levels) = (A, (-20, 64));

#[test]
fn sums_of_a_plane_and_constants_have_two_levels() {
    assert_eq!(after(PLANE), [LEVELS]);
    // Its negative, and the plane with 10 more or less, in both orders.
    assert_eq!(after(&format!("{PLANE} bus(B,A);")), [LEVELS, (B, (-64, 20))]);
    assert_eq!(after(&format!("{PLANE} 10 bus(C,A,IN);")), [LEVELS, (C, (-74, 10))]);
    assert_eq!(after(&format!("{PLANE} -10 bus(C,IN,A);")), [LEVELS, (C, (-54, 30))]);
    assert_eq!(after(&format!("{PLANE} 10 bus(NEWS,IN); bus(C,NEWS,A);")), [LEVELS, (C, (-54, 30))]);
    // The sum of two planes may have more levels, values beyond the range are lost, and a neighbour's plane is another
    // one.
    for more in [
        "bus(B,A); bus(D,A,B);",
        "100 bus(D,A,IN);",
        "bus(NEWS,A); bus(D,XE);",
        "bus2(C,D,A);",
        "bus(XE,A); bus(D,NEWS);",
    ] {
        assert!(after(&format!("{PLANE} {more}")).iter().all(|(reg, _)| [A, B].contains(reg)), "{more}");
    }
    assert_eq!(after(&format!("{PLANE} bus(A,D);")), []);
    assert_eq!(after("20 bus(A,D); WHERE(R5); -64 bus(A,IN); all();"), []);
}

/// A third level where another bit is 1 makes three levels; one of the two levels does not.
#[test]
fn planes_have_no_third_level() {
    for (level, planes) in [(-64, &[LEVELS][..]), (20, &[LEVELS]), (-63, &[]), (0, &[]), (-65, &[]), (21, &[])] {
        assert_eq!(after(&format!("{PLANE} WHERE(R6); {level} bus(A,IN); all();")), planes, "{level}");
    }
    // When written everywhere, it is a constant.
    assert_eq!(after(&format!("{PLANE} 0 bus(A,IN);")), []);
}

/// Levels must be so far apart that a chip can tell them apart, and `IN` can be minus each of them.
#[test]
fn levels_can_be_told_apart() {
    let planes = |low: i32, high: i32| {
        let found = after(&format!("{} bus(A,IN); WHERE(R5); {} bus(A,IN); all();", -low, -high));
        found.first().map(|(_, levels)| *levels)
    };
    for (low, high) in [(-20, 0), (0, 16), (48, 64), (-127, 100)] {
        assert_eq!(planes(low, high), Some((i8::try_from(low).unwrap(), i8::try_from(high).unwrap())));
    }
    assert_eq!([planes(49, 64), planes(0, 15), planes(-64, -49)], [None; 3]);
    // −127 DN less 1 is −128.
    let lowest = "127 bus(A,IN); WHERE(R5); 0 bus(A,IN); all(); 1 bus(NEWS,A); bus(D,NEWS,IN);";
    assert_eq!(after(lowest), [(A, (-127, 0))]);
    assert_eq!(after(&lowest.replace("1 bus(NEWS", "0 bus(NEWS")), [(A, (-127, 0)), (D, (-127, 0))]);
}
