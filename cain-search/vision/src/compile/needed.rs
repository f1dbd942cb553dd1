//! In which PEs values are needed: those that numbers are read of, and the ones that these depend on.

use cain_isa::Displacement;
use cain_isa::program::Grid;

use super::copies::Reach;
use super::uses::operands;
use crate::declaration::{Declaration, Operation, Result as Outcome, Statement, Value};

/// Where each value is needed; `None` if nowhere.
pub(crate) struct Needed {
    parts: Vec<Option<Part>>,
    /// The rows and columns of the array.
    side: usize,
}

/// PEs of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// Those between two rows and two columns.
    Within([i64; 2], [i64; 2]),
    All,
}

impl Part {
    fn of_grid(grid: &Grid) -> Self {
        let along = |first: isize, step: usize, count: usize| {
            let first = i64::try_from(first).unwrap_or(i64::MIN);
            let length = i64::try_from(count.saturating_sub(1).saturating_mul(step)).unwrap_or(i64::MAX);
            [first, first.saturating_add(length)]
        };
        let rows = along(grid.top, grid.row_step, grid.height);
        Self::Within(rows, along(grid.left, grid.column_step, grid.width))
    }

    fn with(self, other: Self) -> Self {
        match (self, other) {
            (Self::Within(rows, columns), Self::Within(other_rows, other_columns)) => {
                let around = |a: [i64; 2], b: [i64; 2]| [a[0].min(b[0]), a[1].max(b[1])];
                Self::Within(around(rows, other_rows), around(columns, other_columns))
            }
            _ => Self::All,
        }
    }

    /// The PEs in a rectangle around each of them.
    fn around(self, [low, high]: Reach) -> Self {
        let Self::Within(rows, columns) = self else { return self };
        let moved = |ends: [i64; 2], low: i16, high: i16| {
            [ends[0].saturating_add(low.into()), ends[1].saturating_add(high.into())]
        };
        // Rows count from the north.
        Self::Within(moved(rows, high.y.saturating_neg(), low.y.saturating_neg()), moved(columns, low.x, high.x))
    }

    fn is_on_an_array(self, side: usize) -> bool {
        let Self::Within(rows, columns) = self else { return false };
        let side = i64::try_from(side).unwrap_or(i64::MAX);
        [rows, columns].iter().flatten().all(|place| (0..side).contains(place))
    }
}

impl Needed {
    pub(crate) fn of(declaration: &Declaration) -> Self {
        let mut needed = Self { parts: vec![None; declaration.values.len()], side: declaration.side };
        for result in &declaration.results {
            match &result.of {
                Outcome::Value(value) | Outcome::Events(value, _) => needed.add(*value, Part::All),
                Outcome::Numbers(_) | Outcome::Tuple(_) | Outcome::List(_) => {}
            }
        }
        declaration.states.iter().for_each(|state| needed.add(state.next, Part::All));
        needed.body(&declaration.body);
        needed
    }

    fn add(&mut self, value: Value, part: Part) {
        let known = &mut self.parts[value.0];
        *known = Some(known.map_or(part, |known| known.with(part)));
    }

    /// Values are made before they are read, so the last statements come first.
    fn body(&mut self, body: &[Statement]) {
        for statement in body.iter().rev() {
            match statement {
                Statement::Define { value, operation } => self.operation(*value, operation),
                Statement::List { .. } => {}
                Statement::Decide(decision) => {
                    for joined in &decision.joined {
                        let Some(part) = self.parts[joined.value.0] else { continue };
                        for value in [joined.then, joined.otherwise] {
                            self.add(value, part);
                        }
                    }
                    self.body(&decision.then);
                    self.body(&decision.otherwise);
                }
                Statement::Loop(of) => {
                    // How far a pass sees is not followed from pass to pass.
                    for carried in &of.carried {
                        for value in [carried.first, carried.next] {
                            self.add(value, Part::All);
                        }
                    }
                    self.body(&of.body);
                    self.body(of.until.statements());
                }
            }
        }
    }

    fn operation(&mut self, value: Value, operation: &Operation) {
        match operation {
            Operation::Any(of)
            | Operation::Count(of)
            | Operation::Bound(of, _)
            | Operation::First(of, _)
            | Operation::Total(of) => self.add(*of, Part::All),
            Operation::Read(of, grid) => self.add(*of, Part::of_grid(grid)),
            operation => {
                let Some(part) = self.parts[value.0] else { return };
                let part = part.around(seen(operation));
                operands(operation, &mut |operand| self.add(operand, part));
            }
        }
    }

    /// Whether a value is needed in the PE in a row and a column, or there is a value that depends on it.
    pub(crate) fn is_in(&self, value: Value, row: usize, column: usize) -> bool {
        match self.parts.get(value.0).copied().flatten() {
            None => false,
            Some(Part::All) => true,
            Some(Part::Within(rows, columns)) => {
                let within =
                    |ends: [i64; 2], at: usize| i64::try_from(at).is_ok_and(|at| ends[0] <= at && at <= ends[1]);
                within(rows, row) && within(columns, column)
            }
        }
    }

    /// Whether a rectangle of PEs around each one in which a value is needed is on the array.
    pub(super) fn is_within(&self, value: Value, reach: Reach) -> bool {
        let part = self.parts.get(value.0).copied().flatten();
        part.is_some_and(|part| part.around(reach).is_on_an_array(self.side))
    }
}

/// The corners of the smallest rectangle around a PE with those that an operation reads for it.
pub(super) fn seen(operation: &Operation) -> Reach {
    let at: Vec<Displacement> = match operation {
        Operation::Sum { summands, .. } => summands.iter().map(|summand| summand.at).collect(),
        Operation::Logic { function, .. } => function.pixels().into_iter().map(|(_, _, at)| at).collect(),
        _ => Vec::new(),
    };
    at.into_iter().fold([Displacement::ZERO; 2], |reach, at| super::copies::around(reach, [at; 2]))
}

#[cfg(test)]
mod tests {
    use cain_isa::program::Grid;
    use cain_isa::{Displacement, Fraction, Machine};
    use cain_search::Options;

    use super::Needed;
    use crate::declaration::{Builder, Kind, Operation, Result as Outcome, Summand};

    #[test]
    fn planes_are_needed_where_numbers_are_read_of_them() {
        let mut builder = Builder::new("program", Machine::SCAMP5, Options::default());
        let image = builder.input("image", Kind::Levels { low: -128.0, high: 127.0 }, true);
        let moved = Summand { of: image, weight: Fraction::ONE, at: Displacement::new(2, -3) };
        let sum = Operation::Sum { summands: vec![moved], constant: Fraction::ZERO, numbers: vec![] };
        let sum = builder.define(sum).unwrap();
        let read = builder.define(Operation::Read(sum, Grid::new((10, 20), (1, 2), (4, 3)))).unwrap();
        builder.result("read", Outcome::Value(read));
        let total = builder.define(Operation::Abs(image)).unwrap();
        let all = builder.define(Operation::Total(total)).unwrap();
        builder.result("all", Outcome::Value(all));
        let needed = Needed::of(&builder.finish());
        let reach =
            |west: i16, south: i16, east, north| [Displacement::new(-west, -south), Displacement::new(east, north)];
        assert!(needed.is_within(sum, reach(20, 242, 231, 10)));
        for out in [reach(21, 0, 0, 0), reach(0, 243, 0, 0), reach(0, 0, 232, 0), reach(0, 0, 0, 11)] {
            assert!(!needed.is_within(sum, out));
        }
        assert!(!needed.is_within(total, reach(0, 0, 0, 0)));
    }
}
