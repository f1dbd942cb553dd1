use cain_isa::Machine;

use super::{CompileError, Declaration, InPixelError, compile};

/// Four blocks on an array of 32×32, with weights that differ everywhere.
fn small() -> Declaration {
    let weight = |number: usize, count: usize| (number * 7919 + number / 3 % 5) % count;
    let sign = |number: usize| if weight(number, 2) == 0 { -1 } else { 1 };
    Declaration {
        side: 32,
        block: 16,
        picture: 12,
        scale: 1,
        taps: 4,
        filters: (0..4).map(|filter| (0..16).map(|tap| sign(filter * 16 + tap * 3)).collect()).collect(),
        pool: 4,
        dense: (0..64)
            .map(|maximum| (0..10).map(|class| [0, 1, -1][weight(maximum * 10 + class, 3)]).collect())
            .collect(),
        machine: Machine::SCAMP5,
    }
}

/// `compile` proves what it makes.
#[test]
fn filters_windows_and_arrays_of_many_sizes_are_proved() {
    for (side, block, taps, pool) in [(32, 16, 4, 4), (32, 8, 3, 2), (16, 16, 2, 2), (64, 16, 4, 4)] {
        let blocks = (side / block) * (side / block);
        let network = Declaration {
            side,
            block,
            picture: 4,
            taps,
            pool,
            filters: vec![vec![1; taps * taps]; blocks],
            dense: vec![vec![0; 3]; blocks * (block / pool) * (block / pool)],
            ..small()
        };
        let compiled = compile(&network).unwrap_or_else(|error| panic!("{side}, {block}, {taps}, {pool}: {error}"));
        assert_eq!(compiled.components().len(), 5);
    }
}

#[test]
fn weights_that_no_pixel_can_store_are_named() {
    let mut network = small();
    network.filters[2][6] = 0;
    let found = InPixelError::NotBinary { filter: 2, row: 1, column: 2, found: 0 };
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
    let large = Declaration { taps: 5, filters: vec![vec![1; 25]; 4], picture: 11, ..small() };
    assert_eq!(error(large), InPixelError::Registers { bits: 25, most: 16, registers: 4 });
    let narrow = Machine { range: cain_isa::Range { min: -32, max: 31 }, ..Machine::SCAMP5 };
    assert_eq!(error(Declaration { machine: narrow, ..small() }), InPixelError::Range { taps: 16, most: 11 });
}
