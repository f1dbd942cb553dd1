//! Networks of two convolutions: every pixel of the picture takes several PEs, each of which has a filter of its own.
//!
//! The published network cuts the array into blocks, each of which holds a complete map. A second convolution then
//! needs maps from far away: they are shrunk, copied over the array and merged again, which takes three quarters of its
//! time. Here, maps are interleaved instead. Along each axis:
//!
//! - a *pixel* takes several PEs, which see the same grey, so that nothing has to be duplicated;
//! - PEs of a *group* have different filters of the first convolution, and there are as many groups in a pixel as fit;
//! - pixels of a pooling window are a *place*, whose groups all get the maxima of their filters. Each group then makes
//!   another map of the second convolution, its PEs by the filters for each of the maps before;
//! - the sums of a group's PEs are that map, and these PEs hold the weights of the dense layer for different classes.
//!
//! Only bits travel over more than a few PEs: pixels and maxima as numbers of two bits, and weights, of which each PE
//! holds one. They move by `pixel` or `place` PEs at a time, so that a filter's weights and pixels meet in each of its
//! PEs.

mod convolution;
mod counting;
mod dense;
mod geometry;
mod maps;
mod moves;
mod planes;
mod pooling;
mod programs;
mod prove;
mod reference;
#[cfg(test)]
mod tests;

use cain_analysis::owned::Part;

use super::{CompileError, Declaration, InPixelProofError, Scores, Second};

pub(super) use geometry::check;
pub(super) use programs::Programs;
pub(super) use reference::features;

use convolution::Layer;
use geometry::Geometry;

impl Programs {
    /// Lays a network out and makes its programs.
    pub(super) fn of(network: &Declaration, second: &Second) -> Result<Self, CompileError> {
        let geometry = Geometry::of(network, second);
        let (first, next) = (Layer::first(network, &geometry)?, Layer::second(network, second, &geometry)?);
        let sums = maps::Sums::of(network, second, &geometry, next.level)?;
        let (scores, counted) = match second.scores {
            Scores::Analogue => (dense::program(network, &geometry)?, Vec::new()),
            Scores::Exact => {
                let counting = counting::program(&counting::Plan::of(network, second, &geometry)?)?;
                (counting.program, counting.ends)
            }
        };
        let parts = vec![
            Part::new("convolution", convolution::program(&first)?),
            Part::new("max pooling", pooling::maxima(network, second, &geometry, first.level)?),
            Part::new("shrink and duplicate", pooling::duplication(second, &geometry)?),
            Part::new("second convolution", convolution::program(&next)?),
            Part::new("map creation", maps::program(&geometry, &sums)?),
            Part::new("fully connected", scores),
        ];
        let planes = planes::planes(network, second, &geometry);
        Ok(Self { parts, planes, level: first.level, result_level: sums.result, counted })
    }

    /// Proves the programs, for all pictures and all weights.
    pub(super) fn prove(&self, network: &Declaration, second: &Second) -> Result<(), InPixelProofError> {
        prove::network(network, second, self)
    }
}
