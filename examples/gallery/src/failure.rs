//! What goes wrong.

/// An error that ends the program, with a message of one line.
pub(crate) type Failure = Box<dyn std::error::Error>;
