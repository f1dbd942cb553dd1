//! Programs of weighted sums.

use cain_isa::prove::Polynomial;
use cain_isa::{Displacement, Fraction, Instruction, Machine, Macro, Op, Range, Reg};

use super::pinned::{Log, Searched};
use crate::{Declaration, Input, Objective, OffsetRule, Options, Output, Proved, SearchError, search, verify};

/// Weighted sums that are wanted in registers.
#[derive(Clone, Debug)]
pub(super) struct Sum {
    pub(super) name: String,
    /// The registers of the inputs and whether they are kept.
    pub(super) inputs: Vec<(Reg, bool)>,
    pub(super) outputs: Vec<(Reg, Polynomial)>,
    pub(super) scratch: Vec<Reg>,
    /// The least and the largest value of an input.
    pub(super) range: (f64, f64),
    /// Whether the outputs may hold transfer errors.
    pub(super) may_err: bool,
}

/// How many times as many nodes a search gets that found nothing.
const MORE: u64 = 4;

/// The searches of a network, with what they found.
#[derive(Debug)]
pub(super) struct Searches {
    machine: Machine,
    options: Options,
    log: Log,
    /// The nodes that a search has at first.
    share: u64,
    /// The nodes that are left for searches which find nothing with their share.
    left: u64,
    found: Vec<Found>,
}

/// What a search found.
#[derive(Debug)]
struct Found {
    declaration: Declaration,
    /// Whether it went on for longer if there was nothing.
    needed: bool,
    program: Result<Proved, SearchError>,
}

impl Searches {
    pub(super) fn new(machine: Machine, options: &Options, log: Log) -> Self {
        let options = Options { objective: Objective::Icws, ..options.clone() };
        Self { machine, options, log, share: 1, left: 0, found: vec![] }
    }

    /// Begins to search for so many sums with the budget of a network, and forgets what was found before.
    ///
    /// Each gets a share of a half of it. The other half is for those that find nothing with that.
    pub(super) fn begin(&mut self, sums: usize) {
        let sums = u64::try_from(sums).unwrap_or(u64::MAX).max(1);
        let half = self.options.nodes / 2;
        self.share = (half / sums).max(1);
        self.left = half;
        self.found.clear();
    }

    /// Where programs came from.
    pub(super) fn log(&self) -> &Log {
        &self.log
    }

    /// What was searched for, and found.
    pub(super) fn into_searched(self) -> Vec<Searched> {
        self.log.into_searched()
    }

    /// A program for sums; the same every time. If it is needed, a search that finds nothing goes on for longer.
    pub(super) fn search(&mut self, sum: &Sum, needed: bool) -> Result<Proved, SearchError> {
        let declaration = self.declaration(sum);
        if let Some(found) = self.found.iter().find(|found| found.declaration == declaration)
            && (found.program.is_ok() || !needed || found.needed)
        {
            return found.program.clone();
        }
        let Self { share, left, log, .. } = self;
        let program = log.answer(&declaration, || search_anew(&declaration, *share, needed.then_some(left)));
        self.found.retain(|found| found.declaration != declaration);
        self.found.push(Found { declaration, needed, program: program.clone() });
        program
    }

    fn declaration(&self, sum: &Sum) -> Declaration {
        Declaration {
            name: sum.name.clone(),
            inputs: sum.inputs.iter().map(|&(reg, keep)| Input { reg, keep }).collect(),
            outputs: sum.outputs.iter().map(|(reg, kernel)| Output { reg: *reg, kernel: kernel.clone() }).collect(),
            scratch: sum.scratch.clone(),
            machine: self.machine,
            options: Options {
                input: Some(range(sum.range)),
                offset: if sum.may_err { OffsetRule::Any } else { self.options.offset },
                ..self.options.clone()
            },
        }
    }
}

/// Searches with so many nodes; if `left` is given, with more of those that are left if that finds nothing.
fn search_anew(declaration: &Declaration, share: u64, left: Option<&mut u64>) -> Result<Proved, SearchError> {
    let with = |nodes: u64| {
        let options = Options { nodes, ..declaration.options.clone() };
        search(&Declaration { options, ..declaration.clone() }).map(|solution| solution.program)
    };
    let mut nodes = share;
    let mut found = with(nodes);
    let Some(left) = left else { return found };
    while matches!(found, Err(SearchError::Budget { .. })) && *left > 0 {
        nodes = nodes.saturating_mul(MORE).min(*left);
        *left -= nodes;
        found = with(nodes);
    }
    found.or_else(|error| search_smaller(declaration, nodes).ok_or(error))
}

/// Whole numbers around a range, one of which is not 0.
#[expect(clippy::cast_possible_truncation, reason = "saturates")]
fn range((low, high): (f64, f64)) -> Range {
    let max = high.ceil() as i16;
    let min = low.floor() as i16;
    Range { min, max: if min == 0 { max.max(1) } else { max } }
}

/// A program that makes the inputs smaller first, so that less of the range is needed on the way.
fn search_smaller(declaration: &Declaration, nodes: u64) -> Option<Proved> {
    /// How often inputs are halved: there and back.
    const HALVINGS: [u32; 2] = [2, 4];
    HALVINGS.into_iter().find_map(|halvings| {
        let (listing, smaller) = smaller(declaration, halvings)?;
        let options = Options { nodes, ..smaller.options.clone() };
        let program = search(&Declaration { options, ..smaller }).ok()?.program;
        let listing: Vec<Instruction> = listing.into_iter().chain(program.listing().iter().copied()).collect();
        verify(declaration, &listing).ok()
    })
}

/// Words that make the inputs of a declaration smaller, in registers that may be overwritten, and what is left to compute.
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
