//! Turns the instructions of a program into a graph, and back.

use std::ops::Range;
use std::sync::Arc;

use cain_analysis::sorted;

use super::graph::{Graph, Node, Value, members};
use super::held::{Held, Place};
use super::order::{Order, Placed};
use super::set::{MOST_VALUES, Set};
use super::steps::{Needs, Steps, Way};
use crate::engine::goals::GoalId;
use crate::engine::problem::Problem;
use crate::engine::terms::Term;
use crate::engine::values::{ValueStep, Whole};

/// A run of instructions as a graph.
pub(super) struct Window<'a> {
    pub(super) graph: Graph<'a>,
    /// The number of registers for the values of its nodes.
    pub(super) registers: usize,
}

/// The values that a run of instructions reads, by place.
#[derive(Default)]
struct Read<'w> {
    in_registers: sorted::Set<&'w [Term]>,
    /// The values that are read in two registers.
    twice: sorted::Set<&'w [Term]>,
    in_news: sorted::Set<&'w [Term]>,
}

impl<'w> Read<'w> {
    fn of(instructions: &dyn Steps, steps: &'w [ValueStep]) -> Self {
        let mut read = Self::default();
        for step in steps {
            let mut operands = step.operands.iter().map(Vec::as_slice);
            if instructions.reads_news(step.form) {
                read.in_news.extend(operands.next());
            }
            for (i, operand) in operands.clone().enumerate() {
                read.in_registers.insert(operand);
                if operands.clone().skip(i + 1).any(|other| other == operand) {
                    read.twice.insert(operand);
                }
            }
        }
        read
    }

    fn has(&self, value: &[Term], place: Place) -> bool {
        match place {
            Place::Register => self.in_registers.contains(value),
            Place::News => self.in_news.contains(value),
            Place::Copy => self.twice.contains(value),
        }
    }
}

impl<'a> Window<'a> {
    /// The graph of a range of a program before and after which NEWS holds nothing; `None` if there are too many values
    /// or one of them cannot be made.
    pub(super) fn of(
        instructions: &'a dyn Steps,
        problem: &Problem,
        whole: &Whole<'_>,
        range: Range<usize>,
    ) -> Option<Self> {
        let (before, inside, after) =
            (&whole.steps[..range.start], &whole.steps[range.clone()], &whole.steps[range.end..]);
        let (read, mut read_later) = (Read::of(instructions, inside), Read::of(instructions, after));
        read_later.in_registers.extend(whole.wanted.iter().copied());
        let is_used_later = |value: &[Term]| read_later.has(value, Place::Register);
        let (mut fixed, mut nodes, mut held, mut displaced) = (Vec::new(), Vec::new(), 0, Vec::new());
        let mut seen: sorted::Set<(&[Term], Place)> = sorted::Set::new();
        let inputs = whole.inputs.iter().zip(&problem.inputs).map(|(&value, input)| (value, input.keep));
        let in_registers = |step: &&ValueStep| instructions.places(step.form).contains(&Place::Register);
        let made = before.iter().filter(in_registers).flat_map(|step| step.results.iter().map(Vec::as_slice));
        for (value, is_kept) in inputs.chain(made.map(|value| (value, false))) {
            let is_used_later = is_used_later(value);
            let is_used = is_kept || is_used_later || read.has(value, Place::Register);
            if is_used && seen.insert((value, Place::Register)) {
                let new = Value::new(value.to_vec());
                if is_kept || is_used_later {
                    held += usize::from(!is_kept);
                    fixed.push(new);
                } else {
                    displaced.extend(displacing(problem, whole, value).into_iter().map(|wanted| (wanted, nodes.len())));
                    nodes.push(Node::new(vec![(new, Place::Register)], true, false));
                }
            }
        }
        for step in inside {
            let places = instructions.places(step.form);
            let made = step.results.iter().flat_map(|value| places.iter().map(move |&place| (value.as_slice(), place)));
            let is_used =
                |value: &[Term], place| read.has(value, place) || (place == Place::Register && is_used_later(value));
            let mut new: Vec<(&[Term], Place)> = made.filter(|held| !seen.contains(held)).collect();
            // The same value in another place costs nothing more, but the negative of a half would take a register.
            if step.results.len() > 1 || !new.iter().any(|&(value, place)| is_used(value, place)) {
                new.retain(|&(value, place)| is_used(value, place));
            }
            if !new.iter().any(|held| held.1 == Place::Register) {
                new.retain(|held| held.1 != Place::Copy);
            }
            seen.extend(&new);
            if !new.is_empty() {
                let is_wanted = new.iter().any(|&(value, place)| place == Place::Register && is_used_later(value));
                let mut in_registers = new.iter().filter(|held| held.1 == Place::Register);
                let place = in_registers.find_map(|(value, _)| displaced.iter().find(|(wanted, _)| wanted == value));
                let values = new.iter().map(|&(value, place)| (Value::new(value.to_vec()), place));
                let mut node = Node::new(values.collect(), false, is_wanted);
                node.displaced = place.map(|place| place.1);
                nodes.push(node);
            }
        }
        if fixed.len() + nodes.len() > MOST_VALUES {
            return None;
        }
        let registers = problem.writable.len().checked_sub(held)?;
        Some(Self { graph: Graph::new(instructions, Arc::from(fixed), nodes)?, registers })
    }
}

/// The program without instructions whose results are never used, and with results left only where they are used.
pub(super) fn in_use(instructions: &dyn Steps, wanted: &[&[Term]], steps: &[ValueStep]) -> Option<Vec<ValueStep>> {
    let mut in_registers: sorted::Set<&[Term]> = wanted.iter().copied().collect();
    let mut in_news: Option<&[Term]> = None;
    let mut used = Vec::new();
    for step in steps.iter().rev() {
        let is_used = |place: &Place| match place {
            Place::Register => step.results.iter().any(|value| in_registers.contains(value.as_slice())),
            Place::News => step.results.iter().any(|value| in_news == Some(value.as_slice())),
            Place::Copy => false,
        };
        let places: Vec<Place> =
            instructions.places(step.form).iter().copied().filter(|place| is_used(place)).collect();
        if places.is_empty() {
            continue;
        }
        for value in &step.results {
            in_registers.remove(value.as_slice());
        }
        if places.contains(&Place::News) {
            in_news = None;
        }
        let mut operands = step.operands.iter().map(Vec::as_slice);
        if instructions.reads_news(step.form) {
            in_news = operands.next();
        }
        in_registers.extend(operands);
        used.push(ValueStep { form: instructions.leaving(step.form, &places)?, ..step.clone() });
    }
    used.reverse();
    Some(used)
}

/// A part of a program that begins and ends near the given instructions, where NEWS holds nothing that is still read.
pub(super) fn between(
    instructions: &dyn Steps,
    steps: &[ValueStep],
    Range { start, end }: Range<usize>,
) -> Range<usize> {
    let mut is_end = vec![true; steps.len() + 1];
    let mut read: Option<&Vec<Term>> = None;
    for (i, step) in steps.iter().enumerate().rev() {
        if instructions.places(step.form).contains(&Place::News) && read.is_some_and(|read| step.results.contains(read))
        {
            read = None;
        }
        if instructions.reads_news(step.form) {
            read = step.operands.first();
        }
        is_end[i] = read.is_none();
    }
    let start = (0..=start).rev().find(|&i| is_end[i]).unwrap_or(0);
    let end = (end..=steps.len()).find(|&i| is_end[i]).unwrap_or(steps.len());
    start..end
}

/// The wanted values that have to be in the register of this input at the end.
fn displacing<'w>(problem: &Problem, whole: &Whole<'w>, value: &[Term]) -> Vec<&'w [Term]> {
    let wanted = |goal: GoalId| problem.wanted.iter().position(|wanted| wanted.0 == goal).map(|at| whole.wanted[at]);
    let is_input = |goal: GoalId| {
        let mut inputs = problem.inputs.iter().zip(&whole.inputs);
        inputs.any(|(input, terms)| input.goal == goal && *terms == value)
    };
    let pairs = problem.displacing().into_iter().filter(|&(_, input)| is_input(input));
    pairs.filter_map(|(goal, _)| wanted(goal)).collect()
}

impl Graph<'_> {
    /// Works out the terms of a node that was inserted; `false` if they are not integers or too large.
    pub(super) fn settle(&mut self, node: usize) -> bool {
        let Some(&needs) = self.nodes[node].ways().first() else { return false };
        let (_, place) = self.nodes[node].values[0];
        let image = self.nodes[node].values[0].0.image;
        let results = self.instruction(self.nodes[node].held(), &needs, 0).map(|made| made.results);
        // The value may be the negative result of a division.
        let meant = results.into_iter().flatten().map(Value::new).find(|value| value.image == image);
        let Some(value) = meant else { return false };
        self.nodes[node].values[0] = (value, place);
        true
    }

    /// An instruction that makes these values from what it needs. If there are several, one that may overwrite a dead
    /// operand is preferred. `None` if there is none, which happens if images are equal by chance.
    fn instruction(&self, values: &[Held], needs: &Needs, dead: Set) -> Option<ValueStep> {
        let known = self.known(needs.nodes());
        let (mut way, mut overwrites): (Option<Way>, bool) = (None, false);
        known.ways_to(values, &mut |new| {
            let of_new = known.needs(&new);
            if of_new.is_like(needs) && (way.is_none() || !overwrites) {
                (way, overwrites) = (Some(new), of_new.overwritten & dead != 0);
            }
        });
        let way = way?;
        // The known values, in the order of their numbers.
        let of_nodes = members(needs.nodes()).flat_map(|i| self.nodes[i].values.iter().map(|value| &value.0));
        let known: Vec<&Arc<Value>> = self.fixed.iter().chain(of_nodes).collect();
        let operands: Vec<&[Term]> = way.operands().map(|operand| known[operand].terms.as_slice()).collect();
        let results = self.steps.results(way.form, &operands)?;
        let operands = operands.into_iter().map(<[Term]>::to_vec).collect();
        Some(ValueStep { form: way.form, operands, results })
    }

    /// The instructions of the graph in this order; `None` if one of them does not exist.
    pub(crate) fn program(&self, order: &Order) -> Option<Vec<ValueStep>> {
        let read_in = |part: fn(&Needs) -> Set| order.iter().fold(0, |set, placed| set | part(&placed.needs));
        let in_registers = read_in(|needs| needs.registers) | self.set(|node| node.is_wanted);
        let in_news = read_in(|needs| needs.news);
        let copied = read_in(|needs| needs.copies);
        let of_node = |placed: &Placed| {
            let is_used = |held: &Held| {
                let used = match held.place {
                    Place::Register => in_registers,
                    Place::News => in_news,
                    Place::Copy => copied,
                };
                used >> placed.node & 1 == 1
            };
            let held: Vec<Held> = self.nodes[placed.node].held().iter().copied().filter(is_used).collect();
            self.instruction(&held, &placed.needs, placed.dead)
        };
        let is_used = |placed: &&Placed| (in_registers | in_news) >> placed.node & 1 == 1;
        order.iter().filter(is_used).map(of_node).collect()
    }
}
