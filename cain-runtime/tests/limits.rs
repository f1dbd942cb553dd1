//! Tests controller functions with arbitrary arguments, on arrays of any shape: they return a result or an error, and
//! the same one on the simulator and on a device.

use std::collections::VecDeque;

use cain_runtime::device::{Board, Device, Loopback};
use cain_runtime::io::{Address, ArrayIo, Pattern, Region, Scan, Size};
use cain_runtime::isa::asm::digital::R5;
use cain_runtime::isa::asm::{A, B};
use cain_runtime::isa::{Bit, Dreg};
use cain_runtime::sim::Array;
use proptest::prelude::*;

use super::frame::{Waiting, crc};

/// Numbers around the critical ones, and any others.
fn number() -> impl Strategy<Value = u16> {
    prop_oneof![0..10_u16, u16::MAX - 2..=u16::MAX, any::<u16>()]
}

fn address() -> impl Strategy<Value = Address> {
    (number(), number()).prop_map(|(row, column)| Address::new(row, column))
}

fn region() -> impl Strategy<Value = Region> {
    (address(), address()).prop_map(|(first, last)| Region::new(first, last))
}

fn pattern() -> impl Strategy<Value = Pattern> {
    [number(), number(), number(), number()].prop_map(|[row, column, free_row_bits, free_column_bits]| Pattern {
        row,
        column,
        free_row_bits,
        free_column_bits,
    })
}

/// The arguments of the functions.
#[derive(Clone, Debug)]
struct Arguments {
    scan: Scan,
    pattern: Pattern,
    room: usize,
}

fn arguments() -> impl Strategy<Value = Arguments> {
    let scan = (region(), number(), number());
    let scan = scan.prop_map(|(region, row_step, column_step)| Scan { region, row_step, column_step });
    (scan, pattern(), 0..200_usize).prop_map(|(scan, pattern, room)| Arguments { scan, pattern, room })
}

/// The result of each function, or `None` if it fails.
fn results<S: ArrayIo>(array: &mut S, arguments: &Arguments) -> Vec<Option<Vec<u8>>> {
    let &Arguments { scan, pattern, room } = arguments;
    let Region { first, last } = scan.region;
    let register = Dreg::ALL[5];
    let mut codes = vec![0; room];
    let read = |result: Result<usize, S::Error>, codes: &[u8]| result.ok().map(|count| codes[..count].to_vec());
    let mut results = Vec::new();
    let found = array.scan(A, scan, &mut codes);
    results.push(read(found, &codes));
    let found = array.scan_bits(R5, (first.row, last.row), &mut codes);
    results.push(read(found, &codes));
    let mut events = vec![Address::default(); room];
    let found = array.scan_events(R5, &mut events).ok();
    let listed = |at: &Address| [at.row.to_le_bytes(), at.column.to_le_bytes()].concat();
    results.push(found.map(|found| events[..found.listed].iter().flat_map(listed).collect()));
    results.push(array.any(R5, pattern).ok().map(|any| vec![any.into()]));
    results.push(array.read_cell(A, first).ok().map(|code| vec![code]));
    results.push(array.sum_sparse(A, pattern).ok().map(|code| vec![code]));
    results.push(array.sum_region(A, scan.region).ok().map(|code| vec![code]));
    results.push(array.estimate_count(register, B).ok().map(|count| count.to_le_bytes().to_vec()));
    let mut blocks = [0; 64];
    results.push(array.scan_means(A, &mut blocks).ok().map(|()| blocks.to_vec()));
    for (bit, loaded) in [(Bit::Select, array.select_pattern(pattern)), (Bit::Rect, array.select_region(scan.region))] {
        let corners = array.bounding_box(bit).ok().flatten().map(|found| [found.first, found.last]);
        results.push(loaded.ok().map(|()| corners.iter().flatten().flat_map(listed).collect()));
    }
    results
}

fn array(width: usize, height: usize) -> Array {
    let mut array = Array::new(width, height);
    let pes = width * height;
    array.load_reg(A, &(0..=u8::MAX).cycle().take(pes).map(f32::from).collect::<Vec<_>>()).unwrap();
    array.load_bits(R5, &(0..pes).map(|pe| pe % 3 == 0).collect::<Vec<_>>()).unwrap();
    array
}

/// The answer to the first request of a session.
fn hello(width: u32, height: u32) -> VecDeque<u8> {
    let mut frame = vec![0x81, 1, 12, 0, 0, 0, 1, 0];
    frame.extend([width.to_le_bytes(), height.to_le_bytes()].concat());
    frame.extend([0, 4]);
    let checksum = crc(&frame).to_le_bytes();
    [0x5C, 0xA5].into_iter().chain(frame).chain(checksum).collect()
}

proptest! {
    #[test]
    fn simulator_and_device_agree(width in 0..10_usize, height in 0..10_usize, arguments in arguments()) {
        let mut device = Device::connect(Loopback::new(Board::new(array(width, height)))).unwrap();
        prop_assert_eq!(results(&mut device, &arguments), results(&mut array(width, height), &arguments));
    }

    #[test]
    fn a_device_may_give_any_size(
        width in prop_oneof![0..10_u32, u32::MAX - 2..=u32::MAX, any::<u32>()],
        height in prop_oneof![0..10_u32, u32::MAX - 2..=u32::MAX, any::<u32>()],
        arguments in arguments(),
    ) {
        let mut device = Device::connect(Waiting(hello(width, height))).unwrap();
        prop_assert_eq!(u32::try_from(device.size().width), Ok(width));
        // There are no more answers, so nothing can be read.
        for result in results(&mut device, &arguments) {
            prop_assert_eq!(result, None);
        }
    }

    /// The contents of a region are counted without iterating over it.
    #[test]
    fn places_and_lengths_of_any_size(width in any::<usize>(), height in any::<usize>(), scan in arguments()) {
        let Scan { region, .. } = scan.scan;
        let size = Size { width, height };
        if let (Ok(place), Ok(first)) = (size.position(region.first), size.position(Address::default())) {
            prop_assert!(place >= first || region.first.row == 0);
        }
        prop_assert_eq!(size.bytes_of_rows((region.first.row, region.last.row)).is_ok_and(|bytes| bytes == 0), false);
        prop_assert_ne!(scan.scan.check(size), Ok(0));
    }
}
