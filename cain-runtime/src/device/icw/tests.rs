extern crate std;

use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

use super::{EncodeError, Icw, table};
use crate::isa::{
    Bit, Bits, Cell, Clock, Direction, Directions, Dreg, FromNeighbours, Instruction, Logic, Macro, Op, Operand,
    OperandKind, Operation, Reg, Sum, Word,
};

fn reg(number: u8) -> Dreg {
    Dreg::new(number).unwrap()
}

fn icw(word: Word) -> Icw {
    Icw::try_from(word).unwrap()
}

/// The word that this text spells.
fn parsed(text: &str) -> Word {
    let instruction: Instruction = text.parse().unwrap();
    instruction.words().next().unwrap()
}

/// The bits are worked out by hand from the table of lines in the vendor's headers.
#[test]
fn golden_words() {
    let analogue = [
        ("bus(A,B);", [0x2000, 0x0060, 0, 0, 0]),
        ("bus(B,C);", [0x4000, 0x00C0, 0, 0, 0]),
        ("bus(C,D);", [0x8000, 0x0280, 0, 0, 0]),
        ("bus(D,E);", [0x0000, 0x0602, 0, 0, 0]),
        ("bus(E,F);", [0x0000, 0x0C04, 0, 0, 0]),
        ("bus(F,A);", [0x0000, 0x0828, 0, 0, 0]),
        ("bus(NEWS,A);", [0x0400, 0x0121, 0, 0, 0]),
        ("bus(XN,A);", [0x0080, 0x0121, 0, 0, 0]),
        ("bus(XE,A);", [0x0200, 0x0121, 0, 0, 0]),
        ("bus(XS,A);", [0x1000, 0x0121, 0, 0, 0]),
        ("bus(XW,A);", [0x0000, 0x2121, 0, 0, 0]),
        ("bus(A,NEWS);", [0x2400, 0x0120, 0, 0, 0]),
        ("bus(A,XW,B);", [0x2000, 0x2160, 0, 0, 0]),
        ("bus(A);", [0x2000, 0x0020, 0, 0, 0]),
        ("bus(A,PIX,IN);", [0x2022, 0x0020, 0, 0, 0]),
        ("bus2(A,B,C);", [0x6000, 0x00E0, 0, 0, 0]),
        ("bus3(A,B,NEWS,C);", [0x6400, 0x01E1, 0, 0, 0]),
        ("rpix();", [0x0004, 0, 0, 0, 0]),
        ("nop();", [0, 0, 0, 0, 0]),
        ("where(A);", [0x0000, 0x0030, 0, 0, 0]),
        ("where(A,XE,PIX);", [0x0202, 0x0130, 0, 0, 0]),
        ("all();", [0x0800, 0x1000, 0, 0x2000, 0]),
        ("blur(NEWS,A);", [0x0418, 0x0121, 0, 0, 0]),
        ("blurh(NEWS,A);", [0x0408, 0x0121, 0, 0, 0]),
        ("blurv(NEWS,A);", [0x0410, 0x0121, 0, 0, 0]),
    ];
    let digital = [
        ("blurset();", [0, 0, 0x0003, 0, 0]),
        ("SET(R5);", [0x0020, 0, 0, 0x1001, 0]),
        ("SET(R1,R2,R3,R4);", [0x0020, 0, 0xF000, 0x1000, 0]),
        ("CLR(R0);", [0x0020, 0, 0, 0xE100, 0]),
        ("MOV(R6,R0);", [0x0020, 0, 0, 0xE202, 0]),
        ("OR(R1,R2,R12);", [0x0020, 0, 0x1802, 0xE000, 0]),
        ("NOT(R12,R1);", [0x0020, 0, 0x0001, 0xB480, 0]),
        ("NOR(R5,R6,FLAG);", [0x0060, 0, 0x0020, 0xB401, 0]),
        ("WHERE(FLAG);", [0x0840, 0x0010, 0, 0x2000, 0]),
        ("WHERE(SELECT);", [0x0800, 0x0010, 0, 0x2000, 0x0001]),
        ("WHERE(RECT,R3);", [0x0800, 0x0010, 0x0004, 0x2000, 0x1101]),
    ];
    let neighbours = [
        ("DNEWS0(R5,R6);", [0x0820, 0x8000, 0x0020, 0x6801, 0]),
        ("DNEWS1(R5,R6);", [0x0820, 0xC000, 0x0020, 0x6801, 0]),
    ];
    let classes = [
        (Clock::Analogue, analogue.as_slice()),
        (Clock::Digital, digital.as_slice()),
        (Clock::Neighbours, neighbours.as_slice()),
    ];
    for (clock, golden) in classes {
        for (text, words) in golden {
            let icw = icw(parsed(text));
            assert_eq!((icw.words(), icw.clock()), (*words, clock), "{text}");
        }
    }
}

/// Covers every operand in every place, every destination, every bit and every macro instruction.
#[test]
fn the_golden_file() {
    let mut unseen = Op::ALL.to_vec();
    let lines = include_str!("golden.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    for line in lines {
        let (listing, golden) = line.split_once(';').unwrap();
        let instruction: Instruction = listing.parse().unwrap();
        let words: Vec<String> = instruction.words().map(|word| spelled(icw(word))).collect();
        assert_eq!(words.join("  "), golden.trim(), "{listing}");
        if let Instruction::Macro(found) = instruction {
            unseen.retain(|op| *op != found.op());
        }
    }
    assert_eq!(unseen, []);
}

/// The spelling used in the file: the clock and the five words.
fn spelled(icw: Icw) -> String {
    let [a, b, c, d, e] = icw.words();
    format!("{}: {a:04x} {b:04x} {c:04x} {d:04x} {e:04x}", icw.to_bytes()[Icw::BYTES - 1])
}

#[test]
fn golden_words_that_no_listing_names() {
    let (hold, store) = ([Bit::Reg(reg(5)), Bit::Reg(reg(6))], [reg(5)]);
    let logic = |operation| match operation {
        Operation::HoldOr | Operation::HoldNor | Operation::HoldRefresh => Logic::new(operation, &[], &hold),
        _ => Logic::new(operation, &store, &[]),
    };
    for (operation, words) in [
        (Operation::HoldOr, [0, 0, 0x0030, 0xE000, 0]),
        (Operation::StoreOr, [0, 0, 0, 0xC001, 0]),
        (Operation::HoldNor, [0, 0, 0x0030, 0x2400, 0]),
        (Operation::StoreNor, [0, 0, 0, 0x0401, 0]),
        (Operation::HoldRefresh, [0x0020, 0, 0x0030, 0xE000, 0]),
        (Operation::StoreRefresh, [0x0020, 0, 0, 0xC001, 0]),
    ] {
        let icw = icw(Word::Logic(logic(operation).unwrap()));
        assert_eq!((icw.words(), icw.clock()), (words, Clock::Digital), "{operation:?}");
    }
    for (word, clock, words) in [
        (Word::ReadPropagation, Clock::Analogue, [0x0020, 0, 0x0800, 0xE000, 0]),
        (Word::Propagate { outside: false }, Clock::Propagation, [0x0820, 0x8000, 0x0800, 0x0880, 0]),
        (Word::Propagate { outside: true }, Clock::Propagation, [0x0820, 0xC000, 0x0800, 0x0880, 0]),
    ] {
        assert_eq!((icw(word).words(), icw(word).clock()), (words, clock), "{word}");
    }
}

/// Every operand adds the same lines to a word, wherever it is written, and no other operand adds them.
#[test]
fn every_operand_has_lines_of_its_own() {
    let lines = |word| table::lines(icw(word).words);
    let mut seen = Vec::new();
    for number in 0..13 {
        for lines in [
            lines(Word::Logic(Logic::new(Operation::Set, &[reg(number)], &[]).unwrap()))
                ^ lines(Word::Logic(Logic::new(Operation::Set, &[reg((number + 1) % 13)], &[]).unwrap())),
            lines(Word::WhereBits(Bits::new(&[Bit::Reg(reg(number))]).unwrap())),
        ] {
            assert!(!seen.contains(&lines), "R{number}");
            seen.push(lines);
        }
    }
    for cell in all_cells() {
        let lines = lines(Word::Where(Sum::new(&[cell]).unwrap()));
        assert!(!seen.contains(&lines), "{cell}");
        seen.push(lines);
    }
}

fn all_cells() -> Vec<Cell> {
    let registers = Reg::SCAMP5.map(Cell::Reg).into_iter();
    registers.chain([Cell::News, Cell::Pix, Cell::In]).chain(Direction::ALL.map(Cell::Port)).collect()
}

/// Asserts that two words are the same up to the order of their operands.
fn assert_same(found: Word, expected: Word) {
    let sorted = |cells: &[Cell]| {
        let mut cells = cells.to_vec();
        cells.sort();
        cells
    };
    assert_eq!(sorted(found.destinations()), sorted(expected.destinations()), "{expected}");
    assert_eq!(sorted(found.sources()), sorted(expected.sources()), "{expected}");
    let divisors = |word: Word| word.transfers().map(|transfer| transfer.divisor).collect::<Vec<_>>();
    assert_eq!(divisors(found), divisors(expected), "{expected}");
    match (found, expected) {
        (Word::Bus(_), Word::Bus(_)) | (Word::Where(_), Word::Where(_)) => {}
        (Word::Logic(found), Word::Logic(expected)) => {
            let set = |logic: Logic| {
                let (mut targets, mut sources) = (logic.targets().to_vec(), logic.sources().to_vec());
                targets.sort();
                sources.sort();
                targets.dedup();
                sources.dedup();
                (logic.operation(), targets, sources)
            };
            assert_eq!(set(found), set(expected));
        }
        (found, expected) => assert_eq!(found, expected),
    }
}

#[test]
fn every_macro_decodes_to_the_words_it_was_encoded_from() {
    let mut words = 0;
    for &op in Op::ALL {
        let mut legal = 0;
        for operands in operand_lists(op) {
            let Ok(instruction) = Macro::new(op, &operands) else { continue };
            legal += 1;
            for word in Instruction::Macro(instruction).words() {
                assert_same(icw(word).decode().unwrap(), word);
                words += 1;
            }
        }
        assert!(legal > 0, "{op:?}");
    }
    assert!(words > 10_000, "{words}");
}

/// All lists of operands, over registers that include those with special roles.
fn operand_lists(op: Op) -> Vec<Vec<Operand>> {
    let registers = [Reg::A, Reg::B, Reg::C, Reg::F].map(Operand::Reg).to_vec();
    let bits = [0, 1, 5, 6, 12].map(|number| Operand::Bit(Bit::Reg(reg(number)))).to_vec();
    let choices = op.operands().iter().map(|kind| match kind {
        OperandKind::Result | OperandKind::Source | OperandKind::Both => registers.clone(),
        OperandKind::Direction => Direction::ALL.map(Operand::Direction).to_vec(),
        OperandKind::BitResult | OperandKind::BitBoth => bits.clone(),
        OperandKind::BitSource => {
            bits.iter().copied().chain([Bit::Flag, Bit::Select, Bit::Rect].map(Operand::Bit)).collect()
        }
        OperandKind::Directions => {
            Direction::ALL.map(|direction| Operand::Directions(Directions::new(&[direction]))).to_vec()
        }
        OperandKind::Boundary => [false, true].map(Operand::Boundary).to_vec(),
        OperandKind::Times => [1, 3].map(Operand::Times).to_vec(),
    });
    choices.fold(Vec::from([Vec::new()]), |lists: Vec<Vec<Operand>>, choices: Vec<Operand>| {
        lists.iter().flat_map(|list| choices.iter().map(move |&choice| [list.as_slice(), &[choice]].concat())).collect()
    })
}

#[test]
fn any_transfer_decodes_to_what_it_was_encoded_from() {
    let cells = all_cells();
    let mut transfers = 0;
    for &a in &cells {
        for &b in &cells {
            for &c in &cells {
                for (to, from) in [([a].as_slice(), [b, c].as_slice()), (&[a, b], &[c]), (&[a], &[b])] {
                    let Ok(word) = Word::new(to, from) else { continue };
                    assert_same(icw(word).decode().unwrap(), word);
                    transfers += 1;
                }
            }
        }
    }
    assert!(transfers > 1000, "{transfers}");
}

#[test]
fn a_word_is_eleven_bytes_on_the_wire() {
    let word = icw(Word::FromNeighbours(FromNeighbours::new(reg(5), Bit::Reg(reg(6)), true).unwrap()));
    let bytes = [0x20, 0x08, 0x00, 0xC0, 0x20, 0x00, 0x01, 0x68, 0x00, 0x00, 2];
    assert_eq!(word.to_bytes(), bytes);
    assert_eq!(Icw::from_bytes(bytes), Ok(word));
    assert_eq!(
        Icw::from_bytes([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4]).unwrap_err().to_string(),
        "no clock has the number 4; expected 0 to 3"
    );
}

#[test]
fn lines_that_no_word_drives_are_refused() {
    // The squarer; a line of the readout beside a transfer; NEWS read and written; a digital word at the wrong clock.
    for bytes in [
        [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        [0x00, 0x20, 0x60, 0, 0, 0, 0, 0, 0, 0x80, 0],
        [0x00, 0x06, 0x01, 0x01, 0, 0, 0, 0, 0, 0, 0],
        [0x20, 0, 0, 0, 0, 0, 0x01, 0x10, 0, 0, 2],
    ] {
        let icw = Icw::from_bytes(bytes).unwrap();
        assert!(icw.decode().is_err(), "{icw:?}");
    }
}

#[test]
fn what_the_chip_has_no_lines_for_is_refused() {
    let missing = Cell::Reg(Reg::from_index(6));
    let word = Word::new(&[missing], &[Cell::News]).unwrap();
    assert_eq!(Icw::try_from(word), Err(EncodeError::NoSuchCell(missing)));
    let both = Word::WhereBits(Bits::new(&[Bit::Select, Bit::Rect]).unwrap());
    assert_eq!(Icw::try_from(both), Err(EncodeError::SelectAndRect));
}
