use cain_runtime::scamp_kernels;

scamp_kernels! {
    #[search(max_gain = any)]
    fn blur(A) -> A using () = 1/4 * [[1, 2, 1]];
}

fn main() {}
