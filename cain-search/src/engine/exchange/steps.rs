//! The interface between the exchange of values and instruction sets.

use super::Set;
use super::filter::{Filter, Sieve};
use super::held::{Held, Place, Table};
use crate::engine::step::{FormId, MAX_OPERANDS};
use crate::engine::terms::Term;
use crate::engine::values::ValueStep;

/// An instruction on known values, which are given by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Way {
    pub(crate) form: FormId,
    /// The operands at the front, in the order of the instruction's sources.
    operands: [Option<usize>; MAX_OPERANDS],
}

impl Way {
    /// A way with these operands, at most [`MAX_OPERANDS`] of them.
    pub(crate) fn new(form: FormId, operands: &[usize]) -> Self {
        let mut all = [None; MAX_OPERANDS];
        for (slot, operand) in all.iter_mut().zip(operands) {
            *slot = Some(*operand);
        }
        Self { form, operands: all }
    }

    pub(crate) fn operands(&self) -> impl Iterator<Item = usize> + '_ {
        self.operands.iter().flatten().copied()
    }
}

/// The nodes that one way of making a node needs, and the cells that it writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Needs {
    /// The nodes that it reads in registers.
    pub(crate) registers: Set,
    /// The nodes that it reads in two registers.
    pub(crate) copies: Set,
    /// The node that it reads in NEWS, as a set of at most one.
    pub(crate) news: Set,
    /// The nodes whose registers the result may overwrite.
    pub(crate) overwritten: Set,
    /// The number of cells that it writes.
    pub(crate) cells: usize,
}

impl Needs {
    pub(super) fn nodes(&self) -> Set {
        self.registers | self.news
    }

    pub(super) fn sets(&mut self) -> [&mut Set; 4] {
        [&mut self.registers, &mut self.copies, &mut self.news, &mut self.overwritten]
    }

    /// Whether it has the same needs, whatever may be overwritten.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        *self == Self { overwritten: self.overwritten, ..*other }
    }
}

/// An instruction set, in both directions: what instructions make, and what they need.
pub(crate) trait Steps: Sync {
    /// The length of the longest run of instructions that is looked at as a whole.
    fn longest(&self) -> usize;

    /// The number of values looked at per unit of work.
    fn values(&self) -> u64;

    /// Known values, with everything that is worked out from them once.
    fn known(&self, table: Table) -> Box<dyn Known + '_>;

    /// The results of an instruction on these operands; `None` if they are not integers or too large.
    fn results(&self, form: FormId, operands: &[&[Term]]) -> Option<Vec<Vec<Term>>>;

    /// The places where an instruction may leave each of its results.
    fn places(&self, form: FormId) -> &'static [Place];

    /// The form that makes the same result but leaves it in these places only, if there is one.
    fn leaving(&self, form: FormId, places: &[Place]) -> Option<FormId>;

    /// Whether an instruction reads its first operand in NEWS.
    fn reads_news(&self, form: FormId) -> bool;

    /// What counts as further instructions of a program, given the values that it has to make.
    fn surcharge(&self, _wanted: &[&[Term]], _steps: &[ValueStep]) -> usize {
        0
    }
}

/// Known values, and the instructions that use or make them.
pub(crate) trait Known {
    fn table(&self) -> &Table;

    /// Adds a value in place of the last one that was tried. Only [`ways_with`](Self::ways_with) sees it. Returns its
    /// number.
    fn try_out(&mut self, value: Held, owner: Set) -> usize;

    /// The needs of a way.
    fn needs(&self, way: &Way) -> Needs;

    /// Finds every instruction that makes all of these values, which belong to one node, from known ones.
    fn ways_to(&self, values: &[Held], found: &mut dyn FnMut(Way));

    /// Finds those instructions that make all of these values and can be found quickly.
    fn some_ways_to(&self, values: &[Held], found: &mut dyn FnMut(Way)) {
        self.ways_to(values, found);
    }

    /// Finds every instruction that makes all of these values and takes a certain known value.
    fn ways_with(&self, number: usize, values: &[Held], found: &mut dyn FnMut(Way));

    /// An upper bound on the number of values that [`made`](Self::made) inserts.
    fn made_at_most(&self) -> usize;

    /// Inserts the values that one instruction makes from known ones.
    fn made(&self, filter: &mut Filter);

    /// Looks up the values from which one instruction makes `value`, alone or together with known ones.
    fn needed(&self, value: Held, sieve: &mut Sieve<'_>);
}
