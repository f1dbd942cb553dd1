//! Integers in digital registers, and the operations of layers on them.

use cain_analysis::prove::{Atom, Polynomial};
use cain_digital::{Declaration, Format, Formula, Input, Logic, Output};
use cain_isa::{Displacement, Fraction};

use super::declaration::Operation;
use super::error::Problem;
use super::geometry::Reach;
use super::maps::Maps;

impl Operation {
    /// Whether the operation works on numbers in digital registers.
    pub(super) fn is_exact(&self) -> bool {
        matches!(self, Self::Digital { .. } | Self::Logic { .. })
    }

    /// The formats of the numbers that it makes, for each channel; an empty list if it does not work on such numbers.
    pub(super) fn formats(&self, read: &[Format]) -> Result<Vec<Format>, Problem> {
        let formulas = match self {
            Self::Digital { kernels, stride, dilation, padding } => {
                let reach = Reach::of_kernels(kernels, *stride, *dilation, *padding);
                let taps = reach.around_the_middle();
                kernels.iter().map(|kernel| sum(kernel, &taps)).collect()
            }
            Self::Logic { functions } => functions.iter().cloned().map(Formula::Logic).collect(),
            _ => vec![],
        };
        let format = |(channel, formula)| {
            let declaration = declaration("", read, formula, 0);
            declaration.output_format(0).map_err(|error| Problem::Digital { channel, error })
        };
        formulas.into_iter().enumerate().map(format).collect()
    }
}

/// The declaration of a number as a digital kernel of others, none of which is kept.
pub(super) fn declaration(name: &str, read: &[Format], formula: Formula, nodes: u64) -> Declaration {
    let input = |(i, &format): (usize, &Format)| Input { name: format!("n{i}"), format, keep: false, at: None };
    Declaration {
        name: name.to_owned(),
        inputs: read.iter().enumerate().map(input).collect(),
        outputs: vec![Output { name: "number".to_owned(), formula }],
        flag: true,
        nodes,
    }
}

/// A channel of a sum, given the displacement at which each weight of a kernel is read.
pub(super) fn sum(kernel: &[Vec<Vec<Fraction>>], taps: &[Displacement]) -> Formula {
    let mut sum = Polynomial::new();
    for (channel, matrix) in (0..).zip(kernel) {
        for (&weight, &displacement) in matrix.iter().flatten().zip(taps) {
            // Each place is read once, so nothing is added up here.
            let _ = sum.add_term(Atom { channel, displacement }, weight);
        }
    }
    Formula::Sum(sum)
}

/// The value of a Boolean function at a pixel; outside of the maps, all bits are 0.
pub(super) fn evaluate(function: &Logic, sources: &[(&Maps, usize)], row: usize, column: usize) -> f64 {
    let bit_of = |input: usize, bit: u32, at: Displacement| {
        let (row, column) = (row.cast_signed() - isize::from(at.y), column.cast_signed() + isize::from(at.x));
        sources.get(input).and_then(|(maps, channel)| maps.at(*channel, row, column)).is_some_and(|value| {
            #[expect(clippy::cast_possible_truncation, reason = "whole numbers of at most 24 bits")]
            let number = value as i64;
            number >> bit & 1 == 1
        })
    };
    if function.evaluate(&bit_of) { 1.0 } else { 0.0 }
}
