//! README.md says what is so. Its Rust blocks are compiled and run as documentation tests of this crate.

use cain_runtime::scamp_kernels;

scamp_kernels! {
    /// The example of README.md.
    fn gauss(A) -> A using (B, C, D) = 1/16 * [
        [1, 2, 1],
        [2, 4, 2],
        [1, 2, 1],
    ];
}

const README: &str = include_str!("../../README.md");

#[test]
fn the_listing_is_the_one_that_comes_out() {
    let listing = gauss::PLAN.to_string();
    assert!(README.contains(&format!("```c\n{listing}```\n")), "README.md has another listing than\n{listing}");
}
