//! Inputs by coverage for the target `graphs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| cain_fuzz::expect("graphs", input));
