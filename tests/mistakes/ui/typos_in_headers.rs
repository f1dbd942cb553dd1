//! The filters beside those with mistakes, and those whose meaning is plain, stay functions.

use cain_runtime::scamp_kernels;
use cain_runtime::sim::{Array, SimError};
use cain_runtime::Aregs;

scamp_kernels! {
    fn good(A) -> B = [[1]];
    fn named(image: A) -> B = [[1]];
    fn mutable(&mut A) -> B = [[1]];
    fn separated(A) -> B using (C D) = [[1]];
    fn generic<T>(A) -> B = [[1], [2]];
    fn typed(A: &Plane<A>) -> B = [[1]];
    fn mixed(image) -> A = [[1]];
    fn product(A) -> B = [[1, 2, 1]] * [[1], [2], [1]];
}

fn main() -> Result<(), SimError> {
    let (mut scamp, mut r) = (Array::new(1, 1), Aregs::new());
    let image = scamp.load(&mut r.a, &[0.0])?;
    good(&mut scamp, image, &mut r.b, &mut r.c, &mut r.d, &mut r.e, &mut r.f)?;
    Ok(())
}
