use cain_runtime::scamp_kernels;

scamp_kernels! {
    #[search(max_gain = 3)]
    fn blur(A) -> B = [[1, 2, 1]];

    #[search(nodes = 0, max_gain = 1/2)]
    fn copy(A) -> B = [[1]];
}

fn main() {}
