//! The beginning of a search: what is done before the first sweep, and how wide that sweep is.

use super::incumbent::Incumbent;
use super::run::Run;
use super::share::Part;
use crate::InstructionSet;

/// The number of bags that the first sweep expands in each layer.
pub(super) const FIRST_WIDTH: usize = 8;
/// The number of bags that the first sweep expands in each layer if programs have to be completed and an output has
/// `LONG_SWEEP` weights or more. A wide sweep takes long then, and only complete programs show what has to be added to
/// them.
const FIRST_OF_COMPLETED: usize = 2;
const LONG_SWEEP: usize = 20;
/// The number of writable registers beyond those of the outputs below which registers are scarce, and the weights of
/// all outputs count together.
const ENOUGH_REGISTERS: usize = 3;
/// From `MANY_WEIGHTS` weights in `MANY_OUTPUTS` outputs on, the search for large maps comes before the first sweep; if
/// programs have to be completed, from `SOME_WEIGHTS` on.
const MANY_WEIGHTS: usize = 48;
const SOME_WEIGHTS: usize = 36;
const MANY_OUTPUTS: usize = 4;
/// From this many weights on, it comes first whatever the number of outputs.
const MOST_WEIGHTS: usize = 64;
/// How often the exchange of many outputs is continued before the first sweep, and after the first sweeps if these come first and
/// find nothing.
const EXCHANGES: u32 = 6;
const EXCHANGES_AFTER: u32 = 3;
/// The nodes with which many outputs are searched for one by one if the first sweeps find nothing and registers are scarce.
const ONE_BY_ONE: [u64; 2] = [512, 2_048];
/// Up to this many weights of many outputs, all of them of neighbours of a single input, sweeps for control words gain more than
/// the exchange does.
const MOST_SWEPT: usize = 72;

impl Run<'_> {
    /// Finds first programs, whose costs limit the depth of the sweeps.
    pub(super) fn begin(&mut self) {
        let declaration = self.incumbent.declaration;
        let outputs = declaration.outputs.len();
        let completes = self.incumbent.target.completes();
        let many = match outputs {
            MANY_OUTPUTS.. if completes => SOME_WEIGHTS,
            MANY_OUTPUTS.. => MANY_WEIGHTS,
            _ => MOST_WEIGHTS,
        };
        // The first sweep over so many weights takes long.
        let is_large = declaration.weights() >= many;
        if is_large {
            self.carry_on_times(Part::Large, 1);
        }
        // If there are many outputs, programs for each of them alone take long to complete.
        if !is_large || self.incumbent.best.is_none() {
            self.carry_on_times(Part::Others, 1);
        }
        // The first sweeps for accurate programs take long, and often find none.
        self.carry_on_times(Part::ErrorsAside, 1);
        if is_large && !self.sweeps_first() {
            self.carry_on_times(Part::Large, 1);
            if outputs >= MANY_OUTPUTS && declaration.weights() >= MANY_WEIGHTS {
                self.carry_on_times(Part::Exchange, EXCHANGES);
            }
        }
    }

    /// Goes on after the first sweep for each focus if they have found nothing.
    pub(super) fn after_vain_sweeps(&mut self) {
        if self.sweeps_first() {
            self.carry_on_times(Part::Exchange, EXCHANGES_AFTER);
        }
        if self.finds_one_by_one() {
            for nodes in ONE_BY_ONE {
                self.find_one_by_one(nodes);
            }
        }
    }

    /// Whether programs for each of many outputs alone are better than what sweeps find later, since registers are scarce.
    /// They belong to the first programs, which may be left out.
    fn finds_one_by_one(&self) -> bool {
        self.searches_words_of_many()
            && self.shares[Part::Others as usize].is_open()
            && self.incumbent.declaration.weights() >= LONG_SWEEP
            && self.registers_are_scarce()
    }

    /// Whether sweeps for many outputs come before the exchange. Where registers are scarce, few of the programs that they find can
    /// be completed.
    fn sweeps_first(&self) -> bool {
        let Incumbent { declaration, target, .. } = self.incumbent;
        let mut terms = declaration.outputs.iter().flat_map(|output| output.kernel.terms());
        self.searches_words_of_many()
            && declaration.inputs.len() == 1
            && declaration.weights() <= MOST_SWEPT
            && terms.all(|(atom, _)| atom.displacement.x.abs().max(atom.displacement.y.abs()) <= 1)
            && !(target.completes() && self.registers_are_scarce())
    }

    /// Whether the search is for control words of many outputs.
    fn searches_words_of_many(&self) -> bool {
        let declaration = self.incumbent.declaration;
        declaration.options.instructions == InstructionSet::Native && declaration.outputs.len() >= MANY_OUTPUTS
    }

    /// Continues a part so many times, while that is of use.
    fn carry_on_times(&mut self, part: Part, times: u32) {
        for _ in 0..times {
            if self.budget.stopped().is_none() && self.shares[part as usize].is_open() {
                self.carry_on_with(part);
            }
        }
    }

    /// The number of bags that the first sweep expands in each layer.
    pub(super) fn first_width(&self) -> usize {
        let declaration = self.incumbent.declaration;
        let of_output = declaration.outputs.iter().map(|output| output.kernel.terms().count()).max().unwrap_or(0);
        // If registers are scarce, many programs that a wide sweep finds do not fit them.
        let is_long = of_output >= LONG_SWEEP || (self.registers_are_scarce() && declaration.weights() >= LONG_SWEEP);
        if self.incumbent.target.completes() && is_long { FIRST_OF_COMPLETED } else { FIRST_WIDTH }
    }

    fn registers_are_scarce(&self) -> bool {
        self.problem.writable.len() < self.incumbent.declaration.outputs.len() + ENOUGH_REGISTERS
    }
}
