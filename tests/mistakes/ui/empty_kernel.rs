use cain_runtime::scamp_kernels;

scamp_kernels! {
    fn nothing(A) -> B = [];
    fn nothing_in_a_row(A) -> B = [[]];
}

fn main() {}
