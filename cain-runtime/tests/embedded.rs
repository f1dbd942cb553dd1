//! Tests the driver over ports that implement the traits of `embedded-io`, good and bad ones.

use std::cell::RefCell;
use std::rc::Rc;

use cain_runtime::HostController;
use cain_runtime::device::{Board, Device, DeviceError, EmbeddedIo, LinkError, Loopback, Transport};
use cain_runtime::io::{ArrayIo, Scan};
use cain_runtime::isa::asm::{A, B, EAST, movx};
use cain_runtime::sim::Array;
use embedded_io::{ErrorKind, ErrorType, Read, Write};

/// The behaviour of a port.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Mood {
    #[default]
    Good,
    /// It transfers one byte at a time, and is interrupted before each.
    Nervous,
    /// Reading fails in this way.
    FailsToRead(ErrorKind),
    /// Writing fails in this way.
    FailsToWrite(ErrorKind),
    /// It accepts no bytes, and reports that.
    TakesNothing,
    /// It has nothing more to read.
    AtItsEnd,
}

/// A port of a board.
struct Port {
    link: Loopback<Array>,
    mood: Rc<RefCell<Mood>>,
    calls: usize,
}

impl Port {
    fn is_interrupted(&mut self) -> bool {
        self.calls += 1;
        *self.mood.borrow() == Mood::Nervous && self.calls % 2 == 1
    }
}

impl ErrorType for Port {
    type Error = ErrorKind;
}

impl Write for Port {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, ErrorKind> {
        if self.is_interrupted() {
            return Err(ErrorKind::Interrupted);
        }
        let count = match *self.mood.borrow() {
            Mood::FailsToWrite(kind) => return Err(kind),
            Mood::TakesNothing => return Ok(0),
            Mood::Nervous => 1,
            _ => bytes.len(),
        };
        self.link.write(&bytes[..count]).map_err(|_| ErrorKind::Other)?;
        Ok(count)
    }

    fn flush(&mut self) -> Result<(), ErrorKind> {
        if self.is_interrupted() {
            return Err(ErrorKind::Interrupted);
        }
        self.link.flush().map_err(|_| ErrorKind::Other)
    }
}

impl Read for Port {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, ErrorKind> {
        if self.is_interrupted() {
            return Err(ErrorKind::Interrupted);
        }
        let count = match *self.mood.borrow() {
            Mood::FailsToRead(kind) => return Err(kind),
            Mood::AtItsEnd => return Ok(0),
            Mood::Nervous => 1,
            _ => buffer.len(),
        };
        self.link.read(&mut buffer[..count]).map_err(|_| ErrorKind::TimedOut)
    }
}

const IMAGE: [f32; 4] = [1.0, 2.0, 3.0, 4.0];

fn port(mood: &Rc<RefCell<Mood>>) -> EmbeddedIo<Port> {
    let mut array = Array::new(4, 1);
    array.load_reg(A, &IMAGE).unwrap();
    EmbeddedIo(Port { link: Loopback::new(Board::new(array)), mood: mood.clone(), calls: 0 })
}

/// Moves the image by a pixel and reads it, from the right to the left.
fn moved(device: &mut Device<EmbeddedIo<Port>>) -> Result<[u8; 4], DeviceError> {
    device.execute(movx(B, A, EAST))?;
    let mut codes = [0; 4];
    device.scan(B, Scan::every(device.size().region()?), &mut codes)?;
    Ok(codes)
}

const MOVED: [u8; 4] = [128, 132, 131, 130];

#[test]
fn a_port_carries_requests_whole_or_byte_by_byte() {
    for mood in [Mood::Good, Mood::Nervous] {
        let mut device = Device::connect(port(&Rc::new(RefCell::new(mood)))).unwrap();
        assert_eq!(moved(&mut device), Ok(MOVED), "{mood:?}");
    }
}

#[test]
fn a_port_that_fails_is_a_typed_error_and_another_goes_on() {
    use ErrorKind::{BrokenPipe, ConnectionReset, InvalidData, NotConnected, OutOfMemory, TimedOut, WriteZero};
    for (mood, expected) in [
        (Mood::FailsToRead(TimedOut), LinkError::TimedOut),
        (Mood::FailsToRead(ConnectionReset), LinkError::Closed),
        (Mood::FailsToRead(InvalidData), LinkError::Failed),
        (Mood::FailsToWrite(BrokenPipe), LinkError::Closed),
        (Mood::FailsToWrite(NotConnected), LinkError::Closed),
        (Mood::FailsToWrite(WriteZero), LinkError::Closed),
        (Mood::FailsToWrite(TimedOut), LinkError::TimedOut),
        (Mood::FailsToWrite(OutOfMemory), LinkError::Failed),
        (Mood::TakesNothing, LinkError::Closed),
        (Mood::AtItsEnd, LinkError::Closed),
    ] {
        let current = Rc::default();
        let mut device = Device::connect(port(&current)).unwrap();
        *current.borrow_mut() = mood;
        assert_eq!(moved(&mut device), Err(DeviceError::Link(expected)), "{mood:?}");
        assert_eq!(moved(&mut device), Err(DeviceError::Disconnected), "{mood:?}");
        *current.borrow_mut() = Mood::Good;
        device.reconnect(port(&current)).unwrap();
        assert_eq!(moved(&mut device), Ok(MOVED), "{mood:?}");
    }
}
