//! Declarations of what is computed on bits, of which digital filters and those over super-pixels are made.

use std::fmt::Display;
use std::ops::ControlFlow;

use cain_digital::{self, Statistics, VerifyError, superpixel};
use cain_isa::Progress;
use cain_isa::program::owned::{Step, lines};
use cain_isa::{Dreg, Instruction};

use crate::emit;
use crate::lower;

/// A declaration of what is computed on bits, which searches find programs of and plan files keep them.
pub trait OnBits: Clone {
    /// A proved program and how it was found.
    type Solution: Clone;
    /// Why there is no program.
    type Error: Display;

    /// What such a filter is called.
    const KIND: &'static str;
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
    fn search(&self, watch: &mut dyn FnMut(Progress) -> ControlFlow<()>) -> Result<Self::Solution, Self::Error>;

    /// Whether a search ended before it had a program.
    fn is_cut(error: &Self::Error) -> bool;

    /// What a program computes.
    fn of(solution: &Self::Solution) -> &Self;

    /// Its control words.
    fn words(solution: &Self::Solution) -> usize;

    /// How it was found.
    fn statistics(solution: &Self::Solution) -> Statistics;

    /// What a plan file has of it.
    fn contents(solution: &Self::Solution) -> Contents;

    /// The program in a plan file, if it computes the declaration; otherwise the step that is wrong, and why.
    fn verify(&self, contents: &Contents, statistics: Statistics) -> Result<Self::Solution, (usize, String)>;
}

/// A program as a plan file has it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contents {
    /// For each list of registers, those of each number.
    pub(super) registers: Vec<Vec<Vec<Dreg>>>,
    /// The steps of each part.
    pub(super) parts: Vec<Vec<Step>>,
}

impl OnBits for cain_digital::Declaration {
    type Solution = cain_digital::Solution;
    type Error = cain_digital::SearchError;

    const KIND: &'static str = "digital filter";
    const ISA: &'static str = lower::bits::DIGITAL;
    const REGISTERS: &'static [&'static str] = &["inputs", "outputs"];
    const PARTS: &'static [&'static str] = &[];

    fn name(&self) -> &str {
        &self.name
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn with_nodes(self, nodes: u64) -> Self {
        Self { nodes, ..self }
    }

    fn text(&self) -> String {
        emit::digital::text(self)
    }

    fn search(&self, watch: &mut dyn FnMut(Progress) -> ControlFlow<()>) -> Result<Self::Solution, Self::Error> {
        cain_digital::search_watched(self, watch)
    }

    fn is_cut(error: &Self::Error) -> bool {
        matches!(error, cain_digital::SearchError::Budget { .. })
    }

    fn of(solution: &Self::Solution) -> &Self {
        solution.program.declaration()
    }

    fn words(solution: &Self::Solution) -> usize {
        solution.program.program().words()
    }

    fn statistics(solution: &Self::Solution) -> Statistics {
        solution.statistics
    }

    fn contents(solution: &Self::Solution) -> Contents {
        let cain_digital::Program { listing, inputs, outputs } = solution.program.program().clone();
        Contents { registers: vec![inputs, outputs], parts: vec![listing.into_iter().map(Step::from).collect()] }
    }

    fn verify(&self, contents: &Contents, statistics: Statistics) -> Result<Self::Solution, (usize, String)> {
        let ([inputs, outputs], [listing]) = (contents.registers.as_slice(), contents.parts.as_slice()) else {
            return Err((0, INCOMPLETE.to_owned()));
        };
        let program =
            cain_digital::Program { listing: listing_of(listing)?, inputs: inputs.clone(), outputs: outputs.clone() };
        let program = cain_digital::verify(self, &program).map_err(|error| {
            let index = match &error {
                VerifyError::Unwritten { index, .. }
                | VerifyError::Unsupported { index, .. }
                | VerifyError::Border { index, .. } => *index,
                _ => 0,
            };
            (index, error.to_string())
        })?;
        Ok(cain_digital::Solution { program, statistics })
    }
}

/// What is said where the parts of a plan are not those of its filter.
const INCOMPLETE: &str = "the plan is not complete";

/// The instructions of a part that the controller has no part in.
fn listing_of(steps: &[Step]) -> Result<Vec<Instruction>, (usize, String)> {
    let listing = |(index, step): (usize, &Step)| {
        let listing = step.listing().map(<[_]>::to_vec);
        listing.ok_or_else(|| (index, format!("`{}` is no control word", lines(step, 256).concat())))
    };
    Ok(steps.iter().enumerate().map(listing).collect::<Result<Vec<_>, _>>()?.concat())
}

impl OnBits for superpixel::Declaration {
    type Solution = superpixel::Solution;
    type Error = superpixel::SearchError;

    const KIND: &'static str = "super-pixel filter";
    const ISA: &'static str = lower::bits::SUPER_PIXELS;
    const REGISTERS: &'static [&'static str] = &["inputs", "outputs", "reserved"];
    const PARTS: &'static [&'static str] = &["setup", "before", "program", "after"];

    fn name(&self) -> &str {
        &self.name
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn with_nodes(self, nodes: u64) -> Self {
        Self { nodes, ..self }
    }

    fn text(&self) -> String {
        emit::superpixel::text(self)
    }

    fn search(&self, watch: &mut dyn FnMut(Progress) -> ControlFlow<()>) -> Result<Self::Solution, Self::Error> {
        superpixel::search_watched(self, watch)
    }

    fn is_cut(error: &Self::Error) -> bool {
        matches!(error, superpixel::SearchError::Budget { .. })
    }

    fn of(solution: &Self::Solution) -> &Self {
        solution.program.declaration()
    }

    fn words(solution: &Self::Solution) -> usize {
        solution.program.program().words()
    }

    fn statistics(solution: &Self::Solution) -> Statistics {
        solution.statistics
    }

    fn contents(solution: &Self::Solution) -> Contents {
        let superpixel::Program { setup, before, listing, after, inputs, outputs, reserved } =
            solution.program.program().clone();
        let each = |registers: Vec<Dreg>| registers.into_iter().map(|register| vec![register]).collect();
        Contents {
            registers: [inputs, outputs, reserved].map(each).into(),
            parts: vec![setup, before, listing.into_iter().map(Step::from).collect(), after],
        }
    }

    fn verify(&self, contents: &Contents, statistics: Statistics) -> Result<Self::Solution, (usize, String)> {
        let ([inputs, outputs, reserved], [setup, before, listing, after]) =
            (contents.registers.as_slice(), contents.parts.as_slice())
        else {
            return Err((0, INCOMPLETE.to_owned()));
        };
        let program = superpixel::Program {
            setup: setup.clone(),
            before: before.clone(),
            listing: listing_of(listing).map_err(|(_, message)| (0, message))?,
            after: after.clone(),
            inputs: inputs.concat(),
            outputs: outputs.concat(),
            reserved: reserved.concat(),
        };
        let program = superpixel::verify(self, &program).map_err(|error| (0, error.to_string()))?;
        Ok(superpixel::Solution { program, statistics })
    }
}
