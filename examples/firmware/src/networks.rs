//! A network, to measure its size in a controller's memory.

use cain_runtime::scamp_network;

scamp_network! {
    /// Tells apart small strokes by their edges, counted in four quarters of the picture.
    #[search(nodes = 1_000)]
    pub network strokes {
        input = { size = [12, 12], levels = -60..60, binarise = 128 };
        edges = convolution {
            scale = 1/4,
            kernels = [[[-1, 0, 1], [-1, 0, 1]], [[1, -1, 0], [0, 1, -1]]],
            bias = [0, 3],
        };
        are_edges = threshold { at = [30, 14] };
        quarters = windows { size = 5 };
        hidden = dense {
            bits = 8,
            weights = [
                [0.5, -0.25, 0.1, 0, 0.75, 0.3, -0.2, 0.11],
                [0, 0.3, 0.3, -1, 0.2, -0.4, 0.5, 0.7],
                [-0.6, 0.1, 0.4, 0.2, -0.3, 0.8, 0.05, -0.9],
            ],
            bias = [0.5, 0, -0.25],
        };
        rectified = rectify;
        scores = dense { weights = [[1, -1, 0.2], [-0.5, 0.75, 0.1], [0.3, 0.2, -0.4]] };
        class = argmax;
    }
}
