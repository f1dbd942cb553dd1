//! Files of a crate do not import each other in circles: what two of them need stands in a file below both.
//!
//! Imports are `use` declarations and paths that begin with `crate`, `self`, `super` or the name of a child. That a file
//! declares its children and hands on what they define is no import.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The circles that are left, each with the folder of its crate and the module that its files are in. Expressions of the
/// language of whole programs have blocks of statements within them, so that both are read and lowered by files that need
/// each other.
const LEFT: [(&str, &str); 2] = [("cain-search/cli/src", "pin"), ("cain-macros/codegen/src", "vision")];

/// The names of modules from the root of a crate on.
type Module = Vec<String>;

/// What a file knows under a name.
enum Meaning {
    /// A child.
    Child(Module),
    /// Something that it defines.
    Own,
    /// Something that it imports or hands on from this path.
    Path(Vec<String>),
}

/// A file of a crate.
#[derive(Default)]
struct File {
    names: BTreeMap<String, Meaning>,
    /// The paths of which it imports or hands on everything.
    globs: Vec<Vec<String>>,
    /// The paths that it imports.
    imports: Vec<Vec<String>>,
}

/// A crate, by its modules.
#[derive(Default)]
struct Crate(BTreeMap<Module, File>);

#[test]
fn files_do_not_import_each_other_in_circles() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut roots = Vec::new();
    add_roots(project, &mut roots);
    assert!(roots.len() > 10, "{roots:?}");
    let mut circles = Vec::new();
    for root in roots {
        let folder = root.parent().unwrap().strip_prefix(project).unwrap().display().to_string();
        let mut read = Crate::default();
        read.add(Module::new(), &root);
        let is_left = |module: &Module| {
            LEFT.iter().any(|(of, name)| *of == folder && module.first().is_some_and(|first| first == name))
        };
        let edges = read.edges();
        for (from, targets) in &edges {
            let back = targets.iter().filter(|to| !is_left(from) && reaches(&edges, to, from));
            circles.extend(back.map(|to| format!("{folder}: {} -> {}", from.join("::"), to.join("::"))));
        }
    }
    assert!(circles.is_empty(), "put what two files need into one below both:\n{}", circles.join("\n"));
}

/// Adds the roots of the crates below a folder.
fn add_roots(folder: &Path, roots: &mut Vec<PathBuf>) {
    let is_of_examples = folder.parent().is_some_and(|parent| parent.ends_with("examples/src"));
    if folder.ends_with("src") || is_of_examples {
        roots.extend(["lib.rs", "main.rs"].map(|name| folder.join(name)).into_iter().filter(|root| root.is_file()));
    }
    let mut below: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    below.sort();
    for path in below {
        let name = path.file_name().unwrap().to_string_lossy();
        if path.is_dir() && !name.starts_with('.') && !["target", "fixtures"].contains(&&*name) {
            add_roots(&path, roots);
        }
    }
}

/// Whether there is a way along imports from one file to another.
fn reaches(edges: &BTreeMap<Module, BTreeSet<Module>>, from: &Module, to: &Module) -> bool {
    let (mut seen, mut waiting) = (BTreeSet::new(), vec![from]);
    while let Some(module) = waiting.pop() {
        if module == to {
            return true;
        }
        if seen.insert(module) {
            waiting.extend(edges.get(module).into_iter().flatten());
        }
    }
    false
}

impl Crate {
    /// Reads a file and the files of its children.
    fn add(&mut self, module: Module, path: &Path) {
        let text = fs::read_to_string(path).unwrap();
        let tokens: TokenStream = text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let tokens = without_tests(tokens);
        let mut file = File::default();
        let is_root = module.is_empty() || path.ends_with("mod.rs");
        let folder = if is_root { path.parent().unwrap().to_owned() } else { path.with_extension("") };
        for (place, token) in tokens.iter().enumerate() {
            let (TokenTree::Ident(keyword), Some(name)) = (token, tokens.get(place + 1)) else { continue };
            let name = name.to_string();
            match keyword.to_string().as_str() {
                "mod" => {
                    let files = [folder.join(format!("{name}.rs")), folder.join(&name).join("mod.rs")];
                    let child: Module = module.iter().chain([&name]).cloned().collect();
                    match files.iter().find(|file| file.is_file()) {
                        Some(path) if is_sign(tokens.get(place + 2), ';') => {
                            self.add(child.clone(), path);
                            file.names.insert(name, Meaning::Child(child));
                        }
                        _ => drop(file.names.insert(name, Meaning::Own)),
                    }
                }
                "fn" | "struct" | "enum" | "trait" | "type" | "const" | "static" | "union" => {
                    file.names.entry(name).or_insert(Meaning::Own);
                }
                "macro_rules" => {
                    let name = tokens.get(place + 2).map(ToString::to_string).unwrap_or_default();
                    file.names.insert(name, Meaning::Own);
                }
                "use" => {
                    for (path, name) in tree(&tokens[place + 1..]) {
                        match name {
                            Some(name) => drop(file.names.entry(name).or_insert(Meaning::Path(path))),
                            None => file.globs.push(path),
                        }
                    }
                }
                _ => {}
            }
        }
        add_paths(&tokens, &mut file.imports);
        self.0.insert(module, file);
    }

    /// The files that each file imports.
    fn edges(&self) -> BTreeMap<Module, BTreeSet<Module>> {
        let of = |(module, file): (&Module, &File)| {
            let is_inside = |path: &&Vec<String>| {
                let first = path[0].as_str();
                ["crate", "self", "super"].contains(&first) || matches!(file.names.get(first), Some(Meaning::Child(_)))
            };
            let targets = file.imports.iter().filter(is_inside).filter_map(|path| self.resolve(module, path, 0));
            (module.clone(), targets.filter(|target| target != module).collect())
        };
        self.0.iter().map(of).collect()
    }

    /// The module of the file that defines what a path is of.
    fn resolve(&self, module: &Module, path: &[String], depth: usize) -> Option<Module> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => self.find(&Module::new(), rest, depth),
            "self" => self.find(module, rest, depth),
            "super" => {
                let parent = module.split_last()?.1.to_vec();
                match rest.first() {
                    Some(next) if next == "super" => self.resolve(&parent, rest, depth),
                    _ => self.find(&parent, rest, depth),
                }
            }
            _ => self.0.get(module)?.names.contains_key(first).then(|| self.find(module, path, depth))?,
        }
    }

    /// The module of the file that defines what a path from a module on is of.
    fn find(&self, module: &Module, path: &[String], depth: usize) -> Option<Module> {
        let Some((first, rest)) = path.split_first() else { return Some(module.clone()) };
        let file = self.0.get(module)?;
        match file.names.get(first) {
            Some(Meaning::Child(child)) => self.find(child, rest, depth + 1),
            Some(Meaning::Own) => Some(module.clone()),
            Some(Meaning::Path(path)) if depth < 20 && path[0] != *first => {
                let path: Vec<String> = path.iter().chain(rest).cloned().collect();
                self.resolve(module, &path, depth + 1)
            }
            Some(Meaning::Path(_)) => None,
            None => {
                let globs = file.globs.iter().filter(|_| depth < 20);
                let mut targets = globs.filter_map(|glob| self.resolve(module, glob, depth + 1));
                let target =
                    targets.find(|target| self.0.get(target).is_some_and(|file| file.names.contains_key(first)));
                match target {
                    Some(target) => self.find(&target, path, depth + 1),
                    // What a macro defines.
                    None => (!module.is_empty()).then(|| module.clone()),
                }
            }
        }
    }
}

/// The tokens of a file without what is compiled for its tests only, and without modules at other paths.
fn without_tests(tokens: TokenStream) -> Vec<TokenTree> {
    let mut kept = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let is_attribute = is_sign(Some(&token), '#');
        let attribute = tokens.peek().filter(|_| is_attribute).map(ToString::to_string).unwrap_or_default();
        let attribute: String = attribute.chars().filter(|c| !c.is_whitespace()).collect();
        if ["[cfg(test", "[cfg(all(test", "[path="].iter().any(|start| attribute.starts_with(start)) {
            // The attribute, and the item with its braces or its semicolon.
            tokens.next();
            let is_end = |token: &TokenTree| is_sign(Some(token), ';') || braces(token).is_some();
            while tokens.next().is_some_and(|token| !is_end(&token)) {}
        } else {
            kept.push(token);
        }
    }
    kept
}

/// Adds the paths among tokens that are not only handed on.
fn add_paths(tokens: &[TokenTree], paths: &mut Vec<Vec<String>>) {
    let mut place = 0;
    while let Some(token) = tokens.get(place) {
        place += 1;
        match token {
            // Of `pub(in ..)`.
            TokenTree::Group(_) if is_public(&tokens[..place]) => {}
            TokenTree::Group(group) => add_paths(&group.stream().into_iter().collect::<Vec<_>>(), paths),
            TokenTree::Ident(word) if word == "use" => {
                let before = tokens.get(..place - 1).unwrap_or_default();
                if !is_public(before) {
                    paths.extend(
                        tree(&tokens[place..]).into_iter().map(|(path, _)| path).filter(|path| !path.is_empty()),
                    );
                }
                while tokens.get(place).is_some_and(|token| !is_sign(Some(token), ';')) {
                    place += 1;
                }
            }
            TokenTree::Ident(word) => {
                let goes_on = place > 1
                    && is_sign(tokens.get(place - 2), ':')
                    && place > 2
                    && is_sign(tokens.get(place - 3), ':');
                let mut path = vec![word.to_string()];
                while is_sign(tokens.get(place), ':') && is_sign(tokens.get(place + 1), ':') {
                    let Some(TokenTree::Ident(next)) = tokens.get(place + 2) else { break };
                    path.push(next.to_string());
                    place += 3;
                }
                if path.len() > 1 && !goes_on {
                    paths.push(path);
                }
            }
            _ => {}
        }
    }
}

/// Whether what follows these tokens is public.
fn is_public(before: &[TokenTree]) -> bool {
    let is_pub = |token: &TokenTree| matches!(token, TokenTree::Ident(word) if word == "pub");
    match before {
        [.., last] if is_pub(last) => true,
        [.., public, TokenTree::Group(_)] => is_pub(public),
        _ => false,
    }
}

/// The paths of a declaration after `use`, with the name that each has here; everything at a path has none.
fn tree(tokens: &[TokenTree]) -> Vec<(Vec<String>, Option<String>)> {
    let (mut path, mut name) = (Vec::new(), None);
    let mut tokens = tokens.iter();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(word) if word == "as" => name = tokens.next().map(ToString::to_string),
            TokenTree::Ident(word) => path.push(word.to_string()),
            TokenTree::Punct(sign) if sign.as_char() == '*' => return vec![(path, None)],
            TokenTree::Punct(sign) if sign.as_char() == ':' => {}
            token => {
                let Some(inner) = braces(token) else { break };
                let mut found = Vec::new();
                for part in inner.split(|token| is_sign(Some(token), ',')).filter(|part| !part.is_empty()) {
                    found.extend(tree(part).into_iter().map(|(inner, name)| {
                        let inner: Vec<String> = inner.into_iter().filter(|word| word != "self").collect();
                        let name = if inner.is_empty() { path.last().cloned() } else { name };
                        (path.iter().chain(&inner).cloned().collect(), name)
                    }));
                }
                return found;
            }
        }
    }
    let name = name.or_else(|| path.last().cloned());
    if path.is_empty() { Vec::new() } else { vec![(path, name)] }
}

/// The tokens in braces.
fn braces(token: &TokenTree) -> Option<Vec<TokenTree>> {
    match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Some(group.stream().into_iter().collect()),
        _ => None,
    }
}

fn is_sign(token: Option<&TokenTree>, sign: char) -> bool {
    matches!(token, Some(TokenTree::Punct(found)) if found.as_char() == sign)
}
