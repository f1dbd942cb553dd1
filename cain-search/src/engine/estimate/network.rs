//! Small neural networks in integer arithmetic.

/// The value 1 as an input or as an output of the middle layer.
pub(crate) const ONE: i64 = 1000;

/// The binary logarithm of the unit of the weights between inputs and the middle layer.
const FRACTION_BITS: u32 = 12;

/// The largest output of a unit in the middle layer. Far away from its training data, only the linear part of a network
/// still grows.
const MOST: i64 = 4 * ONE;

/// A layer of bounded rectifiers in parallel with a linear map: `L·x + O·min(4, max(0, M·x + b)) + c`.
#[derive(Debug)]
pub(crate) struct Network<const IN: usize, const MIDDLE: usize, const OUT: usize> {
    /// The matrix M, in 4096ths.
    pub(crate) middle: [[i32; IN]; MIDDLE],
    /// The vector b, in thousandths.
    pub(crate) middle_bias: [i32; MIDDLE],
    /// The matrix O.
    pub(crate) output: [[i32; MIDDLE]; OUT],
    /// The matrix L.
    pub(crate) linear: [[i32; IN]; OUT],
    /// The vector c.
    pub(crate) bias: [i32; OUT],
}

impl<const IN: usize, const MIDDLE: usize, const OUT: usize> Network<IN, MIDDLE, OUT> {
    /// The outputs for inputs in thousandths.
    pub(crate) fn of(&self, inputs: &[i64; IN]) -> [i64; OUT] {
        let middle: [i64; MIDDLE] = std::array::from_fn(|i| {
            let sum = dot(&self.middle[i], inputs) >> FRACTION_BITS;
            (sum + i64::from(self.middle_bias[i])).clamp(0, MOST)
        });
        std::array::from_fn(|o| {
            let sum = dot(&self.linear[o], inputs) + dot(&self.output[o], &middle);
            sum / ONE + i64::from(self.bias[o])
        })
    }
}

/// A loop by hand, since most searches run in builds without optimisation.
fn dot<const N: usize>(weights: &[i32; N], values: &[i64; N]) -> i64 {
    let (mut sum, mut i) = (0, 0);
    while i < N {
        sum += i64::from(weights[i]) * values[i];
        i += 1;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::Network;

    #[test]
    fn rectifiers_are_bounded() {
        // 2·min(4, max(0, x/2 − 1)) − 3·y + 5.
        let network: Network<2, 1, 1> =
            Network { middle: [[2048, 0]], middle_bias: [-1000], output: [[2]], linear: [[0, -3]], bias: [5] };
        let of = |x: i64, y: i64| network.of(&[1000 * x, 1000 * y])[0];
        assert_eq!([of(0, 0), of(2, 0), of(4, 0), of(10, 0), of(1000, 0), of(0, 2)], [5, 5, 7, 13, 13, -1]);
    }
}
