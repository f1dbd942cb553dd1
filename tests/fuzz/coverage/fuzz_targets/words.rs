//! Inputs by coverage for the target `words`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| cain_fuzz::expect("words", input));
