#![deny(unfulfilled_lint_expectations)]

use cain_runtime::scamp_kernels;

scamp_kernels! {
    fn slopes(&A) -> (B, C) using () {
        B = [[-1, 0, 1]];
        C = 1/2 * [[-1], [0], [1]];
    }

    #[allow(unfulfilled_lint_expectations)]
    fn silenced(&A) -> B using () = [[-1, 0, 1]];

    #[search(max_gain = any)]
    fn lifted(&A) -> B using () = [[-1, 0, 1]];

    #[search(input = 0..127)]
    fn bright(&A) -> B using () = [[-1, 0, 1]];
}

scamp_kernels!(file = "beyond_the_range.toml");

fn main() {}
