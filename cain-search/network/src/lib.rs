//! Trained networks: layers of maps on the array, read-outs, and layers of numbers on the controller.
//!
//! A [`Network`] declares a computation in the network's own numbers. [`Network::check`] finds all errors in it, and
//! [`Network::evaluate`] computes it in floating point, without an array.
//!
//! ```
//! use cain_isa::{Fraction, Machine};
//! use cain_search::Options;
//! use cain_network::{Image, Layer, Network, Operation, Padding, Shape, Source, Value, Window};
//!
//! // How many pixels of each half are brighter than their west neighbour.
//! let edge = vec![vec![vec![vec![Fraction::from(-1), Fraction::ONE]]]];
//! let layer = |name: &str, from, operation| Layer { name: name.into(), from: vec![from], operation };
//! let network = Network {
//!     name: "edges".into(),
//!     input: Image { height: 2, width: 4, levels: (-60.0, 60.0), range: (-60.0, 60.0), binarise: Some(128) },
//!     pictures: vec![],
//!     largest_sums: Fraction::ONE,
//!     layers: vec![
//!         layer("edge", Source::Image, Operation::Convolution {
//!             kernels: edge,
//!             bias: vec![0.0],
//!             stride: (1, 1),
//!             dilation: (1, 1),
//!             padding: Padding { left: 1, ..Padding::NONE },
//!         }),
//!         layer("is_edge", Source::Layer(0), Operation::Threshold {
//!             at: vec![60.0],
//!             inclusive: false,
//!             below: 0.0,
//!             above: 1.0,
//!         }),
//!         layer("counts", Source::Layer(1), Operation::Windows {
//!             windows: vec![
//!                 Window { top: 0, left: 0, height: 2, width: 2 },
//!                 Window { top: 0, left: 2, height: 2, width: 2 },
//!             ],
//!             mean: false,
//!         }),
//!     ],
//!     machine: Machine::SCAMP5,
//!     options: Options::default(),
//!     interruption: None,
//! };
//! assert_eq!(network.shapes()?[1], Shape::Maps { channels: 1, height: 2, width: 4, bits: true });
//! let values = network.evaluate(&[0, 0, 255, 255, 0, 255, 255, 0])?;
//! assert_eq!(values[2], Value::Numbers(vec![1.0, 1.0]));
//! # Ok::<(), cain_network::NetworkError>(())
//! ```

mod accuracy;
pub mod arithmetic;
pub mod automaton;
mod compile;
mod cost;
mod counts;
mod declaration;
mod error;
mod events;
mod exact;
mod fit;
mod geometry;
mod integers;
mod lattice;
mod limits;
mod maps;
mod reference;
mod shape;
mod shapes;
#[cfg(test)]
mod tests;

/// What programs make of planes without errors, and with those that all PEs of a chip share.
pub mod expected {
    pub use crate::accuracy::{Id, Pairs, Size, Tape, Unsupported};
}

pub use accuracy::{
    BitError, MapError, NumberError, Prediction, ScoreError, ValueError, many_synthetic_pictures, predict,
    predict_against, synthetic_pictures,
};
pub use compile::{Answer, CompileError, CompiledNetwork, Extent, Log, Obstacle, Pins, Searched, Stage, Wanted, Work};
pub use cost::{Cost, compile, compile_pinned, compile_watched};
pub use declaration::{Image, Layer, Network, Operation, Source, Window};
pub use error::{NetworkError, Problem};
pub use events::event_counts;
pub use geometry::{Padding, Reach};
pub use integers::Integers;
pub use lattice::Lattice;
pub use limits::{
    MOST_CHANNELS, MOST_EVENTS, MOST_LAYERS, MOST_LEVEL, MOST_NUMBERS, MOST_PIXELS, MOST_VALUES, SMALLEST_SHARE,
    shares_of_largest_sums,
};
pub use maps::Maps;
pub use reference::Value;
pub use shape::Shape;
pub use shapes::BitLevels;
