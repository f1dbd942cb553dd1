//! Compares a run with what the program means.

use cain_isa::Displacement;
use cain_runtime::io::Size;
use cain_vision::Compiled;
use cain_vision::declaration::{Operation, Statement, Summand, reach};
use cain_vision::reference::{Answer, Content, Reference};

use super::super::{Model, Run};
use super::given::Plane;

/// The largest difference of levels that counts as none, in DN: the simulator computes in single precision.
const NONE: f64 = 1e-3;

/// The meaning of a program, and how far a run was from it.
pub(super) struct Checked<'c> {
    reference: Reference<'c>,
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
    /// PEs in all frames.
    pes: usize,
    /// The largest difference of levels, in DN.
    most: f64,
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
            pes: 0,
            most: 0.0,
        });
        let reads_outside = any_sum(&declaration.body, &|summands| reach(summands) != [Displacement::ZERO; 2]);
        let is_rounded = |summand: &Summand| summand.weight.denominator().count_ones() != 1;
        let has_thirds = any_sum(&declaration.body, &|summands| summands.iter().any(is_rounded));
        Self { reference, results: results.collect(), frames: 0, reads_outside, has_thirds }
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
            let (pes, most) = differ(found, wanted);
            if pes > 0 {
                difference.first.get_or_insert(number);
                difference.frames += 1;
                difference.pes += pes;
                difference.most = difference.most.max(most);
            }
        }
    }

    /// Tells how far the run was; whether it was right: without errors of the arithmetic nothing may differ.
    pub(super) fn tell(&self, args: &Run) -> bool {
        let differs: Vec<&Difference> = self.results.iter().filter(|result| result.frames > 0).collect();
        for Difference { name, first, frames, pes, most } in &differs {
            let levels = if *most > 0.0 { format!(", at most by {most:.3} DN") } else { String::new() };
            eprintln!(
                "check: `{name}` differs from its meaning in {frames} of {} frames, the first of which is {}: {pes} values in \
                 all{levels}",
                self.frames,
                first.unwrap_or_default()
            );
        }
        if differs.is_empty() {
            eprintln!("check: all results of {} frames are what they mean", self.frames);
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
}

/// Whether a sum in statements is such a one.
fn any_sum(statements: &[Statement], is_one: &dyn Fn(&[Summand]) -> bool) -> bool {
    statements.iter().any(|statement| match statement {
        Statement::Define { operation: Operation::Sum { summands, .. }, .. } => is_one(summands),
        other => other.bodies().into_iter().any(|body| any_sum(body, is_one)),
    })
}

/// How many values differ, and by how much levels do at most. Levels that are not defined differ from none.
fn differ(found: &Answer, wanted: &Answer) -> (usize, f64) {
    match (found, wanted) {
        (Answer::One(Content::Levels(found)), Answer::One(Content::Levels(wanted))) => {
            let differences = found.iter().zip(wanted).map(|(found, wanted)| (found - wanted).abs());
            let differences = differences.filter(|difference| *difference > NONE);
            differences.fold((0, 0.0), |(count, most), difference| (count + 1, f64::max(most, difference)))
        }
        (Answer::One(Content::Bits(found)), Answer::One(Content::Bits(wanted))) => {
            (found.iter().zip(wanted).filter(|(found, wanted)| found != wanted).count(), 0.0)
        }
        (found, wanted) => (usize::from(found != wanted), 0.0),
    }
}
