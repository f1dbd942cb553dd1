use cain_runtime::scamp_kernels;

scamp_kernels! {
    fn inputs(A, A) -> B = [[1]] * A;
    fn outputs(A) -> (B, B) { B = [[1]]; }
    fn scratch(A) -> B using (C, B) = [[1]];
}

fn main() {}
