//! Arithmetic in integers.

/// The binary logarithm in thousandths, interpolated linearly between powers of two so that it is the same on every
/// machine; 0 for 0.
pub(crate) fn log2(n: i64) -> i64 {
    let Some(whole) = n.checked_ilog2() else { return 0 };
    let power = 1 << whole;
    int(whole) * 1000 + (((n - power) * 1000) >> whole)
}

pub(crate) fn int(n: impl TryInto<i64>) -> i64 {
    n.try_into().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::log2;

    #[test]
    fn logarithms() {
        assert_eq!([0, 1, 2, 3, 4, 6, 1 << 30].map(log2), [0, 0, 1000, 1500, 2000, 2500, 30_000]);
    }
}
