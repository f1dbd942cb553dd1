//! How many numbers a network can have.

use cain_network::MOST_NUMBERS;

/// Refuses more numbers than a network can have.
pub(crate) fn check_numbers(count: usize) -> Result<(), String> {
    if count <= MOST_NUMBERS { Ok(()) } else { Err(format!("{count} numbers; at most {MOST_NUMBERS} are possible")) }
}
