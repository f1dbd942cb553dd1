use std::path::Path;

use proc_macro2::TokenTree;

use super::{Found, Missing, Surroundings};
use crate::blocks::{Blocks, networks, place_of, read};
use crate::diagnostic::Diagnostic;
use crate::kinds::Item;
use crate::nesting::Flat;

const FILTER: &str = "scamp_kernels! { fn f(A) -> B using () =";

/// The only filter of a source.
#[track_caller]
fn filter(source: &str) -> String {
    let Blocks { items, problems, .. } = read(&source.replace("FILTER", FILTER));
    let [Item::Kernel(filter)] = items.as_slice() else { panic!("{source}\n{problems:#?}") };
    assert_eq!(problems, [], "{source}");
    filter.declaration.to_string()
}

#[test]
fn literals_around_a_block_are_numbers_and_kernels() {
    for (source, plain) in [
        ("const W: f32 = 0.25; FILTER W * [[1, W]] at [0, 0]; }", "1/4 * [[1, 0.25]] at [0, 0]"),
        ("pub(crate) const SIDE: i64 = -0x3_i64; FILTER [[-SIDE, 0, (SIDE)]]; }", "[[3, 0, -3]]"),
        ("const K: [[i32; 3]; 1] = [[1, 2_i32, (-1),],]; FILTER 1/2 * K; }", "1/2 * [[1, 2, -1]]"),
        ("const K: &[&[f64]] = &[&[1., 0.5, -25e-2]]; FILTER K * A - 3 * K; }", "-2 * [[1, 1/2, -0.25]]"),
        ("const K: [[u8; 2]; 2] = [[1, 2], [3, 4]]; FILTER K at [1, 1]; }", "[[1, 2], [3, 4]] at [1, 1]"),
        ("const W: u8 = 3; FILTER SUM; const SUM = KERNEL + [[W]]; const KERNEL = [[1]]; }", "[[4]]"),
        ("FILTER [[WEIGHT]]; }\n/// Behind it.\n#[allow(unused)]\npub const WEIGHT: i8 = 7;", "[[7]]"),
        // The innermost one, and never one of a scope beside.
        ("const K: u8 = 1; fn g<const K: u8 = 9>() { const K: u8 = 2; { const K: u8 = 3; } FILTER [[K]]; } }", "[[2]]"),
        ("mod a { const K: u8 = 1; } const K: u8 = 2; mod b { use super::*; FILTER [[K]]; } }", "[[2]]"),
        ("const K: u8 = 5; FILTER [[K]]; const K = 6; }", "[[6]]"),
        // Columns are characters; in texts and comments nothing is declared.
        ("/* é const K: u8 = 1; */ const S: &str = \"ü const K: u8 = 9;\"; const K: u8 = 2; FILTER [[K]]; }", "[[2]]"),
        ("\u{feff}const K: u8 = 2;\r\nFILTER\r\n[[K]]; }", "[[2]]"),
        ("const K: u8 = 2; cfg_if! { if #[cfg(x)] { FILTER [[K]]; } } }", "[[2]]"),
    ] {
        assert_eq!(filter(source), filter(&format!("FILTER {plain}; }}")), "{source}");
    }
}

#[test]
fn other_constants_around_a_block_cannot_be_used() {
    for (source, word, part) in [
        ("const GAUSS: u8 = 1;\nFILTER [[GAUS]]; }", "GAUS", "unknown constant `GAUS`; did you mean `GAUSS`?"),
        ("FILTER [[WEIGHT]]; }", "WEIGHT", "declared neither in this block nor around it in the same file"),
        ("mod a { const WEIGHT: u8 = 1; } FILTER [[WEIGHT]]; }", "WEIGHT", "declared neither in this block nor"),
        ("const W: f32 = 1.0 / 16.0; FILTER [[W]]; }", "W", "constant `W`, `1.0 / 16.0` in line 1, is not a number"),
        ("const W: [[u8; 3]; 3] = [[1; 3]; 3]; FILTER W; }", "W", "`[[1 ; 3] ; 3]` in line 1, is not a number or"),
        ("const W: char = 'x';\n\nFILTER [[W]]; }", "W", "`'x'` in line 1"),
        ("const W: u8;\nFILTER [[W]]; }", "W", "declared neither in this block nor"),
        ("#[cfg(a)] const W: u8 = 1;\n#[cfg(b)] const W: u8 = 2;\nFILTER [[W]]; }", "W", "line 1 and again in line 2"),
        ("const W: [u8; 3] = [1, 2, 1]; FILTER W; }", "W", "constant `W` in line 1: a kernel of one row has brackets"),
        (
            "const W: [[[u8; 1]; 1]; 1] = [[[1]]]; FILTER W; }",
            "W",
            "an array of rows, as in `[[1, 2, 1]]`, and not one",
        ),
        ("const W: [[u8; 2]; 1] = [[1, 2]]; FILTER W; }", "W", "has no centre"),
        ("const W: f32 = 0.1; FILTER [[W, 1, 1]]; }", "W", "0.1 is 1/10, whose denominator is not made of"),
        ("const W: u8 = 1; FILTER W; }", "W", "`W` is a number; expected a kernel"),
        ("const W: [[u8; 1]; 1] = [[1]]; FILTER [[W]]; }", "W", "`W` is a kernel; expected a number"),
    ] {
        let source = source.replace("FILTER", FILTER);
        let found = read(&source).problems;
        let [Diagnostic { place, message }] = found.as_slice() else { panic!("{source}\n{found:#?}") };
        let line = source.lines().nth(place.line - 1).unwrap();
        let at: String = line.chars().skip(place.column - 1).take(word.len()).collect();
        assert!(at == word && message.contains(part), "{source}\nexpected {word}: {part}\nfound {found:#?}");
    }
}

/// The expansion is not known to tools, and in a build the compiler tells the place in the definition.
#[test]
fn rules_of_macros_see_no_constants_around_them() {
    let place_of = |span| Some(place_of(span));
    let text = "const W: u8 = 1; macro_rules! blur { () => { FILTER [[W]]; } } }".replace("FILTER", FILTER);
    let input = text.parse().unwrap();
    let text_of = |_: &Path| Some(text.clone());
    let surroundings = Surroundings::new(input, &place_of, &text_of);
    let words = Flat::of(text.parse().unwrap());
    let word = words.filter_map(|token| match token {
        TokenTree::Ident(word) if word == "W" => Some(surroundings.constant(&word)),
        _ => None,
    });
    let found: Vec<_> = word.collect();
    assert!(matches!(&found[1], Found::Missing(Missing::InRules(rules)) if rules == "blur"));
}

#[test]
fn values_of_networks_can_be_literals_around_them() {
    let network = |around: &str, scale: &str, kernels: &str| {
        let source = format!(
            "{around} scamp_network! {{ network n {{ input = {{ size = [8, 8], levels = -60..60 }};\n\
             edges = convolution {{ scale = {scale}, kernels = {kernels} }}; sums = windows {{ size = 2 }}; }} }}"
        );
        networks(&source, Path::new(""))
    };
    let around = "const KERNELS: [[[f32; 3]; 1]; 2] = [[[-1., 0.0, 1.0]], [[0.5, 0.0, 0.5]]]; const HALF: f64 = 0.5;";
    let (found, problems) = network(around, "HALF", "KERNELS");
    assert_eq!(problems, []);
    let (plain, _) = network("", "0.5", "[[[-1.0, 0.0, 1.0]], [[0.5, 0.0, 0.5]]]");
    let ([Item::Network(found)], [Item::Network(plain)]) = (found.as_slice(), plain.as_slice()) else {
        panic!("{found:?} {plain:?}")
    };
    assert_eq!(found.network, plain.network);
    for (around, kernels, line, part) in [
        ("const KERNELS: &[[f32; 1]] = &[[1.0 / 2.0]];", "KERNELS", 2, "`& [[1.0 / 2.0]]` in line 1"),
        ("", "KERNELS", 2, "expected"),
    ] {
        let (_, problems) = network(around, "1", kernels);
        let fits = problems.first().is_some_and(|first| first.place.line == line && first.message.contains(part));
        assert!(fits, "{problems:#?}");
    }
}
