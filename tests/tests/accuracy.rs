//! Tests that the predicted accuracy of programs is that of the simulated chip.

use cain_codegen::kernel_file;
use cain_runtime::pictures::Deviation;
use cain_runtime::sim::{Array, ErrorModel, Saturation};
use cain_search::{ImageStatistics, InstructionSet, OffsetRule, Proved, accuracy, search};

/// The kernels of the gallery, and the public cases.
const CASES: [&str; 4] = [
    include_str!("../corpus/gallery.toml"),
    include_str!("../../cain-search/cli/cases/table1.toml"),
    include_str!("../../cain-search/cli/cases/analognavnet.toml"),
    include_str!("../../cain-search/cli/cases/classic.toml"),
];
const SIDE: usize = 96;
const SEEDS: std::ops::Range<u64> = 1..4;

/// An image in which neighbours are similar, the same on every machine.
fn image(channel: u64) -> Vec<f32> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(channel + 1);
    let mut uniform = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        f64::from(u32::try_from(state >> 40).unwrap()) / f64::from(1 << 24) - 0.5
    };
    let correlation = 0.9;
    let mut pixels = vec![0.0_f64; SIDE * SIDE];
    for row in 0..SIDE {
        for column in 0..SIDE {
            let at = |up: usize, left: usize| match (row.checked_sub(up), column.checked_sub(left)) {
                (Some(row), Some(column)) => pixels[row * SIDE + column],
                _ => 0.0,
            };
            // Twelve uniform numbers add up to a nearly normal one of variance 1.
            let normal: f64 = (0..12).map(|_| uniform()).sum();
            let past = correlation * (at(0, 1) + at(1, 0)) - correlation * correlation * at(1, 1);
            pixels[row * SIDE + column] = past + 10.0 * (1.0 - correlation * correlation) * normal;
        }
    }
    // All images have the mean and the deviation that the prediction assumes.
    let count = f64::from(u32::try_from(pixels.len()).unwrap());
    let mean = pixels.iter().sum::<f64>() / count;
    let deviation = (pixels.iter().map(|pixel| (pixel - mean) * (pixel - mean)).sum::<f64>() / count).sqrt();
    #[expect(clippy::cast_possible_truncation, reason = "pixels of the simulator")]
    pixels.into_iter().map(|pixel| (40.0 * (pixel - mean) / deviation + 6.0) as f32).collect()
}

/// The deviation of outputs from those of the exact array, away from the border: mean and root mean square.
fn measured(program: &Proved, images: &[Vec<f32>], model: ErrorModel) -> Vec<(f64, f64)> {
    let declaration = program.declaration();
    let run = |model: ErrorModel, seed: u64| {
        let mut array = Array::new(SIDE, SIDE).machine(declaration.machine).errors(model).seed(seed);
        for (input, image) in declaration.inputs.iter().zip(images) {
            array.load_reg(input.reg, image).unwrap();
        }
        for &instruction in program.listing() {
            cain_runtime::HostController::execute(&mut array, instruction).unwrap();
        }
        let outputs = declaration.outputs.iter();
        outputs.map(|output| array.read_reg(output.reg).unwrap().to_vec()).collect::<Vec<_>>()
    };
    let exact = run(ErrorModel::ideal(), 0);
    let border = 8;
    let inside =
        |i: &usize| (border..SIDE - border).contains(&(i / SIDE)) && (border..SIDE - border).contains(&(i % SIDE));
    let chips: Vec<_> = SEEDS.map(|seed| run(model, seed)).collect();
    let figures = |(output, exact): (usize, &Vec<f32>)| {
        let pairs = chips.iter().flat_map(|chip| (0..SIDE * SIDE).filter(inside).map(|i| (chip[output][i], exact[i])));
        let Deviation { bias, rms, .. } = Deviation::of(pairs).unwrap();
        (bias, rms)
    };
    exact.iter().enumerate().map(figures).collect()
}

#[test]
fn the_prediction_is_what_the_simulator_measures() {
    // Values beyond the range are not predicted.
    let published = ErrorModel { saturation: Saturation::None, ..ErrorModel::measured() };
    let noisy = ErrorModel { relative_noise: 0.005, noise: 0.5, mismatch: 0.004, ..published };
    for filter in CASES.iter().flat_map(|case| kernel_file::parse(case).unwrap()) {
        for (instructions, offset) in [
            (InstructionSet::Native, OffsetRule::Cancelled),
            (InstructionSet::Native, OffsetRule::Any),
            (InstructionSet::Macro, OffsetRule::Cancelled),
            (InstructionSet::Macro, OffsetRule::Any),
        ] {
            let mut declaration = filter.declaration.clone();
            declaration.options.nodes = 200;
            declaration.options.instructions = instructions;
            declaration.options.offset = offset;
            let program = search(&declaration).unwrap().program;
            let images: Vec<_> = (0..).map(image).take(declaration.inputs.len()).collect();
            let statistics = ImageStatistics::of(&images[0], SIDE).unwrap();
            for model in [published, noisy] {
                let predicted = accuracy(&program, &model, &statistics);
                let measured = measured(&program, &images, model);
                for (predicted, (bias, rms)) in predicted.iter().zip(measured) {
                    let what =
                        format!("{declaration} {instructions:?} {offset:?}: {predicted:?}, measured {bias} and {rms}");
                    assert!((predicted.rms() / rms - 1.0).abs() <= 0.2, "{what}");
                    assert!((predicted.bias - bias).abs() <= 0.2 * rms, "{what}");
                }
            }
        }
    }
}

/// An exact chip makes no errors.
#[test]
fn an_exact_chip_is_exact() {
    let filter = kernel_file::parse(include_str!("../corpus/gallery.toml")).unwrap().remove(0);
    let program = search(&filter.declaration).unwrap().program;
    for predicted in accuracy(&program, &ErrorModel::ideal(), &ImageStatistics::NATURAL) {
        assert!(predicted.rms() < 1e-6, "{predicted:?}");
    }
}
