use cain_runtime::{scamp_kernels, scamp_network};

scamp_kernels! {
    #[cfg(any())]
    fn never(A) -> B = [[1, 2]];

    #[cfg(not(debug_assertions))]
    fn in_another_build(A) -> B = [[1, 2]];

    #[cfg(debug_assertions)]
    fn in_this_build(A) -> B = [[1, 2]];

    #[cfg(not(debug_assertions))]
    fn in_this_build(A) - B = [[1]];
}

scamp_network! {
    #[cfg(not(debug_assertions))]
    network in_another_network { p = plan; }
}

fn main() {}
