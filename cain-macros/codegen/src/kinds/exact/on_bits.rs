//! What digital filters and filters over super-pixels say of themselves.

use std::fmt::{Debug, Display};

use cain_analysis::owned::{self, Step};
use cain_digital::{ProvedOf, SolutionOf};
use cain_isa::{Dreg, Machine};
use proc_macro2::TokenStream;

use crate::emit::Function;
use crate::errors::Errors;
use crate::kinds::{Item, Part, Placed, Watch};
use crate::tree::{Body, Header, Place};

/// A filter on bits.
#[derive(Clone, Debug, PartialEq)]
pub struct Exact<D> {
    /// The declaration.
    pub declaration: D,
    /// The machine that the filter is for.
    pub machine: Machine,
}

/// A declaration of what is computed on bits, exactly.
pub trait OnBits: Clone + Debug {
    /// A program, with the registers of its numbers.
    type Program: Clone;
    /// Why there is no program.
    type Error: Display;

    /// The name of its instruction set.
    const ISA: &'static str;
    /// The lists of registers in a plan file.
    const REGISTERS: &'static [&'static str];
    /// The parts of a program there; none for a program that has no parts.
    const PARTS: &'static [&'static str];

    /// The name of the function.
    fn name(&self) -> &str;

    /// The node budget.
    fn nodes(&self) -> u64;

    /// The same with another budget.
    #[must_use]
    fn with_nodes(self, nodes: u64) -> Self;

    /// The canonical spelling.
    fn text(&self) -> String;

    /// Searches for the shortest program, and calls `watch` as nodes are used.
    fn search(&self, watch: Watch<'_>) -> Result<Solution<Self>, Self::Error>;

    /// Whether a search ended before it had a program.
    fn is_cut(error: &Self::Error) -> bool;

    /// The part of the declaration because of which there is no program.
    fn part(error: &Self::Error) -> Part;

    /// The names of its inputs, and whether they are kept.
    fn inputs(&self) -> Vec<(&str, bool)>;

    /// The names of its outputs.
    fn outputs(&self) -> Vec<&str>;

    /// What the controller does.
    fn program(&self, program: &Self::Program) -> owned::Program;

    /// What a plan file has of a program. Its first lists of registers are those of inputs and of outputs.
    fn contents(program: &Self::Program) -> Contents;

    /// The program in a plan file, if it computes the declaration; otherwise the step that is wrong, and why.
    fn verify(&self, contents: &Contents) -> Result<ProvedOf<Self, Self::Program>, (usize, String)>;
}

/// A proved program and how it was found.
pub(super) type Solution<D> = SolutionOf<D, <D as OnBits>::Program>;

/// What the front ends and the back end need of such a declaration.
pub(crate) trait Written: OnBits {
    /// The function and its plan; without a program, a stub.
    fn function(function: &Function<'_, Self, Solution<Self>>) -> TokenStream;

    /// Where a syntax tree says in which bits its numbers are.
    fn place<S: Copy>(body: &Body<S>) -> Option<S>;

    /// What a syntax tree declares, unless it has mistakes.
    fn read<S: Place>(header: &Header<S>, body: &Body<S>, errors: &mut Errors<S>) -> Option<Self>;

    /// The filter among all that is declared.
    fn item<S>(filter: Placed<Exact<Self>, S>) -> Item<S>;
}

/// A program as a plan file has it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contents {
    /// For each list of registers, those of each number.
    pub(crate) registers: Vec<Vec<Vec<Dreg>>>,
    /// The steps of each part.
    pub(crate) parts: Vec<Vec<Step>>,
}
