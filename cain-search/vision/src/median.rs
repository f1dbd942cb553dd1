//! The median of a PE and the eight around it, in terms of the operations.

use cain_digital::Logic;
use cain_isa::{Direction, Displacement, Fraction};

use crate::declaration::{BuildError, Builder, Kind, Operation, Summand, Value};

impl Builder {
    /// The median of a PE and the eight around it: columns are sorted first, which neighbours share.
    pub fn median_of_nine(&mut self, of: Value) -> Result<Value, BuildError> {
        let [north, south] = [Direction::North, Direction::South].map(cain_isa::Direction::displacement);
        let (north, south) = (self.read_at(of, north)?, self.read_at(of, south)?);
        let [upper, lower] = self.sorted(north, south)?;
        let [largest, upper] = self.sorted(upper, of)?;
        let [middle, smallest] = self.sorted(upper, lower)?;
        let largest = self.extreme_of_three(smallest_of(largest))?;
        let smallest = self.extreme_of_three(largest_of(smallest))?;
        let west = self.read_at(middle, Direction::West.displacement())?;
        let east = self.read_at(middle, Direction::East.displacement())?;
        let middle = self.median_of_three([east, middle, west])?;
        self.median_of_three([smallest, middle, largest])
    }

    /// The larger and the smaller one of two planes.
    fn sorted(&mut self, a: Value, b: Value) -> Result<[Value; 2], BuildError> {
        Ok([self.define(Operation::Max(a, b))?, self.define(Operation::Min(a, b))?])
    }

    fn median_of_three(&mut self, [a, b, c]: [Value; 3]) -> Result<Value, BuildError> {
        let [upper, lower] = self.sorted(a, b)?;
        let upper = self.define(Operation::Min(upper, c))?;
        self.define(Operation::Max(lower, upper))
    }

    /// An extreme of a plane in a PE and in those to the west and to the east of it.
    fn extreme_of_three(&mut self, (of, join): (Value, fn(Value, Value) -> Operation)) -> Result<Value, BuildError> {
        let east = self.read_at(of, Direction::East.displacement())?;
        let two = self.define(join(of, east))?;
        let west = self.read_at(two, Direction::West.displacement())?;
        self.define(join(two, west))
    }

    /// A plane as it is at another PE.
    fn read_at(&mut self, of: Value, at: Displacement) -> Result<Value, BuildError> {
        match self.kind(of) {
            Kind::Bits => self.define(Operation::Logic { function: Logic::pixel(0, at), of: vec![of] }),
            _ => self.define(Operation::Sum {
                summands: vec![Summand { of, weight: Fraction::ONE, at }],
                constant: Fraction::ZERO,
                numbers: Vec::new(),
            }),
        }
    }
}

fn largest_of(of: Value) -> (Value, fn(Value, Value) -> Operation) {
    (of, Operation::Max)
}

fn smallest_of(of: Value) -> (Value, fn(Value, Value) -> Operation) {
    (of, Operation::Min)
}
