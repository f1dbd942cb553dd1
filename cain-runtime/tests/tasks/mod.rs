//! Tests the scheduler on a simulated array.

mod choices;
mod declared;
mod errors;
mod hooked;
mod model;
mod programs;
mod requests;
