//! Turns sums into words that read and write bits: the lower level of the search.
//!
//! A [`Network`] has one gate per control word, except for direction set-ups; the registers of the bits are chosen
//! later.

mod addends;
mod adders;
mod build;
mod builder;
mod columns;
mod counting;
mod exclusive;
mod functions;
mod gates;
mod logic;
mod moves;
mod number;
mod regions;
mod sequences;
mod shape;
mod share;
mod short;
mod style;
mod summing;
mod way;
mod wires;

pub(super) use addends::digits;
pub(super) use build::build;
pub(super) use builder::MOST_WORDS;
pub(super) use functions::Functions;
pub(super) use gates::{Gate, Network, Value};
pub(super) use sequences::Sequences;
pub(super) use style::{Narrow, Style};
