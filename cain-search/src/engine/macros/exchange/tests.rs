//! Tests that what instructions make agrees with how values can be made, and that walks from random programs keep what
//! they make.

use std::sync::Arc;

use cain_isa::{Displacement, Machine};

use super::MacroSteps;
use super::known::KnownValues;
use crate::InstructionSet;
use crate::engine::exchange::graph::{Graph, Node, Value};
use crate::engine::exchange::order::order;
use crate::engine::exchange::trade::{shrink, trade};
use crate::engine::exchange::{Held, Known as _, Place};
use crate::engine::image::Image;
use crate::engine::macros::forms::{Forms, Shape, three};
use crate::engine::terms::{self, Term};
use crate::random::Random;

/// The weight 1, chosen such that an input can be halved six times.
const UNITS: i32 = 64;

fn input() -> Vec<Term> {
    vec![(terms::key(0, Displacement::ZERO), UNITS)]
}

/// Nodes of random values, each made by one instruction from earlier nodes.
fn random_nodes(forms: &Forms, count: usize, random: &mut Random) -> Vec<Node> {
    let forms: Vec<_> = forms.iter().filter(|form| !matches!(form.shape, Shape::Zero | Shape::Divide)).collect();
    let mut values = vec![input()];
    while values.len() < count {
        let form = forms[random.below(forms.len())];
        let sources = match form.shape {
            Shape::Add3 => 3,
            Shape::Add | Shape::Subtract => 2,
            _ => 1,
        };
        let operands = [0; 3].map(|_| random.below(values.len()));
        if (1..sources).any(|i| operands[..i].contains(&operands[i])) {
            continue;
        }
        let mut value = Vec::new();
        let is_value = form.compute(operands.map(|operand| values[operand].as_slice()), &mut value);
        if is_value && !value.is_empty() && !values.contains(&value) {
            values.push(value);
        }
    }
    let mut nodes: Vec<Node> = values
        .into_iter()
        .enumerate()
        .map(|(i, value)| Node::new(vec![(Value::new(value), Place::Register)], i == 0, false))
        .collect();
    nodes.iter_mut().rev().take(3).for_each(|node| node.is_wanted = true);
    nodes
}

/// Everything that is made from known values has a way to be made, and is found from what it needs.
#[test]
fn both_directions_agree() {
    for instructions in [InstructionSet::Macro, InstructionSet::Basic] {
        let forms = Forms::of(instructions, &Machine::SCAMP5);
        let steps = MacroSteps::of(&forms).unwrap();
        let graph = Graph::new(&steps, Arc::from([]), random_nodes(&forms, 6, &mut Random::new(1))).unwrap();
        let known = KnownValues::new(&steps, graph.table(graph.all()));
        let mut made = Vec::new();
        known.images_made(|image| made.push(Held::in_register(image)));
        made.sort_unstable();
        made.dedup();
        made.retain(|held| held.image != Image::ZERO);
        assert!(made.len() > 30 && made.len() <= known.made_at_most(), "{}", made.len());
        for held in made {
            let mut ways = Vec::new();
            known.ways_to(&[held], &mut |way| ways.push(way));
            assert!(!ways.is_empty(), "{held:?}");
            for way in ways {
                let operands: Vec<usize> = way.operands().collect();
                let mut needed = Vec::new();
                known.images_needed(held.image, |image| needed.push(Held::in_register(image)));
                assert!(operands.iter().all(|&operand| needed.contains(&known.table().held()[operand])), "{way:?}");
                for operand in operands {
                    let mut found = false;
                    known.ways_with(operand, &[held], &mut |with| found |= known.needs(&with) == known.needs(&way));
                    assert!(found, "{way:?}");
                }
            }
        }
    }
}

/// Walks keep the wanted values, and the steps of every program are right.
#[test]
fn walks_keep_what_is_wanted() {
    let forms = Forms::of(InstructionSet::Macro, &Machine::SCAMP5);
    let steps = MacroSteps::of(&forms).unwrap();
    let mut exchanged = 0;
    for seed in 0..6 {
        let mut random = Random::new(seed);
        let nodes = random_nodes(&forms, 16, &mut random);
        let wanted: Vec<Vec<Term>> = nodes[13..].iter().map(|node| node.values[0].0.terms.clone()).collect();
        let mut graph = Graph::new(&steps, Arc::from([]), nodes).unwrap();
        shrink(&mut graph, &mut random);
        for _ in 0..60 {
            let free: Vec<usize> = (0..graph.nodes.len()).filter(|&node| graph.nodes[node].is_free()).collect();
            if free.is_empty() {
                break;
            }
            let found =
                trade((&graph, graph.length()), free[random.below(free.len())], (6, 1 << 20), &|_| true, &mut random)
                    .found;
            let Some((other, order)) = found else { continue };
            assert!(other.length() <= graph.length());
            let program = other.program(&order).unwrap();
            assert_eq!(program.len(), other.length());
            let mut made = vec![input()];
            for step in &program {
                assert!(step.operands.iter().all(|operand| made.contains(operand)));
                let results = forms.get(step.form).results(three(step.operands.iter().map(Vec::as_slice))).unwrap();
                assert!(step.results.contains(&results[0]));
                made.extend(step.results.iter().cloned());
            }
            assert!(wanted.iter().all(|value| made.contains(value)));
            (graph, exchanged) = (other, exchanged + 1);
        }
    }
    assert!(exchanged > 50, "{exchanged}");
}

/// Every order has its operands available when they are needed, and fits the registers at every step.
#[test]
fn orders_fit_the_registers() {
    let forms = Forms::of(InstructionSet::Macro, &Machine::SCAMP5);
    let steps = MacroSteps::of(&forms).unwrap();
    for seed in 0..20 {
        let graph = Graph::new(&steps, Arc::from([]), random_nodes(&forms, 14, &mut Random::new(seed))).unwrap();
        let least =
            (1..=14).find(|&registers| order(&graph, registers, (8, &mut 0), &mut Random::new(0)).is_some()).unwrap();
        let order = order(&graph, least, (8, &mut 0), &mut Random::new(0)).unwrap();
        let mut live = graph.given();
        let mut most = live.count_ones();
        for placed in &order {
            assert_eq!(placed.needs.registers & !live, 0, "an operand is gone");
            live = (live | 1 << placed.node) & !placed.dead;
            most = most.max(live.count_ones());
        }
        assert!(usize::try_from(most).unwrap() <= least);
        let wanted = graph.set(|node| node.is_wanted);
        assert_eq!(live & wanted, wanted);
    }
}
