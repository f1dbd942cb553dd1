//! Kernels: filters on analogue registers.

#[cfg(feature = "networks")]
pub(super) mod plan;
#[cfg(not(feature = "networks"))]
mod plan;
mod read;

use std::fmt::Debug;

use cain_analysis::owned::Program;
use cain_search::switches::SwitchTable;
use cain_search::{Approximated, Declaration, Options, SearchError, Solution, search_watched};
use proc_macro2::TokenStream;

use super::{Compiled, Figures, Kind, Mistake, Part, Placed, Places, Read, Room, Tree, Watch};
use crate::compile::Plan;
use crate::emit::kernel::{self, Declared};
use crate::emit::{Frame, Function};
use crate::errors::Errors;
use crate::interruptible::{self, Choice};
use crate::lower::{self, Planes, shortage};
use crate::plan_file::{Fault, Identity, PlanFile, PlanPath};
use crate::tree::{At, Place};

pub(crate) use read::approximate;

/// A filter on analogue registers.
#[derive(Clone, Debug, PartialEq)]
pub struct Kernel {
    /// The declaration, with the defaults of options that the source does not set.
    pub declaration: Declaration,
    /// The effect of approximation, if the filter allows it.
    pub approximated: Option<Approximated>,
    /// The node budget, if the source sets one.
    pub nodes: Option<u64>,
    /// Its program, if the source is a plan file.
    pub pinned: Option<(Solution, PlanPath)>,
    /// The names of its planes, if it runs in any registers.
    pub(crate) planes: Option<Planes>,
    /// How it says in which registers it runs.
    pub(crate) registers: Choice,
    /// Who may have to wait for it, for messages.
    pub(crate) waiting: Option<String>,
    /// The message about a failed search, in the notation of the source.
    pub(crate) shortage: Shortage,
}

/// Tells why a search failed, with advice in the notation of a source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shortage(fn(&SearchError, &Declaration) -> String);

impl PartialEq for Shortage {
    /// Notations do not tell filters apart.
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Kind for Kernel {
    const WHAT: &'static str = "filter";

    type Program = Solution;
    type Error = SearchError;

    fn name(&self) -> &str {
        &self.declaration.name
    }

    fn search(&self, watch: Watch<'_>) -> Result<Solution, SearchError> {
        search_watched(&self.declaration, watch)
    }

    fn failure(&self, error: &SearchError) -> Mistake {
        if let Some(mistake) =
            self.waiting.as_deref().and_then(|by| interruptible::failure(error, &self.declaration, by))
        {
            return mistake;
        }
        let part = match error {
            SearchError::Budget { .. } => Part::Nodes,
            SearchError::Inaccurate { .. } => Part::Accuracy,
            SearchError::TooLong { .. } => Part::Words,
            SearchError::Overflow => Part::Weight,
            _ => Part::Whole,
        };
        let message = (self.shortage.0)(error, &self.declaration);
        Mistake::new(part, Planes::explain(self.planes.as_ref(), message))
    }

    fn is_cut(error: &SearchError) -> bool {
        matches!(error, SearchError::Budget { .. })
    }

    fn nodes(&self) -> u64 {
        self.declaration.options.nodes
    }

    fn sets_nodes(&self) -> bool {
        self.nodes.is_some()
    }

    fn with_nodes(&self, nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..self.clone() }.with_options(|options| options.nodes = nodes)
    }

    fn options_mut(&mut self) -> Option<&mut Options> {
        Some(&mut self.declaration.options)
    }

    fn asked(&self) -> &dyn Debug {
        &self.declaration
    }

    fn identity(&self) -> Identity {
        plan::identity(&self.declaration)
    }

    fn plan_file(program: &Solution) -> PlanFile {
        PlanFile::of(plan::finding(program))
    }

    fn verify(&self, plan: &PlanFile) -> Result<Solution, Fault> {
        plan::solution(plan.single()?, &self.declaration, Self::WHAT)
    }

    fn rescue(&self, plan: &PlanFile, found: Solution) -> Solution {
        plan::rescue(&plan.whole, found)
    }

    fn is_better(found: &Solution, existing: &Solution) -> bool {
        plan::is_better(found, existing)
    }

    fn figures(program: &Solution) -> Figures {
        let (report, statistics) = (program.program.report(), &program.statistics);
        Figures {
            macros: (report.macros > 0).then_some(report.macros),
            words: usize::try_from(report.icws).unwrap_or(usize::MAX),
            bound: Some(statistics.lower_bound),
            stop: Some(statistics.stop),
        }
    }

    fn program(&self, Solution { program, .. }: &Solution) -> Program {
        let declaration = program.declaration();
        Program::of_listing(&declaration.name, program.listing(), declaration.machine.times)
    }

    fn switches(program: &Solution) -> &[SwitchTable] {
        program.program.switches()
    }

    fn pinned(&self) -> Option<(Solution, PlanPath)> {
        self.pinned.clone()
    }
}

impl Room for Kernel {
    fn function(&self, frame: &Frame<'_>, program: Option<&Compiled<Self>>) -> Result<TokenStream, Mistake> {
        let plan = program.map(|compiled| self.plan(compiled.clone()));
        let declaration = plan.as_ref().map_or(&self.declaration, Plan::declaration);
        let declared = Declared { declaration, planes: self.planes.as_ref() };
        Ok(kernel::function(&Function { frame: *frame, declaration: &declared, program: plan.as_ref() }))
    }

    fn of_tree<S: Place>(tree: Tree<S>, errors: &mut Errors<S>) -> Result<Option<Read<S>>, Tree<S>> {
        #[cfg(not(feature = "digital"))]
        {
            let crate::tree::Body { search, bits, super_pixel, .. } = &tree.body;
            let mut isa = [lower::bits::DIGITAL, lower::bits::SUPER_PIXELS].into_iter();
            let isa = isa.find_map(|isa| lower::bits::place(search, isa));
            let others = || bits.as_ref().map(|bits| bits.at).or(super_pixel.as_ref().map(|spread| spread.at));
            if let Some(at) = isa.or_else(others) {
                errors.add(at, super::without_digital::MISSING);
                return Ok(None);
            }
        }
        Ok(read(tree, errors))
    }
}

impl Kernel {
    /// The plan of a program.
    #[must_use]
    pub fn plan(&self, compiled: Compiled<Self>) -> Plan {
        let Compiled { program, file } = compiled;
        Plan::new(program, self.approximated, file)
    }
}

/// A filter whose header is right.
fn read<S: Place>(tree: Tree<S>, errors: &mut Errors<S>) -> Option<Read<S>> {
    let Tree { header, body, doc, machine } = tree;
    let signature = lower::header(&header, machine, errors)?;
    let declared = lower::body(signature.clone(), &header, &body, errors);
    let is_right = declared.is_some();
    let lower::Declared { declaration, approximated, warnings } =
        declared.unwrap_or(lower::Declared { declaration: signature, approximated: None, warnings: Vec::new() });
    let planes = Planes::of(&header, &machine.machine.registers);
    let search = &body.search;
    let interruptible = body.interruptible.as_ref();
    let places = Places::new(
        header.name.at,
        [
            (Part::Nodes, search.nodes.as_ref().map(|nodes| nodes.at)),
            (Part::Accuracy, search.accuracy.as_ref().map(|accuracy| accuracy.at)),
            (Part::Words, search.max_words.as_ref().map(|words| words.at)),
            (Part::Weight, lower::largest(&body)),
            (Part::Interruption, interruptible.and_then(|wanted| wanted.first()).map(|first| first.at)),
            (Part::Latency, interruptible.and_then(|wanted| wanted.latency.as_ref()).map(|latency| latency.at)),
        ],
    );
    let kernel = Kernel {
        declaration,
        approximated,
        nodes: search.nodes.as_ref().map(|nodes| nodes.value),
        pinned: None,
        registers: Choice::of(&header, planes.as_ref()),
        planes,
        waiting: interruptible.and_then(interruptible::waiting),
        shortage: Shortage(shortage::message::<S>),
    };
    let warnings = warnings.into_iter().map(|At { value, at }| (at, value)).collect();
    let placed = Placed { warnings, is_right, ..Placed::new(kernel, doc, places) };
    Some(Read { item: placed.into(), interruptible: body.interruptible })
}
