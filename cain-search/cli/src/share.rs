//! Parts of a number, and means.

use cain_runtime::pictures::Deviation;

/// A number of pictures or the like.
#[expect(clippy::cast_precision_loss, reason = "there are fewer pictures than 2^53")]
pub(crate) const fn real(count: usize) -> f64 {
    count as f64
}

/// The share of a part; that of nothing is 0.
pub(crate) fn share(part: usize, of: usize) -> f64 {
    real(part) / real(of.max(1))
}

/// A share, as it is shown.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// A share, rounded as it is stored.
pub(crate) fn millionths(share: f64) -> f64 {
    (share * 1e6).round() / 1e6 + 0.0
}

/// The mean of numbers, if there are any.
pub(crate) fn mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = numbers.fold((0.0, 0), |(sum, count), number| (sum + number, count + 1));
    (count > 0).then(|| sum / real(count))
}

/// The deviations of planes with equally many PEs together; `None` if there are none.
pub(crate) fn together(deviations: impl Iterator<Item = Deviation> + Clone) -> Option<Deviation> {
    let square = mean(deviations.clone().map(|deviation| deviation.rms.powi(2)))?;
    Some(Deviation {
        rms: square.sqrt(),
        bias: mean(deviations.clone().map(|deviation| deviation.bias)).unwrap_or(f64::NAN),
        contrast: mean(deviations.filter_map(|deviation| deviation.contrast)),
    })
}
