//! Compiles `kernels.toml` for a runtime under another name.

fn main() -> Result<(), cain_build::Error> {
    cain_build::Config::new().runtime("::focal").compile(&["kernels.toml"])
}
