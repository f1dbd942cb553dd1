//! Saturation of values beyond the range of cells.

use crate::isa::{Range, Saturation};

/// Replaces values by what cells with this range hold of them.
pub(super) fn saturate(saturation: Saturation, values: &mut [f32], range: Range) {
    let (min, max) = (f32::from(range.min), f32::from(range.max));
    match saturation {
        Saturation::None => {}
        Saturation::Hard => {
            // `clamp` is not used here, because its treatment of NaN costs half of the speed.
            for value in values {
                let below = if *value > max { max } else { *value };
                *value = if below < min { min } else { below };
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
