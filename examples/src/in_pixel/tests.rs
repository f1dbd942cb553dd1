use std::collections::BTreeSet;

use cain_in_pixel::{Declaration, Pixels, Scores, Second, compile};
use cain_runtime::sim::ErrorModel;

use crate::digits::Digits;
use crate::network::{Arrays, two_layers};

#[test]
fn an_ideal_array_computes_the_network() {
    let digits = Digits::of_font().unwrap();
    computes(&two_layers().unwrap(), digits.get(2).0);
}

/// Filters of 5×5 and with weights of 0, whose bits are shared by cells of 8 and of 16 PEs.
#[test]
fn an_ideal_array_computes_filters_of_other_sizes() {
    let digits = Digits::of_font().unwrap();
    for (taps, levels) in [(5, [1, -1, 1]), (4, [1, -1, 0]), (5, [1, 0, -1])] {
        let pick = |number: usize| levels[(number * 7919 + number / 5) % 3];
        let filters = (0..4).map(|filter| (0..taps * taps).map(|tap| pick(filter * 25 + tap)).collect());
        let dense = (0..4 * 64).map(|row| (0..10).map(|class| [0, 1, -1][(row * 31 + class * 7) % 3]).collect());
        let filters: Vec<Vec<i8>> = filters.collect();
        let picture = digits.get(3).0;
        // The picture's margin on the side of the digit is empty, so wider filters need not see it.
        let greys = (0..27 * 27).map(|at| picture[at / 27 * 28 + at % 27]).collect::<Vec<_>>();
        let network = Declaration {
            side: 64,
            block: 32,
            picture: 27,
            taps,
            filters,
            second: None,
            dense: dense.collect(),
            ..two_layers().unwrap()
        };
        computes(&network, &greys);
    }
}

/// Checks that the array computes what the declaration says: all maxima, and the scores as far as the converter
/// resolves them.
fn computes(network: &Declaration, greys: &[u8]) {
    let pixels: Vec<u8> = greys.iter().map(|grey| network.pixels.nearest(*grey)).collect();
    let compiled = compile(network).unwrap();
    let arrays = Arrays::new(&compiled, ErrorModel::ideal(), 0).unwrap();

    let pooled = arrays.pooled(greys).unwrap();
    let half = f32::from(compiled.level()) / 2.0;
    let (blocks, cells) = (network.blocks(), network.cells());
    for (number, maximum) in network.maxima(&pixels).into_iter().enumerate() {
        let (filter, cell) = (number / (cells * cells), number % (cells * cells));
        let row = filter / blocks * network.block + cell / cells * network.pool;
        let column = filter % blocks * network.block + cell % cells * network.pool;
        let wanted = half * f32::from(u16::try_from(maximum).unwrap());
        for place in 0..network.pool * network.pool {
            let pe = (row + place / network.pool) * network.side + column + place % network.pool;
            assert!((pooled[pe] - wanted).abs() < 1e-3, "maximum {number} in PE {place} of its window");
        }
    }

    let scores = arrays.scores(&mut arrays.array.clone(), greys).unwrap();
    for (found, score) in scores.into_iter().zip(network.scores(&pixels)) {
        #[expect(clippy::cast_precision_loss, reason = "scores are small")]
        let wanted = (16.0 * half * score as f32 / 4096.0).clamp(-128.0, 127.0);
        assert!((f64::from(found) - f64::from(wanted)).abs() <= 0.51, "score {found} for {wanted}");
    }
}

/// Programs do not depend on values from outside of the array, which the chip leaves undefined.
#[test]
fn nothing_comes_in_from_outside_of_the_array() {
    let compiled = compile(&two_layers().unwrap()).unwrap();
    let digits = Digits::of_font().unwrap();
    let scores = |outside: f32| {
        let arrays = Arrays::new(&compiled, ErrorModel::ideal(), 0).unwrap();
        let mut array = arrays.array.clone().outside(outside);
        arrays.scores(&mut array, digits.get(8).0).unwrap()
    };
    assert_eq!(scores(0.0), scores(90.0));
}

/// A network with a second convolution on an array of 32×32 PEs, with different weights everywhere.
fn small(group: usize, taps: [usize; 2], bits: usize, thresholds: [&[u8]; 2], scores: Scores) -> Declaration {
    let pick = |number: usize, count: usize| (number * 40_503 + 12_345) * (number * 7 + 3) / 64 % count;
    let filter = |filter: usize, taps: usize| -> Vec<i8> {
        (0..taps * taps).map(|tap| [1, -1, 1][pick(filter * 29 + tap * 5, 3)]).collect()
    };
    let (filters, maps) = (group * group, (8 / group) * (8 / group));
    Declaration {
        side: 32,
        block: 32,
        picture: 8 - taps[0] + 1,
        scale: 4,
        pixels: Pixels::of_bits(bits).unwrap(),
        taps: taps[0],
        filters: (0..filters).map(|number| filter(number, taps[0])).collect(),
        pool: 2,
        second: Some(Second {
            taps: taps[1],
            filters: (0..filters * maps).map(|number| filter(number + 7, taps[1])).collect(),
            thresholds: thresholds.map(<[u8]>::to_vec),
            scores,
        }),
        dense: (0..maps * 16)
            .map(|row| (0..4).map(|class| [0, 1, -1][pick(row * 31 + class * 7, 3)]).collect())
            .collect(),
        ..two_layers().unwrap()
    }
}

/// The results of the second convolution are in all PEs of their groups, and the scores are exact, or as the converter
/// shows them.
#[test]
fn an_ideal_array_computes_a_second_convolution() {
    let networks = [
        small(2, [4, 3], 2, [&[2, 5, 9], &[3, 9, 15]], Scores::Exact),
        small(4, [2, 4], 1, [&[1], &[3, 4]], Scores::Exact),
        small(2, [3, 2], 1, [&[1, 3], &[4]], Scores::Exact),
        small(4, [2, 2], 2, [&[1, 2, 3], &[5, 15, 25]], Scores::Exact),
        small(4, [2, 2], 2, [&[1, 2, 3], &[5, 15, 25]], Scores::Analogue),
    ];
    for (number, network) in networks.into_iter().enumerate() {
        let compiled = compile(&network).unwrap_or_else(|error| panic!("network {number}: {error}"));
        let arrays = Arrays::new(&compiled, ErrorModel::ideal(), 0).unwrap();
        let level = f32::from(compiled.result_level().unwrap());
        let mut values = BTreeSet::new();
        for picture in 0..6 {
            let grey = |at: usize| u8::try_from((at * 97 + picture * 61 + at / 3 * 13 * picture) % 256).unwrap();
            let greys: Vec<u8> = (0..network.picture * network.picture).map(grey).collect();
            let pixels: Vec<u8> = greys.iter().map(|grey| network.pixels.nearest(*grey)).collect();
            let features = network.features(&pixels);
            values.extend(features.iter().copied());
            let results = arrays.after(&greys, "map creation", compiled.input()).unwrap();
            for (pe, result) in results.into_iter().enumerate() {
                let feature = features[feature_of(&network, pe / 32, pe % 32)];
                let wanted = level * f32::from(u16::try_from(feature).unwrap());
                assert!((result - wanted).abs() < 1e-3, "network {number}, picture {picture}, PE {pe}: {result}");
            }
            let scores = arrays.scores(&mut arrays.array.clone(), &greys).unwrap();
            let is_exact = network.second.as_ref().unwrap().scores == Scores::Exact;
            for (found, score) in scores.into_iter().zip(network.scores(&pixels)) {
                #[expect(clippy::cast_precision_loss, reason = "scores are small")]
                let score = score as f32;
                let shown = f32::from(u8::try_from(network.filters.len()).unwrap()) * level * score / 4096.0;
                let (wanted, error) = if is_exact { (score, 0.0) } else { (shown, 0.51) };
                let difference = f64::from(found) - f64::from(wanted);
                assert!(difference.abs() <= error, "network {number}: score {found} for {wanted}");
            }
        }
        let most = network.second.unwrap().thresholds[1].len();
        assert!(values.len() > most, "network {number} has results {values:?}");
    }
}

/// The result that a PE of a small network holds, by its place and its group there.
fn feature_of(network: &Declaration, row: usize, column: usize) -> usize {
    let (group, place, places) = (network.filters.len().isqrt(), 8, 4);
    let map = row % place / group * (place / group) + column % place / group;
    (map * places + row / place) * places + column / place
}
