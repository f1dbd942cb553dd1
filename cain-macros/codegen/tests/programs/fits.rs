//! Programs that have registers in one order of their planes only, and what is said where there are none.

use cain_vision::{CompileError, compile};

use super::lowered::read;

/// The error of the first program of a text, if it has one.
#[track_caller]
fn error(text: &str) -> Option<CompileError> {
    let programs = read(text).unwrap_or_else(|problems| panic!("{text}: {problems:?}"));
    compile(&programs[0].declaration).err()
}

/// The larger of two planes needs both and a difference; the sum, which needs least, is made last.
#[test]
fn planes_that_need_more_are_made_first() {
    let text = "program p(image) -> (y, m) {
        state a = image;
        state b = image;
        let y = 1/4 * a - 1/8 * (image + b);
        let m = max(min(image, a), min(max(image, a), b));
        next a = image;
        next b = a;
    }";
    assert_eq!(error(text), None);
}

/// Numbers of a branch are planes where the other one leaves planes.
#[test]
fn numbers_of_a_branch_are_proved() {
    for (branch, other) in [
        ("min(count(x), 50)", "image"),
        ("count(x) > 20", "x"),
        ("clamp(count(x), 0, 7)", "digits(image, 3)"),
        ("if x { 3 } else { 5 }", "digits(image, 3)"),
    ] {
        for text in [
            format!("let v = if on {{ let n = {branch}; n }} else {{ {other} }}; let r = v;"),
            format!("var v = {other}; if on {{ v = {branch}; }} let r = v;"),
            format!("var v = {other}; v = {branch} where on; let r = v;"),
        ] {
            let text = format!("program p(image, on: bool) -> (r) {{ let x = image > 0; {text} }}");
            assert_eq!(error(&text), None, "{text}");
        }
    }
}

/// What is the same on either way of a decision, and what a loop leaves as it is, need not be the same value.
#[test]
fn values_that_coincide_are_proved() {
    for body in [
        "if rows(0..=3) { if on { u = v; } else { v = u; } }",
        "if on { u = rows(1..=2); v = rows(1..=2); } else { u = m; v = m; }",
        "while any(u & v), at most 3 { if (!m) { u = u; } v = v@east & rows(0..=6); }",
        "if on { while any(!u), at most 2 { u = u; } } else { u = !u; }",
        "if on { u = close(open(m), square); } u = v;",
        "u = at_least(0, [close(open(m), square), v]);",
    ] {
        let text = format!(
            "program p(on: bool) -> (u, v, next m) {{ state m: bits = rows(2..=5); var u: bits = rows(1..=4); \
             var v: bits = columns(0..=7); {body} next m = (u & columns(2..=7)) | m & v@west; }}"
        );
        assert_eq!(error(&text), None, "{text}");
    }
}

/// What is put together of many parts one after the other needs registers for one of them at a time: bits at places of the array,
/// levels at such places, and differences that are chosen.
#[test]
fn parts_are_made_one_after_the_other() {
    for text in [
        "program p(image) -> (m) {
            var m: bits = false;
            for r in 0..=9 { m = m | image > 8 * r & rows(8 * r..=8 * r + 7); }
        }",
        "program p(image) -> (limit) {
            var limit: levels = 0;
            for r in 0..=15 { limit = 8 * r where rows(16 * r..=16 * r + 15); }
        }",
        "program p(image, edge: 1..=64 = 12) -> (smooth) {
            var smooth: levels = 1/2 * image;
            var flow: levels = 0;
            for d in [north, east, south, west] {
                let g = smooth@d - smooth;
                flow = flow + (if abs(g) < edge { 1/4 * g } else { 0 });
            }
            smooth = smooth + 1/2 * flow;
        }",
    ] {
        assert_eq!(error(text), None, "{text}");
    }
}

/// A mean of two planes takes one word and another one that turns its sign back, also where it is needed up to the border.
#[test]
fn means_stay_within_their_pe() {
    for (what, most) in [("1/2 * a + 1/2 * b", 2), ("1/4 * a + 1/4 * b", 4), ("a - b", 2)] {
        let text = format!("program p(a: levels(-60..=60), b: levels(-60..=60)) -> (m) {{ let m = {what}; }}");
        let programs = read(&text).unwrap_or_else(|problems| panic!("{text}: {problems:?}"));
        let compiled = compile(&programs[0].declaration).unwrap();
        let words = compiled.program().words();
        assert!(words <= most + 2, "{what}: {words}");
    }
}

/// Without a register for a sum, that is told, and not that a search has found nothing.
#[test]
fn sums_without_registers_are_told_as_such() {
    let text = "program p(image) -> (m, band) {
        state a = image;
        state b = image;
        state fast = 1/2 * image;
        state slow = 1/2 * image;
        let m = middle([image, a, b]);
        let f = 1/2 * fast + 1/4 * image;
        let s = 7/8 * slow + 1/16 * image;
        let band = f - s;
        next a = image;
        next b = a;
        next fast = f;
        next slow = s;
    }";
    assert!(matches!(error(text), Some(CompileError::Registers { .. })), "{:?}", error(text));
}

/// One step of sigma-delta on numbers of so many bits.
fn sigma_delta(bits: usize) -> String {
    format!(
        "program p(image) -> (mask, next m) {{
            state m: digits({bits}) = digits(image, {bits});
            let q = digits(image, {bits});
            let d = if q > m {{ q - m }} else {{ m - q }};
            let mask = d >= 3;
            next m = if q > m {{ m + 1 }} else if q < m {{ m - 1 }} else {{ m }};
        }}"
    )
}

/// Which result is made first, or last, decides whether there are registers.
#[test]
fn results_are_made_in_the_order_that_fits() {
    assert_eq!(error(&sigma_delta(4)), None);
}

/// Bits that do not fit are told as such, with those that are held.
#[test]
fn too_many_bits_are_told() {
    let found = error(&sigma_delta(6));
    assert!(matches!(&found, Some(CompileError::Bits { held, .. }) if held.len() >= 8), "{found:?}");
}

/// Corners by other numbers of neighbours than the example has, within a border and with the signs apart: few comparisons are made
/// twice.
#[test]
fn corners_of_other_forms_are_short() {
    let ring = "[(0, 3), (1, 3), (2, 2), (3, 1), (3, 0), (3, -1), (2, -2), (1, -3), (0, -3), (-1, -3), (-2, -2), (-3, -1), (-3, 0), \
                (-3, 1), (-2, 2), (-1, 3)]";
    let [brighter, darker] = ["image@d - image", "image - image@d"].map(|of| format!("[{of} > t for d in {ring}]"));
    for (what, most) in [
        (format!("let a = run(10, {brighter}); let b = 0;"), 210),
        (format!("let a = run(12, {brighter}) | run(12, {darker}); let b = 0;"), 460),
        (format!("let a = run(9, {brighter}); let b = run(9, {darker});"), 415),
        (
            format!(
                "let inner = !dilate(border(), square, 2); let a = (run(9, {brighter}) | run(9, {darker})) & inner; let b = 0;"
            ),
            435,
        ),
    ] {
        let text = format!("program p(image, t: 1..=64) -> (a, b) {{ {what} }}");
        let programs = read(&text).unwrap_or_else(|problems| panic!("{text}: {problems:?}"));
        let words = compile(&programs[0].declaration).unwrap().program().words();
        assert!(words <= most, "{what}: {words}");
    }
}

/// Functions that are 1 everywhere are known to be alike, whatever they are made of.
#[test]
fn bits_that_are_always_1_are_proved() {
    for always in ["digits(image, 2) >= 0", "inside((0, 0, 256, 256)) | !h | h"] {
        let text = format!(
            "program f(image) -> (c) {{ state h: bits = image > 0; let m = {always}; let c = bounds(m | !h | h); next h = m; }}"
        );
        assert_eq!(error(&text), None, "{always}");
    }
}

/// What a loop carries is never in a register that is written only where another one is 1.
#[test]
fn loops_carry_bits_in_registers_that_any_word_writes() {
    let text = "program f(image, p: -40..=40 = 7, q: -4..=6 = 2) -> (m, v, z, c, b) {
        state s = image, bits(4);
        state h: bits = image > 0;
        let m = h;
        let v = image > 0;
        let z = !at_least(4, [image <= -p, h, h, m]);
        let c = count(z);
        let b = bounds(m & v);
        next s = s where h;
        next h = dilate(flood(m, image <= p, max(q, 0)), cross, 3);
    }";
    assert_eq!(error(text), None);
}

/// The planes that are told to be needed are more than there are registers, those of operations too.
#[test]
fn as_many_levels_are_told_as_are_needed() {
    let text = "program f(image, p: -40..=40 = 7, q: -4..=6 = 2) -> (x, m, y, v, z, b) {
        state s = image, levels(16);
        state t = image;
        state h: bits = image > 20;
        let x = abs(if image > 46 { 39 } else { 17 });
        let m = digits(image, 2) >= 2;
        var y = 1/2 * min(x, s) + p;
        y = clamp(s, -56, 9) where m ^ h;
        var v = shift(y >= -p, q, q);
        repeat k in max(q, 0) { v = v@north; }
        let z = flood(h, v | m, until stable);
        let b = bounds(m & v);
        next s = s where m & x < p;
        next t = max(t, image);
        next h = (1/2 * image + p) > max(s, x);
    }";
    let found = error(text).map(|error| error.to_string());
    let wanted = "no analogue register is left: 7 planes of levels are needed at once, one more than fit";
    assert_eq!(found.as_deref(), Some(wanted));
}
