//! Texts that are no programs: whatever they are, they are told to be wrong, in time and without a panic.

use cain_isa::random::SplitMix64;

use super::lowered::{read, texts};

/// Words and signs of a text.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let end = if is_word(first) { rest.find(|c| !is_word(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
        let (piece, after) = rest.split_at(end);
        pieces.push(piece);
        rest = after;
    }
    pieces
}

#[test]
fn changed_programs() {
    let texts = texts();
    let all: Vec<&str> = texts.iter().flat_map(|text| pieces(text)).filter(|piece| !piece.trim().is_empty()).collect();
    let mut random = SplitMix64::new(1);
    let mut wrong = 0;
    for _ in 0..300 {
        let text = format!("use \"a.toml\"; {}", texts[random.below(texts.len())]);
        let mut pieces = pieces(&text);
        for _ in 0..=random.below(3) {
            let place = random.below(pieces.len());
            let other = random.below(pieces.len());
            match random.below(4) {
                0 => drop(pieces.remove(place)),
                1 => pieces.swap(place, other),
                2 => pieces[place] = all[random.below(all.len())],
                _ => pieces.insert(place, all[random.below(all.len())]),
            }
        }
        wrong += usize::from(read(&pieces.concat()).is_err());
    }
    assert!(wrong > 150, "{wrong}");
}

/// Expects that a text is wrong.
#[track_caller]
fn is_wrong(text: &str) {
    assert!(read(text).is_err());
}

fn of_body(body: &str) -> String {
    format!("program p(image, t: 0..=100, on: bool) -> (r) {{ {body} }}")
}

#[test]
fn deep_nesting() {
    for count in [30, 62, 64, 127, 1000, 20_000] {
        for (before, middle, after) in [
            ("(", "1", ")"),
            ("[", "1", "]"),
            ("-", "1", ""),
            ("!", "on", ""),
            ("abs(", "image", ")"),
            ("1 + ", "1", ""),
            ("", "1", " + 1"),
            ("", "image", "@east"),
            ("", "(1, 2)", "[0]"),
            ("if on { ", "1", " } else { 2 }"),
            ("if image > 3 { ", "1", " } else { 2 }"),
            ("if on { 1 } else { ", "1", " }"),
            ("if on { 1 } else ", "{ 2 }", ""),
            ("[k for k in ", "1..=2", "]"),
            ("argmin(k in [1, 2], ", "t", ")"),
        ] {
            let text = format!("let r = {}{middle}{};", before.repeat(count), after.repeat(count));
            let _ = read(&of_body(&text));
        }
        for (before, after) in [
            ("if on { ", "}"),
            ("if image > 3 { ", "}"),
            ("repeat t { ", "}"),
            ("while t > 3, at most 3 { ", "}"),
            ("for k in [1] { ", "}"),
        ] {
            let text = format!("var r = image; {} r = 1/2 * r; {}", before.repeat(count), after.repeat(count));
            let _ = read(&of_body(&text));
        }
    }
    for count in [30, 62, 64, 127, 1000, 3_000] {
        let calls: String =
            (0..count).map(|k| format!("fn f{k}(x) {{ (1 + f{}(x)) }} ", k + 1)).collect::<Vec<_>>().concat();
        let text = format!("{calls} fn f{count}(x) {{ x }} {}", of_body("let r = f0(image);"));
        let _ = read(&text);
    }
}

#[test]
fn giant_programs() {
    // Doubled by each function.
    let calls: String =
        (0..60).map(|k| format!("fn f{k}(x) {{ f{0}(x) + f{0}(x@east) }} ", k + 1)).collect::<Vec<_>>().concat();
    is_wrong(&format!("{calls} fn f60(x) {{ x }} {}", of_body("let r = f0(image);")));
    is_wrong(&of_body("let r = [k for k in -2_000_000_000..=2_000_000_000];"));
    is_wrong(&of_body("let l = [k for k in 1..=20_000]; var r = 0; for k in 0..=19_999 { r = r + l[k]; }"));
    is_wrong(&of_body(
        "var r = image; for k in 1..=200 { r = [[1, 1, 1], [1, 1, 1], [1, 1, 1]] * r; r = r - image@(k, 0); } \
                       for k in 1..=60_000 { r = r + image; }",
    ));
    is_wrong(&of_body("var r = image > 3; for k in 1..=40_000 { r = r ^ image > k; }"));
    is_wrong(&of_body("var r = t; for k in 1..=40_000 { r = r * r + k; }"));
    is_wrong(&of_body("let r = median([k for k in 1..=5_001]);"));
    is_wrong(&of_body("let b = image > 3; let r = run(2_000, [b for k in 1..=4_000]);"));
    let long = "a".repeat(1_000_000);
    is_wrong(&of_body(&format!("let {long}b = 1; let {long}c = 2; let r = {long}d;")));
    is_wrong(&of_body(&format!("let r = {};", "9".repeat(1_000_000))));
    is_wrong(&of_body(&"let a = x; ".repeat(20_000)));
}
