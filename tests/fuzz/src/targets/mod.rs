//! The entries of the project.

mod answers;
mod frame;
mod frames;
mod graphs;
mod imports;
mod kernels;
mod maker;
mod models;
mod names;
mod networks;
mod on_bits;
mod optima;
mod pictures;
mod plans;
mod programs;
mod proof;
mod searches;
mod sources;
mod tokens;
mod words;

use crate::Target;
pub use graphs::imported;

/// All targets, the quick ones first.
pub const ALL: [Target; 16] = [
    tokens::TARGET,
    kernels::TARGET,
    names::TARGET,
    sources::TARGET,
    plans::TARGET,
    programs::TARGET,
    imports::TARGET,
    models::TARGET,
    graphs::TARGET,
    pictures::TARGET,
    frames::TARGET,
    answers::TARGET,
    words::TARGET,
    networks::TARGET,
    searches::TARGET,
    optima::TARGET,
];

/// The target of that name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Target> {
    ALL.iter().find(|target| target.name == name)
}
