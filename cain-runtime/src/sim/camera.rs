//! Frames for a simulated array.

use core::fmt;

use alloc::vec::Vec;

use super::{Array, SimError};
use crate::io::delegate::delegate;
use crate::io::{ArrayIo, IoError, Size};
use crate::isa::{HostController, Instruction, Word};

/// A source of frames: a camera, files, or a formula.
///
/// Any `FnMut(Size, &mut [f32])` is a source that never fails.
pub trait FrameSource {
    /// The error if there is no next frame.
    type Error;

    /// Writes the light of the next frame: 0 (dark) to 127 DN for each PE, in rows from the north, each row beginning
    /// in the west.
    fn next_frame(&mut self, size: Size, light: &mut [f32]) -> Result<(), Self::Error>;
}

impl<F: FnMut(Size, &mut [f32])> FrameSource for F {
    type Error = core::convert::Infallible;

    fn next_frame(&mut self, size: Size, light: &mut [f32]) -> Result<(), Self::Error> {
        self(size, light);
        Ok(())
    }
}

/// A simulated array that looks at a source of frames.
///
/// ```
/// use cain_runtime::io::{Address, ArrayIo, Size};
/// use cain_runtime::isa::asm::{A, B};
/// use cain_runtime::sim::{Array, Camera};
///
/// // Every frame is brighter than the one before.
/// let mut brightness = 0.0;
/// let mut scamp = Camera::new(Array::new(8, 8), |_: Size, light: &mut [f32]| {
///     brightness += 10.0;
///     light.fill(brightness);
/// });
/// scamp.capture(A, B)?;
/// scamp.capture(A, B)?;
/// assert_eq!(scamp.read_cell(B, Address::new(0, 0))?, 128 + 20);
/// # Ok::<(), cain_runtime::sim::CameraError<core::convert::Infallible>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Camera<S> {
    array: Array,
    source: S,
    light: Vec<f32>,
}

impl<S: FrameSource> Camera<S> {
    /// An array that sees the frames of a source, beginning with the first call of
    /// [`wait_for_frame`](ArrayIo::wait_for_frame) or [`capture`](ArrayIo::capture).
    pub fn new(array: Array, source: S) -> Self {
        Self { array, source, light: Vec::new() }
    }

    /// The array that frames are captured into.
    pub const fn array(&self) -> &Array {
        &self.array
    }

    /// The array that frames are captured into, to load registers or to change its settings.
    pub const fn array_mut(&mut self) -> &mut Array {
        &mut self.array
    }
}

impl<S: FrameSource> HostController for Camera<S> {
    type Error = CameraError<S::Error>;

    fn issue(&mut self, word: Word) -> Result<(), Self::Error> {
        Ok(self.array.issue(word)?)
    }

    fn execute(&mut self, instruction: Instruction) -> Result<(), Self::Error> {
        Ok(self.array.execute(instruction)?)
    }

    fn execute_all(&mut self, listing: &[Instruction]) -> Result<(), Self::Error> {
        Ok(self.array.execute_all(listing)?)
    }
}

impl<S: FrameSource> ArrayIo for Camera<S> {
    delegate!(this => this.array);

    fn wait_for_frame(&mut self) -> Result<(), Self::Error> {
        let size = self.array.size();
        self.light.clear();
        self.light.resize(size.width.saturating_mul(size.height), 0.0);
        self.source.next_frame(size, &mut self.light).map_err(CameraError::Frame)?;
        Ok(self.array.expose(&self.light)?)
    }
}

/// The reason why an array with a camera cannot continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CameraError<E> {
    /// The array refuses something.
    Array(SimError),
    /// There is no next frame.
    Frame(E),
}

impl<E: fmt::Display> fmt::Display for CameraError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Array(error) => error.fmt(f),
            Self::Frame(error) => write!(f, "there is no next frame: {error}"),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> core::error::Error for CameraError<E> {}

impl<E> From<SimError> for CameraError<E> {
    fn from(error: SimError) -> Self {
        Self::Array(error)
    }
}

impl<E> From<IoError> for CameraError<E> {
    fn from(error: IoError) -> Self {
        Self::Array(error.into())
    }
}
