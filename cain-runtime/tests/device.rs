//! Driver and simulator against each other, over a link within the program and over TCP.

use std::net::TcpListener;
use std::thread;
use std::time::Duration;

use cain_runtime::device::protocol::STORE_WORDS;
use cain_runtime::device::{Board, Device, DeviceError, EncodeError, Loopback, Refusal, TcpLink, Transport};
use cain_runtime::io::{Address, ArrayIo, IoError, Pattern, Region, Scan, Size};
use cain_runtime::isa::asm::digital::{FLAG, R5, SELECT, where_bits};
use cain_runtime::isa::asm::*;
use cain_runtime::isa::{Dreg, HostController, Instruction, Machine, Macros, Reg, Store};
use cain_runtime::sim::{Array, Camera, CameraError, SimError};
use cain_runtime::{Aregs, scamp_kernels};

scamp_kernels! {
    /// The mean with the neighbour to the west.
    fn smooth(A) -> A using (B, C) = 1/2 * [[1, 1, 0]];

    /// The slope from west to east.
    fn slope(&A) -> B using () = [[-1, 0, 1]];
}

const SIZE: Size = Size { width: 16, height: 8 };

/// A picture without symmetry, of even whole numbers in DN.
fn picture() -> Vec<f32> {
    (0..128_u8).map(|pe| f32::from(pe.wrapping_mul(37) % 50) * 2.0 - 50.0).collect()
}

/// `picture` in A, and where it is positive in R5.
fn array() -> Array {
    let mut array = Array::new(SIZE.width, SIZE.height);
    array.load_reg(A, &picture()).unwrap();
    array.load_bits(R5, &picture().iter().map(|value| *value > 0.0).collect::<Vec<_>>()).unwrap();
    array
}

fn device() -> Device<Loopback<Array>> {
    Device::connect(Loopback::new(Board::new(array()))).unwrap()
}

/// A program with captures, kernels, a threshold and every readout; what it reads.
fn program<S: ArrayIo>(scamp: &mut S) -> Result<Vec<u8>, S::Error> {
    let mut read = Vec::new();
    let mut r = Aregs::new();
    scamp.capture(D, A)?;
    let image = smooth(scamp, r.a.hold(), &mut r.b, &mut r.c)?;
    slope(scamp, &image, &mut r.b)?;
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
fn a_request_is_the_bytes_that_the_documentation_says() {
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

/// CRC-16/IBM-3740, bit by bit.
fn crc(bytes: &[u8]) -> u16 {
    bytes.iter().fold(u16::MAX, |crc, &byte| {
        (0..8).fold(crc ^ (u16::from(byte) << 8), |crc, _| if crc >> 15 == 1 { crc << 1 ^ 0x1021 } else { crc << 1 })
    })
}

#[test]
fn an_uploaded_kernel_does_what_its_listing_does() {
    let mut device = device();
    let kernel = device.upload(&slope::PLAN).unwrap();
    assert_eq!(device.free_words(), usize::from(STORE_WORDS) - slope::PLAN.cost.icws as usize);
    device.launch(kernel).unwrap();
    let mut expected = array();
    expected.run(&slope::PLAN).unwrap();
    assert_eq!(device.link().board().array().read_reg(B), expected.read_reg(B));
}

#[test]
fn a_kernel_that_exceeds_the_store_is_refused_whole() {
    let mut device = device();
    let long = vec![add(B, A, D); 500];
    let kernel = device.upload_listing(&long).unwrap();
    assert_eq!(device.free_words(), 24);
    let error = device.upload_listing(&long[..20]).unwrap_err();
    assert_eq!(error, DeviceError::StoreFull { over: 16, words: 40 });
    assert_eq!(
        error.to_string(),
        "the device's store has no room for 16 of the kernel's 40 words; \
         clear the store, or run the kernel without uploading it"
    );
    assert_eq!(device.free_words(), 24);
    device.upload_listing(&long[..12]).unwrap();
    assert_eq!(device.free_words(), 0);

    device.clear_store().unwrap();
    assert_eq!(device.free_words(), usize::from(STORE_WORDS));
    assert_eq!(device.launch(kernel), Err(DeviceError::StaleKernel));
}

/// Numbers of kernels would come twice if kernels without words took no room.
#[test]
fn kernels_without_words_fill_the_store_too() {
    let mut device = device();
    let kernel = device.upload_listing(&[mov(B, A)]).unwrap();
    let uploads = (0..=usize::from(u16::MAX)).map(|_| device.upload_listing(&[])).take_while(Result::is_ok);
    assert_eq!(uploads.count(), usize::from(STORE_WORDS) - 2);
    device.launch(kernel).unwrap();
    assert_eq!(device.link().board().array().read_reg(B), Ok(picture().as_slice()));

    device.clear_store().unwrap();
    let idle = device.upload_listing(&[]).unwrap();
    device.launch(idle).unwrap();
    assert_eq!(device.link().board().array().read_reg(B), Ok(picture().as_slice()));
}

/// The device itself refuses too, for a driver that does not count.
#[test]
fn a_board_refuses_a_kernel_that_exceeds_its_store_or_has_no_words() {
    let hello = [0x01, 1, 2, 0, 0, 0, 1, 0];
    let upload = |words: u16| {
        let mut frame = vec![0x03, 2];
        frame.extend((1 + u32::from(words) * 11).to_le_bytes());
        frame.resize(frame.len() + 1 + usize::from(words) * 11, 0);
        frame
    };
    // Refusal 5 with the number of words that are over, and refusal 2 of a kernel that takes no room.
    let cases = [(1024, 0x83, [0, 0].as_slice()), (1025, 0xFF, &[5, 1, 0, 0, 0]), (0, 0xFF, &[2, 0, 0, 0, 0])];
    for (words, kind, payload) in cases {
        let mut board = Board::new(array());
        let mut answer = Vec::new();
        for frame in [hello.to_vec(), upload(words)] {
            let checksum = crc(&frame).to_le_bytes();
            let bytes = [0x5C, 0xA5].into_iter().chain(frame).chain(checksum).collect();
            let mut link = Canned { bytes, answer: Vec::new() };
            board.answer(&mut link).unwrap();
            answer = link.answer;
        }
        assert_eq!((answer[2], &answer[8..answer.len() - 2]), (kind, payload), "{words}");
    }
}

#[test]
fn a_listing_longer_than_the_store_runs_without_being_uploaded() {
    let mut device = device();
    let plan = cain_runtime::isa::Plan { listing: LONG, ..slope::PLAN };
    device.run(&plan).unwrap();
    let mut expected = array();
    expected.run(&plan).unwrap();
    assert_eq!(device.link().board().array().read_reg(A), expected.read_reg(A));
}

/// 1500 steps of one PE to the east and back, and one more: 3002 words.
const LONG: &[Instruction] = &{
    let mut listing = [movx(A, A, WEST); 1501];
    let mut i = 0;
    while i < 1500 {
        listing[i] = if i % 2 == 0 { movx(A, A, WEST) } else { movx(A, A, EAST) };
        i += 1;
    }
    listing
};

#[test]
fn machines_that_are_no_scamp5_are_refused_before_anything_is_sent() {
    let auke = Machine::SCAMP5.with_registers(4).with_macros(Macros::BASIC);
    for machine in [Machine::SCAMP5, auke] {
        assert!(Device::connect_for(&machine, Loopback::new(Board::new(array()))).is_ok());
    }
    let mut link = Loopback::new(Board::new(array()));
    let error = Device::connect_for(&Machine::SCAMP5.with_registers(18), &mut link).unwrap_err();
    assert!(link.sent().is_empty());
    assert_eq!(
        error.to_string(),
        "the driver's chip is SCAMP-5, and programs for another machine do not run on it: the machine has no analogue \
         register `G`"
    );
}

#[test]
fn what_cannot_be_sent_is_refused_before_anything_is() {
    let mut device = device();
    let before = device.link().sent().len();
    let missing = Reg::from_index(9);
    let no_cell = DeviceError::Word(EncodeError::NoSuchCell(missing.into()));
    assert_eq!(device.execute(mov(B, missing)), Err(no_cell));
    assert_eq!(device.upload_listing(&[mov(B, A), mov(missing, A)]), Err(no_cell));
    let mut codes = [0; 4];
    let region = SIZE.region().unwrap();
    assert_eq!(
        device.scan(A, Scan::every(region), &mut codes),
        Err(DeviceError::Io(IoError::Buffer { needed: 128, found: 4 }))
    );
    let outside = Address::new(8, 0);
    assert_eq!(
        device.select_region(Region::new(Address::new(0, 0), outside)),
        Err(DeviceError::Io(IoError::Outside { address: outside, size: SIZE }))
    );
    assert_eq!(device.link().sent().len(), before);
    assert_eq!(
        no_cell.to_string(),
        "register `J` is not on the chip, which has `A` to `F`; compile the kernel for these registers"
    );
}

#[test]
fn the_device_goes_on_after_it_refused() {
    let mut device = device();
    assert_eq!(device.execute(mov(B, E)), Err(DeviceError::Refused(Refusal::Failed)));
    assert_eq!(device.link().board().trouble(), Some(&SimError::Unwritten(Store::Reg(E))));
    device.execute(mov(B, A)).unwrap();
    assert_eq!(device.link().board().array().read_reg(B).unwrap(), picture());
}

#[test]
fn a_source_without_frames_is_refused() {
    struct NoFrames;
    impl cain_runtime::sim::FrameSource for NoFrames {
        type Error = &'static str;
        fn next_frame(&mut self, _: Size, _: &mut [f32]) -> Result<(), &'static str> {
            Err("the folder is empty")
        }
    }
    let camera = Camera::new(Array::new(SIZE.width, SIZE.height), NoFrames);
    let mut device = Device::connect(Loopback::new(Board::new(camera))).unwrap();
    assert_eq!(device.capture(A, B), Err(DeviceError::Refused(Refusal::Failed)));
    assert_eq!(device.link().board().trouble(), Some(&CameraError::Frame("the folder is empty")));
}

#[test]
fn another_version_is_told_apart() {
    let mut board = Board::new(array());
    let mut link = Canned { bytes: vec![0x5C, 0xA5, 1, 1, 2, 0, 0, 0, 9, 0], answer: Vec::new() };
    let checksum = crc(&link.bytes[2..]).to_le_bytes();
    link.bytes.extend(checksum);
    board.answer(&mut link).unwrap();
    let mut later = Canned { bytes: link.answer, answer: Vec::new() };
    let error = Device::connect(&mut later).unwrap_err();
    assert_eq!(error, DeviceError::Version { device: 1, driver: 1 });
}

/// A link whose incoming bytes are known beforehand.
#[derive(Debug)]
struct Canned {
    bytes: Vec<u8>,
    answer: Vec<u8>,
}

impl Transport for Canned {
    fn write(&mut self, bytes: &[u8]) -> Result<(), cain_runtime::device::LinkError> {
        self.answer.extend_from_slice(bytes);
        Ok(())
    }

    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, cain_runtime::device::LinkError> {
        let count = buffer.len().min(self.bytes.len());
        buffer.iter_mut().zip(self.bytes.drain(..count)).for_each(|(place, byte)| *place = byte);
        if count > 0 { Ok(count) } else { Err(cain_runtime::device::LinkError::Closed) }
    }
}
