//! From a declaration to a plan.

use std::fmt;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use cain_isa::Instruction;
use cain_isa::prove::Report;
#[cfg(feature = "toml")]
use cain_network::automaton;
use cain_search::{Approximated, Declaration, SearchError, Solution, search};

use crate::plan_file::{OnBits, PlanError, PlanFolder, PlanPath};
use crate::plans::{Mode, Plans};

/// The plan of a filter: a program that was proved to compute its declaration, and the source of that program.
///
/// There is no plan without proof: the program of a [`Solution`] comes from [`cain_search::verify()`], whether a search
/// has found it or a plan file contained it.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The program with its declaration, and the statistics of the search for it.
    pub solution: Solution,
    /// By how much the weights differ from those declared, if the filter allows that.
    pub approximated: Option<Approximated>,
    /// The plan file with the program; `None` if a search has found it now.
    pub file: Option<PlanPath>,
}

impl Plan {
    /// The plan of a solution; `rounded` is by how much the weights of its declaration were rounded before.
    #[must_use]
    pub fn new(solution: Solution, rounded: Option<Approximated>, file: Option<PlanPath>) -> Self {
        let approximated = rounded.or_else(|| solution.program.approximated());
        Self { solution, approximated, file }
    }

    /// What the program was declared to compute.
    #[must_use]
    pub fn declaration(&self) -> &Declaration {
        self.solution.program.declaration()
    }

    /// The instructions of the program.
    #[must_use]
    pub fn listing(&self) -> &[Instruction] {
        self.solution.program.listing()
    }

    /// The costs and registers that the prover found.
    #[must_use]
    pub fn report(&self) -> &Report {
        self.solution.program.report()
    }
}

/// Why a declaration has no plan.
#[derive(Debug)]
pub(crate) enum CompileError {
    Search(SearchError),
    Plan(PlanError),
    /// There is no such plan file, and searching is not allowed.
    Unpinned(PathBuf),
}

/// The plan of a declaration, from its plan file if there is one and otherwise from a search; `None` if no programs are
/// wanted.
pub(crate) fn compile(
    declaration: &Declaration,
    approximated: Option<Approximated>,
    plans: &Plans,
) -> Result<Option<Plan>, CompileError> {
    if plans.mode == Mode::Stub {
        return Ok(None);
    }
    let name = &declaration.name;
    if let Some(folder) = &plans.folder
        && let Some((solution, file)) = folder.load(declaration).map_err(CompileError::Plan)?
    {
        return Ok(Some(Plan::new(solution, approximated, Some(file))));
    }
    if plans.mode == Mode::Locked {
        let shown = |folder: &PlanFolder| folder.shown(name);
        return Err(CompileError::Unpinned(plans.folder.as_ref().map(shown).unwrap_or_default()));
    }
    let solution = search(declaration).map_err(CompileError::Search)?;
    Ok(Some(Plan::new(solution, approximated, None)))
}

/// Why a declaration of what is computed on bits has no program; `E` is why a search found none.
#[derive(Debug)]
pub(crate) enum ExactError<E> {
    Search(E),
    Plan(PlanError),
    /// There is no such plan file, and searching is not allowed.
    Unpinned(PathBuf),
    /// An output stays in the registers of an input that is kept.
    KeptOutput(String),
}

impl<E: fmt::Display> fmt::Display for ExactError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Search(error) => error.fmt(f),
            Self::Plan(error) => error.fmt(f),
            Self::Unpinned(path) => unpinned(f, path, "filter"),
            Self::KeptOutput(name) => {
                write!(f, "output `{name}` is held in a register of an input that is kept; use that input instead")
            }
        }
    }
}

/// The plan of what is computed on bits.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ExactPlan<S> {
    /// The program with its declaration, and the statistics of the search for it.
    pub(crate) solution: S,
    /// The plan file with the program; `None` if a search has found it now.
    pub(crate) file: Option<PlanPath>,
}

/// The plan of a digital filter.
#[cfg(feature = "toml")]
pub(crate) type DigitalPlan = ExactPlan<cain_digital::Solution>;
/// The plan of a filter over super-pixels.
#[cfg(feature = "toml")]
pub(crate) type SuperPixelPlan = ExactPlan<cain_digital::superpixel::Solution>;

/// The plan of a declaration on bits, from its plan file if there is one and otherwise from a search; `None` if no programs
/// are wanted. `kept_output` names an output that stays in registers of an input that is kept.
pub(crate) fn compile_exact<D: OnBits>(
    declaration: &D,
    plans: &Plans,
    kept_output: impl FnOnce(&D::Solution) -> Option<&str>,
) -> Result<Option<ExactPlan<D::Solution>>, ExactError<D::Error>> {
    if plans.mode == Mode::Stub {
        return Ok(None);
    }
    let pinned = plans.folder.as_ref().map(|folder| folder.load_bits(declaration)).transpose();
    let plan = match pinned.map_err(ExactError::Plan)?.flatten() {
        Some((solution, file)) => ExactPlan { solution, file: Some(file) },
        None if plans.mode == Mode::Locked => {
            let shown = |folder: &PlanFolder| folder.shown(declaration.name());
            return Err(ExactError::Unpinned(plans.folder.as_ref().map(shown).unwrap_or_default()));
        }
        None => {
            let solution = declaration.search(&mut |_| ControlFlow::Continue(())).map_err(ExactError::Search)?;
            ExactPlan { solution, file: None }
        }
    };
    match kept_output(&plan.solution) {
        Some(name) => Err(ExactError::KeptOutput(name.to_owned())),
        None => Ok(Some(plan)),
    }
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Search(error) => error.fmt(f),
            Self::Plan(error) => error.fmt(f),
            Self::Unpinned(path) => unpinned(f, path, "filter"),
        }
    }
}

fn unpinned(f: &mut fmt::Formatter<'_>, path: &Path, what: &str) -> fmt::Result {
    write!(
        f,
        "{}: the {what} has no plan, and with `{}=locked` none is searched for; run `cain pin`",
        path.display(),
        Mode::VARIABLE
    )
}

/// Why a network has no program.
#[cfg(feature = "toml")]
#[derive(Debug)]
pub(crate) enum NetworkError {
    Compile(cain_network::CompileError),
    Plan(PlanError),
    /// There is no such plan file, and searching is not allowed.
    Unpinned(PathBuf),
}

/// The program of a network, from its plan file if there is one and otherwise from searches; `None` if no programs are wanted.
#[cfg(feature = "toml")]
pub(crate) fn compile_network(
    network: &cain_network::Network,
    plans: &Plans,
) -> Result<Option<(cain_network::CompiledNetwork, Option<PlanPath>)>, NetworkError> {
    if plans.mode == Mode::Stub {
        return Ok(None);
    }
    if let Some(folder) = &plans.folder
        && let Some((compiled, file)) = folder.load_network(network).map_err(NetworkError::Plan)?
    {
        return Ok(Some((compiled, Some(file))));
    }
    if plans.mode == Mode::Locked {
        let shown = plans.folder.as_ref().map(|folder| folder.shown(&PlanFolder::network_name(network)));
        return Err(NetworkError::Unpinned(shown.unwrap_or_default()));
    }
    cain_network::compile(network).map(|compiled| Some((compiled, None))).map_err(NetworkError::Compile)
}

#[cfg(feature = "toml")]
impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Compile(error) => error.obstacle.fmt(f),
            Self::Plan(error) => error.fmt(f),
            Self::Unpinned(path) => unpinned(f, path, "network"),
        }
    }
}

/// Why an automaton has no program.
#[cfg(feature = "toml")]
#[derive(Debug)]
pub(crate) enum AutomatonError {
    Compile(automaton::CompileAutomatonError),
    /// About the program of a layer.
    Layer(usize, CompileError),
}

/// The programs of an automaton, with those plan files that they are from; `None` if no programs are wanted.
#[cfg(feature = "toml")]
pub(crate) fn compile_automaton(
    automaton: &automaton::Automaton,
    plans: &Plans,
) -> Result<Option<(automaton::CompiledAutomaton, Vec<PlanPath>)>, AutomatonError> {
    let declarations = automaton::declarations(automaton).map_err(|error| AutomatonError::Compile(error.into()))?;
    let (mut programs, mut files) = (Vec::new(), Vec::new());
    for (layer, declaration) in declarations.iter().enumerate() {
        let plan = compile(declaration, None, plans).map_err(|error| AutomatonError::Layer(layer, error))?;
        let Some(Plan { solution, file, .. }) = plan else { return Ok(None) };
        programs.push(solution.program);
        files.extend(file);
    }
    let compiled = automaton::assemble(automaton, programs).map_err(AutomatonError::Compile)?;
    Ok(Some((compiled, files)))
}
