use cain_isa::Machine;

use super::Programs;
use crate::changes::proved_changes;
use crate::{CompileError, Declaration, InPixelError, Pixels, compile};

/// Four blocks on an array of 32×32, with different weights everywhere.
fn small() -> Declaration {
    let weight = |number: usize, count: usize| (number * 7919 + number / 3 % 5) % count;
    let sign = |number: usize| if weight(number, 2) == 0 { -1 } else { 1 };
    Declaration {
        side: 32,
        block: 16,
        picture: 12,
        scale: 1,
        pixels: Pixels::OneBit,
        taps: 4,
        filters: (0..4).map(|filter| (0..16).map(|tap| sign(filter * 16 + tap * 3)).collect()).collect(),
        pool: 4,
        second: None,
        dense: (0..64)
            .map(|maximum| (0..10).map(|class| [0, 1, -1][weight(maximum * 10 + class, 3)]).collect())
            .collect(),
        machine: Machine::SCAMP5,
        interruption: None,
    }
}

/// `compile` proves the programs it makes.
#[test]
fn filters_windows_and_arrays_of_many_sizes_are_proved() {
    for (side, block, taps, pool) in [(32, 16, 4, 4), (32, 8, 3, 2), (16, 16, 2, 2), (64, 16, 4, 4), (16, 8, 5, 4)] {
        for weight in [1, 0] {
            let network = sized(side, block, taps, pool, weight);
            let compiled =
                compile(&network).unwrap_or_else(|error| panic!("{side}, {block}, {taps}, {pool}, {weight}: {error}"));
            assert_eq!(compiled.parts().len(), 5);
        }
    }
}

#[test]
fn pictures_of_two_bits_are_proved() {
    for (side, block, taps, pool) in [(32, 16, 4, 4), (64, 8, 3, 2), (16, 16, 2, 2), (16, 8, 5, 4)] {
        for weight in [1, 0] {
            let network = Declaration { pixels: Pixels::TwoBits, ..sized(side, block, taps, pool, weight) };
            let compiled =
                compile(&network).unwrap_or_else(|error| panic!("{side}, {block}, {taps}, {pool}, {weight}: {error}"));
            // The largest pixel counts no more than ink does in a picture of one bit.
            let ink = compile(&Declaration { pixels: Pixels::OneBit, ..network }).unwrap().level();
            assert!(compiled.level() * 3 <= ink, "{} and {ink}", compiled.level());
        }
    }
}

/// Filters of the two halves of the array see different bits, even if pictures fill their blocks.
#[test]
fn a_threshold_for_each_half_is_proved() {
    for (side, block, picture) in [(32, 16, 4), (32, 8, 7), (64, 8, 4), (16, 8, 7)] {
        let network = Declaration { pixels: Pixels::Halves, picture, ..sized(side, block, 2, 2, 1) };
        compile(&network).unwrap_or_else(|error| panic!("{side}, {block}, {picture}: {error}"));
    }
}

/// A network with the same weight everywhere, and three classes.
pub(super) fn sized(side: usize, block: usize, taps: usize, pool: usize, weight: i8) -> Declaration {
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

/// No word of any program can be omitted, and none with a wrong operand is proved in its place.
#[test]
fn programs_with_one_wrong_word_are_not_proved() {
    // If the first pixel visited is that of the PE itself, the image equals what was added to 0.
    const AS_GOOD: &str = ".7 bus(B,D); -> bus(B,C);";
    let cases = [
        (4, 1, Pixels::OneBit, 1..2),
        (3, 0, Pixels::OneBit, 1..2),
        (2, 1, Pixels::OneBit, 0..5),
        (2, 1, Pixels::TwoBits, 0..2),
        (2, 1, Pixels::Halves, 0..1),
    ];
    for (taps, weight, pixels, components) in cases {
        let network = Declaration { pixels, ..sized(16, 8, taps, 2, weight) };
        let parts = Programs::of(&network).unwrap();
        for component in components {
            let mut changes = proved_changes(&parts.parts[component].steps, |program| {
                let mut changed = parts.clone();
                changed.parts[component].steps = program;
                changed.prove(&network).is_ok()
            });
            changes.retain(|change| taps != 2 || !change.ends_with(AS_GOOD));
            let what = format!("{taps}×{taps} weights such as {weight}, {pixels:?}, component {component}");
            assert_eq!(changes, Vec::<String>::new(), "{what}");
        }
    }
}

#[test]
fn greys_become_the_nearest_pixels() {
    let pixels =
        |pixels: Pixels| [0, 42, 43, 63, 64, 127, 128, 191, 192, 212, 213, 255].map(|grey| pixels.nearest(grey));
    assert_eq!(pixels(Pixels::OneBit), [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]);
    assert_eq!(pixels(Pixels::TwoBits), [0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3]);
    assert_eq!(pixels(Pixels::Halves), [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]);
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
        assert_eq!(Pixels::of_bits(bits), Err(InPixelError::PixelBits(bits)));
    }
    let single = Declaration { pixels: Pixels::Halves, ..sized(16, 16, 2, 2, 1) };
    assert_eq!(error(single), InPixelError::Halves);
    let large = Declaration { taps: 5, filters: vec![vec![1; 25]; 4], picture: 11, ..small() };
    let few = Machine { bits: 10, ..Machine::SCAMP5 };
    assert_eq!(
        error(Declaration { machine: few, ..large }),
        InPixelError::Registers { bits: 25, most: 16, registers: 1 }
    );
    let narrow = Machine { range: cain_isa::Range { min: -32, max: 31 }, ..Machine::SCAMP5 };
    assert_eq!(error(Declaration { machine: narrow, ..small() }), InPixelError::Range { taps: 16, most: 11 });
    let narrower = Machine { range: cain_isa::Range { min: -4, max: 4 }, ..Machine::SCAMP5 };
    assert_eq!(error(Declaration { machine: narrower, ..small() }), InPixelError::Range { taps: 16, most: 0 });
    // Levels of the controller end before a wide range does.
    for limit in [1000, i16::MAX] {
        let wide = Machine { range: cain_isa::Range { min: -limit, max: limit }, ..Machine::SCAMP5 };
        assert_eq!(
            compile(&Declaration { machine: wide, ..small() }).unwrap().level(),
            [122, 126][usize::from(limit > 1000)]
        );
    }
}
