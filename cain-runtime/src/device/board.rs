//! The other side of the link.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use super::protocol::frame::{Header, Incoming, Outgoing};
use super::protocol::{DONE, REFUSED, Refusal, Request, STORE_WORDS, VERSION};
use super::{DeviceError, Icw, Transport};
use crate::io::{Address, ArrayIo};
use crate::isa::{HostController, Word};

/// A device around any array: it answers the requests of a [`Device`](super::Device).
///
/// With a simulated array it is a simulated device, and it is the reference for what a program on a real board has to
/// answer.
pub struct Board<A: HostController> {
    array: A,
    programs: Vec<Program>,
    /// The number of the next program. It may wrap around: since every program has a word, the store is full and has to
    /// be emptied long before a number occurs twice.
    next: u16,
    last_error: Option<A::Error>,
}

impl<A: HostController + fmt::Debug> fmt::Debug for Board<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Board").field("array", &self.array).field("programs", &self.programs).finish_non_exhaustive()
    }
}

#[derive(Debug)]
struct Program {
    number: u16,
    words: Vec<Word>,
}

/// The longest payload that a board accepts: a program that fills the store, and the arguments before it.
const MOST_BYTES: usize = STORE_WORDS as usize * Icw::BYTES + 16;

impl<A: ArrayIo> Board<A> {
    /// A device with this array and an empty store.
    pub const fn new(array: A) -> Self {
        Self { array, programs: Vec::new(), next: 0, last_error: None }
    }

    /// The array that requests are carried out on, for example to look at its registers.
    pub const fn array(&self) -> &A {
        &self.array
    }

    /// The array that requests are carried out on, to change it between requests.
    pub const fn array_mut(&mut self) -> &mut A {
        &mut self.array
    }

    /// The error of the array during the last request, if that was refused with [`Refusal::Failed`].
    pub const fn last_error(&self) -> Option<&A::Error> {
        self.last_error.as_ref()
    }

    /// Receives one request and answers it.
    ///
    /// An error means that the link can no longer be used; the board is ready for a new one.
    pub fn answer<T: Transport>(&mut self, link: &mut T) -> Result<(), DeviceError> {
        link.begin();
        let mut request = Incoming::begin(link)?;
        let Header { kind, sequence, .. } = request.header();
        if request.left() > MOST_BYTES {
            return Err(request.too_long(MOST_BYTES));
        }
        let mut payload = vec![0; request.left()];
        request.take(&mut payload)?;
        request.finish()?;

        let (kind, payload) = match self.carry_out(kind, &payload) {
            Ok(payload) => (kind | DONE, payload),
            Err(refusal) => (REFUSED, refusal.to_bytes().to_vec()),
        };
        let length = u32::try_from(payload.len()).unwrap_or(u32::MAX);
        let mut answer = Outgoing::begin(link, Header { kind, sequence, length })?;
        answer.put(&payload)?;
        answer.finish()
    }

    /// The payload of the answer.
    fn carry_out(&mut self, kind: u8, payload: &[u8]) -> Result<Vec<u8>, Refusal> {
        self.last_error = None;
        let (request, words) = Request::decode(kind, payload)?;
        let takes_words = matches!(request, Request::Execute { .. } | Request::Upload { .. });
        if !takes_words && !words.is_empty() {
            return Err(Refusal::Malformed);
        }
        match request {
            Request::Hello { version } => self.begin_session(version),
            Request::Execute { .. } => {
                let words = decode(words)?;
                self.issue(&words).map(|()| Vec::new())
            }
            Request::Upload { .. } => self.store(decode(words)?),
            Request::Launch { number } => self.launch(number).map(|()| Vec::new()),
            Request::Clear {} => {
                self.programs.clear();
                Ok(self.free().to_le_bytes().to_vec())
            }
            request => {
                let answer = read_out(&mut self.array, request);
                self.or_refuse(answer)
            }
        }
    }

    fn begin_session(&mut self, version: u16) -> Result<Vec<u8>, Refusal> {
        if version != VERSION {
            return Err(Refusal::Version(VERSION));
        }
        self.programs.clear();
        let size = self.array.size();
        let mut answer = VERSION.to_le_bytes().to_vec();
        for side in [size.width, size.height] {
            answer.extend(u32::try_from(side).map_err(|_| Refusal::Failed)?.to_le_bytes());
        }
        answer.extend(self.free().to_le_bytes());
        Ok(answer)
    }

    /// The number of words that the store has room for.
    fn free(&self) -> u16 {
        let used: usize = self.programs.iter().map(|program| program.words.len()).sum();
        u16::try_from(used).map_or(0, |used| STORE_WORDS.saturating_sub(used))
    }

    fn store(&mut self, words: Vec<Word>) -> Result<Vec<u8>, Refusal> {
        if words.is_empty() {
            return Err(Refusal::Malformed);
        }
        let over = words.len().saturating_sub(self.free().into());
        if over > 0 {
            return Err(Refusal::StoreFull(u32::try_from(over).unwrap_or(u32::MAX)));
        }
        let number = self.next;
        self.next = number.wrapping_add(1);
        self.programs.push(Program { number, words });
        Ok(number.to_le_bytes().to_vec())
    }

    fn launch(&mut self, number: u16) -> Result<(), Refusal> {
        let program = self.programs.iter().find(|program| program.number == number);
        let words = program.ok_or(Refusal::UnknownProgram(number))?.words.clone();
        self.issue(&words)
    }

    fn issue(&mut self, words: &[Word]) -> Result<(), Refusal> {
        let done = words.iter().try_for_each(|&word| self.array.issue(word));
        self.or_refuse(done)
    }

    fn or_refuse<R>(&mut self, result: Result<R, A::Error>) -> Result<R, Refusal> {
        result.map_err(|error| {
            self.last_error = Some(error);
            Refusal::Failed
        })
    }
}

fn decode(bytes: &[u8]) -> Result<Vec<Word>, Refusal> {
    let (words, []) = bytes.as_chunks() else { return Err(Refusal::Malformed) };
    let known = words.iter().enumerate().map(|(place, &bytes)| {
        let word = Icw::from_bytes(bytes).and_then(Icw::decode);
        word.map_err(|_| Refusal::UnknownWord(u32::try_from(place).unwrap_or(u32::MAX)))
    });
    known.collect()
}

/// The payload that answers a request for a controller function.
fn read_out<A: ArrayIo>(array: &mut A, request: Request) -> Result<Vec<u8>, A::Error> {
    Ok(match request {
        Request::WaitForFrame {} => array.wait_for_frame().map(|()| Vec::new())?,
        Request::SetLevel { level } => array.set_level(level).map(|()| Vec::new())?,
        Request::SelectPattern { pattern } => array.select_pattern(pattern).map(|()| Vec::new())?,
        Request::SelectRegion { region } => array.select_region(region).map(|()| Vec::new())?,
        Request::Scan { reg, scan } => {
            let mut codes = vec![0; scan.check(array.size())?];
            array.scan(reg, scan, &mut codes)?;
            codes
        }
        Request::ScanMeans { reg } => blocks(|codes| array.scan_means(reg, codes))?,
        Request::ScanBits { bit, first, last } => {
            let mut bytes = vec![0; array.size().bytes_of_rows((first, last))?];
            array.scan_bits(bit, (first, last), &mut bytes)?;
            bytes
        }
        Request::ScanEvents { bit, most } => {
            let size = array.size();
            let most =
                usize::try_from(most).map_or(usize::MAX, |most| most.min(size.width.saturating_mul(size.height)));
            let mut events = vec![Address::default(); most];
            let found = array.scan_events(bit, &mut events)?;
            let listed = events.into_iter().take(found.listed).flat_map(address_bytes);
            core::iter::once(u8::from(found.complete)).chain(listed).collect()
        }
        Request::BoundingBox { bit } => {
            let corners = array.bounding_box(bit)?.map(|region| [region.first, region.last]);
            corners.into_iter().flatten().flat_map(address_bytes).collect()
        }
        Request::Any { bit, pattern } => vec![array.any(bit, pattern)?.into()],
        Request::EstimateCount { register, scratch } => array.estimate_count(register, scratch)?.to_le_bytes().to_vec(),
        Request::Sum16 { reg } => blocks(|codes| array.sum_16(reg, codes))?,
        Request::Sum64 { reg } => blocks(|codes| array.sum_64(reg, codes))?,
        Request::SumSparse { reg, pattern } => vec![array.sum_sparse(reg, pattern)?],
        Request::SumRegion { reg, region } => vec![array.sum_region(reg, region)?],
        // Carried out by the board itself.
        Request::Hello { .. }
        | Request::Execute { .. }
        | Request::Upload { .. }
        | Request::Launch { .. }
        | Request::Clear {} => Vec::new(),
    })
}

fn blocks<const N: usize, E>(read: impl FnOnce(&mut [u8; N]) -> Result<(), E>) -> Result<Vec<u8>, E> {
    let mut codes = [0; N];
    read(&mut codes)?;
    Ok(codes.to_vec())
}

fn address_bytes(address: Address) -> impl Iterator<Item = u8> {
    address.row.to_le_bytes().into_iter().chain(address.column.to_le_bytes())
}
