//! The weights of dense layers as integers of the controller.

use super::declaration::{Network, Operation};

/// A matrix as integers with a common scale.
#[derive(Clone, Debug, PartialEq)]
pub struct Integers {
    /// The weights by output and input.
    pub weights: Vec<Vec<i32>>,
    /// The value of an integer of 1.
    pub scale: f64,
}

impl Integers {
    /// The nearest integers of this many bits, from 2 to 16, scaled so that the largest weight becomes the largest
    /// integer.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "at most as large as the largest integer")]
    pub fn new(weights: &[Vec<f64>], bits: u32) -> Self {
        let most = f64::from((1_i32 << (bits.clamp(2, 16) - 1)) - 1);
        let largest = weights.iter().flatten().fold(0.0_f64, |largest, weight| largest.max(weight.abs()));
        // Zeros may have any scale.
        let scale = if largest > 0.0 { largest / most } else { 1.0 };
        let integer = |weight: &f64| (weight / scale).round() as i32;
        Self { weights: weights.iter().map(|row| row.iter().map(integer).collect()).collect(), scale }
    }

    /// The values of the integers.
    #[must_use]
    pub fn rounded(&self) -> Vec<Vec<f64>> {
        let number = |integer: &i32| f64::from(*integer) * self.scale;
        self.weights.iter().map(|row| row.iter().map(number).collect()).collect()
    }
}

impl Network {
    /// The network as the controller computes it: with the values of the integers that weights of dense layers become.
    #[must_use]
    pub fn with_integers(&self) -> Self {
        let mut network = self.clone();
        for layer in &mut network.layers {
            if let Operation::Dense { weights, bits, .. } = &mut layer.operation {
                *weights = Integers::new(weights, *bits).rounded();
            }
        }
        network
    }
}
