//! Tests the driver on links that fail: it reports a typed error, never waits forever, and executes the next command
//! after connecting again.

use std::cell::Cell;
use std::collections::VecDeque;
use std::rc::Rc;

use cain_runtime::device::{Board, Device, DeviceError, Garbage, LinkError, Loopback, Transport};
use cain_runtime::io::{Address, ArrayIo, Scan, Size};
use cain_runtime::isa::HostController;
use cain_runtime::isa::asm::digital::R5;
use cain_runtime::isa::asm::*;
use cain_runtime::sim::Array;
use proptest::prelude::*;

use super::frame::{Waiting, crc};

const SIZE: Size = Size { width: 8, height: 8 };

fn board() -> Board<Array> {
    let mut array = Array::new(SIZE.width, SIZE.height);
    array.load_reg(A, &[1.0; 64]).unwrap();
    array.load_bits(R5, &[true; 64]).unwrap();
    Board::new(array)
}

/// A fault of a link, counted in bytes from when it is switched on.
#[derive(Clone, Copy, Debug, Default)]
enum Fault {
    #[default]
    None,
    /// No byte is written after that many.
    CutOut(usize),
    /// No byte arrives after that many.
    CutIn(usize),
    /// Certain bits of the byte at that place are inverted.
    Turn(usize, u8),
    /// The length of the payload, in bytes 4 to 7, is replaced.
    Length(u32),
    /// Bytes arrive one by one.
    OneByOne,
}

/// A link to a board with a fault that can be switched on.
struct Faulty {
    link: Loopback<Array>,
    fault: Rc<Cell<Fault>>,
    /// Bytes since the fault was switched on.
    written: usize,
    read: usize,
}

impl Faulty {
    fn new(fault: &Rc<Cell<Fault>>) -> Self {
        Self { link: Loopback::new(board()), fault: fault.clone(), written: 0, read: 0 }
    }
}

impl Transport for Faulty {
    fn write(&mut self, bytes: &[u8]) -> Result<(), LinkError> {
        if let Fault::CutOut(end) = self.fault.get() {
            self.written += bytes.len();
            if self.written > end {
                return Err(LinkError::Closed);
            }
        }
        self.link.write(bytes)
    }

    fn flush(&mut self) -> Result<(), LinkError> {
        self.link.flush()
    }

    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, LinkError> {
        let most = match self.fault.get() {
            Fault::None => return self.link.read(buffer),
            Fault::CutIn(end) => buffer.len().min(end - self.read),
            Fault::OneByOne => 1,
            _ => buffer.len(),
        };
        if most == 0 {
            return Err(LinkError::TimedOut);
        }
        let count = self.link.read(&mut buffer[..most])?;
        if let Fault::Turn(at, bits) = self.fault.get()
            && let Some(byte) = at.checked_sub(self.read).and_then(|at| buffer[..count].get_mut(at))
        {
            *byte ^= bits;
        }
        if let Fault::Length(length) = self.fault.get() {
            for (at, byte) in (self.read..).zip(&mut buffer[..count]) {
                *byte = at.checked_sub(4).and_then(|at| length.to_le_bytes().get(at).copied()).unwrap_or(*byte);
            }
        }
        self.read += count;
        Ok(count)
    }
}

type Command = fn(&mut Device<Faulty>) -> Result<(), DeviceError>;

/// Requests with various kinds of answers, each with the lengths of its request and its answer.
const COMMANDS: [(Command, usize, usize); 6] = [
    (|device| device.execute(mov(B, A)), 33, 10),
    (|device| device.upload_listing(&[mov(B, A)]).map(drop), 33, 12),
    (|device| device.scan(A, Scan::every(SIZE.region()?), &mut [0; 64]).map(drop), 23, 74),
    (|device| device.scan_events(R5, &mut [Address::default(); 10]).map(drop), 15, 51),
    (|device| device.bounding_box(R5).map(drop), 11, 18),
    // This is refused, since nothing was ever written to F.
    (|device| device.execute(mov(B, F)), 33, 15),
];

/// The result of a command on a link with a fault. Afterwards, the same command must work on another link.
fn run(command: Command, fault: Fault) -> Result<(), DeviceError> {
    let (good, bad) = (Rc::new(Cell::new(Fault::None)), Rc::new(Cell::new(Fault::None)));
    let mut device = Device::connect(Faulty::new(&bad)).unwrap();
    bad.set(fault);
    let result = command(&mut device);
    bad.set(Fault::None);

    let goes_on = matches!(result, Ok(()) | Err(DeviceError::Refused(_)));
    let next = device.execute(mov(B, A));
    assert_eq!(next, if goes_on { Ok(()) } else { Err(DeviceError::Disconnected) }, "{fault:?}");
    device.reconnect(Faulty::new(&good)).unwrap();
    assert_eq!(command(&mut device), expected(command), "{fault:?}");
    result
}

/// The result of the command on a link without faults.
fn expected(command: Command) -> Result<(), DeviceError> {
    command(&mut Device::connect(Faulty::new(&Rc::default())).unwrap())
}

#[test]
fn a_link_cut_at_every_byte() {
    for (command, request, answer) in COMMANDS {
        for end in 0..request {
            assert_eq!(run(command, Fault::CutOut(end)), Err(DeviceError::Link(LinkError::Closed)), "{end}");
        }
        assert_eq!(run(command, Fault::CutOut(request)), expected(command));
        for end in 0..answer {
            assert_eq!(run(command, Fault::CutIn(end)), Err(DeviceError::Link(LinkError::TimedOut)), "{end}");
        }
        assert_eq!(run(command, Fault::CutIn(answer)), expected(command));
    }
}

#[test]
fn every_bit_of_an_answer_turned() {
    for (command, _, answer) in COMMANDS {
        for at in 0..answer {
            for bit in 0..8 {
                let error = run(command, Fault::Turn(at, 1 << bit)).unwrap_err();
                // The driver waits for an answer that seems longer.
                let found = matches!(error, DeviceError::Garbage(_) | DeviceError::Link(LinkError::TimedOut));
                assert!(found, "bit {bit} of byte {at}: {error:?}");
            }
        }
    }
}

/// Bytes 4 to 7 of a frame are the length of its payload. A length that is too small leaves bytes behind, and one that
/// is too large makes the driver wait.
#[test]
fn answers_that_give_a_wrong_length() {
    for (command, _, answer) in COMMANDS {
        let payload = u32::try_from(answer).unwrap() - 10;
        for length in [0, 1, payload / 2, payload.wrapping_sub(1), payload + 1, 2 * payload + 7, 1 << 16, u32::MAX] {
            if length == payload {
                continue;
            }
            let error = run(command, Fault::Length(length)).unwrap_err();
            let found = matches!(error, DeviceError::Garbage(_) | DeviceError::Link(LinkError::TimedOut));
            assert!(found, "{length} instead of {payload}: {error:?}");
        }
    }
}

#[test]
fn answers_that_come_byte_by_byte() {
    for (command, ..) in COMMANDS {
        assert_eq!(run(command, Fault::OneByOne), expected(command));
    }
}

/// A link that reports the same number of bytes for every read.
struct Miscounting(usize);

impl Transport for Miscounting {
    fn write(&mut self, _: &[u8]) -> Result<(), LinkError> {
        Ok(())
    }

    fn read(&mut self, _: &mut [u8]) -> Result<usize, LinkError> {
        Ok(self.0)
    }
}

#[test]
fn a_link_that_brings_nothing_or_too_much_is_no_link() {
    for (count, expected) in [(0, LinkError::Closed), (3, LinkError::Failed), (usize::MAX, LinkError::Failed)] {
        assert_eq!(Device::connect(Miscounting(count)).map(drop), Err(DeviceError::Link(expected)), "{count}");
        assert_eq!(board().answer(&mut Miscounting(count)), Err(DeviceError::Link(expected)), "{count}");
    }
}

#[test]
fn answers_of_a_wrong_length() {
    // The answers to a hello are empty, a byte too short, a byte too long, and much too long.
    for length in [0, 11, 13, u32::MAX] {
        let mut bytes = VecDeque::from([0x5C, 0xA5, 0x81, 1]);
        bytes.extend(length.to_le_bytes());
        bytes.extend([1, 0, 8, 0, 0, 0, 8, 0, 0, 0, 0, 4, 0, 0, 0]);
        let error = Device::connect(Waiting(bytes)).map(drop).unwrap_err();
        assert!(
            matches!(error, DeviceError::Garbage(Garbage::Length { found, .. }) if found == length),
            "{length}: {error:?}"
        );
    }
}

#[test]
fn the_answer_to_another_request() {
    let answer = |kind, sequence| Waiting(VecDeque::from([0x5C, 0xA5, kind, sequence, 0, 0, 0, 0, 0, 0]));
    assert_eq!(
        Device::connect(answer(0x81, 9)).map(drop),
        Err(DeviceError::Garbage(Garbage::Sequence { found: 9, expected: 1 }))
    );
    assert_eq!(Device::connect(answer(0x82, 1)).map(drop), Err(DeviceError::Garbage(Garbage::Kind(0x82))));
    assert_eq!(
        DeviceError::Garbage(Garbage::Kind(0x82)).to_string(),
        "what came from the device is no answer: its kind, 0x82, is that of another request; connect again"
    );
}

proptest! {
    /// Neither side panics or waits, whatever arrives.
    #[test]
    fn garbage_is_an_error(bytes in prop::collection::vec(any::<u8>(), 0..64), frame in any::<bool>()) {
        let start = if frame { [0x5C, 0xA5].as_slice() } else { &[] };
        let bytes: VecDeque<u8> = start.iter().chain(&bytes).copied().collect();
        prop_assert!(Device::connect(Waiting(bytes.clone())).is_err());
        prop_assert!(board().answer(&mut Waiting(bytes)).is_err());
    }

    /// A board answers every valid frame.
    #[test]
    fn a_board_answers_any_request(kind in any::<u8>(), payload in prop::collection::vec(any::<u8>(), 0..40)) {
        let mut frame = vec![kind, 1];
        frame.extend(u32::try_from(payload.len()).unwrap().to_le_bytes());
        frame.extend(&payload);
        let checksum = crc(&frame).to_le_bytes();
        let bytes = [0x5C, 0xA5].into_iter().chain(frame).chain(checksum).collect();
        prop_assert_eq!(board().answer(&mut Waiting(bytes)), Ok(()));
    }
}
