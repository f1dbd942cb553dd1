//! The search for a digital program.

use cain_isa::{Dreg, Stop};
use core::fmt;
use core::ops::ControlFlow;

use super::candidates::Networks;
use super::effort::Effort;
use super::network::{MOST_WORDS, Network, Value};
use super::prove::Bdd;
use super::schedule::{Beam, Schedule, schedule};
use super::verify::{Program, Proved, VerifyError, bits_of, verify};
use super::{Declaration, DeclarationError, Output};
use cain_isa::Progress;

/// A proved program and how it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The program.
    pub program: Proved,
    /// How the search went.
    pub statistics: Statistics,
}

/// How a search went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statistics {
    /// States looked at.
    pub nodes: u64,
    /// States looked at when the program was found.
    pub nodes_to_best: u64,
    /// Why the search stopped.
    pub stop: Stop,
}

/// The beams that follow each other, narrow ones first, and how many of the networks are tried with each: those with the
/// shortest programs so far, then those that came closest to one.
const BEAMS: [(Beam, usize); 7] = [
    (Beam { width: 8, window: 10 }, usize::MAX),
    (Beam { width: 40, window: 16 }, 12),
    (Beam { width: 200, window: 12 }, 8),
    (Beam { width: 200, window: 24 }, 5),
    (Beam { width: 1000, window: 16 }, 4),
    (Beam { width: 4000, window: 20 }, 2),
    (Beam { width: 16_000, window: 24 }, 1),
];

/// The nodes to find out, beyond the budget, what has a program where the declaration has none.
const NODES_OF_HINT: u64 = 20_000;
/// The most nodes of the decision diagrams of outputs, which bound the time to make them as well. What is computed on the way
/// takes several times as many in a proof.
const MOST_NODES: usize = 500_000;
/// The beams with which it is decided what has a program where the declaration has none.
const NARROW: usize = 4;

/// Searches for the shortest program.
pub fn search(declaration: &Declaration) -> Result<Solution, SearchError> {
    search_watched(declaration, |_| ControlFlow::Continue(()))
}

/// [`search`], calling `watch` as nodes are used; where it breaks, the search ends with the best program so far and
/// [`Stop::Interrupted`].
pub fn search_watched(
    declaration: &Declaration,
    mut watch: impl FnMut(Progress) -> ControlFlow<()>,
) -> Result<Solution, SearchError> {
    declaration.check()?;
    let mut effort = Effort::new(declaration.nodes, &mut watch);
    check_proof(declaration, &mut effort)?;
    let (best, is_any) = shortest(declaration, &mut effort);
    let stop = match effort.is_interrupted() {
        true => Stop::Interrupted,
        false if effort.is_cut() => Stop::Nodes,
        false => Stop::Exhausted,
    };
    let nodes = effort.nodes();
    let Some((program, nodes_to_best)) = best else {
        if !is_any && stop == Stop::Exhausted {
            return Err(SearchError::Words);
        }
        effort.allow_hint(NODES_OF_HINT);
        let fitting = Fitting::of(declaration, &mut effort);
        return Err(match stop {
            Stop::Nodes | Stop::Interrupted => SearchError::Budget { nodes: nodes.min(declaration.nodes), fitting },
            _ => SearchError::Registers(fitting),
        });
    };
    let program = verify(declaration, &program).map_err(SearchError::Unproved)?;
    Ok(Solution { program, statistics: Statistics { nodes, nodes_to_best, stop } })
}

/// Decides whether programs could be proved: no search is of use otherwise.
fn check_proof(declaration: &Declaration, effort: &mut Effort<'_>) -> Result<(), SearchError> {
    let mut bdd = Bdd::with_limit(MOST_NODES);
    for (output, Output { name, .. }) in declaration.outputs.iter().enumerate() {
        bits_of(&mut bdd, declaration, output).map_err(|_| SearchError::Unprovable { output: name.clone() })?;
        effort.step(bdd.take_steps());
    }
    Ok(())
}

/// The shortest program that is found, and the nodes that were used when it was; and whether there are networks at all.
fn shortest(declaration: &Declaration, effort: &mut Effort<'_>) -> (Option<(Program, u64)>, bool) {
    let mut candidates = Candidates::of(declaration, effort);
    let is_any = !candidates.is_empty();
    let kept = kept(declaration);
    let mut best = None;
    for (beam, most) in BEAMS {
        for candidate in candidates.promising(most) {
            if let Some(program) = candidate.program(declaration, &kept, beam, effort) {
                effort.found(program.words());
                best = Some((program, effort.nodes()));
            }
        }
    }
    (best, is_any)
}

/// Whether any program is found, with narrow beams only.
fn exists(declaration: &Declaration, effort: &mut Effort<'_>) -> bool {
    if declaration.check().is_err() || effort.is_spent() {
        return false;
    }
    let mut candidates = Candidates::of(declaration, effort);
    let kept = kept(declaration);
    BEAMS[..NARROW].iter().any(|&(beam, most)| {
        candidates.promising(most).any(|candidate| candidate.program(declaration, &kept, beam, effort).is_some())
    })
}

/// A network, and how far the search came with it.
struct Candidate {
    network: Network,
    reached: Reached,
}

impl Candidate {
    /// The program that a beam finds.
    fn program(
        &mut self,
        declaration: &Declaration,
        kept: &[Value],
        beam: Beam,
        effort: &mut Effort<'_>,
    ) -> Option<Program> {
        match schedule(&self.network, kept, declaration.flag, beam, effort) {
            Ok(found) => {
                let program = program(declaration, &found)?;
                self.reached = Reached::Program { words: program.words() };
                Some(program)
            }
            Err(done) => {
                self.reached = self.reached.or_gates(self.network.words() - done);
                None
            }
        }
    }
}

/// The networks of a declaration.
struct Candidates {
    plain: Vec<Candidate>,
    completed: Vec<Candidate>,
}

impl Candidates {
    /// None of them has registers yet.
    fn of(declaration: &Declaration, effort: &mut Effort<'_>) -> Self {
        let Networks { plain, completed } = Networks::of(declaration, effort);
        let start = |network| Candidate { network, reached: Reached::START };
        let started = |networks: Vec<Network>| networks.into_iter().map(start).collect();
        Self { plain: started(plain), completed: started(completed) }
    }

    const fn is_empty(&self) -> bool {
        self.plain.is_empty() && self.completed.is_empty()
    }

    /// So many of the networks, those with which the search came furthest. Where a weight was taken apart, as many again, those
    /// that hold the fewest bits: the pixel comes last, so that all of them have many words left where registers are scarce.
    fn promising(&mut self, most: usize) -> impl Iterator<Item = &mut Candidate> {
        furthest(&mut self.plain, most);
        let mut others = furthest(&mut self.completed, most);
        others.sort_by_cached_key(|candidate| (candidate.network.held(), candidate.network.words()));
        self.completed.extend(others.into_iter().take(most));
        self.plain.iter_mut().chain(&mut self.completed)
    }
}

/// Takes all candidates but so many out, those with which the search came furthest.
fn furthest(candidates: &mut Vec<Candidate>, most: usize) -> Vec<Candidate> {
    // Stable, so that among equals the one with fewer words comes first.
    candidates.sort_by_key(|candidate| candidate.reached);
    candidates.split_off(most.min(candidates.len()))
}

/// How far the search came with a network; the better, the less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reached {
    /// A program.
    Program {
        /// Its words.
        words: usize,
    },
    /// None, with so many gates left.
    Rest(usize),
}

impl Reached {
    const START: Self = Self::Rest(usize::MAX);

    /// The best of this and a program of which so many gates are left.
    fn or_gates(self, rest: usize) -> Self {
        self.min(Self::Rest(rest))
    }
}

/// The values of inputs that are kept.
fn kept(declaration: &Declaration) -> Vec<Value> {
    let bits = declaration.inputs.iter().flat_map(|input| (0..input.format.bits()).map(|_| input.keep));
    (0..).zip(bits).filter(|(_, keep)| *keep).map(|(value, _)| value).collect()
}

/// The program of a schedule, if its registers exist.
fn program(declaration: &Declaration, schedule: &Schedule) -> Option<Program> {
    let register = |slot: &usize| Dreg::new(u8::try_from(*slot).ok()?);
    let mut given = schedule.inputs.iter().map(register);
    let inputs = declaration.inputs.iter().map(|input| given.by_ref().take(input.format.bits() as usize).collect());
    let inputs: Option<Vec<Vec<Dreg>>> = inputs.collect();
    let outputs = schedule.outputs.iter().map(|bits| bits.iter().map(register).collect());
    Some(Program { listing: schedule.listing.clone(), inputs: inputs?, outputs: outputs.collect::<Option<_>>()? })
}

/// Why there is no program.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SearchError {
    /// The declaration makes no sense.
    Declaration(DeclarationError),
    /// The budget was used up before a first program was found.
    Budget {
        /// The budget.
        nodes: u64,
        /// What there is a program for.
        fitting: Fitting,
    },
    /// No program was found that needs no more registers than there are; there may be one. What there is a program for.
    Registers(Fitting),
    /// All that is found takes far too many words, even with any number of registers.
    Words,
    /// The Boolean functions of an output are too large for a proof, so that nothing is searched for.
    Unprovable {
        /// Its name.
        output: String,
    },
    /// The program that was found is not right or cannot be proved; that is a fault of the search.
    Unproved(VerifyError),
}

impl From<DeclarationError> for SearchError {
    fn from(error: DeclarationError) -> Self {
        Self::Declaration(error)
    }
}

impl fmt::Display for SearchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Declaration(error) => error.fmt(f),
            Self::Budget { nodes, fitting } => {
                write!(f, "no program found within {nodes} search nodes; allow more")?;
                if *fitting == Fitting::default() { Ok(()) } else { write!(f, "; {fitting}") }
            }
            Self::Registers(fitting) => write!(f, "no program found within the registers of a PE; {fitting}"),
            Self::Words => write!(
                f,
                "all that is found takes more than {MOST_WORDS} control words; declare a filter for a part of it first"
            ),
            Self::Unprovable { output } => write!(
                f,
                "no program for `{output}` could be proved: the decision diagram of its function is too large; declare a \
                 filter for a part of it first"
            ),
            Self::Unproved(error) => write!(f, "the program that was found cannot be proved: {error}"),
        }
    }
}

impl core::error::Error for SearchError {}

/// What the registers hold of a declaration that has no program, as far as few more nodes allowed to find out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fitting {
    /// The most bits of the inputs with which there is a program.
    pub bits: Option<u32>,
    /// Whether there are several outputs and each alone has a program.
    pub apart: bool,
}

impl Fitting {
    fn of(declaration: &Declaration, effort: &mut Effort<'_>) -> Self {
        let bits = (1..declaration.most_bits()).rev().find(|&bits| {
            let narrower = declaration.with_bits(bits);
            narrower.is_some_and(|narrower| exists(&narrower, effort))
        });
        let alone = |output| Declaration { outputs: vec![output], ..declaration.clone() };
        let several = declaration.outputs.len() > 1;
        let apart = several && declaration.outputs.iter().cloned().all(|output| exists(&alone(output), effort));
        Self { bits, apart }
    }
}

impl fmt::Display for Fitting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(bits) = self.bits {
            let unit = if bits == 1 { "bit" } else { "bits" };
            write!(f, "there is one for inputs of {bits} {unit}")?;
        }
        f.write_str(match (self.bits, self.apart) {
            (Some(_), false) => "",
            (Some(_), true) => ", and for each output alone",
            (None, true) => "there is one for each output alone",
            (None, false) => "use fewer bits or smaller weights",
        })
    }
}
