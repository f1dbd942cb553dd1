//! The programs in `examples/programs`, against what their tables say, in plain Rust.

mod lowered;
