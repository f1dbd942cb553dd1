use cain_runtime::sim::ErrorModel;
use cain_search::in_pixel::compile;

use crate::digits::Digits;
use crate::network::{Arrays, two_layers};

/// The array computes what the declaration says: all sums, all maxima, and the scores as far as the converter shows them.
#[test]
fn an_ideal_array_computes_the_network() {
    let network = two_layers().unwrap();
    let compiled = compile(&network).unwrap();
    let arrays = Arrays::new(&compiled, ErrorModel::ideal(), 0).unwrap();
    let digits = Digits::of_font().unwrap();
    let ink = digits.get(2).0;

    let pooled = arrays.pooled(ink).unwrap();
    let half = f32::from(compiled.level()) / 2.0;
    let (blocks, cells) = (network.blocks(), network.cells());
    for (number, maximum) in network.maxima(ink).into_iter().enumerate() {
        let (filter, cell) = (number / (cells * cells), number % (cells * cells));
        let row = filter / blocks * network.block + cell / cells * network.pool;
        let column = filter % blocks * network.block + cell % cells * network.pool;
        let wanted = half * f32::from(u16::try_from(maximum).unwrap());
        for place in 0..network.pool * network.pool {
            let pe = (row + place / network.pool) * network.side + column + place % network.pool;
            assert!((pooled[pe] - wanted).abs() < 1e-3, "maximum {number} in PE {place} of its window");
        }
    }

    let codes = arrays.codes(&mut arrays.array.clone(), ink).unwrap();
    for (code, score) in codes.into_iter().zip(network.scores(ink)) {
        #[expect(clippy::cast_precision_loss, reason = "scores are small")]
        let wanted = (128.0 + 16.0 * half * score as f32 / 4096.0).clamp(0.0, 255.0);
        assert!((f32::from(code) - wanted).abs() <= 0.51, "code {code} for {wanted}");
    }
}

/// Programs do not depend on what lies outside of the array, which the chip does not define.
#[test]
fn nothing_comes_in_from_outside_of_the_array() {
    let compiled = compile(&two_layers().unwrap()).unwrap();
    let digits = Digits::of_font().unwrap();
    let codes = |outside: f32| {
        let arrays = Arrays::new(&compiled, ErrorModel::ideal(), 0).unwrap();
        let mut array = arrays.array.clone().outside(outside);
        arrays.codes(&mut array, digits.get(8).0).unwrap()
    };
    assert_eq!(codes(0.0), codes(90.0));
}
