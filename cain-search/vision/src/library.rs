//! What programs are often made of, in terms of the operations.

use cain_digital::Logic;
use cain_isa::{Direction, Displacement, Fraction};

use crate::declaration::{Arithmetic, Axis, BuildError, Builder, Kind, Number, Operation, Side, Summand, Until, Value};

/// The neighbours that morphology looks at, beside the PE itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// The four nearest ones.
    Cross,
    /// All eight around it.
    Square,
}

impl Shape {
    /// The places that it has.
    #[must_use]
    pub fn places(self) -> Vec<Displacement> {
        let all = (-1..=1).flat_map(|y| (-1..=1).map(move |x| Displacement::new(x, y)));
        all.filter(|at| self == Self::Square || at.x == 0 || at.y == 0).collect()
    }
}

impl Builder {
    /// A plane of one level.
    pub fn level(&mut self, level: Fraction) -> Result<Value, BuildError> {
        self.define(Operation::Sum { summands: Vec::new(), constant: level, numbers: Vec::new() })
    }

    /// The complement of bits.
    pub fn not(&mut self, bits: Value) -> Result<Value, BuildError> {
        self.define(Operation::Logic { function: Logic::Not(Box::new(pixel(0))), of: vec![bits] })
    }

    /// Bits that are 1 where all of some are.
    pub fn all(&mut self, of: &[Value]) -> Result<Value, BuildError> {
        let function = Logic::All((0..of.len()).map(pixel).collect());
        self.define(Operation::Logic { function, of: of.to_vec() })
    }

    /// Bits that are 1 where any of some is.
    pub fn any_of(&mut self, of: &[Value]) -> Result<Value, BuildError> {
        let function = Logic::Any((0..of.len()).map(pixel).collect());
        self.define(Operation::Logic { function, of: of.to_vec() })
    }

    /// Bits that are 1 within a shape around those that are.
    pub fn dilated(&mut self, bits: Value, shape: Shape) -> Result<Value, BuildError> {
        let function = Logic::Any(shape.places().into_iter().map(|at| Logic::pixel(0, at)).collect());
        self.define(Operation::Logic { function, of: vec![bits] })
    }

    /// Bits that are 1 where all within a shape are; outside of the array they are 0.
    pub fn eroded(&mut self, bits: Value, shape: Shape) -> Result<Value, BuildError> {
        let function = Logic::All(shape.places().into_iter().map(|at| Logic::pixel(0, at)).collect());
        self.define(Operation::Logic { function, of: vec![bits] })
    }

    /// A value to which a step is applied so many times, at most `most` times.
    pub fn iterated(
        &mut self,
        of: Value,
        times: Number,
        most: u32,
        step: impl FnOnce(&mut Self, Value) -> Result<Value, BuildError>,
    ) -> Result<Value, BuildError> {
        let times = self.define(Operation::Number(times))?;
        self.begin();
        let counter = self.given(Kind::Number { low: 0, high: most.into() });
        let inside = self.given(self.kind(of));
        let next = step(self, inside)?;
        let body = self.end();
        let after = self.repeat(most, Until::Passes(times), &[[of, inside, next]], counter, body)?;
        Ok(after[0])
    }

    /// The mask as far as it is reached from seeds within it, by so many steps to neighbours, or until nothing changes; from
    /// outside of the array too if that is wanted.
    pub fn flooded(
        &mut self,
        seeds: Value,
        mask: Value,
        steps: Option<Number>,
        most: u32,
        outside: bool,
    ) -> Result<Value, BuildError> {
        let first = self.all(&[seeds, mask])?;
        let border = if outside { Some(self.border()?) } else { None };
        let step = |builder: &mut Self, inside: Value| {
            let mut reached: Vec<Logic> = Shape::Cross.places().into_iter().map(|at| Logic::pixel(0, at)).collect();
            let mut of = vec![inside, mask];
            if let Some(border) = border {
                reached.push(pixel(2));
                of.push(border);
            }
            let function = Logic::All(vec![Logic::Any(reached), pixel(1)]);
            builder.define(Operation::Logic { function, of })
        };
        if let Some(steps) = steps {
            return self.iterated(first, steps, most, step);
        }
        self.begin();
        let counter = self.given(Kind::Number { low: 0, high: most.into() });
        let inside = self.given(Kind::Bits);
        let next = step(self, inside)?;
        let body = self.end();
        let after = self.repeat(most, Until::Stable(0), &[[first, inside, next]], counter, body)?;
        Ok(after[0])
    }

    /// The PEs at the border of the array.
    pub fn border(&mut self) -> Result<Value, BuildError> {
        let inner = Operation::Inside { area: [1, 1, 254, 254].map(Number::Constant) };
        let inner = self.define(inner)?;
        self.not(inner)
    }

    /// A plane moved to the east and to the north by numbers of the controller, at most `most` PEs along each axis.
    pub fn moved(&mut self, of: Value, [east, north]: [Number; 2], most: u32) -> Result<Value, BuildError> {
        let mut moved = of;
        for (number, directions) in
            [(east, [Direction::East, Direction::West]), (north, [Direction::North, Direction::South])]
        {
            for (direction, sign) in directions.into_iter().zip([1, -1]) {
                let scaled =
                    Number::Arithmetic(Arithmetic::Multiply, Box::new([number.clone(), Number::Constant(sign)]));
                let times = Number::Arithmetic(Arithmetic::Max, Box::new([scaled, Number::Constant(0)]));
                if self.range(&times)?.1 == 0 {
                    continue;
                }
                // What comes from the west moves to the east.
                let from = direction.opposite().displacement();
                moved = self.iterated(moved, times, most, |builder, inside| builder.read_at(inside, from))?;
            }
        }
        Ok(moved)
    }

    /// A plane as it is at another PE.
    pub fn read_at(&mut self, of: Value, at: Displacement) -> Result<Value, BuildError> {
        match self.kind(of) {
            Kind::Bits => self.define(Operation::Logic { function: Logic::pixel(0, at), of: vec![of] }),
            _ => self.define(Operation::Sum {
                summands: vec![Summand { of, weight: Fraction::ONE, at }],
                constant: Fraction::ZERO,
                numbers: Vec::new(),
            }),
        }
    }

    /// The smallest rectangle with all bits that are 1: its first row and column, its last row and column, and whether there is
    /// any.
    pub fn bounds(&mut self, of: Value) -> Result<Vec<Value>, BuildError> {
        let mut sides = Vec::new();
        for side in [Side::Top, Side::Left, Side::Bottom, Side::Right] {
            sides.push(self.define(Operation::Bound(of, side))?);
        }
        sides.push(self.define(Operation::Any(of))?);
        Ok(sides)
    }

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

    /// The row and the column of the first bit that is 1, and whether there is any.
    pub fn first(&mut self, of: Value) -> Result<Vec<Value>, BuildError> {
        let row = self.define(Operation::First(of, Axis::Row))?;
        let column = self.define(Operation::First(of, Axis::Column))?;
        Ok(vec![row, column, self.define(Operation::Any(of))?])
    }
}

fn largest_of(of: Value) -> (Value, fn(Value, Value) -> Operation) {
    (of, Operation::Max)
}

fn smallest_of(of: Value) -> (Value, fn(Value, Value) -> Operation) {
    (of, Operation::Min)
}

fn pixel(input: usize) -> Logic {
    Logic::pixel(input, Displacement::ZERO)
}
