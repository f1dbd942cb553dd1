//! Tests accurate programs on a picture, on simulated chips with the published errors.

use cain_gallery::{SIDE, picture};
use cain_runtime::isa::{HostController as _, Plan};
use cain_runtime::pictures::Deviation;
use cain_runtime::scamp_kernels;
use cain_runtime::sim::{Array, ErrorModel};

scamp_kernels! {
    #[search(isa = native, objective = accuracy, offset = cancelled, max_gain = 1)]
    fn gauss(A) -> A = 1/16 * [[1, 2, 1], [2, 4, 2], [1, 2, 1]];

    #[search(isa = native, objective = accuracy, offset = cancelled, max_gain = 1)]
    fn slope(&A) -> B = 1/8 * [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]];

    #[search(isa = native, objective = accuracy, offset = cancelled, max_gain = 1)]
    fn sharpen(A) -> B = 1/16 * [[0, -1, 0], [-1, 5, -1], [0, -1, 0]];

    #[search(isa = native, accuracy = 2, offset = cancelled, max_gain = 1)]
    fn laplace(A) -> B = 1/8 * [[0, -1, 0], [-1, 4, -1], [0, -1, 0]];
}

/// The seeds of the chips.
const CHIPS: [u64; 3] = [1, 2, 3];
/// The number of PEs at the edge whose result is undefined.
const BORDER: usize = 4;

fn result(plan: &Plan, image: &[f32], model: ErrorModel, seed: u64) -> Vec<f32> {
    let mut array = Array::scamp5().errors(model).seed(seed);
    array.load_reg(plan.inputs[0], image).unwrap();
    array.run(plan).unwrap();
    array.read_reg(plan.outputs[0]).unwrap().to_vec()
}

/// The mean difference and the root mean square of the differences on the worst chip.
fn measured(plan: &Plan, image: &[f32]) -> (f64, f64) {
    let exact = result(plan, image, ErrorModel::ideal(), 0);
    let inside = |pe: &usize| [pe / SIDE, pe % SIDE].iter().all(|at| (BORDER..SIDE - BORDER).contains(at));
    let chip = |seed: u64| {
        let found = result(plan, image, ErrorModel::measured(), seed);
        let pairs = (0..exact.len()).filter(inside).map(|pe| (found[pe], exact[pe]));
        let Deviation { bias, rms, .. } = Deviation::of(pairs).unwrap();
        (bias, rms)
    };
    CHIPS.map(chip).into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap()
}

#[test]
fn accurate_programs_are_within_three_dn_of_the_exact_result() {
    let bytes = picture(None).unwrap();
    let image = |contrast: f32| -> Vec<f32> {
        bytes.bytes().iter().map(|&byte| contrast * (f32::from(byte) - 128.0)).collect()
    };
    // Transfer errors of 20 DN need room: at the ends of the range, even a copy saturates.
    let (image, whole) = (image(0.6), image(1.0));
    for plan in [gauss::PLAN, slope::PLAN, sharpen::PLAN, laplace::PLAN] {
        let (bias, rms) = measured(&plan, &image);
        let predicted = plan.accuracy[0];
        let what = format!("{}: bias {bias:.2}, {rms:.2} RMS; {predicted:?}", plan.name);
        println!("{what}");
        assert!(rms <= 3.0 && bias.abs() <= 1.5, "{what}");
        // The prediction is for another picture, which fills the range as this one does.
        let (_, rms) = measured(&plan, &whole);
        assert!(
            (f64::from(predicted.rms) - rms).abs() <= 0.5 * rms.max(0.5),
            "{what}; {rms:.2} RMS in the whole range"
        );
    }
}
