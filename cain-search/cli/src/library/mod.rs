//! What the command does, for the Python package: the same sources, searches, evaluations and messages, without a terminal.

#[cfg(feature = "onnx")]
mod import;
mod networks;

use std::path::Path;

use cain_codegen::kinds::{Item, Kernel, Placed};
use cain_codegen::plan_file::PlanFolder;
use cain_codegen::printable::Printable;
use cain_codegen::{Overrides, Plan, kernel_file, of_each_kind};
use cain_isa::{ErrorModel, Instruction, Stop};
use cain_network::CompiledNetwork;
use cain_search::{InstructionSet, Solution, Statistics, verify_within};
use clap::ValueEnum as _;

use crate::kinds::{Record, Shown};
use crate::options::Search;
use crate::program::listing;
use crate::run::{Model, text};
use crate::search::{Found, Stale, find, of_build};
use crate::sources::{self, Declared, Reading};
use crate::threads::Threads;
use crate::watch::Watched;

pub use crate::watch::Interrupt;
#[cfg(feature = "onnx")]
pub use import::import;
pub use networks::{Answers, Head, Traced, classes, evaluate, heads, trace};

/// The most weights that the proof of a given listing may read.
const MOST_READ: u64 = 1 << 24;

/// What was declared in a file or in a text.
#[derive(Clone)]
pub struct Source {
    declared: Declared,
    /// The errors of the machine that the source describes.
    errors: ErrorModel,
    /// Whether a user wrote the source, so that places in it tell something.
    has_places: bool,
}

/// Reads the file or folder at a path: what is declared there, and remarks; or all mistakes.
pub fn load(path: &Path) -> Result<(Vec<Source>, Vec<String>), Vec<String>> {
    let sources::Found { items, problems, notices, .. } =
        sources::read(&[path], &Reading::of(&Search::default(), None));
    if !problems.is_empty() {
        return Err(problems);
    }
    if items.is_empty() {
        return Err(vec![sources::nothing(path)]);
    }
    let warnings = items.iter().flat_map(|declared| declared.item.warnings().map(|warning| declared.locate(&warning)));
    let remarks = notices.into_iter().chain(warnings).collect();
    // Rust sources describe machines in their declarations.
    let errors = |file: &Path| kernel_file::load_machine(file).map_or(ErrorModel::measured(), |(_, errors)| errors);
    let source = |declared: Declared| Source { errors: errors(&declared.file), declared, has_places: true };
    Ok((items.into_iter().map(source).collect(), remarks))
}

/// Reads the text of a kernel file: what is declared there, and remarks; or all mistakes. Places in it are told only if a user
/// wrote it.
pub fn parse(text: &str, has_places: bool) -> Result<(Vec<Source>, Vec<String>), Vec<String>> {
    let one = |problem: kernel_file::Diagnostic| if has_places { problem.to_string() } else { problem.message };
    let told = |problems: Vec<kernel_file::Diagnostic>| problems.into_iter().map(one).collect::<Vec<_>>();
    let items = kernel_file::parse_any(text, Overrides::default()).map_err(told)?;
    let (_, errors) = kernel_file::parse_machine(text).map_err(told)?;
    let remarks = items.iter().flat_map(|item| item.warnings().map(one).collect::<Vec<_>>()).collect();
    let nowhere = Path::new("");
    let source = |item| Source {
        declared: Declared { item, file: nowhere.to_owned(), plans: PlanFolder::new(nowhere, nowhere) },
        errors,
        has_places,
    };
    Ok((items.into_iter().map(source).collect(), remarks))
}

/// How programs are found.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted {
    /// The budget in search nodes, in place of that of the source.
    pub nodes: Option<u64>,
    /// Whether plan files are used where there are some, as in a build.
    pub has_plans: bool,
}

/// Programs, with what `cain compile` tells of them.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The object that `cain compile --json` prints.
    pub record: String,
    /// The listing, as `cain compile --listing` prints it.
    pub listing: String,
    /// Remarks about the search.
    pub remarks: Vec<String>,
    /// What can be simulated.
    pub program: Program,
}

/// A program, as far as it can be simulated on planes of numbers.
#[derive(Clone, Debug)]
pub enum Program {
    /// A filter on analogue registers.
    Kernel(Box<Plan>),
    /// A network.
    Network(Box<CompiledNetwork>),
    /// Anything else.
    Other,
}

impl Source {
    /// The name of the declaration.
    #[must_use]
    pub fn name(&self) -> &str {
        self.declared.item.name()
    }

    /// What messages call the declaration: `filter`, `network` and so on.
    #[must_use]
    pub fn what(&self) -> &'static str {
        self.declared.item.what()
    }

    /// The file that declares it; empty for a text.
    #[must_use]
    pub fn file(&self) -> &Path {
        &self.declared.file
    }

    /// The file, line and column of the declaration, as messages tell them.
    #[must_use]
    pub fn place(&self) -> String {
        let place = self.declared.item.place();
        let is_text = self.file().as_os_str().is_empty();
        if is_text { place.to_string() } else { format!("{}:{place}", Printable(self.file().display())) }
    }

    /// The errors of the chip according to an error model, such as `measured`; the error lists all models.
    pub fn errors(&self, model: &str) -> Result<ErrorModel, String> {
        let found = Model::from_str(model, false);
        found.map(|model| model.errors(self.errors)).map_err(|_| {
            let names = Model::value_variants().iter().filter_map(clap::ValueEnum::to_possible_value);
            let names: Vec<String> = names.map(|value| format!("`{}`", value.get_name())).collect();
            format!("there is no error model `{model}`; there are {}", names.join(", "))
        })
    }

    /// Searches for programs on all processors, or takes those of a plan.
    pub fn compile(&self, wanted: Wanted, interrupt: &Interrupt) -> Result<Compiled, String> {
        Threads::default().run(|| match &self.declared.item {
            Item::Kernel(kernel) => self.found(kernel, wanted, interrupt, |compiled| {
                Program::Kernel(Box::new(kernel.of.plan(compiled.clone())))
            }),
            Item::Network(network) => {
                self.found(network, wanted, interrupt, |compiled| Program::Network(Box::new(compiled.program.clone())))
            }
            other => of_each_kind!(other, item => self.found(item, wanted, interrupt, |_| Program::Other)),
        })
    }

    /// Proves that a listing in the vendor's spelling computes a filter on analogue registers; nothing is told of a search.
    pub fn verify(&self, listing: &str) -> Result<Compiled, String> {
        let kernel = match &self.declared.item {
            Item::Kernel(kernel) => kernel,
            other => return Err(format!("expected a filter on analogue registers, not a {}", other.what())),
        };
        let mut declaration = kernel.declaration.clone();
        let problems = |problems: Vec<kernel_file::Diagnostic>| {
            problems.iter().map(|problem| format!("listing:{problem}")).collect::<Vec<_>>().join("\n")
        };
        let statements = text::parse(listing, declaration.machine).map_err(problems)?.statements;
        let listing: Vec<Instruction> = statements.iter().map(|statement| statement.instruction).collect();
        let is_native = listing.iter().all(|instruction| matches!(instruction, Instruction::Word(_)));
        declaration.options.instructions = if is_native { InstructionSet::Native } else { InstructionSet::Macro };
        let program = verify_within(&declaration, &listing, MOST_READ).map_err(|error| {
            let place = error.index().and_then(|index| statements.get(index)).map(|statement| statement.at);
            place.map_or_else(|| error.to_string(), |place| format!("listing:{place}: {error}"))
        })?;
        let statistics =
            Statistics { nodes: 0, nodes_to_first: 0, nodes_to_best: 0, lower_bound: 0, stop: Stop::Exhausted };
        let program = Solution { program, statistics };
        let compiled = cain_codegen::kinds::Compiled::<Kernel> { program, file: None };
        let program = Program::Kernel(Box::new(kernel.of.plan(compiled.clone())));
        Self::told(&kernel.of, &compiled, &Watched::default(), Vec::new(), program)
    }

    fn found<K: Shown>(
        &self,
        declared: &Placed<K>,
        wanted: Wanted,
        interrupt: &Interrupt,
        program: impl FnOnce(&cain_codegen::kinds::Compiled<K>) -> Program,
    ) -> Result<Compiled, String> {
        let told = |problem: &kernel_file::Diagnostic| {
            let is_file = !self.file().as_os_str().is_empty();
            match self.has_places {
                true if is_file => self.declared.locate(problem),
                true => problem.to_string(),
                false => problem.message.clone(),
            }
        };
        let search = Search { nodes: wanted.nodes, ..Search::default() };
        let (compiled, watched, notices) = if wanted.has_plans {
            let plans = &self.declared.plans;
            let (compiled, notices) =
                of_build(declared, plans, Stale::Refused, &search, interrupt).map_err(|problem| told(&problem))?;
            (compiled, Watched::default(), notices)
        } else {
            let Found { compiled, watched, notice } =
                find(declared, &search, interrupt).map_err(|problem| told(&problem))?;
            (compiled, watched, notice.into_iter().collect())
        };
        let program = program(&compiled);
        Self::told(&declared.of, &compiled, &watched, notices.iter().map(told).collect(), program)
    }

    /// What `cain compile` tells.
    fn told<K: Shown>(
        declared: &K,
        compiled: &cain_codegen::kinds::Compiled<K>,
        watched: &Watched,
        remarks: Vec<String>,
        program: Program,
    ) -> Result<Compiled, String> {
        let owned = declared.program(&compiled.program);
        let record = Record::of(declared, compiled, &owned, watched);
        Ok(Compiled {
            record: serde_json::to_string(&record).map_err(|problem| problem.to_string())?,
            listing: listing(&owned, &declared.facts(compiled)).trim_start().to_owned(),
            remarks,
            program,
        })
    }
}
