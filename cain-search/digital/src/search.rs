//! The search for a digital program.

use cain_isa::{Dreg, Stop};
use core::fmt;
use core::ops::ControlFlow;

use super::candidates::Networks;
use super::effort::Effort;
use super::network::{MOST_WORDS, Network};
use super::prove::Bdd;
use super::proved::{SolutionOf, Statistics};
use super::schedule::{Beam, Given, Schedule, schedule};
use super::verify::{Program, VerifyError, bits_of, verify};
use super::{Declaration, DeclarationError, Output};
use cain_isa::Progress;

/// A proved program and the course of the search for it.
pub type Solution = SolutionOf<Declaration, Program>;

/// The beams in their order, narrow ones first, and the number of networks to try with each: those with the shortest
/// programs so far come first, then those that came closest to one.
const BEAMS: [(Beam, usize); 7] = [
    (Beam { width: 8, window: 10 }, usize::MAX),
    (Beam { width: 40, window: 16 }, 12),
    (Beam { width: 200, window: 12 }, 8),
    (Beam { width: 200, window: 24 }, 5),
    (Beam { width: 1000, window: 16 }, 4),
    (Beam { width: 4000, window: 20 }, 2),
    (Beam { width: 16_000, window: 24 }, 1),
];

/// The nodes allowed beyond the budget to find out which simpler declaration has a program.
const NODES_OF_HINT: u64 = 20_000;
/// The most nodes of the decision diagrams of outputs, which also bounds the time to make them. The intermediate
/// results of a proof take several times as many.
const MOST_NODES: usize = 500_000;
/// The number of beams with which simpler declarations are tried.
const NARROW: usize = 4;

/// Searches for the shortest program.
pub fn search(declaration: &Declaration) -> Result<Solution, SearchError> {
    search_watched(declaration, |_| ControlFlow::Continue(()))
}

/// Like [`search`], but calls `watch` as nodes are used. If `watch` breaks, the search ends with the best program so
/// far and [`Stop::Interrupted`].
pub fn search_watched(
    declaration: &Declaration,
    mut watch: impl FnMut(Progress) -> ControlFlow<()>,
) -> Result<Solution, SearchError> {
    declaration.check()?;
    let mut effort = Effort::new(declaration.nodes, &mut watch);
    check_proof(declaration, &mut effort)?;
    let (best, is_any) = shortest(declaration, &mut effort);
    let (stop, nodes) = (effort.stop(), effort.nodes());
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

/// Checks that programs could be proved; otherwise searching is useless.
fn check_proof(declaration: &Declaration, effort: &mut Effort<'_>) -> Result<(), SearchError> {
    let mut bdd = Bdd::with_limit(MOST_NODES);
    for (output, Output { name, .. }) in declaration.outputs.iter().enumerate() {
        bits_of(&mut bdd, declaration, output).map_err(|_| SearchError::Unprovable { output: name.clone() })?;
        effort.step(bdd.take_steps());
    }
    Ok(())
}

/// The shortest program found, the nodes used until then, and whether there are any networks.
fn shortest(declaration: &Declaration, effort: &mut Effort<'_>) -> (Option<(Program, u64)>, bool) {
    let mut candidates = Candidates::of(declaration, effort);
    let is_any = !candidates.is_empty();
    let given = given(declaration);
    let mut best = None;
    for (beam, most) in BEAMS {
        for candidate in candidates.promising(most) {
            if let Some(program) = candidate.program(declaration, &given, beam, effort) {
                effort.found(program.words());
                best = Some((program, effort.nodes()));
            }
        }
    }
    (best, is_any)
}

/// Whether narrow beams find any program.
fn exists(declaration: &Declaration, effort: &mut Effort<'_>) -> bool {
    if declaration.check().is_err() || effort.is_spent() {
        return false;
    }
    let mut candidates = Candidates::of(declaration, effort);
    let given = given(declaration);
    BEAMS[..NARROW].iter().any(|&(beam, most)| {
        candidates.promising(most).any(|candidate| candidate.program(declaration, &given, beam, effort).is_some())
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
        given: &Given,
        beam: Beam,
        effort: &mut Effort<'_>,
    ) -> Option<Program> {
        match schedule(&self.network, given, declaration.flag, beam, effort) {
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
    /// The networks of a declaration, not yet with registers.
    fn of(declaration: &Declaration, effort: &mut Effort<'_>) -> Self {
        let Networks { plain, completed } = Networks::of(declaration, effort);
        let start = |network| Candidate { network, reached: Reached::START };
        let started = |networks: Vec<Network>| networks.into_iter().map(start).collect();
        Self { plain: started(plain), completed: started(completed) }
    }

    const fn is_empty(&self) -> bool {
        self.plain.is_empty() && self.completed.is_empty()
    }

    /// The `most` networks with which the search came furthest. To these are added as many networks in which a weight
    /// was split, those that hold the fewest bits: the single pixel is added last in them, so they all have many words
    /// left when registers are scarce.
    fn promising(&mut self, most: usize) -> impl Iterator<Item = &mut Candidate> {
        furthest(&mut self.plain, most);
        let mut others = furthest(&mut self.completed, most);
        others.sort_by_cached_key(|candidate| (candidate.network.held(), candidate.network.words()));
        self.completed.extend(others.into_iter().take(most));
        self.plain.iter_mut().chain(&mut self.completed)
    }
}

/// Removes all but the `most` candidates with which the search came furthest, and returns the removed ones.
fn furthest(candidates: &mut Vec<Candidate>, most: usize) -> Vec<Candidate> {
    // The sort is stable, so that among equals the one with fewer words comes first.
    candidates.sort_by_key(|candidate| candidate.reached);
    candidates.split_off(most.min(candidates.len()))
}

/// How far the search came with a network; smaller is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reached {
    /// A program.
    Program {
        /// The number of its words.
        words: usize,
    },
    /// No program; this number of gates was left.
    Rest(usize),
}

impl Reached {
    const START: Self = Self::Rest(usize::MAX);

    /// The better one of this and a state with `rest` gates left.
    fn or_gates(self, rest: usize) -> Self {
        self.min(Self::Rest(rest))
    }
}

/// What is demanded of inputs.
fn given(declaration: &Declaration) -> Given {
    let bits = || declaration.inputs.iter().flat_map(|input| (0..input.format.bits()).map(move |_| input));
    let kept = (0..).zip(bits()).filter(|(_, input)| input.keep).map(|(value, _)| value);
    let at = bits().map(|input| input.at.map(|register| usize::from(register.number())));
    Given { kept: kept.collect(), at: at.collect() }
}

/// The program of a schedule, if all its registers exist.
fn program(declaration: &Declaration, schedule: &Schedule) -> Option<Program> {
    let register = |slot: &usize| Dreg::new(u8::try_from(*slot).ok()?);
    let mut given = schedule.inputs.iter().map(register);
    let inputs = declaration.inputs.iter().map(|input| given.by_ref().take(input.format.bits() as usize).collect());
    let inputs: Option<Vec<Vec<Dreg>>> = inputs.collect();
    let outputs = schedule.outputs.iter().map(|bits| bits.iter().map(register).collect());
    Some(Program { listing: schedule.listing.clone(), inputs: inputs?, outputs: outputs.collect::<Option<_>>()? })
}

/// The reason why there is no program.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SearchError {
    /// The declaration is invalid.
    Declaration(DeclarationError),
    /// The budget was used up before a first program was found.
    Budget {
        /// The budget.
        nodes: u64,
        /// Simpler declarations that have a program.
        fitting: Fitting,
    },
    /// No program was found for the existing registers, though there may be one. The field tells which simpler
    /// declarations have a program.
    Registers(Fitting),
    /// All networks found take far too many words, whatever the number of registers.
    Words,
    /// The Boolean functions of an output are too large for a proof, so nothing is searched for.
    Unprovable {
        /// The name of the output.
        output: String,
    },
    /// The program found is wrong or cannot be proved, which is a bug of the search.
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

/// The simplifications with which a declaration has a program, as far as a few more nodes could find out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fitting {
    /// The most bits in each input for which there is a program.
    pub bits: Option<u32>,
    /// Whether there are several outputs, each of which has a program by itself.
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
