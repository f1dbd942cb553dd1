//! The interface to instruction sets.

use super::Set;
use super::held::{Held, Place, Table};
use crate::engine::step::{FormId, MAX_OPERANDS};
use crate::engine::terms::Term;
use crate::engine::values::ValueStep;

/// An instruction on known values, given by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Way {
    pub(crate) form: FormId,
    /// At the front, in the order of its sources.
    operands: [Option<usize>; MAX_OPERANDS],
}

impl Way {
    /// With [`MAX_OPERANDS`] at most.
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

/// How one instruction can make a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Needs {
    /// The nodes that it reads in registers.
    pub(crate) registers: Set,
    /// Those of them that it reads in two registers.
    pub(crate) copies: Set,
    /// The node that it reads in NEWS, or none.
    pub(crate) news: Set,
    /// Those in whose registers the result may be.
    pub(crate) overwritten: Set,
    /// How many cells it writes.
    pub(crate) cells: usize,
}

impl Needs {
    pub(super) fn nodes(&self) -> Set {
        self.registers | self.news
    }

    pub(super) fn sets(&mut self) -> [&mut Set; 4] {
        [&mut self.registers, &mut self.copies, &mut self.news, &mut self.overwritten]
    }

    /// Whether it needs the same, whatever may be overwritten.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        *self == Self { overwritten: self.overwritten, ..*other }
    }
}

/// An instruction set, for the search in two directions: what instructions make, and what they need.
pub(crate) trait Steps: Sync {
    /// Values, with all that is worked out of them once.
    type Known<'a>: Known
    where
        Self: 'a;

    /// The most instructions that are looked at together.
    const LONGEST: usize;
    /// Values that are looked at in a unit of work.
    const VALUES: u64;

    fn known(&self, table: Table) -> Self::Known<'_>;

    /// What an instruction makes of these operands; `None` if that is no integer, or too large.
    fn results(&self, form: FormId, operands: &[&[Term]]) -> Option<Vec<Vec<Term>>>;

    /// Where an instruction may leave each of its results.
    fn places(&self, form: FormId) -> &'static [Place];

    /// An instruction that makes the same, and leaves it in some of these places.
    fn leaving(&self, form: FormId, places: &[Place]) -> Option<FormId>;

    /// Whether it reads its first operand in NEWS.
    fn reads_news(&self, form: FormId) -> bool;

    /// What counts as so many more instructions of a program, given what it has to make.
    fn surcharge(&self, _wanted: &[&[Term]], _steps: &[ValueStep]) -> usize {
        0
    }
}

/// Values that are known.
pub(crate) trait Known {
    fn table(&self) -> &Table;

    /// Adds a value, in the place of the one that was last tried, for [`ways_with`](Self::ways_with) alone: nothing else
    /// finds it. Returns its number.
    fn try_out(&mut self, value: Held, owner: Set) -> usize;

    /// What a way needs.
    fn needs(&self, way: &Way) -> Needs;

    /// Every instruction that makes all of these values, those of one node, from known ones.
    fn ways_to(&self, values: &[Held], found: &mut dyn FnMut(Way));

    /// Those of them that are found quickly.
    fn some_ways_to(&self, values: &[Held], found: &mut dyn FnMut(Way)) {
        self.ways_to(values, found);
    }

    /// The same for the instructions that take a certain known value.
    fn ways_with(&self, number: usize, values: &[Held], found: &mut dyn FnMut(Way));

    /// How many values [`made`](Self::made) has at most.
    fn made_at_most(&self) -> usize;

    /// Values that an instruction makes of known ones.
    fn made(&self, found: impl FnMut(Held));

    /// Values of which, alone or with known ones, an instruction makes that value.
    fn needed(&self, value: Held, found: impl FnMut(Held));
}
