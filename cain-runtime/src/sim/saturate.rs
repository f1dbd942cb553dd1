//! Saturation of values beyond the range of cells.

use crate::isa::{Range, Saturation};

/// Replaces values by what cells with this range hold of them.
pub(super) fn saturate(saturation: Saturation, values: &mut [f32], range: Range) {
    let (min, max) = (f32::from(range.min), f32::from(range.max));
    match saturation {
        Saturation::None => {}
        Saturation::Hard => {
            for value in values {
                *value = hard(*value, [min, max]);
            }
        }
        Saturation::Soft => {
            for value in values {
                let end = if *value < 0.0 { min } else { max };
                let knee = 0.75 * end;
                let beyond = ((*value - knee) / (end - knee)).max(0.0);
                let kept = if beyond > 0.0 { knee } else { *value };
                *value = kept + (end - knee) * (beyond / (1.0 + beyond));
            }
        }
    }
}

/// The value itself, or the end of the range beyond which it is. [`f32::clamp`] takes twice as long, because of NaN.
#[expect(clippy::inline_always, reason = "in sums, only what is inlined is compiled for the wider vectors")]
#[inline(always)]
pub(super) const fn hard(value: f32, [min, max]: [f32; 2]) -> f32 {
    let below = if value > max { max } else { value };
    if below < min { min } else { below }
}
