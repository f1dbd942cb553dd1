//! Digital registers as constant data.

use cain_isa::Dreg;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// A register as a constant.
pub(super) fn constant(runtime: &TokenStream, register: Dreg) -> TokenStream {
    let index = Literal::u8_unsuffixed(register.number());
    quote!(#runtime::isa::Dreg::ALL[#index])
}
