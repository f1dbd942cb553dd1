//! Kernels among items whose names generated code uses too.
#![allow(dead_code, non_camel_case_types, non_snake_case, missing_docs, reason = "the names are what matters here")]

pub struct Result;
pub struct Ok;
pub struct Err;
pub struct Plane;
pub struct Areg;
pub struct Plan;
pub struct A;
pub struct B;
pub struct Host;
pub trait HostController {}
pub mod core {}
pub mod isa {}
pub mod reg {}
pub mod cain_runtime {}
pub fn div() {}
pub fn movx() {}
pub fn ratio() {}

::focal::scamp_kernels! {
    pub fn scamp(&A) -> B using () = [[1, 0, 0]];
    pub fn a(&A) -> B using () = [[0, 0, 1]];
    // The type of the host controller has that name elsewhere.
    pub fn H(&A) -> B using () = [[1], [0], [0]];
    pub fn asm(&A) -> B using () = [[0], [0], [1]];
}
