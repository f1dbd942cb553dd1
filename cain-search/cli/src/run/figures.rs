//! Figures about planes.

use cain_runtime::pictures::Deviation;

use crate::share::{mean, together};

/// Figures about the values of a plane, or of the planes that a register holds after each of several frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Figures {
    pub(crate) least: f32,
    pub(crate) mean: f32,
    pub(crate) largest: f32,
    /// The deviation of an analogue plane from that of an ideal array, if there is one to compare with.
    pub(crate) deviation: Option<Deviation>,
}

impl Figures {
    /// The figures of these values. The mean is NaN if one value is; the others are NaN only if all values are.
    pub(crate) fn new(values: impl Iterator<Item = f32>, deviation: Option<Deviation>) -> Self {
        let (mut least, mut largest, mut sum, mut count) = (f32::NAN, f32::NAN, 0.0, 0.0);
        for value in values {
            // These ignore NaN.
            least = least.min(value);
            largest = largest.max(value);
            sum += f64::from(value);
            count += 1.0;
        }
        Self { least, mean: narrowed(sum / count), largest, deviation }
    }

    /// The figures of several frames together: `rms` over all PEs of all frames, and the means of bias and contrast.
    pub(crate) fn over(frames: &[Self]) -> Option<Self> {
        let deviation = together(frames.iter().filter_map(|frame| frame.deviation));
        Some(Self {
            least: frames.iter().map(|frame| frame.least).reduce(f32::min)?,
            mean: narrowed(mean(frames.iter().map(|frame| f64::from(frame.mean)))?),
            largest: frames.iter().map(|frame| frame.largest).reduce(f32::max)?,
            deviation,
        })
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a mean of f32 is within their range")]
fn narrowed(mean: f64) -> f32 {
    mean as f32
}

#[cfg(test)]
mod tests {
    use super::{Deviation, Figures};

    #[test]
    fn values_that_are_no_numbers_are_shown() {
        let shown = |values: [f32; 2]| {
            let Figures { least, mean, largest, .. } = Figures::new(values.into_iter(), None);
            [least, mean, largest].map(|value| value.to_string())
        };
        assert_eq!(shown([-2.0, 5.0]), ["-2", "1.5", "5"]);
        assert_eq!(shown([-2.0, f32::NAN]), ["-2", "NaN", "-2"]);
        assert_eq!(shown([f32::NAN; 2]), ["NaN"; 3]);
        assert_eq!(shown([f32::INFINITY, f32::NEG_INFINITY]), ["-inf", "NaN", "inf"]);
    }

    /// The figures are those of all planes taken as one, except for the contrast.
    #[test]
    fn frames_together() {
        let planes = [[(1.0, 0.0), (3.0, 4.0)], [(5.0, 2.0), (7.0, 2.0)]];
        let values = |plane: [(f32, f32); 2]| plane.map(|(value, _)| value).into_iter();
        let frames = planes.map(|plane| Figures::new(values(plane), Deviation::of(plane)));
        let all = Figures::over(&frames).unwrap();
        assert_eq!((all.least, all.mean, all.largest), (1.0, 4.0, 7.0));
        let (found, wanted) = (all.deviation.unwrap(), Deviation::of(planes.concat()).unwrap());
        assert!((found.rms - wanted.rms).abs() < 1e-12 && (found.bias - wanted.bias).abs() < 1e-12);
        assert_eq!(found.contrast, Some(0.5), "the second plane should be all alike");
        assert_eq!(Figures::over(&[]), None);
    }
}
