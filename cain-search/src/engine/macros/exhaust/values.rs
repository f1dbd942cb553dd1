//! The values known at a point of the search, and operations on them.

use super::super::forms::Forms;
use super::size::Size;
use super::wanted::WantedSet;
use crate::engine::image::Image;
use crate::engine::macros::machine::Machine;
use crate::engine::step::FormId;
use crate::engine::terms::{Term, valuation};

/// The number of a known value.
pub(super) type Index = u8;

/// The most values that may be known, such that a set of them fits in the bits of an integer.
pub(super) const MAX_KNOWN: usize = 32;

/// A form with its operands: known values, or results of the previous instruction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instruction {
    pub(super) form: FormId,
    operands: [Index; 3],
}

impl Instruction {
    /// An operand that is the first or only result of the previous instruction.
    pub(super) const FIRST: Index = Index::MAX - 2;
    /// An operand that is the second result of the previous instruction.
    pub(super) const SECOND: Index = Index::MAX - 1;
    const NONE: Index = Index::MAX;

    pub(super) fn new<const N: usize>(form: FormId, operands: [Index; N]) -> Self {
        let mut all = [Self::NONE; 3];
        all[..N].copy_from_slice(&operands);
        Self { form, operands: all }
    }

    pub(super) fn operands(self) -> impl Iterator<Item = Index> {
        self.operands.into_iter().filter(|&operand| operand != Self::NONE)
    }

    /// The instruction with the two results of the previous one swapped.
    pub(super) fn with_results_swapped(mut self) -> Self {
        for operand in &mut self.operands {
            *operand = match *operand {
                Self::FIRST => Self::SECOND,
                Self::SECOND => Self::FIRST,
                known => known,
            };
        }
        self
    }

    /// The values that it uses, as bits; the bits in the upper half stand for values that it needs in two registers.
    pub(super) fn uses(self, repeats: bool) -> Uses {
        let mut uses = 0;
        for operand in self.operands() {
            let bit = once(operand);
            uses |= if uses & bit != 0 && !repeats { bit | twice(operand) } else { bit };
        }
        uses
    }
}

/// Uses of values, as bits.
pub(super) type Uses = u64;

/// The use of a value from one register.
pub(super) fn once(value: Index) -> Uses {
    1 << value
}

/// The use of a value from two registers at once.
pub(super) fn twice(value: Index) -> Uses {
    1 << (u32::from(value) + Uses::BITS / 2)
}

/// A value with its features.
#[derive(Clone, Copy)]
pub(super) struct Value {
    pub(super) image: Image,
    start: u32,
    len: u32,
    pub(super) size: Size,
    pub(super) valuation: u32,
    pub(super) wanted: WantedSet,
    pub(super) rays: WantedSet,
}

/// The known values and those of candidates; the latest are removed first.
pub(super) struct Values<'a> {
    pub(super) forms: &'a Forms,
    pub(super) machine: Machine,
    terms: Vec<Term>,
    known: Vec<Known>,
    /// For each known value and each shift, the image of the value moved.
    moved: Vec<Image>,
    /// For each known value and each shift, the image of the value moved back.
    back: Vec<Image>,
}

struct Known {
    value: Value,
    /// The number of registers that hold it.
    registers: u8,
}

/// The sizes of the lists at a point, to return to.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    terms: usize,
}

impl<'a> Values<'a> {
    pub(super) fn new(forms: &'a Forms, machine: Machine) -> Self {
        Self { forms, machine, terms: Vec::new(), known: Vec::new(), moved: Vec::new(), back: Vec::new() }
    }

    /// The memory that the terms of all values take, in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.terms.as_slice())
    }

    pub(super) fn count(&self) -> usize {
        self.known.len()
    }

    pub(super) fn known(&self, index: Index) -> &Value {
        &self.known[usize::from(index)].value
    }

    pub(super) fn registers(&self, index: Index) -> u8 {
        self.known[usize::from(index)].registers
    }

    pub(super) fn registers_mut(&mut self, index: Index) -> &mut u8 {
        &mut self.known[usize::from(index)].registers
    }

    pub(super) fn terms(&self, value: &Value) -> &[Term] {
        &self.terms[value.start as usize..(value.start + value.len) as usize]
    }

    /// The numbers of the known values, beginning with `from`.
    pub(super) fn indices(&self, from: usize) -> impl ExactSizeIterator<Item = Index> + Clone + use<> {
        let index = |n: usize| Index::try_from(n).unwrap_or(Instruction::NONE);
        index(from)..index(self.known.len())
    }

    /// The images of a known value moved by each shift.
    pub(super) fn moved(&self, index: Index) -> &[Image] {
        let n = self.machine.shifts.len();
        &self.moved[usize::from(index) * n..][..n]
    }

    /// The images of a known value moved back by each shift.
    pub(super) fn back(&self, index: Index) -> &[Image] {
        let n = self.machine.shifts.len();
        &self.back[usize::from(index) * n..][..n]
    }

    /// The number of the known value with this image and these terms.
    pub(super) fn find(&self, image: Image, terms: &[Term]) -> Option<Index> {
        let is = |known: &Known| known.value.image == image && self.terms(&known.value) == terms;
        self.known.iter().position(is).and_then(|n| Index::try_from(n).ok())
    }

    /// Whether a known value has terms at exactly the same positions.
    pub(super) fn has_support(&self, value: &Value) -> bool {
        let terms = self.terms(value);
        let same = |known: &Known| {
            known.value.len == value.len && self.terms(&known.value).iter().zip(terms).all(|(a, b)| a.0 == b.0)
        };
        self.known.iter().any(same)
    }

    /// Stores the terms of a value.
    pub(super) fn store(&mut self, terms: &[Term], image: Image, (wanted, rays): (WantedSet, WantedSet)) -> Value {
        let start = u32::try_from(self.terms.len()).unwrap_or(u32::MAX);
        self.terms.extend_from_slice(terms);
        let len = u32::try_from(terms.len()).unwrap_or(u32::MAX);
        Value { image, start, len, size: Size::new(terms), valuation: valuation(terms), wanted, rays }
    }

    /// Makes a value known.
    pub(super) fn learn(&mut self, value: Value) -> Index {
        let index = Index::try_from(self.known.len()).unwrap_or(Instruction::NONE);
        self.known.push(Known { value, registers: 1 });
        let start = self.moved.len();
        self.moved.extend(self.machine.shifts.iter().map(|shift| shift.image * value.image));
        let moved = &self.moved[start..];
        self.back.extend(self.machine.shifts.iter().map(|shift| moved[shift.opposite]));
        index
    }

    /// Forgets all known values but the first `count`.
    pub(super) fn forget(&mut self, count: usize) {
        self.known.truncate(count);
        let images = count * self.machine.shifts.len();
        self.moved.truncate(images);
        self.back.truncate(images);
    }

    pub(super) fn mark(&self) -> Mark {
        Mark { terms: self.terms.len() }
    }

    pub(super) fn rewind(&mut self, mark: Mark) {
        self.terms.truncate(mark.terms);
    }

    /// Writes the first or only result of an instruction, where `before` holds the results of the previous one. `false`
    /// if a coefficient overflows or an odd one is halved.
    pub(super) fn compute(&self, instruction: Instruction, before: &[Vec<Term>], out: &mut Vec<Term>) -> bool {
        self.forms.get(instruction.form).compute(self.operands(instruction, before), out)
    }

    /// All results of an instruction.
    pub(super) fn results(&self, instruction: Instruction, before: &[Vec<Term>]) -> Option<Vec<Vec<Term>>> {
        self.forms.get(instruction.form).results(self.operands(instruction, before))
    }

    fn operands<'b>(&'b self, instruction: Instruction, before: &'b [Vec<Term>]) -> [&'b [Term]; 3] {
        instruction.operands.map(|operand| self.operand(operand, before))
    }

    /// The terms of an operand; empty if there is none.
    pub(super) fn operand<'b>(&'b self, operand: Index, before: &'b [Vec<Term>]) -> &'b [Term] {
        match operand {
            Instruction::NONE => &[],
            Instruction::FIRST => before.first().map_or(&[], Vec::as_slice),
            Instruction::SECOND => before.get(1).map_or(&[], Vec::as_slice),
            known => self.terms(self.known(known)),
        }
    }
}
