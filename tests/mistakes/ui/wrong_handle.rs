use cain_runtime::sim::Array;
use cain_runtime::{Aregs, scamp_kernels};

scamp_kernels! {
    fn east(&A) -> B using () = [[0, 0, 1]];
}

fn main() {
    let mut scamp = Array::new(4, 4);
    let mut r = Aregs::new();
    let a = r.a.hold();
    let _ = east(&mut scamp, &a, &mut r.c);
}
