use cain_runtime::scamp_kernels;

scamp_kernels! {
    fn blur(&A) -> A = 1/4 * [[1, 2, 1]];
}

fn main() {}
