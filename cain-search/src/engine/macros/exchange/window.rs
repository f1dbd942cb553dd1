//! From the instructions of a program to a graph, and back.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use super::MOST_VALUES;
use super::graph::{Graph, Node, Value};
use super::known::Steps;
use super::order::{Order, Placed};
use super::ways::Way;
use crate::engine::goals::GoalId;
use crate::engine::macros::forms::{Shape, three};
use crate::engine::problem::Problem;
use crate::engine::terms::{self, Term};
use crate::engine::values::{ValueStep, Whole};

/// A run of instructions as a graph.
pub(super) struct Window<'a> {
    pub(super) graph: Graph<'a>,
    /// The registers for the values of its nodes.
    pub(super) registers: usize,
}

impl<'a> Window<'a> {
    /// The instructions in a range of a program; `None` if there are too many values, or some are held twice.
    pub(super) fn of(steps: &'a Steps<'a>, problem: &Problem, whole: &Whole<'_>, range: Range<usize>) -> Option<Self> {
        let (before, inside, after) =
            (&whole.steps[..range.start], &whole.steps[range.clone()], &whole.steps[range.end..]);
        let operands = |steps: &'_ [ValueStep]| -> BTreeSet<Vec<Term>> {
            steps.iter().flat_map(|step| step.operands.iter().cloned()).collect()
        };
        let (used, mut used_later) = (operands(inside), operands(after));
        used_later.extend(whole.wanted.iter().map(|value| value.to_vec()));
        let (mut fixed, mut nodes, mut held, mut displaced) = (Vec::new(), Vec::new(), 0, Vec::new());
        let mut seen: BTreeSet<Vec<Term>> = BTreeSet::new();
        let inputs = whole.inputs.iter().zip(&problem.inputs).map(|(&value, input)| (value, input.keep));
        let made = before.iter().flat_map(|step| step.results.iter().map(|value| (value.as_slice(), false)));
        for (value, is_kept) in inputs.chain(made) {
            let is_used_later = used_later.contains(value);
            if (is_kept || is_used_later || used.contains(value)) && seen.insert(value.to_vec()) {
                let new = Value::new(value.to_vec());
                if is_kept || is_used_later {
                    held += usize::from(!is_kept);
                    fixed.push(new);
                } else {
                    displaced.extend(displacing(problem, whole, value).into_iter().map(|wanted| (wanted, nodes.len())));
                    nodes.push(Node::new(vec![new], true, false));
                }
            }
        }
        for step in inside {
            let is_new = |value: &&Vec<Term>| used.contains(*value) || used_later.contains(*value);
            let new: Vec<&Vec<Term>> =
                step.results.iter().filter(is_new).filter(|v| seen.insert((*v).clone())).collect();
            let is_wanted = new.iter().any(|value| used_later.contains(*value));
            if !new.is_empty() {
                let place = new.iter().find_map(|value| displaced.iter().find(|(wanted, _)| wanted == value));
                let mut node =
                    Node::new(new.iter().map(|&value| Value::new(value.clone())).collect(), false, is_wanted);
                node.displaced = place.map(|place| place.1);
                nodes.push(node);
            }
        }
        if fixed.len() + nodes.len() > MOST_VALUES {
            return None;
        }
        let registers = problem.writable.len().checked_sub(held)?;
        Some(Self { graph: Graph::new(steps, Arc::from(fixed), nodes)?, registers })
    }
}

/// What has to be in the register of an input at the end.
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
    /// Works out the terms of a node that was inserted; `false` if they are not integers, or too large.
    pub(super) fn settle(&mut self, node: usize) -> bool {
        let known = self.known(self.all());
        let image = self.nodes[node].values[0].image;
        let mut way = None;
        known.ways_to(image, |new| {
            if known.needs(&new).nodes >> node & 1 == 0 {
                way.get_or_insert(new);
            }
        });
        let Some(way) = way else { return false };
        let values = self.values();
        let operands = three(way.operands().map(|operand| values[operand].terms.as_slice()));
        let Some(results) = self.steps.forms.get(way.form).results(operands) else { return false };
        // Of a division the negative may be what is meant.
        let meant = results.into_iter().map(Value::new).find(|value| value.image == image);
        let Some(value) = meant else { return false };
        self.nodes[node].values[0] = value;
        true
    }

    /// All values, in the order of their numbers in [`Graph::known`].
    fn values(&self) -> Vec<Arc<Value>> {
        self.fixed.iter().chain(self.nodes.iter().flat_map(|node| &node.values)).cloned().collect()
    }

    /// Its instructions in that order; `None` if one of them is none, which images that are equal by chance would lead to.
    pub(super) fn program(&self, order: &Order) -> Option<Vec<ValueStep>> {
        let (known, values) = (self.known(self.all()), self.values());
        let step = |way: Way, results: Vec<Vec<Term>>| {
            let operands = way.operands().map(|operand| values[operand].terms.clone()).collect();
            ValueStep { form: way.form, operands, results }
        };
        let of_node = |placed: &Placed| {
            let made = &self.nodes[placed.node].values;
            // Of several instructions one that may overwrite what is not needed any more.
            let (mut way, mut overwrites) = (None, false);
            let mut take = |new: Way| {
                let needs = known.needs(&new);
                if needs.nodes == placed.needs && (way.is_none() || !overwrites) {
                    (way, overwrites) = (Some(new), needs.overwritten & placed.dead != 0);
                }
            };
            match made.as_slice() {
                [value] => known.ways_to(value.image, take),
                _ => made.iter().flat_map(|value| known.divisions(value.image)).for_each(&mut take),
            }
            let way = way?;
            let mut results: Vec<Vec<Term>> = made.iter().map(|value| value.terms.clone()).collect();
            if self.steps.forms.get(way.form).shape == Shape::Divide && results.len() == 1 {
                results.push(terms::negative(&results[0])?);
            }
            Some(step(way, results))
        };
        order.iter().map(of_node).collect()
    }
}
