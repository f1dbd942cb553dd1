//! A kernel without a program is still a function of the declared type: its callers give no second wave of errors.

use cain_runtime::sim::Array;
use cain_runtime::{Aregs, scamp_kernels};

scamp_kernels! {
    fn wrong(&A) -> (B, C) using D {
        B = [[1/7]];
        C = [[1]];
    }
}

fn main() {
    let mut scamp = Array::new(4, 4);
    let mut r = Aregs::new();
    let a = r.a.hold();
    let (b, c) = wrong(&mut scamp, &a, &mut r.b, &mut r.c, &mut r.d).unwrap();
    println!("{} {} {}", b.reg(), c.reg(), wrong::PLAN);
}
