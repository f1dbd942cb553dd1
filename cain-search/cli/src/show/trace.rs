//! Follows the values of all registers while a program runs, and how long each is needed.

use std::collections::{BTreeMap, BTreeSet};

use cain_analysis::prove::{Polynomial, ProveError, Prover};
use cain_isa::{Fraction, HostController as _, Instruction, Range, Reg, Store};
use cain_search::{Declaration, Proved};

use super::form::{Form, Part, forms, name};

/// The exact execution of a program, instruction by instruction.
#[derive(Debug)]
pub(crate) struct Trace {
    /// The cells that are shown, registers first.
    pub(crate) stores: Vec<Store>,
    /// All values, the inputs first and then in the order in which they are made.
    pub(crate) values: Vec<Value>,
    pub(crate) steps: Vec<Step>,
    /// The values of the outputs, in their order.
    pub(crate) outputs: Vec<usize>,
}

/// The contents of a cell from one write to the next.
#[derive(Debug)]
pub(crate) struct Value {
    pub(crate) store: Store,
    pub(crate) holds: Polynomial,
    /// The sum of the absolute weights.
    pub(crate) gain: Fraction,
    /// The step that computes it; `None` for an input.
    pub(crate) born: Option<usize>,
    /// The last step that reads it, or the number of steps if it must remain at the end; `None` if it is unused.
    pub(crate) needed: Option<usize>,
}

impl Value {
    /// Whether the value exists after this number of steps and is still needed.
    fn is_live(&self, steps: usize) -> bool {
        self.born.is_none_or(|born| born < steps) && self.needed.is_some_and(|needed| needed >= steps)
    }
}

/// One instruction.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) instruction: Instruction,
    /// The values that it writes, in the order of the cells.
    pub(crate) results: Vec<Made>,
}

/// A value that an instruction writes.
#[derive(Debug)]
pub(crate) struct Made {
    /// The value, as an index.
    pub(crate) value: usize,
    /// The form by which it is made.
    pub(crate) form: Form,
    /// The value that each part of the form reads.
    pub(crate) operands: Vec<usize>,
}

impl Trace {
    /// The trace of a program; fails if a value is too large to be shown exactly.
    pub(crate) fn of(program: &Proved) -> Result<Self, ProveError> {
        let declaration = program.declaration();
        let mut run = Run::start(declaration);
        for &instruction in program.listing() {
            run.step(instruction)?;
        }
        let kept = declaration.inputs.iter().filter(|input| input.keep).map(|input| input.reg);
        let outputs: Vec<Reg> = declaration.outputs.iter().map(|output| output.reg).collect();
        Ok(run.finish(&outputs, kept))
    }

    /// The values that exist after this number of steps and are still needed, by cell.
    pub(crate) fn live(&self, steps: usize) -> impl Iterator<Item = (usize, &Value)> {
        let mut live: Vec<_> = self.values.iter().enumerate().filter(|(_, value)| value.is_live(steps)).collect();
        live.sort_by_key(|(_, value)| value.store);
        live.into_iter()
    }

    /// The result as text, such as `B = A[east]`, with a remark if the value is unused.
    pub(crate) fn spelled(&self, made: &Made) -> String {
        let value = self.values.get(made.value);
        let store = value.map(|value| name(value.store)).unwrap_or_default();
        let remark = if value.is_some_and(|value| value.needed.is_none()) { " (not used)" } else { "" };
        format!("{store} = {}{remark}", made.form)
    }

    pub(crate) fn is_output(&self, value: usize) -> bool {
        self.outputs.contains(&value)
    }
}

/// An execution in progress. The proof of a program covers only its outputs, so intermediate values are computed again.
struct Run {
    prover: Prover,
    /// The range of the inputs.
    input: Range,
    values: Vec<Value>,
    steps: Vec<Step>,
    /// The value in each cell.
    now: BTreeMap<Store, usize>,
}

impl Run {
    fn start(declaration: &Declaration) -> Self {
        let registers: Vec<Reg> = declaration.inputs.iter().map(|input| input.reg).collect();
        let value = |(channel, &reg)| Value {
            store: Store::Reg(reg),
            holds: Polynomial::input(channel),
            gain: Fraction::ONE,
            born: None,
            needed: None,
        };
        let values: Vec<Value> = (0..=u16::MAX).zip(&registers).map(value).collect();
        let now = values.iter().enumerate().map(|(i, value)| (value.store, i)).collect();
        Self { prover: Prover::new(&registers), input: declaration.input_range(), values, steps: Vec::new(), now }
    }

    fn step(&mut self, instruction: Instruction) -> Result<(), ProveError> {
        self.prover.execute(instruction)?;
        let mut results = Vec::new();
        for (store, form) in forms(instruction)? {
            // An instruction may write to a cell the value that is already there.
            if !form.is_unchanged(store) {
                results.push(self.make(store, form)?);
            }
        }
        self.now.extend(results.iter().filter_map(|made| Some((self.values.get(made.value)?.store, made.value))));
        self.steps.push(Step { instruction, results });
        Ok(())
    }

    fn make(&mut self, store: Store, form: Form) -> Result<Made, ProveError> {
        let step = self.steps.len();
        let operand = |part: &Part| self.now.get(&part.store).copied();
        let operands: Vec<usize> = form.parts().iter().filter_map(operand).collect();
        for &operand in &operands {
            if let Some(value) = self.values.get_mut(operand) {
                value.needed = Some(step);
            }
        }
        let holds = self.prover.stored(store).cloned().unwrap_or_default();
        let gain = holds.gain_for(self.input).ok_or(ProveError::Overflow)?;
        self.values.push(Value { store, holds, gain, born: Some(step), needed: None });
        Ok(Made { value: self.values.len() - 1, form, operands })
    }

    /// Marks the values that must remain at the end, and drops those that macro instructions leave unused in NEWS.
    fn finish(mut self, outputs: &[Reg], kept: impl Iterator<Item = Reg>) -> Trace {
        let end = self.steps.len();
        let at_end = |reg: &Reg| self.now.get(&Store::Reg(*reg)).copied();
        let outputs: Vec<usize> = outputs.iter().filter_map(at_end).collect();
        let kept: Vec<usize> = kept.filter_map(|reg| at_end(&reg)).collect();
        for &value in outputs.iter().chain(&kept) {
            if let Some(value) = self.values.get_mut(value) {
                value.needed = Some(end);
            }
        }
        let mut trace = Trace { stores: Vec::new(), values: self.values, steps: self.steps, outputs };
        trace.retain(|value| value.store != Store::News || value.needed.is_some());
        trace.stores = trace.values.iter().map(|value| value.store).collect::<BTreeSet<_>>().into_iter().collect();
        trace
    }
}

impl Trace {
    /// Drops values; none of them may be needed.
    fn retain(&mut self, keep: impl Fn(&Value) -> bool) {
        // The new index of each value that stays.
        let mut indices: BTreeMap<usize, usize> = BTreeMap::new();
        for (index, _) in self.values.iter().enumerate().filter(|(_, value)| keep(value)) {
            indices.insert(index, indices.len());
        }
        let renumber = |index: &mut usize| match indices.get(index) {
            Some(new) => {
                *index = *new;
                true
            }
            None => false,
        };
        for step in &mut self.steps {
            step.results.retain_mut(|made| renumber(&mut made.value));
            step.results.iter_mut().for_each(|made| made.operands.retain_mut(renumber));
        }
        self.outputs.retain_mut(renumber);
        self.values.retain(keep);
    }
}

#[cfg(test)]
mod tests {
    use super::Trace;
    use crate::show::form::name;
    use crate::show::tests::{parse, plan};
    use cain_isa::{Reg, Store};

    fn trace(keep: bool, outputs: &[Reg], listing: &[&str]) -> Trace {
        let plan = plan(&[(Reg::A, keep)], outputs, &parse(listing));
        Trace::of(&plan.solution.program).unwrap()
    }

    /// What is live after each step, as `register: value`.
    fn live(trace: &Trace) -> Vec<String> {
        let spell = |(_, value): (usize, &super::Value)| format!("{}: {}", name(value.store), value.holds);
        (0..=trace.steps.len()).map(|steps| trace.live(steps).map(spell).collect::<Vec<_>>().join(", ")).collect()
    }

    #[test]
    fn values_live_until_they_are_read_for_the_last_time() {
        let trace = trace(false, &[Reg::A], &["divq(B,A);", "divq(C,B);", "addx(A,B,C,east);"]);
        assert_eq!(live(&trace), ["A: 1", "B: 1/2", "B: 1/2, C: 1/4", "A: 3/4·x"]);
        assert_eq!(trace.values[0].needed, Some(0));
        assert_eq!(trace.steps[2].results[0].operands, [1, 2]);
    }

    #[test]
    fn kept_inputs_live_to_the_end_and_unused_results_never() {
        let trace = trace(true, &[Reg::B], &["mov(B,A);", "diva(B,C,D);"]);
        assert_eq!(live(&trace), ["A: 1", "A: 1, B: 1", "A: 1, B: 1/2"]);
        let needed: Vec<_> = trace.steps[1].results.iter().map(|made| trace.values[made.value].needed).collect();
        assert_eq!(needed, [Some(2), None, None]);
    }

    /// `div` rewrites its third register with its own value.
    #[test]
    fn a_register_written_with_what_it_holds_is_no_new_value() {
        let trace = trace(false, &[Reg::A, Reg::B], &["div(B,C,A);"]);
        assert_eq!(trace.outputs, [0, 1]);
        assert_eq!(live(&trace), ["A: 1", "A: 1, B: 1/2"]);
    }

    #[test]
    fn news_is_shown_only_if_it_is_read() {
        let macros = trace(false, &[Reg::A], &["movx(A,A,east);"]);
        assert_eq!(macros.stores, [Store::Reg(Reg::A)]);
        let words = trace(false, &[Reg::A], &["bus(XW,A);", "bus(A,NEWS);"]);
        assert_eq!(words.stores, [Store::Reg(Reg::A), Store::News]);
        assert_eq!(live(&words), ["A: 1", "NEWS: -x", "A: x"]);
    }
}
