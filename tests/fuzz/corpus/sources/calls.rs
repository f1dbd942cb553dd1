#!/usr/bin/env run
use cain_runtime::{scamp_kernels, scamp_kernels as focal};
scamp_kernels! { fn a(A) -> B using () = [[1]]; }
mod inner { pub mod deep { ::cain_runtime::scamp_kernels![fn r#match(&A) -> B using () = [[1]];]; } }
fn main() { let f = || { focal! { #[search(nodes = 7)] fn c(A) -> B using () = [[1, 0, 0]]; } }; }
cfg_if! { if #[cfg(x)] { scamp_kernels! { fn d(A) -> A using () = [[0]]; } } }
macro_rules! shift { ($n:ident) => { focal! { fn $n(A) -> B = [[1]]; } } }
scamp_kernels!(file = "kernels/edges.toml",);
const S: &str = r#"scamp_kernels! { fn a(A) -> B = [[1]]; }"#; /* scamp_kernels! /* nested */ */
