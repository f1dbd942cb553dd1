//! What is lost of values beyond the range of registers.

use cain_analysis::sorted::Map;
use cain_isa::{ErrorModel, Reg, Saturation, Store};

use super::image::ImageStatistics;
use super::replay::Write;
use crate::Declaration;

/// The quantiles of a normal distribution at 129/256, 131/256 and so on up to 255/256: with those of the other sign, 128 levels that
/// are equally likely.
#[rustfmt::skip]
const LEVELS: [f64; 64] = [
    0.009_792, 0.029_379, 0.048_977, 0.068_594, 0.088_238, 0.107_916, 0.127_635, 0.147_405,
    0.167_232, 0.187_125, 0.207_093, 0.227_143, 0.247_285, 0.267_528, 0.287_881, 0.308_355,
    0.328_958, 0.349_702, 0.370_597, 0.391_656, 0.412_890, 0.434_311, 0.455_934, 0.477_772,
    0.499_840, 0.522_155, 0.544_733, 0.567_591, 0.590_751, 0.614_231, 0.638_056, 0.662_248,
    0.686_834, 0.711_842, 0.737_304, 0.763_253, 0.789_727, 0.816_765, 0.844_415, 0.872_726,
    0.901_754, 0.931_563, 0.962_223, 0.993_816, 1.026_433, 1.060_180, 1.095_181, 1.131_577,
    1.169_537, 1.209_261, 1.250_992, 1.295_022, 1.341_718, 1.391_537, 1.445_073, 1.503_103,
    1.566_689, 1.637_325, 1.717_228, 1.809_892, 1.921_351, 2.063_528, 2.266_227, 2.660_067,
];
/// How many levels there are, of either sign.
const COUNT: usize = 2 * LEVELS.len();

type Values = [f64; COUNT];

/// The root mean square of what each output loses where values on the way to it leave the range of registers, in images whose pixels are alike as
/// far as a program looks: neighbours are, and differences of far ones seldom reach the range.
pub(super) fn lost(
    declaration: &Declaration,
    writes: &[Write],
    model: &ErrorModel,
    image: &ImageStatistics,
) -> Vec<f64> {
    let outputs = &declaration.outputs;
    if model.saturation == Saturation::None {
        return vec![0.0; outputs.len()];
    }
    let range = declaration.machine.range;
    let (min, max) = (f64::from(range.min), f64::from(range.max));
    let given = declaration.input_range();
    let (darkest, brightest) = (f64::from(given.min), f64::from(given.max));
    let levels = |channel: usize| -> Values {
        let level = |place: usize| (image.mean + image.deviation * level(channel, place)).clamp(darkest, brightest);
        std::array::from_fn(level)
    };
    let inputs: Vec<Values> = (0..declaration.inputs.len()).map(levels).collect();
    let registers = declaration.inputs.iter().map(|input| Store::Reg(input.reg));
    let mut cells: Map<Store, Values> = registers.zip(inputs.iter().copied()).collect();
    let mut is_lost = false;
    for Write { transfer, share, .. } in writes {
        let gain = share * transfer.factor().to_f64() * f64::from(model.gain);
        let offset = f64::from(model.offset_of(usize::from(transfer.divisor)));
        let mut values = [0.0; COUNT];
        for source in transfer.terms().iter().filter_map(|(store, _)| cells.get(store)) {
            values.iter_mut().zip(source).for_each(|(sum, value)| *sum += value);
        }
        for value in &mut values {
            let unlimited = *value * gain + offset;
            *value = unlimited.clamp(min, max);
            is_lost |= unlimited < min || unlimited > max;
        }
        cells.insert(transfer.store, values);
    }
    let of_output = |reg: Reg| {
        let written = || writes.iter().rev().find(|write| write.transfer.store == Store::Reg(reg));
        let (Some(write), Some(limited)) = (is_lost.then(written).flatten(), cells.get(&Store::Reg(reg))) else {
            return 0.0;
        };
        let mut unlimited = [write.result.constant; COUNT];
        for (&(channel, ..), weight) in &write.result.weights {
            let Some(input) = inputs.get(usize::from(channel)) else { continue };
            unlimited.iter_mut().zip(input).for_each(|(sum, level)| *sum += weight * level);
        }
        // What results themselves lose is no fault of the program.
        let apart = unlimited.iter().zip(limited).map(|(unlimited, limited)| unlimited.clamp(min, max) - limited);
        let squares: f64 = apart.map(|apart| apart * apart).sum();
        #[expect(clippy::cast_precision_loss, reason = "a small number")]
        let mean = squares / COUNT as f64;
        mean.sqrt()
    };
    outputs.iter().map(|output| of_output(output.reg)).collect()
}

/// A level of a channel, in standard deviations from the mean. Each channel has each of them once, in an order of its own.
fn level(channel: usize, place: usize) -> f64 {
    let place = (place * (2 * channel + 1) + 11 * channel) % COUNT;
    match place.checked_sub(LEVELS.len()) {
        Some(place) => LEVELS[place],
        None => -LEVELS[place],
    }
}
