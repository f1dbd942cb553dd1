//! The figures of accuracy.

/// The expected deviation of a result from the exact one, in DN, by cause. The causes are independent of each other, so
/// their squares add up.
///
/// Errors are followed to first order. Values beyond the range of the chip, drift, and the noise of reading out are not
/// included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accuracy {
    /// The mean difference over all pixels, caused by offset errors that are left and by gain errors of a mean that is
    /// not 0.
    pub bias: f64,
    /// The standard deviation of the error caused by a factor common to all weights.
    pub gain: f64,
    /// The standard deviation of the error caused by changes of the weights beyond that factor.
    pub distortion: f64,
    /// The standard deviation of the error that differs between PEs but is the same in every frame.
    pub fixed_pattern: f64,
    /// The standard deviation of the error that differs from frame to frame.
    pub noise: f64,
}

impl Accuracy {
    /// The root of the mean squared difference, in DN.
    #[must_use]
    pub fn rms(&self) -> f64 {
        let Self { bias, gain, distortion, fixed_pattern, noise } = self;
        [bias, gain, distortion, fixed_pattern, noise].iter().map(|part| *part * *part).sum::<f64>().sqrt()
    }

    /// The largest root of the mean squared difference among several outputs, in DN.
    #[must_use]
    pub fn worst_rms(outputs: &[Self]) -> f64 {
        outputs.iter().map(Self::rms).fold(0.0, f64::max)
    }

    /// The bias among those of several outputs that is farthest from 0, in DN.
    #[must_use]
    pub fn worst_bias(outputs: &[Self]) -> f64 {
        let farther = |a: f64, b: f64| if b.abs() > a.abs() { b } else { a };
        outputs.iter().map(|output| output.bias).fold(0.0, farther)
    }
}

/// A figure in DN, rounded as it is stored: further digits are of no use and might depend on the machine.
#[must_use]
pub fn thousandths(dn: f64) -> f64 {
    // Adding 0.0 turns −0.0 into 0.0.
    (dn * 1e3).round() / 1e3 + 0.0
}

/// A figure in DN, rounded as it is shown to people.
#[must_use]
pub fn tenths(dn: f64) -> f64 {
    // Adding 0.0 turns −0.0 into 0.0.
    (dn * 10.0).round() / 10.0 + 0.0
}
