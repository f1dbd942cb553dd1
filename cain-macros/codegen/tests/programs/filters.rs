//! Filters of a kernel file that programs call by name.

use cain_codegen::Overrides;
use cain_codegen::kernel_file::{load_any, parse_any};
use cain_codegen::kinds::Item;

use super::planes::{Bits, Levels, pictures, plane};
use super::run::{Run, in_kernel_file};

/// Weights of which no two are alike, so that no turned or mirrored kernel is the same.
const FILTERS: &str = r#"
[lean]
inputs = ["A"]
outputs.A = { scale = "1/64", kernel = [[1, 2, 3], [4, 5, 6], [7, 8, 9]] }

[corner]
inputs = ["picture"]
outputs.corner = { scale = "1/4", kernel = [[1, 2], [-1, 0]], origin = [0, 1] }

[mixed]
inputs = ["B", "A"]
outputs.D = [{ input = "A", kernel = [[0, 0, 1]] }, { input = "B", scale = "-1/2", kernel = [[0], [0], [1]] }]
outputs.C = { input = "B", kernel = [[1, 0, 0]] }

[rounded]
inputs = ["A"]
outputs.B.kernel = [[0.11, 0.52, 0.13]]
approximate = { depth = 5, error = 0.05 }

[less]
inputs = ["one", "other"]
bits = 1
outputs.both = "one & other@east"
outputs.edge = "(!one)@north & !both"
search = { isa = "digital" }

[even]
inputs = ["number", "mask"]
bits = { number = 3, mask = 1 }
outputs.found = "mask & !number[0] & number[2]@west"
search = { isa = "digital" }
"#;

/// A program with these statements and results, beside the filters.
fn file(results: &str, body: &str) -> String {
    format!("program = '''\nprogram p(image) -> ({results}) {{ {body} }}\n'''\n{FILTERS}")
}

/// What a sum of neighbours is, each with its row and column from the PE itself and its weight; nothing if one is outside.
fn sum(of: &Levels, weights: &[(i64, i64, f64)]) -> super::planes::Plane<Option<f64>> {
    plane(|row, column| {
        let terms = weights.iter().map(|(down, right, weight)| Some(weight * of.get(row + down, column + right)?));
        terms.sum::<Option<f64>>()
    })
}

#[test]
fn kernels_are_not_turned() {
    let lean: Vec<(i64, i64, f64)> =
        (0..9).map(|place| (place / 3 - 1, place % 3 - 1, (place + 1) as f64 / 64.0)).collect();
    let corner = [(0, -1, 0.25), (0, 0, 0.5), (1, -1, -0.25)];
    let mut run = Run::kernel_file(&file(
        "a, b, c, d, e",
        "let a = lean(image); let b = corner(picture = -image); let c = lean(corner(image)); let d = corner(image)@east;
         let e = rounded(image);",
    ));
    for picture in pictures(490, 2) {
        let answers = run.frame(&picture, &[]);
        answers.has_levels("a", &sum(&picture, &lean));
        answers.has_levels("b", &sum(&picture.map(|level| -level), &corner));
        let inner = sum(&picture, &corner);
        let both = plane(|row, column| {
            let terms = lean.iter().map(|(down, right, weight)| Some(weight * inner.get(row + down, column + right)??));
            terms.sum::<Option<f64>>()
        });
        answers.has_levels("c", &both);
        answers.has_levels("d", &plane(|row, column| inner.get(row, column + 1)?));
        answers.has_levels("e", &sum(&picture, &[(0, -1, 0.125), (0, 0, 0.5), (0, 1, 0.125)]));
    }
}

#[test]
fn inputs_and_outputs_are_in_the_order_of_the_filter() {
    let mut run = Run::kernel_file(&file(
        "a, b, c, d",
        "let (a, b) = mixed(image, 1/2 * image@south); let (c, d) = mixed(A = image, B = 8);",
    ));
    for picture in pictures(491, 2) {
        let answers = run.frame(&picture, &[]);
        let terms =
            |row: i64, column: i64| Some(0.5 * picture.get(row + 1, column + 1)? - 0.5 * picture.get(row + 1, column)?);
        answers.has_levels("a", &plane(terms));
        answers.has_levels("b", &sum(&picture, &[(0, -1, 1.0)]));
        answers.has_levels("c", &plane(|row, column| Some(picture.get(row, column + 1)? - 4.0)));
        answers.has_all_levels("d", &plane(|_, _| 8.0));
    }
}

#[test]
fn bits_are_0_outside() {
    let mut run = Run::kernel_file(&file(
        "both, edge, found",
        "let a = image > 0; let b = image > 40; let (both, edge) = less(a, other = b); let found = even(digits(image, 3), a);",
    ));
    for picture in pictures(492, 3) {
        let [a, b] = [0.0, 40.0].map(|than| picture.map(|level| level > than));
        let digits = picture.map(|level| ((level + 128.0) / 32.0).floor() as i64);
        let both: Bits = plane(|row, column| a.bit(row, column) && b.bit(row, column + 1));
        let answers = run.frame(&picture, &[]);
        answers.has_bits("both", &both);
        answers.has_bits("edge", &plane(|row, column| !a.bit(row - 1, column) && !both.bit(row, column)));
        let found = |row, column| {
            let west = digits.get(row, column - 1).unwrap_or(0);
            a.bit(row, column) && digits.here(row, column) % 2 == 0 && west >= 4
        };
        answers.has_bits("found", &plane(found));
    }
}

/// A filter is a function with its sums: the declaration is the same.
#[test]
fn filters_are_functions() {
    let called = file("r", "let r = lean(image - corner(abs(image))) > 3;");
    let written = "program = '''
        fn lean(x) { 1/64 * [[1, 2, 3], [4, 5, 6], [7, 8, 9]] * x }
        fn corner(x) { 1/4 * [[1, 2], [-1, 0]] at [0, 1] * x }
        program p(image) -> (r) { let r = lean(image - corner(abs(image))) > 3; }
        '''";
    assert_eq!(format!("{:?}", in_kernel_file(&called)), format!("{:?}", in_kernel_file(written)));
}

/// A filter may have the name of a function of the language, which goes on to call its own ones.
#[test]
fn names_of_the_language() {
    let text = "program = '''
        program p(image) -> (r, s) { let b = image > 0; let r = erode(b); let s = open(b); }
        '''
        [erode]
        inputs = ['b']
        bits = 1
        outputs.r = 'b@east'
        search = { isa = 'digital' }";
    let picture = &pictures(493, 1)[0];
    let bits = picture.map(|level| level > 0.0);
    let answers = Run::kernel_file(text).frame(picture, &[]);
    answers.has_bits("r", &plane(|row, column| bits.bit(row, column + 1)));
    let cross = [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)];
    let eroded: Bits = plane(|row, column| cross.iter().all(|(y, x)| bits.bit(row + y, column + x)));
    answers.has_bits("s", &plane(|row, column| cross.iter().any(|(y, x)| eroded.bit(row + y, column + x))));
}

/// The programs of a file that a kernel file names have its filters beside them, too.
#[test]
fn programs_of_another_file() {
    let folder = tempfile::tempdir().unwrap();
    let kernels = folder.path().join("kernels.toml");
    std::fs::write(folder.path().join("motion.cain"), "program p(image) -> (r) { let r = lean(image); }").unwrap();
    std::fs::write(&kernels, format!("program = 'motion.cain'\n{FILTERS}")).unwrap();
    let items = load_any(&kernels, Overrides::default()).unwrap();
    let found =
        items.iter().find_map(|item| if let Item::Vision(program) = item { Some(program) } else { None }).unwrap();
    assert_eq!(found.of.declaration, in_kernel_file(&file("r", "let r = lean(image);")));
    assert!(load_any(&folder.path().join("motion.cain"), Overrides::default()).is_err());
}

/// The messages about a program with that statement in line 2, beside all filters and these.
fn problems(statement: &str, others: &str) -> Vec<String> {
    let text = format!("program = '''program p(image) -> (r) {{\n{statement}\n}}'''\n{FILTERS}\n{others}");
    match parse_any(&text, Overrides::default()) {
        Ok(_) => Vec::new(),
        Err(problems) => problems.iter().map(ToString::to_string).collect(),
    }
}

#[test]
fn mistakes() {
    for (statement, others, wanted) in [
        ("let r = laen(image);", "", "2:9: unknown function `laen`; did you mean `lean`?"),
        ("let r = lean(image, image);", "", "2:21: `lean` takes 1 argument: `A`"),
        ("let (r, s) = mixed(image);", "", "2:14: `mixed` takes 2 arguments: `B`, `A`"),
        ("let r = lean(B = image);", "", "2:14: unknown argument `B`; expected `A`"),
        (
            "let r = lean(image > 3);",
            "",
            "2:20: expected a plane of levels, found a plane of bits; `if bits { 1 } else { 0 }` makes levels of them",
        ),
        (
            "let (r, s) = less(image, image > 3);",
            "",
            "2:19: expected a plane of bits, found a plane of levels; compare it, as in `image > 40`",
        ),
        (
            "let r = even(image > 3, image > 4);",
            "",
            "2:20: expected a number of 3 bits in each PE, found a plane of bits; `digits(x, 3)` makes one of levels",
        ),
        ("let (r, s, t) = mixed(image, image);", "", "2:5: expected a tuple of 3, found a tuple of 2"),
        (
            "let r = mixed(image, image) > 3;",
            "",
            "2:29: expected planes or numbers around a comparison, found a tuple of 2",
        ),
        ("let r = lean;", "", "2:9: `lean` is a filter; call it, as in `lean(..)`"),
        (
            "let r = image; } fn lean(x) { x",
            "",
            "2:21: there is a filter `lean` beside the programs; rename one of them",
        ),
        (
            "let r = free(image);",
            "[free]\ninputs = ['A']\noutputs.A.kernel = [[0.11, 0.52, 0.13]]\napproximate = { error = 0.1, search = true }",
            "2:9: filter `free` leaves its weights to a search, but what a program computes is known before; give `approximate` a \
             `depth` instead of `search`, or declare the weights that `cain show` tells",
        ),
        (
            "let r = short(image);",
            "[short]\ninputs = ['A']\noutputs.A.kernel = [[1]]\nsearch = { max_words = 9 }",
            "2:9: filter `short` has a limit `max_words`, which cannot be kept where it becomes part of a program; declare a filter \
             without it for programs",
        ),
        (
            "let r = counted(image > 3);",
            "[counted]\ninputs = ['A']\nbits = 1\noutputs.n.kernel = [[1, 1, 1]]\nsearch = { isa = 'digital' }",
            "2:9: output `n` of filter `counted` is a sum of numbers in bits, and not an expression of bits; declare the filter on \
             analogue registers, and give it levels such as `if bits { 1 } else { 0 }`, or compare numbers of bits with `at_least`",
        ),
        (
            "let r = wide(image);",
            "[wide]\ninputs = ['a']\noutputs.b.kernel = [[1]]\nsuperpixel = { order = [[1, 2], [4, 3]] }\nsearch = { isa = 'superpixel' }",
            "2:9: filter `wide` has numbers in blocks of PEs, which programs do not have; programs can call filters on analogue \
             registers, digital ones whose outputs are expressions of bits, and networks",
        ),
        (
            "let r = tight(image);",
            "[tight]\ninputs = ['A']\noutputs.A.kernel = [[-1, 0, 2]]\nsearch = { max_gain = 1 }",
            "2:9: `tight` has a mistake, which is told where it is declared\n\
             39:23: the kernel of `A` has a gain of 3, which is more than the `max_gain` of 1; allow at least 3",
        ),
        (
            "let r = none(image);",
            "[none]\ninputs = ['A', 'A']\noutputs.A.kernel = [[1]]",
            "2:9: `none` has a mistake, which is told where it is declared\n\
             37:16: register `A` is named for two inputs; give each its own",
        ),
    ] {
        assert_eq!(problems(statement, others).join("\n"), wanted);
    }
}
