//! Declarations.

use cain_analysis::prove::Polynomial;
use cain_digital::{Declaration, Format, Input, Output};
use cain_isa::Fraction;
use cain_search::Kernel;

pub(crate) type Rows<'k> = &'k [&'k [i32]];

pub(crate) const BOX: Rows<'static> = &[&[1, 1, 1], &[1, 1, 1], &[1, 1, 1]];
pub(crate) const GAUSS: Rows<'static> = &[&[1, 2, 1], &[2, 4, 2], &[1, 2, 1]];
pub(crate) const SOBEL_X: Rows<'static> = &[&[-1, 0, 1], &[-2, 0, 2], &[-1, 0, 1]];
pub(crate) const SOBEL_Y: Rows<'static> = &[&[1, 2, 1], &[0, 0, 0], &[-1, -2, -1]];

/// The sum of kernels, one for each input.
pub(crate) fn kernel(channels: &[Rows<'_>]) -> Polynomial {
    let mut sum = Polynomial::new();
    for (channel, rows) in (0..).zip(channels) {
        let rows = rows.iter().map(|row| row.iter().map(|&weight| Fraction::from(weight)).collect()).collect();
        Kernel::new(rows).unwrap().add_to(&mut sum, Fraction::ONE, channel).unwrap();
    }
    sum
}

pub(crate) fn declaration(bits: &[(u32, bool)], kernels: &[Polynomial]) -> Declaration {
    let input = |(i, &(bits, signed)): (usize, &(u32, bool))| Input {
        name: format!("in{i}"),
        format: Format::new(bits, signed).unwrap(),
        keep: false,
        at: None,
    };
    let output = |(i, kernel): (usize, &Polynomial)| Output { name: format!("out{i}"), formula: kernel.clone().into() };
    Declaration {
        name: "test".into(),
        inputs: bits.iter().enumerate().map(input).collect(),
        outputs: kernels.iter().enumerate().map(output).collect(),
        flag: true,
        nodes: 100_000,
    }
}
