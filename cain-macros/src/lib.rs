#![doc = include_str!("../README.md")]

use proc_macro::TokenStream;

/// Takes `[path of cain_runtime] kernels`; see `cain_runtime::scamp_kernels!`.
#[proc_macro]
pub fn scamp_kernels(input: TokenStream) -> TokenStream {
    cain_codegen::expand(input.into(), |span| span.unwrap().local_file()).into()
}

/// Takes `[path of cain_runtime] networks`; see `cain_runtime::scamp_network!`.
#[proc_macro]
pub fn scamp_network(input: TokenStream) -> TokenStream {
    cain_codegen::expand_network(input.into(), |span| span.unwrap().local_file()).into()
}
