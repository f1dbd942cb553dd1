//! The messages about mistakes that do not compile: those of `ui/NAME.rs` are in `ui/NAME.stderr`.
