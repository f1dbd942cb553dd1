//! Plans as Rust.

mod agreement;
mod assembler;
mod at_name;
#[cfg(feature = "networks")]
pub(crate) mod automaton;
mod bit;
mod depend;
#[cfg(feature = "digital")]
pub(crate) mod digital;
mod docs;
mod frame;
#[cfg(feature = "networks")]
pub(crate) mod in_pixel;
pub(crate) mod kernel;
#[cfg(feature = "networks")]
pub(crate) mod network;
mod plan;
#[cfg(feature = "digital")]
mod program;
mod registers;
#[cfg(feature = "networks")]
mod scratch;
#[cfg(feature = "digital")]
pub(crate) mod superpixel;
mod switches;
mod visibility;
#[cfg(feature = "programs")]
pub(crate) mod vision;
mod warn;
mod words;

pub(crate) use agreement::agreement;
pub(crate) use at_name::at_name;
pub(crate) use depend::{depend_on_file, depend_on_variable};
#[cfg(any(feature = "blocks", feature = "programs"))]
pub(crate) use docs::documentation;
pub(crate) use frame::{Frame, Function};
pub(crate) use warn::warning;
