use cain_runtime::scamp_kernels;

scamp_kernels!(file = "missing.toml");

fn main() {}
