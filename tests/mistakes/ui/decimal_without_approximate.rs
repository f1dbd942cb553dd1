use cain_runtime::scamp_kernels;

scamp_kernels! {
    fn detail(A) -> B = [[0.11, 0.52, 0.13]];
}

fn main() {}
