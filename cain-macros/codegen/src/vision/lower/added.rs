//! What is added to levels, in steps that the controller can set: whole levels between −128 and 127.

use cain_isa::Fraction;
use cain_vision::declaration::{Arithmetic, Kind, Number, Parameter, Value};
use proc_macro2::Span;

use super::linear::Linear;
use super::numbers::arithmetic;
use super::{Lowering, Made};

/// The least and the largest level that the controller can set.
const LEVELS: (i64, i64) = (-128, 127);
/// The most steps that are added beside the first one.
const MOST_STEPS: i64 = 4;
/// What is larger is the result of numbers whose range nobody has declared.
const UNLIMITED: i64 = 1 << 40;
/// The most parts of a level.
const MOST_PARTS: i64 = 128;

impl Lowering<'_> {
    /// A sum in which whole levels between −128 and 127 are added to planes: what is more is added in several steps, and parts of
    /// levels are halves of other levels.
    pub(super) fn settable(&mut self, linear: &Linear, at: Span) -> Made<Linear> {
        let (planes, whole, parts) = linear.split();
        if parts.is_zero() && self.is_settable(&whole) {
            return Ok(linear.clone());
        }
        let (sum, added) = if parts.is_zero() {
            (planes, whole)
        } else {
            // Without a second step, if what is added can be halved as a whole.
            let all = whole.clone().plus(&parts, Fraction::ONE).unwrap_or_default();
            match self.halved(&all) {
                Some(halved) => (self.with_parts(planes, &halved, at)?, Linear::default()),
                None => match self.halved(&parts) {
                    Some(halved) => (self.with_parts(planes, &halved, at)?, whole),
                    None => return Err(self.not_settable(&all, at)),
                },
            }
        };
        self.in_steps(sum, &added, at)
    }

    /// A sum, and parts of levels: how often they are halved, and of what.
    fn with_parts(&mut self, planes: Linear, (halvings, of): &(Fraction, Linear), at: Span) -> Made<Linear> {
        let of = self.define(of.operation(), at)?;
        planes.plus(&Linear::plane(of), *halvings).ok_or(super::Told)
    }

    /// Levels whose halves, a few times, are parts of levels; `None` if there are none.
    fn halved(&self, parts: &Linear) -> Option<(Fraction, Linear)> {
        let denominator = parts.denominator()?;
        let is_known = denominator <= MOST_PARTS && denominator.count_ones() == 1;
        let of = parts.times(Fraction::new(denominator, 1)?).filter(|_| is_known)?;
        self.is_settable(&of).then_some((Fraction::new(1, denominator)?, of))
    }

    /// A sum with what is added to it in one step after the other.
    fn in_steps(&mut self, mut sum: Linear, added: &Linear, at: Span) -> Made<Linear> {
        let (low, high) = self.added_range(added);
        let (least, most) = LEVELS;
        if (low < least || high > most) && sum.size() == 0 {
            return Err(self.not_settable(added, at));
        }
        let (up, down) = ((high - 1).max(0) / most, low.min(0) / least);
        if up + down > MOST_STEPS {
            return Err(self.not_settable(added, at));
        }
        let number = self.number_of(added, at)?;
        let clamped = |number: Number, low: i64, high: i64| {
            let number = arithmetic(Arithmetic::Max, number, Number::Constant(low));
            arithmetic(Arithmetic::Min, number, Number::Constant(high))
        };
        let mut steps = vec![clamped(number.clone(), least, most)];
        let beyond = |by: i64| arithmetic(Arithmetic::Subtract, number.clone(), Number::Constant(by));
        let (mut reached, mut sunk) = (most, least);
        while high > reached {
            steps.push(clamped(beyond(reached), 0, most));
            reached += most;
        }
        while low < sunk {
            steps.push(clamped(beyond(sunk), least, 0));
            sunk += least;
        }
        let last = steps.pop();
        let wide = self.wide(added);
        for step in steps {
            let step = self.level_of(step, at)?;
            let next = sum.plus(&step, Fraction::ONE).ok_or(super::Told)?;
            let plane = self.define(next.operation(), at)?;
            self.wide.insert(plane, wide.clone());
            sum = Linear::plane(plane);
        }
        let last = last.map_or_else(|| Ok(Linear::default()), |last| self.level_of(last, at))?;
        sum.plus(&last, Fraction::ONE).ok_or(super::Told)
    }

    /// What is said about a number that is added in several steps, where planes of the sums in between are too many.
    fn wide(&self, added: &Linear) -> String {
        let (least, most) = LEVELS;
        let (constant, mut numbers) = added.added();
        let cause = format!("the controller sets levels from {least} to {most}");
        let one = numbers.next().filter(|_| numbers.next().is_none());
        let is_it = |of: Value| self.builder.parameters().iter().find(|parameter| parameter.value == of);
        let parts = one.and_then(|(of, weight)| {
            let Parameter { name, range: (low, high), .. } = is_it(of)?;
            let (weight, constant) = (weight.numerator(), constant.numerator());
            let fits = |number: &i64| {
                let sum = number.checked_mul(weight).and_then(|product| product.checked_add(constant));
                sum.is_some_and(|sum| (least..=most).contains(&sum))
            };
            let (first, last) = ((*low..=*high).find(fits)?, (*low..=*high).rev().find(fits)?);
            Some(format!("{cause}, so that with `{name}` from {low} to {high}, a plane is kept for each sum here; declare it with \
                          the range `{first}..={last}`"))
        });
        let (low, high) = self.added_range(added);
        parts.unwrap_or_else(|| {
            format!("{cause}, so that a plane is kept for each sum here, to which {low} to {high} is added; give that a smaller range")
        })
    }

    /// A number as something that is added.
    fn level_of(&mut self, number: Number, at: Span) -> Made<Linear> {
        match number {
            Number::Constant(constant) => Ok(Linear::constant(Fraction::new(constant, 1).unwrap_or_default())),
            number => Ok(Linear::number(self.number_value(number, at)?)),
        }
    }

    /// What is added, as a number of the controller.
    fn number_of(&mut self, added: &Linear, at: Span) -> Made<Number> {
        let (constant, numbers) = added.added();
        let mut sum = Number::Constant(constant.numerator());
        for (of, weight) in numbers {
            let product = arithmetic(Arithmetic::Multiply, Number::Value(of), Number::Constant(weight.numerator()));
            sum = arithmetic(Arithmetic::Add, product, sum);
        }
        // Each step reads it.
        match sum {
            Number::Constant(_) => Ok(sum),
            sum => Ok(Number::Value(self.number_value(sum, at)?)),
        }
    }

    /// Whether the controller can set what is added, all of which is whole.
    fn is_settable(&self, added: &Linear) -> bool {
        let (low, high) = self.added_range(added);
        LEVELS.0 <= low && high <= LEVELS.1
    }

    /// Between which whole numbers what is added is.
    fn added_range(&self, added: &Linear) -> (i64, i64) {
        let (constant, numbers) = added.added();
        let begin = constant.numerator();
        numbers.fold((begin, begin), |(low, high), (of, weight)| {
            let Kind::Number { low: least, high: most } = self.builder.kind(of) else { return (low, high) };
            let ends = [least, most].map(|end| end.saturating_mul(weight.numerator()));
            (low.saturating_add(ends[0].min(ends[1])), high.saturating_add(ends[0].max(ends[1])))
        })
    }

    fn not_settable(&mut self, added: &Linear, at: Span) -> super::Told {
        let (least, most) = LEVELS;
        if added.denominator().is_none_or(|denominator| denominator > MOST_PARTS || denominator.count_ones() != 1) {
            let (constant, _) = added.added();
            let message = format!(
                "what is added to levels is whole, or made of halves, quarters and so on to 1/{MOST_PARTS}, not {constant}"
            );
            return self.wrong(at, message);
        }
        let scaled = added.denominator().and_then(|by| added.times(Fraction::new(by, 1)?));
        let (low, high) = self.added_range(scaled.as_ref().unwrap_or(added));
        let by = added.denominator().unwrap_or(1);
        let number = if low < -UNLIMITED || high > UNLIMITED {
            "a number without a range".to_owned()
        } else {
            let [low, high] = [low, high].map(|end| if by == 1 { end.to_string() } else { format!("{end}/{by}") });
            if low == high { format!("the number {low}") } else { format!("a number from {low} to {high}") }
        };
        let message = format!(
            "this adds {number} to levels, which are from {least} to {most}; give its parts a smaller range, as in \
             `clamp(n, {least}, {most})` or `state n: {least}..={most} = 0`"
        );
        self.wrong(at, message)
    }
}
