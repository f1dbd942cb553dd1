//! The kernels of the gallery, compiled into functions by the macro.
//!
//! The constants repeat the weights as plain numbers, for the plain convolution to compare with. A test proves that
//! both agree.

use cain_runtime::scamp_kernels;

use crate::convolve::{Kernel, Matrix};

scamp_kernels! {
    /// Binomial blur, in place.
    pub(crate) fn gauss3(A) -> A = 1/16 * [
        [1, 2, 1],
        [2, 4, 2],
        [1, 2, 1],
    ];

    /// The wider blur of the Cain paper, in place. Its weights add up to 33/32; only the brightest areas exceed the range.
    #[search(nodes = 50_000, max_gain = own)]
    pub(crate) fn gauss5(A) -> A = 1/64 * [
        [0, 1,  2, 1, 0],
        [1, 4,  6, 4, 1],
        [2, 6, 10, 6, 2],
        [1, 4,  6, 4, 1],
        [0, 1,  2, 1, 0],
    ];

    /// An eighth of both Sobel gradients, to the east and to the north; the image survives.
    #[search(nodes = 20_000)]
    pub(crate) fn sobel(&A) -> (B, C) using (D, E) {
        B = 1/8 * [[-1, 0, 1],
                   [-2, 0, 2],
                   [-1, 0, 1]];
        C = 1/8 * [[ 1,  2,  1],
                   [ 0,  0,  0],
                   [-1, -2, -1]];
    }

    /// A sixteenth of each pixel minus its Laplacian: edges get steeper.
    pub(crate) fn sharpen(A) -> B = 1/16 * [
        [ 0, -1,  0],
        [-1,  5, -1],
        [ 0, -1,  0],
    ];

    /// A quarter of the first layer of AnalogNet2, three kernels from one image.
    #[search(nodes = 80_000)]
    pub(crate) fn analognet2(A) -> (A, B, C) {
        A = 1/16 * [[ 0, 0, 0],
                    [-3, 1, 0],
                    [-3, 0, 2]];
        B = 1/16 * [[-4, -1, 1],
                    [-1,  2, 0],
                    [ 1,  1, 0]];
        C = 1/16 * [[-1,  2,  0],
                    [-1,  1, -3],
                    [ 0, -3,  0]];
    }

    /// Half of what has changed since the frame in B, which is smoothed on the way.
    pub(crate) fn motion(A, B) -> C = 1/2 * [[1]] * A - 1/16 * [[0, 1, 0], [1, 4, 1], [0, 1, 0]] * B;
}

pub(crate) const GAUSS3: &[Kernel] = &[Kernel {
    shows: "binomial blur",
    channels: &[Matrix { denominator: 16, rows: &[&[1, 2, 1], &[2, 4, 2], &[1, 2, 1]] }],
}];

pub(crate) const GAUSS5: &[Kernel] = &[Kernel {
    shows: "wide blur",
    channels: &[Matrix {
        denominator: 64,
        rows: &[&[0, 1, 2, 1, 0], &[1, 4, 6, 4, 1], &[2, 6, 10, 6, 2], &[1, 4, 6, 4, 1], &[0, 1, 2, 1, 0]],
    }],
}];

pub(crate) const SOBEL: &[Kernel] = &[
    Kernel {
        shows: "gradient to the east",
        channels: &[Matrix { denominator: 8, rows: &[&[-1, 0, 1], &[-2, 0, 2], &[-1, 0, 1]] }],
    },
    Kernel {
        shows: "gradient to the north",
        channels: &[Matrix { denominator: 8, rows: &[&[1, 2, 1], &[0, 0, 0], &[-1, -2, -1]] }],
    },
];

pub(crate) const SHARPEN: &[Kernel] = &[Kernel {
    shows: "steeper edges",
    channels: &[Matrix { denominator: 16, rows: &[&[0, -1, 0], &[-1, 5, -1], &[0, -1, 0]] }],
}];

pub(crate) const ANALOGNET2: &[Kernel] = &[
    Kernel {
        shows: "trained features, 1 of 3",
        channels: &[Matrix { denominator: 16, rows: &[&[0, 0, 0], &[-3, 1, 0], &[-3, 0, 2]] }],
    },
    Kernel {
        shows: "trained features, 2 of 3",
        channels: &[Matrix { denominator: 16, rows: &[&[-4, -1, 1], &[-1, 2, 0], &[1, 1, 0]] }],
    },
    Kernel {
        shows: "trained features, 3 of 3",
        channels: &[Matrix { denominator: 16, rows: &[&[-1, 2, 0], &[-1, 1, -3], &[0, -3, 0]] }],
    },
];

pub(crate) const MOTION: &[Kernel] = &[Kernel {
    shows: "change since an earlier frame",
    channels: &[
        Matrix { denominator: 2, rows: &[&[1]] },
        Matrix { denominator: 16, rows: &[&[0, -1, 0], &[-1, -4, -1], &[0, -1, 0]] },
    ],
}];
