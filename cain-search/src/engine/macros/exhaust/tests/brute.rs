//! Enumerates programs by brute force, to check the exhaustive search against.

use std::collections::{BTreeMap, BTreeSet};

use crate::engine::gain::GainBound;
use crate::engine::macros::forms::{Form, Forms, Shape};
use crate::engine::terms::{self, Term};

/// Values with the number of registers that hold them.
pub(super) type Registers = BTreeMap<Vec<Term>, usize>;

/// Everything that programs of up to `length` instructions can leave in registers, with the shortest length for each.
pub(super) fn reachable(
    forms: &Forms,
    start: &Registers,
    length: usize,
    bound: GainBound,
) -> BTreeMap<Registers, usize> {
    let mut seen = BTreeMap::from([(start.clone(), 0)]);
    let mut layer = vec![start.clone()];
    for length in 1..=length {
        let before: BTreeSet<Registers> = layer.drain(..).collect();
        for registers in before {
            for next in forms.iter().flat_map(|form| successors(form, &registers)) {
                let allowed = next.keys().all(|value| bound.allows(value));
                if allowed && !seen.contains_key(&next) {
                    seen.insert(next.clone(), length);
                    layer.push(next);
                }
            }
        }
    }
    seen
}

/// The registers after a random program of this length; `pick` makes the random choices.
pub(super) fn random(
    forms: &Forms,
    start: &Registers,
    length: usize,
    mut pick: impl FnMut(usize) -> usize,
) -> Registers {
    let forms: Vec<&Form> = forms.iter().collect();
    let mut registers = start.clone();
    for _ in 0..length {
        let next = std::iter::repeat_with(|| successors(forms[pick(forms.len())], &registers))
            .find(|next| !next.is_empty())
            .unwrap_or_default();
        registers = next[pick(next.len())].clone();
    }
    registers
}

/// The registers after one instruction, in all ways it can be carried out; values stay where they are, except the
/// operand of `diva`.
fn successors(form: &Form, registers: &Registers) -> Vec<Registers> {
    let mut all = Vec::new();
    let sources = match form.shape {
        Shape::Zero => 0,
        Shape::Move | Shape::Negate | Shape::Halve | Shape::Divide => 1,
        Shape::Add | Shape::Subtract => 2,
        Shape::Add3 => 3,
    };
    let mut lists: Vec<Vec<&Vec<Term>>> = vec![vec![]];
    for _ in 0..sources {
        lists = lists.iter().flat_map(|l| registers.keys().map(move |v| [l.as_slice(), &[v]].concat())).collect();
    }
    for list in lists {
        let available = |value: &&Vec<Term>| list.iter().filter(|v| v == &value).count() <= registers[*value];
        if !(form.repeats || list.iter().all(available)) {
            continue;
        }
        for effect in effects(form, &list) {
            let mut next = registers.clone();
            for value in effect.gone {
                let count = next.entry(value.clone()).or_default();
                *count -= 1;
                if *count == 0 {
                    next.remove(&value);
                }
            }
            for value in effect.made {
                *next.entry(value).or_default() += 1;
            }
            all.push(next);
        }
    }
    all
}

/// The effect of an instruction on registers that are free or hold its operands.
#[derive(Default)]
struct Effect {
    gone: Vec<Vec<Term>>,
    made: Vec<Vec<Term>>,
}

/// All ways to carry out the instruction.
fn effects(form: &Form, list: &[&Vec<Term>]) -> Vec<Effect> {
    let step = terms::step(form.displacement);
    let scaled = |x: &[Term], factor| {
        let mut out = Vec::new();
        assert!(terms::scaled(&mut out, x, factor, step));
        out
    };
    let sum = |x: &[Term], y: &[Term], sign| {
        let mut out = Vec::new();
        assert!(terms::combine(&mut out, x, (1, step), y, (sign, if sign > 0 { step } else { 0 })));
        out
    };
    let half = |x: &[Term]| -> Vec<Term> {
        assert!(x.iter().all(|term| term.1 % 2 == 0));
        x.iter().map(|&(key, weight)| (key, weight / 2)).collect()
    };
    let made = |value| vec![Effect { made: vec![value], ..Effect::default() }];
    match (form.shape, list) {
        (Shape::Zero, []) => made(vec![]),
        (Shape::Move, [x]) => made(scaled(x, 1)),
        (Shape::Negate, [x]) => made(scaled(x, -1)),
        (Shape::Halve, [x]) => made(half(x)),
        (Shape::Add, [x, y]) => made(sum(x, y, 1)),
        (Shape::Add3, [x, y, z]) => made(sum(&sum(x, y, 1), z, 1)),
        (Shape::Subtract, [x, y]) => made(sum(x, y, -1)),
        (Shape::Divide, [x]) => {
            let (x, plus, minus) = ((*x).clone(), half(x), scaled(&half(x), -1));
            vec![
                Effect { gone: vec![], made: vec![plus.clone(), minus.clone(), x.clone()] },
                Effect { gone: vec![x], made: vec![plus, minus.clone(), minus] },
            ]
        }
        (shape, _) => panic!("{shape:?}"),
    }
}
