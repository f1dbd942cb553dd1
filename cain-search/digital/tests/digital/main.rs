//! Digital kernels: exact numbers in the registers of one PE.

mod bounds;
mod common;
mod figures;
mod logic;
mod shortest;
mod superpixel;
