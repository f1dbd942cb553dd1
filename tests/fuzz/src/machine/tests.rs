//! Tests with programs whose results are published or follow from the tables of the machine.

use super::{Number, Pe, Value};

fn run(listing: &str) -> Pe {
    let mut pe = Pe::new(&["A".to_owned()]);
    for line in listing.split_whitespace() {
        pe.execute(line).unwrap();
    }
    pe
}

/// A kernel of three rows on channel 0, with a common denominator; row 0 is north, column 0 is west.
fn kernel(under: i128, rows: [[i128; 3]; 3]) -> Value {
    let mut value = Value::zero();
    for (y, row) in [1, 0, -1].into_iter().zip(rows) {
        for (x, weight) in (-1..).zip(row) {
            value.add((0, x, y), Number::new(weight, under)).unwrap();
        }
    }
    value
}

/// Table 2 of Stow et al., "Cain: automatic code generation for simultaneous convolutional kernels on focal-plane
/// sensor-processors".
#[test]
fn the_published_program_of_analognet2() {
    let pe = run("diva(A,D,E); div(D,E,C,A); movx(E,D,west); movx(C,E,north); neg(F,E); subx(B,F,east,A); \
                  addx(E,E,D,south); add2x(D,F,D,north,north); sub2x(F,D,south,south,C); add2x(D,C,D,east,south); \
                  add(E,E,D); movx(D,A,north); add2x(A,C,A,east,east); movx(C,B,east); add(D,F,D); \
                  add2x(F,F,E,east,south); movx(E,B,south); addx(A,B,A,south); addx(A,B,A,west); \
                  add2x(B,F,B,north,west); add(C,D,C,E);"
        .replace(", ", ",")
        .as_str());
    for (register, rows) in [
        ("A", [[0, 0, 0], [-3, 1, 0], [-3, 0, 2]]),
        ("B", [[-4, -1, 1], [-1, 2, 0], [1, 1, 0]]),
        ("C", [[-1, 2, 0], [-1, 1, -3], [0, -3, 0]]),
    ] {
        assert!(pe.value(register).unwrap().computes(&kernel(4, rows)), "{register}");
    }
    assert_eq!((pe.costs().instructions, pe.costs().words), (21, 48));
}

#[test]
fn errors_cancel_but_for_negative_halves() {
    let pe = run("mov(B,A); neg(C,A); diva(B,D,E);");
    let errors = ["B", "C", "D", "E"].map(|register| pe.value(register).unwrap().error().unwrap().to_string());
    // The table of errors in the description: D − D2 and D2, with all transfer errors taken to be one.
    assert_eq!(errors, ["0", "0", "1", "1"]);
    assert_eq!(run("bus(B,A);").value("B").unwrap().error(), Some(Number::ONE));
    assert_eq!(pe.peak(), Some(Number::ONE));
}

#[test]
fn rules_of_the_bus() {
    let mut pe = Pe::new(&["A".to_owned(), "B".to_owned()]);
    for line in [
        "neg(A,A);",
        "divq(B,B);",
        "add(C,A,A);",
        "sub(C,A,C);",
        "bus(NEWS,XE);",
        "bus2(XE,C,A);",
        "bus3(C,D,E,A,B);",
        "bus(C,D);",
        "wave(A);",
        "mov(A,B)",
        "movx(A,B,up);",
    ] {
        assert!(pe.execute(line).is_err(), "{line}");
    }
    assert!(pe.execute("bus(NEWS,A,B);").is_ok());
    assert!(pe.execute("bus(C,XE,XW,XN,XS);").is_ok());
    assert!(pe.execute("bus(C,XE,NEWS);").is_err());
}
