//! Numbers of instructions, as tables hold them.

/// The number of instructions that cancel what no choices cancel.
pub(super) const NEVER: u8 = u8::MAX;

/// A number of instructions, unless there is none.
pub(super) fn known(cost: u8) -> Option<u8> {
    (cost != NEVER).then_some(cost)
}
