//! Compares a run with what the program means.

use cain_isa::Displacement;
use cain_runtime::io::Size;
use cain_vision::Compiled;
use cain_vision::declaration::{Operation, Statement, Summand, reach};
use cain_vision::reference::{Answer, Content, Reference};

use super::super::{Model, Run};
use super::differing::Differing;
use crate::chip::Plane;
use crate::show::phrases::count;

/// The meaning of a program, and how far a run was from it.
pub(super) struct Checked<'c> {
    reference: Reference<'c>,
    /// PEs from west to east.
    width: usize,
    results: Vec<Difference>,
    frames: usize,
    /// Whether levels of other PEs are read, some of which are outside of the array.
    reads_outside: bool,
    /// Whether levels have weights such as a third, which the simulator rounds.
    has_thirds: bool,
}

/// How far a result was from its meaning.
struct Difference {
    name: String,
    /// The first frame that differs.
    first: Option<usize>,
    frames: usize,
    /// What differs in all frames.
    all: Differing,
}

impl<'c> Checked<'c> {
    pub(super) fn new(compiled: &'c Compiled, args: &Run, parameters: &[i64]) -> Self {
        let Size { width, height } = args.size;
        let declaration = compiled.declaration();
        let mut reference = Reference::new(declaration, height, width);
        parameters.iter().enumerate().for_each(|(parameter, to)| reference.set(parameter, *to));
        let results = declaration.results.iter().map(|result| Difference {
            name: result.name.clone(),
            first: None,
            frames: 0,
            all: Differing::default(),
        });
        let reads_outside = any_sum(&declaration.body, &|summands| reach(summands) != [Displacement::ZERO; 2]);
        let is_rounded = |summand: &Summand| summand.weight.denominator().count_ones() != 1;
        let has_thirds = any_sum(&declaration.body, &|summands| summands.iter().any(is_rounded));
        Self { reference, width, results: results.collect(), frames: 0, reads_outside, has_thirds }
    }

    /// Compares a frame.
    pub(super) fn frame(&mut self, number: usize, planes: &[Plane], found: &[Answer]) {
        let content = |plane: &Plane| match plane {
            Plane::Levels(levels) => Content::Levels(levels.iter().copied().map(f64::from).collect()),
            Plane::Bits(bits) => Content::Bits(bits.clone()),
        };
        let inputs: Vec<Content> = planes.iter().map(content).collect();
        let wanted = self.reference.frame(&inputs);
        self.frames += 1;
        for (difference, (found, wanted)) in self.results.iter_mut().zip(found.iter().zip(&wanted)) {
            let of_frame = Differing::of(found, wanted, self.width);
            if of_frame.count > 0 {
                difference.first.get_or_insert(number);
                difference.frames += 1;
            }
            difference.all.add(&of_frame);
        }
    }

    /// Tells how far the run was; whether it was right: without errors of the arithmetic nothing may differ.
    pub(super) fn tell(&self, args: &Run) -> bool {
        let differs: Vec<&Difference> = self.results.iter().filter(|result| result.frames > 0).collect();
        for Difference { name, first, frames, all } in &differs {
            let levels = if all.most > 0.0 { format!(", at most by {:.3} DN", all.most) } else { String::new() };
            eprintln!(
                "check: `{name}` differs from its meaning in {frames} of {}, in {} of {} values{levels}; first in frame {}{}",
                self.told_frames(),
                all.count,
                all.values,
                first.unwrap_or_default(),
                all.first.as_deref().unwrap_or_default()
            );
        }
        if differs.is_empty() {
            eprintln!("check: all results of {} are what they mean", self.told_frames());
        } else if self.reads_outside {
            eprintln!(
                "check: levels that are read outside of the array are not defined, nor is what is decided by them; `& \
                 !border()` leaves the outermost PEs out, `& !dilate(border(), square, 2)` three of them on each side"
            );
        }
        if !differs.is_empty() && self.has_thirds {
            eprintln!(
                "check: thirds and ninths of levels are rounded, so that a comparison may say either where both sides are equal; halves, \
                 quarters and so on are exact"
            );
        }
        differs.is_empty() || args.model != Model::Ideal
    }

    fn told_frames(&self) -> String {
        count(u64::try_from(self.frames).unwrap_or(u64::MAX), "frame")
    }
}

/// Whether a sum in statements is such a one.
fn any_sum(statements: &[Statement], is_one: &dyn Fn(&[Summand]) -> bool) -> bool {
    statements.iter().any(|statement| match statement {
        Statement::Define { operation: Operation::Sum { summands, .. }, .. } => is_one(summands),
        other => other.bodies().into_iter().any(|body| any_sum(body, is_one)),
    })
}
