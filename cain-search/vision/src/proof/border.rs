//! Sums that come over more PEs than those that they read, and are therefore not defined as near to the border as they are declared:
//! nothing may depend on them there.

use std::collections::BTreeMap;

use cain_isa::Displacement;
use cain_isa::program::Grid;

use super::Failure;
use crate::declaration::{Declaration, Operation, Result as Outcome, Statement, Value};

/// The corners of a rectangle around a PE, which has to be on the array.
type Reach = [Displacement; 2];

/// For each value that depends on such sums, the PEs that have to be on the array.
struct Borders<'p> {
    claimed: &'p BTreeMap<Value, Reach>,
    of: BTreeMap<Value, Reach>,
    /// The rows and columns of the smallest array for which everything is defined.
    least: usize,
}

/// Checks that numbers which are read depend on sums only where they are defined, and that nothing else depends on them; the rows
/// and columns that an array must have for that, or 0 if nothing depends on such sums.
pub(super) fn check(declaration: &Declaration, claimed: &BTreeMap<Value, Reach>) -> Result<usize, Failure> {
    let mut borders = Borders { claimed, of: BTreeMap::new(), least: 0 };
    borders.body(&declaration.body)?;
    for result in &declaration.results {
        if let Outcome::Value(value) | Outcome::Events(value, _) = &result.of {
            borders.is_defined(*value)?;
        }
    }
    declaration.states.iter().try_for_each(|state| borders.is_defined(state.next))?;
    if borders.least <= declaration.side { Ok(borders.least) } else { Err(Failure::Wrong(Value(0))) }
}

impl Borders<'_> {
    fn is_defined(&self, value: Value) -> Result<(), Failure> {
        if self.of.contains_key(&value) { Err(Failure::Wrong(value)) } else { Ok(()) }
    }

    fn add(&mut self, value: Value, of: Value, at: Displacement) {
        let Some(reach) = self.of.get(&of).copied() else { return };
        self.extend(value, reach.map(|corner| plus(corner, at)));
    }

    fn add_all(&mut self, value: Value, of: &[Value]) {
        for of in of {
            self.add(value, *of, Displacement::ZERO);
        }
    }

    fn extend(&mut self, value: Value, reach: Reach) {
        let known = self.of.entry(value).or_insert([Displacement::ZERO; 2]);
        let [low, high] = *known;
        *known = [
            Displacement::new(low.x.min(reach[0].x), low.y.min(reach[0].y)),
            Displacement::new(high.x.max(reach[1].x), high.y.max(reach[1].y)),
        ];
    }

    fn body(&mut self, body: &[Statement]) -> Result<(), Failure> {
        body.iter().try_for_each(|statement| match statement {
            Statement::Define { value, operation } => self.define(*value, operation),
            Statement::List { .. } => Ok(()),
            Statement::Decide(decision) => {
                self.body(&decision.then)?;
                self.body(&decision.otherwise)?;
                for joined in &decision.joined {
                    self.add_all(joined.value, &[joined.then, joined.otherwise]);
                }
                Ok(())
            }
            Statement::Loop(of) => {
                of.carried.iter().try_for_each(|carried| self.is_defined(carried.first))?;
                self.body(of.until.statements())?;
                self.body(&of.body)?;
                of.carried.iter().try_for_each(|carried| self.is_defined(carried.next))
            }
        })
    }

    fn define(&mut self, value: Value, operation: &Operation) -> Result<(), Failure> {
        match operation {
            Operation::Sum { summands, .. } => {
                for summand in summands {
                    self.add(value, summand.of, summand.at);
                }
                if let Some(reach) = self.claimed.get(&value).copied() {
                    self.extend(value, reach);
                }
            }
            Operation::Logic { function, of } => {
                for (input, _, at) in function.pixels() {
                    of.get(input).into_iter().for_each(|of| self.add(value, *of, at));
                }
            }
            Operation::Abs(of) | Operation::Positive(of) => self.add_all(value, &[*of]),
            Operation::Max(a, b) | Operation::Min(a, b) => self.add_all(value, &[*a, *b]),
            Operation::Select { bits, then, otherwise } => self.add_all(value, &[*bits, *then, *otherwise]),
            Operation::Any(of)
            | Operation::Count(of)
            | Operation::Bound(of, _)
            | Operation::First(of, _)
            | Operation::Total(of) => return self.is_defined(*of),
            Operation::Read(of, grid) => {
                if let Some(reach) = self.of.get(of) {
                    self.least = self.least.max(least_side(grid, *reach).ok_or(Failure::Wrong(*of))?);
                }
            }
            Operation::Inside { .. } | Operation::Pattern(_) | Operation::Number(_) => {}
        }
        Ok(())
    }
}

/// The rows and columns of the smallest array that has a rectangle around each PE of a grid; `None` if no array has.
fn least_side(grid: &Grid, [low, high]: Reach) -> Option<usize> {
    let along = |first: isize, step: usize, count: usize, before: i16, after: i16| {
        let first = i64::try_from(first).ok()?;
        let length = i64::try_from(count.checked_sub(1)?.checked_mul(step)?).ok()?;
        let end = first.checked_add(length)?.checked_add(after.into())?;
        let starts_on_it = first.checked_add(before.into())? >= 0;
        usize::try_from(end).ok().filter(|_| starts_on_it)?.checked_add(1)
    };
    // Rows count from the north.
    let rows = along(grid.top, grid.row_step, grid.height, high.y.saturating_neg(), low.y.saturating_neg())?;
    Some(rows.max(along(grid.left, grid.column_step, grid.width, low.x, high.x)?))
}

fn plus(a: Displacement, b: Displacement) -> Displacement {
    Displacement::new(a.x.saturating_add(b.x), a.y.saturating_add(b.y))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use cain_isa::program::Grid;
    use cain_isa::{Displacement, Fraction, Machine};
    use cain_search::Options;

    use super::check;
    use crate::declaration::{Builder, Declaration, Kind, Operation, Result as Outcome, Summand, Value};

    /// A sum that is moved east before it is read there, and what else of it is a result.
    fn declaration(grid: Grid, is_plane: bool) -> (Declaration, Value) {
        let mut builder = Builder::new("program", Machine::SCAMP5, Options::default());
        builder.begin();
        let image = builder.input("image", Kind::Levels { low: -128.0, high: 127.0 }, true);
        let at = |of, x| Summand { of, weight: Fraction::ONE, at: Displacement::new(x, 0) };
        let sum = |summands| Operation::Sum { summands, constant: Fraction::ZERO, numbers: vec![] };
        let first = builder.define(sum(vec![at(image, 0), at(image, 1)])).unwrap();
        let moved = builder.define(sum(vec![at(first, -2)])).unwrap();
        let bits = builder.define(Operation::Positive(moved)).unwrap();
        let read = builder.define(Operation::Read(bits, grid)).unwrap();
        builder.result("read", Outcome::Value(read));
        if is_plane {
            builder.result("plane", Outcome::Value(bits));
        }
        let statements = builder.end().statements();
        let mut declaration = builder.finish();
        declaration.body = statements;
        (declaration, first)
    }

    #[test]
    fn numbers_are_read_where_sums_are_defined() {
        let reach = [Displacement::new(-3, -1), Displacement::new(4, 2)];
        let least = |top: isize, left: isize, count: usize, is_plane: bool| {
            let (declaration, first) = declaration(Grid::new((top, left), (1, 1), (count, count)), is_plane);
            check(&declaration, &BTreeMap::from([(first, reach)])).ok()
        };
        // Two rows to the north, and five columns to the west.
        assert_eq!(least(2, 5, 10, false), Some(2 + 5 + 10));
        assert_eq!(least(1, 5, 10, false), None);
        assert_eq!(least(2, 4, 10, false), None);
        // Two columns to the east, and one row to the south.
        assert_eq!(least(2, 244, 10, false), Some(256));
        assert_eq!(least(2, 245, 10, false), None);
        assert_eq!(least(245, 5, 10, false), Some(256));
        assert_eq!(least(246, 5, 10, false), None);
        assert_eq!(least(2, 5, 10, true), None);
        let (all, _) = declaration(Grid::new((0, 0), (1, 1), (256, 256)), true);
        assert_eq!(check(&all, &BTreeMap::new()), Ok(0));
    }
}
