//! Writes arrays in the format of `NumPy`.

/// The file of an array of double precision in C order.
pub(super) fn npy(sizes: &[usize], values: &[f64]) -> Vec<u8> {
    let sizes: Vec<String> = sizes.iter().map(|size| format!("{size},")).collect();
    let mut head = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}), }}", sizes.join(" "));
    // The numbers begin at a multiple of 64 bytes; 10 bytes come before the head, and a line break ends it.
    head.extend(std::iter::repeat_n(' ', 63 - (head.len() + 10) % 64));
    head.push('\n');
    let length = u16::try_from(head.len()).unwrap_or(u16::MAX).to_le_bytes();
    let numbers = values.iter().flat_map(|value| value.to_le_bytes());
    [&b"\x93NUMPY\x01\x00"[..], &length, head.as_bytes()].concat().into_iter().chain(numbers).collect()
}
