//! Whether two diagrams are equal for all levels, bits and sizes of the array.

use cain_isa::{Displacement, Fraction};

use super::Failure;
use super::diagram::{Diagram, Diagrams, Node, Variable};
use super::form::{Atom, Form};

/// The most cases in which two diagrams may differ at first sight.
const MOST_CASES: usize = 20_000;
/// The most inequalities that are looked at in one of them.
const MOST_INEQUALITIES: usize = 400;

impl Diagrams {
    /// Whether a diagram is as it is wanted, where that is defined.
    pub(super) fn are_equal(&self, a: Diagram, b: Diagram) -> Result<bool, Failure> {
        let mut cases = 0;
        self.equal_in(a, b, &mut Vec::new(), &mut cases)
    }

    fn equal_in(
        &self,
        a: Diagram,
        b: Diagram,
        path: &mut Vec<(usize, bool)>,
        cases: &mut usize,
    ) -> Result<bool, Failure> {
        if a == b || b == Self::UNDEFINED {
            return Ok(true);
        }
        let own = |of: Diagram| if let Node::Branch { variable, .. } = self.node(of) { Some(*variable) } else { None };
        let Some(variable) = own(a).into_iter().chain(own(b)).min() else {
            *cases += 1;
            if *cases > MOST_CASES {
                return Err(Failure::TooLarge);
            }
            return self.equal_leaves(a, b, path);
        };
        let (parts_a, parts_b) = (self.parts(a, variable), self.parts(b, variable));
        for (side, bit) in [(0, true), (1, false)] {
            path.push((variable, bit));
            let is_impossible = self.is_impossible_at_the_border(path) || self.is_impossible_beside_another(path)?;
            let is_equal = is_impossible || self.equal_in(parts_a[side], parts_b[side], path, cases)?;
            path.pop();
            if !is_equal {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether two different leaves are equal in a case, or the case is impossible.
    fn equal_leaves(&self, a: Diagram, b: Diagram, path: &[(usize, bool)]) -> Result<bool, Failure> {
        let mut known = Vec::new();
        for assumed in path {
            known.extend(self.inequality(assumed)?);
        }
        if contradict(known.clone())? {
            return Ok(true);
        }
        let (Node::Form(a), Node::Form(b)) = (self.node(a), self.node(b)) else { return Ok(false) };
        let difference = a.clone().plus(Fraction::from(-1), b)?;
        for sign in [1, -1] {
            let form = difference.times(Fraction::from(sign))?;
            let with = known.iter().cloned().chain([Inequality { form, is_strict: true }]).collect();
            if !contradict(with)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What is assumed about a sum.
    fn inequality(&self, (variable, bit): &(usize, bool)) -> Result<Option<Inequality>, Failure> {
        Ok(match self.variable_of(*variable) {
            Variable::Positive(form) if *bit => Some(Inequality { form: form.clone(), is_strict: true }),
            Variable::Positive(form) => Some(Inequality { form: form.times(Fraction::from(-1))?, is_strict: false }),
            _ => None,
        })
    }

    /// Whether the last assumption contradicts another one alone.
    fn is_impossible_beside_another(&self, path: &[(usize, bool)]) -> Result<bool, Failure> {
        let Some((last, others)) = path.split_last() else { return Ok(false) };
        let Some(last) = self.inequality(last)? else { return Ok(false) };
        for other in others {
            if let Some(other) = self.inequality(other)? {
                let form = last.form.clone().plus(Fraction::ONE, &other.form)?;
                if (Inequality { form, is_strict: last.is_strict || other.is_strict }).is_false() {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Whether a bit is 1 outside of the array, or a PE between two others is not on it.
    fn is_impossible_at_the_border(&self, path: &[(usize, bool)]) -> bool {
        let mut there: Vec<Displacement> = Vec::new();
        let mut not_there: Vec<Displacement> = Vec::new();
        for (variable, bit) in path {
            let at = match self.variable_of(*variable) {
                Variable::Column(at) => Displacement::new(*at, 0),
                Variable::Row(at) => Displacement::new(0, *at),
                Variable::Bit(_, at) | Variable::Inside(_, at) | Variable::Pattern(_, at) if *bit => *at,
                _ => continue,
            };
            if *bit { there.push(at) } else { not_there.push(at) }
        }
        let reaches = |far: i16, near: i16| near != 0 && far.signum() == near.signum() && far.abs() >= near.abs();
        not_there.iter().any(|not| there.iter().any(|at| reaches(at.x, not.x) || reaches(at.y, not.y)))
    }
}

/// A sum that is positive, or not negative.
#[derive(Clone, Debug, PartialEq)]
struct Inequality {
    form: Form,
    is_strict: bool,
}

/// Whether inequalities contradict each other: one unknown after the other is eliminated.
fn contradict(mut all: Vec<Inequality>) -> Result<bool, Failure> {
    loop {
        if all.iter().any(Inequality::is_false) {
            return Ok(true);
        }
        let Some(atom) = all.iter().find_map(|of| of.form.terms.keys().next().copied()) else { return Ok(false) };
        let (with, rest): (Vec<_>, Vec<_>) = all.into_iter().partition(|of| of.form.terms.contains_key(&atom));
        all = rest;
        let (above, below): (Vec<_>, Vec<_>) = with.into_iter().partition(|of| of.weight(atom) > Fraction::ZERO);
        for one in &above {
            for other in &below {
                let factor = one.weight(atom).checked_div(other.weight(atom).abs()).ok_or(Failure::TooLarge)?;
                let form = one.form.clone().plus(factor, &other.form)?;
                let joined = Inequality { form, is_strict: one.is_strict || other.is_strict };
                if !all.contains(&joined) {
                    all.push(joined);
                }
            }
        }
        if all.len() > MOST_INEQUALITIES {
            return Ok(false);
        }
    }
}

impl Inequality {
    fn weight(&self, atom: Atom) -> Fraction {
        self.form.terms.get(&atom).copied().unwrap_or(Fraction::ZERO)
    }

    fn is_false(&self) -> bool {
        let constant = self.form.as_constant();
        constant.is_some_and(|constant| constant < Fraction::ZERO || constant.is_zero() && self.is_strict)
    }
}
