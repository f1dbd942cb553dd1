//! Kernel files as Rust: functions and plans as the macro makes them, and source files of them.

#[cfg(feature = "source")]
mod source;

use cain_network::CompiledNetwork;
use cain_network::automaton::{CompileAutomatonError, CompiledAutomaton};
use cain_network::in_pixel;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::parse::Parser as _;
use syn::{Attribute, Visibility};

use crate::compile::{
    AutomatonError, CompileError, DigitalPlan, ExactError, NetworkError, Plan, SuperPixelPlan, compile,
    compile_automaton, compile_exact, compile_network,
};
use crate::emit::{self, Code, Function};
use crate::kernel_file::{
    DeclaredAutomaton, DeclaredInPixel, DeclaredNetwork, Diagnostic, DigitalFilter, Exact, ExactFilter, Filter,
    SuperPixelFilter,
};
use crate::names;
use crate::plan_file::PlanPath;
use crate::plans::{Mode, Plans};
use crate::printable::turns;

#[cfg(feature = "source")]
pub use source::{Compiled, Maker, RuntimePath, Source, format, source, text};

/// The plan of a filter; `None` if no programs are wanted.
pub(crate) fn plan(filter: &Filter, plans: &Plans) -> Result<Option<Plan>, Diagnostic> {
    match compile(&filter.declaration, filter.approximated, plans) {
        Ok(plan) => Ok(plan),
        Err(CompileError::Search(error)) => Err(filter.search_failed(&error)),
        Err(error) => Err(filter.diagnostic(&error.to_string())),
    }
}

/// Whether a word is a keyword of Rust, so that a function of that name is called as `r#word`.
#[must_use]
pub fn is_keyword(word: &str) -> bool {
    names::is_keyword(word)
}

/// The public function of a filter and its plan; without a plan, a stub.
pub(crate) fn function(runtime: &TokenStream, name: &Ident, filter: &Filter, plan: Option<&Plan>) -> TokenStream {
    let attributes = filter.doc.as_deref().map(doc_comment).unwrap_or_default();
    let visibility = Visibility::Public(<syn::Token![pub]>::default());
    let code = Code::of(plan, &filter.declaration);
    let planes = filter.planes.as_ref();
    emit::function(&Function { runtime, attributes: &attributes, visibility: &visibility, name, planes, code })
}

/// The plan of a digital filter; `None` if no programs are wanted.
pub(crate) fn digital_plan(filter: &DigitalFilter, plans: &Plans) -> Result<Option<DigitalPlan>, Diagnostic> {
    let compiled = compile_exact(&filter.declaration, plans, emit::digital::kept_output);
    compiled.map_err(|error| failed(filter, &error))
}

/// The message about a filter on bits without a program.
fn failed<D: Exact>(filter: &ExactFilter<D>, error: &ExactError<D::Error>) -> Diagnostic {
    match error {
        ExactError::Search(error) => filter.search_failed(error),
        error => filter.diagnostic(&error.to_string()),
    }
}

/// The plan of a filter over super-pixels; `None` if no programs are wanted.
pub(crate) fn super_pixel_plan(filter: &SuperPixelFilter, plans: &Plans) -> Result<Option<SuperPixelPlan>, Diagnostic> {
    let compiled = compile_exact(&filter.declaration, plans, emit::superpixel::kept_output);
    compiled.map_err(|error| failed(filter, &error))
}

/// The public function of a filter over super-pixels; without a plan, a stub.
pub(crate) fn super_pixel_function(
    runtime: &TokenStream,
    name: &Ident,
    filter: &SuperPixelFilter,
    plan: Option<&SuperPixelPlan>,
) -> TokenStream {
    let attributes = filter.doc.as_deref().map(doc_comment).unwrap_or_default();
    emit::superpixel::function(&emit::superpixel::Function {
        runtime,
        attributes: &attributes,
        visibility: &Visibility::Public(<syn::Token![pub]>::default()),
        name,
        declaration: &filter.declaration,
        solution: plan.map(|plan| &plan.solution),
    })
}

/// The public function of a digital filter; without a plan, a stub.
pub(crate) fn digital_function(
    runtime: &TokenStream,
    name: &Ident,
    filter: &DigitalFilter,
    plan: Option<&DigitalPlan>,
) -> TokenStream {
    let attributes = filter.doc.as_deref().map(doc_comment).unwrap_or_default();
    emit::digital::function(&emit::digital::Function {
        runtime,
        attributes: &attributes,
        visibility: &Visibility::Public(<syn::Token![pub]>::default()),
        name,
        declaration: &filter.declaration,
        solution: plan.map(|plan| &plan.solution),
    })
}

/// The program of a network, and its plan file if it has one; `None` if no programs are wanted.
pub(crate) fn network_program<S: Copy>(
    declared: &DeclaredNetwork<S>,
    plans: &Plans,
) -> Result<Option<(CompiledNetwork, Option<PlanPath>)>, Diagnostic<S>> {
    compile_network(&declared.network, plans).map_err(|error| match &error {
        NetworkError::Compile(error) => declared.uncompiled(error),
        _ => declared.diagnostic(None, &error.to_string()),
    })
}

/// The public function of a network; without a program, a stub.
pub(crate) fn network_function(
    runtime: &TokenStream,
    name: &Ident,
    declared: &DeclaredNetwork,
    compiled: Option<&CompiledNetwork>,
) -> Result<TokenStream, Diagnostic> {
    let attributes = declared.doc.as_deref().map(doc_comment).unwrap_or_default();
    let function = emit::network::function(&emit::network::Function {
        runtime,
        attributes: &attributes,
        visibility: &Visibility::Public(<syn::Token![pub]>::default()),
        name,
        network: &declared.network,
        compiled,
    });
    function.map_err(|(layer, message)| declared.diagnostic(Some(layer), &message))
}

/// The programs of a network in the pixels; `None` if none are wanted. There are no plan files of them, since nothing is
/// searched for.
pub(crate) fn in_pixel_program<S: Copy>(
    declared: &DeclaredInPixel<S>,
    plans: &Plans,
) -> Result<Option<in_pixel::Compiled>, Diagnostic<S>> {
    if plans.mode == Mode::Stub {
        return Ok(None);
    }
    in_pixel::compile(&declared.network).map(Some).map_err(|error| declared.failed(&error))
}

/// The public function of a network in the pixels; without a program, a stub.
pub(crate) fn in_pixel_function(
    runtime: &TokenStream,
    name: &Ident,
    declared: &DeclaredInPixel,
    compiled: Option<&in_pixel::Compiled>,
) -> TokenStream {
    let attributes = declared.doc.as_deref().map(doc_comment).unwrap_or_default();
    emit::in_pixel::function(&emit::in_pixel::Function {
        runtime,
        attributes: &attributes,
        visibility: &Visibility::Public(<syn::Token![pub]>::default()),
        name,
        network: &declared.network,
        compiled,
    })
}

/// The programs of an automaton, and the plan files that they are from; `None` if no programs are wanted.
pub(crate) fn automaton_program<S: Copy>(
    declared: &DeclaredAutomaton<S>,
    plans: &Plans,
) -> Result<Option<(CompiledAutomaton, Vec<PlanPath>)>, Diagnostic<S>> {
    declared.check_function()?;
    compile_automaton(&declared.automaton, plans).map_err(|error| match error {
        AutomatonError::Compile(error) => declared.failed(&error),
        AutomatonError::Layer(layer, CompileError::Search(error)) => {
            declared.failed(&CompileAutomatonError::Search { layer, error })
        }
        AutomatonError::Layer(layer, error) => declared.diagnostic(Some(layer), &error.to_string()),
    })
}

/// The public function of an automaton; without programs, a stub.
pub(crate) fn automaton_function(
    runtime: &TokenStream,
    name: &Ident,
    declared: &DeclaredAutomaton,
    compiled: Option<&CompiledAutomaton>,
) -> Result<TokenStream, Diagnostic> {
    let attributes = declared.doc.as_deref().map(doc_comment).unwrap_or_default();
    let function = emit::automaton::function(&emit::automaton::Function {
        runtime,
        attributes: &attributes,
        visibility: &Visibility::Public(<syn::Token![pub]>::default()),
        name,
        automaton: &declared.automaton,
        compiled,
    });
    function.map_err(|message| declared.diagnostic(None, &message))
}

/// The attributes of a doc comment with this text.
///
/// Characters that a source file cannot have in a comment become blanks: control characters, and marks that change the
/// direction of the text, with which a comment can look like code. The words are the same without them, so that there is
/// no need for an error.
fn doc_comment(text: &str) -> Vec<Attribute> {
    let line = |line: &str| match line.trim_end() {
        "" => String::new(),
        line => format!(" {}", line.chars().map(in_a_comment).collect::<String>()),
    };
    let lines = text.trim_end().lines().map(line);
    Attribute::parse_outer.parse2(quote!(#(#[doc = #lines])*)).unwrap_or_default()
}

/// A character as a comment can have it.
fn in_a_comment(character: char) -> char {
    if character.is_control() && character != '\t' || turns(character) { ' ' } else { character }
}

#[cfg(test)]
mod tests {
    use super::doc_comment;
    use quote::quote;

    #[test]
    fn docs_are_lines_without_control_characters() {
        let docs = doc_comment("Blur. \r\n\n  As \u{7}wide\tas\u{202e}3.\n\n");
        assert_eq!(
            quote!(#(#docs)*).to_string(),
            quote!(#[doc = " Blur."] #[doc = ""] #[doc = "   As  wide\tas 3."]).to_string()
        );
        assert!(doc_comment("\n").is_empty());
    }
}
