//! Kernels that the build script has compiled.

::focal::include_kernels!("kernels");
