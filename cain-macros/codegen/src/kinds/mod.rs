//! The kinds of declaration. Each has a room of its own here; the macros, the build helper and the command know an [`Item`]
//! and what every [`Kind`] has, but not which kinds there are.

#[cfg(feature = "networks")]
pub mod automaton;
#[cfg(feature = "networks")]
pub(crate) mod beside;
#[cfg(feature = "digital")]
pub mod digital;
#[cfg(feature = "digital")]
mod exact;
mod expand;
#[cfg(feature = "toml")]
mod files;
#[cfg(feature = "networks")]
pub mod in_pixel;
pub mod kernel;
#[cfg(feature = "networks")]
mod layered;
pub(crate) mod machine;
#[cfg(feature = "networks")]
pub mod network;
pub(crate) mod options;
mod part;
mod places;
#[cfg(all(test, feature = "networks"))]
mod plan_tests;
#[cfg(feature = "toml")]
mod same_names;
#[cfg(feature = "networks")]
mod searches;
#[cfg(feature = "digital")]
pub mod superpixel;
#[cfg(all(test, feature = "networks"))]
mod tests;
mod tree;
#[cfg(feature = "networks")]
mod values;
#[cfg(feature = "programs")]
pub mod vision;
#[cfg(not(feature = "digital"))]
pub(crate) mod without_digital;

use std::fmt::{Debug, Display};
use std::ops::ControlFlow;

use cain_analysis::owned::Program;
use cain_isa::{Progress, Stop};
use cain_search::Options;
use cain_search::switches::SwitchTable;
use proc_macro2::TokenStream;

#[cfg(feature = "networks")]
pub use automaton::Automaton;
#[cfg(feature = "digital")]
pub use digital::Digital;
#[cfg(feature = "digital")]
pub use exact::{Contents, Exact, OnBits};
#[cfg(feature = "networks")]
pub use in_pixel::InPixel;
pub use kernel::Kernel;
#[cfg(feature = "networks")]
pub use network::Network;
pub use part::Part;
pub use places::Placed;
#[cfg(feature = "toml")]
pub use same_names::SameNames;
#[cfg(feature = "digital")]
pub use superpixel::SuperPixel;
#[cfg(feature = "programs")]
pub use vision::Vision;

#[cfg(any(feature = "programs", feature = "source"))]
pub(crate) use expand::Expanded;
pub(crate) use expand::Problem;
#[cfg(feature = "toml")]
pub(crate) use files::public;
pub(crate) use places::Places;
pub(crate) use tree::{Read, Tree};
#[cfg(not(feature = "digital"))]
pub(crate) use without_digital::{bits, super_pixel};
#[cfg(feature = "digital")]
pub(crate) use {digital::bits, superpixel::super_pixel};

use crate::diagnostic::{Diagnostic, Position};
use crate::emit::Frame;
use crate::errors::Errors;
#[cfg(feature = "networks")]
use crate::lower::machine::Described;
use crate::plan_file::{Fault, Identity, PlanError, PlanFile, PlanFolder, PlanPath};
#[cfg(feature = "networks")]
use crate::tree::At;
use crate::tree::Place;
#[cfg(feature = "networks")]
use crate::value::Entry;
#[cfg(feature = "networks")]
use beside::Beside;

/// Is called as a search uses nodes, and decides whether it may go on.
pub type Watch<'w> = &'w mut dyn FnMut(Progress) -> ControlFlow<()>;

/// A kind of declaration.
pub trait Kind: Clone {
    /// What messages call a declaration.
    const WHAT: &'static str;
    /// Whether programs are searched for. What follows from its declaration without a search has no plan.
    const IS_SEARCHED: bool = true;

    /// What was proved to do what is declared, and how it was found.
    type Program: Clone;
    /// Why there is no program.
    type Error;

    /// The name of the declaration, and of the function that it becomes.
    fn name(&self) -> &str;

    /// Finds programs. The watch may end searches, which then return what they found so far.
    fn search(&self, watch: Watch<'_>) -> Result<Self::Program, Self::Error>;

    /// Why there is no program, and the part of the declaration that this is about.
    fn failure(&self, error: &Self::Error) -> Mistake;

    /// Whether a search ended before it had a program, so that a longer one may find one.
    fn is_cut(error: &Self::Error) -> bool;

    /// The node budget of the search.
    fn nodes(&self) -> u64;

    /// Whether the source sets that budget, rather than leaving it to the default of builds.
    fn sets_nodes(&self) -> bool {
        true
    }

    /// The same with another budget.
    #[must_use]
    fn with_nodes(&self, nodes: u64) -> Self {
        self.with_options(|options| options.nodes = nodes)
    }

    /// The options of its searches, if they are searches for sums.
    fn options_mut(&mut self) -> Option<&mut Options> {
        None
    }

    /// The same with other options, if its searches are searches for sums.
    #[must_use]
    fn with_options(&self, change: impl FnOnce(&mut Options)) -> Self {
        let mut other = self.clone();
        if let Some(options) = other.options_mut() {
            change(options);
        }
        other
    }

    /// All that a search for its programs depends on.
    fn asked(&self) -> &dyn Debug;

    /// What programs depend on, except for the effort of the search: the first lines of the plan file.
    fn identity(&self) -> Identity;

    /// The name, without extension, of the plan file if something else in the package has the same name.
    fn own_name(&self) -> String {
        self.identity().own_name(self.name())
    }

    /// The contents of the plan file with these programs.
    fn plan_file(program: &Self::Program) -> PlanFile;

    /// The programs in a plan file, if it is the plan of this declaration; everything is proved again.
    fn verify(&self, plan: &PlanFile) -> Result<Self::Program, Fault>;

    /// What a search has found, or the program in a wrong plan file if it does what is declared and costs less.
    fn rescue(&self, _plan: &PlanFile, found: Self::Program) -> Self::Program {
        found
    }

    /// Whether programs are better than those of a valid plan.
    fn is_better(found: &Self::Program, existing: &Self::Program) -> bool;

    /// What tables tell of programs.
    fn figures(program: &Self::Program) -> Figures;

    /// What the controller does for a call.
    fn program(&self, program: &Self::Program) -> Program;

    /// Where a call may be left, for each of those that may interrupt it.
    fn switches(_program: &Self::Program) -> &[SwitchTable] {
        &[]
    }

    /// The programs that the source has itself, if it is a plan file, and that file.
    fn pinned(&self) -> Option<(Self::Program, PlanPath)> {
        None
    }

    /// The programs of the plan in the file of that name; `None` if there is no such file.
    fn load_from(&self, plans: &PlanFolder, name: &str) -> Result<Option<Self::Program>, PlanError> {
        let file = plans.read(name)?;
        file.map(|file| self.verify(&file).map_err(|fault| plans.error(name, fault))).transpose()
    }

    /// The programs of the plan, from the file [of its own](Self::own_name) or else from that of the name; `None` if there
    /// is neither, or if the latter is for something of another kind.
    fn load(&self, plans: &PlanFolder) -> Result<Option<(Self::Program, PlanPath)>, PlanError> {
        if !Self::IS_SEARCHED {
            return Ok(None);
        }
        if let Some(pinned) = self.pinned() {
            return Ok(Some(pinned));
        }
        for name in [self.own_name(), self.name().to_owned()] {
            let file = plans.read(&name)?.filter(|file| !file.whole.wanted.is_of_another_kind(&self.identity()));
            if let Some(file) = file {
                let program = self.verify(&file).map_err(|fault| plans.error(&name, fault))?;
                return Ok(Some((program, plans.plan(&name))));
            }
        }
        Ok(None)
    }

    /// Fails if there can be no function that runs this program.
    fn check(&self, _program: &Self::Program) -> Result<(), Mistake> {
        Ok(())
    }

    /// What messages about a part begin with; nothing if they say themselves what they are about.
    fn subject(&self, _part: Part) -> Option<String> {
        Some(format!("{} `{}`", Self::WHAT, self.name()))
    }
}

/// A table with a declaration that is no filter.
#[cfg(feature = "networks")]
#[derive(Clone, Copy)]
pub(crate) struct Table<'t, S> {
    pub(crate) name: &'t At<&'t str, S>,
    pub(crate) entry: &'t Entry<'t, S>,
    pub(crate) machine: Described,
}

/// What the front ends and the back end need of a kind.
pub(crate) trait Room: Kind {
    /// Fails if there can be no function of the declaration, whatever its program.
    fn callable(&self) -> Result<(), Mistake> {
        Ok(())
    }

    /// The function and its plan; without a program, a stub.
    fn function(&self, frame: &Frame<'_>, program: Option<&Compiled<Self>>) -> Result<TokenStream, Mistake>;

    /// The filter that a syntax tree declares, or nothing after a mistake that leaves no signature; the tree itself if it
    /// is of another kind.
    #[expect(clippy::result_large_err, reason = "a tree of another kind is handed on, which is no failure")]
    fn of_tree<S: Place>(tree: Tree<S>, _errors: &mut Errors<S>) -> Result<Option<Read<S>>, Tree<S>> {
        Err(tree)
    }

    /// The table of kernel files with declarations of this kind that are no filters, which the macro has as a keyword, and what
    /// is expected there.
    #[cfg(feature = "networks")]
    const TABLE: Option<[&str; 2]> = None;

    /// What a table declares; `None` after a mistake that leaves nothing of it.
    #[cfg(feature = "networks")]
    fn read<S: Place>(_: Table<'_, S>, _: &mut Beside<'_>, _: &mut Errors<S>) -> Option<Placed<Self, S>> {
        None
    }
}

/// A part of a declaration, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The part.
    pub part: Part,
    /// What is wrong and what to do about it.
    pub message: String,
}

impl Mistake {
    /// A mistake in a part.
    pub fn new(part: Part, message: impl Display) -> Self {
        Self { part, message: message.to_string() }
    }
}

/// What tables tell of programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figures {
    /// Macro instructions, if they are made of these.
    pub macros: Option<u32>,
    /// Control words.
    pub words: usize,
    /// A lower bound on the number of instructions, if one was proved.
    pub bound: Option<u32>,
    /// Why the search stopped, if it was one.
    pub stop: Option<Stop>,
}

/// Programs of a kind, and the plan file that they are from: none if searches have found them now.
#[derive(Clone, Debug)]
pub struct Compiled<K: Kind> {
    /// The programs.
    pub program: K::Program,
    /// The plan file.
    pub file: Option<PlanPath>,
}

/// Defines [`Item`] and what dispatches on its kinds, from the only list of them.
macro_rules! kinds {
    ($mark:tt $($(#[$condition:meta])? $Kind:ident,)*) => {
        /// What is declared under a name, of whatever kind.
        #[derive(Clone, Debug)]
        pub enum Item<S = Position> {
            $($(#[$condition])? #[doc = concat!("See [`", stringify!($Kind), "`].")] $Kind(Box<Placed<$Kind, S>>),)*
        }

        $($(#[$condition])? impl<S> From<Placed<$Kind, S>> for Item<S> {
            fn from(placed: Placed<$Kind, S>) -> Self {
                Self::$Kind(Box::new(placed))
            }
        })*

        impl<S> Item<S> {
            /// The same at other places.
            #[cfg(feature = "toml")]
            pub(crate) fn placed<T>(self, place: impl FnMut(S) -> T) -> Item<T> {
                match self {
                    $($(#[$condition])? Self::$Kind(placed) => placed.placed(place).into(),)*
                }
            }
        }

        /// The filter that a syntax tree declares; nothing after a mistake that leaves no signature.
        pub(crate) fn of_tree<S: Place>(tree: Tree<S>, errors: &mut Errors<S>) -> Option<Read<S>> {
            $($(#[$condition])? let tree = match $Kind::of_tree(tree, errors) {
                Ok(read) => return read,
                Err(tree) => tree,
            };)*
            drop(tree);
            None
        }

        /// The tables of kernel files with declarations that are no filters, and what is expected in each.
        #[cfg(feature = "networks")]
        pub(crate) const TABLES: &[Option<[&str; 2]>] = &[$($(#[$condition])? $Kind::TABLE,)*];

        /// What one of the tables of that name declares; `None` after a mistake.
        #[cfg(feature = "networks")]
        pub(crate) fn of_table<S: Place>(
            tables: &str,
            table: Table<'_, S>,
            beside: &mut Beside<'_>,
            errors: &mut Errors<S>,
        ) -> Option<Item<S>> {
            let is_it = |known: Option<[&str; 2]>| known.is_some_and(|[known, _]| known == tables);
            $($(#[$condition])? if is_it($Kind::TABLE) {
                let read = if_right(beside, errors, |beside, errors| $Kind::read(table, beside, errors));
                return read.map(Item::from);
            })*
            None
        }

        /// Does the same with what is declared, of whatever kind.
        macro_rules! of_each {
            ($mark item:expr, $mark declared:ident => $mark body:expr) => {
                match $mark item {
                    $($(#[$condition])? $crate::kinds::Item::$Kind($mark declared) => $mark body,)*
                }
            };
        }
        pub(crate) use of_each;

        /// Does the same with what is declared, of whatever kind: `of_each_kind!(item, declared => declared.name())`.
        #[cfg(feature = "programs")]
        #[macro_export]
        macro_rules! of_each_kind {
            ($mark item:expr, $mark declared:ident => $mark body:expr) => {
                match $mark item {
                    $($crate::kinds::Item::$Kind($mark declared) => $mark body,)*
                }
            };
        }
    };
}

kinds! {$
    #[cfg(feature = "digital")]
    Digital,
    #[cfg(feature = "digital")]
    SuperPixel,
    Kernel,
    #[cfg(feature = "networks")]
    Network,
    #[cfg(feature = "networks")]
    InPixel,
    #[cfg(feature = "networks")]
    Automaton,
    #[cfg(feature = "programs")]
    Vision,
}

/// What is read, with the files of weights beside it, if there is no mistake in it.
#[cfg(feature = "networks")]
fn if_right<K, S>(
    beside: &mut Beside<'_>,
    errors: &mut Errors<S>,
    read: impl FnOnce(&mut Beside<'_>, &mut Errors<S>) -> Option<Placed<K, S>>,
) -> Option<Placed<K, S>> {
    let mut mistakes = Errors::default();
    let declared = read(beside, &mut mistakes);
    let files = beside.take_names();
    let is_right = mistakes.is_empty();
    errors.append(mistakes);
    declared.filter(|_| is_right).map(|declared| Placed { files, ..declared })
}

impl<S> Item<S> {
    /// The filter on analogue registers, if it is one.
    #[must_use]
    pub fn kernel(&self) -> Option<&Placed<Kernel, S>> {
        #[cfg_attr(not(feature = "digital"), allow(unreachable_patterns, reason = "there is no other kind"))]
        match self {
            Self::Kernel(kernel) => Some(kernel),
            _ => None,
        }
    }

    pub(crate) fn kernel_mut(&mut self) -> Option<&mut Placed<Kernel, S>> {
        #[cfg_attr(not(feature = "digital"), allow(unreachable_patterns, reason = "there is no other kind"))]
        match self {
            Self::Kernel(kernel) => Some(kernel),
            _ => None,
        }
    }

    /// The name of the declaration.
    #[must_use]
    pub fn name(&self) -> &str {
        of_each!(self, declared => declared.of.name())
    }

    /// The Rust type that is generated beside the module of that name, if there is one.
    #[cfg(feature = "toml")]
    pub(crate) fn type_name(&self) -> Option<String> {
        match self {
            #[cfg(feature = "programs")]
            Self::Vision(program) => Some(crate::names::of_type(program.of.name())),
            _ => None,
        }
    }

    /// What messages call the declaration.
    #[must_use]
    pub fn what(&self) -> &'static str {
        fn what<K: Kind, S>(_: &Placed<K, S>) -> &'static str {
            K::WHAT
        }
        of_each!(self, declared => what(declared))
    }

    /// Whether its programs are searched for, and kept in a plan file.
    #[must_use]
    pub fn is_searched(&self) -> bool {
        fn is_searched<K: Kind, S>(_: &Placed<K, S>) -> bool {
            K::IS_SEARCHED
        }
        of_each!(self, declared => is_searched(declared))
    }

    /// The name, without extension, of the plan file if something else in the package has the same name.
    #[must_use]
    pub fn own_name(&self) -> String {
        of_each!(self, declared => declared.of.own_name())
    }

    /// The node budget of the search.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        of_each!(self, declared => declared.of.nodes())
    }

    /// Whether the source sets that budget, rather than leaving it to the default of builds.
    #[must_use]
    pub fn sets_nodes(&self) -> bool {
        of_each!(self, declared => declared.of.sets_nodes())
    }

    /// The same with another budget.
    #[must_use]
    pub fn with_nodes(self, nodes: u64) -> Self {
        of_each!(self, declared => Placed { of: declared.of.with_nodes(nodes), ..*declared }.into())
    }

    /// The same with other options, if its searches are searches for sums.
    #[must_use]
    pub fn with_options(self, change: impl FnOnce(&mut Options)) -> Self {
        of_each!(self, declared => Placed { of: declared.of.with_options(change), ..*declared }.into())
    }

    /// What is allowed in the declaration, but hardly meant, and where.
    pub(crate) fn remarks(&self) -> &[(S, String)] {
        of_each!(self, declared => &declared.warnings)
    }
}

impl Item {
    /// A message about the declaration as a whole.
    #[must_use]
    pub fn diagnostic(&self, message: &str) -> Diagnostic {
        of_each!(self, declared => declared.diagnostic(Part::Whole, message))
    }

    /// What is allowed in the declaration, but hardly meant.
    pub fn warnings(&self) -> impl Iterator<Item = Diagnostic> {
        self.remarks().iter().map(|(place, message)| Diagnostic { place: *place, message: message.clone() })
    }

    /// The place of its name.
    #[must_use]
    pub fn place(&self) -> Position {
        of_each!(self, declared => declared.place(Part::Whole))
    }
}
