//! The search for the plan of one declaration.

use std::ops::ControlFlow;

use cain_codegen::kinds::{Figures, Kind, Placed};
use cain_codegen::of_each_kind;
use cain_codegen::plan_file::{PlanFile, PlanFolder};
use cain_codegen::printable::Printable;
use cain_isa::Progress;

use super::store::store;
use super::wanted::Wanted;
use super::work::Share;
use super::{BETTER, KEPT, NEW, RENEWED};
use crate::watch::Interrupt;

/// The state of a plan file.
pub(crate) enum State<K: Kind> {
    /// There is no file.
    Missing,
    /// A file that has to be replaced, with its contents if they can be read.
    Invalid(Option<Box<PlanFile>>),
    /// A valid plan.
    Valid {
        program: K::Program,
        /// Whether a search with the budget cannot be expected to improve it.
        is_final: bool,
    },
}

impl<K: Kind> State<K> {
    /// Looks at the file; fails if it can be neither used nor replaced.
    pub(crate) fn of(declared: &K, plans: &PlanFolder, plan: &str) -> Result<Self, String> {
        let (file, error) = match plans.read(plan) {
            Ok(None) => return Ok(Self::Missing),
            Ok(Some(file)) => match declared.verify(&file) {
                Ok(program) => return Ok(Self::Valid { program, is_final: file.is_final(declared.nodes()) }),
                Err(fault) => (Some(Box::new(file)), plans.error(plan, fault)),
            },
            Err(error) => (None, error),
        };
        if error.is_replaceable() { Ok(Self::Invalid(file)) } else { Err(error.to_string()) }
    }
}

/// What is to be done about a plan file, in the words of the tables; and the program in it, if it is valid.
pub(crate) struct Looked {
    pub(crate) change: &'static str,
    pub(crate) existing: Option<Pinned>,
}

/// A program that is in a plan file, and how it came there.
#[derive(Clone, Copy)]
pub(crate) struct Pinned {
    pub(crate) figures: Figures,
    /// The figures of the plan before, which was worse or of which less was proved.
    pub(crate) before: Option<Figures>,
    pub(crate) change: &'static str,
    /// Whether the search for it was interrupted.
    pub(crate) is_cut: bool,
}

impl Pinned {
    fn of<K: Kind>(program: &K::Program, before: Option<Figures>, change: &'static str) -> Self {
        Self { figures: K::figures(program), before, change, is_cut: K::plan_file(program).is_interrupted() }
    }

    fn kept<K: Kind>(program: &K::Program) -> Self {
        Self::of::<K>(program, None, KEPT)
    }
}

impl Wanted {
    /// What is to be done about the plan file of that name.
    pub(crate) fn look(&self, plan: &str, again: bool) -> Result<Looked, String> {
        of_each_kind!(&self.item, declared => look(declared, &self.plans, plan, again))
    }

    /// What is wrong with its plan.
    pub(crate) fn problem(&self) -> Option<String> {
        of_each_kind!(&self.item, declared => problem(declared, self))
    }

    /// Searches for a program, and writes it if it is better than the one in the plan file.
    pub(crate) fn pin(&self, share: &mut Share<'_>, interrupt: &Interrupt) -> Result<Pinned, String> {
        of_each_kind!(&self.item, declared => pin(declared, self, share, interrupt))
    }
}

fn look<K: Kind>(declared: &Placed<K>, plans: &PlanFolder, plan: &str, again: bool) -> Result<Looked, String> {
    Ok(match State::of(&declared.of, plans, plan)? {
        State::Missing => Looked { change: NEW, existing: None },
        State::Invalid(_) => Looked { change: RENEWED, existing: None },
        State::Valid { program, is_final } => {
            let change = if is_final && !again { KEPT } else { BETTER };
            Looked { change, existing: Some(Pinned::kept::<K>(&program)) }
        }
    })
}

fn problem<K: Kind>(declared: &Placed<K>, wanted: &Wanted) -> Option<String> {
    match declared.of.load_from(&wanted.plans, &wanted.plan) {
        Ok(Some(_)) => None,
        Ok(None) => {
            let plan = wanted.plans.shown(&wanted.plan);
            Some(wanted.complain(&format!("there is no plan `{}`; run `cain pin`", Printable(plan.display()))))
        }
        Err(error) => Some(error.to_string()),
    }
}

fn pin<K: Kind>(
    declared: &Placed<K>,
    wanted: &Wanted,
    share: &mut Share<'_>,
    interrupt: &Interrupt,
) -> Result<Pinned, String> {
    let state = State::of(&declared.of, &wanted.plans, &wanted.plan)?;
    if interrupt.is_pressed() {
        return match state {
            State::Valid { program, .. } => Ok(Pinned::kept::<K>(&program)),
            _ => Err(wanted.complain("not searched because of Ctrl-C")),
        };
    }
    let mut watch = |Progress { nodes, .. }| {
        share.shows(nodes);
        if interrupt.is_pressed() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let found = match (declared.of.search(&mut watch), &state) {
        (Ok(found), State::Invalid(Some(file))) => declared.of.rescue(file, found),
        (Ok(found), _) => found,
        // A short search can miss what a long one has found.
        (Err(error), State::Valid { program, .. }) if K::is_cut(&error) => return Ok(Pinned::kept::<K>(program)),
        (Err(_), _) if interrupt.is_pressed() => return Err(wanted.complain("no program found before Ctrl-C")),
        (Err(error), _) => {
            return Err(format!("{}:{}", Printable(wanted.source.display()), declared.failed(&error)));
        }
    };
    keep(&declared.of, wanted, &state, &found)
}

/// Writes a program if it is better than the one in the plan file.
pub(crate) fn keep<K: Kind>(
    declared: &K,
    wanted: &Wanted,
    state: &State<K>,
    found: &K::Program,
) -> Result<Pinned, String> {
    let Wanted { plans, plan, .. } = wanted;
    let kept = store(plans, plan, declared, found)
        .map_err(|error| format!("{}: the plan cannot be written: {error}", Printable(plans.shown(plan).display())))?;
    Ok(match (kept, state) {
        (Some(program), _) => Pinned::kept::<K>(&program),
        (None, State::Missing) => Pinned::of::<K>(found, None, NEW),
        (None, State::Invalid(_)) => Pinned::of::<K>(found, None, RENEWED),
        (None, State::Valid { program, .. }) => Pinned::of::<K>(found, Some(K::figures(program)), BETTER),
    })
}
