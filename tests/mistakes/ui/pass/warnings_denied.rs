//! A warning of the macro stays one.
#![deny(warnings)]

use cain_runtime::scamp_kernels;

scamp_kernels! {
    #[allow(dead_code)]
    pub fn slope(&A) -> B using () = [[-1, 0, 1]];
}

fn main() {
    assert_eq!(slope::PLAN.name, "slope");
}
