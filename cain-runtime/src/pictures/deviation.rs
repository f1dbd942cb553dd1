//! Figures for how far a plane is from another one.

/// Figures for how far the values of a plane are from what they should be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deviation {
    /// The root mean square of the differences, in DN.
    pub rms: f64,
    /// The mean of the differences, in DN: how much too bright the plane is.
    pub bias: f64,
    /// How much of the contrast is left: the slope of the straight line, fitted by least squares, from the expected
    /// values to those found. 1 if nothing is lost; `None` if all expected values are equal.
    pub contrast: Option<f64>,
}

impl Deviation {
    /// The deviation of values from what they should be, given as pairs of found and expected; `None` if there are
    /// none.
    ///
    /// ```
    /// use cain_runtime::pictures::Deviation;
    ///
    /// let deviation = Deviation::of([(1.0, 0.0), (2.0, 2.0), (3.0, 4.0)]).unwrap();
    /// assert_eq!((deviation.bias, deviation.contrast), (0.0, Some(0.5)));
    /// assert!((deviation.rms - (2.0_f64 / 3.0).sqrt()).abs() < 1e-12);
    /// ```
    #[must_use]
    pub fn of(pairs: impl IntoIterator<Item = (f32, f32)>) -> Option<Self> {
        // The means so far, and the sums of products of the deviations from them (Welford).
        let (mut count, mut bias, mut mean, mut squares, mut spread, mut common) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
        for (found, wanted) in pairs {
            let (difference, wanted) = (f64::from(found) - f64::from(wanted), f64::from(wanted));
            count += 1.0;
            squares += difference * difference;
            let (from_bias, from_mean) = (difference - bias, wanted - mean);
            bias += from_bias / count;
            mean += from_mean / count;
            spread += from_mean * (wanted - mean);
            common += from_bias * (wanted - mean);
        }
        (count > 0.0).then(|| Self {
            rms: (squares / count).sqrt(),
            bias,
            contrast: (spread > 0.0).then(|| 1.0 + common / spread),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Deviation;

    #[test]
    fn brighter_and_flatter() {
        let wanted = [-8.0, 4.0, 0.0, 20.0];
        let deviation = Deviation::of(wanted.map(|wanted| (0.75 * wanted + 3.0, wanted))).unwrap();
        assert!((deviation.bias - 2.0).abs() < 1e-12, "{deviation:?}");
        assert!((deviation.contrast.unwrap() - 0.75).abs() < 1e-12, "{deviation:?}");
        assert!((deviation.rms - f64::sqrt((25.0 + 4.0 + 9.0 + 4.0) / 4.0)).abs() < 1e-12, "{deviation:?}");
    }

    #[test]
    fn nothing_and_planes_without_contrast() {
        assert_eq!(Deviation::of([]), None);
        let flat = Deviation::of([(1.0, 0.0), (3.0, 0.0)]).unwrap();
        assert_eq!((flat.bias, flat.contrast), (2.0, None));
        assert!(Deviation::of([(f32::NAN, 0.0)]).unwrap().rms.is_nan());
    }
}
