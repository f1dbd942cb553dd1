//! Calls of `scamp_kernels!` in source files, for tools that are not the compiler.
//!
//! They are found everywhere in a file: in modules, in functions, with any path, under a name that `use .. as ..` gives
//! the macro, and between the tokens of other macro calls. Of a user's own `macro_rules!` only the fact that it calls the
//! macro is known, not its expansion.

mod scan;

use std::path::{Path, PathBuf};

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use crate::diagnostic::{Diagnostic, Position};
use crate::emit::documentation;
use crate::errors::Errors;
use crate::from_network;
use crate::from_program;
use crate::interruptible;
use crate::kinds::{self, Item, Kernel, Placed, Tree};
use crate::nesting;
use crate::surroundings::{SourcePlace, Surroundings};
use crate::syntax::{self, Content};
use crate::text_file;
use crate::tree::Overrides;

pub use scan::{NAME, NETWORK_NAME, PROGRAM_NAME};

/// A kernel file that a source file names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedFile {
    /// The path in the source.
    pub path: String,
    /// Its place.
    pub place: Position,
}

/// A `macro_rules!` that calls the macro.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrapper {
    /// The name of that macro.
    pub name: String,
    /// The place of the name in its definition.
    pub place: Position,
}

/// The contents of all calls of the macro in a file, in the order of the file.
#[derive(Clone, Debug, Default)]
pub struct Blocks {
    /// The filters that are right, of all kinds.
    pub items: Vec<Item>,
    /// `scamp_kernels!(file = "..")`.
    pub files: Vec<NamedFile>,
    /// Macros whose filters are not among these.
    pub wrappers: Vec<Wrapper>,
    /// All mistakes.
    pub problems: Vec<Diagnostic>,
}

/// Reads the text of a Rust source file.
#[must_use]
pub fn read(source: &str) -> Blocks {
    read_for(source, Overrides::default())
}

/// Like [`read`], but with options that override those in the source. They determine which weights and gains are allowed.
#[must_use]
pub fn read_for(source: &str, overrides: Overrides) -> Blocks {
    let mut blocks = Blocks::default();
    // Most files have no call, and then need not even be Rust.
    if !source.contains(scan::NAME) {
        return blocks;
    }
    match source.parse::<TokenStream>() {
        Ok(tokens) => {
            if let Some((place, message)) = nesting::too_deep(tokens.clone()) {
                blocks.problems.push(Diagnostic { place: Position::of(place), message });
                return blocks;
            }
            let scan::Found { calls, macros } = scan::scan(tokens, NAME);
            let text_of = text_of(source);
            let surroundings =
                Surroundings::new(calls.iter().cloned().collect(), &|span| Some(place_of(span)), &text_of);
            for call in &calls {
                blocks.add(call, &surroundings, overrides);
            }
            let wrapper = |name: Ident| Wrapper { name: name.to_string(), place: Position::of(name.span()) };
            blocks.wrappers = macros.into_iter().map(wrapper).collect();
        }
        Err(error) => {
            let message = "the file is not Rust from here on".to_owned();
            blocks.problems.push(Diagnostic { place: Position::of(error.span()), message });
        }
    }
    blocks
}

/// The networks that the text of a Rust source file declares with `scamp_network!`, with weights in files of that folder, and
/// all mistakes. What is not Rust declares none.
#[must_use]
pub fn networks(source: &str, folder: &Path) -> (Vec<Item>, Vec<Diagnostic>) {
    let (mut networks, mut problems) = (Vec::new(), Vec::new());
    if !source.contains(NETWORK_NAME) {
        return (networks, problems);
    }
    let tokens = source.parse::<TokenStream>().unwrap_or_default();
    if nesting::too_deep(tokens.clone()).is_some() {
        return (networks, problems);
    }
    let calls = scan::scan(tokens, NETWORK_NAME).calls;
    let text_of = text_of(source);
    let surroundings = Surroundings::new(calls.iter().cloned().collect(), &|span| Some(place_of(span)), &text_of);
    for call in &calls {
        let (found, mistakes) = from_network::declared(quote!([cain_runtime] #call), &surroundings, folder);
        networks.extend(found);
        problems.extend(mistakes);
    }
    (networks, problems)
}

/// The contents of all calls of `scamp_program!` in a file, in the order of the file.
#[derive(Clone, Debug, Default)]
pub struct Programs {
    /// The programs that are right.
    pub items: Vec<Item>,
    /// `scamp_program!(file = "..")`.
    pub files: Vec<NamedFile>,
    /// All mistakes.
    pub problems: Vec<Diagnostic>,
}

/// The programs that the text of a Rust source file in that folder declares with `scamp_program!`, and all mistakes. What is not
/// Rust declares none.
#[must_use]
pub fn programs(source: &str, folder: &Path) -> Programs {
    let mut programs = Programs::default();
    if !source.contains(PROGRAM_NAME) {
        return programs;
    }
    let tokens = source.parse::<TokenStream>().unwrap_or_default();
    if nesting::too_deep(tokens.clone()).is_some() {
        return programs;
    }
    for call in scan::scan(tokens, PROGRAM_NAME).calls {
        match from_program::declared(quote!([cain_runtime] #call), folder) {
            Ok(from_program::Declarations::Items(items)) => programs.items.extend(items),
            Ok(from_program::Declarations::File(file)) => {
                programs.files.push(NamedFile { path: file.value(), place: Position::of(file.span()) });
            }
            Err(problems) => programs.problems.extend(problems),
        }
    }
    programs
}

impl Blocks {
    /// The filters on analogue registers.
    #[must_use]
    pub fn filters(self) -> Vec<Placed<Kernel>> {
        let kernel = |item| if let Item::Kernel(kernel) = item { Some(*kernel) } else { None };
        self.items.into_iter().filter_map(kernel).collect()
    }

    /// Adds the contents of a call.
    fn add(&mut self, tokens: &TokenStream, surroundings: &Surroundings<'_>, overrides: Overrides) {
        // The path of the runtime crate, which the wrapper of the macro adds, does not matter here.
        let (machine, items) = match syntax::parse(quote!([cain_runtime] #tokens), surroundings).content {
            Content::File(path) => {
                self.files.push(NamedFile { path: path.value(), place: Position::of(path.span()) });
                return;
            }
            Content::Filters { machine, items, .. } => (machine, items),
        };
        let (mut errors, mut filters) = (Errors::default(), Vec::new());
        for item in items {
            match item {
                Ok(syntax::FilterItem { attributes, header, mut body, errors: mut mistakes, .. }) => {
                    body.search.overrides = overrides;
                    let tree = Tree { header, body, doc: documentation(&attributes), machine };
                    let filter = kinds::of_tree(tree, &mut mistakes);
                    filters.extend(filter.filter(|_| mistakes.is_empty()));
                    errors.append(mistakes);
                }
                Err(mistakes) => errors.append(mistakes.errors),
            }
        }
        for mistakes in interruptible::resolve(&mut filters) {
            errors.append(mistakes);
        }
        self.items.extend(filters.into_iter().map(|filter| filter.item.placed(Position::of)));
        let problem = |(span, message)| Diagnostic { place: Position::of(span), message };
        let mut problems: Vec<_> = errors.into_list().into_iter().map(problem).collect();
        // What is wrong in a constant is found first, and again wherever it is used.
        problems.sort_by_key(|problem| problem.place);
        problems.dedup();
        self.problems.append(&mut problems);
    }
}

/// The place of a token in the only file that there is.
pub(crate) fn place_of(span: Span) -> SourcePlace {
    SourcePlace { file: PathBuf::new(), position: Position::of(span) }
}

/// The text of the only file that there is.
fn text_of(source: &str) -> impl Fn(&Path) -> Option<String> {
    |_| Some(text_file::without_mark(source).to_owned())
}

#[cfg(test)]
mod tests {
    use super::{Blocks, read};
    use crate::kinds::{Item, Part};

    /// Line, column and canonical text of each filter.
    fn filters(source: &str) -> Vec<String> {
        let blocks = read(source);
        let Blocks { files, wrappers, problems, .. } = &blocks;
        assert!(files.is_empty() && wrappers.is_empty() && problems.is_empty(), "{files:?} {wrappers:?} {problems:?}");
        blocks.filters().iter().map(|filter| format!("{}: {}", filter.place(Part::Whole), filter.declaration)).collect()
    }

    #[test]
    fn calls_are_found_everywhere() {
        let source = "\
            #!/usr/bin/env run\n\
            use cain_runtime::{scamp_kernels, scamp_kernels as focal};\n\
            scamp_kernels! { fn a(A) -> B using () = [[1]]; }\n\
            mod inner { pub mod deep { ::cain_runtime::scamp_kernels![fn r#match(&A) -> B using () = [[1]];]; } }\n\
            fn main() { let f = || { focal! { #[search(nodes = 7)] fn c(A) -> B using () = [[1, 0, 0]]; } }; }\n\
            cfg_if! { if #[cfg(x)] { scamp_kernels! { fn d(A) -> A using () = [[0]]; } } }\n";
        assert_eq!(
            filters(source),
            [
                "3:21: a(A) -> (B) using () { B = [1] * A; }",
                "4:62: match(&A) -> (B) using () { B = [1] * A; }",
                "5:59: c(A) -> (B) using () { B = [1 0 0] * A; }",
                "6:46: d(A) -> (A) using () { A = 0; }",
            ]
        );
        assert_eq!(
            read(source).filters().iter().map(|filter| filter.nodes).collect::<Vec<_>>(),
            [None, None, Some(7), None]
        );
    }

    #[test]
    fn kernels_have_origins() {
        let source = "scamp_kernels! { fn f(A) -> B using () = 1/4 * [[1, 2], [3, 4]] at [0, 1]; }";
        assert_eq!(filters(source), ["1:21: f(A) -> (B) using () { B = 1/4 [0 0 0; 1 2 0; 3 4 0] * A; }"]);
    }

    /// In the order of the file, and once for a constant that several filters use.
    #[test]
    fn mistakes_in_constants_have_places() {
        let source = "\
            scamp_kernels! {\n\
            fn f(A) -> B using () = W;\n\
            const K = 1/7 * [[1]];\n\
            fn g(A) -> B using () = K;\n\
            fn h(A) -> C using () = K;\n\
            const V = X; }";
        let found: Vec<_> = read(source).problems.iter().map(ToString::to_string).collect();
        let places: Vec<_> = found.iter().map(|problem| problem.split(' ').next().unwrap()).collect();
        assert_eq!(places, ["2:25:", "3:13:", "6:11:"], "{found:#?}");
    }

    #[test]
    fn filters_are_those_of_kernel_files() {
        let source = "scamp_kernels! {\n/// Blur.\n///\n///  * far\n#[allow(unused)]\nfn f(A) -> B = [[1, 0, 1]]; }";
        let filters = read(source).items;
        let [item @ Item::Kernel(filter)] = filters.as_slice() else { panic!("{filters:?}") };
        assert_eq!(filter.doc.as_deref(), Some("Blur.\n\n * far"));
        let warnings: Vec<_> = item.warnings().map(|warning| warning.to_string()).collect();
        assert!(matches!(warnings.as_slice(), [one] if one.starts_with("6:16: the kernel of `B` has values up to 2")));
    }

    #[test]
    fn what_is_no_call_is_left_alone() {
        for source in [
            "fn main() {}",
            "not 'Rust \" at all",
            "/// scamp_kernels! { fn a(A) -> B = [[1]]; }\nfn documented() {}",
            "const S: &str = \"scamp_kernels! { fn a(A) -> B = [[1]]; }\";",
            "use cain_runtime::scamp_kernels; fn scamp_kernels(x: bool) -> bool { scamp_kernels(!x) }",
            "macro_rules! scamp_kernels { ($($t:tt)*) => { $crate::scamp_kernels! { [$crate] $($t)* } } }",
            "use scamp_kernels as k; macro_rules! shift { () => { k(1); const S: &str = \"k! { fn a(A) -> A = [[1]]; }\"; } }",
            "scamp_kernels! {}",
        ] {
            let found = format!("{:?}", read(source));
            assert_eq!(found, format!("{:?}", Blocks::default()), "{source}");
        }
    }

    #[test]
    fn what_is_never_compiled_declares_nothing() {
        for source in [
            "#[cfg(any())] scamp_kernels! { fn a(A) -> B = [[1/5]]; }",
            "#[cfg(any())] mod m { use x::y; scamp_kernels! { fn a(A) -> B = [[1/5]]; } }",
            "#[doc = \"\"] #[cfg(not(all()))] #[allow(unused)] pub fn f<T, U>(x: [u8; { 3 }]) where T: V { scamp_kernels!(file = \"x\"); }",
            "mod m { #![cfg(all(unix, false))] scamp_kernels! { fn a(A) -> B = [[1/5]]; } }",
            "#![cfg(any())] scamp_kernels! { fn a(A) -> B = [[1/5]]; }",
            "scamp_kernels! { #[cfg(any())] fn a(A) -> B = [[1/5]]; #[cfg(any())] fn b A }",
            "#[cfg(any())] macro_rules! shift { () => { scamp_kernels! { } } }",
        ] {
            let found = format!("{:?}", read(source));
            assert_eq!(found, format!("{:?}", Blocks::default()), "{source}");
        }
        let source = "#[cfg(any())] use a::b;\n#[cfg(unix)] scamp_kernels! { #[cfg(x)] fn a(A) -> B using () = [[1]]; }\n\
            #[cfg(any())] struct S { x: u8 } mod m { #[cfg(any())] const X: u8 = 1; scamp_kernels! { fn b(A) -> B using () = [[1]]; } }";
        assert_eq!(
            filters(source),
            ["2:44: a(A) -> (B) using () { B = [1] * A; }", "3:93: b(A) -> (B) using () { B = [1] * A; }"]
        );
    }

    #[test]
    fn macros_that_declare_filters_are_named() {
        let source = "use cain_runtime::scamp_kernels as kernels;\n\
            macro_rules! shift { ($n:ident) => { kernels! { fn $n(A) -> B = [[1]]; } } }\n\
            fn f() { macro_rules! outer { () => { macro_rules! inner { ($f:literal) => { kernels!(file = $f); } } } } }\n\
            macro_rules! other { () => { fn f() {} } }";
        let found = read(source);
        let names: Vec<_> = found.wrappers.iter().map(|found| format!("{} {}", found.place, found.name)).collect();
        assert_eq!(names, ["2:14 shift", "3:23 outer"]);
        assert!(found.items.is_empty() && found.files.is_empty() && found.problems.is_empty(), "{found:?}");
    }

    #[test]
    fn kernel_files_are_named() {
        let blocks = read("scamp_kernels!(file = \"kernels/edges.toml\",);");
        assert_eq!(
            blocks.files.iter().map(|file| (file.path.as_str(), file.place.column)).collect::<Vec<_>>(),
            [("kernels/edges.toml", 23)]
        );
    }

    #[test]
    fn mistakes_are_placed_and_hide_nothing() {
        let source = "scamp_kernels! {\n    fn a(A) -> B = [[1/5]];\n    fn b(A) -> B using () = [[1]];\n}\n";
        let blocks = read(source);
        assert_eq!(blocks.items.len(), 1);
        let [problem] = blocks.problems.as_slice() else { panic!("{:?}", blocks.problems) };
        assert!(problem.to_string().starts_with("2:24: denominator 5 is not made of twos and threes"), "{problem}");
        let unclosed = read("scamp_kernels! {\n  }}");
        assert_eq!(unclosed.problems[0].to_string(), "2:4: the file is not Rust from here on");
    }
}
