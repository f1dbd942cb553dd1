//! The opening book: programs for kernels that everybody uses, which long searches have found.
//!
//! `programs.txt` has a paragraph for each kernel, or for several that are computed together. Below the kernels stands a
//! line for each program:
//!
//! ```text
//! 1/16 [1 2 1; 2 4 2; 1 2 1]
//! native &A>B 3..4 50000 6 nodes bus(..);bus(..);
//! ```
//!
//! These are the instruction set; the form, with `&` before an input that is kept and the registers of the outputs after
//! `>`; the numbers of further registers with which the search finds this program; the nodes of the search; the lower bound;
//! why the search stopped; and the program.
//!
//! A declaration is looked up whatever its registers are called, and turned and reflected in all eight ways. Constraints
//! other than the usual ones are not in the book, but for a limit on the length, which refuses programs and changes none. What is
//! found there is proved like any other program.

mod form;
#[cfg(test)]
mod tests;

use cain_analysis::prove::{Atom, Polynomial};
use cain_isa::{Cell, Direction, ErrorModel, Instruction, Machine, Reg, Stop};

use crate::engine::symmetry::Symmetry;
use crate::{
    Declaration, InstructionSet, Matrix, MaxGain, Objective, OffsetRule, Options, Solution, Statistics, verify,
};
use form::Form;

/// The book.
const PROGRAMS: &str = include_str!("programs.txt");
/// The most outputs of a declaration that is in the book.
const MOST_OUTPUTS: usize = 3;

/// What the opening book has for a declaration.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    /// The program, which takes no search, and what is known of shorter ones.
    pub solution: Solution,
    /// The nodes of the search that found it; none is too large a budget if that search was complete.
    pub nodes: u64,
}

/// The program of the opening book for a declaration.
#[must_use]
pub fn look_up(declaration: &Declaration) -> Option<Known> {
    look_up_in(PROGRAMS, declaration)
}

/// What the book says of a program: the kernels, above their paragraph, and the line of the program. The registers have to
/// be A for the input, and the next ones for outputs and whatever else may be overwritten. `None` if such a declaration is
/// not for the book.
#[must_use]
pub fn entry(solution: &Solution) -> Option<(String, String)> {
    let Solution { program, statistics } = solution;
    let declaration = program.declaration();
    let isa = instruction_set(declaration)?;
    let order: Vec<usize> = (0..declaration.outputs.len()).collect();
    let kernels = kernels(declaration, &order, Symmetry::IDENTITY)?;
    let form = Form::of(declaration, &order)?;
    let used = form.used(program.listing());
    let Statistics { nodes, lower_bound, stop, .. } = statistics;
    let listing: String = program.listing().iter().map(Instruction::to_string).collect();
    let more = format!("{used}..{} {nodes} {lower_bound} {stop}", form.others().len());
    Some((kernels, format!("{isa} {form} {more} {listing}")))
}

fn look_up_in(book: &str, declaration: &Declaration) -> Option<Known> {
    let isa = instruction_set(declaration)?;
    declaration.check().ok()?;
    orders(declaration.outputs.len()).iter().find_map(|order| {
        let form = Form::of(declaration, order)?;
        Symmetry::all().find_map(|symmetry| {
            let kernels = kernels(declaration, order, symmetry)?;
            let programs = paragraph(book, &kernels)?.filter_map(Line::parse);
            let mut fitting = programs.filter(|line| line.isa == isa && form.fits(line.form, line.more));
            fitting.find_map(|line| {
                let listing = listing(line.listing, &form, symmetry)?;
                let program = verify(declaration, &listing).ok()?;
                Some(Known { solution: Solution { program, statistics: line.statistics }, nodes: line.nodes })
            })
        })
    })
}

/// The name of the instruction set, if declarations such as this one are in the book.
fn instruction_set(declaration: &Declaration) -> Option<&'static str> {
    let Options { input, max_gain, offset, approximate, accuracy, error_model, interruption, .. } =
        &declaration.options;
    let is_usual = input.is_none()
        && (*max_gain, *offset) == (MaxGain::Own, OffsetRule::Cancelled)
        && (approximate, accuracy, interruption) == (&None, &None, &None)
        && *error_model == ErrorModel::measured()
        && Machine { registers: Machine::SCAMP5.registers, ..declaration.machine } == Machine::SCAMP5;
    let isa = match (declaration.options.instructions, declaration.options.objective_in_force()) {
        (InstructionSet::Native, Objective::Icws) => "native",
        (InstructionSet::Macro, Objective::Macros) => "macro",
        _ => return None,
    };
    is_usual.then_some(isa)
}

/// The kernels of a declaration in an order of its outputs, turned or reflected; `None` if they do not fit in the book.
fn kernels(declaration: &Declaration, order: &[usize], symmetry: Symmetry) -> Option<String> {
    let image = |kernel: &Polynomial| {
        let mut image = Polynomial::new();
        for (Atom { channel, displacement }, weight) in kernel.terms() {
            image.add_term(Atom { channel, displacement: symmetry.image(displacement)? }, weight)?;
        }
        Matrix::of(&image, 0)
    };
    let matrices =
        order.iter().map(|&output| image(&declaration.outputs.get(output)?.kernel)).collect::<Option<Vec<_>>>()?;
    Some(matrices.iter().map(Matrix::to_string).collect::<Vec<_>>().join("; "))
}

/// The lines below some kernels.
fn paragraph<'b>(book: &'b str, kernels: &str) -> Option<impl Iterator<Item = &'b str> + use<'b>> {
    let mut lines = book.lines();
    lines.find(|line| *line == kernels)?;
    Some(lines.take_while(|line| !line.is_empty()))
}

/// All orders of a few outputs; none if there are too many.
fn orders(outputs: usize) -> Vec<Vec<usize>> {
    if outputs > MOST_OUTPUTS {
        return Vec::new();
    }
    (0..outputs).fold(vec![Vec::new()], |orders, next| {
        let with_next = |order: &Vec<usize>| -> Vec<Vec<usize>> {
            (0..=order.len()).map(|at| [&order[..at], &[next], &order[at..]].concat()).collect()
        };
        orders.iter().flat_map(with_next).collect()
    })
}

/// A program of the book.
struct Line<'b> {
    isa: &'b str,
    form: &'b str,
    /// The numbers of further registers, from the least that the program takes to those that the search had.
    more: (usize, usize),
    statistics: Statistics,
    nodes: u64,
    listing: &'b str,
}

impl<'b> Line<'b> {
    fn parse(line: &'b str) -> Option<Self> {
        let fields: Vec<&str> = line.split(' ').collect();
        let [isa, form, more, nodes, bound, stop, listing] = fields[..] else { return None };
        let (least, most) = more.split_once("..")?;
        let is_complete = [Stop::Proved, Stop::Exhausted].iter().any(|complete| complete.to_string() == stop);
        let statistics = Statistics {
            nodes: 0,
            nodes_to_first: 0,
            nodes_to_best: 0,
            lower_bound: bound.parse().ok()?,
            stop: if stop == Stop::Proved.to_string() { Stop::Proved } else { Stop::Book },
        };
        let nodes = if is_complete { u64::MAX } else { nodes.parse().ok()? };
        Some(Self { isa, form, more: (least.parse().ok()?, most.parse().ok()?), statistics, nodes, listing })
    }
}

/// A program of the book in the registers of a declaration, for kernels whose images under the symmetry are in the book.
fn listing(listing: &str, form: &Form, symmetry: Symmetry) -> Option<Vec<Instruction>> {
    let turned_back = |image: Direction| {
        let leads_there = |of: &Direction| symmetry.image(of.displacement()) == Some(image.displacement());
        Direction::ALL.into_iter().find(leads_there)
    };
    let mut registers: Vec<(Reg, Reg)> = form.named().collect();
    let mut others = form.others().iter();
    let mut operand = |operand: &str| {
        let directions = || Direction::ALL.into_iter();
        if let Some(direction) = directions().find(|direction| direction.name() == operand) {
            return Some(turned_back(direction)?.name().to_owned());
        }
        if let Some(direction) = directions().find(|direction| Cell::Port(*direction).to_string() == operand) {
            return Some(Cell::Port(turned_back(direction)?).to_string());
        }
        let Ok(reg) = operand.parse() else { return Some(operand.to_owned()) };
        let known = registers.iter().find(|(in_book, _)| *in_book == reg).map(|(_, here)| *here);
        let here = known.or_else(|| others.next().copied())?;
        if known.is_none() {
            registers.push((reg, here));
        }
        Some(here.to_string())
    };
    let instruction = |line: &str| {
        let (name, operands) = line.trim_end_matches(';').strip_suffix(')')?.split_once('(')?;
        let operands = operands.split(',').map(&mut operand).collect::<Option<Vec<_>>>()?;
        format!("{name}({})", operands.join(",")).parse().ok()
    };
    listing.split_inclusive(';').map(instruction).collect()
}
