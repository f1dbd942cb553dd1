use cain_runtime::scamp_kernels;

scamp_kernels!(file = kernels.toml);

scamp_kernels!(file = "kernels.toml", fn blur(A) -> A = 1/4 * [[1, 2, 1]];);

fn main() {}
