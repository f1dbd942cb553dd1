//! Kernels as users write them: matrices of weights.

use core::fmt;

use cain_analysis::prove::{Atom, Polynomial};
use cain_isa::{Displacement, Fraction};

/// The most rows and columns of a kernel.
pub const MAX_SIZE: usize = 15;

/// A matrix of weights for one input channel, with the cell that lies over the PE itself.
///
/// Row 0 is north and column 0 is west; the kernel is a correlation, not flipped:
/// `out(p) = Σ rows[r][c] · in(p + (c − origin.1, origin.0 − r))`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    rows: Vec<Vec<Fraction>>,
    origin: (usize, usize),
}

impl Kernel {
    /// The kernel of these rows, centred; both sizes must be odd.
    pub fn new(rows: Vec<Vec<Fraction>>) -> Result<Self, KernelError> {
        let (height, width) = (rows.len(), rows.first().map_or(0, Vec::len));
        let kernel = Self::with_origin(rows, (height / 2, width / 2))?;
        if height % 2 == 0 || width % 2 == 0 {
            return Err(KernelError::Even { rows: height, columns: width });
        }
        Ok(kernel)
    }

    /// The kernel of these rows whose cell (row, column), counted from 0, lies over the PE itself.
    pub fn with_origin(rows: Vec<Vec<Fraction>>, origin: (usize, usize)) -> Result<Self, KernelError> {
        let height = rows.len();
        let width = rows.first().map_or(0, Vec::len);
        if height == 0 || width == 0 {
            return Err(KernelError::Empty);
        }
        if let Some((row, cells)) = rows.iter().enumerate().find(|(_, cells)| cells.len() != width) {
            return Err(KernelError::Ragged { row, found: cells.len(), expected: width });
        }
        if height > MAX_SIZE || width > MAX_SIZE {
            return Err(KernelError::TooLarge { rows: height, columns: width });
        }
        if origin.0 >= height || origin.1 >= width {
            return Err(KernelError::Origin { rows: height, columns: width });
        }
        Ok(Self { rows, origin })
    }

    /// Adds the kernel, multiplied by `scale` and on this input channel, to a polynomial.
    pub fn add_to(&self, sum: &mut Polynomial, scale: Fraction, channel: u16) -> Result<(), KernelError> {
        for (r, row) in (0_i16..).zip(&self.rows) {
            for (c, weight) in (0_i16..).zip(row) {
                let displacement = Displacement::new(c - index(self.origin.1), index(self.origin.0) - r);
                let weight = weight.checked_mul(scale).ok_or(KernelError::Overflow)?;
                sum.add_term(Atom { channel, displacement }, weight).ok_or(KernelError::Overflow)?;
            }
        }
        Ok(())
    }
}

/// A row or column number; kernels have at most [`MAX_SIZE`] of them.
fn index(value: usize) -> i16 {
    i16::try_from(value).unwrap_or(i16::MAX)
}

/// The reason why a matrix is not a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KernelError {
    /// It has no rows or no columns.
    Empty,
    /// Its rows have different lengths.
    Ragged {
        /// The first row, from 0, that differs from row 0.
        row: usize,
        /// The number of weights in that row.
        found: usize,
        /// The number of weights in row 0.
        expected: usize,
    },
    /// It has more than [`MAX_SIZE`] rows or columns.
    TooLarge {
        /// The number of rows.
        rows: usize,
        /// The number of columns.
        columns: usize,
    },
    /// It has an even number of rows or columns, and so no centre.
    Even {
        /// The number of rows.
        rows: usize,
        /// The number of columns.
        columns: usize,
    },
    /// The origin lies outside the kernel.
    Origin {
        /// The number of rows.
        rows: usize,
        /// The number of columns.
        columns: usize,
    },
    /// A weight does not fit in an exact fraction of 64-bit integers.
    Overflow,
}

impl fmt::Display for KernelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the kernel is empty; write at least one weight, such as `[[1]]`"),
            Self::Ragged { row, found, expected } => {
                let plural = if *found == 1 { "" } else { "s" };
                let row = row + 1;
                write!(f, "row {row} has {found} weight{plural} but row 1 has {expected}; make all rows equally long")
            }
            Self::TooLarge { rows, columns } => {
                write!(f, "the kernel has {rows}×{columns} weights; at most {MAX_SIZE}×{MAX_SIZE} are supported")
            }
            Self::Even { rows, columns } => {
                write!(f, "a kernel of {rows}×{columns} weights has no centre; add a row or column of zeros")
            }
            Self::Origin { rows, columns } => {
                write!(f, "the origin lies outside of the {rows}×{columns} weights; rows and columns count from 0")
            }
            Self::Overflow => f.write_str("a weight is too large to be handled exactly"),
        }
    }
}

impl core::error::Error for KernelError {}

#[cfg(test)]
mod tests {
    use super::{Kernel, KernelError};
    use cain_analysis::prove::Polynomial;
    use cain_isa::Fraction;

    fn rows(rows: &[&[i32]]) -> Vec<Vec<Fraction>> {
        rows.iter().map(|row| row.iter().map(|&weight| Fraction::from(weight)).collect()).collect()
    }

    #[test]
    fn the_first_row_is_north_and_the_first_column_west() {
        let kernel = Kernel::new(rows(&[&[1, 0, 0], &[0, 2, 0], &[0, 0, 3]])).unwrap();
        let mut sum = Polynomial::new();
        kernel.add_to(&mut sum, Fraction::new(1, 4).unwrap(), 0).unwrap();
        assert_eq!(sum.to_string(), "1/4·x^-1·y + 1/2 + 3/4·x·y^-1");
    }

    #[test]
    fn even_sizes_need_an_origin() {
        let square = rows(&[&[1, 2], &[3, 4]]);
        assert_eq!(Kernel::new(square.clone()), Err(KernelError::Even { rows: 2, columns: 2 }));
        assert_eq!(Kernel::with_origin(square.clone(), (2, 0)), Err(KernelError::Origin { rows: 2, columns: 2 }));
        let mut sum = Polynomial::new();
        Kernel::with_origin(square, (1, 1)).unwrap().add_to(&mut sum, Fraction::ONE, 0).unwrap();
        assert_eq!(sum.to_string(), "3·x^-1 + x^-1·y + 4 + 2·y");
    }

    #[test]
    fn bad_shapes() {
        assert_eq!(Kernel::new(vec![]), Err(KernelError::Empty));
        assert_eq!(Kernel::new(vec![vec![], vec![]]), Err(KernelError::Empty));
        let ragged = Kernel::new(rows(&[&[1, 2], &[1]]));
        assert_eq!(ragged, Err(KernelError::Ragged { row: 1, found: 1, expected: 2 }));
        assert!(matches!(Kernel::new(rows(&[&[0; 16]])), Err(KernelError::TooLarge { .. })));
    }
}
