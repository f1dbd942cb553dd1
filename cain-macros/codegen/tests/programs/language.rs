//! What the parts of the language mean.

use super::morphology::{grown, shrunk, square};
use super::planes::{Bits, pictures, plane};
use super::run::Run;

/// The number that an expression is, with parameters `t = 7`, `n = −7` and `on = 1`.
#[track_caller]
fn number(expression: &str) -> i64 {
    let text = format!("program p(t: 0..=9, n: -9..=0, on: bool) -> (r) {{ let r = {expression}; }}");
    Run::text(&text).blind(&[("t", 7), ("n", -7), ("on", 1)]).number("r")
}

#[test]
fn operators_bind_and_round() {
    for (expression, wanted) in [
        ("1 + 2 * 3 - 4", 3),
        ("(1 + 2) * 3", 9),
        ("1/2 + 0.25 * 2", 1),
        ("t - 1 - 2", 4),
        ("t / 2", 3),
        ("n / 2", -4),
        ("-t / 2", -4),
        ("t % 3", 1),
        ("n % 3", 2),
        ("7 / 2 * 2", 7),
        ("t / 2 * 2", 6),
        ("abs(n) + abs(-3)", 10),
        ("max(t, 3, 9) + min(t, n)", 2),
        ("clamp(t, 0, 5)", 5),
        ("relu(n)", 0),
    ] {
        assert_eq!(number(expression), wanted, "{expression}");
    }
}

#[test]
fn truths() {
    for (expression, wanted) in [
        ("t > 6 & t < 8", true),
        ("t > 7 || t >= 7 && on", true),
        ("t > 7 | t >= 7 & !on", false),
        ("on ^ on", false),
        ("on ^ !on", true),
        ("t == 7 & n != -7 ^ on", true),
        ("t <= 6", false),
        ("1 < 2", true),
        ("(t, 2) == (7, 2)", true),
        ("(t, 2) != (7, 2)", false),
        ("if on { t > 3 } else { t < 3 }", true),
        ("any(everywhere() & on)", true),
        ("any(false & border())", false),
    ] {
        assert_eq!(number(expression), wanted.into(), "{expression}");
    }
}

/// Lists keep their order and what they name twice; matrices go row by row from the north-west.
#[test]
fn what_is_around_is_in_order() {
    let text = "program p(image) -> (first, twice, corner) {
        let ring = neighbours(image > 0, [north, east, south, east]);
        let first = ring[0];
        let twice = at_least(2, ring) & !at_least(3, ring);
        let corner = neighbours(image > 0, [[0, 1, 1], [1, 1, 0], [0, 0, 0]])[2];
    }";
    let picture = &pictures(15, 1)[0];
    let answers = Run::text(text).frame(picture, &[]);
    let bit = |row: i64, column: i64| picture.get(row, column).is_some_and(|level| level > 0.0);
    answers.has_bits("first", &plane(|row, column| bit(row - 1, column)));
    let count = |row: i64, column: i64| {
        let [north, east, south] = [(-1, 0), (0, 1), (1, 0)].map(|(y, x)| u8::from(bit(row + y, column + x)));
        north + 2 * east + south
    };
    answers.has_bits("twice", &plane(|row, column| count(row, column) == 2));
    answers.has_bits("corner", &plane(|row, column| bit(row, column - 1)));
}

#[test]
fn decisions_and_lists() {
    for (expression, wanted) in [
        ("[10 * x + y for x in 0..=2 for y in 1..=3][5]", 13),
        ("[x + y for x in [1, 2] for y in 0..=x][4]", 4),
        ("argmin(p in [(x, y) for x in -1..=1 for y in -1..=1], abs(p[0] - 1) + abs(p[1]) + t)[0]", 1),
        ("if t > 3 { 1 } else { 2 }", 1),
        ("if t > 8 { 1 } else if t > 6 { 2 } else { 3 }", 2),
        ("if true { 1 } else { nothing }", 1),
        ("argmin(k in 1..=9, abs(k - t))", 7),
        ("argmax(k in [3, 1, 2], min(k, 2))", 3),
        ("argmax((a, b) in [(1, 2), (5, 1), (4, 4)], a * b)[0]", 4),
        ("[k * k for k in 1..=4][2]", 9),
        ("max([abs(k - t) for k in [1, 20]])", 13),
        ("((1, 2) + 2 * (t, 3))[0]", 15),
        ("(-(1, t))[1]", -7),
        ("(3..=t).last", 7),
        ("count(inside(region(1, 2, 3, t)))", 21),
        ("count(inside((0, 0, t, 1)))", 7),
        ("count(rows(2..=3) & columns(0..=t))", 16),
        ("count(point((3, 4)) | point((3, 4)) | point((50, 4)))", 1),
        ("first(inside(region(t, 5, 2, 2))).column", 5),
        ("count(inside(bounds(point((1, 2)) | point((4, t)))))", 24),
        ("count(point(first(false & border())))", 0),
        ("north[1] + east[0] + southwest[0]", 1),
    ] {
        assert_eq!(number(expression), wanted, "{expression}");
    }
}

#[test]
fn loops_carry_variables() {
    for (body, wanted) in [
        ("var r = 0; repeat t { r = r + 2; }", 14),
        ("var r = 0; repeat k in t { r = r + k; }", 21),
        // What remains of a division has a range.
        ("var r = 0; repeat count(rows(1..=1) & columns(0..=6)) % 4 { r = r + 3; }", 9),
        ("var q: digits(3) = 0; q = 10 * t % 8; let r = count(q == 6 & point((1, 1)));", 1),
        ("let r = count(levels(rows(0..=2)) > (t - 500) % 50 - 100 & point((1, 1)));", 1),
        // Words of Rust are names as well.
        ("var box = 0; repeat 3 { box = box + 2; } let r = clamp(box, low = 0, high = 5);", 5),
        ("var r = 0; repeat 5, at most 3 { r = r + 1; }", 3),
        ("var r = 0; repeat count(border()), at most 10 { r = r + 1; }", 10),
        ("var r = 0; repeat n { r = r + 1; }", 0),
        ("var r = 0; while r * r < 50, at most 100 { r = r + 1; }", 8),
        ("var r = 0; while true, at most 4 { r = r + 1; }", 4),
        ("var r = 1; var q = 0; repeat t { let s = r + q; q = r; r = s; }", 21),
        ("var r = 0; repeat i in 3 { repeat j in 4 { r = r + i * j; } }", 18),
        ("var r = 0; for k in [1, 5, 9] { r = 10 * r + k; }", 159),
        ("var r = 0; for (a, b) in [(1, 2), (3, 4)] { r = r + a * b; }", 14),
        ("var p = (0, 1); repeat 6 { p = (p[1], p[0] + p[1]); } let r = p[0];", 8),
        ("var r = 0; if on { r = 5; } else { r = 6; }", 5),
        ("var r = 0; if on & t < 3 { r = 5; }", 0),
        // Both branches leave the same, which is not what was there before.
        ("var r = 1; if on { r = 3; } else { r = 3; }", 3),
        ("var r = 1; if t > 8 { r = t; } else if t > 3 { r = t; } else { r = t; }", 7),
        (
            "var b: bits = false; if rows(0..=2) { b = rows(1..=1); } else { b = rows(1..=1); } let r = count(b & columns(0..=4));",
            5,
        ),
        ("var r = 0; repeat 3 { if r > 1 { r = 8; } else { r = 8; } }", 8),
        // Numbers of the controller are rounded down, whether they are known or not.
        ("var r: number = 5; r = r / 2;", 2),
        (
            "let r = count((pattern(rows = (t - 7, 0xFE), columns = (0, 0xFF)) ^ pattern(rows = (0, 0xFE), columns = (0, 0xFF))) | false);",
            0,
        ),
        ("let r = count((pattern(rows = (1, 0xFE)) | pattern(columns = (t, 0))) & rows(0..=3) & columns(4..=8));", 12),
        // Numbers become levels, and truth values bits.
        ("var m = false; for d in [north, east] { m = m | rows(2..=2)@d; } let r = count(m & columns(0..=0));", 2),
        ("var x = rows(2..=2); x = false; let r = count(x | columns(3..=3) & rows(1..=2));", 2),
        ("let r = count((rows(2..=2) | true) & columns(0..=0) & rows(0..=3)) + count(rows(2..=2) & false);", 4),
        ("var r = t; if on { if t > 8 { r = 1; } else { r = 2; } } else { r = 3; }", 2),
        ("var r = 3; r = 4 where on; r = 5 where t < 3; r = 6 where false;", 4),
        ("var r = 0; repeat 4 { if r > 1 { r = r + 10; } else { r = r + 1; } }", 22),
        (
            "var b = point((5, 5)); var r = 0; until stable b, at most 100 { b = dilate(b) & rows(5..=5); r = r + 1; }",
            11,
        ),
        ("var b = point((5, 5)); until stable b, at most 3 { b = dilate(b); } let r = count(b);", 25),
        ("var found = false; repeat k in 5 { found = found | k == t - 4; } let r = if found { 1 } else { 2 };", 1),
    ] {
        let text = format!("program p(t: 0..=9, n: -9..=0, on: bool) -> (r) {{ {body} }}");
        let found = Run::text(&text).blind(&[("t", 7), ("n", -7), ("on", 1)]).number("r");
        assert_eq!(found, wanted, "{body}");
    }
}

#[test]
fn functions_are_put_in() {
    let text = "
        const TWICE = 2 * SOME; const SOME = 3;
        fn scaled(x, factor = SOME, offset = 0) { let y = x * factor; y + offset }
        fn total(n) { var sum = 0; repeat k in n, at most 20 { sum = sum + scaled(k); } sum }
        program p(t: 0..=9) -> (a, b, c, d) {
            let a = scaled(t);
            let b = scaled(t, offset = 1);
            let c = scaled(offset = t, factor = TWICE, x = 1);
            let d = total(t);
        }";
    let answers = Run::text(text).blind(&[("t", 4)]);
    assert_eq!(["a", "b", "c", "d"].map(|name| answers.number(name)), [12, 13, 10, 18]);
}

#[test]
fn masks_choose_in_each_pe() {
    let text = "program p(image, t: 0..=100) -> (r, b) {
        var r = image;
        var b = false;
        if image > t { r = image - 100; b = image < 80; } else if image < -t { r = 0; }
        r = r + 1 where rows(3..=4);
    }";
    let picture = &pictures(80, 1)[0];
    let answers = Run::text(text).frame(picture, &[("t", 30)]);
    let wanted = plane(|row, column| {
        let level = picture.here(row, column);
        let chosen = if level > 30.0 {
            level - 100.0
        } else if level < -30.0 {
            0.0
        } else {
            level
        };
        chosen + f64::from(u8::from(row == 3 || row == 4))
    });
    answers.has_all_levels("r", &wanted);
    answers.has_bits("b", &picture.map(|level| level > 30.0 && level < 80.0));
}

/// A plane is 0 outside of the array even if it is 1 where what it is made of is 0.
#[test]
fn bits_outside_are_zero() {
    let text = "program p(image) -> (a, b, c) {
        let bright = image > 0;
        let a = (!bright)@east;
        let b = !bright@east;
        let c = (bright@north | bright)@(2 west, south);
    }";
    let picture = &pictures(81, 1)[0];
    let answers = Run::text(text).frame(picture, &[]);
    let bright = picture.map(|level| level > 0.0);
    answers.has_bits("a", &plane(|row, column| bright.get(row, column + 1) == Some(false)));
    answers.has_bits("b", &plane(|row, column| !bright.bit(row, column + 1)));
    let both = plane(|row, column| bright.bit(row - 1, column) || bright.bit(row, column));
    answers.has_bits("c", &plane(|row, column| both.bit(row + 1, column - 2)));
}

#[test]
fn matrices_have_origins_and_sums() {
    let text = "const EDGE = [[1, -1]] at [0, 0];
        program p(image) -> (a, b) {
            let a = EDGE * image;
            let b = (1/2 * EDGE + [[1]]) * image / 2 + 3;
        }";
    let picture = &pictures(82, 1)[0];
    let answers = Run::text(text).frame(picture, &[]);
    let slope = |row: i64, column: i64| Some(picture.here(row, column) - picture.get(row, column + 1)?);
    answers.has_levels("a", &plane(slope));
    answers.has_levels(
        "b",
        &plane(|row, column| Some(f64::midpoint(slope(row, column)? / 2.0, picture.here(row, column)) + 3.0)),
    );
}

/// Numbers of three bits: sums end at both ends, and comparisons are right, for all pairs.
#[test]
fn digits_saturate() {
    let text = "program p(image, other: levels) -> (sum, difference, less, same, least, more) {
        let (a, b) = (digits(image, 3), digits(other, 3));
        let sum = levels(a + b);
        let difference = levels(a - b);
        let less = a < b;
        let same = a == b;
        let least = levels(min(a, b));
        let more = levels(if a[0] { a + 3 } else { a - 1 });
    }";
    let level = |code: i64| code as f64 * 32.0 - 112.0;
    let a = plane(|row, column| (row * 16 + column) % 8);
    let b = plane(|row, column| (row * 16 + column) / 8 % 8);
    let answers = Run::text(text).planes(&[a.map(level), b.map(level)], &[]);
    let both = |of: fn(i64, i64) -> i64| a.with(&b, |a, b| level(of(a, b)));
    answers.has_all_levels("sum", &both(|a, b| (a + b).min(7)));
    answers.has_all_levels("difference", &both(|a, b| (a - b).max(0)));
    answers.has_bits("less", &a.with(&b, |a, b| a < b));
    answers.has_bits("same", &a.with(&b, |a, b| a == b));
    answers.has_all_levels("least", &both(i64::min));
    answers.has_all_levels("more", &a.map(|a| level(if a % 2 == 1 { (a + 3).min(7) } else { (a - 1).max(0) })));
}

#[test]
fn states_begin_and_follow() {
    let text = "program p(image, t: 0..=9) -> (next n, next ranged, next place, kept, next on, seen) {
        state n = 5;
        state ranged: -2..=2 = 0;
        state place = (1, 2);
        state kept = image, bits(2);
        state on = false;
        state dark: bits = image < 0;
        next n = n + t;
        next ranged = ranged + t where t < 5;
        if t > 3 { next place = (place[1], t); next on = true; }
        next kept = image where rows(0..=0);
        let seen = dark;
        next dark = dark ^ point((0, 0));
    }";
    let mut run = Run::text(text);
    let pictures = pictures(83, 4);
    let code = |level: f64| ((level + 128.0) / 64.0).floor() * 64.0 - 96.0;
    let mut kept = pictures[0].map(code);
    let (mut n, mut ranged, mut place, mut on) = (5, 0_i64, [1, 2], 0);
    for (frame, (picture, t)) in pictures.iter().zip([1, 4, 2, 9]).enumerate() {
        let answers = run.frame(picture, &[("t", t)]);
        n += t;
        ranged = if t < 5 { (ranged + t).clamp(-2, 2) } else { ranged };
        if t > 3 {
            (place, on) = ([place[1], t], 1);
        }
        assert_eq!((answers.number("n"), answers.number("ranged"), answers.number("on")), (n, ranged, on));
        assert_eq!(answers.numbers("place"), [place[0], place[1], 1]);
        answers.has_all_levels("kept", &kept);
        kept = plane(|row, column| if row == 0 { code(picture.here(row, column)) } else { kept.here(row, column) });
        let seen =
            plane(|row, column| (pictures[0].here(row, column) < 0.0) ^ (frame % 2 == 1 && (row, column) == (0, 0)));
        answers.has_bits("seen", &seen);
    }
}

/// Places and rectangles of a list within tuples, and shapes that are lists of directions.
#[test]
fn entries_of_lists_and_directions() {
    let text = "program p(image, n: 0..=9 = 3) -> (found, wet) {
        list found;
        let part = inside((4, 5, 2, 3));
        found += (n, bounds(part), first(part), 7);
        let wet = flood(point((6, 8)), everywhere(), n, directions = [east, south]);
    }";
    let answers = Run::text(text).frame(&pictures(44, 1)[0], &[("n", 3)]);
    assert_eq!(answers.list("found"), [[3, 4, 5, 5, 7, 4, 5, 7]]);
    answers.has_bits("wet", &plane(|row, column| row >= 6 && column >= 8 && row - 6 + column - 8 <= 3));
}

/// Numbers in each PE beside those of the controller.
#[test]
fn numbers_of_the_controller_beside_digits() {
    let text = "program p(image, n: 0..=15) -> (above, same, most, kept) {
        let q = digits(image, 4);
        let above = q >= n;
        let same = q == n;
        let most = levels(max(q, n));
        var kept: digits(4) = 0;
        if n > 8 { kept = n; }
    }";
    let picture = pictures(45, 1)[0].clone();
    let mut run = Run::text(text);
    let code = picture.map(|level| ((level + 128.0) / 16.0).floor() as i64);
    for n in [7, 9] {
        let answers = run.frame(&picture, &[("n", n)]);
        answers.has_bits("above", &code.map(|code| code >= n));
        answers.has_bits("same", &code.map(|code| code == n));
        answers.has_all_levels("most", &code.map(|code| code.max(n) as f64 * 16.0 - 120.0));
        for bit in 0..4 {
            answers.has_bits(&format!("kept.{bit}"), &code.map(|_| n > 8 && n >> bit & 1 == 1));
        }
    }
}

/// What bits choose from numbers is a number of a few bits beside these, also in branches of the controller.
#[test]
fn choices_beside_digits() {
    let text = "program p(image, n: 0..=15, on: bool) -> (sum, most, far, same, next age) {
        state age: digits(4) = 0;
        let q = digits(image, 4);
        let (b, c) = (image > 0, image > 60);
        let sum = levels(q + (if b { if c { 3 } else { n } } else { 0 }));
        let most = levels(max(q, if b { 9 } else { 2 }));
        let v = if on { if b { n } else { 1 } } else { q };
        let far = v >= 4;
        let same = q == if c { n } else { 8 };
        next age = if b { 5 } else { 6 };
    }";
    let picture = pictures(46, 1)[0].clone();
    let mut run = Run::text(text);
    let code = picture.map(|level| ((level + 128.0) / 16.0).floor() as i64);
    let level = |code: i64| code as f64 * 16.0 - 120.0;
    let of = |choose: &dyn Fn(f64, i64) -> i64| picture.with(&code, choose);
    for (n, on) in [(7, 0), (7, 1), (15, 1)] {
        let answers = run.frame(&picture, &[("n", n), ("on", on)]);
        let added = |x: f64| if x > 60.0 { 3 } else { n * i64::from(x > 0.0) };
        answers.has_all_levels("sum", &of(&|x, q| (q + added(x)).min(15)).map(level));
        answers.has_all_levels("most", &of(&|x, q| q.max(if x > 0.0 { 9 } else { 2 })).map(level));
        let chosen = |x: f64, q: i64| {
            if on == 0 {
                q
            } else if x > 0.0 {
                n
            } else {
                1
            }
        };
        answers.has_bits("far", &picture.with(&code, |x, q| chosen(x, q) >= 4));
        answers.has_bits("same", &picture.with(&code, |x, q| q == if x > 60.0 { n } else { 8 }));
        for bit in 0..4 {
            let age = |x: f64| if x > 0.0 { 5 } else { 6 };
            answers.has_bits(&format!("age.{bit}"), &picture.map(|x| age(x) >> bit & 1 == 1));
        }
    }
}

/// Numbers that a branch computes become planes in it, where the other one leaves planes.
#[test]
fn numbers_of_a_branch_become_planes() {
    let text = "program p(image, n: 0..=3, on: bool) -> (level, bits, third) {
        let x = image > 0;
        let level = if on { let m = min(count(x), 50); m + n } else { image };
        var bits = x;
        if on { let m = count(x & rows(0..=n)); bits = m > 20; }
        let v = if on { n + 1 } else { digits(image, 3) };
        let third = v >= 3;
    }";
    let picture = pictures(47, 1)[0].clone();
    let mut run = Run::text(text);
    let bright = picture.map(|x| x > 0.0);
    for (n, on) in [(2, 0), (1, 1), (3, 1)] {
        let answers = run.frame(&picture, &[("n", n), ("on", on)]);
        let above = bright.ones().iter().filter(|(row, _)| *row <= n).count();
        let chosen = |ours: f64, x: f64| if on == 1 { ours } else { x };
        answers.has_all_levels("level", &picture.map(|x| chosen((bright.count().min(50) + n) as f64, x)));
        answers.has_bits("bits", &picture.map(|x| if on == 1 { above > 20 } else { x > 0.0 }));
        answers.has_bits("third", &picture.map(|x| if on == 1 { n + 1 >= 3 } else { x >= -32.0 }));
    }
}

/// Functions and constants of a file may have names of the language, whose own functions go on to use their own ones.
#[test]
fn names_of_the_language() {
    let text = "const cross = [[1, 1, 1]];
        fn erode(b) { b@east }
        fn clamp(x, low, high) { low }
        program p(image, n: -9..=9 = 2) -> (own, opened, moved, held, wide) {
            let b = image > 0;
            let own = erode(b);
            let opened = open(b);
            let moved = shift(image, n, 0);
            let held = clamp(n, 5, 6);
            let wide = dilate(b, cross);
        }";
    let picture = &pictures(494, 1)[0];
    let bits = picture.map(|level| level > 0.0);
    let answers = Run::text(text).frame(picture, &[]);
    answers.has_bits("own", &plane(|row, column| bits.bit(row, column + 1)));
    let cross = [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)];
    let eroded = plane(|row, column| cross.iter().all(|(y, x)| bits.bit(row + y, column + x)));
    answers.has_bits("opened", &plane(|row, column| cross.iter().any(|(y, x)| eroded.bit(row + y, column + x))));
    answers.has_levels("moved", &plane(|row, column| picture.get(row, column - 2)));
    assert_eq!(answers.number("held"), 5);
    answers.has_bits("wide", &plane(|row, column| (-1..=1).any(|x| bits.bit(row, column + x))));
}

/// Planes move by numbers of the controller in one direction, and by known ones in the other.
#[test]
fn planes_move_by_numbers_of_both_kinds() {
    let text = "program p(image, n: -9..=9, on: bool) -> (a, b, c, d) {
        let a = shift(image, n, -3);
        let b = shift(image, 11, n);
        let c = shift(image > 0, (n, -1));
        let d = shift(on, 1, n);
    }";
    let picture = &pictures(495, 1)[0];
    let bits = picture.map(|level| level > 0.0);
    let mut run = Run::text(text);
    for n in [-9, 0, 4] {
        let answers = run.frame(picture, &[("n", n), ("on", 1)]);
        answers.has_levels("a", &plane(|row, column| picture.get(row - 3, column - n)));
        answers.has_levels("b", &plane(|row, column| picture.get(row + n, column - 11)));
        answers.has_bits("c", &plane(|row, column| bits.bit(row - 1, column - n)));
        let on = plane(|_, _| true);
        answers.has_bits("d", &plane(|row, column| on.bit(row + n, column - 1)));
    }
}

/// Truth values of the controller grow and shrink like planes of bits.
#[test]
fn truth_values_grow_and_shrink() {
    let text = "program p(image, on: bool) -> (wide, narrow, reached, opened) {
        let wide = dilate(on, square, 2);
        let narrow = erode(on, square, 2);
        let reached = flood(on, true, 2);
        let opened = open(true, square, 2);
    }";
    let mut run = Run::text(text);
    let twice = |bits: &Bits, once: fn(&Bits, &[(i64, i64)]) -> Bits| once(&once(bits, &square()), &square());
    for on in [0, 1] {
        let answers = run.frame(&pictures(496, 1)[0], &[("on", on)]);
        let whole = plane(|_, _| on == 1);
        answers.has_bits("wide", &twice(&whole, grown));
        answers.has_bits("narrow", &twice(&whole, shrunk));
        answers.has_bits("reached", &whole);
        answers.has_bits("opened", &twice(&twice(&plane(|_, _| true), shrunk), grown));
    }
}

/// Numbers of variables stay in the range that is written for them, in loops and elsewhere, and can be added to levels then.
#[test]
fn variables_stay_in_their_range() {
    for (statements, wanted) in [
        ("var r: 0..=9 = 0; repeat 20 { r = r + 1; }", 9),
        ("var r: -3..=9 = 5; repeat t { r = r - 2; }", -3),
        ("var r: 0..=9 = 0; for k in 0..=20 { r = r + k; }", 9),
        ("var r: 0..=5 = t;", 5),
        ("var r: 0..=5 = 1; r = n;", 0),
        ("var r: 0..=5 = 1; if on { r = 3 * t; }", 5),
        ("var r: 0..=5 = 1; while r < 5, at most 3 { r = r + 1; } r = 2 * r;", 5),
        ("var (r, other): 2..=5 = (3, 4); repeat 3 { let old = r; r = r - other; other = old; }", 2),
        ("var r = 0; var k: 1..=4 = 1; repeat 9 { k = 2 * k; r = r + k; }", 34),
    ] {
        let text = format!("program p(t: 0..=9, n: -9..=0, on: bool) -> (r) {{ {statements} }}");
        let found = Run::text(&text).blind(&[("t", 7), ("n", -7), ("on", 1)]).number("r");
        assert_eq!(found, wanted, "{statements}");
    }
    let text = "program p(image) -> (r) { var n: 0..=50 = 40; repeat 20 { n = n + 1; } let r = image > n; }";
    let picture = &pictures(3, 1)[0];
    Run::text(text).frame(picture, &[]).has_bits("r", &picture.map(|level| level > 50.0));
}

/// Numbers beyond those that are exact are the nearest one that is.
#[test]
fn numbers_saturate() {
    let text = "program f(a: -2147483647..=2147483647, n: 0..=2000) -> (cube, rest, back, five) {
        let cube = a * a * a;
        let rest = (a * a) % 1000;
        let back = (a * a * a - a) / a;
        var doubled = 1;
        repeat n { doubled = doubled * 2; }
        let five = doubled - doubled + 5;
    }";
    let (largest, a) = (1_i64 << 53, 2_147_483_647_i64);
    let answers = Run::text(text).blind(&[("a", a), ("n", 2_000)]);
    let found = ["cube", "rest", "back", "five"].map(|name| answers.number(name));
    assert_eq!(found, [largest, largest % 1000, (largest - a) / a, 5]);
    let answers = Run::text(text).blind(&[("a", -a), ("n", 52)]);
    assert_eq!(["cube", "five"].map(|name| answers.number(name)), [-largest, 5]);
}
