//! Includes kernels that a build script has compiled.

/// Includes the kernels that a build script has compiled from a kernel file: `include_kernels!("edges")` expands to
/// the functions and plans of `edges.toml`.
///
/// The build script calls [`cain_build::compile`](https://docs.rs/cain-build). Every function is public, so the module
/// in which they are included decides their visibility:
///
/// ```ignore
/// mod kernels {
///     cain_runtime::include_kernels!("kernels");
/// }
/// ```
#[macro_export]
macro_rules! include_kernels {
    ($name:literal) => {
        ::core::include!(::core::concat!(
            ::core::env!("OUT_DIR", "kernels are included where a build script calls `cain_build::compile`"),
            "/",
            $name,
            ".rs"
        ));
    };
}
