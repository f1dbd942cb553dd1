//! The visibility of an item in the module with the plan.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::{Path, Visibility};

/// The visibility that, in a child module, means the same as `visibility` means here.
pub(crate) fn of_child(visibility: &Visibility) -> TokenStream {
    match visibility {
        Visibility::Public(_) => quote!(pub),
        Visibility::Inherited => quote!(pub(super)),
        Visibility::Restricted(restricted) => relative_to_child(&restricted.path),
    }
}

fn relative_to_child(path: &Path) -> TokenStream {
    let first = path.segments.first().map(|segment| segment.ident.to_string());
    match first.as_deref() {
        Some("crate") if path.segments.len() == 1 => quote!(pub(crate)),
        Some("self") if path.segments.len() == 1 => quote!(pub(super)),
        Some("self") => {
            let rest = path.segments.iter().skip(1);
            quote!(pub(in super #(::#rest)*))
        }
        Some("super") => quote!(pub(in super::#path)),
        _ => {
            let path = path.to_token_stream();
            quote!(pub(in #path))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::of_child;

    #[test]
    fn paths_are_seen_from_the_child() {
        for (here, child) in [
            ("", "pub (super)"),
            ("pub", "pub"),
            ("pub(crate)", "pub (crate)"),
            ("pub(self)", "pub (super)"),
            ("pub(super)", "pub (in super :: super)"),
            ("pub(in super)", "pub (in super :: super)"),
            ("pub(in self)", "pub (super)"),
            ("pub(in super::super)", "pub (in super :: super :: super)"),
            ("pub(in crate::a::b)", "pub (in crate :: a :: b)"),
        ] {
            assert_eq!(of_child(&syn::parse_str(here).unwrap()).to_string(), child, "{here}");
        }
    }
}
