//! The same kernels, compiled by the macro.

::focal::scamp_kernels!(file = "../kernels.toml");
