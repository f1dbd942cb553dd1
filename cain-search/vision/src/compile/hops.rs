//! A plane as another PE has it, less planes that are here: over two PEs with two words, without a search.
//!
//! No program has fewer words: a plane that is written to `NEWS` or to a port is read at most two PEs further, in another word.

use cain_isa::{Bus, Cell, Displacement, Fraction, PlaneOperation, Reg};

use super::copies::{Copied, moved_on};
use super::linear::Linear;
use super::memory::{apart, length, ports};
use super::{CompileError, Compiler};
use crate::declaration::{Operation, Summand, Value};

/// The most PEs over which two words bring a plane.
const HOP: u16 = 2;

/// The plane from another PE, and those that are subtracted, if a sum is nothing else.
fn displaced_less(linear: &Linear) -> Option<(&Summand, Vec<Value>)> {
    let (from, less): (Vec<&Summand>, Vec<&Summand>) =
        linear.summands.iter().partition(|summand| summand.at != Displacement::ZERO);
    let &[from] = from.as_slice() else { return None };
    let minus_one = Fraction::from(-1);
    let is_less = less.len() < Bus::MAX_SOURCES && less.iter().all(|summand| summand.weight == minus_one);
    (from.weight == Fraction::ONE && is_less).then(|| (from, less.iter().map(|summand| summand.of).collect()))
}

/// The last PEs on the way over a displacement: one along each axis, or two along one; one if it is of an odd length.
fn last_hop(by: Displacement) -> Displacement {
    let (x, y) = (by.x.signum(), by.y.signum());
    match (length(by) % HOP, x, y) {
        (0, _, 0) => Displacement::new(2 * x, 0),
        (0, 0, _) => Displacement::new(0, 2 * y),
        (0, ..) => Displacement::new(x, y),
        (_, 0, _) => Displacement::new(0, y),
        _ => Displacement::new(x, 0),
    }
}

impl Compiler<'_> {
    /// Makes a plane from another PE less planes that are here, of which all are held; the register that has it then. What is on
    /// the way stays, as a copy for others. `None` for other sums, and if there is no register.
    pub(super) fn hopped(
        &mut self,
        value: Value,
        linear: &Linear,
        given_up: &[Reg],
    ) -> Result<Option<Reg>, CompileError> {
        let Some((summand, less)) = displaced_less(linear) else { return Ok(None) };
        let own = self.reg(summand.of)?;
        let less = less.into_iter().map(|plane| self.reg(plane)).collect::<Result<Vec<_>, _>>()?;
        let free = self.registers.free(self.wanted_reg(value));
        // No word reads a register that it writes.
        let own_is_free = given_up.contains(&own) && !less.contains(&own);
        let out = match free.first() {
            Some(reg) if self.wanted_reg(value) == Some(*reg) || !own_is_free => *reg,
            _ if own_is_free => own,
            _ => return Ok(None),
        };
        let Some((mut from, copy)) = self.nearest_copy(summand, false, linear.reach) else { return Ok(None) };
        let mut by = apart(summand.at, copy.at);
        if length(by) > HOP {
            let last = last_hop(by);
            let way = apart(by, last);
            let mut others = free.iter().copied().filter(|reg| *reg != out);
            let empty = others.clone().find(|reg| !self.registers.is_copy(*reg));
            let moves_on = others.clone().find(|reg| *reg == from);
            let to = empty.or(moves_on).or(others.next()).unwrap_or(out);
            self.operation(value, PlaneOperation::Shift { y: to, x: from, from: way })?;
            self.registers
                .remember(to, Copied { at: apart(summand.at, last), reach: moved_on(copy.reach, way), ..copy });
            (from, by) = (to, last);
        }
        let (pushed, seen) = ports(by);
        let cells: Vec<Cell> = std::iter::once(seen).chain(less.into_iter().map(Cell::from)).collect();
        self.words(value, &[(&[pushed], &[from.into()]), (&[out.into()], &cells)])?;
        Ok(Some(out))
    }

    /// The negative of a sum that nothing else reads, if that is made in hops.
    pub(super) fn turned(&self, of: Value) -> Option<Operation> {
        let Operation::Sum { summands, constant, numbers } = self.pending.get(&of)? else { return None };
        let mut linear = self.linear(of);
        linear.summands.iter_mut().for_each(|summand| summand.weight = summand.weight.negated());
        let is_hopped = linear.is_zero() && displaced_less(&linear).is_some();
        (is_hopped && self.uses.left(of) == 1).then(|| Operation::Sum {
            summands: summands.iter().map(|summand| Summand { weight: summand.weight.negated(), ..*summand }).collect(),
            constant: constant.negated(),
            numbers: numbers.iter().map(|(weight, number)| (weight.negated(), *number)).collect(),
        })
    }
}
