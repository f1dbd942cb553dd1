#![deny(unfulfilled_lint_expectations)]

use cain_runtime::scamp_kernels;

scamp_kernels! {
    #[search(nodes = 20)] fn slopes(&A) -> (B, C) using () {
        B = [[-1, 0, 1]];
        C = 1/2 * [[-1], [0], [1]];
    }

    #[allow(unfulfilled_lint_expectations)] #[search(nodes = 20)]
    fn silenced(&A) -> B using () = [[-1, 0, 1]];

    #[search(max_gain = any, nodes = 20)]
    fn lifted(&A) -> B using () = [[-1, 0, 1]];

    #[search(input = 0..127, nodes = 20)]
    fn bright(&A) -> B using () = [[-1, 0, 1]];
}

scamp_kernels!(file = "beyond_the_range.toml");

fn main() {}
