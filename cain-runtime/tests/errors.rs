//! Tests models of errors: their effects on macro instructions, and their reproducibility.

use cain_runtime::HostController;
use cain_runtime::isa::ErrorModelError::{Negative, NotFinite};
use cain_runtime::isa::asm::*;
use cain_runtime::isa::{Instruction, Reg};
use cain_runtime::sim::{Array, BitErrors, Drift, ErrorModel, Saturation, SimError};

/// The result of the instruction in a register of one PE, with 96 in A, 40 in B and 8 everywhere else.
fn one_pe(model: ErrorModel, instruction: Instruction, result: Reg) -> Vec<f32> {
    let mut array = Array::new(1, 1).errors(model);
    for (reg, value) in [(A, 96.0), (B, 40.0), (C, 8.0), (D, 8.0), (E, 8.0), (F, 8.0)] {
        array.load_reg(reg, &[value]).unwrap();
    }
    array.expose(&[100.0]).unwrap();
    array.execute(instruction).unwrap();
    array.read_reg(result).unwrap().to_vec()
}

#[test]
fn every_macro_has_its_result_and_its_error_terms() {
    // All figures are sums of few powers of two, so their sums are exact.
    let (d, d2, m) = (20.0, 21.5, 1.0 / 64.0);
    let (halved, more, less) = (48.0, 1.0 + m, 1.0 - m);
    let both = 48.0 * (1.0 - m * m);
    let table = [
        // Constant errors cancel in everything but divisions.
        (res(C), C, 0.0, 0.0),
        (res2(C, D), D, 0.0, 0.0),
        (mov(C, A), C, 96.0, 96.0),
        (add(C, A, B), C, 136.0, 136.0),
        (add3(C, A, B, D), C, 144.0, 144.0),
        (sub(C, A, B), C, 56.0, 56.0),
        (neg(C, A), C, -96.0, -96.0),
        (abs(C, A), C, 96.0, 96.0),
        (divq(C, A), C, halved, halved * less + (d - d2)),
        (div(C, D, A), C, halved, both + (d - d2)),
        (div(C, D, A), D, -halved, -both + d2),
        (div(C, D, A), A, 96.0, 96.0 * more),
        (div_copy(C, D, E, A), C, halved, both + (d - d2)),
        (div_copy(C, D, E, A), D, -halved, -both + d2),
        (div_copy(C, D, E, A), E, 96.0, 96.0 * more),
        (div_copy(C, D, E, A), A, 96.0, 96.0),
        (diva(A, C, D), A, halved, both + (d - d2)),
        (diva(A, C, D), C, -halved, -both + d2),
        (diva(A, C, D), D, -halved, -halved * less * less + d2),
        (respix_read(C), C, -127.0, -127.0),
        (get_image(C), C, 100.0, 100.0),
        (get_image_full(C, D), C, 73.0, 73.0 - d),
        (get_image_full(C, D), D, 27.0, 27.0 + d),
        (getpix(C, B), C, -67.0, -67.0),
        (getpix_full(C, D, B), C, -94.0, -94.0 - d),
    ];
    for (instruction, result, ideal, analytic) in table {
        assert_eq!(one_pe(ErrorModel::ideal(), instruction, result), [ideal], "{instruction} {result}");
        let found = one_pe(ErrorModel::analytic(d, d2, m), instruction, result)[0];
        assert!((found - analytic).abs() < 1e-4, "{instruction} {result}: {found}, not {analytic}");
    }
}

/// In the middle of a flat image, neighbours have equal values.
#[test]
fn instructions_that_read_neighbours_cancel_constant_errors_too() {
    let instructions = [
        movx(C, A, EAST),
        mov2x(C, A, EAST, NORTH),
        addx(C, A, B, WEST),
        add2x(C, A, B, SOUTH, WEST),
        subx(C, A, NORTH, B),
        sub2x(C, A, EAST, EAST, B),
        mov_from(C, A, SOUTH),
        sub_from(C, A, EAST, B),
        newsblur(C, A),
        newsblurh(C, A),
        newsblurv(C, A),
    ];
    for instruction in instructions {
        let run = |model| {
            let mut array = Array::new(9, 9).errors(model);
            array.load_reg(A, &[96.0; 81]).unwrap();
            array.load_reg(B, &[40.0; 81]).unwrap();
            array.execute(instruction).unwrap();
            array.read_reg(C).unwrap()[40..41].to_vec()
        };
        assert_eq!(run(ErrorModel::constant(20.0)), run(ErrorModel::ideal()), "{instruction}");
    }
}

#[test]
fn a_single_word_keeps_the_constant_error() {
    let word = bus(&[reg(C), reg(D)], &[reg(A)]);
    assert_eq!(one_pe(ErrorModel::constant(3.0), word, C), [-45.0]);
    assert_eq!(one_pe(ErrorModel::constant(3.0), word, D), [-45.0]);
    assert_eq!(one_pe(ErrorModel::analytic(1.0, 2.0, 0.25), word, C), [-58.0]);
    assert_eq!(one_pe(ErrorModel::analytic(1.0, 2.0, 0.25), word, D), [-34.0]);
}

#[test]
fn newsblur_is_an_average() {
    let mut array = Array::new(3, 3);
    array.load_reg(A, &[1.0, 2.0, 3.0, 4.0, 50.0, 6.0, 7.0, 8.0, 9.0]).unwrap();
    array.execute(newsblur(B, A)).unwrap();
    assert_eq!(array.read_reg(B).unwrap()[4..5], [5.0]);
    array.execute(newsblurh(B, A)).unwrap();
    assert_eq!(array.read_reg(B).unwrap()[4..5], [5.0]);
    array.execute(newsblurv(A, A)).unwrap();
    assert_eq!(array.read_reg(A).unwrap()[4..5], [5.0]);
}

#[test]
fn repeated_instructions_are_the_instruction_repeated() {
    let image: Vec<f32> = (0..63_u16).map(|pe| f32::from(pe * 37 % 64)).collect();
    let run = |program: &[Instruction]| {
        let mut array = Array::new(9, 7).diffusion(0.25);
        array.load_reg(A, &image).unwrap();
        array.execute(digital::set(&[digital::R1, digital::R2])).unwrap();
        program.iter().try_for_each(|&line| array.execute(line)).unwrap();
        array.read_reg(B).unwrap().to_vec()
    };
    for (repeated, first, next) in [
        (newsblur_times(B, A, 4), newsblur(B, A), newsblur(B, B)),
        (newsblurh_times(B, A, 4), newsblurh(B, A), newsblurh(B, B)),
        (newsblurv_times(B, A, 4), newsblurv(B, A), newsblurv(B, B)),
        (gauss_times(B, A, 12), gauss(B, A), gauss(B, B)),
        (gaussh_times(B, A, 12), gaussh(B, A), gaussh(B, B)),
        (gaussv_times(B, A, 12), gaussv(B, A), gaussv(B, B)),
    ] {
        assert_eq!(run(&[repeated]), run(&[first, next, next, next]), "{repeated}");
    }
    assert_ne!(run(&[gauss_times(B, A, 2)]), run(&[gauss(B, A)]));
}

/// Diffusion works both ways: the addition of one word is subtracted by the next.
#[test]
fn diffusion_cancels_constant_errors() {
    for instruction in [gauss(C, A), gaussh_times(C, A, 1), gaussv_times(A, A, 2)] {
        let run = |model| {
            let mut array = Array::new(9, 9).errors(model).diffusion(0.25);
            array.load_reg(A, &[96.0; 81]).unwrap();
            array.execute(digital::set(&[digital::R1, digital::R2])).unwrap();
            array.execute(instruction).unwrap();
            array.read_reg(if instruction == gauss(C, A) { C } else { A }).unwrap().to_vec()
        };
        assert_eq!(run(ErrorModel::constant(20.0)), run(ErrorModel::ideal()), "{instruction}");
    }
}

const KERNEL: [Instruction; 3] = [diva(A, B, C), mov(B, A), add(A, A, B)];

#[expect(clippy::cast_precision_loss, reason = "few values")]
fn mean_and_deviation(values: &[f32]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().map(|&value| f64::from(value)).sum::<f64>() / count;
    let variance = values.iter().map(|&value| (f64::from(value) - mean).powi(2)).sum::<f64>() / count;
    (mean, variance.sqrt())
}

/// The published accumulation experiment: an identity of `diva`, `mov` and `add`, repeated. The model fitted to the
/// measurements is, for one kernel, r' = g·r + c with g = 0.954 ± 0.0105 and c = −3.31 ± 0.75 DN (correlation −0.38).
#[test]
fn errors_accumulate_as_measured() {
    let (g, c) = (0.954_f64, -3.31_f64);
    let (spread_g, spread_c, correlation) = (0.0105_f64, 0.75_f64, -0.38_f64);
    for start in [0.0_f32, 5.0, 10.0, 100.0, 120.0] {
        let mut array = Array::scamp5().errors(ErrorModel::measured()).seed(1);
        array.load_reg(A, &vec![start; 256 * 256]).unwrap();
        let (mut mean, start) = (f64::from(start), f64::from(start));
        // This is the dependence of the value after `kernels` repetitions on the g and c of a PE, to first order.
        let (mut by_g, mut by_c) = (0.0, 0.0);
        for kernels in 1..=32 {
            (by_g, by_c) = (g * by_g + mean, g * by_c + 1.0);
            mean = g * mean + c;
            KERNEL.into_iter().try_for_each(|line| array.execute(line)).unwrap();
            if ![1, 2, 4, 8, 16, 32].contains(&kernels) {
                continue;
            }
            let (from_g, from_c) = (by_g * spread_g, by_c * spread_c);
            let spread = (from_g * from_g + from_c * from_c + 2.0 * correlation * from_g * from_c).sqrt();
            let (found_mean, found_spread) = mean_and_deviation(array.read_reg(A).unwrap());
            let (bias, found_bias) = (start - mean, start - found_mean);
            assert!(
                (found_bias / bias - 1.0).abs() < 0.1,
                "bias after {kernels} from {start}: {found_bias}, not {bias}"
            );
            assert!(
                (found_spread / spread - 1.0).abs() < 0.1,
                "spread after {kernels} from {start}: {found_spread}, not {spread}"
            );
        }
    }
}

#[test]
fn cain_scatters_every_write_by_half_a_percent() {
    let mut array = Array::scamp5().errors(ErrorModel::cain());
    array.load_reg(A, &vec![100.0; 256 * 256]).unwrap();
    array.execute(bus(&[reg(B)], &[reg(A)])).unwrap();
    let (mean, deviation) = mean_and_deviation(array.read_reg(B).unwrap());
    assert!((mean + 100.0).abs() < 0.01 && (deviation - 0.5).abs() < 0.01, "{mean} {deviation}");
}

/// 64×48 PEs with an image in A and all kinds of errors.
fn noisy(seed: u64) -> Array {
    let model = ErrorModel { relative_noise: 0.01, noise: 0.2, ..ErrorModel::measured() };
    let mut array = Array::new(64, 48).errors(model).seed(seed);
    let image: Vec<f32> = (0..=96_u8).cycle().take(64 * 48).map(f32::from).collect();
    array.load_reg(A, &image).unwrap();
    array
}

#[test]
fn a_seed_repeats_every_draw_and_another_does_not() {
    let run = |seed| {
        let mut array = noisy(seed);
        KERNEL.into_iter().try_for_each(|line| array.execute(line)).unwrap();
        (array.read_reg(A).unwrap().to_vec(), array.convert(A).unwrap())
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1).0, run(2).0);
    assert_ne!(run(1).0, run(1).1);
}

/// The values themselves are guaranteed: a seed means the same chip on every machine and for any number of threads.
/// With the feature `parallel`, this is drawn on several threads.
#[test]
fn a_seed_means_the_same_chip_everywhere() {
    let mut array = noisy(7);
    KERNEL.into_iter().chain([movx(C, A, EAST), div(D, E, C)]).try_for_each(|line| array.execute(line)).unwrap();
    assert_eq!([A, B, D].map(|reg| hash(&array, reg)), [572_052_903, 2_767_913_615, 1_379_963_732]);
}

/// Without noise, errors are added together with the transfers, several words at a time.
#[test]
fn a_seed_means_the_same_chip_without_noise_too() {
    let mut array = noisy(7).errors(ErrorModel { mismatch: 0.01, ..ErrorModel::measured() });
    let ways = [movx(C, A, EAST), div(D, E, C), add2x(E, A, D, NORTH, WEST), bus(&[reg(F)], &[]), sub(C, E, F)];
    array.execute_listing(&[KERNEL.as_slice(), &ways].concat()).unwrap();
    assert_eq!([A, C, E].map(|reg| hash(&array, reg)), [4_219_022_266, 2_202_345_873, 767_238_777]);
}

/// The FNV-1a hash of the values of a register.
fn hash(array: &Array, reg: Reg) -> u32 {
    let bytes = array.read_reg(reg).unwrap().iter().flat_map(|value| value.to_bits().to_le_bytes());
    bytes.fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[test]
fn levels_grow() {
    let spread = |level| {
        let mut array = Array::scamp5().errors(ErrorModel::level(level));
        array.load_reg(A, &vec![50.0; 256 * 256]).unwrap();
        KERNEL.into_iter().try_for_each(|line| array.execute(line)).unwrap();
        let written = mean_and_deviation(array.read_reg(A).unwrap());
        (written.0, written.1, mean_and_deviation(&array.convert(A).unwrap()).1)
    };
    let (mean, written, read) = spread(0);
    assert!((mean - 50.0).abs() < 1e-9 && written < 1e-9 && read < 1e-9);
    let (mean, written, read) = spread(1);
    assert!(mean < 48.0 && written < 1e-4 && read < 1e-4);
    let (_, written, read) = spread(2);
    assert!(written > 0.3 && (written - read).abs() < 1e-9);
    let (_, written, read) = spread(3);
    assert!(read > written + 0.1);
}

#[test]
fn soft_saturation_bends_where_hard_saturation_cuts() {
    let held = |saturation, value| {
        let mut array = Array::new(1, 1).errors(ErrorModel { saturation, ..ErrorModel::ideal() });
        array.load_reg(A, &[value]).unwrap();
        array.read_reg(A).unwrap().to_vec()
    };
    for value in [-90.0, 0.0, 95.0] {
        assert_eq!(held(Saturation::Soft, value), [value]);
        assert_eq!(held(Saturation::Hard, value), [value]);
    }
    assert_eq!(held(Saturation::Hard, 300.0), [127.0]);
    assert_eq!(held(Saturation::Hard, -300.0), [-128.0]);
    assert_eq!(held(Saturation::None, 300.0), [300.0]);
    let mut last = 95.0;
    for value in [100.0, 127.0, 200.0, 1000.0] {
        let kept = held(Saturation::Soft, value)[0];
        assert!(kept > last && kept < 127.0 && kept < value, "{value}: {kept}");
        last = kept;
    }
    let lowest = held(Saturation::Soft, -1e6)[0];
    assert!(lowest > -128.0 && lowest < -127.0);
}

#[test]
fn stored_values_drift_with_time_if_they_are_told_to() {
    let drift = Drift { rate: 1.0, level: 10.0 };
    let mut array = Array::new(1, 1).errors(ErrorModel { drift, ..ErrorModel::ideal() });
    array.load_reg(A, &[0.0]).unwrap();
    array.load_reg(B, &[10.5]).unwrap();
    // Ten words of 0.19 µs each.
    for _ in 0..5 {
        array.execute(mov(C, A)).unwrap();
    }
    assert!((array.read_reg(A).unwrap()[0] - 1.9).abs() < 1e-4);
    assert_eq!(array.read_reg(B).unwrap(), [10.0]);
}

/// A value that is not a number would silently spread over the array.
#[test]
fn settings_are_numbers() {
    let array = || Array::new(2, 1);
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for (mut array, setting) in [
            (array().outside(bad), "Array::outside"),
            (array().diffusion(bad), "Array::diffusion"),
            (array().squarer(bad), "Array::squarer"),
            (array().bit_errors(BitErrors::after_two_steps(bad)), "Array::bit_errors"),
        ] {
            let error = SimError::NoNumber(setting);
            assert_eq!(array.load_reg(A, &[1.0, 2.0]), Err(error));
            assert_eq!(array.expose(&[1.0, 2.0]), Err(error));
            assert_eq!(array.execute(res(A)), Err(error));
            assert_eq!(error.to_string(), format!("`{setting}` was given what is not a finite number; give it one"));
        }
        let ideal = ErrorModel::ideal();
        for (model, name) in [
            (ErrorModel { gain: bad, ..ideal }, "gain"),
            (ErrorModel { offset: [0.0, bad, 0.0], ..ideal }, "offset"),
            (ErrorModel { mismatch: bad, ..ideal }, "mismatch"),
            (ErrorModel { fixed_gain: bad, ..ideal }, "fixed_gain"),
            (ErrorModel { fixed_offset: bad, ..ideal }, "fixed_offset"),
            (ErrorModel { relative_noise: bad, ..ideal }, "relative_noise"),
            (ErrorModel { noise: bad, ..ideal }, "noise"),
            (ErrorModel { readout_noise: bad, ..ideal }, "readout_noise"),
            (ErrorModel { drift: Drift { rate: bad, level: 0.0 }, ..ideal }, "drift.rate"),
            (ErrorModel { drift: Drift { rate: 0.0, level: bad }, ..ideal }, "drift.level"),
        ] {
            let error = SimError::Errors(NotFinite(name));
            assert_eq!(array().errors(model).load_reg(A, &[1.0, 2.0]), Err(error));
            assert_eq!(array().errors(model).execute(res(A)), Err(error));
        }
    }
    let negative = ErrorModel { noise: -1.0, ..ErrorModel::measured() };
    assert_eq!(array().errors(negative).execute(res(A)), Err(SimError::Errors(Negative("noise"))));
    assert_eq!(
        negative.check().unwrap_err().to_string(),
        "`noise` of the error model is negative; give it a value from 0"
    );
    // Replacing the setting is enough.
    array().errors(negative).outside(f32::NAN).errors(ErrorModel::measured()).outside(-3.0).execute(res(A)).unwrap();
}
