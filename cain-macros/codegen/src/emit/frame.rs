//! What generated functions and the modules beside them have in common.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::ext::IdentExt as _;
use syn::{Attribute, Lifetime, MetaList, Visibility};

use super::{docs, visibility};
use crate::plans::Mode;

/// What a generated function is called and how, whatever it does.
#[derive(Clone, Copy)]
pub(crate) struct Frame<'a> {
    /// The path of the runtime crate.
    pub(crate) runtime: &'a TokenStream,
    pub(crate) attributes: &'a [Attribute],
    pub(crate) visibility: &'a Visibility,
    pub(crate) name: &'a Ident,
}

impl Frame<'_> {
    /// The type parameter of the host controller, whose name must not hide the module.
    pub(super) fn host(&self) -> Ident {
        Ident::new(if self.name == "H" { "Host" } else { "H" }, Span::call_site())
    }

    /// The visibility of what is in the module.
    pub(super) fn inner(&self) -> TokenStream {
        visibility::of_child(self.visibility)
    }

    /// The module of the same name.
    pub(super) fn module(&self, docs: &str, items: &TokenStream) -> TokenStream {
        let Self { attributes, visibility, name, .. } = self;
        let (shared, docs) = (attributes.iter().filter(|attribute| is_shared(attribute)), docs::line(docs));
        let allow = allow_spelling([*name]);
        quote! {
            #(#shared)*
            #docs
            #allow
            #visibility mod #name {
                #items
            }
        }
    }

    /// The statements of a function that has no program and these arguments; messages call the declaration `what`.
    pub(super) fn stub(&self, what: &str, arguments: &TokenStream) -> TokenStream {
        let message =
            format!("the {what} `{}` has no program; build without `{}=stub`", self.name.unraw(), Mode::VARIABLE);
        quote! {
            let _ = (#arguments);
            ::core::panic!(#message)
        }
    }
}

/// Allows the lint on how names are spelt if one of these, which users choose, is not spelt as Rust likes it.
pub(super) fn allow_spelling<'n>(names: impl IntoIterator<Item = &'n Ident>) -> Option<TokenStream> {
    let is_usual = |name: &Ident| {
        let name = name.unraw().to_string();
        !name.contains(|c: char| c.is_ascii_uppercase()) && !name.trim_matches('_').contains("__")
    };
    (!names.into_iter().all(is_usual)).then(|| quote!(#[allow(non_snake_case)]))
}

/// Allows names that differ little, which Clippy looks for among those of three characters and more that are not numbered.
fn allow_similar(names: &[Ident]) -> Option<TokenStream> {
    let is_compared = |name: &Ident| name.unraw().to_string().chars().filter(|c| !c.is_ascii_digit()).count() > 2;
    names.iter().any(is_compared).then(|| quote!(#[allow(clippy::similar_names)]))
}

/// Whether an attribute of the function applies to the module as well.
pub(super) fn is_shared(attribute: &Attribute) -> bool {
    let hidden = |list: &MetaList| list.tokens.to_string() == "hidden";
    attribute.path().is_ident("cfg")
        || attribute.path().is_ident("doc") && attribute.meta.require_list().is_ok_and(hidden)
}

/// A declaration whose function is generated.
pub(crate) struct Function<'a, D, P> {
    pub(crate) frame: Frame<'a>,
    pub(crate) declaration: &'a D,
    /// If `None`, the function exists only so that callers compile: after a mistake, and where no programs are wanted.
    pub(crate) program: Option<&'a P>,
}

/// How a function is called.
pub(super) struct Signature {
    /// An attribute that allows lints.
    pub(super) allow: Option<TokenStream>,
    pub(super) lifetimes: Vec<Lifetime>,
    /// The trait of the host controller.
    pub(super) controller: TokenStream,
    /// The type parameters after that of the host controller.
    pub(super) types: Vec<TokenStream>,
    /// Names and types of the parameters after the host controller.
    pub(super) parameters: Vec<(Ident, TokenStream)>,
    /// Whether users choose the names of the parameters.
    pub(super) is_named: bool,
    /// The type of the result on success.
    pub(super) result: TokenStream,
}

impl Signature {
    /// A function with these parameters on any array.
    #[cfg(feature = "networks")]
    pub(super) fn of_array<const N: usize>(
        runtime: &TokenStream,
        parameters: [(&str, TokenStream); N],
        result: TokenStream,
    ) -> Self {
        let parameters = parameters.map(|(name, kind)| (Ident::new(name, Span::call_site()), kind)).into();
        let controller = quote!(#runtime::io::ArrayIo);
        Self { allow: None, lifetimes: Vec::new(), controller, types: Vec::new(), parameters, is_named: false, result }
    }
}

impl<D, P> Function<'_, D, P> {
    /// The function, with what is told and what is done if there is a program, and the module after it. Messages call the
    /// declaration `what`.
    pub(super) fn tokens(
        &self,
        what: &str,
        signature: &Signature,
        docs: impl FnOnce(&P) -> Vec<Vec<String>>,
        body: impl FnOnce(&P) -> TokenStream,
        module: &TokenStream,
    ) -> TokenStream {
        let Frame { attributes, visibility, name, .. } = self.frame;
        let Signature { allow, lifetimes, controller, types, parameters, is_named, result } = signature;
        let (names, kinds): (Vec<_>, Vec<_>) = parameters.iter().cloned().unzip();
        let spelling = allow_spelling(names.iter().chain([name]));
        let similar = is_named.then(|| allow_similar(&names)).flatten();
        let (host, docs) = (self.frame.host(), docs::after(attributes, &self.program.map_or_else(docs::of_stub, docs)));
        let body = self.program.map_or_else(|| self.frame.stub(what, &quote!(scamp, #(#names),*)), body);
        quote! {
            #(#attributes)*
            #docs
            #allow
            #spelling
            #similar
            #visibility fn #name<#(#lifetimes,)* #host: #controller #(, #types)*>(
                scamp: &mut #host,
                #(#names: #kinds),*
            ) -> ::core::result::Result<#result, #host::Error> {
                #body
            }
            #module
        }
    }
}

/// A tuple, or the only part.
pub(super) fn one_or_tuple(parts: &[TokenStream]) -> TokenStream {
    match parts {
        [one] => one.clone(),
        several => quote!((#(#several),*)),
    }
}
