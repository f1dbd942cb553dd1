//! Kernel files as Rust: functions and plans as the macro makes them, and whole files of them.

#[cfg(feature = "source")]
mod source;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::parse::Parser as _;
use syn::{Attribute, Visibility};

use crate::compile::compile;
use crate::emit::{self, Function, Program};
use crate::kernel_file::{Filter, Problem};

#[cfg(feature = "source")]
pub use source::{RuntimePath, format, source};

/// A program for a filter, searched and proved.
pub(crate) fn program(filter: &Filter) -> Result<Program, Problem> {
    let solution = compile(&filter.declaration).map_err(|error| filter.blame(&error))?;
    Ok(Program { solution, approximated: filter.approximated })
}

/// The name of a filter as the name of a function, or why it cannot be one.
pub(crate) fn function_name(name: &str, span: Span) -> Result<Ident, String> {
    let is_word = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && name.starts_with(|c: char| !c.is_ascii_digit())
        && !matches!(name, "_" | "self" | "Self" | "super" | "crate");
    if is_word {
        // Other keywords of Rust are names if they are marked as such.
        let ident = syn::parse_str(name).or_else(|_| syn::parse_str(&format!("r#{name}")));
        if let Ok::<Ident, _>(mut ident) = ident {
            ident.set_span(span);
            return Ok(ident);
        }
    }
    Err("no Rust function can have this name; begin with a letter and use `_` instead of `-`".to_owned())
}

/// A public function and its plan; without a program, a function that is there only to be called.
pub(crate) fn function(runtime: &TokenStream, name: &Ident, filter: &Filter, program: Option<&Program>) -> TokenStream {
    let attributes = filter.doc.as_deref().map(doc_comment).unwrap_or_default();
    let visibility = Visibility::Public(<syn::Token![pub]>::default());
    let declaration = &filter.declaration;
    emit::function(&Function { runtime, attributes: &attributes, visibility: &visibility, name, declaration, program })
}

/// A text as the attributes that a doc comment stands for.
fn doc_comment(text: &str) -> Vec<Attribute> {
    let line = |line: &str| match line.trim_end() {
        "" => String::new(),
        // Other control characters cannot stand in a comment.
        line => format!(" {}", line.replace(|c: char| c.is_control() && c != '\t', " ")),
    };
    let lines = text.trim_end().lines().map(line);
    Attribute::parse_outer.parse2(quote!(#(#[doc = #lines])*)).unwrap_or_default()
}
