use super::{Bus, Word, WordError};
use crate::{Cell, Direction, Displacement, Fraction, Reg, Store};

const A: Cell = Cell::Reg(Reg::A);
const B: Cell = Cell::Reg(Reg::B);
const C: Cell = Cell::Reg(Reg::C);
const XE: Cell = Cell::Port(Direction::East);
const XW: Cell = Cell::Port(Direction::West);

#[test]
fn rules_of_the_bus() {
    assert_eq!(Word::new(&[], &[A]), Err(WordError::NoDestination));
    assert_eq!(Word::new(&[A], &[B, A]), Err(WordError::Repeated(Reg::A)));
    assert_eq!(Word::new(&[A], &[B, B]), Err(WordError::Repeated(Reg::B)));
    assert_eq!(Word::new(&[Cell::News], &[XE]), Err(WordError::NewsTwice(Cell::News, XE)));
    assert_eq!(Word::new(&[A], &[XE, XW]), Err(WordError::NewsTwice(XE, XW)));
    assert_eq!(Word::new(&[A, XE], &[B]), Err(WordError::SharedPort(Direction::East)));
    assert_eq!(Word::new(&[A, B], &[C, XE, Cell::Reg(Reg::D)]), Err(WordError::TooManySources { max: 2 }));
    assert_eq!(Word::new(&[A, B, C], &[]), Err(WordError::NoSource));
    assert!(Word::new(&[A, Cell::News], &[B]).is_ok());
    assert!(Word::new(&[A, B, C, XE], &[]).is_err());
}

/// Checks the table of SCAMP-5's ports: a value pushed through XW comes from the east.
#[test]
fn writing_a_port_is_seen_from_the_owner() {
    let push = Word::new(&[XW], &[A]).unwrap();
    let transfer = push.transfers().next().unwrap();
    assert_eq!(transfer.store, Store::News);
    assert_eq!(transfer.terms(), [(Store::Reg(Reg::A), Displacement::new(1, 0))]);

    let pull = Word::new(&[A], &[Cell::Port(Direction::North), B]).unwrap();
    let transfer = pull.transfers().next().unwrap();
    assert_eq!(transfer.terms(), [(Store::News, Displacement::new(0, 1)), (Store::Reg(Reg::B), Displacement::ZERO)]);
}

#[test]
fn several_ports_are_averaged() {
    let mean = Bus::mean(A, &[Direction::North, Direction::South]).unwrap();
    let transfer = Word::Bus(mean).transfers().next().unwrap();
    assert_eq!((transfer.divisor, transfer.terms().len()), (2, 2));
    assert_eq!(transfer.factor(), Fraction::new(-1, 2).unwrap());
    assert!(Bus::mean(Cell::News, &[Direction::North]).is_err());
    let twice = Bus::mean(A, &[Direction::North, Direction::North]);
    assert_eq!(twice, Err(WordError::SourceTwice(Cell::Port(Direction::North))));
}

#[test]
fn the_sensor_and_the_level_are_sources_only() {
    assert!(Word::new(&[A], &[Cell::Pix, Cell::In, XE]).is_ok());
    assert_eq!(Word::new(&[Cell::Pix], &[A]), Err(WordError::ReadOnly(Cell::Pix)));
    assert_eq!(Word::new(&[A], &[Cell::In, Cell::In]), Err(WordError::SourceTwice(Cell::In)));
}
