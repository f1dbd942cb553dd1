use std::collections::BTreeSet;

use cain_analysis::owned::Step;
use cain_isa::Machine;

use super::{Programs, prove};
use crate::changes::proved_changes;
use crate::registers::SCRATCH;
use crate::{CompileError, Declaration, InPixelError, InPixelProofError, Pixels, Scores, Second, compile};

/// A network on an array of four places along each side, with pixels of half as many PEs, and different weights
/// everywhere.
fn network([place, group]: [usize; 2], taps: [usize; 2], bits: usize, thresholds: [&[u8]; 2]) -> Declaration {
    let sign = |number: usize| if (number * 40_503 / 64).is_multiple_of(2) { -1 } else { 1 };
    let filter = |number: usize, taps: usize| (0..taps * taps).map(|tap| sign(number * 16 + tap)).collect();
    let (filters, maps) = (group * group, (place / group) * (place / group));
    Declaration {
        side: 4 * place,
        block: 4 * place,
        picture: 5,
        scale: place / 2,
        pixels: Pixels::of_bits(bits).unwrap(),
        taps: taps[0],
        filters: (0..filters).map(|number| filter(number, taps[0])).collect(),
        pool: 2,
        second: Some(Second {
            taps: taps[1],
            filters: (0..filters * maps).map(|number| filter(number + 5, taps[1])).collect(),
            thresholds: thresholds.map(<[u8]>::to_vec),
            scores: Scores::Analogue,
        }),
        dense: vec![vec![1, 0, -1]; maps * 16],
        machine: Machine::SCAMP5,
        interruption: None,
    }
}

/// The network with a changed second convolution.
fn with_second(mut network: Declaration, change: impl FnMut(&mut Second)) -> Declaration {
    network.second.iter_mut().for_each(change);
    network
}

/// No word of any program can be omitted, and none with a wrong operand is proved in its place.
#[test]
fn programs_with_one_wrong_word_are_not_proved() {
    // The compensation for losses in transfers on a chip is 0 in exact numbers.
    const OF_ERRORS: [(usize, &str); 3] = [(0, "0."), (3, "0."), (4, "0.")];
    let network = network([4, 2], [2, 2], 2, [&[1, 3], &[4]]);
    let second = network.second.as_ref().unwrap();
    let parts = Programs::of(&network, second).unwrap();
    for component in 0..parts.parts.len() {
        let mut changes = proved_changes(&parts.parts[component].steps, |program| {
            let mut changed = parts.clone();
            changed.parts[component].steps = program;
            prove::component(&network, second, &changed, component).is_ok()
        });
        changes.retain(|change| !OF_ERRORS.iter().any(|(part, words)| *part == component && change.starts_with(words)));
        let name = &parts.parts[component].name;
        assert_eq!(changes, Vec::<String>::new(), "{name}");
    }
}

/// No word of the program that counts exactly can be omitted, and none with a wrong operand is proved in its place.
#[test]
fn counting_with_one_wrong_word_is_not_proved() {
    let network =
        with_second(network([4, 2], [2, 2], 2, [&[1, 3], &[4, 9, 12]]), |second| second.scores = Scores::Exact);
    let second = network.second.as_ref().unwrap();
    let parts = Programs::of(&network, second).unwrap();
    let number = parts.parts.len() - 1;
    let changes = proved_changes(&parts.parts[number].steps, |program| {
        let mut changed = parts.clone();
        changed.parts[number].steps = program;
        prove::component(&network, second, &changed, number).is_ok()
    });
    assert_eq!(changes, Vec::<String>::new());
    // Nothing comes after the scores are read.
    let mut longer = parts.clone();
    longer.parts[number].steps.push(Step::Execute(vec![format!("SET({});", SCRATCH[0]).parse().unwrap()]));
    assert!(matches!(prove::component(&network, second, &longer, number), Err(InPixelProofError::Count { .. })));
}

/// A step that overwrites weights is refused in each of the programs, even at its end.
#[test]
fn weights_stay_where_they_are() {
    let network = network([4, 2], [2, 2], 2, [&[1, 3], &[4]]);
    let second = network.second.as_ref().unwrap();
    let parts = Programs::of(&network, second).unwrap();
    for (part, plane) in (0..6).flat_map(|part| parts.planes.iter().map(move |plane| (part, plane.register))) {
        let mut changed = parts.clone();
        let word = format!("SET({plane});").parse().unwrap();
        changed.parts[part].steps.push(Step::Execute(vec![word]));
        assert_eq!(changed.prove(&network, second), Err(InPixelProofError::Overwritten(plane)), "{part}");
    }
}

/// Levels with which something is compared may be any between two of its values, and all others have to be exact.
#[test]
fn levels_lie_between_values() {
    // Numbers of the picture are 66 DN apart, sums of the first convolution 8 DN, those of groups 8 DN, and results 53 DN.
    const PROVED: [(usize, i8, i8); 22] = [
        (0, -98, -33),
        (0, 8, 8),
        (0, 16, 16),
        (0, 34, 99),
        (1, -99, -99),
        (1, -23, -16),
        (1, -7, 0),
        (1, 66, 66),
        (2, -99, -99),
        (2, -98, -33),
        (2, 33, 33),
        (2, 34, 99),
        (2, 66, 66),
        (3, -98, -33),
        (3, 8, 8),
        (3, 16, 16),
        (3, 34, 99),
        (4, -71, -64),
        (4, -31, -24),
        (4, 53, 53),
        (5, -105, -53),
        (5, -52, 0),
    ];
    let network = with_second(network([4, 2], [2, 2], 2, [&[1, 3], &[4, 9]]), |second| second.scores = Scores::Exact);
    assert_eq!(proved_levels(&network), PROVED);
}

/// Numbers of one bit are compared with nothing, so that all levels belong to sums.
#[test]
fn levels_of_numbers_of_one_bit_are_those_of_sums() {
    const PROVED: [(usize, i8, i8); 9] = [
        (0, 16, 16),
        (1, -33, -33),
        (1, -31, -16),
        (1, 66, 66),
        (2, -33, -33),
        (2, 66, 66),
        (3, 16, 16),
        (4, -63, -48),
        (4, 107, 107),
    ];
    let network = network([4, 2], [2, 2], 1, [&[2], &[4]]);
    compile(&network).unwrap();
    assert_eq!(proved_levels(&network), PROVED);
}

/// For every level that a program sets, the number of the program, and the lowest and the highest level in its place with which it
/// is proved.
fn proved_levels(network: &Declaration) -> Vec<(usize, i8, i8)> {
    let second = network.second.as_ref().unwrap();
    let parts = Programs::of(network, second).unwrap();
    let mut proved = BTreeSet::new();
    for (component, part) in parts.parts.iter().enumerate() {
        for (place, step) in part.steps.iter().enumerate() {
            let Step::Level(level) = *step else { continue };
            let is_proved = |level: &i8| {
                let mut changed = parts.clone();
                changed.parts[component].steps[place] = Step::Level(*level);
                prove::component(network, second, &changed, component).is_ok()
            };
            let lowest = (i8::MIN..=level).rev().take_while(is_proved).last().unwrap();
            let highest = (level..=i8::MAX).take_while(is_proved).last().unwrap();
            proved.insert((component, lowest, highest));
        }
    }
    proved.into_iter().collect()
}

/// Maxima are those of all sixteen results of a window.
#[test]
fn windows_of_four_are_proved() {
    let network = network([8, 2], [2, 2], 2, [&[1, 3], &[4]]);
    compile(&Declaration { pool: 4, scale: 2, ..network }).unwrap();
}

#[test]
fn what_does_not_fit_is_refused() {
    let fine = || network([8, 2], [3, 3], 2, [&[2, 5, 9], &[3, 9, 15]]);
    compile(&fine()).unwrap();
    let error = |network: Declaration| match compile(&network) {
        Err(CompileError::Network(error)) => error,
        other => panic!("{other:?}"),
    };
    assert_eq!(error(Declaration { block: 16, ..fine() }), InPixelError::Block { block: 16, side: 32 });
    assert_eq!(error(Declaration { filters: vec![vec![1; 9]; 5], ..fine() }), InPixelError::Group(5));
    let scale = InPixelError::Scale { scale: 16, least: 2, most: 8 };
    assert_eq!(error(Declaration { scale: 16, ..fine() }), scale);
    let taps = InPixelError::Taps { convolution: 0, found: 5, most: 4 };
    assert_eq!(error(Declaration { taps: 5, ..fine() }), taps);
    let few = with_second(fine(), |second| second.filters.truncate(7));
    assert_eq!(error(few), InPixelError::SecondFilters { found: 7, before: 4, after: 16 });
    let zero = with_second(fine(), |second| second.filters[3][4] = 0);
    assert_eq!(error(zero), InPixelError::NotOne { convolution: 1, filter: 3, row: 1, column: 1, found: 0 });
    for thresholds in [vec![], vec![0, 3], vec![4, 4], vec![1, 2, 3, 4]] {
        let network = with_second(fine(), |second| second.thresholds[1].clone_from(&thresholds));
        assert_eq!(error(network), InPixelError::Thresholds { convolution: 1, found: thresholds });
    }
    let four_groups = Declaration {
        side: 16,
        block: 16,
        picture: 3,
        dense: vec![vec![1, 0, -1]; 16],
        ..network([8, 4], [2, 2], 2, [&[1], &[5]])
    };
    let exact = with_second(four_groups, |second| second.scores = Scores::Exact);
    assert_eq!(error(exact), InPixelError::Count { groups: 4 });
    let narrow = Machine { range: cain_isa::Range { min: -48, max: 47 }, ..Machine::SCAMP5 };
    assert_eq!(error(Declaration { machine: narrow, ..fine() }), InPixelError::Range { taps: 9, most: 27 });
    // Levels of the controller, with which sums are compared, end before a wide range does.
    for limit in [400, i16::MAX] {
        let wide = Machine { range: cain_isa::Range { min: -limit, max: limit }, ..Machine::SCAMP5 };
        let compiled = compile(&Declaration { machine: wide, ..fine() }).unwrap();
        assert_eq!(compiled.level(), compile(&fine()).unwrap().level());
    }
}

/// If sums are halved more often than they are compared, there is no level between some of them.
#[test]
fn thresholds_without_a_level_are_refused_with_one_that_has_one() {
    let wide = network([8, 4], [2, 4], 2, [&[1, 2, 3], &[9, 24]]);
    let found = compile(&wide).map(|_| ());
    let wanted = InPixelError::Threshold { convolution: 1, found: 24, near: Some(23) };
    assert_eq!(found, Err(CompileError::Network(wanted)));
    compile(&with_second(wide, |second| second.thresholds[1] = vec![9, 23])).unwrap();
}
