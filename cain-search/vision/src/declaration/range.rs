//! The ranges of numbers of the controller.

use super::build::{BuildError, Builder};
use super::number::{Arithmetic, Number};

impl Builder {
    /// Between which ends an expression is.
    pub fn range(&self, number: &Number) -> Result<(i64, i64), BuildError> {
        if let Some((of, by)) = rest(number) {
            let (low, high) = self.range(of)?;
            return Ok((0, if low < 0 { by - 1 } else { high.min(by - 1) }));
        }
        Ok(match number {
            Number::Constant(constant) => (*constant, *constant),
            Number::Value(value) => self.number(*value)?,
            Number::Comparison(_, of) => {
                of.iter().try_for_each(|number| self.range(number).map(|_| ()))?;
                (0, 1)
            }
            Number::Choice(of) => {
                self.range(&of[0])?;
                let (a, b) = (self.range(&of[1])?, self.range(&of[2])?);
                (a.0.min(b.0), a.1.max(b.1))
            }
            Number::Arithmetic(arithmetic, of) => {
                let (a, b) = (self.range(&of[0])?, self.range(&of[1])?);
                match arithmetic {
                    Arithmetic::Min => (a.0.min(b.0), a.1.min(b.1)),
                    Arithmetic::Max => (a.0.max(b.0), a.1.max(b.1)),
                    _ => {
                        let mut ends = vec![];
                        for x in [a.0, a.1] {
                            for y in [b.0, b.1, -1, 1].into_iter().filter(|y| (b.0..=b.1).contains(y)) {
                                ends.push(arithmetic.of(x, y));
                            }
                        }
                        if *arithmetic == Arithmetic::Divide && (b.0..=b.1).contains(&0) {
                            ends.push(0);
                        }
                        (ends.iter().copied().min().unwrap_or(0), ends.iter().copied().max().unwrap_or(0))
                    }
                }
            }
        })
    }
}

/// What is divided by a constant above 0, and the constant, of an expression that is the rest of the division.
fn rest(number: &Number) -> Option<(&Number, i64)> {
    let Number::Arithmetic(Arithmetic::Subtract, of) = number else { return None };
    let [whole, Number::Arithmetic(Arithmetic::Multiply, product)] = &**of else { return None };
    let [Number::Arithmetic(Arithmetic::Divide, quotient), Number::Constant(by)] = &**product else { return None };
    (*by > 0 && quotient[0] == *whole && quotient[1] == Number::Constant(*by)).then_some((whole, *by))
}
