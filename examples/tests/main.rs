//! What the examples say about chips and devices.

mod accuracy;
mod chip;
mod simulated_device;
