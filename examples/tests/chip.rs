//! Tests that the constants of a chip are recovered from its readings.

use cain_codegen::kernel_file::parse_machine;
use cain_examples::chip::{measure, to_toml};
use cain_runtime::sim::{Array, ErrorModel};

#[track_caller]
fn expect(model: ErrorModel, seed: u64) {
    let measured = measure(&mut Array::scamp5().errors(model).seed(seed)).unwrap();
    // Each constant comes with its tolerance: a hundredth of itself, or the resolution of the experiment.
    let constants = |of: &ErrorModel| {
        let &ErrorModel { gain, offset: [one, two, three], mismatch, fixed_gain, fixed_offset, .. } = of;
        let &ErrorModel { relative_noise, noise, readout_noise, .. } = of;
        [
            (gain, 0.0002),
            (one, 0.05),
            (two, 0.05),
            (three, 0.05),
            (mismatch, 0.0005),
            (fixed_gain, 0.0003),
            (fixed_offset, 0.03),
            (relative_noise, 0.0005),
            (noise, 0.05),
            (readout_noise, 0.02),
        ]
    };
    for ((found, tolerance), (simulated, _)) in constants(&measured).into_iter().zip(constants(&model)) {
        assert!((found - simulated).abs() <= tolerance, "{found} for {simulated}: {measured:?}");
    }
    // The file contains the measured constants, with all significant digits.
    let (_, read) = parse_machine(&to_toml(&measured)).unwrap();
    for ((read, tolerance), (found, _)) in constants(&read).into_iter().zip(constants(&measured)) {
        assert!((read - found).abs() <= tolerance / 10.0, "{read} for {found}");
    }
}

#[test]
fn the_published_constants() {
    expect(ErrorModel::measured(), 1);
}

#[test]
fn another_chip() {
    let chip = ErrorModel {
        gain: 0.985,
        offset: [12.0, 13.5, 15.0],
        mismatch: 0.004,
        fixed_gain: 0.002,
        fixed_offset: 0.3,
        noise: 0.2,
        relative_noise: 0.003,
        readout_noise: 0.9,
        ..ErrorModel::measured()
    };
    expect(chip, 5);
}
