//! The programs that interrupt each other.

use cain_runtime::isa::Plan;

cain_runtime::scamp_kernels! {
    /// The three kernels of AnalogNet2.
    #[search(max_gain = any)]
    #[interruptible(by = [edges])]
    pub fn analognet2(A) -> (A, B, C) using (D, E, F) {
        A = 1/4 * [[0, 0, 0], [-3, 1, 0], [-3, 0, 2]];
        B = 1/4 * [[-4, -1, 1], [-1, 2, 0], [1, 1, 0]];
        C = 1/4 * [[-1, 2, 0], [-1, 1, -3], [0, -3, 0]];
    }

    /// A broad blur, whose image stays where it is.
    #[search(nodes = 2_000, max_gain = any)]
    #[interruptible(by = [edges])]
    pub fn blur(&A) -> B using (C, D, E, F) = 1/64 * [
        [0, 1, 2, 1, 0],
        [1, 4, 6, 4, 1],
        [2, 6, 10, 6, 2],
        [1, 4, 6, 4, 1],
        [0, 1, 2, 1, 0],
    ];

    /// Both Sobel gradients, one of them to be interrupted by something large.
    #[search(nodes = 2_000)]
    #[interruptible(by = [features])]
    pub fn gradients(&A) -> (B, C) using (D, E, F) {
        B = 1/8 * [[1, 0, -1], [2, 0, -2], [1, 0, -1]];
        C = 1/8 * [[1, 2, 1], [0, 0, 0], [-1, -2, -1]];
    }

    /// The fast one: the Laplacian of an image of its own.
    #[search(nodes = 2_000)]
    #[interruptible(by = [corners])]
    pub fn edges(F) -> F using (D, E) = 1/8 * [[0, -1, 0], [-1, 4, -1], [0, -1, 0]];

    /// Corners, roughly: the mixed second derivative of an image of its own, in two registers.
    #[search(nodes = 2_000)]
    pub fn corners(F) -> F using (E) = 1/4 * [[1, 0, -1], [0, 0, 0], [-1, 0, 1]];

    /// A larger one: two of AnalogNet2's kernels.
    #[search(nodes = 2_000, max_gain = any)]
    pub fn features(F) -> (E, F) using (D) {
        E = 1/4 * [[0, 0, 0], [-3, 1, 0], [-3, 0, 2]];
        F = 1/4 * [[-1, 2, 0], [-1, 1, -3], [0, -3, 0]];
    }
}

/// A program, and the one that interrupts it.
pub(crate) const PAIRS: [(&Plan, &Plan); 3] =
    [(&analognet2::PLAN, &edges::PLAN), (&blur::PLAN, &edges::PLAN), (&gradients::PLAN, &features::PLAN)];

/// The programs that interrupt long ones: a kernel in two registers, one in three, and the kernels of AnalogNet2 in all
/// six.
pub(crate) const FAST: [&Plan; 3] = [&corners::PLAN, &edges::PLAN, &analognet2::PLAN];

/// The program that interrupts one which interrupts others.
pub(crate) fn faster(plan: &Plan) -> Option<&'static Plan> {
    match plan.name {
        "edges" => Some(&corners::PLAN),
        "analognet2" => Some(&edges::PLAN),
        _ => None,
    }
}
