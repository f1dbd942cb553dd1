//! Frames that a board receives.
//!
//! An input is a list of frames, each preceded by its number of repetitions (`u16`) and its size in bytes (`u16`).

use std::collections::BTreeSet;

use cain_isa::Instruction;
use cain_runtime::device::{Board, Icw, LinkError, Transport};
use cain_runtime::sim::Array;

use super::frame::Frame;
use crate::oracle::ensure;
use crate::{Corpus, Dice, Target, Verdict, mutate};

pub(super) const TARGET: Target = Target {
    name: "frames",
    about: "frames that come to a board",
    ending: "bin",
    quick: 4_000,
    memory: 32,
    generate,
    check,
};

const HELLO: u8 = 0x01;
const UPLOAD: u8 = 0x03;
const CLEAR: u8 = 0x05;
/// The kinds of requests, each with the number of bytes before its words.
const REQUESTS: [(u8, usize); 20] = [
    (HELLO, 2),
    (0x02, 1),
    (UPLOAD, 1),
    (0x04, 2),
    (CLEAR, 0),
    (0x10, 0),
    (0x11, 1),
    (0x12, 8),
    (0x13, 8),
    (0x20, 13),
    (0x21, 1),
    (0x22, 5),
    (0x23, 5),
    (0x24, 1),
    (0x25, 9),
    (0x26, 2),
    (0x27, 1),
    (0x28, 1),
    (0x29, 9),
    (0x2A, 9),
];
/// The most frames that are sent in all.
const MOST_FRAMES: usize = 70_000;
/// The longest payload that a board accepts: a kernel that fills its store of 1024 words, with the bytes before it.
const MOST_BYTES: usize = 1024 * 11 + 16;

fn generate(dice: &mut Dice, corpus: &Corpus) -> Vec<u8> {
    mutate::of_bytes(dice, corpus, |dice| {
        let mut input = Vec::new();
        for number in 0..=u8::try_from(dice.below(6)).unwrap_or_default() {
            let mut frame = request(dice, number).to_bytes();
            if dice.once_in(8) {
                let at = dice.below(frame.len());
                frame[at] = dice.byte();
            }
            record(&mut input, if dice.once_in(20) { 300 } else { 1 }, &frame);
        }
        input
    })
}

fn record(input: &mut Vec<u8>, times: u16, frame: &[u8]) {
    input.extend(times.to_le_bytes());
    input.extend(u16::try_from(frame.len()).unwrap_or(u16::MAX).to_le_bytes());
    input.extend(frame);
}

fn request(dice: &mut Dice, number: u8) -> Frame {
    let (kind, arguments) = if dice.once_in(20) { (dice.byte(), dice.below(12)) } else { dice.pick(&REQUESTS) };
    let mut payload: Vec<u8> = (0..arguments).map(|_| dice.pick(&[0, 0, 0, 1, 1, 2, 3, 15, 13, 255])).collect();
    if kind == HELLO && !dice.once_in(8) {
        payload = vec![1, 0];
    }
    if kind == 0x02 || kind == UPLOAD {
        let words = dice.below(12);
        payload.extend((0..words).flat_map(|_| word(dice)));
    }
    Frame { kind, number, payload }
}

fn word(dice: &mut Dice) -> [u8; Icw::BYTES] {
    let lines = ["bus(NEWS,A);", "bus(B,NEWS);", "res(A);", "all();", "MOV(R5,R6);", "nop();"];
    let word = dice.pick(&lines).parse::<Instruction>().ok().and_then(|line| line.words().next());
    let icw = word.and_then(|word| Icw::try_from(word).ok());
    icw.map_or([0; Icw::BYTES], Icw::to_bytes)
}

fn check(input: &[u8]) -> Result<Verdict, String> {
    let mut board = Board::new(Array::new(16, 16));
    let mut kernels = BTreeSet::new();
    let mut verdict = Verdict::Refused;
    let mut left = MOST_FRAMES;
    let mut rest = input;
    while let Some((times, bytes)) = next(&mut rest) {
        for _ in 0..usize::from(times).min(left) {
            left -= 1;
            if answered(&mut board, bytes, &mut kernels)? {
                verdict = Verdict::Accepted;
            }
        }
    }
    Ok(verdict)
}

/// The next frame of an input, with its number of repetitions.
fn next<'i>(rest: &mut &'i [u8]) -> Option<(u16, &'i [u8])> {
    let (&[a, b, c, d], frames) = rest.split_first_chunk()?;
    let length = usize::from(u16::from_le_bytes([c, d])).min(frames.len());
    let (frame, others) = frames.split_at(length);
    *rest = others;
    Some((u16::from_le_bytes([a, b]), frame))
}

/// Checks the answer to a frame; returns whether it was executed. `kernels` are the numbers of the kernels in the
/// store.
fn answered(board: &mut Board<Array>, bytes: &[u8], kernels: &mut BTreeSet<u16>) -> Result<bool, String> {
    let mut link = Link { requests: bytes, answers: Vec::new() };
    let done = board.answer(&mut link);
    let request = Frame::parse(bytes).filter(|(frame, _)| frame.payload.len() <= MOST_BYTES);
    let Some((request, _)) = request else {
        return ensure(done.is_err(), || "a board answers what is no frame".to_owned()).map(|()| false);
    };
    done.map_err(|error| format!("a whole frame ends the link: {error}"))?;
    let (answer, length) = Frame::parse(&link.answers).ok_or("the answer is no frame")?;
    ensure(length == link.answers.len(), || "there is something behind the answer".to_owned())?;
    ensure(answer.number == request.number, || "the answer has another number".to_owned())?;
    if answer.kind == 0xFF {
        ensure(answer.payload.len() == 5, || "a refusal of another length".to_owned())?;
        return Ok(false);
    }
    ensure(answer.kind == request.kind | 0x80, || "an answer of another kind".to_owned())?;
    match request.kind {
        HELLO | CLEAR => kernels.clear(),
        UPLOAD => {
            let number = answer.payload.try_into().map(u16::from_le_bytes).map_err(|_| "an upload without a number")?;
            ensure(kernels.insert(number), || format!("two kernels in the store have the number {number}"))?;
        }
        _ => {}
    }
    Ok(true)
}

struct Link<'r> {
    requests: &'r [u8],
    answers: Vec<u8>,
}

impl Transport for Link<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<(), LinkError> {
        self.answers.extend(bytes);
        Ok(())
    }

    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, LinkError> {
        let count = buffer.len().min(self.requests.len());
        buffer[..count].copy_from_slice(&self.requests[..count]);
        self.requests = &self.requests[count..];
        if count > 0 { Ok(count) } else { Err(LinkError::Closed) }
    }
}
