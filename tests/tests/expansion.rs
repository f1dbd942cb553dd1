//! What the macro expands to, as formatted source.
//!
//! Four snapshots show whole expansions: of a plan, of one with control words, of a network, and of a mistake. For other
//! filters the tests assert where the expansion differs. The filters are so small that their programs are known to be
//! shortest: a better search does not change them.

use cain_codegen::{Mode, Plans};

use super::support::expand;

/// There are no plan files.
fn plans() -> Plans {
    Plans::new(Mode::Auto, None)
}

/// Asserts that the expansion of filters has these parts.
#[track_caller]
fn expect(filters: &str, parts: &[&str]) -> String {
    let expansion = expand(filters, &plans());
    for part in parts {
        assert!(expansion.contains(part), "{part}\nis not in\n{expansion}");
    }
    expansion
}

/// Compares an expansion with `snapshots/NAME.snap`.
fn assert_snapshot(name: &str, expansion: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, expansion));
}

/// The expansion without the number of search nodes, which changes with every improvement of the search.
fn without_effort(expansion: &str) -> String {
    let mut parts = expansion.split_inclusive("odes: ");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push('#');
        text.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit() || c == '_'));
    }
    text
}

#[test]
fn several_outputs() {
    let filters = "
        /// Two slopes.
        #[search(isa = macro, max_gain = own)]
        pub fn slopes(&A) -> (B, C) using () {
            B = [[0, -1, 1]];
            C = [[1], [-1], [0]];
        }
    ";
    assert_snapshot("several_outputs", &without_effort(&expand(filters, &plans())));
}

#[test]
fn native() {
    let filters = "
        #[search(nodes = 1_000, max_gain = own)]
        pub fn slope(&A) -> B using (C, D) = [[1, 0, -1]];
    ";
    assert_snapshot("native", &without_effort(&expand(filters, &plans())));
}

/// A whole network: its stages, weights and results.
#[test]
fn network() {
    let networks = "
        /// Where it gets brighter.
        #[search(nodes = 1_000)]
        pub network edges {
            input = { size = [4, 6], levels = -60..60, binarise = 128 };
            slope = convolution { kernels = [[[-1, 1]]] };
            is_edge = threshold { at = 60 };
            halves = windows { size = [4, 2] };
            scores = dense { weights = [[1, -0.5]], bits = 8 };
            brightest = argmax { from = halves };
        }
    ";
    let input = format!("[::cain_runtime] {networks}").parse().unwrap();
    let expansion = cain_codegen::expand_network_with(input, |_| None, &plans());
    assert_snapshot("network", &cain_codegen::generate::format(&expansion));
}

/// A filter with a mistake still gets a function.
#[test]
fn mistake() {
    let filters = "
        /// Three rows.
        pub fn ragged(A) -> (A, B) using C {
            A = [[1, 2, 1], [1, 2], [1, 2, 1]];
            B = [[1]];
        }
    ";
    assert_snapshot("mistake", &expand(filters, &plans()));
}

/// There is nothing to call without a signature.
#[test]
fn mistake_in_header() {
    let expansion = expect(
        "pub fn unknown(A) -> Z = [[1]];",
        &["\"unknown register `Z`; the analogue registers are `A`, `B`, `C`, `D`, `E` and `F`\""],
    );
    assert!(!expansion.contains("fn ") && !expansion.contains("mod "), "{expansion}");
}

/// Scratch registers are parameters after the output, and are reported where the program overwrites them.
#[test]
fn scratch() {
    expect(
        "#[search(isa = macro, offset = any)] pub fn average(&A) -> B using (C, D) = 1/2 * [[0, 1, 1]];",
        &[
            "/// `B = 1/2 [0 1 1] * A`\n///\n/// 2 macro instructions, 7 control words, about 1.33 µs on the chip; peak gain 1.\n\
             /// Reads `A`. Writes `B`. Clobbers `C` and `D`.\n/// Proved shortest. Search nodes: ",
            "/// Transfer errors of one word left: -1 in `B`.\n",
            "    b: &'b mut ::cain_runtime::Areg<::cain_runtime::reg::B>,\n\
             \x20   c: &mut ::cain_runtime::Areg<::cain_runtime::reg::C>,\n\
             \x20   d: &mut ::cain_runtime::Areg<::cain_runtime::reg::D>,\n",
            "    let _ = (a, c, d);\n",
            "use ::cain_runtime::isa::asm::{A, B, C, D, EAST, div_copy, ratio, subx};",
            "                div_copy(B, C, D, A),\n                subx(B, B, EAST, C),\n",
        ],
    );
}

/// Without `using`, all the other registers are scratch.
#[test]
fn default_scratch() {
    let expansion = expect(
        "fn copy(&A) -> B = [[1]];",
        &[
            "#[allow(clippy::many_single_char_names)]\n",
            "    f: &mut ::cain_runtime::Areg<::cain_runtime::reg::F>,\n",
            "    let _ = (a, c, d, e, f);\n",
            "declaration: \"copy(&A) -> (B) using (C, D, E, F) { B = [1] * A; }\"",
        ],
    );
    assert!(!expansion.contains("Clobbers"), "{expansion}");
}

/// One input is given up, the other one kept.
#[test]
fn several_inputs() {
    expect(
        "#[search(isa = macro, max_gain = own)] pub fn difference(A, &B) -> C using () = [[0, 0, 1]] * A - [[1]] * B;",
        &[
            "/// `C = [0 0 1] * A + [-1] * B`\n",
            "/// Reads `A` and `B`. Writes `C`.\n",
            "    a: ::cain_runtime::Plane<'_, ::cain_runtime::reg::A>,\n\
             \x20   b: &::cain_runtime::Plane<'_, ::cain_runtime::reg::B>,\n",
            "    let _ = (a, b);\n",
            "inputs: &[A, B],",
            "subx(C, A, EAST, B),",
        ],
    );
}

/// The plane of the input is returned.
#[test]
fn in_place() {
    let expansion = expect(
        "/// The pixel to the north.\n#[search(isa = macro)]\npub fn north(A) -> A using () = [[1], [0], [0]];",
        &[
            "/// The pixel to the north.\n///\n/// `A = [1; 0; 0] * A`\n",
            "pub fn north<'a, H: ::cain_runtime::HostController>(\n    scamp: &mut H,\n\
             \x20   a: ::cain_runtime::Plane<'a, ::cain_runtime::reg::A>,\n)",
            "    ::cain_runtime::HostController::run(scamp, &north::PLAN)?;\n    ::core::result::Result::Ok(a)\n",
            "movx(A, A, NORTH),",
        ],
    );
    assert!(!expansion.contains("Areg") && !expansion.contains("let _ = ("), "{expansion}");
}

/// The module and its constant are as visible as the function.
#[test]
fn visibility() {
    let expansion = expect(
        "fn copy(&A) -> B using () = [[1]];",
        &["\nfn copy<", "\nmod copy {\n", "    pub(super) const PLAN: ::cain_runtime::isa::Plan = {\n"],
    );
    assert!(expansion.starts_with("/// `B = [1] * A`\n"), "{expansion}");
    expect(
        "pub(crate) fn r#match(&A) -> B using () = [[1]];
         pub(in crate::filters) fn copy(&A) -> B using () = [[1]];",
        &[
            "pub(crate) fn r#match<",
            "::cain_runtime::HostController::run(scamp, &r#match::PLAN)?;",
            "/// The plan of the filter `match`.\n",
            "pub(crate) mod r#match {\n",
            "    pub(crate) const PLAN: ",
            "name: \"match\",",
            "pub(in crate::filters) fn copy<",
            "pub(in crate::filters) mod copy {\n",
            "    pub(in crate::filters) const PLAN: ",
        ],
    );
}

/// The condition applies to the module too, other attributes only to the function.
#[test]
fn attributes() {
    let expansion = expect(
        "
        #[cfg(feature = \"edges\")]
        #[deprecated(note = \"use `slope`\")]
        #[search(max_gain = own)]
        /// The slope to the east.
        ///
        /// # Errors
        ///
        /// When the array is switched off.
        pub fn east(&A) -> B using () = [[0, -1, 1]];
        ",
        &[
            "#[cfg(feature = \"edges\")]\n#[deprecated(note = \"use `slope`\")]\n/// The slope to the east.\n",
            "/// When the array is switched off.\n///\n/// `B = [0 -1 1] * A`\n",
            "#[cfg(feature = \"edges\")]\n/// The plan of the filter `east`.\n",
        ],
    );
    assert_eq!(expansion.matches("#[deprecated").count(), 1, "{expansion}");
    assert_eq!(expansion.matches("# Errors").count(), 1, "{expansion}");
}

#[test]
fn approximate() {
    expect(
        "#[approximate(depth = 3, error = 0.1)] pub fn average(&A) -> B using (C, D) = [[0.01, 0.49, 0.52]];",
        &[
            "/// `B = 1/2 [0 1 1] * A`\n",
            "/// Weights were rounded to multiples of 1/2^1; the changes add up to at most 1/25.\n",
            "declaration: \"average(&A) -> (B) using (C, D) { B = 1/2 [0 1 1] * A; }\"",
        ],
    );
}

/// The basic instructions have no `subx`.
#[test]
fn options() {
    let expansion = expect(
        "#[search(nodes = 1_000, objective = icws, isa = basic, max_gain = 2)]
         pub fn east(&A) -> B using () = [[0, -1, 1]];",
        &["movx(B, A, EAST),\n                sub(B, B, A),\n", "macros: 2,", "peak_gain: ratio(2, 1),"],
    );
    assert!(!expansion.contains("subx"), "{expansion}");
    expect(
        "#[search(max_gain = 3/2)] pub fn east(&A) -> B using () = [[0, -1, 1]];",
        &["\"the kernel of `B` has a gain of 2, which is more than the `max_gain` of 3/2; allow at least 2\""],
    );
}

/// The compiler warns where a lint is expected that never comes; what applies to the function applies to the warning, but
/// not what is expected of the function.
#[test]
fn warnings() {
    let filters = "
        #[cfg(feature = \"edges\")]
        #[expect(dead_code)]
        #[allow(unfulfilled_lint_expectations)]
        #[inline]
        fn east(&A) -> B using () = [[0, -1, 1]];
    ";
    expect(
        filters,
        &[
            "#[warn(warnings)]\n#[cfg(feature = \"edges\")]\n#[allow(unfulfilled_lint_expectations)]\nconst _: () = {\n    #[expect(\n\
             \x20       long_running_const_eval,\n        reason = \"the kernel of `B` has values up to 2 times the range of the \
             registers, which saturate: scale it with 1/2, or accept that with `#[search(max_gain = any)]`\"\n    )]\n    \
             const _: () = ();\n};\n",
        ],
    );
    let accepted = expand(&filters.replace("#[inline]", "#[search(max_gain = any)]"), &plans());
    assert!(!accepted.contains("warnings"), "{accepted}");
}

/// No step from tokens to tokens depends on addresses or hashes.
#[test]
fn the_same_filters_expand_to_the_same_text() {
    let filters = "
        pub fn gauss(A) -> B = 1/16 * [[1, 2, 1], [2, 4, 2], [1, 2, 1]];
        pub fn sobel(&A) -> (B, C) using (D, E) {
            B = [[1, 0, -1], [2, 0, -2], [1, 0, -1]];
            C = [[1, 2, 1], [0, 0, 0], [-1, -2, -1]];
        }
    ";
    assert_eq!(expand(filters, &plans()), expand(filters, &plans()));
}

/// Planes have names, and the function their registers as types; the plan is that of the first registers.
#[test]
fn any_registers() {
    let expansion = expect(
        "#[search(isa = macro)] pub fn north(&image, h) -> (h, up) using t { h = [[1]] * h; up = [[1], [0], [0]] * image; }",
        &[
            "/// - `h = [1] * h`\n/// - `up = [1; 0; 0] * image`\n",
            "/// It runs in any registers. In the plan, `A` is `image`, `B` is `h`, `C` is `up`, `D` is `t`.\n",
            "pub fn north<\n    'h,\n    'up,\n    H: ::cain_runtime::HostController,\n\
             \x20   Image: ::cain_runtime::reg::Register,\n    HPlane: ::cain_runtime::reg::Register,\n\
             \x20   Up: ::cain_runtime::reg::Register,\n    T: ::cain_runtime::reg::Register,\n>(",
            "    image: &::cain_runtime::Plane<'_, Image>,\n    h: ::cain_runtime::Plane<'h, HPlane>,\n\
             \x20   up: &'up mut ::cain_runtime::Areg<Up>,\n    t: &mut ::cain_runtime::Areg<T>,\n",
            "    let _ = (image, t);\n",
            "listing: &north::PLAN\n",
            ".in_registers::<\n",
            "inputs: &[A, B],",
            "movx(C, A, NORTH),",
        ],
    );
    assert!(expansion.contains("declaration: \"north(&A, B) -> (B, C) using (D) {"), "{expansion}");
}

/// Unless scratch planes are named, they are all other registers of the machine, each under a name of its own.
#[test]
fn default_scratch_planes() {
    expect(
        "#![machine(registers = 3)] pub fn copy(&scratch_b) -> out = [[1]];",
        &[
            "scratch_b: &::cain_runtime::Plane<'_, ScratchB>,",
            "out: &'out mut ::cain_runtime::Areg<Out>,",
            "scratch_c: &mut ::cain_runtime::Areg<ScratchC>,",
        ],
    );
}
