//! Programs of weighted sums.

use cain_isa::prove::Polynomial;
use cain_isa::{Displacement, Fraction, Instruction, Machine, Macro, Op, Range, Reg};

use super::pinned::{Log, Searched};
use super::script::NetworkStep;
use super::stage::words;
use super::summand::{Wanted, with_summands};
use crate::{Declaration, Input, Objective, OffsetRule, Options, Output, Proved, SearchError, digital, search, verify};

/// Weighted sums that are wanted in registers.
#[derive(Clone, Debug)]
pub(super) struct Sum {
    pub(super) name: String,
    /// The registers of the inputs and whether they are kept.
    pub(super) inputs: Vec<(Reg, bool)>,
    pub(super) outputs: Vec<(Reg, Polynomial)>,
    pub(super) scratch: Vec<Reg>,
    /// The least and the largest value of each input.
    pub(super) ranges: Vec<(f64, f64)>,
    /// What is wanted of each output beside its weights.
    pub(super) wanted: Vec<Wanted>,
    /// Whether the outputs may hold transfer errors.
    pub(super) may_err: bool,
}

/// A program for sums, with the levels that it reads.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) proved: Proved,
    pub(super) steps: Vec<NetworkStep>,
}

impl Program {
    /// Control words.
    pub(super) fn words(&self) -> usize {
        words(&self.steps)
    }
}

/// Why there is no program for sums.
#[derive(Debug)]
pub(super) enum Unmade {
    /// None was found.
    Search(SearchError),
    /// None has a place for the summands.
    Summand,
}

/// Networks of more sums share the budget of so many filters.
const MOST_FILTERS: u64 = 8;
/// How many times as many nodes a search gets that found nothing.
const MORE: u64 = 4;

/// The searches of a network, with what they found.
#[derive(Debug)]
pub(super) struct Searches {
    machine: Machine,
    options: Options,
    log: Log,
    /// The nodes that a search has at first, to compare sums that are made together with sums one by one.
    share: u64,
    /// The nodes that a search has for each sum once it is known which are made together.
    full: u64,
    /// The nodes that are left for searches which find nothing with their share.
    left: u64,
    found: Vec<Found>,
    /// What the searches with the whole budget found.
    finished: Vec<(Declaration, Result<Proved, SearchError>)>,
    /// What was found for numbers in digital registers.
    exact: Vec<(digital::Declaration, Result<digital::Program, digital::SearchError>)>,
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
        Self { machine, options, log, share: 1, full: 1, left: 0, found: vec![], finished: vec![], exact: vec![] }
    }

    /// Begins to search for so many sums, and forgets what was found before.
    ///
    /// The budget is that of a filter for each sum, and of [`MOST_FILTERS`] if there are more. A half of it is for the programs
    /// of the network, a quarter is to find out which sums are made together, and another one for sums that find nothing.
    pub(super) fn begin(&mut self, sums: usize) {
        let sums = u64::try_from(sums).unwrap_or(u64::MAX).max(1);
        let quarter = self.options.nodes.saturating_mul(sums.min(MOST_FILTERS)) / 4;
        self.share = (quarter / sums).max(1);
        self.full = (2 * self.share).max(1);
        self.left = quarter;
        self.found.clear();
        self.finished.clear();
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
    pub(super) fn search(&mut self, sum: &Sum, needed: bool) -> Result<Program, Unmade> {
        self.complete(sum, |searches, declaration| searches.found(declaration, needed))
    }

    /// A program that is part of the network, found with the whole budget; one that was found earlier if none is better.
    pub(super) fn finish(&mut self, sum: &Sum, earlier: Program) -> Program {
        let better = self.complete(sum, Self::finished);
        match better {
            Ok(program) if program.words() < earlier.words() => program,
            _ => earlier,
        }
    }

    /// A program with the summands that are wanted. It may leave transfer errors if nothing but comparisons with levels reads
    /// its outputs, which make up for the errors.
    fn complete(
        &mut self,
        sum: &Sum,
        search: impl FnOnce(&mut Self, &Declaration) -> Result<Proved, SearchError>,
    ) -> Result<Program, Unmade> {
        let proved = search(self, &self.declaration(sum)).map_err(Unmade::Search)?;
        let steps = with_summands(&proved, &sum.ranges, &sum.wanted).ok_or(Unmade::Summand)?;
        Ok(Program { proved, steps })
    }

    /// What a search with the whole budget finds, now or earlier.
    fn finished(&mut self, declaration: &Declaration) -> Result<Proved, SearchError> {
        if let Some((_, program)) = self.finished.iter().find(|(finished, _)| finished == declaration) {
            return program.clone();
        }
        let nodes = self.full.saturating_mul(outputs(declaration));
        let program = self.log.answer(declaration, || search_anew(declaration, nodes, None));
        self.finished.push((declaration.clone(), program.clone()));
        program
    }

    /// What was found for a declaration, now or earlier.
    fn found(&mut self, declaration: &Declaration, needed: bool) -> Result<Proved, SearchError> {
        if let Some(found) = self.found.iter().find(|found| found.declaration == *declaration)
            && (found.program.is_ok() || !needed || found.needed)
        {
            return found.program.clone();
        }
        let nodes = self.share.saturating_mul(outputs(declaration));
        let Self { left, log, .. } = self;
        let program = log.answer(declaration, || search_anew(declaration, nodes, needed.then_some(left)));
        self.found.retain(|found| found.declaration != *declaration);
        self.found.push(Found { declaration: declaration.clone(), needed, program: program.clone() });
        program
    }

    /// A program for a number in digital registers; the same every time.
    pub(super) fn exact(
        &mut self,
        declaration: &digital::Declaration,
    ) -> Result<digital::Program, digital::SearchError> {
        if let Some((_, program)) = self.exact.iter().find(|(found, _)| found == declaration) {
            return program.clone();
        }
        let search = || digital::search(declaration).map(|solution| solution.program.program().clone());
        let program = self.log.answer_exact(declaration, search);
        self.exact.push((declaration.clone(), program.clone()));
        program
    }

    fn declaration(&self, sum: &Sum) -> Declaration {
        let offset = if sum.may_err { OffsetRule::Any } else { OffsetRule::Cancelled };
        let low = sum.ranges.iter().map(|(low, _)| *low).fold(0.0, f64::min);
        let high = sum.ranges.iter().map(|(_, high)| *high).fold(0.0, f64::max);
        Declaration {
            name: sum.name.clone(),
            inputs: sum.inputs.iter().map(|&(reg, keep)| Input { reg, keep }).collect(),
            outputs: sum.outputs.iter().map(|(reg, kernel)| Output { reg: *reg, kernel: kernel.clone() }).collect(),
            scratch: sum.scratch.clone(),
            machine: self.machine,
            options: Options { input: Some(range((low, high))), offset, ..self.options.clone() },
        }
    }
}

/// How many sums a search is for.
fn outputs(declaration: &Declaration) -> u64 {
    u64::try_from(declaration.outputs.len()).unwrap_or(u64::MAX)
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
