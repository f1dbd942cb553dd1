use cain_runtime::scamp_kernels;

scamp_kernels! {
    #[search(input = 127..-128)]
    fn backwards(A) -> B = [[1]];

    #[search(input = 0..255)]
    fn unsigned(A) -> B = [[1]];

    #[search(max_gain = none)]
    fn unlimited(A) -> B = [[1]];

    #[approximate(depth = 2, error = 5)]
    fn faint(A) -> B = [[0.1, 0.1, 0.1]];
}

fn main() {}
