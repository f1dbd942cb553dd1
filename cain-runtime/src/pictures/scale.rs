//! Cuts and scales pictures.

use std::prelude::v1::*;
// Not part of the prelude in the minimum Rust version.
use std::vec;

use super::byte;
use super::read::Grey;

/// The distance from which pixels no longer count, in pixels of the smaller picture.
const REACH: f32 = 2.0;

impl Grey {
    /// The largest part in the middle that has the shape of `width` times `height` pixels.
    pub(super) fn cut(self, width: usize, height: usize) -> Self {
        let share =
            |of: usize, part: usize, whole: usize| of.saturating_mul(part).checked_div(whole).unwrap_or(of).max(1);
        let across = self.width.min(share(self.height, width, height));
        let down = self.height.min(share(self.width, height, width));
        if (across, down) == (self.width, self.height) {
            return self;
        }
        let (left, top) = ((self.width - across) / 2, (self.height - down) / 2);
        let lines = self.bytes.chunks_exact(self.width.max(1)).skip(top).take(down);
        let bytes = lines.flat_map(|line| line.iter().skip(left).take(across)).copied().collect();
        Self { width: across, height: down, bytes }
    }

    /// The picture, which must have pixels, in this size: every pixel is a mean of those around its place, whose
    /// weights are those of a cubic spline (Catmull and Rom).
    pub(super) fn scaled(self, width: usize, height: usize) -> Self {
        if (self.width, self.height) == (width, height) {
            return self;
        }
        let (columns, rows) = (weights(self.width, width), weights(self.height, height));
        let mut bytes = Vec::with_capacity(width * height);
        for row in &rows {
            let lines = self.bytes.chunks_exact(self.width).skip(row.start);
            let mut line = vec![0.0; self.width];
            for (source, weight) in lines.zip(&row.weights) {
                for (sum, level) in line.iter_mut().zip(source) {
                    *sum += f32::from(*level) * weight;
                }
            }
            bytes.extend(columns.iter().map(|column| {
                let terms = line.iter().skip(column.start).zip(&column.weights);
                byte(terms.fold(0.0, |sum, (level, weight)| sum + level * weight))
            }));
        }
        Self { width, height, bytes }
    }
}

/// The pixels that make one of the other picture, from the first of them.
struct Weights {
    start: usize,
    /// Their sum is 1.
    weights: Vec<f32>,
}

/// What makes every pixel of a line of `to` pixels out of one of `from`.
#[expect(clippy::cast_precision_loss, reason = "places are given to a fraction of a pixel")]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "casts saturate, as they should")]
fn weights(from: usize, to: usize) -> Vec<Weights> {
    let step = from as f32 / to as f32;
    // Where pixels become fewer, each is a mean of more.
    let spread = step.max(1.0);
    let one = |place: usize| {
        let middle = (place as f32 + 0.5) * step;
        let start = ((middle - REACH * spread).floor() as usize).min(from - 1);
        let end = ((middle + REACH * spread).ceil() as usize).clamp(start + 1, from);
        let mut weights: Vec<f32> =
            (start..end).map(|pixel| spline((pixel as f32 - (middle - 0.5)) / spread)).collect();
        let sum: f32 = weights.iter().sum();
        for weight in &mut weights {
            *weight /= sum;
        }
        Weights { start, weights }
    };
    (0..to).map(one).collect()
}

/// The weight of a pixel at a distance.
fn spline(distance: f32) -> f32 {
    let far = distance.abs();
    let sixfold = if far < 1.0 {
        9.0 * far.powi(3) + -15.0 * far.powi(2) + 6.0
    } else if far < REACH {
        -3.0 * far.powi(3) + 15.0 * far.powi(2) + -24.0 * far + 12.0
    } else {
        0.0
    };
    sixfold / 6.0
}
