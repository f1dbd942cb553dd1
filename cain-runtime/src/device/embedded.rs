//! A link over the traits of `embedded-io`.

use embedded_io::{Error, ErrorKind, Read, Write};

use super::{LinkError, Transport};

/// A link over a port of a board, for instance a UART or USB, that implements `embedded-io`.
///
/// These traits have no notion of time: the port itself must give up with [`ErrorKind::TimedOut`].
#[derive(Debug)]
pub struct EmbeddedIo<P>(pub P);

impl<P: Read + Write> Transport for EmbeddedIo<P> {
    fn write(&mut self, bytes: &[u8]) -> Result<(), LinkError> {
        let mut rest = bytes;
        while !rest.is_empty() {
            match self.0.write(rest) {
                Ok(0) => return Err(LinkError::Closed),
                Ok(count) => rest = rest.get(count..).ok_or(LinkError::Failed)?,
                Err(error) => retry(&error)?,
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), LinkError> {
        loop {
            match self.0.flush() {
                Ok(()) => return Ok(()),
                Err(error) => retry(&error)?,
            }
        }
    }

    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, LinkError> {
        loop {
            match self.0.read(buffer) {
                Ok(0) => return Err(LinkError::Closed),
                Ok(count) => return Ok(count),
                Err(error) => retry(&error)?,
            }
        }
    }
}

/// The link error that an error means, unless it only reports that a call was interrupted.
fn retry(error: &impl Error) -> Result<(), LinkError> {
    use ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, Interrupted, NotConnected, TimedOut, WriteZero};
    match error.kind() {
        Interrupted => Ok(()),
        TimedOut => Err(LinkError::TimedOut),
        BrokenPipe | ConnectionAborted | ConnectionReset | NotConnected | WriteZero => Err(LinkError::Closed),
        _ => Err(LinkError::Failed),
    }
}
