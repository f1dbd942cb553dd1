//! A link over TCP.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};
use std::vec::Vec;

use super::{LinkError, Transport};

/// A link over TCP, for a simulated device or a board behind a bridge.
#[derive(Debug)]
pub struct TcpLink {
    stream: BufReader<TcpStream>,
    held_back: Vec<u8>,
    timeout: Duration,
    /// The time by which the current request has to be answered; `None` if that is later than the clock can express.
    deadline: Option<Instant>,
}

impl TcpLink {
    /// Connects to a device. Each request together with its answer may take as long as `timeout`; with
    /// [`Duration::MAX`] there is no limit.
    pub fn connect(address: impl ToSocketAddrs, timeout: Duration) -> io::Result<Self> {
        let mut failure = io::Error::new(io::ErrorKind::InvalidInput, "no address belongs to the name of the device");
        for address in address.to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, timeout) {
                Ok(stream) => return Self::new(stream, timeout),
                Err(error) => failure = error,
            }
        }
        Err(failure)
    }

    /// A link over an existing connection.
    pub fn new(stream: TcpStream, timeout: Duration) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        let stream = BufReader::new(stream);
        Ok(Self { stream, held_back: Vec::new(), timeout, deadline: Instant::now().checked_add(timeout) })
    }

    /// The time that the next call may take; `None` if there is no limit.
    fn time_left(&self) -> Result<Option<Duration>, LinkError> {
        let left = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        if left == Some(Duration::ZERO) { Err(LinkError::TimedOut) } else { Ok(left) }
    }
}

impl Transport for TcpLink {
    fn begin(&mut self) {
        self.deadline = Instant::now().checked_add(self.timeout);
        self.held_back.clear();
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), LinkError> {
        self.held_back.extend_from_slice(bytes);
        Ok(())
    }

    fn flush(&mut self) -> Result<(), LinkError> {
        let bytes = core::mem::take(&mut self.held_back);
        let mut rest = bytes.as_slice();
        while !rest.is_empty() {
            let left = self.time_left()?;
            let stream = self.stream.get_mut();
            stream.set_write_timeout(left).map_err(|_| LinkError::Failed)?;
            match stream.write(rest) {
                Ok(0) => return Err(LinkError::Closed),
                Ok(sent) => rest = rest.get(sent..).unwrap_or_default(),
                Err(error) => retry(&error)?,
            }
        }
        Ok(())
    }

    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, LinkError> {
        if self.stream.buffer().is_empty() {
            self.wait()?;
        }
        self.stream.read(buffer).map_err(|_| LinkError::Failed)
    }
}

impl TcpLink {
    /// Waits for bytes.
    fn wait(&mut self) -> Result<(), LinkError> {
        loop {
            let left = self.time_left()?;
            self.stream.get_ref().set_read_timeout(left).map_err(|_| LinkError::Failed)?;
            match self.stream.fill_buf() {
                Ok([]) => return Err(LinkError::Closed),
                Ok(_) => return Ok(()),
                Err(error) => retry(&error)?,
            }
        }
    }
}

/// The link error that an error means, unless it only reports that a call was interrupted.
fn retry(error: &io::Error) -> Result<(), LinkError> {
    use io::ErrorKind::{
        BrokenPipe, ConnectionAborted, ConnectionReset, Interrupted, NotConnected, TimedOut, WouldBlock,
    };
    match error.kind() {
        Interrupted => Ok(()),
        TimedOut | WouldBlock => Err(LinkError::TimedOut),
        BrokenPipe | ConnectionAborted | ConnectionReset | NotConnected => Err(LinkError::Closed),
        _ => Err(LinkError::Failed),
    }
}
