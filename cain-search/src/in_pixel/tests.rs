use cain_isa::in_pixel::Step;
use cain_isa::{Bit, Bits, Cell, Dreg, FromNeighbours, Logic, Machine, Sum, Word};

use super::{CompileError, Compiled, Declaration, InPixelError, compile, program, prove};

/// Four blocks on an array of 32×32, with weights that differ everywhere.
fn small() -> Declaration {
    let weight = |number: usize, count: usize| (number * 7919 + number / 3 % 5) % count;
    let sign = |number: usize| if weight(number, 2) == 0 { -1 } else { 1 };
    Declaration {
        side: 32,
        block: 16,
        picture: 12,
        scale: 1,
        pixel_bits: 1,
        taps: 4,
        filters: (0..4).map(|filter| (0..16).map(|tap| sign(filter * 16 + tap * 3)).collect()).collect(),
        pool: 4,
        dense: (0..64)
            .map(|maximum| (0..10).map(|class| [0, 1, -1][weight(maximum * 10 + class, 3)]).collect())
            .collect(),
        machine: Machine::SCAMP5,
        interruption: None,
    }
}

/// `compile` proves what it makes.
#[test]
fn filters_windows_and_arrays_of_many_sizes_are_proved() {
    for (side, block, taps, pool) in [(32, 16, 4, 4), (32, 8, 3, 2), (16, 16, 2, 2), (64, 16, 4, 4), (16, 8, 5, 4)] {
        for weight in [1, 0] {
            let network = sized(side, block, taps, pool, weight);
            let compiled =
                compile(&network).unwrap_or_else(|error| panic!("{side}, {block}, {taps}, {pool}, {weight}: {error}"));
            assert_eq!(compiled.components().len(), 5);
        }
    }
}

#[test]
fn pictures_of_two_bits_are_proved() {
    for (side, block, taps, pool) in [(32, 16, 4, 4), (64, 8, 3, 2), (16, 16, 2, 2), (16, 8, 5, 4)] {
        for weight in [1, 0] {
            let network = Declaration { pixel_bits: 2, ..sized(side, block, taps, pool, weight) };
            let compiled =
                compile(&network).unwrap_or_else(|error| panic!("{side}, {block}, {taps}, {pool}, {weight}: {error}"));
            // The largest pixel counts no more than ink does in a picture of one bit.
            let ink = compile(&Declaration { pixel_bits: 1, ..network }).unwrap().level();
            assert!(compiled.level() * 3 <= ink, "{} and {ink}", compiled.level());
        }
    }
}

/// A network with the same weight everywhere, and three classes.
fn sized(side: usize, block: usize, taps: usize, pool: usize, weight: i8) -> Declaration {
    let blocks = (side / block) * (side / block);
    Declaration {
        side,
        block,
        picture: 4,
        taps,
        pool,
        filters: vec![vec![weight; taps * taps]; blocks],
        dense: vec![vec![0; 3]; blocks * (block / pool) * (block / pool)],
        ..small()
    }
}

/// Changes of single words after which the proof of a component still succeeds: words that are left out, and others in
/// their place.
fn proved_changes(compiled: &Compiled, component: usize) -> Vec<String> {
    let mut proved = Vec::new();
    let steps = &compiled.components()[component].program;
    for (step, words) in steps.iter().enumerate() {
        let Step::Execute(words) = words else { continue };
        for (place, word) in words.iter().enumerate() {
            let is_proved = |replacement: Option<Word>| {
                let mut changed = compiled.clone();
                let Step::Execute(words) = &mut changed.components[component].program[step] else { unreachable!() };
                words.splice(place..=place, replacement);
                prove::network(&changed).is_ok()
            };
            if is_proved(None) {
                proved.push(format!("{step}.{place} {word}"));
            }
            let replacements = others(word).into_iter().filter(|other| is_proved(Some(*other)));
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
            let cells = [Cell::News, program::SUM.into(), program::IMAGE.into(), program::NEXT.into()];
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

/// There is no word in any program that could be left out, and none with a wrong operand is proved in its place.
#[test]
fn programs_with_one_wrong_word_are_not_proved() {
    // Where the first pixel that is visited is that of the PE itself, the image is what has been added to 0.
    const AS_GOOD: &str = ".7 bus(B,D); -> bus(B,C);";
    let cases = [(4, 1, 1, 1..2), (3, 0, 1, 1..2), (2, 1, 1, 0..5), (2, 1, 2, 0..2)];
    for (taps, weight, pixel_bits, components) in cases {
        let compiled = compile(&Declaration { pixel_bits, ..sized(16, 8, taps, 2, weight) }).unwrap();
        for component in components {
            let mut changes = proved_changes(&compiled, component);
            changes.retain(|change| taps != 2 || !change.ends_with(AS_GOOD));
            let what = format!("{taps}×{taps} weights such as {weight}, {pixel_bits} bits, component {component}");
            assert_eq!(changes, Vec::<String>::new(), "{what}");
        }
    }
}

#[test]
fn greys_become_the_nearest_pixels() {
    let greys = |pixel_bits: usize| {
        let network = Declaration { pixel_bits, ..small() };
        [0, 42, 43, 127, 128, 212, 213, 255].map(|grey| network.pixel(grey))
    };
    assert_eq!(greys(1), [0, 0, 0, 0, 1, 1, 1, 1]);
    assert_eq!(greys(2), [0, 0, 1, 1, 2, 2, 3, 3]);
}

#[test]
fn weights_that_no_pixel_can_store_are_named() {
    let mut network = small();
    network.filters[2][6] = 2;
    let found = InPixelError::NotBinary { filter: 2, row: 1, column: 2, found: 2 };
    assert_eq!(compile(&network).unwrap_err(), CompileError::Network(found));

    let mut network = small();
    network.dense[5][3] = 2;
    let found = InPixelError::NotTernary { feature: 5, class: 3, found: 2 };
    assert_eq!(compile(&network).unwrap_err(), CompileError::Network(found));
}

#[test]
fn what_does_not_fit_is_refused() {
    let error = |network: Declaration| match compile(&network) {
        Err(CompileError::Network(error)) => error,
        other => panic!("{other:?}"),
    };
    assert_eq!(error(Declaration { block: 12, ..small() }), InPixelError::Block { block: 12, side: 32 });
    let picture = InPixelError::Picture { picture: 26, margin: 3, block: 16 };
    assert_eq!(error(Declaration { picture: 13, scale: 2, ..small() }), picture);
    assert_eq!(error(Declaration { pool: 3, ..small() }), InPixelError::Pool(3));
    for bits in [0, 3, usize::MAX] {
        assert_eq!(error(Declaration { pixel_bits: bits, ..small() }), InPixelError::PixelBits(bits));
    }
    let large = Declaration { taps: 5, filters: vec![vec![1; 25]; 4], picture: 11, ..small() };
    let few = Machine { bits: 10, ..Machine::SCAMP5 };
    assert_eq!(
        error(Declaration { machine: few, ..large }),
        InPixelError::Registers { bits: 25, most: 16, registers: 1 }
    );
    let narrow = Machine { range: cain_isa::Range { min: -32, max: 31 }, ..Machine::SCAMP5 };
    assert_eq!(error(Declaration { machine: narrow, ..small() }), InPixelError::Range { taps: 16, most: 11 });
}
