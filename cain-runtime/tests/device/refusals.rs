//! Errors that a driver or a device reports, and their behaviour afterwards.

use cain_runtime::device::{Board, Device, DeviceError, EncodeError, Loopback, Refusal};
use cain_runtime::io::{Address, ArrayIo, IoError, Region, Scan, Size};
use cain_runtime::isa::asm::{A, B, E, mov};
use cain_runtime::isa::{HostController, Machine, Macros, Reg, Store};
use cain_runtime::sim::{Array, Camera, CameraError, FrameSource, SimError};

use super::{Canned, SIZE, array, crc, device, picture};

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
    assert_eq!(device.link().board().last_error(), Some(&SimError::Unwritten(Store::Reg(E))));
    device.execute(mov(B, A)).unwrap();
    assert_eq!(device.link().board().array().read_reg(B).unwrap(), picture());
}

#[test]
fn a_source_without_frames_is_refused() {
    struct NoFrames;
    impl FrameSource for NoFrames {
        type Error = &'static str;
        fn next_frame(&mut self, _: Size, _: &mut [f32]) -> Result<(), &'static str> {
            Err("the folder is empty")
        }
    }
    let camera = Camera::new(Array::new(SIZE.width, SIZE.height), NoFrames);
    let mut device = Device::connect(Loopback::new(Board::new(camera))).unwrap();
    assert_eq!(device.capture(A, B), Err(DeviceError::Refused(Refusal::Failed)));
    assert_eq!(device.link().board().last_error(), Some(&CameraError::Frame("the folder is empty")));
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
