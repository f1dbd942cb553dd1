//! Follows the pieces of a plan.

use std::collections::{BTreeMap, BTreeSet};

use cain_analysis::evaluate::Evaluator;
use cain_analysis::owned::{Step, written};
use cain_isa::program::{Area, Grid, Held};
use cain_isa::{Bit, Fraction, Instruction, Store};

use super::Failure;
use super::diagram::{Diagram, Diagrams, Variable};
use super::form::Form;
use super::meaning::Meaning;
use super::numbers::Source;
use crate::declaration::{Kind, Value};
use crate::plan::{ListPlace, Piece, steps};

/// What the array and the controller hold.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) array: Evaluator<Diagram, Diagram>,
    pub(super) numbers: BTreeMap<usize, Form>,
}

/// A proof that is going on.
pub(super) struct Follower<'d, 'p> {
    pub(super) meaning: Meaning<'d>,
    pub(super) state: State,
    pub(super) lists: &'p BTreeMap<usize, ListPlace>,
}

impl Follower<'_, '_> {
    pub(super) fn pieces(&mut self, pieces: &[Piece<'_>]) -> Result<(), Failure> {
        pieces.iter().try_for_each(|piece| match piece {
            Piece::Do(step) => self.step(step),
            Piece::Holds(held, value) => self.holds(*held, *value),
            Piece::First { .. } => Err(Failure::Step),
            Piece::Loop { of, places, check, goes_on, body } => self.repeat(of, places, check, *goes_on, body),
            Piece::Decide { of, then, otherwise } => self.decide(of, then, otherwise),
            Piece::List { list, numbers, step } => self.append(*list, numbers, step),
        })
    }

    fn step(&mut self, step: &Step) -> Result<(), Failure> {
        let diagrams = &mut self.meaning.diagrams;
        match step {
            Step::Execute(listing) => {
                for word in listing.iter().flat_map(Instruction::words) {
                    self.state.array.word(diagrams, word)?;
                }
                diagrams.failure.clone().map_or(Ok(()), Err)?;
            }
            Step::Level(level) | Step::Compensation { level, .. } => {
                let level = diagrams.form(Form::constant(Fraction::from(i32::from(*level))))?;
                self.state.array.cells.give(Store::In, level);
            }
            Step::LevelOf { number, .. } => {
                let form = self.state.numbers.get(number).cloned().ok_or(Failure::Level)?;
                self.is_level(&form)?;
                let level = self.meaning.diagrams.form(form)?;
                self.state.array.cells.give(Store::In, level);
            }
            // Without errors, the number stays as it is.
            Step::Correct { number, .. } if self.state.numbers.contains_key(number) => {}
            Step::Select(selection) => {
                let bits = diagrams.variable(Variable::Pattern(*selection, cain_isa::Displacement::ZERO))?;
                self.state.array.bits.give(Bit::Select, bits);
            }
            Step::RegionOf { register, first } => {
                let number = |place: usize| self.state.numbers.get(&place).cloned().ok_or(Failure::Kinds);
                let area = [number(*first)?, number(first + 1)?, number(first + 2)?, number(first + 3)?];
                let bits = diagrams.variable(Variable::Inside(area, cain_isa::Displacement::ZERO))?;
                self.state.array.bits.give(Bit::Reg(*register), bits);
                for set in [Bit::Rect, Bit::Select] {
                    let unknown = diagrams.unknown_bits()?;
                    self.state.array.bits.give(set, unknown);
                }
            }
            Step::Find { what, of, first } => {
                let of = self.state.array.bits.read(diagrams, *of)?;
                for number in 0..what.numbers() {
                    let found = self.meaning.sources.found(*what, number, of);
                    self.set(first + number, found)?;
                }
            }
            Step::Sum { from, first } => {
                let of = *self.state.array.cells.get(Store::Reg(*from)).ok_or(Failure::Kinds)?;
                let sum = self.meaning.sources.form(Source::Total(of));
                self.set(*first, sum)?;
            }
            Step::Read(read) => {
                let of = self.content(read.from)?;
                let is_plain = read.scale.to_bits() == 1.0_f64.to_bits() && read.shift == 0.0;
                let windows = read.windows.as_deref().filter(|_| is_plain && !read.mean && !read.adds);
                for (number, area) in (read.first..).zip(windows.ok_or(Failure::Step)?) {
                    let grid = part(read.grid, *area).ok_or(Failure::Step)?;
                    let sum = self.meaning.sources.form(Source::Read(of, grid));
                    self.set(number, sum)?;
                }
            }
            Step::Compute { number, formula } => {
                let form = self.meaning.sources.formula(formula, &self.state.numbers)?;
                self.set(*number, form)?;
            }
            _ => return Err(Failure::Step),
        }
        Ok(())
    }

    /// The controller computes a number; if it is what a value of the declaration is, it is that value.
    fn set(&mut self, place: usize, form: Form) -> Result<(), Failure> {
        if self.lists.values().any(|list| list.has(place)) {
            return Err(Failure::Step);
        }
        let value = Value(place);
        let is_number =
            self.meaning.declaration.values.get(place).is_some_and(|kind| matches!(kind, Kind::Number { .. }));
        let form = match if is_number { self.meaning.number(value)? } else { None } {
            Some(wanted) if wanted == form => self.meaning.sources.form(Source::Value(value)),
            _ => form,
        };
        self.state.numbers.insert(place, form);
        Ok(())
    }

    /// Whether a number is always a whole level.
    fn is_level(&self, form: &Form) -> Result<(), Failure> {
        let (mut low, mut high) = (form.constant, form.constant);
        for (atom, weight) in &form.terms {
            let Some(Source::Value(value)) = self.meaning.sources.source(*atom) else { return Err(Failure::Level) };
            let Kind::Number { low: least, high: most } = self.meaning.kind(*value) else { return Err(Failure::Level) };
            let end = |end: i64| Fraction::new(end, 1).and_then(|end| end.checked_mul(*weight)).ok_or(Failure::Level);
            let (a, b) = (end(least)?, end(most)?);
            low = low.checked_add(a.min(b)).ok_or(Failure::Level)?;
            high = high.checked_add(a.max(b)).ok_or(Failure::Level)?;
            if weight.denominator() != 1 {
                return Err(Failure::Level);
            }
        }
        let is_whole = form.constant.denominator() == 1;
        let fits = low >= Fraction::from(-128) && high <= Fraction::from(127);
        if is_whole && fits { Ok(()) } else { Err(Failure::Level) }
    }

    /// What a register holds.
    pub(super) fn content(&mut self, held: Held) -> Result<Diagram, Failure> {
        match held {
            Held::Reg(reg) => self.state.array.cells.get(Store::Reg(reg)).copied().ok_or(Failure::Kinds),
            Held::Bit(bit) => self.state.array.bits.read(&mut self.meaning.diagrams, bit),
        }
    }

    pub(super) fn give(&mut self, held: Held, content: Diagram) {
        match held {
            Held::Reg(reg) => self.state.array.cells.give(Store::Reg(reg), content),
            Held::Bit(bit) => self.state.array.bits.give(bit, content),
        }
    }

    /// A register holds a value, as others read it.
    pub(super) fn is(&mut self, held: Held, value: Value) -> Result<(), Failure> {
        let (found, wanted) = (self.content(held)?, self.meaning.plane(value)?);
        if self.meaning.diagrams.are_equal(found, wanted)? { Ok(()) } else { Err(Failure::Wrong(value)) }
    }

    /// A register holds a value, as it is declared, and is known as that from now on.
    fn holds(&mut self, held: Held, value: Value) -> Result<(), Failure> {
        let (found, wanted) = (self.content(held)?, self.meaning.definition(value)?);
        if !self.meaning.diagrams.are_equal(found, wanted)? {
            return Err(Failure::Wrong(value));
        }
        let plane = self.meaning.plane(value)?;
        self.give(held, plane);
        Ok(())
    }

    /// A place has a number.
    pub(super) fn has(&mut self, place: usize, value: Value) -> Result<(), Failure> {
        let wanted = self.meaning.sources.form(Source::Value(value));
        if self.state.numbers.get(&place) == Some(&wanted) { Ok(()) } else { Err(Failure::Wrong(value)) }
    }

    pub(super) fn is_flag_set(&mut self) -> Result<(), Failure> {
        let flag = self.state.array.bits.read(&mut self.meaning.diagrams, Bit::Flag)?;
        if flag == Diagrams::known(true) { Ok(()) } else { Err(Failure::Flag) }
    }

    /// Forgets everything that pieces may write.
    pub(super) fn forget(&mut self, pieces: &[Piece<'_>]) -> Result<(), Failure> {
        let (regs, bits) = written(&steps(pieces));
        let stores = regs.into_iter().map(Store::Reg).chain([Store::News, Store::In]);
        for store in stores {
            let unknown = self.meaning.diagrams.unknown_levels()?;
            self.state.array.cells.give(store, unknown);
        }
        for bit in bits.into_iter().map(Bit::Reg).chain([Bit::Select, Bit::Rect]) {
            let unknown = self.meaning.diagrams.unknown_bits()?;
            self.state.array.bits.give(bit, unknown);
        }
        let mut places = BTreeSet::new();
        numbers(&steps(pieces), &mut places);
        for place in places {
            self.state.numbers.remove(&place);
        }
        Ok(())
    }
}

/// The PEs of a window of a grid, if it is within.
fn part(grid: Grid, area: Area) -> Option<Grid> {
    let is_within = area.top + area.height <= grid.height && area.left + area.width <= grid.width;
    let top = grid.top.checked_add_unsigned(area.top * grid.row_step)?;
    let left = grid.left.checked_add_unsigned(area.left * grid.column_step)?;
    is_within.then_some(Grid { top, left, height: area.height, width: area.width, ..grid })
}

/// The places of the numbers that steps compute.
fn numbers(steps: &[Step], places: &mut BTreeSet<usize>) {
    for step in steps {
        match step {
            Step::Compute { number, .. } => drop(places.insert(*number)),
            Step::Sum { first, .. } => drop(places.insert(*first)),
            Step::Read(read) => places.extend(read.first..read.first + read.windows.as_ref().map_or(0, Vec::len)),
            Step::Find { what, first, .. } => places.extend(*first..first + what.numbers()),
            Step::Loop { counter, check, body, .. } => {
                places.insert(*counter);
                numbers(&check.0, places);
                numbers(&body.0, places);
            }
            Step::Decide { then, otherwise, .. } => {
                numbers(&then.0, places);
                numbers(&otherwise.0, places);
            }
            _ => {}
        }
    }
}
