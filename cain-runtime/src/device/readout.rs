//! Controller functions, each carried out by one request.

use super::protocol::Request;
use super::protocol::frame::Incoming;
use super::{Device, DeviceError, Garbage, Transport};
use crate::io::{Address, ArrayIo, Events, Pattern, Region, Scan, Size, front};
use crate::isa::{Bit, Dreg, Reg};

impl<T: Transport> ArrayIo for Device<T> {
    fn size(&self) -> Size {
        self.array_size()
    }

    fn wait_for_frame(&mut self) -> Result<(), DeviceError> {
        self.ask(Request::WaitForFrame {}, |_| Ok(()))
    }

    fn set_level(&mut self, level: i8) -> Result<(), DeviceError> {
        self.ask(Request::SetLevel { level }, |_| Ok(()))
    }

    fn select_pattern(&mut self, pattern: Pattern) -> Result<(), DeviceError> {
        self.ask(Request::SelectPattern { pattern }, |_| Ok(()))
    }

    fn select_region(&mut self, region: Region) -> Result<(), DeviceError> {
        self.size().check(region)?;
        self.ask(Request::SelectRegion { region }, |_| Ok(()))
    }

    fn scan(&mut self, reg: Reg, scan: Scan, codes: &mut [u8]) -> Result<usize, DeviceError> {
        let needed = scan.check(self.size())?;
        let codes = front(codes, needed)?;
        self.ask(Request::Scan { reg, scan }, |answer| answer.take(codes))?;
        Ok(needed)
    }

    fn scan_means(&mut self, reg: Reg, codes: &mut [u8; 64]) -> Result<(), DeviceError> {
        self.size().block(8)?;
        self.ask(Request::ScanMeans { reg }, |answer| answer.take(codes))
    }

    fn scan_bits(&mut self, bit: Bit, rows: (u16, u16), bytes: &mut [u8]) -> Result<usize, DeviceError> {
        let (first, last) = rows;
        let needed = self.size().bytes_of_rows(rows)?;
        let bytes = front(bytes, needed)?;
        self.ask(Request::ScanBits { bit, first, last }, |answer| answer.take(bytes))?;
        Ok(needed)
    }

    fn scan_events(&mut self, bit: Bit, events: &mut [Address]) -> Result<Events, DeviceError> {
        let most = u32::try_from(events.len()).unwrap_or(u32::MAX);
        let size = self.size();
        self.ask(Request::ScanEvents { bit, most }, |answer| {
            let complete = flag(answer)?;
            let listed = answer.left() / ADDRESS_BYTES;
            let longest = 1 + events.len().saturating_mul(ADDRESS_BYTES);
            let places = events.get_mut(..listed).ok_or_else(|| answer.too_long(longest))?;
            for place in places {
                *place = address(answer, size)?;
            }
            Ok(Events { listed, complete })
        })
    }

    fn bounding_box(&mut self, bit: Bit) -> Result<Option<Region>, DeviceError> {
        let size = self.size();
        self.ask(Request::BoundingBox { bit }, |answer| {
            if answer.left() == 0 {
                return Ok(None);
            }
            Ok(Some(Region::new(address(answer, size)?, address(answer, size)?)))
        })
    }

    fn any(&mut self, bit: Bit, pattern: Pattern) -> Result<bool, DeviceError> {
        self.ask(Request::Any { bit, pattern }, flag)
    }

    fn estimate_count(&mut self, register: Dreg, scratch: Reg) -> Result<u16, DeviceError> {
        self.ask(Request::EstimateCount { register, scratch }, |answer| Ok(u16::from_le_bytes(answer.take_array()?)))
    }

    fn sum_16(&mut self, reg: Reg, codes: &mut [u8; 16]) -> Result<(), DeviceError> {
        self.size().block(4)?;
        self.ask(Request::Sum16 { reg }, |answer| answer.take(codes))
    }

    fn sum_64(&mut self, reg: Reg, codes: &mut [u8; 64]) -> Result<(), DeviceError> {
        self.size().block(8)?;
        self.ask(Request::Sum64 { reg }, |answer| answer.take(codes))
    }

    fn sum_sparse(&mut self, reg: Reg, pattern: Pattern) -> Result<u8, DeviceError> {
        self.ask(Request::SumSparse { reg, pattern }, |answer| Ok(u8::from_le_bytes(answer.take_array()?)))
    }

    fn sum_region(&mut self, reg: Reg, region: Region) -> Result<u8, DeviceError> {
        self.size().check(region)?;
        self.ask(Request::SumRegion { reg, region }, |answer| Ok(u8::from_le_bytes(answer.take_array()?)))
    }
}

/// The number of bytes of an address in an answer.
const ADDRESS_BYTES: usize = 4;

fn flag<T: Transport>(answer: &mut Incoming<'_, T>) -> Result<bool, DeviceError> {
    match answer.take_array()? {
        [0] => Ok(false),
        [1] => Ok(true),
        _ => Err(Garbage::Value.into()),
    }
}

fn address<T: Transport>(answer: &mut Incoming<'_, T>, size: Size) -> Result<Address, DeviceError> {
    let row = u16::from_le_bytes(answer.take_array()?);
    let column = u16::from_le_bytes(answer.take_array()?);
    let address = Address::new(row, column);
    size.position(address).map_err(|_| Garbage::Value)?;
    Ok(address)
}
