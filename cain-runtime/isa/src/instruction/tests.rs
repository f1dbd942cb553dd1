extern crate std;
use super::{Instruction, InstructionErrorKind as Kind};
use crate::asm::{A, B, C, D, NEWS, XE, XW};
use crate::{OperandKind, Renaming, WordError};
use std::string::ToString;

#[test]
fn listings_read_as_they_print() {
    for line in [
        "diva(A,D,E);",
        "div(D,E,C,A);",
        "div(D,E,C);",
        "add(A,B,C,D);",
        "add2x(D,F,D,north,north);",
        "subx(B,F,east,A);",
        "res(A);",
        "bus(NEWS,A,B);",
        "bus(XW,A);",
        "bus2(B,NEWS,A);",
        "bus3(A,B,C,D);",
        "bus(A);",
        "bus(A,PIX,IN);",
        "where(A,NEWS);",
        "WHERE(R5,SELECT);",
        "all();",
        "rpix();",
        "nop();",
        "SET(R5,R6);",
        "MOV(R5,FLAG);",
        "NOR(R5,R6,R7,R8,R9);",
        "DNEWS1(R5,R6);",
        "blurset();",
        "blurh(NEWS,A);",
        "res(A,B);",
        "respix();",
        "get_image(A,B);",
        "newsblur(B,A);",
        "newsblurv(B,A,12);",
        "gauss(A,A,5);",
        "bus(A,XE,XW);",
        "bus(A,XN,XE,XS,XW);",
        "sq(A,B);",
        "NOT(R5);",
        "NOT(R5,R6);",
        "OR(R5,R6);",
        "OR(R5,R6,R7);",
        "MUX(R5,R6,R7,R8);",
        "DNEWS(R5,R6,north|west);",
        "DNEWS(R5,R6,east,1);",
        "PROP1();",
    ] {
        assert_eq!(line.parse::<Instruction>().unwrap().to_string(), line);
    }
    assert_eq!("MOV(S0,RP)".parse::<Instruction>().unwrap().to_string(), "MOV(R5,R12);");
    assert_eq!(" movx ( B , A , east ) ".parse::<Instruction>().unwrap().to_string(), "movx(B,A,east);");
}

#[test]
fn mistakes_are_found_where_they_are() {
    for (line, column, kind) in [
        ("movx(B,A,up);", 9, Kind::UnknownOperand(OperandKind::Direction)),
        ("movx(B,A,east,east);", 0, Kind::OperandCount),
        ("mul(B,A);", 0, Kind::UnknownName),
        ("  movx B", 0, Kind::Form),
        ("bus(A, XX);", 7, Kind::UnknownCell),
        ("bus2(A);", 0, Kind::OperandCount),
        ("bus();", 0, Kind::OperandCount),
        ("AND(R5,FLAG,R13);", 12, Kind::UnknownOperand(OperandKind::BitSource)),
        ("AND(FLAG,R6,R7);", 4, Kind::UnknownOperand(OperandKind::BitResult)),
        ("SET(R5, A);", 8, Kind::UnknownDreg),
        ("OR(R5,R6,R7,A);", 12, Kind::UnknownBit),
        ("DNEWS(R5,R6,up);", 12, Kind::UnknownOperand(OperandKind::Directions)),
        ("PROP0(R5);", 0, Kind::OperandCount),
        ("newsblur(B,A,0);", 13, Kind::UnknownOperand(OperandKind::Times)),
        ("gauss(B,A,256);", 10, Kind::UnknownOperand(OperandKind::Times)),
        ("bus2(A,B,XE,XW);", 0, Kind::Word(WordError::NewsTwice(XE, XW))),
        ("bus(A,XE,B,XW);", 0, Kind::Word(WordError::NewsTwice(XE, XW))),
        ("bus(NEWS,XE,XW);", 0, Kind::Word(WordError::NewsTwice(NEWS, XE))),
        ("bus(A,XE,XE);", 0, Kind::Word(WordError::SourceTwice(XE))),
        ("sq();", 0, Kind::Word(WordError::TooFewRegisters)),
        ("sq(A,B,C);", 0, Kind::Word(WordError::TooManySources { max: 2 })),
        ("sq(A,XE);", 0, Kind::Word(WordError::NewsTwice(NEWS, XE))),
        ("NOT(R5,R6,R7);", 0, Kind::OperandCount),
        ("SET();", 0, Kind::Word(WordError::TooFewRegisters)),
        ("where(A,A);", 0, Kind::Word(WordError::Repeated(crate::Reg::A))),
        ("bus(PIX,A);", 0, Kind::Word(WordError::ReadOnly(crate::Cell::Pix))),
        ("MOV(R5,R5);", 0, Kind::Word(WordError::InPlace(crate::Dreg::ALL[5]))),
        ("bus(A,A);", 0, Kind::Word(WordError::Repeated(crate::Reg::A))),
    ] {
        let error = line.parse::<Instruction>().unwrap_err();
        assert_eq!((error.column, error.kind), (column, kind), "{line}");
    }
}

#[test]
fn every_kind_of_instruction_is_renamed() {
    let renaming = Renaming::new(&[A, B, C], &[B, D, A]).unwrap();
    for (line, wanted) in [
        ("sub2x(A,B,east,north,C);", "sub2x(B,D,east,north,A);"),
        ("bus2(A,NEWS,B,C);", "bus2(B,NEWS,D,A);"),
        ("bus(XW,A,IN);", "bus(XW,B,IN);"),
        ("bus(C,XE,XW);", "bus(A,XE,XW);"),
        ("where(A,C);", "where(B,A);"),
        ("sq(A,B);", "sq(B,D);"),
        ("blurh(NEWS,B);", "blurh(NEWS,D);"),
        ("AND(R5,R6,R7);", "AND(R5,R6,R7);"),
        ("all();", "all();"),
    ] {
        let instruction: Instruction = line.parse().unwrap();
        assert_eq!(instruction.renamed(renaming).to_string(), wanted);
    }
}
