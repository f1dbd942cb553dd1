//! Changes bytes.

use crate::Dice;

/// Numbers at which behaviour may change, low byte first.
const INTERESTING: [&[u8]; 14] = [
    &[0],
    &[1],
    &[0x7F],
    &[0x80],
    &[0xFF],
    &[0, 0],
    &[0xFF, 0x7F],
    &[0, 0x80],
    &[0xFF, 0xFF],
    &[0, 4],
    &[0, 0, 0, 0],
    &[0xFF, 0xFF, 0xFF, 0x7F],
    &[0, 0, 0, 0x80],
    &[0xFF, 0xFF, 0xFF, 0xFF],
];

/// The most bytes that are copied or removed at once.
const MOST: usize = 64;

/// Makes one change.
pub(super) fn change(dice: &mut Dice, input: &mut Vec<u8>, others: &[Vec<u8>]) {
    let at = dice.below(input.len() + 1);
    match dice.below(8) {
        0 => flip(dice, input, at),
        1 => {
            if let Some(byte) = input.get_mut(at) {
                *byte = dice.byte();
            }
        }
        2 => overwrite(input, at, dice.pick(&INTERESTING)),
        3 => insert(input, at, dice.pick(&INTERESTING)),
        4 => drop(input.drain(part(dice, at, input.len()))),
        5 => {
            let copy = input[part(dice, at, input.len())].to_vec();
            let to = dice.below(input.len() + 1);
            insert(input, to, &copy);
        }
        6 => input.truncate(at),
        _ => {
            if !others.is_empty() {
                let other = dice.one_of(others);
                let from = dice.below(other.len() + 1);
                input.truncate(at);
                input.extend(&other[from..]);
            }
        }
    }
}

fn flip(dice: &mut Dice, input: &mut [u8], at: usize) {
    if let Some(byte) = input.get_mut(at) {
        *byte ^= 1 << dice.below(8);
    }
}

fn overwrite(input: &mut [u8], at: usize, new: &[u8]) {
    input.iter_mut().skip(at).zip(new).for_each(|(byte, new)| *byte = *new);
}

fn insert(input: &mut Vec<u8>, at: usize, new: &[u8]) {
    input.splice(at..at, new.iter().copied());
}

fn part(dice: &mut Dice, at: usize, length: usize) -> std::ops::Range<usize> {
    at..(at + dice.below(MOST)).min(length)
}
