//! A link within the program.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use super::{Board, LinkError, Transport};
use crate::io::ArrayIo;
use crate::isa::HostController;

/// A link to a board in the same program, which keeps all bytes that are sent.
#[derive(Debug)]
pub struct Loopback<A: HostController> {
    board: Board<A>,
    sent: Vec<u8>,
    /// The number of sent bytes that the board has received.
    received: usize,
    answers: VecDeque<u8>,
}

impl<A: ArrayIo> Loopback<A> {
    /// A link to this board.
    pub const fn new(board: Board<A>) -> Self {
        Self { board, sent: Vec::new(), received: 0, answers: VecDeque::new() }
    }

    /// The board at the other end.
    pub const fn board(&self) -> &Board<A> {
        &self.board
    }

    /// Gives the board back.
    pub fn into_board(self) -> Board<A> {
        self.board
    }

    /// All bytes sent so far.
    #[must_use]
    pub fn sent(&self) -> &[u8] {
        &self.sent
    }
}

impl<A: ArrayIo> Transport for Loopback<A> {
    fn write(&mut self, bytes: &[u8]) -> Result<(), LinkError> {
        self.sent.extend_from_slice(bytes);
        Ok(())
    }

    fn flush(&mut self) -> Result<(), LinkError> {
        let requests = self.sent.get(self.received..).unwrap_or_default();
        let mut end = End { requests, answers: &mut self.answers };
        let answered = self.board.answer(&mut end);
        self.received = self.sent.len();
        answered.map_err(|_| LinkError::Closed)
    }

    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, LinkError> {
        let count = buffer.len().min(self.answers.len());
        buffer.iter_mut().zip(self.answers.drain(..count)).for_each(|(place, byte)| *place = byte);
        if count > 0 { Ok(count) } else { Err(LinkError::TimedOut) }
    }
}

/// The board's end of the link.
struct End<'a> {
    requests: &'a [u8],
    answers: &'a mut VecDeque<u8>,
}

impl Transport for End<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<(), LinkError> {
        self.answers.extend(bytes);
        Ok(())
    }

    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, LinkError> {
        let count = buffer.len().min(self.requests.len());
        let (now, later) = self.requests.split_at(count);
        buffer.iter_mut().zip(now).for_each(|(place, byte)| *place = *byte);
        self.requests = later;
        if count > 0 { Ok(count) } else { Err(LinkError::Closed) }
    }
}
