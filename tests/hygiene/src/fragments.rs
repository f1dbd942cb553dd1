//! Fragments of other macros, wherever one is read.
#![allow(dead_code, missing_docs, reason = "that it compiles is what matters here")]

macro_rules! filter {
    ($name:ident, $scale:literal, $weight:literal, $kernel:expr, $nodes:literal, $gain:literal, $doc:literal) => {
        ::focal::scamp_kernels! {
            #[doc = $doc]
            #[search(nodes = $nodes, max_gain = $gain)]
            pub fn $name(&A) -> B = $scale * [[-$weight, 1/2, $weight]];
            #[search(isa = digital, bits = $gain)]
            pub fn digital(image) -> out = $kernel;
        }
    };
}
filter!(weighted, 0.5, -1, [[1, 0, 0]], 100, 2, "Documented by a fragment.");

macro_rules! network {
    ($name:ident, $low:literal, $high:literal, $size:literal, $at:literal, $operation:ident, $weights:expr, $of:expr) => {
        ::focal::scamp_network! {
            #[search(nodes = $size)]
            pub network $name {
                input = { size = $size, levels = $low..$high, binarise = 128 };
                are_bright = $operation { at = -$at };
                counts = windows { size = [2, $of] };
                scores = dense { weights = $weights };
            }
        }
    };
}
network!(bright, -60, 60, 4, -30, threshold, [[1, 0.5, -0.25, 1]], 2);

macro_rules! file {
    ($path:literal) => {
        pub mod from_file {
            ::focal::scamp_kernels!(file = $path);
        }
    };
}
file!("../kernels.toml");
