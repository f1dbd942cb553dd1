//! One search for the opening book.

use std::ops::ControlFlow;

use cain_isa::{Fraction, Machine, Reg, Stop};
use cain_search::{
    Declaration, Input, InstructionSet, Options, Output, Patience, Solution, book, compare, search_watched, verify,
};

use super::list::Kernels;
use crate::interrupt::Interrupt;

/// The instruction sets, by their names in the book; first the one that is the default.
pub(super) const SETS: [(&str, InstructionSet); 2] =
    [("native", InstructionSet::Native), ("macro", InstructionSet::Macro)];

/// An error, in DN, that is no limit.
const LOOSE: i32 = 100;

/// Where results are wanted.
#[derive(Clone, Copy)]
pub(super) enum Form {
    /// The input is kept.
    Kept,
    /// The first result replaces the input.
    InPlace,
}

impl Form {
    pub(super) const ALL: [Self; 2] = [Self::Kept, Self::InPlace];

    /// The most registers beside those of the input and the outputs.
    pub(super) fn most(self, kernels: &Kernels) -> usize {
        registers().count() - self.taken(kernels)
    }

    /// The registers of the input and the outputs.
    fn taken(self, kernels: &Kernels) -> usize {
        kernels.polynomials.len() + usize::from(!matches!(self, Self::InPlace))
    }
}

/// A search for some kernels.
pub(super) struct Job<'a> {
    pub(super) set: &'a (&'a str, InstructionSet),
    pub(super) form: Form,
    pub(super) kernels: &'a Kernels,
    /// The registers beside those of the input and the outputs.
    pub(super) more: usize,
    pub(super) nodes: u64,
}

impl Job<'_> {
    /// How its lines begin in the book.
    pub(super) fn begin(&self) -> String {
        let Self { set: (set, _), form, kernels, .. } = self;
        let keep = if matches!(form, Form::Kept) { "&" } else { "" };
        let outputs: String = self.outputs().take(kernels.polynomials.len()).map(|reg| reg.to_string()).collect();
        format!("{set} {keep}A>{outputs} ")
    }

    /// The kernels and the line of the book; `None` if there is no program in these registers, or the user ends the search.
    pub(super) fn search(&self, interrupt: &Interrupt) -> Option<(String, String)> {
        let watch = |_| if interrupt.is_pressed() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let declaration = self.declaration()?;
        let mut best = search_watched(&declaration, watch).ok()?;
        if best.statistics.stop != Stop::Proved {
            let other = search_watched(&by_accuracy(&declaration), watch).ok();
            // What an earlier version of the searches has found may be better, too.
            let earlier = book::look_up(&declaration).map(|known| known.solution);
            for other in [earlier, other].into_iter().flatten() {
                let listing = other.program.listing();
                if compare(&declaration, listing, best.program.listing()).is_lt() {
                    best = Solution { program: verify(&declaration, listing).ok()?, ..best };
                }
            }
        }
        if interrupt.is_pressed() { None } else { book::entry(&best) }
    }

    fn declaration(&self) -> Option<Declaration> {
        let Self { set: (_, instructions), form, kernels, more, nodes } = self;
        let outputs =
            self.outputs().zip(&kernels.polynomials).map(|(reg, kernel)| Output { reg, kernel: kernel.clone() });
        Some(Declaration {
            name: "book".to_owned(),
            inputs: vec![Input { reg: registers().next()?, keep: matches!(form, Form::Kept) }],
            outputs: outputs.collect(),
            scratch: registers().skip(form.taken(kernels)).take(*more).collect(),
            machine: Machine::SCAMP5,
            options: Options {
                nodes: *nodes,
                patience: Patience::Any,
                instructions: *instructions,
                ..Options::default()
            },
        })
    }

    fn outputs(&self) -> impl Iterator<Item = Reg> {
        registers().skip(usize::from(!matches!(self.form, Form::InPlace)))
    }
}

/// The same with a limit on the error that every program keeps: such a search prefers other bags, and sometimes finds a shorter
/// program.
fn by_accuracy(declaration: &Declaration) -> Declaration {
    let mut declaration = declaration.clone();
    declaration.options.accuracy = Some(Fraction::from(LOOSE));
    declaration
}

/// The registers of the machine, in order.
fn registers() -> impl Iterator<Item = Reg> {
    Machine::SCAMP5.registers.iter()
}

#[cfg(test)]
mod tests {
    use cain_search::book;

    use super::super::list::kernels;
    use super::{Form, Job, SETS};

    /// What the crate has.
    const PROGRAMS: &str = include_str!("../../../../cain-search/src/book/programs.txt");

    /// Every line is one of these kernels in one of these forms, and its program is proved for all numbers of registers.
    #[test]
    fn every_program_of_the_book_is_found() {
        let mut lines: Vec<&str> =
            PROGRAMS.lines().filter(|line| SETS.iter().any(|set| line.starts_with(set.0))).collect();
        assert!(!lines.is_empty());
        for set in &SETS {
            for form in Form::ALL {
                for kernels in kernels() {
                    let job = |more| Job { set, form, kernels, more, nodes: 1 };
                    let begin = job(0).begin();
                    let paragraph =
                        PROGRAMS.split("\n\n").find(|paragraph| paragraph.starts_with(&format!("{}\n", kernels.text)));
                    for line in paragraph.into_iter().flat_map(str::lines).filter(|line| line.starts_with(&begin)) {
                        let fields: Vec<&str> = line.split(' ').collect();
                        let (least, most) = fields[2].split_once("..").unwrap();
                        for more in least.parse().unwrap()..=most.parse().unwrap() {
                            let known = book::look_up(&job(more).declaration().unwrap()).expect(line);
                            let listing = known.solution.program.listing();
                            assert_eq!(listing.len(), fields[6].matches(';').count(), "{line}");
                        }
                        lines.retain(|other| *other != line);
                    }
                }
            }
        }
        assert_eq!(lines, [""; 0]);
        assert!(PROGRAMS.len() <= 64 << 10, "the book has {} bytes", PROGRAMS.len());
    }
}
