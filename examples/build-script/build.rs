//! Compiles `kernels.toml`.

fn main() -> Result<(), cain_build::Error> {
    cain_build::compile("kernels.toml")
}
