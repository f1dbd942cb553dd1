//! What the macro expands to, as formatted source.
//!
//! The kernels are so small that their programs are known to be shortest: a better search does not change them.

mod support;

use cain_codegen::{Mode, Plans};
use support::{assert_snapshot, expand};

/// Nothing is pinned.
const PLANS: Plans = Plans { mode: Mode::Auto, folder: None };

/// Compares the expansion of kernels with `snapshots/NAME.snap`.
macro_rules! expansions {
    ($($(#[$doc:meta])* $name:ident: $kernels:literal;)*) => {$(
        $(#[$doc])*
        #[test]
        fn $name() {
            assert_snapshot(stringify!($name), &without_effort(&expand($kernels, &PLANS)));
        }
    )*};
}

expansions! {
    one_output: "
        /// The average with the neighbour to the east.
        pub fn average(&A) -> B using (C, D) = 1/2 * [[0, 1, 1]];
    ";
    several_outputs: "
        /// Two slopes.
        pub fn slopes(&A) -> (B, C) using () {
            B = [[0, -1, 1]];
            C = [[1], [-1], [0]];
        }
    ";
    several_inputs: "
        /// One given up, one kept.
        pub fn difference(A, &B) -> C using () = [[0, 0, 1]] * A - [[1]] * B;
    ";
    in_place: "
        /// The pixel to the north.
        pub fn north(A) -> A using () = [[1], [0], [0]];
    ";
    /// Without `using`, all the other registers are scratch.
    default_scratch: "fn copy(&A) -> B = [[1]];";
    private_without_docs: "fn copy(&A) -> B using () = [[1]];";
    restricted: "
        pub(crate) fn r#match(&A) -> B using () = [[1]];
        pub(in crate::filters) fn copy(&A) -> B using () = [[1]];
    ";
    /// The condition concerns the module too, the other attributes only the function.
    attributes: "
        #[cfg(feature = \"edges\")]
        #[deprecated(note = \"use `slope`\")]
        /// The slope to the east.
        ///
        /// # Errors
        ///
        /// When the array is switched off.
        pub fn east(&A) -> B using () = [[0, -1, 1]];
    ";
    approximate: "
        #[approximate(depth = 3, error = 0.1)]
        pub fn average(&A) -> B using (C, D) = [[0.01, 0.49, 0.52]];
    ";
    options: "
        #[search(nodes = 1_000, objective = icws, isa = basic, max_gain = 2)]
        pub fn east(&A) -> B using () = [[0, 0, 1]];
    ";
    native: "
        #[search(isa = native, nodes = 1_000)]
        pub fn slope(&A) -> B using (C, D) = [[1, 0, -1]];
    ";
    /// A mistake, and a function all the same.
    mistake: "
        /// Three rows.
        pub fn ragged(A) -> (A, B) using C {
            A = [[1, 2, 1], [1, 2], [1, 2, 1]];
            B = [[1]];
        }
    ";
    /// Nothing to call: there is no signature.
    mistake_in_header: "pub fn unknown(A) -> Z = [[1]];";
}

/// The number of search nodes changes with every improvement of the search.
fn without_effort(expansion: &str) -> String {
    let mut parts = expansion.split_inclusive("odes: ");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push('#');
        text.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit() || c == '_'));
    }
    text
}

/// Nothing in the way from tokens to tokens depends on addresses or hashes.
#[test]
fn the_same_kernels_expand_to_the_same_text() {
    let kernels = "
        pub fn gauss(A) -> B = 1/16 * [[1, 2, 1], [2, 4, 2], [1, 2, 1]];
        pub fn sobel(&A) -> (B, C) using (D, E) {
            B = [[1, 0, -1], [2, 0, -2], [1, 0, -1]];
            C = [[1, 2, 1], [0, 0, 0], [-1, -2, -1]];
        }
    ";
    assert_eq!(expand(kernels, &PLANS), expand(kernels, &PLANS));
}
