//! Programs with one wrong word, for tests of proofs.

use cain_analysis::owned::Step;
use cain_isa::{Bit, Bits, Cell, Dreg, FromNeighbours, Instruction, Logic, Reg, Sum, Word};

use crate::registers::SUM;
use crate::steps::words;

/// The changes of single words after which a program is still proved, as it is without them: words that are omitted, and
/// others in their place.
pub(crate) fn proved_changes(steps: &[Step], is_proved: impl Fn(Vec<Step>) -> bool) -> Vec<String> {
    assert!(is_proved(steps.to_vec()), "the program itself");
    let mut proved = Vec::new();
    for (step, words) in steps.iter().map(words).enumerate() {
        for (place, word) in words.into_iter().flatten().enumerate() {
            let is_proved = |replacement: Option<Word>| {
                let mut changed = steps.to_vec();
                let Step::Execute(listing) = &mut changed[step] else { unreachable!() };
                listing.splice(place..=place, replacement.map(Instruction::Word));
                is_proved(changed)
            };
            if is_proved(None) {
                proved.push(format!("{step}.{place} {word}"));
            }
            let replacements = others(&word).into_iter().filter(|other| is_proved(Some(*other)));
            proved.extend(replacements.map(|other| format!("{step}.{place} {word} -> {other}")));
        }
    }
    proved
}

/// Words that differ in an operand.
fn others(word: &Word) -> Vec<Word> {
    let bits: Vec<Bit> = [0, 1, 4, 5, 6, 9].map(|number| Bit::Reg(Dreg::ALL[number])).to_vec();
    let replaced = |place: usize, list: &[Bit], with: Bit| {
        let mut list = list.to_vec();
        list[place] = with;
        list
    };
    let found: Vec<Word> = match word {
        Word::Bus(bus) => {
            let cells = [Cell::News, SUM.into(), Reg::C.into(), Reg::D.into()];
            let changes = (0..bus.sources().len()).flat_map(|place| cells.map(|cell| (place, cell)));
            let changed = changes.filter_map(|(place, cell)| {
                let mut sources = bus.sources().to_vec();
                sources[place] = cell;
                Word::new(bus.destinations(), &sources).ok()
            });
            let fewer = bus.sources().split_last().and_then(|(_, fewer)| Word::new(bus.destinations(), fewer).ok());
            changed.chain(fewer).collect()
        }
        Word::Where(sum) => {
            let fewer = sum.cells().iter().map(|cell| vec![*cell]);
            let more = sum.cells().iter().map(|cell| vec![*cell, Cell::In]);
            fewer.chain(more).filter_map(|cells| Sum::new(&cells).ok().map(Word::Where)).collect()
        }
        Word::WhereBits(list) => {
            let changes = (0..list.bits().len()).flat_map(|place| bits.iter().map(move |bit| (place, *bit)));
            let changed = changes.map(|(place, bit)| replaced(place, list.bits(), bit));
            changed.filter_map(|list| Bits::new(&list).ok().map(Word::WhereBits)).collect()
        }
        Word::Logic(logic) => {
            let changes = (0..logic.sources().len()).flat_map(|place| bits.iter().map(move |bit| (place, *bit)));
            let changed = changes.map(|(place, bit)| replaced(place, logic.sources(), bit));
            let logic = |sources: Vec<Bit>| Logic::new(logic.operation(), logic.targets(), &sources).ok();
            changed.filter_map(|list| logic(list).map(Word::Logic)).collect()
        }
        Word::FromNeighbours(seen) => {
            let changed = bits.iter().filter_map(|bit| FromNeighbours::new(seen.target(), *bit, seen.outside()).ok());
            changed.map(Word::FromNeighbours).collect()
        }
        _ => Vec::new(),
    };
    found.into_iter().filter(|other| other != word).collect()
}
