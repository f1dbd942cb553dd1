//! End-to-end tests of the project; see the files beside `src`.

use std::io::Write as _;
use std::{env, fs, io};

/// Tells that a check is left out for want of something: on the standard error, also where the output of tests that
/// succeed is hidden, and by a line in the file that the variable `CAIN_SKIPPED` names, from which `.ci/run` counts them.
///
/// # Errors
///
/// If that cannot be written.
pub fn skipped(check: &str, reason: &str) -> io::Result<()> {
    writeln!(io::stderr(), "skipped: {check}: {reason}")?;
    let Some(list) = env::var_os("CAIN_SKIPPED") else { return Ok(()) };
    let line = format!("{check}: {reason}\n");
    // In one piece, since other tests write at the same time.
    fs::OpenOptions::new().append(true).create(true).open(list)?.write_all(line.as_bytes())
}

/// The Rust blocks of README.md, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;

/// Those of the chapter on declarations.
#[cfg(doctest)]
#[doc = include_str!("../../docs/declaration.md")]
pub struct Declaration;

/// Those of the chapter on front ends.
#[cfg(doctest)]
#[doc = include_str!("../../docs/front-ends.md")]
pub struct FrontEnds;

/// Those of the chapter on native programs.
#[cfg(doctest)]
#[doc = include_str!("../../docs/native.md")]
pub struct Native;
/// Those of the chapter on weights in the pixels.
#[cfg(doctest)]
#[doc = include_str!("../../docs/in_pixel.md")]
pub struct InPixel;

/// Those of the chapter on kernels.
#[cfg(doctest)]
#[doc = include_str!("../../docs/kernels.md")]
pub struct Kernels;

/// Those of the chapter on the machine.
#[cfg(doctest)]
#[doc = include_str!("../../docs/machine.md")]
pub struct Machine;

/// Those of the chapter on migration.
#[cfg(doctest)]
#[doc = include_str!("../../docs/migration.md")]
pub struct Migration;

/// Those of the chapter on networks.
#[cfg(doctest)]
#[doc = include_str!("../../docs/networks.md")]
pub struct Networks;

/// Those of the chapter on plan files.
#[cfg(doctest)]
#[doc = include_str!("../../docs/plans.md")]
pub struct PlanFiles;

/// Those of the chapter on programs.
#[cfg(doctest)]
#[doc = include_str!("../../docs/programs.md")]
pub struct Programs;

/// Those of the chapter on tasks.
#[cfg(doctest)]
#[doc = include_str!("../../docs/tasks.md")]
pub struct Tasks;
