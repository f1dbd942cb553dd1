use cain_runtime::scamp_kernels;

scamp_kernels! {
    #[search(headroom = 3)]
    fn blur(A) -> B = [[1, 2, 1]];

    #[search(nodes = 0, headroom = 1/2)]
    fn copy(A) -> B = [[1]];
}

fn main() {}
