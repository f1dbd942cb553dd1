//! The errors of a chip.

use std::fmt::Display;
use std::ops::RangeInclusive;

use cain_isa::ErrorModel;

use crate::errors::Errors;
use crate::tree::{ERRORS, MachineOptions, Number};

/// A constant of the model: where it goes, and what is possible.
struct Constant<'m> {
    place: &'m mut f32,
    range: RangeInclusive<f32>,
    unit: &'static str,
}

/// The errors described, with the published constants of SCAMP-5 by default.
pub(crate) fn errors<S: Copy>(given: &MachineOptions<S>, errors: &mut Errors<S>) -> ErrorModel {
    let mut model = ErrorModel::measured();
    let factor = |place, range| Constant { place, range, unit: "" };
    let level = |place, range| Constant { place, range, unit: " DN" };
    // In the order of `ERRORS`.
    let constants: [Constant<'_>; ERRORS.len()] = [
        factor(&mut model.gain, 0.5..=1.5),
        factor(&mut model.mismatch, -0.5..=0.5),
        factor(&mut model.fixed_gain, 0.0..=0.5),
        level(&mut model.fixed_offset, 0.0..=100.0),
        factor(&mut model.relative_noise, 0.0..=0.5),
        level(&mut model.noise, 0.0..=100.0),
        level(&mut model.readout_noise, 0.0..=100.0),
    ];
    for ((constant, key), number) in constants.into_iter().zip(ERRORS).zip(&given.errors) {
        if let Some(number) = number {
            set(constant, key, number, errors);
        }
    }
    if let Some(offsets) = &given.offset {
        let counts = model.offset.len();
        match offsets.value.as_slice() {
            numbers if ![1, counts].contains(&numbers.len()) => {
                errors.add(offsets.at, expected_offsets(numbers.len()));
            }
            numbers => {
                for (place, number) in model.offset.iter_mut().zip(numbers.iter().cycle()) {
                    set(level(place, -100.0..=100.0), "offset", number, errors);
                }
            }
        }
    }
    model
}

fn expected_offsets(found: usize) -> impl Display {
    format!("expected the offset of words with one, two and three destinations, or one number for all; found {found}")
}

fn set<S: Copy>(constant: Constant<'_>, key: &str, number: &Number<S>, errors: &mut Errors<S>) {
    let Constant { place, range, unit } = constant;
    #[expect(clippy::cast_possible_truncation, reason = "the type of the constant")]
    let value = number.value.to_f64() as f32;
    if range.contains(&value) {
        *place = value;
    } else {
        let (least, most) = (range.start(), range.end());
        errors.add(number.at, format_args!("`{key}`: expected from {least} to {most}{unit}, found {}", number.text));
    }
}
