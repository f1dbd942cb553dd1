//! Control words as bits.

use cain_isa::{Instruction, Word};
use cain_runtime::device::Icw;

use crate::oracle::{ensure, printable};
use crate::{Corpus, Dice, Target, Verdict, mutate};

pub(super) const TARGET: Target = Target {
    name: "words",
    about: "control words as bits, there and back",
    ending: "bin",
    quick: 100_000,
    memory: 16,
    generate,
    check,
};

const LINES: [&str; 24] = [
    "bus(NEWS);",
    "bus(B,NEWS,A);",
    "bus(A,B,C,D,E);",
    "bus2(B,NEWS,A);",
    "bus3(A,B,C,D);",
    "bus(XE,A,IN);",
    "bus(A,XN,XE,XS,XW);",
    "bus(NEWS,PIX);",
    "rpix();",
    "nop();",
    "where(A,B,C);",
    "WHERE(R1,FLAG);",
    "all();",
    "SET(R1,R2,R3,R4);",
    "OR(R5,R6,R7,RECT);",
    "NOR(R5,R6,SELECT);",
    "NOT(R5,R6);",
    "MOV(R0,FLAG);",
    "blurset();",
    "blurh(NEWS,A);",
    "blur(A,NEWS);",
    "sq(A,B);",
    "sub2x(F,D,south,south,C);",
    "PROP1();",
];

fn generate(dice: &mut Dice, corpus: &Corpus) -> Vec<u8> {
    let mut word = mutate::of_bytes(dice, corpus, |dice| {
        let words: Vec<Word> =
            dice.pick(&LINES).parse::<Instruction>().map(|line| line.words().collect()).unwrap_or_default();
        if words.is_empty() {
            return (0..Icw::BYTES).map(|_| dice.byte()).collect();
        }
        Icw::try_from(dice.pick(&words)).map(|icw| icw.to_bytes().to_vec()).unwrap_or_default()
    });
    // Only words of the right length are valid, and few bits determine which one it is.
    word.resize(Icw::BYTES, 0);
    if dice.once_in(2) {
        let bit = dice.below(80);
        word[bit / 8] ^= 1 << (bit % 8);
    }
    word
}

fn check(input: &[u8]) -> Result<Verdict, String> {
    let Ok(bytes) = <[u8; Icw::BYTES]>::try_from(input) else { return Ok(Verdict::Refused) };
    let icw = match Icw::from_bytes(bytes) {
        Ok(icw) => icw,
        Err(error) => return printable(&error.to_string()).map(|()| Verdict::Refused),
    };
    ensure(icw.to_bytes() == bytes, || format!("{icw:?} has other bytes"))?;
    let word = match icw.decode() {
        Ok(word) => word,
        Err(error) => return printable(&error.to_string()).map(|()| Verdict::Refused),
    };
    ensure(Icw::try_from(word) == Ok(icw), || format!("{icw:?} is decoded as {word}"))?;
    let line = word.to_string();
    // Words that only occur within macro instructions have no notation that can be read.
    if !line.contains("propagat") && !line.starts_with("hold_") {
        let again: Instruction = line.parse().map_err(|error| format!("{line} is no instruction: {error}"))?;
        ensure(again == Instruction::Word(word), || format!("{line} is another word"))?;
    }
    Ok(Verdict::Accepted)
}
