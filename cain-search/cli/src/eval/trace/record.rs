//! The figures of a trace, as they are in its list.

use serde::Serialize;

use super::layers::Layer;

/// The numbers of pictures that are recognised.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct Correct {
    pub(super) float: usize,
    pub(super) ideal: usize,
    pub(super) measured: usize,
}

/// The object in the list of a trace.
#[derive(Debug, Serialize)]
pub(super) struct Record<'r> {
    pub(super) network: &'r str,
    /// The numbers of the pictures that are shown.
    pub(super) pictures: &'r [usize],
    /// The number of pictures that the figures are of.
    pub(super) images: usize,
    pub(super) model: &'r str,
    pub(super) seed: u64,
    pub(super) words: usize,
    pub(super) microseconds: f64,
    pub(super) microjoules: f64,
    pub(super) fps: f64,
    pub(super) correct: Correct,
    pub(super) layers: Vec<Layer>,
    /// All files of the trace.
    pub(super) files: Vec<String>,
}
