//! Programs of weighted sums.

use cain_analysis::owned::{Step, words};
use cain_analysis::prove::Polynomial;
use cain_isa::{Displacement, Fraction, Instruction, Machine, Macro, Op, Range, Reg};
use cain_search::{Declaration, Input, OffsetRule, Options, Output, Proved, SearchError, verify};

use super::summand::Wanted;

/// Weighted sums to be computed in registers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sum {
    pub(super) name: String,
    /// The registers of the inputs, and whether each is kept.
    pub(super) inputs: Vec<(Reg, bool)>,
    pub(super) outputs: Vec<(Reg, Polynomial)>,
    pub(super) scratch: Vec<Reg>,
    /// The least and the largest value of each input.
    pub(super) ranges: Vec<(f64, f64)>,
    /// Where the number 0 is in each input, in DN.
    pub(super) zeros: Vec<f64>,
    /// The requirements on each output besides its weights.
    pub(super) wanted: Vec<Wanted>,
    /// Whether the outputs may contain transfer errors: nothing but comparisons with levels reads them, which
    /// compensate for these.
    pub(super) may_err: bool,
}

impl Sum {
    pub(super) fn declaration(&self, machine: Machine, options: &Options) -> Declaration {
        let offset = if self.may_err { OffsetRule::Any } else { OffsetRule::Cancelled };
        let low = self.ranges.iter().map(|(low, _)| *low).fold(0.0, f64::min);
        let high = self.ranges.iter().map(|(_, high)| *high).fold(0.0, f64::max);
        Declaration {
            name: self.name.clone(),
            inputs: self.inputs.iter().map(|&(reg, keep)| Input { reg, keep }).collect(),
            outputs: self.outputs.iter().map(|(reg, kernel)| Output { reg: *reg, kernel: kernel.clone() }).collect(),
            scratch: self.scratch.clone(),
            machine,
            options: Options { input: Some(range((low, high))), offset, ..options.clone() },
        }
    }
}

/// A program for sums, with the levels that it reads.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) proved: Proved,
    pub(super) steps: Vec<Step>,
}

impl Program {
    /// Control words.
    pub(super) fn words(&self) -> usize {
        words(&self.steps)
    }
}

/// The reason why there is no program for sums.
#[derive(Debug)]
pub(super) enum Unmade {
    /// The search found none.
    Search(SearchError),
    /// No program has a place for the summands.
    Summand,
}

/// An integer range that contains a range, with an end that is not 0.
#[expect(clippy::cast_possible_truncation, reason = "saturates")]
fn range((low, high): (f64, f64)) -> Range {
    let max = high.ceil() as i16;
    let min = low.floor() as i16;
    Range { min, max: if min == 0 { max.max(1) } else { max } }
}

/// Searches for a program that first makes the inputs smaller, so that intermediate values need less of the range.
pub(super) fn smaller_first(
    declaration: &Declaration,
    mut search: impl FnMut(&Declaration) -> Option<Proved>,
) -> Option<Proved> {
    /// The numbers of halvings of inputs that are tried: even ones, to move values back and forth.
    const HALVINGS: [u32; 2] = [2, 4];
    HALVINGS.into_iter().find_map(|halvings| {
        let (listing, smaller) = smaller(declaration, halvings)?;
        let program = search(&smaller)?;
        let listing: Vec<Instruction> = listing.into_iter().chain(program.listing().iter().copied()).collect();
        verify(declaration, &listing).ok()
    })
}

/// The words that make the inputs of a declaration smaller, in registers that may be overwritten, and the declaration
/// of the rest.
fn smaller(declaration: &Declaration, halvings: u32) -> Option<(Vec<Instruction>, Declaration)> {
    let factor = Fraction::from(1 << halvings);
    let mut scratch = declaration.scratch.clone();
    let mut inputs = vec![];
    let between = *scratch.first()?;
    let mut listing = vec![];
    for input in &declaration.inputs {
        let to = if input.keep { scratch.pop().filter(|&reg| reg != between)? } else { input.reg };
        let mut from = input.reg;
        for _ in 0..halvings / 2 {
            for (y, x) in [(between, from), (to, between)] {
                let halve = Macro::new(Op::Divq, &[y.into(), x.into()]).ok()?;
                listing.extend(Instruction::from(halve).words().map(Instruction::Word));
            }
            from = to;
        }
        inputs.push(Input { reg: to, keep: false });
    }
    let larger = |output: &Output| {
        let mut kernel = Polynomial::new();
        kernel.add_scaled(&output.kernel, factor, Displacement::ZERO)?;
        Some(Output { reg: output.reg, kernel })
    };
    let outputs = declaration.outputs.iter().map(larger).collect::<Option<_>>()?;
    let input = declaration.options.input.map(|Range { min, max }| {
        let part = |end: i16| f64::from(end) / factor.to_f64();
        range((part(min), part(max)))
    });
    let options = Options { input, ..declaration.options.clone() };
    scratch.retain(|reg| !inputs.iter().any(|input: &Input| input.reg == *reg));
    Some((listing, Declaration { inputs, outputs, scratch, options, ..declaration.clone() }))
}
