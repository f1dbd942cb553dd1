//! Compares a run with what the program means.

use cain_isa::Displacement;
use cain_runtime::io::Size;
use cain_vision::Compiled;
use cain_vision::declaration::{Operation, Statement, reach};
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
        Self { reference, results: results.collect(), frames: 0, reads_outside: reads_others(&declaration.body) }
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
        differs.is_empty() || args.model != Model::Ideal
    }
}

/// Whether statements read levels of other PEs.
fn reads_others(statements: &[Statement]) -> bool {
    statements.iter().any(|statement| match statement {
        Statement::Define { operation: Operation::Sum { summands, .. }, .. } => {
            reach(summands) != [Displacement::ZERO; 2]
        }
        other => other.bodies().into_iter().any(reads_others),
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
