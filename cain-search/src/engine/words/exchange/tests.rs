//! Tests that what words make agrees with how values can be made, that walks from random programs keep what they make,
//! and that listings are read correctly.

use std::collections::BTreeSet;
use std::sync::Arc;

use cain_analysis::prove::Polynomial;
use cain_isa::{BusLimits, Displacement, Machine, Reg, Word};

use super::super::forms::WordForms;
use super::super::successors::Kinds;
use super::known::KnownValues;
use super::{Errors, WordSteps, results};
use crate::engine::exchange::graph::{Graph, Node, Value};
use crate::engine::exchange::trade::{shrink, trade};
use crate::engine::exchange::{Known as _, Place, Steps};
use crate::engine::image::Image;
use crate::engine::step::FormId;
use crate::engine::terms::{self, Term};
use crate::engine::values::{Exchanged, ValueStep};
use crate::random::Random;
use crate::{Declaration, Input, OffsetRule, Options, Output};

/// The weight 1, chosen such that an input can be halved six times.
const UNITS: i32 = 64;
const REGISTERS: usize = 6;

const RULES: [OffsetRule; 2] = [OffsetRule::Any, OffsetRule::Cancelled];

type Cell = (Vec<Term>, Place);

fn input() -> Vec<Term> {
    vec![(terms::key(0, Displacement::ZERO), UNITS)]
}

fn declaration(offset: OffsetRule) -> Declaration {
    Declaration {
        name: "exchange".into(),
        inputs: vec![Input { reg: Reg::A, keep: false }],
        outputs: vec![Output { reg: Reg::A, kernel: Polynomial::new() }],
        scratch: vec![Reg::B],
        machine: Machine::SCAMP5,
        options: Options { offset, ..Options::default() },
    }
}

/// Nodes of random values, each made by one word from earlier nodes; the last three in registers are wanted.
fn random_nodes(steps: &WordSteps<'_>, count: usize, random: &mut Random) -> Vec<Node> {
    let forms: Vec<FormId> = steps.forms.iter().filter(|(_, form)| form.divisor < 3).map(|(id, _)| id).collect();
    let mut made: Vec<Vec<Cell>> = vec![vec![(input(), Place::Register)]];
    while made.len() < count {
        let form = forms[random.below(forms.len())];
        let cells: Vec<&Cell> = made.iter().flatten().filter(|cell| cell.1 != Place::Copy).collect();
        let sources = 1 + random.below(3);
        let mut operands: Vec<&Cell> = Vec::new();
        for i in 0..sources {
            let place = if i == 0 && steps.reads_news(form) { Place::News } else { Place::Register };
            let fitting: Vec<&Cell> =
                cells.iter().copied().filter(|cell| cell.1 == place && !operands.contains(cell)).collect();
            operands.extend(fitting.get(random.below(fitting.len().max(1))));
        }
        let terms: Vec<&[Term]> = operands.iter().map(|cell| cell.0.as_slice()).collect();
        let is_word = operands.len() == sources && form_of(steps, form, sources);
        let Some(value) =
            is_word.then(|| results(steps.forms, steps.errors, form, &terms)).flatten().and_then(|mut all| all.pop())
        else {
            continue;
        };
        let places = steps.places(form);
        let is_new = |place: &Place| !made.iter().flatten().any(|cell| cell == &(value.clone(), *place));
        if !value.is_empty() && places.iter().all(is_new) {
            made.push(places.iter().map(|&place| (value.clone(), place)).collect());
        }
    }
    let in_registers = |cells: &[Cell]| cells.iter().any(|cell| cell.1 == Place::Register);
    let wanted: Vec<usize> = (1..made.len()).rev().filter(|&i| in_registers(&made[i])).take(3).collect();
    let values = |cells: &[Cell]| cells.iter().map(|cell| (Value::new(cell.0.clone()), cell.1)).collect();
    made.iter().enumerate().map(|(i, cells)| Node::new(values(cells), i == 0, wanted.contains(&i))).collect()
}

/// Whether a form takes this number of operands.
fn form_of(steps: &WordSteps<'_>, form: FormId, operands: usize) -> bool {
    let all = steps.registers.iter().chain(steps.news.iter().flat_map(|at| at.forms));
    let reading = steps.reading.iter().flat_map(|at| at.forms);
    all.map(|forms| (forms, operands))
        .chain(reading.map(|forms| (forms, operands - 1)))
        .any(|(forms, registers)| forms.get(registers) == Some(&Some(form)))
}

/// Everything that is made from known values has a way to be made, and is found from what it needs.
#[test]
fn both_directions_agree() {
    let forms = WordForms::new(BusLimits::SCAMP5);
    let kinds = Kinds::of(&forms);
    for (seed, rule) in (0..8).flat_map(|seed| RULES.map(|rule| (seed, rule))) {
        let declaration = declaration(rule);
        let steps = WordSteps::new(&forms, &kinds, Errors::of(&declaration, Exchanged::Complete));
        let nodes = random_nodes(&steps, 7, &mut Random::new(seed));
        let graph = Graph::new(&steps, Arc::from([]), nodes).unwrap();
        let known = KnownValues::new(&steps, graph.table(graph.all()));
        let mut made = Vec::new();
        known.all_made(|held| made.push(held));
        assert!(made.len() > 30 && made.len() <= known.made_at_most(), "{}", made.len());
        made.sort_unstable();
        made.dedup();
        made.retain(|held| held.image != Image::ZERO);
        for held in made {
            let (mut needed, mut ways) = (Vec::new(), 0);
            known.all_needed(held, |held| needed.push(held));
            known.ways_to(&[held], &mut |way| {
                ways += 1;
                let operands: Vec<usize> = way.operands().collect();
                for &operand in operands.iter().filter(|_| operands.len() < Word::MAX_SOURCES) {
                    let value = known.table().held()[operand];
                    let twice = operands.iter().any(|&other| known.table().held()[other].place == Place::Copy);
                    assert!(twice || needed.contains(&value), "{way:?}");
                    let mut found = twice;
                    known.ways_with(operand, &[held], &mut |with| found |= known.needs(&with) == known.needs(&way));
                    assert!(found, "{way:?}");
                }
            });
            assert!(ways > 0, "{held:?}");
        }
    }
}

/// Walks keep the wanted values; each word finds what it reads, in NEWS the value that was written there last; and the
/// registers suffice.
#[test]
fn walks_keep_what_is_wanted() {
    let forms = WordForms::new(BusLimits::SCAMP5);
    let kinds = Kinds::of(&forms);
    let mut exchanged = [0; RULES.len()];
    for (seed, rule) in (0..12).flat_map(|seed| (0..RULES.len()).map(move |rule| (seed, rule))) {
        let declaration = declaration(RULES[rule]);
        let steps = WordSteps::new(&forms, &kinds, Errors::of(&declaration, Exchanged::Complete));
        let mut random = Random::new(seed);
        let nodes = random_nodes(&steps, 18, &mut random);
        let wanted: Vec<Vec<Term>> =
            nodes.iter().filter(|node| node.is_wanted).map(|node| node.values[0].0.terms.clone()).collect();
        let mut graph = Graph::new(&steps, Arc::from([]), nodes).unwrap();
        shrink(&mut graph, &mut random);
        let mut length = 2 * graph.length();
        for _ in 0..60 {
            let free: Vec<usize> = (0..graph.nodes.len()).filter(|&node| graph.nodes[node].is_free()).collect();
            if free.is_empty() {
                break;
            }
            let leaving = free[random.below(free.len())];
            let found = trade((&graph, length), leaving, (REGISTERS, 1 << 20), &|_| true, &mut random).found;
            let Some((other, order)) = found else { continue };
            assert!(order.len() <= length);
            // A word with several cells may put its result into NEWS, or leave what is there.
            let (mut news, mut made) = (Vec::new(), vec![input()]);
            let program = other.program(&order).unwrap();
            assert!(program.len() <= order.len());
            for step in &program {
                let read = usize::from(steps.reads_news(step.form));
                if read == 1 {
                    assert!(news.contains(&step.operands[0]), "NEWS holds something else");
                    news = vec![step.operands[0].clone()];
                }
                assert!(step.operands[read..].iter().all(|operand| made.contains(operand)));
                let operands: Vec<&[Term]> = step.operands.iter().map(Vec::as_slice).collect();
                assert_eq!(results(&forms, steps.errors, step.form, &operands).as_ref(), Some(&step.results));
                let places = steps.places(step.form);
                if places.contains(&Place::Register) {
                    made.extend(step.results.iter().cloned());
                }
                match places {
                    [Place::News] => news.clone_from(&step.results),
                    _ if places.contains(&Place::News) => news.extend_from_slice(&step.results),
                    _ => {}
                }
            }
            assert!(wanted.iter().all(|value| made.contains(value)));
            assert!(registers(&steps, &program, &wanted) <= REGISTERS);
            (graph, length) = (other, order.len());
            exchanged[rule] += 1;
        }
    }
    assert!(exchanged.iter().all(|&exchanged| exchanged > 50), "{exchanged:?}");
}

/// The number of registers that a program takes.
fn registers(steps: &WordSteps<'_>, program: &[ValueStep], wanted: &[Vec<Term>]) -> usize {
    let mut live: BTreeSet<&[Term]> = wanted.iter().map(Vec::as_slice).collect();
    let mut most = live.len();
    for step in program.iter().rev() {
        let read = usize::from(steps.reads_news(step.form));
        let operands = step.operands[read..].iter().map(Vec::as_slice);
        // A word does not write a register that it reads.
        let at_once = live.iter().copied().chain(operands.clone()).collect::<BTreeSet<_>>();
        most = most.max(at_once.len());
        if steps.places(step.form).contains(&Place::Register) {
            live.remove(step.results[0].as_slice());
        }
        live.extend(operands);
    }
    most.max(live.len())
}
