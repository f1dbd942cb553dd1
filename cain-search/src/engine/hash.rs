//! Hashes that are the same on every machine.

use cain_isa::random::SplitMix64;

/// One step of a multiplicative 64-bit hash. It is written out because the order of equally good bags depends on it,
/// and library hashers differ between word sizes and releases.
pub(super) fn absorb(hash: u64, key: u32, weight: i32) -> u64 {
    let word = (u64::from(key) << 32) | u64::from(weight.cast_unsigned());
    (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Spreads a hash over all bits (the finaliser of `SplitMix64`), so that sums of hashes make good hashes of sets.
pub(super) const fn mix(hash: u64) -> u64 {
    SplitMix64::finalise(hash)
}
