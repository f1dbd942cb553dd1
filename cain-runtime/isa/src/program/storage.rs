//! Where the lists of steps are: in constant data, or on the heap while a program is being made.

use core::fmt::Debug;

/// How the lists of a step are kept.
pub trait Storage: Copy + Debug + PartialEq + 'static {
    /// A list.
    type List<T: Clone + Debug + PartialEq + 'static>: AsRef<[T]> + Clone + Debug + PartialEq;
}

/// Lists are constant data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constant;

impl Storage for Constant {
    type List<T: Clone + Debug + PartialEq + 'static> = &'static [T];
}
