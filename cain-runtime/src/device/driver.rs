//! The driver: sessions, words and programs.

use super::protocol::frame::{Header, Incoming, Outgoing};
use super::protocol::{DONE, REFUSED, Refusal, Request, STORE_WORDS, VERSION};
use super::{DeviceError, EncodeError, Garbage, Icw, Transport};
use crate::io::Size;
use crate::isa::{Clock, HostController, Instruction, Machine, Plan, Word};

/// A device at the other end of a link.
///
/// Words are sent as soon as they are issued, those of an instruction or a plan in one request. A program that is used
/// repeatedly is better [uploaded](Self::upload) once and then launched.
///
/// After an error of the link, or bytes that are not an answer, every request fails with [`DeviceError::Disconnected`]
/// until the device is [connected again](Self::reconnect).
#[derive(Debug)]
pub struct Device<T> {
    link: T,
    size: Size,
    /// The number of words that the store has room for.
    free: u16,
    /// Counts how often the store was emptied.
    generation: u64,
    sequence: u8,
    is_connected: bool,
}

/// A program in the store of a device, to which it was uploaded.
///
/// It is gone when the store is cleared or the device is connected again; launching it is then an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredProgram {
    number: u16,
    generation: u64,
}

impl<T: Transport> Device<T> {
    /// Begins a session over a link on which nothing is being transferred.
    ///
    /// The device's store is then empty; its registers are left unchanged.
    pub fn connect(link: T) -> Result<Self, DeviceError> {
        let size = Size { width: 0, height: 0 };
        let mut device = Self { link, size, free: 0, generation: 0, sequence: 0, is_connected: true };
        device.hello()?;
        Ok(device)
    }

    /// Begins a session for programs of a machine; it is refused before anything is sent if the chip lacks something
    /// that the machine has. See [`connect`](Self::connect).
    pub fn connect_for(machine: &Machine, link: T) -> Result<Self, DeviceError> {
        Icw::MACHINE.includes(machine)?;
        Self::connect(link)
    }

    /// Begins a new session over another link, or over the same one after any remains of the old session have been
    /// removed.
    pub fn reconnect(&mut self, link: T) -> Result<(), DeviceError> {
        self.link = link;
        self.is_connected = true;
        self.hello()
    }

    /// The link that requests are sent over.
    pub const fn link(&self) -> &T {
        &self.link
    }

    /// Ends the session and gives the link back.
    pub fn into_link(self) -> T {
        self.link
    }

    /// The size of the array, as the device announced it when the session began.
    #[must_use]
    pub const fn array_size(&self) -> Size {
        self.size
    }

    /// The number of words that the device's store has room for.
    #[must_use]
    pub const fn free_words(&self) -> usize {
        self.free as usize
    }

    /// Puts the words of a plan into the device's store, either all of them or none.
    ///
    /// A plan without words takes the room of one word, a `nop`.
    pub fn upload(&mut self, plan: &Plan) -> Result<StoredProgram, DeviceError> {
        self.upload_listing(plan.listing)
    }

    /// Puts the words of a listing into the device's store, like those of a plan by [`upload`](Self::upload).
    pub fn upload_listing(&mut self, listing: &[Instruction]) -> Result<StoredProgram, DeviceError> {
        // The store does not accept a program without words.
        let listing = if listing.is_empty() { &[Instruction::Word(Word::Nop)] } else { listing };
        let Summary { count, can_be_sent, fast } = Summary::of(listing);
        let free = usize::from(self.free);
        if count > free {
            return Err(DeviceError::StoreFull { over: count - free, words: count });
        }
        can_be_sent?;
        let mut words = Words::of(listing);
        let number = self.call_for(Request::Upload { fast }, &mut words, count, |answer| {
            Ok(u16::from_le_bytes(answer.take_array()?))
        })?;
        self.free = u16::try_from(free - count).unwrap_or(0);
        Ok(StoredProgram { number, generation: self.generation })
    }

    /// Carries out a stored program.
    pub fn launch(&mut self, program: StoredProgram) -> Result<(), DeviceError> {
        if program.generation != self.generation {
            return Err(DeviceError::StaleProgram);
        }
        self.ask(Request::Launch { number: program.number }, |_| Ok(()))
    }

    /// Empties the device's store.
    pub fn clear_store(&mut self) -> Result<(), DeviceError> {
        // Even if the answer is lost, the programs may be gone.
        self.generation = self.generation.wrapping_add(1);
        self.free = self.ask(Request::Clear {}, |answer| Ok(u16::from_le_bytes(answer.take_array()?)))?;
        Ok(())
    }

    fn hello(&mut self) -> Result<(), DeviceError> {
        self.generation = self.generation.wrapping_add(1);
        let (version, size, free) = self
            .ask(Request::Hello { version: VERSION }, |answer| {
                let version = u16::from_le_bytes(answer.take_array()?);
                let width = u32::from_le_bytes(answer.take_array()?);
                let height = u32::from_le_bytes(answer.take_array()?);
                let free = u16::from_le_bytes(answer.take_array()?);
                Ok((version, (width, height), free))
            })
            .map_err(|error| match error {
                DeviceError::Refused(Refusal::Version(device)) => DeviceError::Version { device, driver: VERSION },
                error => error,
            })?;
        let (Ok(width), Ok(height)) = (usize::try_from(size.0), usize::try_from(size.1)) else {
            return Err(self.lost(Garbage::Value.into()));
        };
        if version != VERSION {
            return Err(self.lost(DeviceError::Version { device: version, driver: VERSION }));
        }
        self.size = Size { width, height };
        self.free = free;
        Ok(())
    }

    /// Marks the session as over.
    const fn lost(&mut self, error: DeviceError) -> DeviceError {
        self.is_connected = false;
        error
    }

    /// Carries out the words of a listing in as few requests as possible.
    fn carry_out(&mut self, listing: &[Instruction]) -> Result<(), DeviceError> {
        let Summary { count: mut left, can_be_sent, fast } = Summary::of(listing);
        // All words are checked first: a later word that cannot be sent must not leave the array halfway.
        can_be_sent?;
        let mut words = Words::of(listing);
        while left > 0 {
            let count = left.min(STORE_WORDS.into());
            self.call(Request::Execute { fast }, &mut words, count, &mut |_| Ok(()))?;
            left -= count;
        }
        Ok(())
    }

    /// Sends a request without words and receives its answer.
    pub(super) fn ask<R>(
        &mut self,
        request: Request,
        receive: impl FnOnce(&mut Incoming<'_, T>) -> Result<R, DeviceError>,
    ) -> Result<R, DeviceError> {
        self.call_for(request, &mut Words::of(&[]), 0, receive)
    }

    /// Sends a request with some words and receives a value in its answer.
    fn call_for<R>(
        &mut self,
        request: Request,
        words: &mut Words<'_>,
        count: usize,
        receive: impl FnOnce(&mut Incoming<'_, T>) -> Result<R, DeviceError>,
    ) -> Result<R, DeviceError> {
        let (mut receive, mut received) = (Some(receive), None);
        self.call(request, words, count, &mut |answer| {
            received = receive.take().map(|receive| receive(answer)).transpose()?;
            Ok(())
        })?;
        // A call that succeeded has received an answer.
        received.ok_or(DeviceError::Disconnected)
    }

    /// Sends a request with the next words, which can be sent, and receives its answer. It is not generic over what it
    /// receives: firmware has it once.
    fn call(
        &mut self,
        request: Request,
        words: &mut Words<'_>,
        count: usize,
        receive: &mut dyn FnMut(&mut Incoming<'_, T>) -> Result<(), DeviceError>,
    ) -> Result<(), DeviceError> {
        if !self.is_connected {
            return Err(DeviceError::Disconnected);
        }
        // If anything goes wrong from here on, bytes are left on the link that belong to nothing.
        self.is_connected = false;
        self.sequence = self.sequence.wrapping_add(1);
        self.link.begin();
        self.send(request, words, count)?;
        let mut answer = Incoming::begin(&mut self.link)?;
        let Header { kind, sequence, .. } = answer.header();
        if sequence != self.sequence {
            return Err(Garbage::Sequence { found: sequence, expected: self.sequence }.into());
        }
        let result = if kind == request.kind() | DONE {
            receive(&mut answer)?;
            Ok(())
        } else if kind == REFUSED {
            Err(Refusal::from_bytes(answer.take_array()?).into())
        } else {
            return Err(Garbage::Kind(kind).into());
        };
        answer.finish()?;
        self.is_connected = true;
        result
    }

    fn send(&mut self, request: Request, words: &mut Words<'_>, count: usize) -> Result<(), DeviceError> {
        let arguments = request.arguments();
        let length = arguments.bytes().len() + count * Icw::BYTES;
        let length = u32::try_from(length).unwrap_or(u32::MAX);
        let header = Header { kind: request.kind(), sequence: self.sequence, length };
        let mut frame = Outgoing::begin(&mut self.link, header)?;
        frame.put(arguments.bytes())?;
        for _ in 0..count {
            let Some(word) = words.next() else { break };
            frame.put(&Icw::try_from(word)?.to_bytes())?;
        }
        frame.finish()
    }
}

/// What there is to know of the words of a listing before they are sent.
struct Summary {
    count: usize,
    can_be_sent: Result<(), EncodeError>,
    /// Whether the controller may run them at its high speed: all are digital, and none of them propagates.
    fast: bool,
}

impl Summary {
    fn of(listing: &[Instruction]) -> Self {
        let mut summary = Self { count: 0, can_be_sent: Ok(()), fast: true };
        let mut words = Words::of(listing);
        while let Some(word) = words.next() {
            summary.count += 1;
            summary.fast &= matches!(word.clock(), Clock::Digital | Clock::Neighbours);
            summary.can_be_sent = summary.can_be_sent.and_then(|()| Icw::try_from(word).map(drop));
        }
        summary
    }
}

/// The words of a listing, one after the other. Iterators over them would take more of a controller's memory.
struct Words<'a> {
    listing: &'a [Instruction],
    /// How many words of the first instruction have been taken.
    taken: usize,
}

impl<'a> Words<'a> {
    const fn of(listing: &'a [Instruction]) -> Self {
        Self { listing, taken: 0 }
    }

    fn next(&mut self) -> Option<Word> {
        let (first, rest) = self.listing.split_first()?;
        let word = first.word(self.taken);
        self.taken += 1;
        if self.taken >= first.icws() {
            *self = Self::of(rest);
        }
        word
    }
}

impl<T: Transport> HostController for Device<T> {
    type Error = DeviceError;

    fn issue(&mut self, word: Word) -> Result<(), DeviceError> {
        self.carry_out(&[Instruction::Word(word)])
    }

    fn execute(&mut self, instruction: Instruction) -> Result<(), DeviceError> {
        self.carry_out(&[instruction])
    }

    fn run(&mut self, plan: &Plan) -> Result<(), DeviceError> {
        self.carry_out(plan.listing)
    }
}
