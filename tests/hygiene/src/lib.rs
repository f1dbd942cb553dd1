//! Kernels in surroundings that generated code must not depend on: the runtime under another name, no prelude, every
//! lint an error, names taken. That this crate compiles is the test.
#![no_std]
#![no_implicit_prelude]
#![deny(missing_docs, warnings, unused, unreachable_pub, rust_2018_idioms)]
#![deny(clippy::all, clippy::pedantic, clippy::missing_errors_doc, clippy::many_single_char_names)]
#![forbid(unsafe_code)]

pub mod built;
pub mod fragments;
pub mod from_file;
pub mod primitives;
pub mod programs;
pub mod shadowed;
pub mod visibility;

::focal::scamp_kernels! {
    /// The pixel to the east, in place.
    pub fn east(A) -> A using () = [[0, 0, 1]];
}

// A second block beside the first.
::focal::scamp_kernels! {
    /// All six registers.
    pub fn six(&A, B) -> (C, D) using (E, F) { C = [[1]] * A; D = [[1]] * B; }

    /// A keyword as a name.
    pub fn r#match(&A) -> B using () = [[1]];

    /// Never called.
    fn unused(&A) -> B using () = [[1]];
}

// A block without kernels.
::focal::scamp_kernels! {}

/// Kernels that only this function sees.
///
/// # Errors
///
/// Those of the host controller.
pub fn within<H: ::focal::HostController>(
    scamp: &mut H,
    r: &mut ::focal::Aregs,
) -> ::core::result::Result<(), H::Error> {
    ::focal::scamp_kernels! {
        fn east(&A) -> B using () = [[0, 0, 1]];
        fn back(B) -> B using () = [[1, 0, 0]];
    }
    let image = r.a.hold();
    let moved = east(scamp, &image, &mut r.b)?;
    back(scamp, moved)?;
    ::core::result::Result::Ok(())
}

/// Passes its fragments on to the macro.
macro_rules! shift {
    ($(#[$attribute:meta])* $visibility:vis $name:ident, $weight:literal, $row:tt) => {
        ::focal::scamp_kernels! {
            $(#[$attribute])* $visibility fn $name(&A) -> B = $weight * [$row];
        }
    };
}

shift! {
    /// Declared by another macro.
    pub shifted, -1, [1, 0, 0]
}
shift!(private, 1, [-1, 0, 0]);
