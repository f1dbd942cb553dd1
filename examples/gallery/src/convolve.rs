//! The plain convolution with which the array is compared: straight from the matrix, in 64-bit floating point.

/// The kernel of one output.
pub(crate) struct Kernel {
    /// A short description of the result.
    pub(crate) shows: &'static str,
    /// A matrix for every input channel.
    pub(crate) channels: &'static [Matrix],
}

/// Weights around a pixel; row 0 is north, column 0 west, and the middle cell lies over the pixel.
pub(crate) struct Matrix {
    /// The divisor of every weight.
    pub(crate) denominator: i32,
    /// Rows of equal and odd length, odd in number.
    pub(crate) rows: &'static [&'static [i32]],
}

impl Matrix {
    /// The weights that are not 0, each with its distance to the east and to the south of the pixel.
    pub(crate) fn weights(&self) -> impl Iterator<Item = (isize, isize, f64)> {
        let middle = |len: usize| len.cast_signed() / 2;
        let middle_row = middle(self.rows.len());
        (0..).zip(self.rows).flat_map(move |(r, row)| {
            (0..)
                .zip(*row)
                .filter(|(_, weight)| **weight != 0)
                .map(move |(c, weight)| (c - middle(row.len()), r - middle_row, self.weight(*weight)))
        })
    }

    fn weight(&self, numerator: i32) -> f64 {
        f64::from(numerator) / f64::from(self.denominator)
    }
}

/// The correlation of images, one per channel and in rows of `width`, with a kernel; 0 outside of the images.
pub(crate) fn correlate(kernel: &Kernel, channels: &[Vec<f32>], width: usize) -> Vec<f64> {
    let len = channels.first().map_or(0, Vec::len);
    let pixel = |image: &[f32], x: Option<usize>, y: Option<usize>| {
        let x = x.filter(|x| *x < width)?;
        image.get(y?.checked_mul(width)? + x).copied()
    };
    (0..len)
        .map(|i| {
            let terms = kernel.channels.iter().zip(channels).flat_map(|(matrix, image)| {
                matrix.weights().filter_map(move |(east, south, weight)| {
                    let value =
                        pixel(image, (i % width).checked_add_signed(east), (i / width).checked_add_signed(south));
                    value.map(|value| weight * f64::from(value))
                })
            });
            terms.sum()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Kernel, Matrix, correlate};

    const IMAGE: [f32; 6] = [
        1.0, 2.0, 3.0, //
        4.0, 5.0, 6.0,
    ];

    #[test]
    fn row_0_is_north_and_column_0_is_west() {
        const NORTH_WEST: Matrix = Matrix { denominator: 2, rows: &[&[1, 0, 0], &[0, 0, 0], &[0, 0, 0]] };
        let north_west = Kernel { shows: "", channels: &[NORTH_WEST] };
        assert_eq!(correlate(&north_west, &[IMAGE.to_vec()], 3), [0.0, 0.0, 0.0, 0.0, 0.5, 1.0]);
    }

    #[test]
    fn channels_are_summed() {
        const EAST: Matrix = Matrix { denominator: 1, rows: &[&[0, 0, 1]] };
        const MINUS: Matrix = Matrix { denominator: 1, rows: &[&[-1]] };
        let difference = Kernel { shows: "", channels: &[EAST, MINUS] };
        assert_eq!(correlate(&difference, &[IMAGE.to_vec(), IMAGE.to_vec()], 3), [1.0, 1.0, -3.0, 1.0, 1.0, -6.0]);
    }
}
