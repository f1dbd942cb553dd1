//! What a program needs of its values, and how often.

use std::collections::BTreeSet;

use crate::declaration::{Declaration, Number, Operation, Result as Outcome, Statement, Until, Value};

/// How often each value is still read.
#[derive(Clone, Debug)]
pub(super) struct Uses {
    left: Vec<usize>,
}

impl Uses {
    /// The reads of everything that results and states need; values that nothing needs have none.
    pub(super) fn of(declaration: &Declaration) -> Self {
        let mut uses = Self { left: vec![0; declaration.values.len()] };
        for result in &declaration.results {
            match &result.of {
                Outcome::Value(value) | Outcome::Events(value, _) => uses.left[value.0] += 1,
                Outcome::Numbers(values) | Outcome::Tuple(values) => {
                    for value in values {
                        uses.left[value.0] += 1;
                    }
                }
                Outcome::List(_) => {}
            }
        }
        for state in declaration.states.iter().filter(|state| state.next != state.before) {
            uses.left[state.next.0] += 1;
        }
        // Values are made before they are read, so the last statements come first.
        uses.body(&declaration.body);
        uses
    }

    fn body(&mut self, body: &[Statement]) {
        for statement in body.iter().rev() {
            match statement {
                Statement::Define { value, operation } => {
                    if self.left[value.0] > 0 {
                        let left = &mut self.left;
                        operands(operation, &mut |operand| left[operand.0] += 1);
                    }
                }
                Statement::List { numbers, .. } => numbers.iter().for_each(|number| self.left[number.0] += 1),
                Statement::Decide(decision) => {
                    for joined in &decision.joined {
                        if self.left[joined.value.0] > 0 {
                            for value in [joined.then, joined.otherwise] {
                                self.left[value.0] += 1;
                            }
                        }
                    }
                    self.body(&decision.then);
                    self.body(&decision.otherwise);
                    self.left[decision.condition.0] += 1;
                }
                Statement::Loop(of) => {
                    // What a pass leaves may be what the next one needs.
                    of.carried.iter().for_each(|carried| self.left[carried.next.0] += 1);
                    if let Until::Stable(carried) = of.until {
                        self.left[of.carried[carried].inside.0] += 1;
                    }
                    self.body(&of.body);
                    if let Until::Fails { statements, condition } = &of.until {
                        self.left[condition.0] += 1;
                        self.body(statements);
                    }
                    if let Until::Passes(count) = &of.until {
                        self.left[count.0] += 1;
                    }
                    of.carried.iter().for_each(|carried| self.left[carried.first.0] += 1);
                }
            }
        }
    }

    /// How often a body reads each value, of what is still needed.
    pub(super) fn within(&self, body: &[Statement]) -> Self {
        let mut reads = Self { left: vec![0; self.left.len()] };
        let mut all = Self { left: self.left.clone() };
        all.body(body);
        for (read, (after, before)) in reads.left.iter_mut().zip(all.left.iter().zip(&self.left)) {
            *read = after - before;
        }
        reads
    }

    /// A value that is read once, which the declaration does not have.
    pub(super) fn more(&mut self) -> Value {
        self.left.push(1);
        Value(self.left.len() - 1)
    }

    pub(super) fn left(&self, value: Value) -> usize {
        self.left[value.0]
    }

    /// One read more, to hold a value for longer.
    pub(super) fn pin(&mut self, value: Value) {
        self.left[value.0] += 1;
    }

    /// A read is done; whether it was the last one.
    pub(super) fn done(&mut self, value: Value) -> bool {
        let left = &mut self.left[value.0];
        *left = left.saturating_sub(1);
        *left == 0
    }
}

/// The values that an operation reads, each as often as it is read.
pub(super) fn operands(operation: &Operation, each: &mut impl FnMut(Value)) {
    match operation {
        Operation::Sum { summands, numbers, .. } => {
            for summand in summands {
                each(summand.of);
            }
            for (_, number) in numbers {
                each(*number);
            }
        }
        Operation::Abs(of)
        | Operation::Positive(of)
        | Operation::Any(of)
        | Operation::Count(of)
        | Operation::Bound(of, _)
        | Operation::First(of, _)
        | Operation::Total(of)
        | Operation::Read(of, _) => each(*of),
        Operation::Max(a, b) | Operation::Min(a, b) => [*a, *b].into_iter().for_each(each),
        Operation::Select { bits, then, otherwise } => [*bits, *then, *otherwise].into_iter().for_each(each),
        Operation::Logic { of, .. } => of.iter().copied().for_each(each),
        Operation::Inside { area } => area.iter().for_each(|number| terms(number, each)),
        Operation::Pattern(_) => {}
        Operation::Number(number) => terms(number, each),
    }
}

/// The values that an expression of the controller reads.
fn terms(number: &Number, each: &mut impl FnMut(Value)) {
    match number {
        Number::Constant(_) => {}
        Number::Value(value) => each(*value),
        Number::Arithmetic(_, of) | Number::Comparison(_, of) => of.iter().for_each(|number| terms(number, each)),
        Number::Choice(of) => of.iter().for_each(|number| terms(number, each)),
    }
}

/// Whether bits of neighbours are read in a body.
pub(super) fn reads_neighbours(body: &[Statement]) -> bool {
    body.iter().any(|statement| match statement {
        Statement::Define { operation: Operation::Logic { function, .. }, .. } => {
            function.pixels().into_iter().any(|(_, _, at)| at != cain_isa::Displacement::ZERO)
        }
        other => other.bodies().into_iter().any(reads_neighbours),
    })
}

/// The values that a body reads and does not make itself.
pub(super) fn free(body: &[Statement]) -> BTreeSet<Value> {
    let (mut read, mut made) = (BTreeSet::new(), BTreeSet::new());
    collect(body, &mut read, &mut made);
    read.difference(&made).copied().collect()
}

fn collect(body: &[Statement], read: &mut BTreeSet<Value>, made: &mut BTreeSet<Value>) {
    for statement in body {
        match statement {
            Statement::Define { value, operation } => {
                operands(operation, &mut |operand| {
                    read.insert(operand);
                });
                made.insert(*value);
            }
            Statement::List { numbers, .. } => read.extend(numbers),
            Statement::Decide(decision) => {
                read.insert(decision.condition);
                collect(&decision.then, read, made);
                collect(&decision.otherwise, read, made);
                for joined in &decision.joined {
                    read.extend([joined.then, joined.otherwise]);
                    made.insert(joined.value);
                }
            }
            Statement::Loop(of) => {
                if let Until::Fails { statements, condition } = &of.until {
                    collect(statements, read, made);
                    read.insert(*condition);
                }
                if let Until::Passes(count) = &of.until {
                    read.insert(*count);
                }
                collect(&of.body, read, made);
                made.insert(of.counter);
                for carried in &of.carried {
                    read.extend([carried.first, carried.next]);
                    made.extend([carried.inside, carried.after]);
                }
            }
        }
    }
}
