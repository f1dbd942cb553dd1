//! Tests driver and simulator against each other, over a link within the program and over TCP.

mod refusals;
mod store;

use std::net::TcpListener;
use std::thread;
use std::time::Duration;

use cain_runtime::device::{Board, Device, LinkError, Loopback, TcpLink, Transport};
use cain_runtime::io::{Address, ArrayIo, Pattern, Region, Scan, Size};
use cain_runtime::isa::asm::digital::{FLAG, R5, SELECT, where_bits};
use cain_runtime::isa::asm::*;
use cain_runtime::isa::{Dreg, HostController};
use cain_runtime::sim::{Array, Camera};
use cain_runtime::{Aregs, scamp_kernels};

use super::frame::crc;

scamp_kernels! {
    /// The mean with the neighbour to the west.
    fn smooth(A) -> A using (B, C) = 1/2 * [[1, 1, 0]];

    /// Half the slope from west to east.
    fn slope(&A) -> B using (C) = 1/2 * [[-1, 0, 1]];
}

const SIZE: Size = Size { width: 16, height: 8 };

/// A picture without symmetry, of even integers in DN.
fn picture() -> Vec<f32> {
    (0..128_u8).map(|pe| f32::from(pe.wrapping_mul(37) % 50) * 2.0 - 50.0).collect()
}

/// An array with `picture` in A, and in R5 the places where it is positive.
fn array() -> Array {
    let mut array = Array::new(SIZE.width, SIZE.height);
    array.load_reg(A, &picture()).unwrap();
    array.load_bits(R5, &picture().iter().map(|value| *value > 0.0).collect::<Vec<_>>()).unwrap();
    array
}

fn device() -> Device<Loopback<Array>> {
    Device::connect(Loopback::new(Board::new(array()))).unwrap()
}

/// Runs a program with captures, kernels, a threshold and every read-out; returns the values read.
fn program<S: ArrayIo>(scamp: &mut S) -> Result<Vec<u8>, S::Error> {
    let mut read = Vec::new();
    let mut r = Aregs::new();
    scamp.capture(D, A)?;
    let image = smooth(scamp, r.a.hold(), &mut r.b, &mut r.c)?;
    slope(scamp, &image, &mut r.b, &mut r.c)?;
    scamp.load_level(C, -3)?;
    scamp.execute(add(C, B, C))?;
    scamp.execute(where_positive(&[reg(C)]))?;
    scamp.execute(digital::or(R5, &[FLAG]))?;
    scamp.execute(all())?;
    scamp.shift(B, 2, -1)?;
    scamp.shift_bits(R5_REG, 1, 1, true)?;

    let size = scamp.size();
    let mut codes = vec![0; size.width * size.height];
    let scan = Scan { row_step: 2, column_step: 3, ..Scan::every(size.region()?) };
    let count = scamp.scan(B, scan, &mut codes)?;
    read.extend(&codes[..count]);
    read.push(scamp.read_cell(A, Address::new(1, 3))?);
    let count = scamp.scan_bits(R5, (1, 6), &mut codes)?;
    read.extend(&codes[..count]);
    for room in [0, 5, 128] {
        let mut events = vec![Address::default(); room];
        let found = scamp.scan_events(R5, &mut events)?;
        read.push(found.complete.into());
        read.extend(events[..found.listed].iter().flat_map(|at| [at.row, at.column]).map(|part| part.to_le_bytes()[0]));
    }
    let corners = scamp.bounding_box(R5)?.map(|found| [found.first, found.last]);
    read.extend(corners.into_iter().flatten().flat_map(|at| [at.row, at.column]).map(|part| part.to_le_bytes()[0]));
    read.push(scamp.any(R5, Pattern::column(2))?.into());
    read.extend(scamp.estimate_count(R5_REG, F)?.to_le_bytes());
    let (mut blocks, mut more_blocks) = ([0; 16], [0; 64]);
    scamp.sum_16(B, &mut blocks)?;
    read.extend(blocks);
    scamp.sum_64(B, &mut more_blocks)?;
    read.extend(more_blocks);
    scamp.scan_means(A, &mut more_blocks)?;
    read.extend(more_blocks);
    read.push(scamp.sum_fast(B)?);
    read.push(scamp.sum_sparse(B, Pattern::SPARSE)?);
    read.push(scamp.sum_region(B, Region::new(Address::new(0, 0), Address::new(3, 3)))?);

    scamp.select_pattern(Pattern::row(3))?;
    scamp.execute(where_bits(&[SELECT]))?;
    scamp.execute(res(A))?;
    scamp.load_region(R5_REG, Region::new(Address::new(1, 1), Address::new(2, 5)))?;
    scamp.execute(where_bits(&[R5]))?;
    scamp.execute(neg(B, A))?;
    for reg in [A, B] {
        let count = scamp.scan(reg, Scan::every(size.region()?), &mut codes)?;
        read.extend(&codes[..count]);
    }
    Ok(read)
}

const R5_REG: Dreg = Dreg::ALL[5];

/// A simulated array that always looks at `picture`.
fn camera() -> Camera<impl FnMut(Size, &mut [f32])> {
    Camera::new(Array::new(SIZE.width, SIZE.height), |_: Size, light: &mut [f32]| {
        light.copy_from_slice(&picture().iter().map(|value| value + 50.0).collect::<Vec<_>>());
    })
}

#[test]
fn a_program_reads_the_same_on_the_simulator_and_on_a_device() {
    let simulated = program(&mut camera()).unwrap();
    let mut device = Device::connect(Loopback::new(Board::new(camera()))).unwrap();
    assert_eq!(program(&mut device).unwrap(), simulated);
    assert!(simulated.len() > 400);
}

#[test]
fn a_program_reads_the_same_over_tcp() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let board = thread::spawn(move || {
        let mut board = Board::new(camera());
        let mut link = TcpLink::new(listener.accept().unwrap().0, Duration::from_secs(60)).unwrap();
        while board.answer(&mut link).is_ok() {}
    });
    let mut device = Device::connect(TcpLink::connect(address, Duration::from_secs(60)).unwrap()).unwrap();
    assert_eq!(device.size(), SIZE);
    assert_eq!(program(&mut device).unwrap(), program(&mut camera()).unwrap());
    drop(device);
    board.join().unwrap();
}

#[test]
fn a_request_is_the_bytes_of_the_documentation() {
    let mut device = device();
    let before = device.link().sent().len();
    device.execute(mov(B, A)).unwrap();
    let sent = &device.link().sent()[before..];
    let (frame, checksum) = sent.split_at(sent.len() - 2);
    #[rustfmt::skip]
    assert_eq!(frame, [
        0x5C, 0xA5, 0x02, 0x02, 23, 0, 0, 0,
        0,
        0x00, 0x04, 0x21, 0x01, 0, 0, 0, 0, 0, 0, 0,
        0x00, 0x44, 0x40, 0x01, 0, 0, 0, 0, 0, 0, 0,
    ]);
    assert_eq!(checksum, crc(&frame[2..]).to_le_bytes());
}

/// A link whose incoming bytes are known beforehand.
#[derive(Debug)]
struct Canned {
    bytes: Vec<u8>,
    answer: Vec<u8>,
}

impl Transport for Canned {
    fn write(&mut self, bytes: &[u8]) -> Result<(), LinkError> {
        self.answer.extend_from_slice(bytes);
        Ok(())
    }

    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, LinkError> {
        let count = buffer.len().min(self.bytes.len());
        buffer.iter_mut().zip(self.bytes.drain(..count)).for_each(|(place, byte)| *place = byte);
        if count > 0 { Ok(count) } else { Err(LinkError::Closed) }
    }
}
