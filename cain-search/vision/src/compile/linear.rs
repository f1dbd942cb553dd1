//! Weighted sums of planes, and what is added to them.

use cain_isa::program::Term;
use cain_isa::{Displacement, Fraction};
use cain_network::arithmetic::common;

use super::copies::{Reach, around, moved};
use super::numbers;
use crate::declaration::{Operation, Summand, Value, reach};

/// A plane as a weighted sum of others that are held or made in another way.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Linear {
    pub(super) summands: Vec<Summand>,
    pub(super) constant: Fraction,
    pub(super) numbers: Vec<(Fraction, Value)>,
    /// The planes, as often as they are read.
    pub(super) reads: Vec<Value>,
    /// The sums that are joined with it, and not made themselves.
    pub(super) joined: Vec<Value>,
    /// The PEs over which it may come.
    pub(super) reach: Reach,
}

impl Linear {
    pub(super) fn plane(of: Value) -> Self {
        Self::of(&[Summand { of, weight: Fraction::ONE, at: Displacement::ZERO }])
    }

    /// The sum of these, each of which is read once.
    pub(super) fn of(summands: &[Summand]) -> Self {
        Self {
            summands: summands.to_vec(),
            constant: Fraction::ZERO,
            numbers: vec![],
            reads: summands.iter().map(|summand| summand.of).collect(),
            joined: vec![],
            reach: reach(summands),
        }
    }

    /// What a sum adds to its planes.
    pub(super) fn added(operation: &Operation) -> Self {
        let mut added = Self::of(&[]);
        if let Operation::Sum { constant, numbers, .. } = operation {
            (added.constant, added.numbers) = (*constant, numbers.clone());
        }
        added
    }

    /// Whether nothing reads a plane any more after it, if it is still read so often.
    pub(super) fn is_last_read(&self, plane: Value, left: usize) -> bool {
        left <= self.reads.iter().filter(|read| **read == plane).count()
    }

    /// Whether nothing is added to the planes.
    pub(super) fn is_zero(&self) -> bool {
        self.numbers.is_empty() && self.constant == Fraction::ZERO
    }

    /// Whether what is added to the planes is a whole number.
    pub(super) fn is_whole(&self) -> bool {
        self.constant.denominator() == 1 && self.numbers.iter().all(|(weight, _)| weight.denominator() == 1)
    }

    /// What is added to the planes, as a formula; `None` if it is no whole number.
    #[expect(clippy::cast_precision_loss, reason = "numbers of a controller are small")]
    pub(super) fn formula(&self) -> Option<Vec<Term>> {
        let mut terms = vec![Term::Constant(self.constant.numerator() as f64)];
        for (weight, value) in &self.numbers {
            let number = Term::Number(numbers::place(*value));
            terms.extend([number, Term::Constant(weight.numerator() as f64), Term::Multiply, Term::Add]);
        }
        self.is_whole().then_some(terms)
    }

    /// The largest whole number of which all weights of planes are multiples, if it is more than 1.
    fn factor(&self) -> Option<Fraction> {
        let factor = self.summands.iter().map(|summand| summand.weight.abs()).try_fold(Fraction::ZERO, common)?;
        Some(factor).filter(|factor| factor.denominator() == 1 && *factor > Fraction::ONE)
    }

    /// A sum that leaves the range of registers only where this one does, of which this one is a multiple, plus what is left;
    /// `None` if there is none.
    pub(super) fn divided(&self) -> Option<(Self, Fraction, Self)> {
        let factor = self.factor()?;
        let mut divided = self.clone();
        for summand in &mut divided.summands {
            summand.weight = summand.weight.checked_div(factor)?;
        }
        let by = factor.numerator();
        let part = |of: Fraction| Fraction::new(of.numerator() / by, 1);
        let rest = |of: Fraction| Fraction::new(of.numerator() % by, 1);
        divided.constant = part(self.constant)?;
        divided.numbers.retain(|(weight, _)| weight.numerator() % by == 0);
        for (weight, _) in &mut divided.numbers {
            *weight = part(*weight)?;
        }
        let numbers = self.numbers.iter().filter(|(weight, _)| weight.numerator() % by != 0).copied().collect();
        let rest = Self { numbers, constant: rest(self.constant)?, ..Self::of(&[]) };
        let is_simple = self.summands.len() == 1 && divided.is_zero();
        (self.is_whole() && !is_simple).then_some((divided, factor, rest))
    }

    /// What is positive where it is: its weights are 1 or −1 if that is possible without fractions.
    pub(super) fn reduced(mut self) -> Self {
        let Some(first) = self.summands.first().map(|summand| summand.weight.abs()) else { return self };
        let is_equal = self.summands.iter().all(|summand| summand.weight.abs() == first);
        let Some(weight) = Some(first).filter(|_| is_equal).or_else(|| self.factor()) else { return self };
        let divided = |of: Fraction| of.checked_div(weight);
        let is_whole = |of: Fraction| divided(of).is_some_and(|of| of.denominator() == 1);
        if !is_whole(self.constant) || !self.numbers.iter().all(|(of, _)| is_whole(*of)) {
            return self;
        }
        let divide = |of: &mut Fraction| *of = divided(*of).unwrap_or(*of);
        self.summands.iter_mut().for_each(|summand| divide(&mut summand.weight));
        self.numbers.iter_mut().for_each(|(of, _)| divide(of));
        divide(&mut self.constant);
        self
    }

    /// Adds a multiple of another one, read at a displacement; `None` beyond exact arithmetic.
    pub(super) fn add(&mut self, other: &Self, weight: Fraction, at: Displacement) -> Option<()> {
        for summand in &other.summands {
            let weight = summand.weight.checked_mul(weight)?;
            let at = Displacement::new(summand.at.x.checked_add(at.x)?, summand.at.y.checked_add(at.y)?);
            match self.summands.iter_mut().find(|known| known.of == summand.of && known.at == at) {
                Some(known) => known.weight = known.weight.checked_add(weight)?,
                None => self.summands.push(Summand { of: summand.of, weight, at }),
            }
        }
        self.summands.retain(|summand| !summand.weight.is_zero());
        self.constant = self.constant.checked_add(other.constant.checked_mul(weight)?)?;
        for (of, number) in &other.numbers {
            self.numbers.push((of.checked_mul(weight)?, *number));
        }
        self.reads.extend(&other.reads);
        self.joined.extend(&other.joined);
        self.reach = around(self.reach, moved(other.reach, at));
        Some(())
    }
}
