use cain_runtime::sim::Array;
use cain_runtime::{Aregs, scamp_kernels};

scamp_kernels! {
    fn average(A) -> B using (C) = 1/2 * [[0, 1, 1]];
}

fn main() {
    let mut scamp = Array::new(4, 4);
    let mut r = Aregs::new();
    let a = r.a.hold();
    let _ = average(&mut scamp, a, &mut r.b, &mut r.c);
    let _ = scamp.read(&a);
}
