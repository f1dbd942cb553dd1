//! Inputs by coverage for the target `networks`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| cain_fuzz::expect("networks", input));
