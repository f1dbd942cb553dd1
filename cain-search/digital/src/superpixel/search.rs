//! The search for a program on super-pixels.

use core::ops::ControlFlow;
use std::collections::BTreeSet;

use cain_analysis::owned::Step;
use cain_isa::Progress;
use cain_isa::{Dreg, Stop};

use super::convert::{adc, dac};
use super::declaration::Declaration;
use super::emit::Emitter;
use super::error::{SearchError, Shortage};
use super::operations::{Operation, Operations, build, direct};
use super::planes::Planes;
use super::program::Program;
use super::registers::Registers;
use super::verify::verify;
use crate::effort::Effort;
use crate::proved::{SolutionOf, Statistics};
use crate::sums::{Form, extractions};

/// A proved program and the course of the search for it.
pub type Solution = SolutionOf<Declaration, Program>;

/// The number of forms that are extended by a further partial sum.
const FORMS: usize = 6;
/// The most partial sums in a form.
const DEPTH: usize = 8;
/// The number of orders of operations that are followed at the same time.
const ORDERS: usize = 24;

/// Searches for the shortest program.
pub fn search(declaration: &Declaration) -> Result<Solution, SearchError> {
    search_watched(declaration, |_| ControlFlow::Continue(()))
}

/// Like [`search`], but calls `watch` as nodes are used. If `watch` breaks, the search ends with the best program so
/// far and [`Stop::Interrupted`].
pub fn search_watched(
    declaration: &Declaration,
    mut watch: impl FnMut(Progress) -> ControlFlow<()>,
) -> Result<Solution, SearchError> {
    declaration.check()?;
    let effort = Effort::new(declaration.nodes, &mut watch);
    let mut search = Search { declaration, effort, is_tight: false, best: None };
    search.forms();
    if search.best.is_none() && search.effort.stop() == Stop::Exhausted {
        search.is_tight = true;
        search.forms();
    }
    let (stop, nodes) = (search.effort.stop(), search.effort.nodes());
    let Some((program, nodes_to_best)) = search.best else {
        return Err(match stop {
            Stop::Exhausted => SearchError::Registers(Shortage::of(declaration)),
            _ => SearchError::Budget { nodes },
        });
    };
    let statistics = Statistics { nodes, nodes_to_best, stop };
    let program = verify(declaration, &program).map_err(SearchError::Unproved)?;
    Ok(Solution { program, statistics })
}

struct Search<'d, 'w> {
    declaration: &'d Declaration,
    effort: Effort<'w>,
    /// Whether words are spent where that saves registers, because there is no other program.
    is_tight: bool,
    best: Option<(Program, u64)>,
}

/// Operations that have been written up to a point.
#[derive(Clone)]
struct Order<'p> {
    emitter: Emitter<'p>,
    done: Vec<bool>,
}

impl Search<'_, '_> {
    /// Explores forms with more and more partial sums, starting from those with the shortest programs.
    fn forms(&mut self) {
        let start = direct(self.declaration);
        let mut seen = BTreeSet::from([start.clone()]);
        let mut newest = vec![(self.weigh(&start), start)];
        for _ in 0..DEPTH {
            let mut next: Vec<(usize, Form)> = Vec::new();
            for (_, form) in &newest {
                let mut step = |steps| {
                    self.effort.step(steps);
                    self.effort.may_step()
                };
                for form in extractions(form, &mut step) {
                    if self.effort.is_spent() {
                        return;
                    }
                    if seen.insert(form.clone()) {
                        next.push((self.weigh(&form), form));
                    }
                }
            }
            next.sort();
            next.truncate(FORMS);
            newest = next;
        }
    }

    /// The number of words of the best program of a form; the program is kept if it is the best of all.
    fn weigh(&mut self, form: &Form) -> usize {
        let mut least = usize::MAX;
        for threes in [true, false] {
            let operations = build(self.declaration, form, threes);
            let bank = self.declaration.outputs[0].bank;
            // Conversions write the direction registers.
            let converts = self.declaration.outputs.iter().any(|output| output.converted.is_some());
            let standing = !operations.moves() && !converts;
            let Some(planes) = Planes::of(&self.declaration.layout, standing, bank, &operations.constants()) else {
                continue;
            };
            let Some((words, program)) = self.write(&operations, &planes) else { continue };
            least = least.min(words);
            if self.best.as_ref().is_none_or(|(best, _)| program.words() < best.words()) {
                self.effort.found(program.words());
                self.best = Some((program, self.effort.nodes()));
            }
        }
        least
    }

    /// The shortest program of operations over all promising orders.
    fn write(&mut self, operations: &Operations, planes: &Planes) -> Option<(usize, Program)> {
        let mut start = self.start(operations, planes)?;
        let inputs =
            start.emitter.held.iter().take(self.declaration.inputs.len()).copied().collect::<Option<Vec<Dreg>>>()?;
        start.emitter.free_unread();
        let mut orders = vec![start];
        while orders.iter().any(|order| order.done.contains(&false)) {
            let mut next = Vec::new();
            for order in &orders {
                for (value, &operation) in operations.list.iter().enumerate() {
                    if order.done[value] || operation.sources().any(|source| !order.done[source]) {
                        continue;
                    }
                    self.effort.state()?;
                    let mut order = order.clone();
                    if order.emitter.emit(value, operation).is_some() {
                        order.done[value] = true;
                        next.push(order);
                    }
                }
            }
            let cost = |order: &Order<'_>| (words(order), usize::MAX - order.emitter.registers.free());
            next.sort_by(|a, b| (cost(a), &a.done).cmp(&(cost(b), &b.done)));
            next.dedup_by(|a, b| a.done == b.done && cost(a) == cost(b));
            next.truncate(ORDERS);
            orders = next;
            if orders.is_empty() {
                return None;
            }
        }
        let best = orders.into_iter().min_by_key(words)?;
        let outputs =
            operations.outputs.iter().map(|&output| best.emitter.held[output]).collect::<Option<Vec<Dreg>>>()?;
        let (before, after) = self.conversions(&inputs, &outputs);
        let program = Program {
            setup: planes.setup.clone(),
            before,
            reserved: planes.reserved().collect(),
            listing: best.emitter.registers.words,
            after,
            inputs,
            outputs,
        };
        Some((program.words(), program))
    }

    /// The steps that convert analogue registers to inputs, and those that convert outputs to analogue registers.
    fn conversions(&self, inputs: &[Dreg], outputs: &[Dreg]) -> (Vec<Step>, Vec<Step>) {
        let Declaration { layout, carry, .. } = self.declaration;
        let mut steps = (Vec::new(), Vec::new());
        for (input, &register) in self.declaration.inputs.iter().zip(inputs) {
            steps.0.extend(
                input.converted.map(|converter| adc(layout, input.bank, converter, register)).unwrap_or_default(),
            );
        }
        for (output, &register) in self.declaration.outputs.iter().zip(outputs) {
            let converted = output.converted.map(|converter| dac(layout, output.bank, converter, register, *carry));
            steps.1.extend(converted.unwrap_or_default());
        }
        steps
    }

    /// The start, with the inputs in registers.
    fn start<'p>(&self, operations: &Operations, planes: &'p Planes) -> Option<Order<'p>> {
        let mut registers = Registers::new(planes);
        let count = operations.list.len();
        let mut uses = vec![0; count];
        for source in
            operations.list.iter().flat_map(|operation| operation.sources()).chain(operations.outputs.iter().copied())
        {
            uses[source] += 1;
        }
        let mut held: Vec<Option<Dreg>> = vec![None; count];
        let mut done = vec![false; count];
        for (value, operation) in operations.list.iter().enumerate() {
            match *operation {
                Operation::Input(input) => {
                    held[value] = Some(registers.take()?);
                    done[value] = true;
                    uses[value] += u32::from(self.declaration.inputs[input].keep);
                }
                Operation::Constant(constant) => {
                    held[value] = planes.constants.iter().find(|(known, _)| *known == constant).map(|known| known.1);
                    done[value] = true;
                    // The input must still be there for the next run.
                    uses[value] += 1;
                }
                _ => {}
            }
        }
        let bits = self.declaration.layout.places(self.declaration.outputs[0].bank).len();
        let Self { declaration: Declaration { carry, .. }, is_tight, .. } = *self;
        Some(Order { emitter: Emitter { registers, carry: *carry, is_tight, bits, held, uses }, done })
    }
}

fn words(order: &Order<'_>) -> usize {
    order.emitter.registers.words.iter().map(cain_isa::Instruction::icws).sum()
}
