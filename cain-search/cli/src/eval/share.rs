//! Parts of a number.

#[expect(clippy::cast_precision_loss, reason = "there are fewer pictures than 2^53")]
pub(super) fn share(part: usize, of: usize) -> f64 {
    part as f64 / of.max(1) as f64
}
