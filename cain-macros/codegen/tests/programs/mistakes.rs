//! Wrong programs: each mistake, its place and what is said.

use super::lowered::read;

/// The messages about a text.
fn problems(text: &str) -> Vec<String> {
    match read(text) {
        Ok(_) => Vec::new(),
        Err(problems) => problems.iter().map(ToString::to_string).collect(),
    }
}

/// The messages about the body of a program with a picture, whose first statement is in line 2.
fn of_body(body: &str) -> Vec<String> {
    problems(&format!("program p(image, t: 0..=100, on: bool) -> (r) {{\n{body}\n}}"))
}

/// All texts have these messages.
#[track_caller]
fn all_are_told(wrong: &[(&str, &[&str])], told: impl Fn(&str) -> Vec<String>) {
    let found = wrong.iter().map(|(text, wanted)| (text, told(text), wanted));
    let others: Vec<String> = found
        .filter(|(_, found, wanted)| found != *wanted)
        .map(|(text, found, wanted)| format!("{text}\n   is: {found:?}\n  not: {wanted:?}\n"))
        .collect();
    assert!(others.is_empty(), "{}", others.concat());
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn statements_and_expressions() {
    const WRONG: &[(&str, &[&str])] = &[
        ("let r = imgae > t;", &["2:9: unknown name `imgae`; did you mean `image`?"]),
        (
            "let r = imag > 3; let q = tt;",
            &["2:9: unknown name `imag`; did you mean `image`?", "2:27: unknown name `tt`"],
        ),
        (
            "let r = image & on;",
            &[
                "2:15: expected bits or truth values around `&`, found a plane of levels; compare it, as in `image > 40`",
            ],
        ),
        (
            "let r = image > 3 + on@east;",
            &[
                "2:19: expected levels or numbers around `+`, found a plane of bits; `|`, `&` and `^` combine bits, and `count(b)` tells how many are 1",
            ],
        ),
        ("let r = t < image < 5;", &["2:19: comparisons do not chain; write `a < b & b < c`"]),
        (
            "let r = image == 3;",
            &["2:15: levels are never exactly equal; write how near they are, as in `abs(x - y) < 2`"],
        ),
        (
            "let r = image + (image > 3);",
            &[
                "2:15: expected a plane of levels, found a plane of bits; `if bits { 1 } else { 0 }` makes levels of them",
            ],
        ),
        (
            "let r = !image;",
            &["2:9: expected bits or a truth value behind `!`, found a plane of levels; the negative is `-`"],
        ),
        ("let r = -(image > 3);", &["2:9: expected levels or a number behind `-`, found a plane of bits"]),
        (
            "let r = image * t;",
            &[
                "2:15: expected a number that is known while the program is compiled, to multiply levels with, found a number of the controller",
            ],
        ),
        (
            "let r = image / t;",
            &[
                "2:15: expected a number that is known while the program is compiled, to divide by, found a number of the controller",
            ],
        ),
        ("let r = 3 / 0;", &["2:11: this divides by zero"]),
        ("let r = image / 0;", &["2:15: this divides by zero"]),
        ("let r = t / 0;", &["2:11: this divides by zero"]),
        (
            "let r = image * [[1, 2, 1]];",
            &["2:15: a matrix stands before what it is multiplied with, as in `[[1, 2, 1]] * image`"],
        ),
        (
            "let r = [[1, 2]] * image;",
            &[
                "2:9: a kernel of 1×2 weights has no centre; pad it with zeros to an odd number of rows and columns, or say with `at [row, column]` after it, from 0, which weight belongs to the PE itself",
            ],
        ),
        ("let r = [[1, 2], [1]] * image;", &["2:9: row 2 has 1 weight but row 1 has 2; make all rows equally long"]),
        (
            "let r = [[1, image, 3]] * image;",
            &["2:10: a row of a matrix has numbers that are known while the program is compiled"],
        ),
        (
            "let r = [[1, 2, 1]] + image;",
            &[
                "2:21: expected another matrix beside a matrix, found a plane of levels; multiply it with a plane, as in `[[1, 2, 1]] * image`",
            ],
        ),
        (
            "let r = [[1, 2, 1]] * [[1], [2], [1]] * image;",
            &[
                "2:21: matrices cannot be multiplied; multiply one after the other with the plane, as in `[[1, 1]] * ([[1], [1]] * x)`",
            ],
        ),
        (
            "let r = if t { image } else { 0 };",
            &[
                "2:12: expected a truth value of the controller, found a number of the controller; compare it, as in `n > 0`",
            ],
        ),
        (
            "let r = if image { image } else { 0 };",
            &["2:12: expected bits or a truth value, found a plane of levels; compare it, as in `image > 40`"],
        ),
        (
            "let r = if on { image } else { image > 3 };",
            &["2:9: one of both is a plane of levels, the other a plane of bits"],
        ),
        (
            "let r = if on { image };",
            &["2:9: an `if` whose value is used has a value in both branches: `if on { a } else { b }`"],
        ),
        (
            "let r = (1, 2) + (1, 2, 3);",
            &["2:16: expected tuples of one length around `+` and `-`, found a tuple of 2 and a tuple of 3"],
        ),
        ("let (a, b) = (1, 2, 3); let r = a;", &["2:5: expected a tuple of 2, found a tuple of 3"]),
        (
            "let r = image@(1, 2, 3);",
            &["2:15: expected PEs to the east and to the north, such as `east` or `(3, -2)`, found a tuple of 3"],
        ),
        (
            "let r = image@(t, 2);",
            &[
                "2:15: what is read with `@` lies a known number of PEs away; `shift(x, dx, dy)` moves a plane by numbers of the controller",
            ],
        ),
        (
            "let r = move(image, if on { west } else { east }, image > t);",
            &[
                "2:21: the direction of `move` is known while the program is compiled; choose between planes that are moved in each, as in `if on { move(x, west, b) } else { move(x, east, b) }`",
            ],
        ),
        (
            "let r = open(image > t, if on { square } else { cross }, 2);",
            &[
                "2:25: shapes are known while the program is compiled; choose between planes that are made with each, as in `if on { dilate(b, square) } else { dilate(b, cross) }`",
            ],
        ),
        (
            "let r = dilate(image > t, if on { [north] } else { [east] });",
            &[
                "2:9: `dilate`: shapes are known while the program is compiled; choose between planes that are made with each, as in `if on { dilate(b, square) } else { dilate(b, cross) }`",
            ],
        ),
        (
            "var r = t; if t > 2 { r = cuont(image); } else { r = r - 1; }",
            &["2:27: unknown function `cuont`; did you mean `count`?"],
        ),
        (
            "var r = 0; repeat 1_048_577 { r = r + 1; }",
            &["2:19: a loop has no more than 1048576 passes, but this one has 1048577"],
        ),
        ("let r = image@noth;", &["2:15: unknown name `noth`; did you mean `north`?"]),
        ("let r = image@(3 estt);", &["2:18: unknown name `estt`"]),
        ("let r = image@(400 east);", &["2:16: expected a number of PEs from -256 to 256, found 400"]),
        (
            "let r = image@7;",
            &[
                "2:15: expected a direction such as `east`, or PEs to the east and to the north such as `(3, -2)`, found `7`",
            ],
        ),
        ("let r = t@east;", &["2:10: expected a plane to read at another PE, found a number of the controller"]),
        (
            "let r = shift(image, 3);",
            &["2:22: expected PEs to the east and to the north, as in `shift(x, 3, -2)`, found the number 3"],
        ),
        ("let r = shift(image, image, 3);", &["2:22: expected a number of the controller, found a plane of levels"]),
        (
            "let r = dilate(image);",
            &["2:16: expected bits as `bits` of `dilate`, found a plane of levels; compare it, as in `image > 40`"],
        ),
        ("let r = dilate(image > 3, crss);", &["2:27: unknown name `crss`; did you mean `cross`?"]),
        ("let r = dilate(image > 3, times = 2, tims = 3);", &["2:38: unknown argument `tims`; did you mean `times`?"]),
        (
            "let r = dilate(image > 3, cross, 2, 3);",
            &["2:37: `dilate` takes 1 to 3 arguments: `bits`, `shape`, `times`"],
        ),
        ("let r = dilate(image > 3, cross, shape = square);", &["2:42: argument `shape` is given twice"]),
        ("let r = dilate(times = 2, image > 3);", &["2:33: arguments without a name stand before those with one"]),
        ("let r = dilate();", &["2:9: `dilate` takes 1 to 3 arguments: `bits`, `shape`, `times`"]),
        ("let r = dilat(image > 3);", &["2:9: unknown function `dilat`; did you mean `dilate`?"]),
        (
            "let r = count(image);",
            &["2:15: expected a plane of bits, found a plane of levels; compare it, as in `image > 40`"],
        ),
        (
            "let r = sum(image > 3);",
            &[
                "2:19: expected a plane of levels, found a plane of bits; `if bits { 1 } else { 0 }` makes levels of them",
            ],
        ),
        ("let r = digits(image, 9);", &["2:23: expected a number of bits from 1 to 8, found 9"]),
        (
            "let r = digits(image, t);",
            &["2:23: expected a number that is known while the program is compiled, found one of the controller"],
        ),
        (
            "let l = [1, 2]; let r = l[t];",
            &[
                "2:27: expected the number of an element that is known while the program is compiled, found one of the controller; \
                 choose, as in `if n == 0 { l[0] } else { l[1] }`",
            ],
        ),
        (
            "let l = [north, east]; let r = image@l[0];",
            &[
                "2:38: expected PEs to the east and to the north, such as `east` or `(3, -2)`, found a list of 2; an element of a \
                 list is read in brackets, as in `x@(ring[0])`",
            ],
        ),
        ("let r = bounds(image > 3).botom;", &["2:27: unknown field `botom`; did you mean `bottom`?"]),
        ("let r = image.top;", &["2:15: a plane of levels has no fields"]),
        (
            "let r = image[0];",
            &[
                "2:15: expected a tuple, a list or a number in each PE, found a plane of levels; `x@east` is what the eastern neighbour has",
            ],
        ),
        ("let r = (1, 2)[2];", &["2:16: expected the number of an element from 0 to 1, found 2"]),
        ("let r = digits(image, 4)[4];", &["2:26: expected the number of a bit from 0 to 3, found 4"]),
        ("let r = digits(image, 4) + 16;", &["2:26: 4 bits hold whole numbers from 0 to 15, not 16"]),
        (
            "let r = [image@d for d in 3];",
            &["2:27: expected a list such as `[north, east]` or a range such as `0..=3`, found the number 3"],
        ),
        ("let r = [image@d for d in 3..=1];", &["2:28: the range is empty: 3 is more than 1"]),
        ("let r = any;", &["2:9: `any` is a function; call it, as in `any(..)`"]),
        ("let r = dilate;", &["2:9: `dilate` is a function; call it, as in `dilate(..)`"]),
        ("let r = 1.5u8;", &["2:9: numbers have no types; write `1.5`"]),
        ("let r = \"text\";", &["2:9: expected an expression such as `image@east - image`, found `\"text\"`"]),
        ("let r = 99999999999999999999;", &["2:9: the number has more digits than 64 bits hold"]),
        ("let r = 0..3;", &["2:10: both ends belong to a range; write it with `..=`, as in `0..=15`"]),
        (
            "state s = image; let r = s;",
            &[
                "2:7: state `s` never changes; write `next s = ..`, or make it a `let`; `next s = s` keeps what it is in the first \
               frame",
            ],
        ),
        (
            "state s = 3; let r = image > s;",
            &[
                "2:7: state `s` never changes; write `next s = ..`, or make it a `let`; `next s = s` keeps what it is in the first \
               frame",
            ],
        ),
        (
            "state s = 3; let r = image > s; next s = s + 1;",
            &[
                "2:28: this adds a number without a range to levels, which are from -128 to 127; give its parts a smaller range, as \
                 in `clamp(n, -128, 127)` or `state n: -128..=127 = 0`",
            ],
        ),
        (
            "state s = image; next s = image; let r = 1;",
            &["2:7: state `s` is never read; read it, or name `next s` among the results"],
        ),
        (
            "state s = 0; next s = image; let r = s;",
            &[
                "2:23: state `s` is a number of the controller, but this is a plane of levels; declare it with `: levels`",
            ],
        ),
        (
            "state s = 0; next s = 1; next s = 2; let r = s;",
            &["2:31: `next s` is given twice on one path, first in line 2"],
        ),
        (
            "state s = 0; if on { next s = 1; } next s = 2; let r = s;",
            &["2:41: `next s` is given twice on one path, first in line 2"],
        ),
        (
            "state s = 0; repeat t { next s = 1; } let r = s;",
            &["2:30: a state has one value after the frame; assign a `var` in the loop, and write `next` behind it"],
        ),
        (
            "state s = 0; s = 3; let r = s;",
            &[
                "2:14: `s` is a state, in line 2, and is not assigned; write `next s = ..` for what it is after the frame",
            ],
        ),
        (
            "state s = 0; next t = 3; next ss = 3; let r = s;",
            &[
                "2:19: `t` is not a state; declare it with `state t = ..;`",
                "2:31: `ss` is not a state; declare it with `state ss = ..;`",
            ],
        ),
        (
            "state s = 1/2; next s = 3; let r = s;",
            &["2:12: numbers of the controller are whole, but this is 1/2; `n / 4` is a quarter of one, rounded down"],
        ),
        (
            "state s = 0, levels(16); next s = 3; let r = s;",
            &[
                "2:11: expected a state of levels, which can be kept like that, found the number 0; write `: levels` behind its name if it begins with a number",
            ],
        ),
        (
            "state s = image, levels(1); next s = 3; let r = s;",
            &["2:25: expected a number of levels from 2 to 128, found 1"],
        ),
        (
            "state s = image, level(3); next s = 3; let r = s;",
            &["2:18: expected `analogue`, `levels(n)` or `bits(n)`, found `level`"],
        ),
        ("state s; let r = 3;", &["2:8: expected `=` and what the state is before the first frame, found `;`"]),
        (
            "if on { state s = 0; } let r = 3;",
            &["2:15: states are declared in the program itself, outside of loops, branches and functions"],
        ),
        (
            "let r = 1; r = 2;",
            &["2:12: `r` is declared with `let`, in line 2, and is not assigned; write `var r` there to assign it"],
        ),
        (
            "let r = 1; let r = 2;",
            &["2:16: `r` is declared twice, first in line 2; rename one, or make it a `var` and assign it"],
        ),
        (
            "r = 1;",
            &[
                "1:44: result `r` has no value; give it one with `let r = ..;`",
                "2:1: unknown name `r`; write `let r = ..`, or `var r = ..` if it is assigned again",
            ],
        ),
        (
            "var r = 1; image = r;",
            &[
                "2:12: `image` is an input or parameter of the program, in line 1, and is not assigned; write `var other = image;` and assign that",
            ],
        ),
        ("var r = 1; r += 2;", &["2:12: `+=` adds to lists of results; write `r = r + ..`"]),
        ("let r = 1; q += 2;", &["2:12: `q` is not a list; declare it with `list q;` and name it among the results"]),
        ("list q; let r = 1;", &["2:6: list `q` is not among the results"]),
        ("list r; r += (1, 2); r += 3;", &["2:27: the entries of `r` have 2 numbers, but this one has 1"]),
        ("list r; r += 3; r += (1, 2);", &["2:22: the entries of `r` have 1 number, but this one has 2"]),
        (
            "var (q, r) = (1, 2); (q, r) = (r, q);",
            &["2:22: only a `var` is assigned, as a whole: `x = ..;`, or `p = (q, r);` for one that is a tuple"],
        ),
        (
            "let r = at_least(18, 25);",
            &["2:22: expected a list of bits, as in `[b, b@north, b@east]`, found the number 25"],
        ),
        ("list r; r += image;", &["2:14: expected a number of the controller, found a plane of levels"]),
        (
            "list r; if image > 3 { r += 1; }",
            &[
                "2:24: what is added to a list is not different in each PE; decide with a number of the controller, as in `if any(b) { .. }`",
            ],
        ),
        (
            "var r = image > 3; while any(r) { r = erode(r); }",
            &["2:20: a loop without a count needs a limit: `while any(rest), at most 16 { .. }`"],
        ),
        (
            "var r = image > 3; while r, at most 3 { r = erode(r); }",
            &["2:26: expected a truth value of the controller, found a plane of bits; `any(b)` tells whether one is 1"],
        ),
        (
            "var r = image > 3; while any(r), at most 0 { r = erode(r); }",
            &["2:42: expected a number of passes from 1 to 1048576, found 0"],
        ),
        (
            "var r = image > 3; while any(r), at most t { r = erode(r); }",
            &["2:42: expected a number that is known while the program is compiled, found one of the controller"],
        ),
        (
            "var r = image > 3; until stable r { r = erode(r); }",
            &["2:20: a loop without a count needs a limit: `until stable shape, at most 16 { .. }`"],
        ),
        (
            "var r = image; until stable r, at most 3 { r = 1/2 * r; }",
            &["2:29: expected a `var` of bits behind `until stable`, found a plane of levels"],
        ),
        (
            "var r = image; until stable image, at most 3 { r = 1/2 * r; }",
            &[
                "2:29: `image` is an input or parameter of the program, in line 1, and is not assigned; write `var other = image;` and assign that",
            ],
        ),
        (
            "var r = 0; repeat 3 { r = image; }",
            &[
                "2:27: before the loop, `r` is a number of the controller, but this is a plane of levels; declare it with `: levels`",
            ],
        ),
        (
            "var r = image > 3; repeat t { r = image;\n r = r + 1; }",
            &["2:35: `r` is a plane of bits, but this is a plane of levels"],
        ),
        (
            "var r = image; r = image > 3; var q = false; q = t; var n = 0; n = image > 3; var d = digits(image, 3); d = 1/2 * image;",
            &[
                "2:26: `r` is a plane of levels, but this is a plane of bits",
                "2:50: `q` is `false`, but this is a number of the controller",
                "2:74: `n` is the number 0, but this is a plane of bits; declare it with `: bits`",
                "2:113: `d` is a plane of numbers of 3 bits, but this is a plane of levels",
            ],
        ),
        (
            "var r: 0..=9 = 0; r = image;",
            &["2:23: `r` is a number of the controller, but this is a plane of levels; declare it with `: levels`"],
        ),
        (
            "var r: 0..=9 = 0; if image > 3 { r = 5; }",
            &["2:19: `r` is a number of the controller, but this is a plane of levels; declare it with `: levels`"],
        ),
        ("var r: bits = false; r = image;", &["2:26: `r` is a plane of bits, but this is a plane of levels"]),
        ("var r = image; repeat 3 { r = (r, r); }", &["2:31: `r` is a plane of levels, but this is a tuple of 2"]),
        (
            "state n = 0; next n = n + 1; var r = 0; repeat n { r = 1; }",
            &[
                "2:48: nothing says how often this is repeated at most; give a limit, as in `repeat n, at most 16 { .. }`, of no more than 1048576 passes",
            ],
        ),
        (
            "state n: 0..=2000000 = 0; next n = n + 1; var r = 0; repeat n { r = 1; }",
            &[
                "2:61: this may be repeated 2000000 times, and a loop has no more than 1048576 passes; give a limit, as in `repeat n, at most 16 { .. }`, of no more than 1048576 passes",
            ],
        ),
        ("var r = 0; repeat -3 { r = 1; }", &["2:19: expected a number of passes, found -3"]),
        (
            "var r = 0; repeat 1/2 { r = 1; }",
            &["2:20: numbers of the controller are whole, but this is 1/2; `n / 4` is a quarter of one, rounded down"],
        ),
        (
            "var r = 0; repeat until stable { r = 1; }",
            &["2:19: a loop until something is stable is written `until stable x, at most 16 { .. }`"],
        ),
        (
            "var r = 0; for k in 1..=100000 { r = r + k; }",
            &[
                "2:22: the program becomes too large here: `for` and functions put in more than 50000 operations; use `repeat` where the passes of a loop are alike",
            ],
        ),
        (
            "var r = 0; for k in 1..=1000 { for l in 1..=1000 { r = r + k * l; } }",
            &[
                "2:58: the program becomes too large here: `for` and functions put in more than 50000 operations; use `repeat` where the passes of a loop are alike",
            ],
        ),
        (
            "let r = 1; image > 3;",
            &[
                "2:18: this value is not used; give it a name with `let`, or leave out `;` where it is the value of a function",
            ],
        ),
        ("let r = 1; image > 3", &["2:18: this value is not used; give it a name with `let`"]),
        ("let r = 1", &["3:1: expected `;` after the value"]),
        ("let r 1;", &["2:7: expected `=` and a value, found `1`"]),
        ("let = 1;", &["2:5: expected a name, found `=`"]),
        ("let r = ;", &["2:9: expected an expression such as `image@east - image`, found `;`"]),
        (
            "let r = (1, 2;",
            &["3:1: brackets, quotes or comments do not match here: one is not closed, or a bracket closes none"],
        ),
        ("let if = 3; let r = 1;", &["2:5: expected a name, found `if`, which is a word of the language"]),
        ("let r = f(3);", &["2:9: unknown function `f`"]),
        ("let r = p(3);", &["2:9: `p` is a program; what programs have in common is written as `fn`"]),
        ("let r = image(3);", &["2:9: `image` is not a function, but an input or parameter of the program"]),
        ("let r = max();", &["2:9: `max` takes at least one argument"]),
        (
            "let r = max(image, 3, image > 2);",
            &[
                "2:9: expected a plane of levels, found a plane of bits; `if bits { 1 } else { 0 }` makes levels of them",
            ],
        ),
        ("let r = run(9, [image > 3, image > 4]);", &["2:13: expected a number of bits from 1 to 2, found 9"]),
        ("let r = argmin(k in 1..=3, image);", &["2:28: expected a number of the controller, found a plane of levels"]),
        ("let r = argmin(1, 3);", &["2:16: expected a name, found `1`"]),
        (
            "let r = inside(image);",
            &["2:16: expected a region, a box, or four numbers `(top, left, height, width)`, found a plane of levels"],
        ),
        (
            "let r = point(image > 3);",
            &["2:21: expected a point, or two numbers `(row, column)`, found a plane of bits"],
        ),
        (
            "let r = median(image, [[1, 1]] at [0, 0]);",
            &["2:9: `median`: the middle one is that of an odd number of values, not of 2"],
        ),
        (
            "let r = image where on;",
            &[
                "2:15: expected `;` after the value, found `where`; behind `where` stand the bits for an assignment or `next`; elsewhere write `if b { x } else { y }`",
            ],
        ),
        ("let r = [1, 2]; let q = r + 3;", &["2:27: expected levels or numbers around `+`, found a list of 2"]),
        ("let r = levels(image > 3) > 3 > 2;", &["2:31: comparisons do not chain; write `a < b & b < c`"]),
        (
            "if t > 3 { let q = 1; } let r = q;",
            &[
                "2:33: `q` is declared in line 2, in a loop or a branch that may not be carried out; declare `var q = ..` before \
               it, and assign it there",
            ],
        ),
        (
            "repeat 3 { let r = 1; }",
            &[
                "1:44: `r` is declared in line 2, in a loop or a branch that may not be carried out; declare `var r = ..` before \
               it, and assign it there",
                "2:1: all passes of this loop are alike: it assigns no `var` that is declared before it, and adds to no list",
            ],
        ),
        (
            "let x = image + 1/3; let r = x;",
            &["2:15: what is added to levels is whole, or made of halves, quarters and so on to 1/128, not 1/3"],
        ),
        (
            "let r = image + 9 * t;",
            &[
                "2:15: this adds a number from 0 to 900 to levels, which are from -128 to 127; give its parts a smaller \
               range, as in `clamp(n, -128, 127)` or `state n: -128..=127 = 0`",
            ],
        ),
        ("let r = 1; let x = a; let y = b;", &["2:20: unknown name `a`", "2:31: unknown name `b`"]),
        ("let r = 1; let x = a + b;", &["2:20: unknown name `a`", "2:24: unknown name `b`"]),
        ("let r = 1; let x: 1 = 2; let y = zz;", &["2:17: a `let` has no kind; it is what its value is"]),
        ("var x: bits = 3; let r = x;", &["2:15: expected a plane of bits, found the number 3"]),
        (
            "var x: levels = image > 3; let r = x;",
            &[
                "2:23: expected a plane of levels, found a plane of bits; `if bits { 1 } else { 0 }` makes levels of them",
            ],
        ),
        ("var x: digits(4) = 20; let r = x;", &["2:20: 4 bits hold whole numbers from 0 to 15, not 20"]),
        ("var x: 0..=3 = 5; let r = x;", &["2:16: 5 is not in the range from 0 to 3"]),
        ("var x: region = 5; let r = x;", &["2:8: only inputs and parameters of a program can be of this kind"]),
    ];
    all_are_told(WRONG, of_body);
}

/// Mistakes of those who know other languages, or who expect what there is not.
#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn habits_of_other_languages() {
    const WRONG: &[(&str, &[&str])] = &[
        (
            "let r = image where on;",
            &[
                "2:15: expected `;` after the value, found `where`; behind `where` stand the bits for an assignment or `next`; elsewhere write `if b { x } else { y }`",
            ],
        ),
        (
            "let r = image > 3 and image < 9;",
            &[
                "2:19: expected `;` after the value, found `and`; bits and truth values are combined with `&`, `|` and `^`",
            ],
        ),
        (
            "let r = image > 3 ? 1 : 0;",
            &["2:19: expected `;` after the value, found `?`; one of two values is `if b { x } else { y }`"],
        ),
        (
            "let r = image as bits;",
            &[
                "2:15: expected `;` after the value, found `as`; `if b { 1 } else { 0 }` makes levels of bits, `x > 0` bits of levels, `digits(x, n)` numbers of a few bits",
            ],
        ),
        (
            "let mut r = image;",
            &["2:5: expected a name, found `mut`; a name that is assigned again is declared with `var`"],
        ),
        (
            "var r = image > 0; loop { r = erode(r); }",
            &[
                "2:20: there is no `loop` here: loops are `repeat n { .. }`, `while .., at most n { .. }` and `until stable b, at most n { .. }`",
            ],
        ),
        (
            "var r = image > 0; repeat 3 { r = erode(r); break; }",
            &[
                "2:45: there is no `break` here: a loop ends after a number of passes, when the condition of `while` fails, or with `until stable`",
            ],
        ),
        (
            "let r = image; return r;",
            &[
                "2:16: there is no `return` here: results are named behind `->`; the value of a function is its last expression",
            ],
        ),
        (
            "fn f(x) { x } let r = f(image);",
            &["2:1: there is no `fn` here: functions and constants stand outside of programs"],
        ),
        ("let r = not(image > 3);", &["2:9: unknown function `not`; it is `!` here"]),
        (
            "state s = image; next s = image; let r = s - next s;",
            &[
                "2:46: `next` is not read: it gives a state what it is after the frame; give that a name with `let`, and read the name",
            ],
        ),
        (
            "var r = image > 0; while any(r), most 3 { r = erode(r); }",
            &["2:34: expected `at most` and a number, found `most`"],
        ),
        ("var r = image > 0; repeat { r = erode(r); }", &["2:27: expected a number of passes, found `{`"]),
        ("let r = flood(image > 3, image > 0, until);", &["2:42: expected `stable` behind `until`"]),
        (
            "var r = image > 0; until any(r), at most 3 { r = erode(r); }",
            &["2:26: expected `stable` behind `until`, found `any`"],
        ),
        (
            "var r = 0; repeat 3 { let r = 2; }",
            &[
                "2:12: all passes of this loop are alike: it assigns no `var` that is declared before it, and adds to no list",
            ],
        ),
        (
            "var r = image > 0; while any(r), at most 3 { let q = 1; }",
            &[
                "2:20: all passes of this loop are alike: it assigns no `var` that is declared before it, and adds to no list",
            ],
        ),
        ("let r = image % 3;", &["2:15: expected numbers around `%`, found a plane of levels"]),
        (
            "let d = digits(image, 4); let r = d * 2;",
            &[
                "2:37: expected levels or numbers around `*`, found a plane of numbers of 4 bits; `levels(q)` makes levels of them",
            ],
        ),
        (
            "let d = digits(image, 4); let r = d % 2;",
            &["2:37: expected numbers around `%`, found a plane of numbers of 4 bits"],
        ),
        (
            "let r = image[north];",
            &[
                "2:15: expected a tuple, a list or a number in each PE, found a plane of levels; `x@east` is what the eastern neighbour has",
            ],
        ),
        (
            "let (a, b) = bounds(image > 3); let r = a;",
            &["2:5: expected a tuple of 2, found a box, which has `.top`, `.left`, `.bottom`, `.right`, `.found`"],
        ),
        ("let r = rows(5);", &["2:9: `rows`: expected a range such as `0..=3`, found the number 5"]),
        ("let r = clamp(image, 5, 1);", &["2:22: the range is empty: 5 is more than 1"]),
        (
            "let r = flood(image > 3, image);",
            &["2:26: expected bits as `mask` of `flood`, found a plane of levels; compare it, as in `image > 40`"],
        ),
        (
            "let r = move(image, north, image);",
            &["2:28: expected bits as `bits` of `move`, found a plane of levels; compare it, as in `image > 40`"],
        ),
        (
            "let r = image > s; state s: 0..=9 = 0; next s = 3;",
            &["2:17: `s` is declared in line 2, and not known before; move that to the front"],
        ),
        (
            "let r = image > k; let k = 3;",
            &["2:17: `k` is declared in line 2, and not known before; move that to the front"],
        ),
        ("var r: 0..=9 = 3; r = 20;", &["2:23: 20 is not in the range from 0 to 9"]),
        ("state s: 0..=9 = 3; let r = s; next s = 20;", &["2:41: 20 is not in the range from 0 to 9"]),
        ("var r: 9..=0 = 3;", &["2:9: the range is empty: 9 is more than 0"]),
        (
            "var r: number_of_bits = 3;",
            &[
                "2:8: unknown kind `number_of_bits`; expected `levels`, `bits`, `bool`, `number`, `region` or a range such as `0..=127`",
            ],
        ),
        (
            "state s = image > 3, levels(4); let r = s; next s = s;",
            &["2:17: expected a state of levels, which can be kept like that, found a plane of bits"],
        ),
        (
            "let r = image > 1e3;",
            &[
                "2:15: this adds the number -1000 to levels, which are from -128 to 127; give its parts a smaller range, as in `clamp(n, -128, 127)` or `state n: -128..=127 = 0`",
            ],
        ),
    ];
    all_are_told(WRONG, of_body);
}

/// Mistakes in heads and functions that were told elsewhere, or not at all.
#[test]
fn heads_and_functions_by_habit() {
    const WRONG: &[(&str, &[&str])] = &[
        (
            "program p(image: image) -> (r) { let r = image; }",
            &[
                "1:18: unknown kind `image`; expected `levels`, `bits`, `bool`, `number`, `region` or a range such as `0..=127`",
            ],
        ),
        (
            "program p(image, t: RANGE) -> (r) { let r = image > t; } const RANGE = 3;",
            &[
                "1:21: expected `levels`, `bits`, `bool`, `number`, `region` or a range such as `0..=127`, found the number 3",
            ],
        ),
        (
            "fn f(x) { next s = x; x } program p(image) -> (r) { state s = image; let r = f(image) - s; next s = image; }",
            &["1:16: states are given in the program itself, outside of functions (`f` is called in line 1)"],
        ),
        (
            "fn f(x) { x + later } program p(image) -> (r) { let r = f(image); let later = 3; }",
            &["1:15: unknown name `later` (`f` is called in line 1)"],
        ),
    ];
    all_are_told(WRONG, problems);
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn heads_functions_and_constants() {
    const WRONG: &[(&str, &[&str])] = &[
        (
            "program",
            &[
                "1:1: expected a program such as `program bright(image) -> (mask) { let mask = image > 40; }`, a function or a constant, found `program`",
            ],
        ),
        (
            "program p",
            &["1:9: expected the inputs and parameters of the program, such as `(image, threshold: 0..=127 = 24)`"],
        ),
        ("program p(image)", &["1:10: expected `->` and the results of the program, such as `-> (mask, pixels)`"]),
        (
            "program p(image) -> r { let r = 1; }",
            &["1:21: expected the results of the program, such as `(mask, pixels)`, found `r`"],
        ),
        ("program p(image) -> (r)", &["1:21: expected `{`"]),
        ("program p(image) -> () { }", &["1:9: a program without results does nothing"]),
        ("program p(image) -> (r) { }", &["1:22: result `r` has no value; give it one with `let r = ..;`"]),
        (
            "program p(image) -> (r, r) { let r = 1; }",
            &["1:25: result `r` is declared twice, first in line 1; rename one"],
        ),
        (
            "program p(image) -> (s, next s) { state s = image; next s = image; }",
            &["1:30: `s` and `next s` are results of the same name; give one of them another, as in `let before = s;`"],
        ),
        ("program p(image) -> (next r) { let r = 1; }", &["1:27: `r` is not a state; write `r` alone"]),
        ("program p(image) -> (mask) { let maks = 1; }", &["1:22: result `mask` has no value; did you mean `maks`?"]),
        (
            "program p(image, image) -> (r) { let r = 1; }",
            &[
                "1:18: `image` has no kind, which the captured picture in line 1 has already; write its kind, such as `: levels`",
                "1:18: name `image` is declared twice, first in line 1; rename one",
            ],
        ),
        (
            "program p(image, other) -> (r) { let r = 1; }",
            &[
                "1:18: `other` has no kind, which the captured picture in line 1 has already; write its kind, such as `: levels`",
            ],
        ),
        (
            "program p(image = 3) -> (r) { let r = 1; }",
            &["1:19: planes have no default; the host gives them for each frame"],
        ),
        (
            "program p(image, t: 0..100) -> (r) { let r = 1; }",
            &["1:22: both ends belong to a range; write it with `..=`, as in `0..=15`"],
        ),
        ("program p(image, t: 5..=1) -> (r) { let r = 1; }", &["1:22: the range is empty: 5 is more than 1"]),
        ("program p(image, t: 0..=5 = 9) -> (r) { let r = 1; }", &["1:29: expected a default from 0 to 5, found 9"]),
        ("program p(image, t: number) -> (r) { let r = 1; }", &["1:21: a parameter has a range, such as `0..=127`"]),
        ("program p(image, t: lvels) -> (r) { let r = 1; }", &["1:21: unknown kind `lvels`; did you mean `levels`?"]),
        (
            "program p(image, t: bool = 1) -> (r) { let r = 1; }",
            &["1:28: expected `true` or `false`, found the number 1"],
        ),
        (
            "program p(image, t: levels(0..=300)) -> (r) { let r = 1; }",
            &["1:29: registers hold levels from -128 to 127"],
        ),
        (
            "program p(image, t: digits(3)) -> (r) { let r = 1; }",
            &["1:21: numbers in each PE are no inputs; give their bits"],
        ),
        ("program p(image t) -> (r) { let r = 1; }", &["1:17: expected `,` or `)`, found `t`"]),
        (
            "program p(image) -> (r) { let r = 1; } program p(image) -> (r) { let r = 1; }",
            &["1:48: program `p` is declared twice, first in line 1; rename one"],
        ),
        (
            "program a_b(image) -> (r) { let r = 1; }\nprogram a__b(image) -> (r) { let r = 1; }",
            &["2:9: the Rust type of program `a__b` would be `AB`, as that of program `a_b` in line 1; rename one"],
        ),
        (
            "program P-x(image) -> (r) { let r = 1; }",
            &[
                "1:10: expected the inputs and parameters of the program, such as `(image, threshold: 0..=127 = 24)`, found `-`",
            ],
        ),
        (
            "prgram p(image) -> (r) { let r = 1; }",
            &[
                "1:1: expected a program such as `program bright(image) -> (mask) { let mask = image > 40; }`, a function or a constant, found `prgram`",
            ],
        ),
        ("fn f(x) { x } fn f(x) { x }", &["1:18: function `f` is declared twice, first in line 1; rename one"]),
        (
            "fn f(x) { f(x) } program p(image) -> (r) { let r = f(image); }",
            &[
                "1:11: `f` calls itself; functions are put in where they are called, so use a loop (`f` is called in line 1)",
            ],
        ),
        (
            "fn f(x) { g(x) } fn g(x) { f(x) } program p(image) -> (r) { let r = f(image); }",
            &[
                "1:28: `f` calls itself; functions are put in where they are called, so use a loop (`g` is called in line 1)",
            ],
        ),
        (
            "fn f(x) { let y = x; } program p(image) -> (r) { let r = f(image); }",
            &["1:9: a function has a value: the last expression in it, without `;` (`f` is called in line 1)"],
        ),
        ("fn f(x: levels) { x }", &["1:7: parameters of functions have no types; they are what the caller gives"]),
        (
            "fn f(x) -> levels { x }",
            &["1:9: expected `{`; what a function makes is the last expression in it, found `-`"],
        ),
        (
            "fn f(x) { image } program p(image) -> (r) { let r = f(image); }",
            &["1:11: unknown name `image` (`f` is called in line 1)"],
        ),
        (
            "fn f(x) { state s = x; s } program p(image) -> (r) { let r = f(image); }",
            &[
                "1:17: states are declared in the program itself, outside of loops, branches and functions (`f` is called in line 1)",
            ],
        ),
        (
            "fn f(x) {\n x & 3 }\nprogram p(image) -> (r) { let r = f(image); }",
            &[
                "2:4: expected bits or truth values around `&`, found a plane of levels; compare it, as in `image > 40` (`f` is called in line 3)",
            ],
        ),
        ("const a = b; const b = a; program p(image) -> (r) { let r = a; }", &["1:24: constant `a` is made of itself"]),
        ("const a = image; program p(image) -> (r) { let r = a; }", &["1:11: unknown name `image`"]),
        (
            "program p(image, n: 0..=9) -> (r) { let q = digits(image, 3); let r = q > n; }",
            &[
                "1:73: 3 bits hold numbers from 0 to 7, but this one is from 0 to 9; give it a smaller range, as in `clamp(n, 0, 7)`",
            ],
        ),
        (
            "program p(image) -> (r) { let r = dilate(image > 0, [1, 2]); }",
            &[
                "1:35: `dilate`: expected PEs to the east and to the north, such as `east` or `(3, -2)`, found the number 1",
            ],
        ),
        // Told once, whatever stands before the program.
        (
            "pub program p(image) -> (r) { let r = t < image < 5; }",
            &["1:49: comparisons do not chain; write `a < b & b < c`"],
        ),
        (
            "#[search(nodes = 3)] pub(crate) program p(image) -> (r) { let r = 1 } program q(image) -> (r) { let r = zz; }",
            &["1:69: expected `;` after the value", "1:105: unknown name `zz`"],
        ),
        (
            "program p(image, n: 0..=3) -> (r) { let r = n + 9007199254740993; }",
            &["1:47: numbers of the controller are exact up to 9007199254740992 only, but this is 9007199254740993"],
        ),
        ("const a: u8 = 3;", &["1:8: expected `=` and a value; constants have no types, found `:`"]),
        ("pub const a = 3;", &["1:1: functions, constants and `use` have no visibility in programs"]),
        (
            "#[search(nodes = 3)] /// The first one. \nconst a = 3; #[inline] fn f(x) { x }",
            &[
                "1:3: functions, constants and `use` have no attributes in programs; those of a program stand before `program`",
                "2:16: functions, constants and `use` have no attributes in programs; those of a program stand before `program`",
            ],
        ),
        (
            "#[foo] program p(image) -> (r) { let r = 1; } #[serach(nodes = 3)] program q(image) -> (r) { let r = 1; }",
            &[
                "1:3: unknown attribute `foo`; programs have `#[search(..)]`, `#[interruptible(..)]` and their documentation",
                "1:49: unknown attribute `serach`; did you mean `search`?",
            ],
        ),
        (
            "#[allow(unused)] program p(image) -> (r) { let r = 1; } #[clippy::x] program q(image) -> (r) { let r = 1; }",
            &[
                "1:3: `allow` is for Rust and does nothing in a file of programs; programs have `#[search(..)]`, \
                 `#[interruptible(..)]` and their documentation",
                "1:59: unknown attribute; programs have `#[search(..)]`, `#[interruptible(..)]` and their documentation",
            ],
        ),
        (
            "#[search(nods = 3)] program p(image) -> (r) { let r = 1; }",
            &["1:10: `search`: unknown key `nods`; did you mean `nodes`?"],
        ),
        (
            "#![machine(registers = 300)] program p(image) -> (r) { let r = 1; }",
            &["1:24: expected from 1 to 256 analogue registers, found 300"],
        ),
        (
            "program p(image) -> (r) { let r = zz; } program q(image) -> (r) { let r = yy; }",
            &["1:35: unknown name `zz`", "1:75: unknown name `yy`"],
        ),
        (
            "program p(image) -> (r) { let r = ( ; } program q(image) -> (r) { let r = yy; }",
            &["1:39: brackets, quotes or comments do not match here: one is not closed, or a bracket closes none"],
        ),
        (
            "program p(image) -> (r) { let r = 1; ) }",
            &["1:38: brackets, quotes or comments do not match here: one is not closed, or a bracket closes none"],
        ),
        ("program p(image) -> (r) { let r = 1; 🦀 }", &["1:38: the character `🦀`, U+1F980, has no meaning here"]),
        ("program p(image) -> (r) {\n let r = \u{202e}1; }", &["2:10: the character U+202E, has no meaning here"]),
        ("program p(image) -> (r) { let r = \0; }", &["1:35: the character U+0000, has no meaning here"]),
    ];
    all_are_told(WRONG, problems);
}
