//! What can be declared, each kind in a module of its own: how its declaration is read from a tree of values, and what is
//! reported about it.

#[cfg(feature = "toml")]
pub(crate) mod automaton;
#[cfg(feature = "toml")]
pub(crate) mod beside;
pub(crate) mod digital;
#[cfg(feature = "toml")]
pub(crate) mod in_pixel;
pub(crate) mod kernel;
#[cfg(feature = "toml")]
mod layered;
pub(crate) mod machine;
#[cfg(feature = "toml")]
pub(crate) mod network;
pub(crate) mod options;
pub(crate) mod superpixel;
#[cfg(all(test, feature = "toml"))]
mod tests;
#[cfg(feature = "toml")]
mod values;
