//! Random valid models of the kinds that the import of networks supports. All numbers have few digits, so that every
//! right calculation with them is exact.

mod bits;
mod builder;
mod channels;
mod constants;
mod ends;
mod maps;
mod message;
mod numbers;
mod pictures;

use std::collections::BTreeSet;

use crate::Dice;
use bits::BITS;
use builder::Builder;
use channels::CHANNELS;
use ends::ENDS;
use maps::{Construct, MAPS, convolution};
use numbers::{NUMBERS, READ_OUTS};

pub use pictures::{level, picture};

/// A random model.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The file.
    pub bytes: Vec<u8>,
    /// The constructs in it; see [`constructs`].
    pub constructs: BTreeSet<&'static str>,
}

/// The names of all constructs on maps and numbers.
pub fn constructs() -> impl Iterator<Item = &'static str> {
    let outputs = ["an output that is read", "an output twice", "several outputs"];
    let of_maps = MAPS.iter().chain(&CHANNELS).chain(&BITS);
    of_maps.chain(&READ_OUTS).chain(&NUMBERS).chain(&ENDS).map(|(name, ..)| *name).chain(outputs)
}

/// Makes a model.
#[must_use]
pub fn generate(dice: &mut Dice) -> Generated {
    let mut b = Builder::new(dice);
    if !b.dice.once_in(6)
        && let Some(picture) = b.maps(|_| true)
    {
        let _ = convolution(&mut b, &picture);
    }
    for _ in 0..=b.dice.below(7) {
        if let Some(maps) = b.maps(|_| true) {
            match b.dice.below(6) {
                0 => one_of(&mut b, &CHANNELS, &maps),
                1 => one_of(&mut b, &BITS, &maps),
                _ => one_of(&mut b, &MAPS, &maps),
            }
        }
    }
    for _ in 0..=b.dice.below(3) {
        if let Some(maps) = b.maps_to_read_out() {
            one_of(&mut b, &READ_OUTS, &maps);
        }
    }
    // Maps that nothing reads would not be compared.
    for maps in b.unread_maps() {
        if b.dice.below(3) > 0 {
            one_of(&mut b, &READ_OUTS, &maps);
        }
    }
    for _ in 0..b.dice.below(4) {
        if let Some(numbers) = b.numbers(|_| true) {
            one_of(&mut b, &NUMBERS, &numbers);
        }
    }
    let is_any = b.dice.once_in(4);
    if b.dice.once_in(3)
        && let Some(numbers) = b.numbers(|dims| is_any || dims.len() == 2)
    {
        one_of(&mut b, &ENDS, &numbers);
    }
    let outputs = outputs(&mut b);
    let constructs = b.constructs.clone();
    Generated { bytes: b.finish(&outputs), constructs }
}

fn one_of(b: &mut Builder<'_>, all: &[(&'static str, usize, Construct)], value: &str) {
    let mut left = b.dice.below(all.iter().map(|(_, weight, _)| weight).sum());
    for (name, weight, construct) in all {
        if left < *weight {
            if construct(b, value).is_some() {
                b.constructs.insert(name);
            }
            return;
        }
        left -= weight;
    }
}

/// The outputs: mostly all values that nothing reads; at times also others, and a value under two names.
fn outputs(b: &mut Builder<'_>) -> Vec<String> {
    let mut outputs = b.unread_numbers();
    outputs.reverse();
    if b.dice.once_in(4) {
        outputs.truncate(1 + b.dice.below(2));
    }
    let all = b.all_numbers();
    if !all.is_empty() && b.dice.once_in(5) {
        let more = b.dice.one_of(&all).clone();
        if !outputs.contains(&more) {
            b.constructs.insert("an output that is read");
            let place = b.dice.below(outputs.len() + 1);
            outputs.insert(place, more);
        }
    }
    if outputs.is_empty() || b.dice.once_in(30) {
        outputs.extend(b.maps_to_read_out());
    }
    if outputs.is_empty() {
        outputs.extend(b.maps(|_| true));
    }
    if b.dice.once_in(12)
        && let Some(again) = outputs.first().cloned()
        && let Some(again) = b.node("Identity", &[&again], Vec::new())
    {
        b.constructs.insert("an output twice");
        outputs.push(again);
    }
    if outputs.len() > 1 {
        b.constructs.insert("several outputs");
    }
    outputs
}
