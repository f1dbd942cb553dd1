//! The planes of the array as pictures.

use cain_isa::{Bit, Dreg, Reg};
use cain_runtime::pictures::{Deviation, Palette, Picture};
use cain_runtime::sim::Array;

/// The plane of a register as a picture.
pub(crate) struct RegisterPicture {
    pub(crate) name: String,
    pub(crate) picture: Picture,
    /// The values of the darkest and the lightest colour.
    pub(crate) range: String,
    /// The least value, the mean and the largest.
    pub(crate) values: [f32; 3],
    /// How far an analogue plane is from that of an ideal array, if there is one beside.
    pub(crate) deviation: Option<Deviation>,
}

/// Every register that was written, analogue ones first; `ideal` is an array that has done the same without errors.
pub(crate) fn planes(array: &Array, ideal: Option<&Array>, signed: bool) -> Vec<RegisterPicture> {
    let analogue = (0..=u8::MAX).map(Reg::from_index).filter_map(|reg| {
        let values = array.read_reg(reg).ok()?;
        let palette = if signed { Palette::signed(values) } else { Palette::grey(values) };
        let wanted = ideal.and_then(|ideal| ideal.read_reg(reg).ok());
        let pairs = wanted.map(|wanted| values.iter().copied().zip(wanted.iter().copied()));
        Some(RegisterPicture {
            name: reg.to_string(),
            picture: Picture::of_values(values, array.width(), palette),
            range: palette.to_string(),
            values: summary(values.iter().copied()),
            deviation: pairs.and_then(Deviation::of),
        })
    });
    let digital = Dreg::ALL.into_iter().filter_map(|register| {
        let bits = array.read_bits(Bit::Reg(register)).ok()?;
        Some(RegisterPicture {
            // Machines with many analogue registers have an analogue `R5` too.
            name: format!("bits-{register}"),
            picture: Picture::of_bits(&bits, array.width()),
            range: "0 to 1".to_owned(),
            values: summary(bits.iter().map(|bit| f32::from(u8::from(*bit)))),
            deviation: None,
        })
    });
    analogue.chain(digital).collect()
}

/// The least number, the mean and the largest. The mean is NaN if one value is; the others only if all are.
fn summary(values: impl Iterator<Item = f32>) -> [f32; 3] {
    let (mut least, mut largest, mut sum, mut count) = (f32::NAN, f32::NAN, 0.0, 0.0);
    for value in values {
        // These ignore NaN.
        least = least.min(value);
        largest = largest.max(value);
        sum += f64::from(value);
        count += 1.0;
    }
    #[expect(clippy::cast_possible_truncation, reason = "a mean of f32 is within their range")]
    let mean = (sum / count) as f32;
    [least, mean, largest]
}

#[cfg(test)]
mod tests {
    use super::summary;

    #[test]
    fn values_that_are_no_numbers_are_shown() {
        let shown = |values: [f32; 2]| summary(values.into_iter()).map(|value| value.to_string());
        assert_eq!(shown([-2.0, 5.0]), ["-2", "1.5", "5"]);
        assert_eq!(shown([-2.0, f32::NAN]), ["-2", "NaN", "-2"]);
        assert_eq!(shown([f32::NAN; 2]), ["NaN"; 3]);
        assert_eq!(shown([f32::INFINITY, f32::NEG_INFINITY]), ["-inf", "NaN", "inf"]);
    }
}
