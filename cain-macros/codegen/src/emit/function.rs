//! The parts of generated functions.

use cain_search::Declaration;
use proc_macro2::{Ident, TokenStream};
use syn::{Attribute, Visibility};

use crate::compile::Plan;
use crate::lower::Planes;

/// The parts of a generated function.
pub(crate) struct Function<'a> {
    /// The path of the runtime crate.
    pub(crate) runtime: &'a TokenStream,
    pub(crate) attributes: &'a [Attribute],
    pub(crate) visibility: &'a Visibility,
    pub(crate) name: &'a Ident,
    /// The names of its planes, if it runs in any registers.
    pub(crate) planes: Option<&'a Planes>,
    pub(crate) code: Code<'a>,
}

/// What a function does.
#[derive(Clone, Copy)]
pub(crate) enum Code<'a> {
    /// It runs a plan.
    Plan(&'a Plan),
    /// It panics. After a mistake, and where no programs are wanted, the function exists only so that callers compile.
    Stub(&'a Declaration),
}

impl<'a> Code<'a> {
    /// The code of a plan; without one, a stub.
    pub(crate) fn of(plan: Option<&'a Plan>, declaration: &'a Declaration) -> Self {
        plan.map_or(Self::Stub(declaration), Self::Plan)
    }

    pub(super) fn plan(self) -> Option<&'a Plan> {
        match self {
            Self::Plan(plan) => Some(plan),
            Self::Stub(_) => None,
        }
    }

    pub(super) fn instructions(self) -> usize {
        self.plan().map_or(0, |plan| plan.listing().len())
    }

    pub(super) fn declaration(self) -> &'a Declaration {
        match self {
            Self::Plan(plan) => plan.declaration(),
            Self::Stub(declaration) => declaration,
        }
    }
}
