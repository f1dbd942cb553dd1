//! Kernels of every kind, for what they take in a controller's memory. The programs of those on analogue registers are
//! pinned in `plans/`.

use cain_runtime::isa::Plan;
use cain_runtime::scamp_kernels;

scamp_kernels! {
    /// Evens out pixels with their neighbours to the west.
    pub fn smooth(A) -> A using (B, C) = 1/2 * [[1, 1, 0]];

    /// Half the slope from west to east; the image survives.
    pub fn slope(&A) -> B using (C) = 1/2 * [[-1, 0, 1]];

    /// Binomial blur.
    pub fn gauss(A) -> A using (B, C, D) = 1/16 * [[1, 2, 1], [2, 4, 2], [1, 2, 1]];

    /// Both Sobel gradients.
    pub fn gradients(&A) -> (B, C) using (D, E) {
        B = 1/8 * [[1, 0, -1], [2, 0, -2], [1, 0, -1]];
        C = 1/8 * [[1, 2, 1], [0, 0, 0], [-1, -2, -1]];
    }

    /// The three kernels of AnalogNet2.
    #[search(max_gain = any)]
    pub fn analognet2(A) -> (A, B, C) using (D, E, F) {
        A = 1/4 * [[0, 0, 0], [-3, 1, 0], [-3, 0, 2]];
        B = 1/4 * [[-4, -1, 1], [-1, 2, 0], [1, 1, 0]];
        C = 1/4 * [[-1, 2, 0], [-1, 1, -3], [0, -3, 0]];
    }

    /// The same, to be left for a Laplacian between any two words.
    #[search(max_gain = any)]
    #[interruptible(by = [laplacian])]
    pub fn patient_analognet2(A) -> (A, B, C) using (D, E, F) {
        A = 1/4 * [[0, 0, 0], [-3, 1, 0], [-3, 0, 2]];
        B = 1/4 * [[-4, -1, 1], [-1, 2, 0], [1, 1, 0]];
        C = 1/4 * [[-1, 2, 0], [-1, 1, -3], [0, -3, 0]];
    }

    /// What interrupts it.
    pub fn laplacian(F) -> F using (D, E) = 1/8 * [[0, -1, 0], [-1, 4, -1], [0, -1, 0]];

    /// The horizontal Sobel gradient of a picture in black and white, exact, in digital registers.
    #[search(isa = digital, bits = 1, nodes = 300)]
    pub fn digital_sobel(&image) -> gradient = [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]];
}

/// The kernels that the firmware runs besides those of its [`frame`](crate::frame).
pub const ALL: [&Plan; 6] = [
    &gauss::PLAN,
    &gradients::PLAN,
    &analognet2::PLAN,
    &patient_analognet2::PLAN,
    &laplacian::PLAN,
    &digital_sobel::PLAN,
];

/// The kernel of [`ALL`] with this name.
#[must_use]
pub const fn find(name: &str) -> Option<&'static Plan> {
    let mut rest: &[&Plan] = &ALL;
    while let [plan, others @ ..] = rest {
        if is_same(plan.name, name) {
            return Some(plan);
        }
        rest = others;
    }
    None
}

/// Whether two names are equal: constant functions cannot use `==` on strings.
#[must_use]
pub const fn is_same(one: &str, other: &str) -> bool {
    let (mut one, mut other) = (one.as_bytes(), other.as_bytes());
    while let ([first, rest @ ..], [also, others @ ..]) = (one, other) {
        if *first != *also {
            return false;
        }
        (one, other) = (rest, others);
    }
    one.is_empty() && other.is_empty()
}
