//! Random declarations of many kinds, as a sample for training.

use std::cmp::Ordering;

use cain_analysis::prove::{Atom, Polynomial};
use cain_isa::{Displacement, Fraction, Machine, Reg};
use cain_search::{Declaration, Input, InstructionSet, MaxGain, Objective, OffsetRule, Options, Output, Patience};

use crate::kernels::RandomKernels;

/// The most weights in all kernels together.
const MOST_WEIGHTS: usize = 32;
/// Numbers of outputs and inputs; those that occur more often are more likely.
const COUNTS: [(u16, u16); 12] =
    [(1, 1), (1, 1), (1, 1), (1, 1), (2, 1), (2, 1), (2, 1), (3, 1), (3, 1), (4, 1), (1, 2), (2, 2)];
/// The analogue registers of SCAMP-5.
const REGISTERS: u16 = 6;

/// Weights in rows from north to south, before they are divided.
type Weights = Vec<Vec<i64>>;

/// The declaration with this number, for a native search.
pub(crate) fn declaration(seed: u64, number: u32, nodes: u64) -> Declaration {
    let mut random = RandomKernels::of_sample(seed, number);
    loop {
        if let Some(declaration) = attempt(&mut random, nodes)
            && declaration.validate().is_ok()
        {
            return declaration;
        }
    }
}

/// A random declaration; `None` if it came out too large, or with nothing to do.
fn attempt(random: &mut RandomKernels, nodes: u64) -> Option<Declaration> {
    let (outputs, inputs) = random.one_of(COUNTS);
    let kind = random.below(KINDS);
    let kernels: Vec<Vec<Weights>> =
        (0..outputs).map(|_| (0..inputs).map(|_| weights(kind, random)).collect()).collect();
    let sum = |kernels: &Vec<Weights>| kernels.iter().flatten().flatten().map(|weight| weight.abs()).sum::<i64>();
    let most = kernels.iter().map(sum).max()?;
    // The gain is at most 1, or below 2.
    let bits = most.checked_ilog2()? + random.below(2);
    let divided = |channels: &Vec<Weights>| polynomial(channels, 1 << bits);
    let kernels: Vec<Polynomial> = kernels.iter().map(divided).collect::<Option<_>>()?;
    let terms = |kernel: &Polynomial| kernel.terms().count();
    let (all, least) = (kernels.iter().map(terms).sum::<usize>(), kernels.iter().map(terms).min()?);
    if all > MOST_WEIGHTS || least < 2 || has_twins(&kernels) {
        return None;
    }
    let keep = outputs + inputs <= 3 && random.below(4) == 0;
    let first_output = if keep { inputs } else { 0 };
    let reg = |index: u16| u8::try_from(index).map_or(Reg::A, Reg::from_index);
    let first_scratch = (first_output + outputs).max(inputs);
    let beside = if keep { 0..0 } else { outputs..inputs };
    let is_limited = random.below(2) == 0;
    Some(Declaration {
        name: "random".to_owned(),
        inputs: (0..inputs).map(|index| Input { reg: reg(index), keep }).collect(),
        outputs: (first_output..).zip(kernels).map(|(index, kernel)| Output { reg: reg(index), kernel }).collect(),
        scratch: beside.chain(first_scratch..REGISTERS).map(reg).collect(),
        machine: Machine::SCAMP5,
        options: Options {
            nodes,
            // Bags on the way to programs must not be forgotten.
            memory: 2048,
            patience: Patience::Any,
            instructions: InstructionSet::Native,
            objective: Objective::Icws,
            offset: if is_limited { OffsetRule::Cancelled } else { OffsetRule::Any },
            max_gain: if is_limited { Options::default().max_gain } else { MaxGain::Any },
            ..Options::default()
        },
    })
}

fn has_twins(kernels: &[Polynomial]) -> bool {
    kernels.iter().any(|kernel| kernels.iter().filter(|other| *other == kernel).count() > 1)
}

/// The kinds of [`weights`].
const KINDS: u32 = 6;

/// The weights of a kernel of a kind.
fn weights(kind: u32, random: &mut RandomKernels) -> Weights {
    let signs = random.below(3);
    let signed = |random: &mut RandomKernels, most: u32| {
        let magnitude = i64::from(random.below(most + 1));
        if signs > 0 && random.below(3) == 0 { -magnitude } else { magnitude }
    };
    let most = random.one_of([1, 2, 4, 8]);
    match kind {
        // Dense weights.
        0 => rows(3, 3, |_, _| signed(random, most)),
        // Sparse weights.
        1 => {
            let size = random.one_of([3, 5, 7]);
            let every = size * size / (4 + random.below(5));
            rows(size.into(), size.into(), |_, _| if random.below(every) == 0 { signed(random, most) } else { 0 })
        }
        // Weights that are symmetric, or antisymmetric from west to east.
        2 => {
            let (size, sign) = (random.one_of([3, 5]), random.one_of([1, 1, -1]));
            let quarter = rows(size, size, |_, _| signed(random, most));
            let half = size / 2;
            rows(size, size, |x, y| {
                let sign = match x.cmp(&half) {
                    Ordering::Less => 1,
                    Ordering::Equal => (1 + sign) / 2,
                    Ordering::Greater => sign,
                };
                sign * at(&quarter, (x - half).abs(), (y - half).abs())
            })
        }
        // Separable weights.
        3 => {
            let (width, height) = (random.one_of([3, 5]), random.one_of([1, 3]));
            let row: Vec<i64> = (0..width).map(|_| signed(random, 2)).collect();
            let column: Vec<i64> = (0..height).map(|_| signed(random, 2)).collect();
            let of = |values: &[i64], i: i64| usize::try_from(i).ok().and_then(|i| values.get(i)).copied().unwrap_or(0);
            rows(width, height, |x, y| of(&row, x) * of(&column, y))
        }
        // Weights that fall off from the middle.
        4 => {
            let size = random.one_of([3, 5]);
            let centre = size / 2;
            rows(size, size, |x, y| {
                let distance = (x - centre).abs() + (y - centre).abs();
                signed(random, 1).signum() * (8 >> distance)
            })
        }
        // One long row or column.
        _ => {
            let (length, is_row) = (4 + i64::from(random.below(4)), random.below(2) == 0);
            let (width, height) = if is_row { (length, 1) } else { (1, length) };
            rows(width, height, |_, _| signed(random, most))
        }
    }
}

fn rows(width: i64, height: i64, mut weight: impl FnMut(i64, i64) -> i64) -> Weights {
    (0..height).map(|y| (0..width).map(|x| weight(x, y)).collect()).collect()
}

fn at(weights: &Weights, x: i64, y: i64) -> i64 {
    let row = usize::try_from(y).ok().and_then(|y| weights.get(y));
    row.and_then(|row| usize::try_from(x).ok().and_then(|x| row.get(x))).copied().unwrap_or(0)
}

/// The sum of the kernels of all inputs, each centred on its middle.
fn polynomial(channels: &[Weights], divisor: i64) -> Option<Polynomial> {
    let mut polynomial = Polynomial::new();
    for (channel, weights) in (0..).zip(channels) {
        let middle = i16::try_from(weights.len() / 2).ok()?;
        for (y, row) in (0..).zip(weights) {
            let centre = i16::try_from(row.len() / 2).ok()?;
            for (x, &weight) in (0..).zip(row).filter(|(_, weight)| **weight != 0) {
                let displacement = Displacement::new(x - centre, middle - y);
                polynomial.add_term(Atom { channel, displacement }, Fraction::new(weight, divisor)?)?;
            }
        }
    }
    Some(polynomial)
}

#[cfg(test)]
mod tests {
    use super::{KINDS, declaration, weights};
    use crate::kernels::RandomKernels;
    use cain_search::OffsetRule;

    #[test]
    fn all_kinds_have_weights() {
        for kind in 0..KINDS {
            let mut random = RandomKernels::of_sample(1, kind);
            let filled = (0..20).filter(|_| weights(kind, &mut random).iter().flatten().any(|weight| *weight != 0));
            assert!(filled.count() >= 10, "{kind}");
        }
    }

    #[test]
    fn both_rules_are_there() {
        let declarations: Vec<_> = (1..=40).map(|number| declaration(1, number, 10)).collect();
        let cancelled =
            declarations.iter().filter(|declaration| declaration.options.offset == OffsetRule::Cancelled).count();
        assert!((10..=30).contains(&cancelled), "{cancelled}");
        assert!(declarations.iter().any(|declaration| declaration.outputs.len() == 4));
        assert!(declarations.iter().any(|declaration| declaration.inputs.len() == 2));
        assert_eq!(declarations, (1..=40).map(|number| declaration(1, number, 10)).collect::<Vec<_>>());
    }
}
