//! A constant for each register letter, and `r(n)` for the numbered registers.

use crate::Reg;

macro_rules! letters {
    ($($name:ident = $index:literal),* $(,)?) => {$(
        #[doc = concat!("Analogue register ", stringify!($name), ".")]
        pub const $name: Reg = Reg::from_index($index);
    )*};
}

letters! {
    A = 0, B = 1, C = 2, D = 3, E = 4, F = 5, G = 6, H = 7, I = 8, J = 9, K = 10, L = 11, M = 12,
    N = 13, O = 14, P = 15, Q = 16, R = 17, S = 18, T = 19, U = 20, V = 21, W = 22, X = 23, Y = 24, Z = 25,
}

/// Analogue register `Rn`, for n up to 229.
///
/// # Panics
///
/// If `n` is larger; in a constant that is a compile error.
#[must_use]
#[track_caller]
pub const fn r(n: u8) -> Reg {
    assert!(n <= 229, "numbered registers go up to R229");
    Reg::from_index(26 + n)
}
