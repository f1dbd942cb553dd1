//! Whole programs.

::focal::scamp_program! {
    /// How much is bright.
    pub program bright(image, mask: bits, threshold: 0..=127 = 24, is_on: bool = true) -> (pixels, area, found, before) {
        state before = image;
        next before = image;
        let found = (image > threshold) & mask & is_on;
        let pixels = count(found);
        let area = bounds(found);
    }

    /// Numbers only.
    program h(image) -> (pixels) {
        let pixels = count(image > 0);
    }
}

/// How many PEs are bright in the first frame.
///
/// # Errors
///
/// Those of the host controller.
pub fn first<C: ::focal::io::ArrayIo>(
    scamp: &mut C,
) -> ::core::result::Result<i64, ::focal::program::FrameError<'static, C::Error>> {
    let program = H::begin(scamp);
    let mut program = program.map_err(::focal::program::FrameError::Array)?;
    ::core::result::Result::Ok(program.frame(scamp)?.pixels)
}
