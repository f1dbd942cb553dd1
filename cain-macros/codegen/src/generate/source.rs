//! Generated code as text.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use cain_network::CompiledNetwork;
use cain_network::automaton::CompiledAutomaton;
use cain_network::in_pixel;
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens as _;
use syn::parse::Parser as _;
use syn::{Item, parse_quote};

use super::{
    automaton_function, automaton_program, digital_function, digital_plan, function, in_pixel_function,
    in_pixel_program, network_function, network_program, plan, super_pixel_function, super_pixel_plan,
};
use crate::compile::{DigitalPlan, Plan, SuperPixelPlan};
use crate::kernel_file::{
    AnyFilter, DeclaredAutomaton, DeclaredInPixel, DeclaredNetwork, Diagnostic, DigitalFilter, Filter, LoadError,
    SuperPixelFilter, load_any,
};
use crate::plan_file::PlanPath;
use crate::plans::Plans;
use crate::printable::Printable;
use crate::tree::Overrides;
use crate::{names, nesting};

/// The path by which generated code finds the crate `cain_runtime`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuntimePath(String);

impl Default for RuntimePath {
    /// The crate under its own name.
    fn default() -> Self {
        Self("::cain_runtime".to_owned())
    }
}

impl FromStr for RuntimePath {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let tokens = text.parse().ok().filter(|tokens: &TokenStream| nesting::too_deep(tokens.clone()).is_none());
        match tokens.and_then(|tokens| syn::Path::parse_mod_style.parse2(tokens).ok()) {
            Some(path) => Ok(Self(path.to_token_stream().to_string())),
            None => {
                Err(format!("`{}` is not the path of a crate; expected one such as `::cain_runtime`", Printable(text)))
            }
        }
    }
}

/// Who makes source files, for their first line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Maker<'a> {
    /// The name of the tool.
    pub name: &'a str,
    /// The option that sets the path of the crate `cain_runtime`.
    pub runtime_option: &'a str,
}

/// A Rust source file made from a kernel file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The contents of the file.
    pub text: String,
    /// The plan files whose programs it contains.
    pub plans: Vec<PathBuf>,
    /// What is allowed in the kernel file, but hardly meant: lines that begin with `path:line:column:`.
    pub warnings: Vec<String>,
}

/// Makes a Rust source file from the kernel file at a path, with programs from plan files or from searches.
///
/// The first line names the `maker`; `begin` is called before each filter. All problems with the file, or all filters without
/// a program, are reported together.
pub fn source(
    path: &Path,
    runtime: &RuntimePath,
    plans: &Plans,
    maker: Maker<'_>,
    mut begin: impl FnMut(&AnyFilter),
) -> Result<Source, LoadError> {
    let mut compiled = Vec::new();
    let mut problems = Vec::new();
    let mut warnings = Vec::new();
    for filter in load_any(path, Overrides::default())? {
        begin(&filter);
        if let AnyFilter::Analogue(filter) = &filter {
            warnings.extend(filter.warnings.iter().map(|warning| format!("{}:{warning}", Printable(path.display()))));
        }
        match Compiled::new(filter, plans) {
            Ok(filter) => compiled.push(filter),
            Err(problem) => problems.push(problem),
        }
    }
    if !problems.is_empty() {
        return Err(LoadError::of_filters(path, problems));
    }
    let plans = compiled.iter().flat_map(Compiled::plan_files).map(|file| file.path.clone()).collect();
    Ok(Source { text: text(&compiled, path, runtime, maker), plans, warnings })
}

/// A filter that can be a function, with its program unless it is to be a stub.
#[derive(Clone, Debug)]
pub struct Compiled {
    name: Ident,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Analogue(Box<(Filter, Option<Plan>)>),
    Digital(Box<(DigitalFilter, Option<DigitalPlan>)>),
    SuperPixel(Box<(SuperPixelFilter, Option<SuperPixelPlan>)>),
    Network(Box<NetworkCode>),
    InPixel(Box<(DeclaredInPixel, Option<in_pixel::Compiled>)>),
    Automaton(Box<AutomatonCode>),
}

/// A network that can be a function.
#[derive(Clone, Debug)]
struct NetworkCode {
    declared: DeclaredNetwork,
    compiled: Option<CompiledNetwork>,
    file: Option<PlanPath>,
}

/// An automaton that can be a function.
#[derive(Clone, Debug)]
struct AutomatonCode {
    declared: DeclaredAutomaton,
    compiled: Option<CompiledAutomaton>,
    files: Vec<PlanPath>,
}

impl Compiled {
    /// A filter with the program of its plan file, or of a search.
    pub fn new(filter: AnyFilter, plans: &Plans) -> Result<Self, Diagnostic> {
        let name = names::function(filter.name(), Span::call_site());
        match filter {
            AnyFilter::Analogue(filter) => {
                let plan = plan(&filter, plans)?;
                Ok(Self { name, kind: Kind::Analogue(Box::new((*filter, plan))) })
            }
            AnyFilter::Digital(filter) => {
                let program = digital_plan(&filter, plans)?;
                Ok(Self { name, kind: Kind::Digital(Box::new((filter, program))) })
            }
            AnyFilter::SuperPixel(filter) => {
                let program = super_pixel_plan(&filter, plans)?;
                Ok(Self { name, kind: Kind::SuperPixel(Box::new((filter, program))) })
            }
            AnyFilter::Network(declared) => {
                let (compiled, file) = network_program(&declared, plans)?.unzip();
                let network = NetworkCode { declared: *declared, compiled, file: file.flatten() };
                // What no function can have is found now.
                network.function(&TokenStream::new(), &name)?;
                Ok(Self { name, kind: Kind::Network(Box::new(network)) })
            }
            AnyFilter::InPixel(declared) => {
                let compiled = in_pixel_program(&declared, plans)?;
                Ok(Self { name, kind: Kind::InPixel(Box::new((*declared, compiled))) })
            }
            AnyFilter::Automaton(declared) => {
                let (compiled, files) = automaton_program(&declared, plans)?.unzip();
                let automaton = AutomatonCode { declared: *declared, compiled, files: files.unwrap_or_default() };
                automaton.function(&TokenStream::new(), &name)?;
                Ok(Self { name, kind: Kind::Automaton(Box::new(automaton)) })
            }
        }
    }

    /// A filter on analogue registers with its plan, unless it is to be a stub.
    #[must_use]
    pub fn analogue(&self) -> Option<(&Filter, &Plan)> {
        match &self.kind {
            Kind::Analogue(analogue) => Some((&analogue.0, analogue.1.as_ref()?)),
            Kind::Digital(_) | Kind::SuperPixel(_) | Kind::Network(_) | Kind::InPixel(_) | Kind::Automaton(_) => None,
        }
    }

    /// A filter with that plan.
    #[must_use]
    pub fn with(filter: Filter, plan: Plan) -> Self {
        let name = names::function(filter.name(), Span::call_site());
        Self { name, kind: Kind::Analogue(Box::new((filter, Some(plan)))) }
    }

    /// The plan files of its programs.
    fn plan_files(&self) -> &[PlanPath] {
        match &self.kind {
            Kind::Analogue(analogue) => analogue.1.as_ref().map_or(&[], |plan| plan.file.as_slice()),
            Kind::Digital(digital) => digital.1.as_ref().map_or(&[], |plan| plan.file.as_slice()),
            Kind::SuperPixel(filter) => filter.1.as_ref().map_or(&[], |plan| plan.file.as_slice()),
            Kind::Network(network) => network.file.as_slice(),
            Kind::InPixel(_) => &[],
            Kind::Automaton(automaton) => &automaton.files,
        }
    }

    fn function(&self, runtime: &TokenStream) -> TokenStream {
        match &self.kind {
            Kind::Analogue(analogue) => function(runtime, &self.name, &analogue.0, analogue.1.as_ref()),
            Kind::Digital(digital) => digital_function(runtime, &self.name, &digital.0, digital.1.as_ref()),
            Kind::SuperPixel(filter) => super_pixel_function(runtime, &self.name, &filter.0, filter.1.as_ref()),
            Kind::Network(network) => network.function(runtime, &self.name).unwrap_or_default(),
            Kind::InPixel(network) => in_pixel_function(runtime, &self.name, &network.0, network.1.as_ref()),
            Kind::Automaton(automaton) => automaton.function(runtime, &self.name).unwrap_or_default(),
        }
    }
}

impl NetworkCode {
    fn function(&self, runtime: &TokenStream, name: &Ident) -> Result<TokenStream, Diagnostic> {
        network_function(runtime, name, &self.declared, self.compiled.as_ref())
    }
}

impl AutomatonCode {
    fn function(&self, runtime: &TokenStream, name: &Ident) -> Result<TokenStream, Diagnostic> {
        automaton_function(runtime, name, &self.declared, self.compiled.as_ref())
    }
}

/// A Rust source file with these functions, made from the file at a path.
#[must_use]
pub fn text(filters: &[Compiled], path: &Path, runtime: &RuntimePath, maker: Maker<'_>) -> String {
    // It was parsed before.
    let runtime: TokenStream = runtime.0.parse().unwrap_or_default();
    let code = format(&filters.iter().map(|filter| filter.function(&runtime)).collect());
    let file = Printable(path.file_name().unwrap_or_default().to_string_lossy());
    let Maker { name, runtime_option } = maker;
    format!(
        "// @generated by {name} from `{file}`. Change that file, not this one. For a dependency `cain-runtime` under \
         another name: `{runtime_option}`.\n\n{code}"
    )
}

/// Items as a readable source file, with each instruction on its own line and an empty line between items.
///
/// Rustfmt leaves it unchanged with any configuration.
#[must_use]
pub fn format(items: &TokenStream) -> String {
    // The back end emits items only; other tokens would become one line, which is right all the same.
    let Ok(mut file) = syn::parse2::<syn::File>(items.clone()) else { return items.to_string() };
    let mut text = String::new();
    for mut item in std::mem::take(&mut file.items) {
        skip_rustfmt(&mut item);
        file.items = vec![item];
        let separator = if text.is_empty() { "" } else { "\n" };
        text += separator;
        text.extend(prettyplease::unparse(&file).lines().map(one_instruction_per_line));
    }
    text
}

/// Tells rustfmt to leave the item alone.
fn skip_rustfmt(item: &mut Item) {
    if let Item::Fn(syn::ItemFn { attrs, .. }) | Item::Mod(syn::ItemMod { attrs, .. }) = item {
        // Rustfmt heeds the attribute even in a condition that is false. Without the condition the compiler would look for
        // `rustfmt`, which is missing in a module without prelude.
        attrs.push(parse_quote!(#[cfg_attr(any(), rustfmt::skip)]));
    }
}

/// A line of formatted code; a listing on one line becomes several lines.
fn one_instruction_per_line(line: &str) -> String {
    const BEFORE: &str = "listing: &[";
    let code = line.trim_start();
    let indent = " ".repeat(line.len() - code.len());
    match code.strip_prefix(BEFORE).and_then(|rest| rest.strip_suffix("],")) {
        None | Some("") => format!("{line}\n"),
        Some(listing) => {
            let line = |instruction: &str| format!("{indent}    {},\n", instruction.trim_start());
            let lines: String = split_outside_brackets(listing).map(line).collect();
            format!("{indent}{BEFORE}\n{lines}{indent}],\n")
        }
    }
}

/// The parts of a list between its commas.
fn split_outside_brackets(list: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_usize;
    list.split(move |c| {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    })
}
