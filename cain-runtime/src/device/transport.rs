//! The links that carry bytes to a device and back.

use core::fmt;

/// A link that carries bytes in both directions, in order and without loss, or else reports that it failed.
///
/// No method waits forever: an implementation gives up when its time is over. The time counts from
/// [`begin`](Self::begin) and is for a request and its answer together, so that a device that sends one byte now and
/// then cannot keep its driver waiting for long.
pub trait Transport {
    /// Announces a request. The time counts from here.
    fn begin(&mut self) {}

    /// Accepts all of these bytes. They may be held back until [`flush`](Self::flush).
    fn write(&mut self, bytes: &[u8]) -> Result<(), LinkError>;

    /// Sends what was held back.
    fn flush(&mut self) -> Result<(), LinkError> {
        Ok(())
    }

    /// Waits for bytes and reads as many as there are: at least one, and at most as many as the buffer has room for.
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, LinkError>;
}

impl<T: Transport + ?Sized> Transport for &mut T {
    fn begin(&mut self) {
        (**self).begin();
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), LinkError> {
        (**self).write(bytes)
    }

    fn flush(&mut self) -> Result<(), LinkError> {
        (**self).flush()
    }

    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, LinkError> {
        (**self).read(buffer)
    }
}

/// The reason why a link does not carry bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LinkError {
    /// The time for a request and its answer is over.
    TimedOut,
    /// The other side has closed the link.
    Closed,
    /// The link failed in another way.
    Failed,
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TimedOut => "the device did not answer in time; check that it runs, or allow more time",
            Self::Closed => "the device has closed the link; connect again",
            Self::Failed => "the link to the device failed; check the cable or the network, and connect again",
        })
    }
}

impl core::error::Error for LinkError {}
