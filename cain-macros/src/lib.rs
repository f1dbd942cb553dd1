#![doc = include_str!("../README.md")]

use cain_codegen::{Position, SourcePlace};
use proc_macro::TokenStream;
use proc_macro2::Span;

/// Takes `[path of cain_runtime] kernels`; see `cain_runtime::scamp_kernels!`.
#[proc_macro]
pub fn scamp_kernels(input: TokenStream) -> TokenStream {
    cain_codegen::expand(input.into(), place_of).into()
}

/// Takes `[path of cain_runtime] networks`; see `cain_runtime::scamp_network!`.
#[proc_macro]
pub fn scamp_network(input: TokenStream) -> TokenStream {
    cain_codegen::expand_network(input.into(), place_of).into()
}

/// Takes `[path of cain_runtime] programs`; see `cain_runtime::scamp_program!`.
#[proc_macro]
pub fn scamp_program(input: TokenStream) -> TokenStream {
    cain_codegen::expand_program(input.into(), place_of).into()
}

/// The place of a token, where the compiler tells it.
fn place_of(span: Span) -> Option<SourcePlace> {
    let span = span.unwrap();
    let position = Position { line: span.line(), column: span.column() };
    Some(SourcePlace { file: span.local_file()?, position })
}
