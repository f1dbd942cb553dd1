//! Programs in the store of a device.

use cain_runtime::device::protocol::STORE_WORDS;
use cain_runtime::device::{Board, DeviceError};
use cain_runtime::isa::asm::{A, B, D, EAST, WEST, add, mov, movx};
use cain_runtime::isa::{HostController, Instruction, Plan};

use super::{Canned, array, crc, device, picture, slope};

#[test]
fn an_uploaded_program_does_what_its_listing_does() {
    let mut device = device();
    let program = device.upload(&slope::PLAN).unwrap();
    assert_eq!(device.free_words(), usize::from(STORE_WORDS) - slope::PLAN.cost.icws as usize);
    device.launch(program).unwrap();
    let mut expected = array();
    expected.run(&slope::PLAN).unwrap();
    assert_eq!(device.link().board().array().read_reg(B), expected.read_reg(B));
}

#[test]
fn a_program_that_exceeds_the_store_is_refused_whole() {
    let mut device = device();
    let long = vec![add(B, A, D); 500];
    let program = device.upload_listing(&long).unwrap();
    assert_eq!(device.free_words(), 24);
    let error = device.upload_listing(&long[..20]).unwrap_err();
    assert_eq!(error, DeviceError::StoreFull { over: 16, words: 40 });
    assert_eq!(
        error.to_string(),
        "the device's store has no room for 16 of the program's 40 words; \
         clear the store, or run the program without uploading it"
    );
    assert_eq!(device.free_words(), 24);
    device.upload_listing(&long[..12]).unwrap();
    assert_eq!(device.free_words(), 0);

    device.clear_store().unwrap();
    assert_eq!(device.free_words(), usize::from(STORE_WORDS));
    assert_eq!(device.launch(program), Err(DeviceError::StaleProgram));
}

/// Program numbers would be assigned twice if programs without words took no room.
#[test]
fn programs_without_words_fill_the_store_too() {
    let mut device = device();
    let program = device.upload_listing(&[mov(B, A)]).unwrap();
    let uploads = (0..=usize::from(u16::MAX)).map(|_| device.upload_listing(&[])).take_while(Result::is_ok);
    assert_eq!(uploads.count(), usize::from(STORE_WORDS) - 2);
    device.launch(program).unwrap();
    assert_eq!(device.link().board().array().read_reg(B), Ok(picture().as_slice()));

    device.clear_store().unwrap();
    let idle = device.upload_listing(&[]).unwrap();
    device.launch(idle).unwrap();
    assert_eq!(device.link().board().array().read_reg(B), Ok(picture().as_slice()));
}

/// For a driver that does not count, the device itself reports the error.
#[test]
fn a_board_refuses_a_program_that_exceeds_its_store_or_has_no_words() {
    let hello = [0x01, 1, 2, 0, 0, 0, 1, 0];
    let upload = |words: u16| {
        let mut frame = vec![0x03, 2];
        frame.extend((1 + u32::from(words) * 11).to_le_bytes());
        frame.resize(frame.len() + 1 + usize::from(words) * 11, 0);
        frame
    };
    // Error 5 gives the number of words in excess; error 2 is for a program that takes no room.
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
    let plan = Plan { listing: LONG, ..slope::PLAN };
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
