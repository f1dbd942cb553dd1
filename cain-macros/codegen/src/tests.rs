//! The places and messages of mistakes that users make.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

use crate::errors::{Errors, Mistakes};
use crate::kinds::{self, Tree};
use crate::lower::machine::Described;
use crate::surroundings::Surroundings;
use crate::{Mode, Plans, lower, syntax};

/// The text under each error and its message, without searching.
pub(crate) fn mistakes(source: &str) -> Vec<(String, String)> {
    let tokens: TokenStream = format!("[cain_runtime] {source}").parse().unwrap();
    let mut errors = Errors::default();
    let (machine, items) = items(tokens);
    for item in items {
        errors.append(item.map_or_else(|mistakes| mistakes.errors, |item| check(item, machine)));
    }
    errors.underlined()
}

/// The filters of a block, right or wrong, and their machine.
fn items(tokens: TokenStream) -> (Described, Vec<Result<syntax::FilterItem, Mistakes>>) {
    match syntax::parse(tokens, &Surroundings::unknown()).content {
        syntax::Content::Filters { machine, items, .. } => (machine, items),
        syntax::Content::File(_) => (Described::SCAMP5, Vec::new()),
    }
}

/// The machine of a block, and its errors.
#[cfg(feature = "toml")]
pub(crate) fn machine(source: &str) -> Described {
    items(format!("[cain_runtime] {source}").parse().unwrap()).0
}

/// All mistakes of an item that could be read.
fn check(item: syntax::FilterItem, machine: Described) -> Errors<Span> {
    let syntax::FilterItem { header, body, mut errors, .. } = item;
    kinds::of_tree(Tree { header, body, doc: None, machine }, &mut errors);
    errors
}

/// Expects these mistakes: a part of the source and a part of the message for each.
#[track_caller]
fn expect(source: &str, expected: &[(&str, &str)]) {
    let found = mistakes(source);
    let fits = found.len() == expected.len()
        && found.iter().zip(expected).all(|((at, message), (place, part))| at == place && message.contains(part));
    assert!(fits, "{source}\nexpected {expected:#?}\nfound {found:#?}");
}

#[test]
fn the_whole_grammar() {
    for source in [
        "",
        "/// Blur.\n#[allow(dead_code)] pub fn gauss(A) -> A = 1/16 * [[1, 2, 1], [2, 4, 2], [1, 2, 1],];",
        "pub(crate) fn r#match(&A,) -> (B) using D = [[1]];",
        "pub(in crate::x) fn f(&A) -> (B, C,) using (D, E,) { B = [[1, 0, -1]]; C = - [[1], [0], [1]] + 2 * [[1]]; }",
        "#[search(nodes = 200_000, objective = icws, isa = basic, max_gain = 3/2)] fn f(A) -> B using () = [[1]];",
        "#[search(isa = macro, max_gain = \"33/2\",)] fn f(A) -> B = [[0x10]];",
        "#[search(offset = any, input = 0..127, max_gain = own)] fn f(A) -> B = [[1]];",
        "#[search(max_gain = any, input = -100..=-3)] fn f(A) -> B = [[7]];",
        "#[approximate(depth = 5, error = 0.05)] fn f(A, B) -> C = [[0.11, 0.52, 0.13]] * A - 1/4 * [[1]] * B;",
        "fn f(A) -> B = (-1/4) * [[-(1/2), (0.25), -1_000]] * A - -0.5 * [[1]];",
        "fn f(A) -> B = 1/3 * [[3, -6, 3]];",
        "fn f(A, B) -> C = 1/4 * [[1, 1], [1, 1]] at [0, 1] * A - [[1], [1]] at [1, 0,] * B;",
        "#![machine(registers = 18)] fn f(R) -> G using (H, Q) = [[1]];",
        "#![machine(registers = [A, R7], bits = 5, instructions = basic,)] fn f(A) -> R7 = [[1]];",
        "#![machine(instructions = [mov, add3], bus(destinations = 2, sources = 3, reads = own,))]",
        "#![machine(nanoseconds(analogue = 50, high_speed = 20), range(min = -512, max = 511))]",
    ] {
        expect(source, &[]);
    }
}

#[test]
fn numbers() {
    expect("fn f(A) -> B = [[1.5f32]];", &[("1.5f32", "write `1.5` without `f32`")]);
    expect("fn f(A) -> B = [[1u8, 2i64]];", &[("1u8", "without `u8`"), ("2i64", "without `i64`")]);
    expect("fn f(A) -> B = [[1e300]];", &[("1e300", "the number is too large: the largest are 9223372036854775807")]);
    expect("fn f(A) -> B = [[1e1/4]];", &[("1e1", "a fraction is made of whole numbers")]);
    expect(
        "fn f(A) -> B = [[0.50000000000000000000001]];",
        &[("0.50000000000000000000001", "more digits than 64 bits")],
    );
    expect("fn f(A) -> B = [[1/0]];", &[("0", "the denominator is zero")]);
    expect("fn f(A) -> B = [[1/0.5]];", &[("0.5", "a fraction is made of whole numbers")]);
    expect("fn f(A) -> B = [[x, 1]];", &[("x", "expected a number")]);
    expect("fn f(A) -> B = [[99999999999999999999]];", &[("99999999999999999999", "the number is too large")]);
    expect("fn f(A) -> B = (1 2) * [[1]];", &[("2", "expected `)`")]);
    expect(
        "fn f(A) -> B = 9223372036854775807 * [[9223372036854775807]];",
        &[("[[9223372036854775807]]", "too large to be handled exactly")],
    );
}

/// The declaration of each filter, in canonical spelling.
fn declarations(source: &str) -> Vec<String> {
    let (machine, items) = items(format!("[cain_runtime] {source}").parse().unwrap());
    let declaration = |item: Result<syntax::FilterItem, Mistakes>| {
        let mut item = item.unwrap();
        let header = lower::header(&item.header, machine, &mut item.errors).unwrap();
        lower::body(header, &item.header, &item.body, &mut item.errors).unwrap().declaration.to_string()
    };
    items.into_iter().filter(Result::is_ok).map(declaration).collect()
}

/// Zeros everywhere are hardly meant; a single one is.
#[test]
fn kernels_of_zeros() {
    let zero = "all weights of output `B` are zero; if that is meant, write `[[0]]`";
    for (kernel, at) in [
        ("[[0, 0, 0], [0, 0, 0], [0, 0, 0]]", "[[0, 0, 0], [0, 0, 0], [0, 0, 0]]"),
        ("0 * [[1, 2, 1]]", "[[1, 2, 1]]"),
        ("[[0]] + [[0, 0, 0]]", "[[0, 0, 0]]"),
    ] {
        expect(&format!("fn f(A) -> B = {kernel};"), &[(at, zero)]);
    }
    expect(
        "fn f(A) -> B = [[1, 0, 0]] - [[1, 0, 0]];",
        &[("[[1, 0, 0]]", "all weights of output `B` cancel each other")],
    );
    #[cfg(feature = "digital")]
    expect_messages("#[search(isa = digital, bits = 1)] fn f(image) -> B = [[0, 0, 0]];", &[zero]);
    for kernel in ["[[0]]", "-[[0]]", "1/2 * [[0]] + [[0]]", "[[1, 0, 0]] + [[0, 0, 0]]"] {
        expect(&format!("fn f(A) -> B = {kernel};"), &[]);
    }
}

/// Tokens with others in place of the names among them.
fn filled(tokens: TokenStream, of: &impl Fn(&str) -> TokenTree) -> TokenStream {
    let token = |token| match token {
        TokenTree::Ident(word) => of(&word.to_string()),
        TokenTree::Group(group) => Group::new(group.delimiter(), filled(group.stream(), of)).into(),
        token => token,
    };
    tokens.into_iter().map(token).collect()
}

/// The compiler puts brackets that nobody sees around what a macro is given.
#[test]
fn fragments_of_other_macros_are_what_they_stand_for() {
    let invisible = |text: &str| TokenTree::from(Group::new(Delimiter::None, text.parse().unwrap()));
    let of = |name: &str| match name {
        "ATTRIBUTE" => invisible("\"a copy\""),
        "NOWHERE" => invisible(""),
        "WEIGHT" => invisible("-1"),
        "SCALE" => invisible("1/4"),
        "KERNEL" => invisible("[[1, 0, 0]]"),
        "NODES" => invisible("70"),
        _ => Ident::new(name, Span::call_site()).into(),
    };
    let text = "[cain_runtime] #[doc = ATTRIBUTE] #[search(nodes = NODES)] NOWHERE fn f(A) -> B = SCALE * [[-WEIGHT, WEIGHT, 0]];
                #[search(isa = digital, bits = 1)] fn g(image) -> out = KERNEL;";
    let (machine, items) = items(filled(text.parse().unwrap(), &of));
    let mut items = items.into_iter().map(Result::unwrap);
    let analogue = items.next().unwrap();
    assert_eq!(analogue.body.search.nodes.as_ref().map(|nodes| nodes.value), Some(70));
    let mut errors = Errors::default();
    let signature = lower::header(&analogue.header, machine, &mut errors).unwrap();
    let declared = lower::body(signature, &analogue.header, &analogue.body, &mut errors).unwrap();
    assert!(declared.declaration.to_string().contains("B = 1/4 [1 -1 0] * A;"), "{}", declared.declaration);
    #[cfg(feature = "digital")]
    {
        let digital = items.next().unwrap();
        assert!(lower::digital::declaration(&digital.header, &digital.body, &mut errors).is_some());
    }
    assert!(errors.is_empty(), "{errors:?}");
}

#[test]
fn constants_stand_for_what_they_are_made_of() {
    for (constants, filter, plain) in [
        ("const W = 3; const HALF = 1/2;", "HALF * [[W, -W, (-W), 1]] at [0, 0]", "1/2 * [[3, -3, -3, 1]] at [0, 0]"),
        ("const W = -V; const V = 1/4;", "(-W) * [[1, W, V]]", "1/4 * [[1, -1/4, 1/4]]"),
        ("/// Blur.\nconst GAUSS = 1/4 * [[1, 2, 1]];", "GAUSS", "1/4 * [[1, 2, 1]]"),
        ("const GAUSS = 1/4 * [[1, 2, 1]];", "[[1]] * A - 1/2 * GAUSS * A", "[[1]] - 1/8 * [[1, 2, 1]]"),
        ("const DETAIL = [[1]] - BLUR; const BLUR = [[1/2, 1/2]] at [0, 1];", "-2 * DETAIL", "[[1, -1]] at [0, 1]"),
        ("const S = 1/2; const K = S * [[1]];", "S * K - K", "-1/4 * [[1]]"),
    ] {
        let named = declarations(&format!("fn f(A) -> B = {filter}; {constants}"));
        assert_eq!(named, declarations(&format!("fn f(A) -> B = {plain};")), "{constants} {filter}");
    }
}

#[test]
fn mistakes_in_constants() {
    let filter = "fn f(A) -> B = GAUSS;";
    for (source, expected) in [
        ("const GAUS = [[1]]; fn f(A) -> B = GAUSS + GAUS;", ("GAUSS", "did you mean `GAUS`?")),
        (filter, ("GAUSS", "declare it inside: `const GAUSS = 1/4 * [[1, 2, 1]];`")),
        ("fn f(A) -> B = WEIGHT * [[1]];", ("WEIGHT", "does not tell which file this is")),
        ("fn f(A) -> B = [[WEIGHT]];", ("WEIGHT", "declare it inside: `const WEIGHT = 1/4;`")),
        ("const GAUSS = [[1]]; fn f(A) -> B = [[GAUSS]];", ("GAUSS", "`GAUSS` is a kernel; expected a number")),
        ("const W = 3; fn f(A) -> B = W;", ("W", "`W` is a number; expected a kernel such as")),
        ("const W = 3; fn f(A) -> B = 2 * W;", ("W", "after the scale; `W` is a number")),
        ("const GAUSS = GAUSS; fn f(A) -> B = GAUSS;", ("GAUSS", "made of itself, by way of `GAUSS`")),
        (
            "const X = 2 * Y; const Y = [[1]] - GAUSS; const GAUSS = X; fn f(A) -> B = GAUSS + X;",
            ("GAUSS", "constant `GAUSS` is made of itself, by way of `X`, `Y` and `GAUSS`"),
        ),
        ("const GAUSS = [[1, 2]]; fn f(A) -> B = GAUSS; fn g(A) -> B = GAUSS;", ("[[1, 2]]", "has no centre")),
        ("const GAUSS = [[x]]; const W = 2 * GAUSS; fn f(A) -> B = W * [[1]] + W;", ("x", "expected a number")),
        ("const GAUSS = [[1]] * A; fn f(A) -> B = GAUSS;", ("A", "a constant kernel has no input")),
        ("const GAUSS = [[1]]; fn f(A) -> B = GAUSS at [0, 0];", ("at", "belongs to its declaration")),
        ("const GAUSS = [[1]] [[2]]; fn f(A) -> B = GAUSS;", ("[", "expected `;` after the constant")),
        ("const GAUSS = [[1]] fn f(A) -> B = GAUSS;", ("[[1]]", "expected `;` after the constant")),
        ("const GAUSS = ; fn f(A) -> B = [[1]];", ("GAUSS", "expected a number or a kernel")),
        ("const GAUSS: f32 = 2; fn f(A) -> B = [[1]];", (":", "have no type; write `const GAUSS = ..;`")),
        ("const A = 2; fn f(A) -> B = [[1]];", ("A", "`A` is a register; give the constant another name")),
        ("const image = 2; fn f(image) -> out = [[1]];", ("image", "may be a plane")),
        ("const GAUSS = 1/4 * [[1]]; const GAUSS = 1; fn f(A) -> B = GAUSS;", ("GAUSS", "declared twice")),
        ("pub const GAUSS = [[1]]; fn f(A) -> B = GAUSS;", ("pub", "leave out the visibility")),
        ("#[cfg(x)] const GAUSS = [[1]]; fn f(A) -> B = GAUSS;", ("#", "no attributes")),
        ("const GAUSS = [[1/7]]; fn f(A) -> B = GAUSS;", ("7", "denominator 7 is not made of twos and threes")),
        ("const GAUSS = 1/3 * [[1]]; fn f(A) -> B = 1/5 * GAUSS;", ("1", "denominator 15 is not made of")),
    ] {
        let found = mistakes(source);
        let (place, part) = expected;
        let fits = matches!(found.as_slice(), [(at, message)] if at == place && message.contains(part));
        assert!(fits, "{source}\nexpected {expected:?}\nfound {found:#?}");
    }
}

/// A few lines could stand for more weights than fit into memory.
#[test]
fn constants_do_not_grow_without_bounds() {
    let doubled: Vec<_> = (1..=40).map(|k| format!("const K{k} = K{0} + K{0};", k - 1)).collect();
    let doubled = doubled.concat();
    let found = mistakes(&format!("const K0 = [[1]]; {doubled} fn f(A) -> B = K40;"));
    assert!(matches!(found.as_slice(), [(_, message)] if message.contains("stand for more than 262144 weights")));
    let chain: Vec<_> = (1..=3000).map(|k| format!("const C{k} = C{};", k - 1)).collect();
    let chain = chain.concat();
    assert_eq!(mistakes(&format!("{chain} const C0 = [[1]]; fn f(A) -> B = C3000;")), []);
}

#[test]
fn constants_without_use_are_reported() {
    let input = "[cain_runtime] const K = [[W]]; const W = 1; const V = 2;".parse().unwrap();
    let block = syntax::parse(input, &Surroundings::unknown());
    let syntax::Content::Filters { warnings, .. } = block.content else { panic!() };
    let warnings: Vec<_> =
        warnings.iter().map(|warning| (warning.at.source_text().unwrap(), warning.value.as_str())).collect();
    let message = |name| format!("constant `{name}` is never used");
    assert_eq!(warnings, [("K".to_owned(), message("K").as_str()), ("V".to_owned(), message("V").as_str())]);
}

#[test]
fn what_halvings_cannot_reach() {
    expect(
        "#[search(isa = macro)] fn f(A) -> B = [[1/9, 1/4, 1/3]];",
        &[(
            "9",
            "denominator 9 is not a power of two (one more weight of this kernel is inexact too), and macro \
             instructions only halve; `isa = native` reaches it exactly; the nearest multiple of 1/2^8 is 7/64, off by \
             1/576; write that, or add \
             `#[approximate(depth = 8, error = 0.005)]`",
        )],
    );
    expect(
        "#[search(isa = basic)] fn f(A) -> B = [[0.11]];",
        &[("0.11", "0.11 is 11/100, whose denominator is not a power of two, and macro instructions only halve")],
    );
    expect(
        "#[search(isa = macro)] fn f(A) -> B = 1/9 * [[1, 1, 1]];",
        &[("9", "denominator 9 is not a power of two, and")],
    );
    expect("fn f(A) -> B = 0.1 * [[1]] - 1/5 * [[1]];", &[("0.1", "0.1 is 1/10, whose"), ("5", "denominator 5")]);
    let exact = "`isa = native` reaches it exactly";
    expect("#[search(isa = basic)] fn f(A) -> B = 1/27 * [[1]];", &[("27", exact)]);
    let found = mistakes("#[search(isa = basic)] fn f(A) -> B = [[1/3, 1/5, 0]];");
    assert!(matches!(found.as_slice(), [(_, message)] if !message.contains(exact)), "{found:?}");
    expect(
        "fn f(A) -> B = 1/10 * [[1]] - 1/9 * [[1]];",
        &[("10", "denominator 10 is not made of twos and threes, and control words divide by nothing else")],
    );
    expect("#[approximate(depth = 2, error = 0.01)] fn f(A) -> B = [[1/3]];", &[("0.01", "allow a larger")]);
    expect(
        "#[approximate(depth = 2, error = 5)] fn f(A, B) -> C = [[1]] * A + [[0.1, 0.1, 0.1]] * B;",
        &[(
            "[[0.1, 0.1, 0.1]]",
            "the weights of the kernel are so small that all of them become zero; allow a `depth` of at least 3",
        )],
    );
}

#[test]
fn shapes() {
    expect(
        "fn f(A) -> B = [[1, 2], [3], [4, 5, 6]];",
        &[("[3]", "row 2 has 1 weight but"), ("[4, 5, 6]", "row 3 has 3")],
    );
    expect("fn f(A) -> B = [];", &[("[]", "the kernel is empty")]);
    expect("fn f(A) -> B = [[]];", &[("[[]]", "the kernel is empty")]);
    expect("fn f(A) -> B = [[1, 2], [3, 4]];", &[("[[1, 2], [3, 4]]", "2×2 weights has no centre")]);
    for (origin, place, problem) in [
        ("at [2, 0]", "[2, 0]", "the origin lies outside of the 2×2 weights"),
        ("at [-1, 0]", "-", "expected a whole number of at most 64 bits, not negative, found `-1`"),
        ("at [0.5, 0]", "0.5", "expected a whole number"),
        ("at [0, 0, 0]", "[0, 0, 0]", "expected a row and a column, both from 0, such as `[1, 1]`, found an array"),
        ("at (0, 0)", "(", "such as `at [1, 1]`"),
    ] {
        expect(&format!("fn f(A) -> B = [[1, 2], [3, 4]] {origin};"), &[(place, problem)]);
    }
    expect("fn f(A) -> B = [1, 2, 1];", &[("1", "a kernel of one row is written `[[1, 2, 1]]`")]);
    expect("fn f(A) -> B = [[1 2 1]];", &[("2", "expected `,`")]);
}

#[test]
fn planes() {
    expect("fn f(image) -> image using (t, u) = [[1, 2, 1]];", &[]);
    expect("fn f(&a, b) -> (b, c) { b = [[1]] * a; c = [[1]] * b; }", &[]);
    // Names of both kinds are registers, one of which is misspelt.
    expect("fn f(a) -> B = [[1]];", &[("a", "unknown register `a`; did you mean `A`?")]);
    expect("fn f(image, image) -> out = [[1]] * image;", &[("image", "plane `image` is named for two inputs")]);
    expect("fn f(image) -> (out, out) { out = [[1]]; }", &[("out", "plane `out` is named for two outputs")]);
    expect("fn f(&image) -> image = [[1]];", &[("image", "input `image` is kept (`&image`) and cannot")]);
    expect("fn f(image) -> out using (image) = [[1]];", &[("image", "plane `image` is already in use")]);
    expect("fn f(image) -> out { outt = [[1]]; }", &[("outt", "did you mean `out`?"), ("out", "has no kernel")]);
    expect("fn f(scamp) -> out = [[1]];", &[("scamp", "is the controller in the generated function")]);
    expect("fn f(image) -> camelCase = [[1]];", &[("camelCase", "a plane cannot be called `camelCase`")]);
    expect("fn f(r#type) -> out = [[1]];", &[("r#type", "a plane cannot be called `r#type`")]);
    expect(
        "fn f(a, b, c, d, e, g) -> h = [[1]] * a;",
        &[("h", "there is no register for plane `h`; the machine has 6 registers")],
    );
}

/// The messages about the only filter of a block, as expanded.
#[track_caller]
#[cfg(feature = "digital")]
fn expect_messages(filter: &str, messages: &[&str]) {
    let plans = crate::Plans::none();
    let tokens = crate::expand_with(format!("[rt] {filter}").parse().unwrap(), |_| None, &plans).to_string();
    let found: Vec<&str> =
        tokens.split("compile_error ! { \"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(found, messages, "{filter}");
}

#[cfg(feature = "digital")]
#[test]
fn digital_filters() {
    let of = |options: &str| format!("#[search({options})] fn f(image, &mask) -> out = [[1]] * image + [[2]] * mask;");
    expect_messages(&of("isa = digital, bits = 1"), &[]);
    expect_messages(&of("isa = digital, bits = (mask = -4, image = 2), nodes = 5"), &[]);
    for (options, message) in [
        ("isa = digital", "a digital filter needs the bits of its inputs; add `bits = 1` to `#[search(..)]`"),
        ("isa = digital, bits = 7", "the inputs need 14 registers and a PE has 13; inputs of up to 6 bits would fit"),
        ("isa = digital, bits = 0", "`bits`: a number has 1 to 24 bits, or -1 to -24 if it is signed; found `0`"),
        (
            "isa = digital, bits = two",
            "`bits`: expected a number of bits such as `2`, or `-4` for signed numbers, or one for each input, found `two`",
        ),
        ("isa = digital, bits = (image = 1)", "`bits`: input `mask` has no bits; add `mask = 1`"),
        ("isa = digital, bits = (image = 1, mask = 1, image = 2)", "`image` is given twice"),
        ("isa = digital, bits = (image = 1, mas = 1)", "`bits`: unknown input `mas`; did you mean `mask`?"),
        ("isa = digital, bits = 1, nodes = 0", "a search needs at least one node"),
        (
            "isa = digital, bits = 1, objective = icws",
            "`objective` means nothing for filters on bits, which are exact; remove it",
        ),
        ("bits = 1", "only digital filters have `bits`; add `isa = digital`"),
    ] {
        expect_messages(&of(options), &[message]);
    }
    let digital = |filter: &str| format!("#[search(isa = digital, bits = 1)] {filter}");
    expect_messages(
        &digital("fn f(scratch) -> out = [[1]];"),
        &["the generated function has another parameter `scratch`; rename the input"],
    );
    expect_messages(
        &digital("fn f(image) -> out = 1/2 * [[1]];"),
        &["the weight 1/2 is not whole, so the result would not be exact; scale the kernel to whole weights"],
    );
}

#[test]
fn registers() {
    expect("fn f(G) -> b = [[1]];", &[("G", "unknown register `G`"), ("b", "did you mean `B`?")]);
    expect("fn f(A, A) -> B = [[1]] * A;", &[("A", "named for two inputs")]);
    expect("fn f(A) -> (B, B) { B = [[1]]; }", &[("B", "named for two outputs")]);
    expect("fn f(&A) -> A = [[1]];", &[("A", "input `A` is kept")]);
    expect(
        "fn f(A) -> B using (C, A, C) = [[1]];",
        &[("A", "already in use"), ("C", "scratch register `C` is listed twice")],
    );
    expect("fn f() -> B = [[1]];", &[("f", "at least one input")]);
    expect("fn f(A) -> () { }", &[("f", "at least one output")]);
    expect("fn f(A) -> 3 = [[1]];", &[("3", "expected a register")]);
    let mixed = "`image` is a plane and `A` is a register; name registers only, or planes only, in lower case";
    expect("fn f(image) -> A = [[1]];", &[("image", mixed)]);
    expect("fn f(A) -> B using (image) = [[1]];", &[("image", mixed)]);
    expect(
        "fn f(w: Plane) -> A = [[1]];",
        &[("Plane", "write `w` alone"), ("w", "`w` is a plane and `A` is a register")],
    );
    expect("fn f(image) -> G = [[1]];", &[("image", "unknown register `image`"), ("G", "unknown register `G`")]);
}

#[test]
fn sums() {
    expect("fn f(A, B) -> C = [[1]] + [[2]] * D;", &[("[[1]]", "`A` or `B`"), ("D", "unknown input `D`")]);
    expect("fn f(A) -> B = [[1]] / 16;", &[("/", "write the scale in front")]);
    let product = "kernels cannot be multiplied, and after `*` comes the input, such as `[[1, 2, 1]] * A`; write the kernel of \
                   both, or a filter for each";
    expect("fn f(A) -> B = [[1, 2, 1]] * [[1], [2], [1]];", &[("[[1], [2], [1]]", product)]);
    expect("const K = [[1]]; fn f(A) -> B = 1/2 * K * K;", &[("K", product)]);
    expect("const W = 2; fn f(A) -> B = [[1]] * W;", &[("W", "write the scale in front")]);
    expect("fn f(A) -> B = [[1]] * 1/16;", &[("*", "write the scale in front")]);
    expect("fn f(A) -> B = A;", &[("A", "`A` itself is written `[[1]] * A`")]);
    expect("fn f(A, B) -> C = [[1]] * B - 1/2 * A;", &[("A", "after the scale; `A` itself is written `[[1/2]] * A`")]);
    expect("fn f(A) -> B = 1/16;", &[("1", "`1/16` is a number; expected a kernel such as")]);
    expect("fn f(A) -> B = [[1]] + 3;", &[("3", "`3` is a number; expected a kernel such as")]);
    expect("fn f(A) -> B = 3 [[1]];", &[("[", "expected `*`")]);
    let late = "is about the whole block; write it in front of the first filter and constant";
    expect("fn f(A) -> B = [[1]]; #![machine(registers = 8)]", &[("machine", &format!("`#![machine(..)]` {late}"))]);
    expect("fn f(A) -> B = 2 * 3;", &[("3", "after the scale")]);
    expect("fn f(A) -> B = [[1, 2, 1]] - 1/2 * [[2, 4, 2]];", &[("[[2, 4, 2]]", "all weights of output `B` cancel")]);
    expect("fn f(A) -> B = [[0]] - 2 * [[0]];", &[]);
    for zero in ["0 * [[1]]", "0 * [[1, 2, 1]]", "[[0]] - 0 * [[1]]"] {
        let kernel = zero.rsplit("* ").next().unwrap();
        expect(&format!("fn f(A) -> B = {zero};"), &[(kernel, "all weights of output `B` are zero")]);
    }
    expect("fn f(A) -> (B, C) = [[1]];", &[("=", "several outputs take braces")]);
    expect("fn f(A) -> B;", &[(";", "expected `= kernel;`")]);
    expect(
        "fn f(A) -> (B, C) { B = [[1]]; B = [[1]]; D = [[1]]; }",
        &[("B", "already has a kernel"), ("D", "unknown output `D`; expected `B` or `C`"), ("C", "add `C = [[..]];`")],
    );
}

#[test]
fn options() {
    expect("#[search(node = 3)] fn f(A) -> B = [[1]];", &[("node", "unknown key `node`; did you mean `nodes`?")]);
    expect(
        "#[search(time = 3)] fn f(A) -> B = [[1]];",
        &[(
            "time",
            "expected `nodes`, `patience`, `book`, `memory`, `objective`, `isa`, `offset`, `input`, `max_gain`, `accuracy`, `max_words` or `bits`",
        )],
    );
    expect(
        "#[search(isa = native, offset = none)] fn f(A) -> B = [[1]];",
        &[("none", "unknown offset `none`; expected `cancelled` or `any`")],
    );
    expect("#[serach(nodes = 3)] fn f(A) -> B = [[1]];", &[("serach", "did you mean `search`?")]);
    expect("#[search] fn f(A) -> B = [[1]];", &[("search", "expected attribute arguments in parentheses")]);
    expect("#[search(nodes = 1)] #[search(nodes = 2)] fn f(A) -> B = [[1]];", &[("search", "given twice")]);
    expect(
        "#[search(nodes = 0, nodes = 1, objective = icw, isa = 3, max_gain = -1)] fn f(A) -> B = [[1]];",
        &[
            ("nodes", "`nodes` is given twice"),
            ("3", "expected a name"),
            ("0", "a search needs at least one node"),
            ("icw", "unknown objective `icw`; did you mean `icws`?"),
            ("-", "is below 1, the gain of the inputs"),
        ],
    );
    for (option, place, message) in [
        ("nodes = 7,, memory = 8", ",", "expected a key and its value, such as `nodes = 200_000`"),
        ("nodes 7", "7", "expected a key and its value, such as `nodes = 200_000`"),
        ("nodes = ", "=", "expected a number such as"),
        ("objective = \"icws\"", "\"icws\"", "expected a name without quotes, such as `icws`"),
        ("isa = \"macro\"", "\"macro\"", "expected a name without quotes, such as `macro`"),
        ("max_gain = an", "an", "unknown max_gain `an`"),
        ("input = 0, nodes = 7", "0", "expected a range such as `-128..127`"),
        ("input = 0..any", "any", "expected a number such as `-3`"),
        ("input = 0..7u8", "7u8", "numbers are exact and have no type; write `7` without `u8`"),
        ("input = 127..-128", "127", "the input range 127..-128 is empty; write -128..127"),
    ] {
        expect(&format!("#[search({option})] fn f(A) -> B = [[1]];"), &[(place, message)]);
    }
    expect("#![machine(range(min = -512, max = 511))] #[search(input = 0..511)] fn f(A) -> B = [[1]];", &[]);
    expect(
        "#[search(nodes = -1)] fn f(A) -> B = [[1]];",
        &[("-", "expected a whole number of at most 64 bits, not negative, found `-1`")],
    );
    expect("#[approximate(depth = 5)] fn f(A) -> B = [[1]];", &[("approximate", "both `depth` and `error`")]);
    expect("#[approximate(search)] fn f(A) -> B = [[1]];", &[("approximate", "takes an `error`")]);
    expect("#[approximate(error = 0.1, search = true)] fn f(A) -> B = [[1]];", &[]);
    expect("#[approximate(error = 0.001, search, depth = 2)] fn f(A) -> B = [[1/3]];", &[("0.001", "allow a larger")]);
}

/// Using what a machine lacks is an error at the place of use.
#[test]
fn machines() {
    let with = |parts: &str, kernel: &str| format!("#![machine({parts})] {kernel}");
    let copy = "fn f(A) -> B = [[1]];";
    for (parts, place, problem) in [
        ("registers = many", "many", "expected a number of registers, or an array such as `[A, B]`, found `many`"),
        ("registers = 2, registers = 3", "registers", "`registers` is given twice"),
        ("instructions = [mov, mov]", "mov", "instruction `mov` is listed twice"),
        ("bus = 3", "3", "expected options in parentheses such as `(destinations = 2, sources = 2)`, found `3`"),
        ("errors(gain = 0)", "0", "`gain`: expected from 0.5 to 1.5, found 0"),
        ("errors(offset = [20, 22, 2_000])", "2_000", "`offset`: expected from -100 to 100 DN, found 2000"),
        ("errors(noise = inf)", "inf", "expected a number such as `3`, `-1/16` or `0.125`, found `inf`"),
    ] {
        expect(&with(parts, copy), &[(place, problem)]);
    }
    expect(&with("registers = 18", "fn f(S) -> B = [[1]];"), &[("S", "the analogue registers are `A` to `R`")]);
    expect(&with("registers = [A, B]", "fn f(A) -> C = [[1]];"), &[("C", "the analogue registers are `A` and `B`")]);
    expect(
        &with("instructions = [mov, movx, add]", "#[search(isa = macro)] fn f(A) -> B = 1/2 * [[1, 0, 1]];"),
        &[("B", "the kernel of `B` needs halving, which the machine does not have among its macro instructions")],
    );
    expect("#![machin(registers = 7)]", &[("machin", "expected `#![machine(..)]`")]);
    expect("#![machine(bits = 7)] #![machine(bits = 7)]", &[("machine", "`machine` is given twice")]);
    expect("#![machine(bits = 7)] file = \"x\"", &[("file", "described in the file, under `[machine]`")]);
}

/// One mistake does not hide the next, in the same kernel or in another one.
#[test]
fn all_at_once() {
    expect(
        "fn f(A) -> B = [[x, 2u8], [1 2], [1/, 1e1/2]];",
        &[
            ("x", "expected a number such as `3`, `-1/16` or `0.125`, found `x`"),
            ("2u8", "without `u8`"),
            ("2", "expected `,`"),
            ("/", "expected a number"),
            ("1e1", "a fraction is made of whole numbers"),
        ],
    );
    expect(
        "fn a(A) -> B = [[1, x], [1]]; fn b(A) -> B = [[1]] fn c(A) => B = [[1]]; unsafe fn d(A) -> B = [[1]; 3];
         #[search(nods = 1)] fn e(A) -> (B, C) { B = [[1/5]]; C = ; } fn f(A)",
        &[
            ("x", "expected a number"),
            ("fn", "expected `;` after the kernel"),
            ("=", "expected `->`"),
            ("unsafe", "expected a filter such as"),
            (";", "expected `,`"),
            ("nods", "did you mean `nodes`?"),
            (";", "expected a kernel"),
            ("5", "denominator 5"),
            ("(A)", "expected `->`"),
        ],
    );
}

/// A typo in the header of one filter hides nothing about the others, which stay functions; nor about its own body, where
/// its meaning is plain.
#[test]
fn typos_in_headers() {
    let rest = "fn good(A) -> B = [[1]]; fn bad(A) -> G = [[1]];";
    for (header, at, problem) in [
        ("fn f(a: A) -> B", "a", "an input is a register and has no other name; write `A`"),
        ("fn f(a: &A) -> B", "a", "has no other name; write `&A`"),
        ("fn f(&mut A) -> B", "mut", "leave out `&mut`"),
        ("fn f(A) -> B using (C D)", "D", "expected `,` between registers"),
        ("fn f(A) -> B usign (C, D)", "usign", "expected `using`, found `usign`"),
        ("fn f<T>(A) -> B", "<", "a filter has no parameters of types"),
        ("fn f<'a, const N: usize>(A) -> B", "<", "a filter has no parameters of types"),
        ("fn f(A) => B", "=", "expected `->`"),
        ("fn f(A: Plane) -> B", "Plane", "the inputs of a filter have no types; write `A` alone"),
        ("fn f(A: &'a mut rt::Plane<'a, reg::A>) -> B", "&", "have no types; write `A` alone"),
        ("fn f(A: &Plane<A>) -> B", "&", "have no types; write `&A` alone"),
        ("fn f(A: f32) -> B", "f32", "have no types; write `A` alone"),
        ("fn f(A: [f32; 2]) -> B", "[f32; 2]", "have no types; write `A` alone"),
    ] {
        expect(
            &format!("{rest} {header} = [[1, 2], [3]];"),
            &[("G", "unknown register `G`"), (at, problem), ("[3]", "row 2 has 1 weight but")],
        );
        assert_eq!(readable(&format!("{rest} {header} = [[1]];")), 3, "{header}");
    }
    for (header, at, problem) in [
        ("fn f(A: 3) -> B", "3", "have no types; write `A` alone"),
        ("fn f(A, 3) -> B", "3", "expected a register"),
        ("fn f(A) -> (B; C)", ";", "expected `,`"),
        ("fn f(A) -> B using (C, [D])", "[", "expected a register"),
    ] {
        expect(
            &format!("{rest} {header} = [[1, x]];"),
            &[("G", "unknown register `G`"), (at, problem), ("x", "expected a number")],
        );
        assert_eq!(readable(&format!("{rest} {header} = [[1]];")), 2, "{header}");
    }
    // Brackets with tokens that cannot be read, anywhere before the body.
    for item in ["#[3] fn f(A) -> B = [[1]];", "pub(in 3) fn f(A) -> B = [[1]];", "fn f(A) -> B = (1 2) * [[1]];"] {
        assert!(readable(&format!("{item} {rest}")) >= 2, "{item}");
    }
    expect(
        "#![machine(registers = [A, 3], bits = 99)]",
        &[("3", "expected a register such as A, found `3`"), ("99", "digital registers")],
    );
}

/// The number of filters in a block whose signature could be read.
fn readable(source: &str) -> usize {
    items(format!("[cain_runtime] {source}").parse().unwrap()).1.iter().filter(|item| item.is_ok()).count()
}

/// All tokens result in a list of mistakes.
#[test]
fn odd_input_is_no_panic() {
    for source in [
        "#",
        "# #",
        "#!",
        "pub",
        "fn",
        "fn f",
        "fn f(",
        "}{",
        "; ; ;",
        "fn f(A) ->",
        "fn f(A) -> B {",
        "= = =",
        "é",
        "#[] fn f(A) -> B = [[1]];",
    ] {
        if source.parse::<TokenStream>().is_ok() {
            assert!(!mistakes(source).is_empty(), "{source}");
        }
    }
    assert!(matches!(items(TokenStream::new()).1.as_slice(), [Err(_)]));
}

/// The warnings for the filters of a block, with the part of the source that each is about.
fn warnings(source: &str) -> Vec<(String, String)> {
    let (machine, items) = items(format!("[cain_runtime] {source}").parse().unwrap());
    let declared = items.into_iter().flat_map(|item| {
        let mut errors = Errors::default();
        let item = item.unwrap();
        let signature = lower::header(&item.header, machine, &mut errors).unwrap();
        let declared = lower::body(signature, &item.header, &item.body, &mut errors).unwrap();
        declared.warnings
    });
    declared.map(|warning| (warning.at.source_text().unwrap(), warning.value)).collect()
}

#[test]
fn results_beyond_the_range_are_warned_about() {
    for (source, expected) in [
        ("fn f(A) -> B = [[1, 0, -1]];", Some(("[[1, 0, -1]]", "up to 2 times the range", "scale it with 1/2, or"))),
        ("fn f(A) -> B = 1/64 * [[31, 1, 33]];", Some(("[[31, 1, 33]]", "up to 65/64 times", "with 1/2,"))),
        (
            "fn f(A) -> (B, C) { B = [[1]]; C = [[9]] + [[1, 0, 0]]; }",
            Some(("[[9]]", "`C` has values up to 10", "1/16")),
        ),
        // The sign of the input decides which results are possible.
        ("#[search(input = 0..127)] fn f(A) -> B = [[1, 0, -1]];", None),
        ("#[search(input = 0..127)] fn f(A) -> B = [[3, 0, -1]];", Some(("[[3, 0, -1]]", "up to 2.977 times", "1/4"))),
        ("#[search(input = -32..31)] fn f(A) -> B = [[1, 2, 1]];", None),
        // Whoever gives a limit knows.
        ("#[search(max_gain = own)] fn f(A) -> B = [[1, 0, -1]];", None),
        ("#[search(max_gain = any)] fn f(A) -> B = [[1, 0, -1]];", None),
        ("#[search(max_gain = 2)] fn f(A) -> B = [[1, 0, -1]];", None),
        ("fn f(A) -> B = 1/16 * [[1, 2, 1], [2, 4, 2], [1, 2, 1]];", None),
    ] {
        let found = warnings(source);
        let fits = match (found.as_slice(), expected) {
            ([], None) => true,
            ([(at, message)], Some((place, reach, scale))) => {
                at == place && message.contains(reach) && message.contains(scale)
            }
            _ => false,
        };
        assert!(fits, "{source}: {found:?}");
    }
}

/// Programs of searches.
fn searched() -> Plans {
    Plans::new(Mode::Auto, None)
}

/// Of what the compiler leaves out in every build nothing is known; otherwise its errors are left out with it.
#[test]
fn mistakes_have_the_conditions_of_their_filters() {
    let expand = |source: &str| {
        let input: TokenStream = format!("[rt] {source}").parse().unwrap();
        crate::expand_with(input, |_| None, &searched()).to_string()
    };
    let never =
        "#[cfg(any())] fn f(A) -> B = [[1/5]]; #[cfg(not(all()))] fn f(A) - B = [[1]]; #[cfg(false)] #[serch] fn ..;";
    let output = expand(&format!("{never} fn g(A) -> B using () = [[1]];"));
    assert!(output.contains("fn g <") && !output.contains("fn f <") && !output.contains("compile_error"), "{output}");

    let others = "fn g(A) -> B using () = [[1]]; #[cfg(x)] fn h(A) -> B = [[1/5]]; #[cfg(y)] pub fn h(A) - B = [[1]];
                  #[cfg(z)] #[interruptible(by = [k])] fn i(A) -> B using (C) = [[1]];
                  #[cfg(u)] #[search(nodes = 1)] fn j(A) -> A using () = [[1, 2, 4], [3, 5, 7], [1, 3, 9]];
                  #[cfg(v)] #[search(isa = digital, bits = 1)] fn k(a) -> b = [[1/5]] * a;";
    let output = expand(others);
    for (condition, message) in [
        ("x", "denominator 5"),
        ("y", "expected `->`"),
        ("z", "unknown filter `k`"),
        ("u", "no program found"),
        ("v", ""),
    ] {
        let expected = format!("# [cfg ({condition})] :: core :: compile_error ! {{ \"{message}");
        assert!(output.contains(&expected), "{expected}: {output}");
    }
    assert_eq!(output.matches("compile_error").count(), 5, "{output}");
    assert!(output.contains("fn g <"), "{output}");
}

#[test]
fn names_of_filters() {
    expect("fn gauß(A) -> B = [[1]];", &[("gauß", "a filter cannot be called `gauß`; begin with a letter")]);
    for keyword in ["self", "Self", "super", "crate"] {
        let message = crate::names::declared("filter", keyword).unwrap_err();
        let start = format!("a filter cannot be called `{keyword}`, a keyword of Rust that is no name even as");
        assert!(message.starts_with(&start), "{message}");
    }
    let long = "n".repeat(101);
    expect(&format!("fn {long}(A) -> B = [[1]];"), &[(&long, "has 101 characters; that of a filter has at most 100")]);
}

/// Whatever planes, inputs and filters are called, the function is one, and no parameter of it hides another.
#[cfg(feature = "source")]
#[test]
fn every_name_becomes_an_identifier() {
    use std::collections::BTreeSet;

    for (filter, names) in [
        ("f", ["self_", "h", "host"]),
        ("H", ["h", "host", "h_"]),
        ("Image", ["image", "image_", "i_m_a_g_e"]),
        ("r#type", ["static_", "self__", "type_"]),
        ("SelfPlane", ["self_", "self_plane", "selfplane"]),
        ("core", ["core", "result", "r"]),
        ("u8", ["u8", "f32", "plan"]),
        ("_x", ["all", "bits", "read"]),
    ] {
        let [a, b, c] = names;
        let sources = [
            format!("fn {filter}({a}) -> {b} using ({c}) = [[0, 0, 1]];"),
            format!("#[search(isa = digital, bits = 1)] fn {filter}({a}, {b}) -> {c} = {a} & {b};"),
            format!(
                "#[search(isa = superpixel)] #[superpixel(order = [[1, 2], [4, 3]])] fn {filter}({a}, &{b}) -> {c} = [[1]] * \
                 {a} + [[1]] * {b};"
            ),
        ];
        for source in sources {
            let input = format!("[rt] {source}").parse().unwrap();
            let output = crate::expand_with(input, |_| None, &searched());
            assert!(!output.to_string().contains("compile_error"), "{source}: {output}");
            let file = syn::parse2::<syn::File>(output.clone()).unwrap_or_else(|error| panic!("{error}: {output}"));
            let generics = file.items.iter().find_map(|item| match item {
                syn::Item::Fn(function) => Some(function.sig.generics.params.iter()),
                _ => None,
            });
            let names: Vec<String> = generics
                .unwrap()
                .map(|parameter| match parameter {
                    syn::GenericParam::Type(parameter) => parameter.ident.to_string(),
                    syn::GenericParam::Lifetime(parameter) => parameter.lifetime.to_string(),
                    syn::GenericParam::Const(parameter) => parameter.ident.to_string(),
                })
                .collect();
            let different: BTreeSet<&str> = names.iter().map(String::as_str).chain([filter]).collect();
            assert_eq!(different.len(), names.len() + 1, "{source}: {names:?}");
        }
    }
}

/// What is not compiled says which feature compiles it.
#[cfg(not(feature = "digital"))]
#[test]
fn filters_on_bits_name_their_feature() {
    for options in ["isa = digital, bits = 1", "isa = superpixel"] {
        let filter = format!("[rt] #[search({options})] fn f(a) -> b = [[1]];").parse().unwrap();
        let output = crate::expand_with(filter, |_| None, &Plans::none()).to_string();
        assert_eq!(output.matches("feature `digital` of `cain-runtime`").count(), 1, "{output}");
    }
}

/// What is not compiled says which feature compiles it.
#[cfg(not(feature = "networks"))]
#[test]
fn networks_name_their_feature() {
    let output = crate::expand_network_with("[rt] network n { }".parse().unwrap(), |_| None, &Plans::none());
    assert!(output.to_string().contains("feature `networks` of `cain-runtime`"), "{output}");
    #[cfg(feature = "toml")]
    for table in ["network", "in_pixel", "automaton"] {
        let text = format!("[{table}.n]\nx = 1\n");
        let problems = crate::kernel_file::parse_any(&text, crate::Overrides::default()).unwrap_err();
        assert!(problems.iter().any(|problem| problem.message.contains("feature `networks`")), "{problems:?}");
    }
}

/// What is not compiled says which feature compiles it.
#[cfg(all(feature = "toml", not(feature = "programs")))]
#[test]
fn programs_name_their_feature() {
    for text in ["program = 'bright.cain'", "program = 'program bright(image) -> (mask) { let mask = image > 40; }'"] {
        let problems = crate::kernel_file::parse_any(text, crate::Overrides::default()).unwrap_err();
        assert!(problems.iter().any(|problem| problem.message.contains("feature `programs`")), "{problems:?}");
    }
}
