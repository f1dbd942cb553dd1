//! How near to the border of the array planes are defined.

use std::collections::BTreeMap;

use cain_vision::declaration::{Declaration, Kind, Operation, Statement, Until, Value, reach};

/// How many rows and columns are not defined in the west, the south, the east and the north.
type Margins = [usize; 4];

/// Where the values of a declaration are defined, whatever they are and however often loops go on.
pub(crate) struct Borders<'d> {
    declaration: &'d Declaration,
    of: BTreeMap<Value, Margins>,
}

impl<'d> Borders<'d> {
    /// Before the first frame.
    pub(crate) fn new(declaration: &'d Declaration) -> Self {
        Self { declaration, of: BTreeMap::new() }
    }

    /// What a frame makes of what states were before it.
    pub(crate) fn frame(&mut self) {
        self.run(&self.declaration.body);
    }

    /// What is not defined comes into the next frame with states.
    pub(crate) fn end(&mut self) {
        let next = |state: &cain_vision::declaration::State| (state.before, self.margins(state.next));
        self.of = self.declaration.states.iter().map(next).collect();
    }

    /// Whether a value is defined in a PE of an array of so many rows and columns.
    pub(crate) fn is_defined(&self, value: Value, pe: usize, side: usize) -> bool {
        let [west, south, east, north] = self.margins(value);
        let (row, column) = (pe / side, pe % side);
        row >= north && row + south < side && column >= west && column + east < side
    }

    fn margins(&self, value: Value) -> Margins {
        self.of.get(&value).copied().unwrap_or_default()
    }

    fn run(&mut self, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::Define { value, operation } => {
                    let margins = self.operation(operation);
                    self.of.insert(*value, margins);
                }
                Statement::List { .. } => {}
                Statement::Decide(decision) => {
                    self.run(&decision.then);
                    self.run(&decision.otherwise);
                    for joined in &decision.joined {
                        let margins = self.all([joined.then, joined.otherwise]);
                        self.of.insert(joined.value, margins);
                    }
                }
                Statement::Loop(of) => {
                    let mut most = of.most;
                    if let Until::Passes(count) = of.until
                        && let Kind::Number { high, .. } = self.declaration.values[count.0]
                    {
                        most = most.min(u32::try_from(high).unwrap_or_default());
                    }
                    for carried in &of.carried {
                        self.of.insert(carried.inside, self.margins(carried.first));
                    }
                    for _ in 0..most {
                        self.run(of.until.statements());
                        self.run(&of.body);
                        // After this pass, or after fewer.
                        let next = of.carried.iter().map(|carried| self.all([carried.inside, carried.next]));
                        let next: Vec<Margins> = next.collect();
                        if of.carried.iter().zip(&next).all(|(carried, next)| self.margins(carried.inside) == *next) {
                            break;
                        }
                        self.of.extend(of.carried.iter().map(|carried| carried.inside).zip(next));
                    }
                    for carried in &of.carried {
                        self.of.insert(carried.after, self.margins(carried.inside));
                    }
                }
            }
        }
    }

    fn operation(&self, operation: &Operation) -> Margins {
        match operation {
            Operation::Sum { summands, .. } => {
                let [low, high] = reach(summands);
                let read = [-low.x, -low.y, high.x, high.y].map(|along| along.unsigned_abs().into());
                summands.iter().fold(read, |margins, summand| {
                    let at = summand.at;
                    widest(margins, moved(self.margins(summand.of), at.x, at.y))
                })
            }
            // Bits outside of the array are 0.
            Operation::Logic { function, of } => {
                let pixels = function.pixels();
                let read = pixels.iter().map(|(input, _, at)| moved(self.margins(of[*input]), at.x, at.y));
                read.fold(Margins::default(), widest)
            }
            Operation::Abs(of) | Operation::Positive(of) => self.margins(*of),
            Operation::Max(a, b) | Operation::Min(a, b) => self.all([*a, *b]),
            Operation::Select { bits, then, otherwise } => self.all([*bits, *then, *otherwise]),
            _ => Margins::default(),
        }
    }

    fn all<const N: usize>(&self, values: [Value; N]) -> Margins {
        values.iter().fold(Margins::default(), |margins, value| widest(margins, self.margins(*value)))
    }
}

/// Where both are defined.
fn widest(a: Margins, b: Margins) -> Margins {
    std::array::from_fn(|side| a[side].max(b[side]))
}

/// Where a plane is defined that is read so far to the east and to the north.
fn moved(of: Margins, x: i16, y: i16) -> Margins {
    let by = [-x, -y, x, y];
    std::array::from_fn(|side| if of[side] == 0 { 0 } else { of[side].saturating_add_signed(by[side].into()) })
}
