//! Inputs by coverage for the target `searches`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| cain_fuzz::expect("searches", input));
