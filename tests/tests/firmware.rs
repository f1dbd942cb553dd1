//! The firmware example links without the standard library, and so do the crates below it.

use std::process::Command;

/// No start-up code and no libraries. The symbols at the end come with the compiler's runtime for a bare target, but
/// not with that for a host.
const LINK: &str = "link-args=-nostartfiles -nostdlib -static \
    -Wl,--defsym=memcpy=0,--defsym=memmove=0,--defsym=memset=0,--defsym=memcmp=0,--defsym=rust_eh_personality=0";

#[test]
#[cfg(target_os = "linux")]
fn the_firmware_links_without_std() {
    // Without a target directory of its own, so that macros are not compiled again.
    let output = Command::new(env!("CARGO"))
        .args(["rustc", "--quiet", "--locked", "--package", "cain-firmware", "--bin", "cain-firmware"])
        // For the firmware alone: with a panic strategy in the profile everything below it would be compiled again.
        .args(["--", "-C", "panic=abort", "-C", LINK])
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
