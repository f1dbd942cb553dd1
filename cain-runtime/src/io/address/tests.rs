extern crate std;
use super::{Address, Pattern, Region, Scan, Size};
use crate::io::IoError;
use std::vec::Vec;

#[test]
fn the_origin_is_at_the_top_right() {
    let size = Size { width: 4, height: 3 };
    assert_eq!(size.position(Address::new(0, 0)), Ok(3));
    assert_eq!(size.position(Address::new(0, 3)), Ok(0));
    assert_eq!(size.position(Address::new(2, 0)), Ok(11));
    for outside in [Address::new(3, 0), Address::new(0, 4)] {
        assert_eq!(size.position(outside), Err(IoError::Outside { address: outside, size }));
    }
}

/// A device may announce any size.
#[test]
fn sizes_that_no_array_has_do_not_overflow() {
    let size = Size { width: usize::MAX, height: usize::MAX };
    let first = Address::new(0, 0);
    assert_eq!(size.position(first), Ok(usize::MAX - 1));
    assert_eq!(size.bytes_of_rows((0, 0)), Ok(usize::MAX.div_ceil(8)));
    for row in [1, u16::MAX] {
        let at = Address::new(row, 0);
        assert_eq!(size.position(at), Err(IoError::NoAddresses(size)));
        assert_eq!(size.bytes_of_rows((0, row)), Err(IoError::NoAddresses(size)));
        assert_eq!(Scan::every(Region::new(first, at)).check(size), Err(IoError::NoAddresses(size)));
    }
}

/// The largest arrays with an address for each PE: positions just fit in 32 bits, the number of PEs does not.
#[test]
fn the_largest_arrays_fit_32_bits() {
    let size = Size { width: 1 << 16, height: 1 << 16 };
    let region = size.region().unwrap();
    assert_eq!(size.position(Address::new(u16::MAX, 0)).map(u32::try_from), Ok(Ok(u32::MAX)));
    assert_eq!(size.bytes_of_rows((0, u16::MAX)), Ok(1 << 29));
    let pes = usize::try_from(1_u64 << 32).unwrap_or(usize::MAX);
    assert_eq!(Scan::every(region).check(size), Ok(pes));
}

#[test]
fn the_fourth_byte_of_a_scan_is_the_fourth_row_of_the_first_column() {
    let scan = Scan::every(Size::SCAMP5.region().unwrap());
    assert_eq!(scan.addresses().nth(3), Some(Address::new(3, 0)));
    assert_eq!(scan.check(Size::SCAMP5), Ok(65536));
}

#[test]
fn steps_stay_within_the_region() {
    let region = Region::new(Address::new(1, 2), Address::new(6, 7));
    let scan = Scan { region, row_step: 2, column_step: 5 };
    let expected = [(1, 2), (3, 2), (5, 2), (1, 7), (3, 7), (5, 7)].map(|(r, c)| Address::new(r, c));
    assert_eq!(scan.addresses().collect::<Vec<_>>(), expected);
    assert_eq!(scan.check(Size::SCAMP5), Ok(expected.len()));
    assert_eq!(Scan { row_step: 0, ..scan }.check(Size::SCAMP5), Err(IoError::NoStep));
}

#[test]
fn patterns_compare_the_bits_that_matter() {
    let chosen = |pattern: Pattern| Size::SCAMP5.addresses().filter(|at| pattern.contains(*at)).count();
    assert_eq!(chosen(Pattern::ALL), 65536);
    assert_eq!(chosen(Pattern::SPARSE), 65536 / 4);
    assert_eq!(chosen(Pattern::row(7)), 256);
    assert_eq!(chosen(Pattern::column(7)), 256);
    assert_eq!(chosen(Pattern::point(Address::new(3, 9))), 1);
    assert!(Pattern::row(7).contains(Address::new(7, 200)));
    assert!(Pattern::column(7).contains(Address::new(200, 7)));
}
