//! Programs of weighted sums.

use cain_isa::prove::Polynomial;
use cain_isa::{Machine, Range, Reg};

use crate::{Declaration, Input, Objective, Options, Output, Proved, SearchError, search};

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
}

/// How many times as many nodes a search gets that found nothing.
const MORE: u64 = 4;

/// The searches of a network, with what they found.
#[derive(Debug)]
pub(super) struct Searches {
    machine: Machine,
    options: Options,
    /// The nodes that a search has at first.
    share: u64,
    /// The nodes that are left for searches which find nothing with their share.
    left: u64,
    found: Vec<(Declaration, Result<Proved, SearchError>)>,
}

impl Searches {
    /// Searches for so many sums with the budget of a network.
    ///
    /// Each gets a share of a half of it. The other half is for those that find nothing with that.
    pub(super) fn new(machine: Machine, options: &Options, sums: usize) -> Self {
        let sums = u64::try_from(sums).unwrap_or(u64::MAX).max(1);
        let options = Options { objective: Objective::Icws, ..options.clone() };
        let half = options.nodes / 2;
        Self { machine, share: (half / sums).max(1), left: half, options, found: vec![] }
    }

    /// A program for sums; the same every time.
    pub(super) fn search(&mut self, sum: &Sum) -> Result<Proved, SearchError> {
        let declaration = self.declaration(sum);
        if let Some((_, found)) = self.found.iter().find(|(other, _)| *other == declaration) {
            return found.clone();
        }
        let found = self.search_anew(&declaration);
        self.found.push((declaration, found.clone()));
        found
    }

    fn search_anew(&mut self, declaration: &Declaration) -> Result<Proved, SearchError> {
        let mut nodes = self.share;
        loop {
            let options = Options { nodes, ..declaration.options.clone() };
            match search(&Declaration { options, ..declaration.clone() }) {
                Err(SearchError::Budget { .. }) if self.left > 0 => {
                    nodes = nodes.saturating_mul(MORE).min(self.left);
                    self.left -= nodes;
                }
                found => return found.map(|solution| solution.program),
            }
        }
    }

    fn declaration(&self, sum: &Sum) -> Declaration {
        Declaration {
            name: sum.name.clone(),
            inputs: sum.inputs.iter().map(|&(reg, keep)| Input { reg, keep }).collect(),
            outputs: sum.outputs.iter().map(|(reg, kernel)| Output { reg: *reg, kernel: kernel.clone() }).collect(),
            scratch: sum.scratch.clone(),
            machine: self.machine,
            options: Options { input: Some(range(sum.range)), ..self.options.clone() },
        }
    }
}

/// Whole numbers around a range, one of which is not 0.
#[expect(clippy::cast_possible_truncation, reason = "saturates")]
fn range((low, high): (f64, f64)) -> Range {
    let max = high.ceil() as i16;
    let min = low.floor() as i16;
    Range { min, max: if min == 0 { max.max(1) } else { max } }
}
