//! Measures how much memory the firmware takes on a Cortex-M0, and how much each kernel and a network add.
//!
//! The firmware is linked once with the kernels of its frame alone, and once for each other kernel and for the network; the
//! differences are printed as a table in Markdown.
//!
//! ```sh
//! rustup target add thumbv6m-none-eabi
//! cargo run -p cain-firmware --example sizes
//! ```

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use cain_firmware::kernels;
use cain_firmware::networks::strokes;
use object::elf::{SHF_ALLOC, SHF_WRITE};
use object::{Object as _, ObjectSection as _, SectionFlags, SectionKind};

const TARGET: &str = "thumbv6m-none-eabi";

/// Numbers of bytes in memory.
#[derive(Clone, Copy)]
struct Size {
    flash: u64,
    ram: u64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let base = size("none")?;
    println!("| kernel or network | control words | flash/bytes | static RAM/bytes |");
    println!("|---|---|---|---|");
    println!("| none but those of the frame | | {} | {} |", base.flash, base.ram);
    let kernels = kernels::ALL.map(|plan| (plan.name, plan.cost.icws));
    let network = (strokes::PLAN.name, strokes::PLAN.words());
    for (name, words) in kernels.into_iter().chain([network]) {
        let Size { flash, ram } = size(name)?;
        let (flash, ram) = (flash.saturating_sub(base.flash), ram.saturating_sub(base.ram));
        println!("| `{name}` | {words} | +{flash} | +{ram} |");
    }
    Ok(())
}

/// The size of the firmware with only this kernel besides those of its frame.
fn size(kernel: &str) -> Result<Size, Box<dyn Error>> {
    let status = Command::new(env!("CARGO"))
        .args([
            "build",
            "--quiet",
            "--locked",
            "--profile",
            "firmware",
            "--package",
            "cain-firmware",
            "--target",
            TARGET,
        ])
        .env("FIRMWARE_KERNEL", kernel)
        .status()?;
    if !status.success() {
        return Err(format!("the firmware cannot be built; rustup target add {TARGET}").into());
    }
    measured(&target()?.join(TARGET).join("firmware/cain-firmware"))
}

/// The target directory: this program is `target/debug/examples/sizes`.
fn target() -> Result<PathBuf, Box<dyn Error>> {
    Ok(env::current_exe()?.ancestors().nth(3).ok_or("no target directory")?.to_owned())
}

/// The flash holds everything that is loaded, and the RAM everything that can be written; data that do not start as
/// zero are in both.
fn measured(firmware: &Path) -> Result<Size, Box<dyn Error>> {
    let bytes = fs::read(firmware)?;
    let mut size = Size { flash: 0, ram: 0 };
    for section in object::File::parse(bytes.as_slice())?.sections() {
        let SectionFlags::Elf { sh_flags, .. } = section.flags() else { continue };
        if !sh_flags.contains(SHF_ALLOC) {
            continue;
        }
        if section.kind() != SectionKind::UninitializedData {
            size.flash += section.size();
        }
        if sh_flags.contains(SHF_WRITE) {
            size.ram += section.size();
        }
    }
    Ok(size)
}
