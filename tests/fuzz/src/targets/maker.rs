//! The generator that generated code names.

use cain_codegen::generate::Maker;

/// The name of the generator in generated code.
pub(super) const MAKER: Maker<'static> = Maker { name: "tests", runtime_option: "none" };
