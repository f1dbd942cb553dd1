//! The kinds of filters that commands take.

use std::path::Path;

use cain_codegen::Overrides;
use cain_codegen::kernel_file::{self, AnyFilter, Diagnostic, Filter, LoadError};

/// Filters that a command takes: analogue ones, or those of either kind.
pub(crate) trait Kind: From<Filter> + Clone {
    /// Reads a kernel file.
    fn load(path: &Path, overrides: Overrides) -> Result<Vec<Self>, LoadError>;

    /// Reads the text of a kernel file.
    fn parse(text: &str, overrides: Overrides) -> Result<Vec<Self>, Vec<Diagnostic>>;

    /// A filter on bits or a network of a Rust source, if the command takes those.
    fn of_source(filter: AnyFilter) -> Option<Self>;

    fn name(&self) -> &str;

    /// What is allowed in the filter, but hardly meant.
    fn warnings(&self) -> &[Diagnostic];
}

impl Kind for Filter {
    fn load(path: &Path, overrides: Overrides) -> Result<Vec<Self>, LoadError> {
        kernel_file::load_for(path, overrides)
    }

    fn parse(text: &str, overrides: Overrides) -> Result<Vec<Self>, Vec<Diagnostic>> {
        kernel_file::parse_for(text, overrides)
    }

    fn of_source(_: AnyFilter) -> Option<Self> {
        None
    }

    fn name(&self) -> &str {
        self.name()
    }

    fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }
}

impl Kind for AnyFilter {
    fn load(path: &Path, overrides: Overrides) -> Result<Vec<Self>, LoadError> {
        kernel_file::load_any(path, overrides)
    }

    fn parse(text: &str, overrides: Overrides) -> Result<Vec<Self>, Vec<Diagnostic>> {
        kernel_file::parse_any(text, overrides)
    }

    fn of_source(filter: AnyFilter) -> Option<Self> {
        Some(filter)
    }

    fn name(&self) -> &str {
        self.name()
    }

    fn warnings(&self) -> &[Diagnostic] {
        match self {
            Self::Analogue(filter) => &filter.warnings,
            Self::Digital(_) | Self::SuperPixel(_) | Self::Network(_) | Self::InPixel(_) | Self::Automaton(_) => &[],
        }
    }
}
