//! What searches find of every kind of declaration, written to plan files and read again.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::{Item, Kind, Placed, of_each, public};
use crate::cache::Cache;
use crate::emit::Frame;
use crate::kernel_file::parse_any;
use crate::plan_file::PlanFile;
use crate::plans::{Mode, Plans};
use crate::tree::Overrides;

/// Automata are on another machine.
const DECLARED: [&str; 2] = [
    r#"
[blur]
inputs = ["A"]
outputs.A = { scale = "1/16", kernel = [[1, 2, 1], [2, 4, 2], [1, 2, 1]] }
search = { nodes = 300, book = false }

[slope]
inputs = ["A"]
keep = ["A"]
outputs.B.kernel = [[1, 0, -1]]
search = { isa = "macro", nodes = 100, book = false }

[count]
inputs = ["image"]
bits = 1
outputs.n.kernel = [[1, 1, 1]]
search = { isa = "digital", nodes = 300 }

[sum]
inputs = ["a", "b"]
outputs.c = [{ input = "a", kernel = [[1]] }, { input = "b", kernel = [[1]] }]
superpixel = { order = [[1, 2], [4, 3]], dac = { c = { register = "B" } } }
search = { isa = "superpixel", nodes = 300 }

[network.strokes]
input = { size = 8, levels = "-60..60" }
search = { nodes = 300 }

[[network.strokes.layer]]
name = "edges"
op = "convolution"
kernels = [[[[0, 0, 0], [1, 0, -1], [0, 0, 0]]]]

[[network.strokes.layer]]
name = "lines"
op = "threshold"
at = 4

[[network.strokes.layer]]
name = "steps"
op = "digital"
kernels = [[[[1, 1], [-1, 0]]]]

[[network.strokes.layer]]
name = "total"
op = "windows"
windows = [[0, 0, 5, 5]]
"#,
    r#"
[machine]
registers = 10

[automaton.sides]
size = 8
alive = 26
classes = 2
denominator = 4
layers = [
    [
        [[[1, 0, 0]], [[0, 0, 0]], [[0, 0, 0]]],
        [[[0, 0, 1]], [[0, 0, 0]], [[0, 0, 0]]],
    ],
    [[[[2]], [[-1]]], [[[-1]], [[2]]]],
]
search = { nodes = 200, isa = "macro" }
"#,
];

/// For the version of the searches the FNV-1a hash of the plans of these declarations.
const FOUND: (u32, u64) = (11, 13_200_847_196_279_717_747);

fn declared() -> Vec<Item> {
    DECLARED.into_iter().flat_map(|text| parse_any(text, Overrides::default()).unwrap()).collect()
}

/// The text of the plan that a search makes.
fn searched<K: Kind>(declared: &Placed<K>) -> String {
    let found = declared.of.search(&mut |_| std::ops::ControlFlow::Continue(()));
    K::plan_file(&found.map_err(|error| declared.failed(&error)).unwrap()).to_string()
}

/// The text of the plan of what is read from one.
fn read_again<K: Kind>(declared: &Placed<K>, text: &str) -> Result<String, String> {
    let plan = PlanFile::parse(text).map_err(|fault| format!("{fault:?}"))?;
    let program = declared.of.verify(&plan).map_err(|fault| format!("{fault:?}"))?;
    Ok(K::plan_file(&program).to_string())
}

#[test]
fn plans_of_all_kinds_read_back_and_searches_of_a_version_find_the_same() {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for item in &declared() {
        let text = of_each!(item, declared => searched(declared));
        assert_eq!(of_each!(item, declared => read_again(declared, &text)).as_ref(), Ok(&text));
        hash = text.bytes().fold(hash, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        // A plan that says less or more before its first program, or is for something else, is none.
        let lines: Vec<&str> = text.lines().collect();
        for cut in 1..lines.iter().position(|line| line.is_empty()).unwrap() {
            let without = [&lines[..cut], &lines[cut + 1..]].concat().join("\n") + "\n";
            let twice = [&lines[..=cut], &lines[cut..]].concat().join("\n") + "\n";
            for wrong in [without, twice] {
                let read = of_each!(item, declared => read_again(declared, &wrong));
                assert!(read.is_err(), "{wrong}");
            }
        }
        let other = text.replace(item.name(), "other");
        assert!(of_each!(item, declared => read_again(declared, &other)).unwrap_err().starts_with("Stale("), "{other}");
    }
    let found = (cain_search::VERSION, hash);
    assert_eq!(
        found, FOUND,
        "searches find other programs: raise `cain_search::VERSION`, and write here what they find now"
    );
}

/// Only filters on analogue registers are read without their declaration.
#[test]
#[cfg(feature = "blocks")]
fn plans_of_other_kinds_do_not_say_all() {
    for item in &declared() {
        let text = of_each!(item, declared => searched(declared));
        let read = crate::plan_file::read(&text, std::path::Path::new("one.scamp")).unwrap();
        match item {
            Item::Kernel(_) => assert!(read.is_ok(), "{text}"),
            _ => assert!(read.unwrap_err().to_string().starts_with("2:1: only plans of filters on analogue"), "{text}"),
        }
    }
}

/// The part of a program that has another name, or is missing, is named.
#[test]
fn parts_of_super_pixels_have_their_names() {
    let items = declared();
    let item = items.iter().find(|item| item.name() == "sum").unwrap();
    let text = of_each!(item, declared => searched(declared));
    for part in ["setup", "before", "program", "after"] {
        let wrong = text.replace(&format!("// {part}\n"), "// later\n");
        let line = text.lines().position(|line| line == format!("// {part}")).unwrap() + 1;
        let error = of_each!(item, declared => read_again(declared, &wrong)).unwrap_err();
        assert!(error.contains(&format!("expected `// {part}`")), "{error}");
        assert!(error.contains(&format!("line: {line},")), "{line}: {error}");
    }
}

/// The tokens of the function and its plan.
fn expanded(item: &Item, cache: Option<&Cache>) -> String {
    let (runtime, name): (TokenStream, _) = (quote!(rt), Ident::new("f", Span::call_site()));
    let frame = Frame { runtime: &runtime, attributes: &[], visibility: &public(), name: &name };
    let plans = Plans { cache: cache.cloned(), ..Plans::new(Mode::Auto, None) };
    let expanded = item.expand(&frame, &plans, |problem| panic!("{}", problem.message));
    assert!(expanded.plan.is_none());
    expanded.function.unwrap().to_string()
}

#[test]
fn what_is_kept_makes_the_same_functions() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::below(folder.path());
    let all = declared();
    for item in &all {
        let fresh = expanded(item, None);
        assert_eq!([expanded(item, Some(&cache)), expanded(item, Some(&cache))], [fresh.clone(), fresh]);
    }
    assert_eq!(std::fs::read_dir(folder.path().join("cain")).unwrap().count(), all.len());
}
