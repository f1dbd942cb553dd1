//! Parts of a number.

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
