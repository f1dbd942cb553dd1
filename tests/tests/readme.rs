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

scamp_kernels! {
    /// The native program of README.md.
    #[search(isa = native, offset = any, nodes = 5_000)]
    fn native_gauss(A) -> A = 1/16 * [[1, 2, 1], [2, 4, 2], [1, 2, 1]];
}

const README: &str = include_str!("../../README.md");

#[test]
fn the_listing_is_the_one_that_comes_out() {
    let listing = gauss::PLAN.to_string();
    assert!(README.contains(&format!("```c\n{listing}```\n")), "README.md has another listing than\n{listing}");
}

#[test]
fn the_native_program_is_as_short_as_it_says() {
    assert!(README.contains("seven words instead of twenty"));
    assert_eq!(native_gauss::PLAN.cost.icws, 7);
}
