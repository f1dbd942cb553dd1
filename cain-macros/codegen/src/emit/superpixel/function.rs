//! The parts of a generated function over super-pixels.

use cain_digital::superpixel::{Declaration, Solution};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Attribute, Visibility};

use crate::plans::Mode;

/// The parts of a generated function over super-pixels.
pub(crate) struct Function<'a> {
    /// The path of the runtime crate.
    pub(crate) runtime: &'a TokenStream,
    pub(crate) attributes: &'a [Attribute],
    pub(crate) visibility: &'a Visibility,
    pub(crate) name: &'a Ident,
    pub(crate) declaration: &'a Declaration,
    /// If `None`, the function exists only so that callers compile.
    pub(crate) solution: Option<&'a Solution>,
}

/// Whether numbers come from analogue registers or go to them, which takes the controller.
pub(super) fn converts(declaration: &Declaration) -> bool {
    declaration.inputs.iter().any(|input| input.converted.is_some())
        || declaration.outputs.iter().any(|output| output.converted.is_some())
}

/// What a function does that has no program.
pub(super) fn panic(name: &Ident) -> TokenStream {
    let message = format!("the filter `{name}` has no program; build without `{}=stub`", Mode::VARIABLE);
    quote!(::core::panic!(#message))
}
