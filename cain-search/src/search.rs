//! Placeholder while the engine is being written.
use crate::{Declaration, SearchError, Solution};

/// Searches for a program.
pub fn search(declaration: &Declaration) -> Result<Solution, SearchError> {
    declaration.validate()?;
    Err(SearchError::Budget { nodes: declaration.options.nodes })
}
