use cain_runtime::scamp_kernels;

scamp_kernels! {
    fn lower_case(a) -> B = [[1]];
    fn digital(A) -> R5 = [[1]];
    fn scratch(A) -> B using (C, G) = [[1]];
}

fn main() {}
