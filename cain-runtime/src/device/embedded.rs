//! A link over the traits of `embedded-io`.

use embedded_io::{Error, ErrorKind, Read, Write};

use super::{LinkError, Transport};

/// A link over a port of a board, a UART or USB for instance, that implements `embedded-io`.
///
/// These traits know no time: the port itself must give up with [`ErrorKind::TimedOut`].
#[derive(Debug)]
pub struct EmbeddedIo<P>(pub P);

impl<P: Read + Write> Transport for EmbeddedIo<P> {
    fn write(&mut self, bytes: &[u8]) -> Result<(), LinkError> {
        self.0.write_all(bytes).map_err(meaning)
    }

    fn flush(&mut self) -> Result<(), LinkError> {
        self.0.flush().map_err(meaning)
    }

    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, LinkError> {
        match self.0.read(buffer) {
            Ok(0) => Err(LinkError::Closed),
            Ok(count) => Ok(count),
            Err(error) => Err(meaning(error)),
        }
    }
}

#[expect(clippy::needless_pass_by_value, reason = "`map_err` passes the error by value")]
fn meaning(error: impl Error) -> LinkError {
    match error.kind() {
        ErrorKind::TimedOut => LinkError::TimedOut,
        ErrorKind::BrokenPipe | ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted | ErrorKind::NotConnected => {
            LinkError::Closed
        }
        _ => LinkError::Failed,
    }
}
