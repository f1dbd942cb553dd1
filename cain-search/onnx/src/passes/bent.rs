//! What is a multiple of other numbers where these are positive, and another multiple of them where they are negative.

use crate::graph::{Graph, Id, Node};
use crate::op::{Each, Op, Pair};

/// What a node makes of other numbers, on both sides of 0.
#[derive(Clone, Copy)]
pub(super) struct Sides {
    pub(super) positive: f64,
    pub(super) negative: f64,
}

/// What a node makes of earlier numbers.
#[derive(Clone, Copy)]
pub(super) enum Made {
    /// Multiples of them.
    Multiples(Id, Sides),
    /// Numbers that depend on their signs alone, where they are not 0.
    Constants(Id, Sides),
    /// Zero.
    Zero,
}

impl Sides {
    fn map(self, of: impl Fn(f64) -> f64) -> Self {
        Self { positive: of(self.positive), negative: of(self.negative) }
    }

    fn with(self, other: Self, of: impl Fn(f64, f64) -> f64) -> Self {
        Self { positive: of(self.positive, other.positive), negative: of(self.negative, other.negative) }
    }
}

/// What each node makes of earlier numbers of the same sizes.
pub(super) fn all(graph: &Graph) -> Vec<Option<Made>> {
    let mut all: Vec<Option<Made>> = Vec::new();
    for (id, node) in graph.nodes.iter().enumerate() {
        let own = || {
            let is_zero = graph.constant(id).is_some_and(|constant| constant.single() == Some(0.0));
            let is_number = node.fact.kind.is_float() && graph.constant(id).is_none();
            let same = Made::Multiples(id, Sides { positive: 1.0, negative: 1.0 });
            if is_zero { Some(Made::Zero) } else { is_number.then_some(same) }
        };
        let found = computed(graph, node, &all).or_else(own);
        all.push(found);
    }
    all
}

fn computed(graph: &Graph, node: &Node, all: &[Option<Made>]) -> Option<Made> {
    let read = |input: usize| {
        let id = *node.inputs.get(input)?;
        let is_alike = graph.constant(id).is_some() || graph.node(id)?.fact.dims == node.fact.dims;
        all.get(id).copied().flatten().filter(|_| is_alike)
    };
    let single = |input: usize| graph.constant(*node.inputs.get(input)?)?.single();
    let each = |of: &dyn Fn(f64) -> f64| match read(0)? {
        Made::Multiples(id, sides) => Some(Made::Multiples(id, sides.map(of))),
        Made::Constants(id, sides) => Some(Made::Constants(id, sides.map(of))),
        Made::Zero => None,
    };
    match &*node.op {
        Op::Affine { scale, shift } => match (read(0)?, scale.single()?, shift.single()?) {
            (Made::Multiples(id, sides), scale, 0.0) => Some(Made::Multiples(id, sides.map(|side| side * scale))),
            (Made::Constants(id, sides), scale, shift) => {
                Some(Made::Constants(id, sides.map(|side| side * scale + shift)))
            }
            _ => None,
        },
        Op::Each(Each::Neg) => each(&|side| -side),
        Op::Cast => match read(0)? {
            Made::Constants(..) if node.fact.kind.is_float() => read(0),
            _ => None,
        },
        Op::Each(Each::Not) => match read(0)? {
            Made::Constants(id, sides) => Some(Made::Constants(id, sides.map(|side| 1.0 - side))),
            _ => None,
        },
        Op::Each(Each::Sign) => signs(read(0)?, |sign| sign),
        Op::Sign { at } if at.iter().all(|at| *at == 0.0) => signs(read(0)?, |sign| sign),
        Op::Threshold { at, inclusive, below, above } if at.iter().all(|at| *at == 0.0) => {
            signs(read(0)?, |sign| if sign > 0.0 || (sign == 0.0 && *inclusive) { *above } else { *below })
        }
        Op::Each(Each::Relu) | Op::Clamp { low: Some(0.0), high: None } => bent(read(0)?, 0.0),
        Op::Each(Each::Abs) => bent(read(0)?, -1.0),
        Op::Each(Each::Leaky { alpha }) => bent(read(0)?, *alpha),
        Op::Clamp { low: None, high: Some(0.0) } => match bent(negative(read(0)?)?, 0.0)? {
            made @ Made::Multiples(..) => negative(made),
            _ => None,
        },
        Op::Pair(pair) if pair.is_comparison() => {
            let (made, is_swapped) = if single(1) == Some(0.0) { (read(0)?, false) } else { (read(1)?, true) };
            if is_swapped && single(0) != Some(0.0) {
                return None;
            }
            signs(made, |sign| {
                let sign = if is_swapped { -sign } else { sign };
                f64::from(u8::from(match pair {
                    Pair::Greater => sign > 0.0,
                    Pair::GreaterOrEqual => sign >= 0.0,
                    Pair::Less => sign < 0.0,
                    _ => sign <= 0.0,
                }))
            })
        }
        Op::Pair(Pair::Mul) => match (single(0), single(1)) {
            (None, None) => product(read(0)?, read(1)?),
            (Some(factor), None) => scaled(read(1)?, factor),
            (None, Some(factor)) => scaled(read(0)?, factor),
            _ => None,
        },
        Op::Pair(Pair::Div) => scaled(read(0)?, 1.0 / single(1).filter(|number| *number != 0.0)?),
        Op::Pair(Pair::Add) => multiples(read(0)?, read(1)?, |a, b| a + b),
        Op::Pair(Pair::Sub) => multiples(read(0)?, read(1)?, |a, b| a - b),
        Op::Extreme { is_max } => {
            let all: Vec<Made> = (0..node.inputs.len()).map(read).collect::<Option<_>>()?;
            // The larger one of multiples of a negative number is the smaller multiple.
            let of = |a: Made, b: Made| {
                let (id, a, b) = same(a, b)?;
                let most = |a: f64, b: f64, is_max: bool| if is_max { a.max(b) } else { a.min(b) };
                let positive = most(a.positive, b.positive, *is_max);
                Some(Made::Multiples(id, Sides { positive, negative: most(a.negative, b.negative, !is_max) }))
            };
            all.into_iter().map(Some).reduce(|a, b| a.zip(b).and_then(|(a, b)| of(a, b)))?
        }
        Op::Where => {
            let Made::Constants(of, condition) = read(0)? else { return None };
            let side = |condition: f64, yes: f64, no: f64| if condition == 0.0 { no } else { yes };
            if let (Some(yes), Some(no)) = (single(1), single(2)) {
                return Some(Made::Constants(of, condition.map(|condition| side(condition, yes, no))));
            }
            let (id, yes, no) = same(read(1)?, read(2)?)?;
            let positive = side(condition.positive, yes.positive, no.positive);
            let negative = side(condition.negative, yes.negative, no.negative);
            (id == of).then_some(Made::Multiples(id, Sides { positive, negative }))
        }
        _ => None,
    }
}

/// What two multiples of the same numbers are; zero is a multiple of any.
fn same(a: Made, b: Made) -> Option<(Id, Sides, Sides)> {
    let none = Sides { positive: 0.0, negative: 0.0 };
    match (a, b) {
        (Made::Multiples(a, first), Made::Multiples(b, second)) if a == b => Some((a, first, second)),
        (Made::Multiples(id, sides), Made::Zero) => Some((id, sides, none)),
        (Made::Zero, Made::Multiples(id, sides)) => Some((id, none, sides)),
        _ => None,
    }
}

fn multiples(a: Made, b: Made, of: impl Fn(f64, f64) -> f64) -> Option<Made> {
    same(a, b).map(|(id, a, b)| Made::Multiples(id, a.with(b, of)))
}

/// A product of which one factor depends on signs alone.
fn product(a: Made, b: Made) -> Option<Made> {
    match (a, b) {
        (Made::Multiples(a, sides), Made::Constants(b, others))
        | (Made::Constants(b, others), Made::Multiples(a, sides))
            if a == b =>
        {
            Some(Made::Multiples(a, sides.with(others, |side, other| side * other)))
        }
        _ => None,
    }
}

fn scaled(made: Made, factor: f64) -> Option<Made> {
    match made {
        Made::Multiples(id, sides) => Some(Made::Multiples(id, sides.map(|side| side * factor))),
        Made::Constants(id, sides) => Some(Made::Constants(id, sides.map(|side| side * factor))),
        Made::Zero => None,
    }
}

fn negative(made: Made) -> Option<Made> {
    scaled(made, -1.0)
}

/// A rectifier with a slope below zero.
fn bent(made: Made, alpha: f64) -> Option<Made> {
    let Made::Multiples(id, Sides { positive, negative }) = made else { return None };
    let positive = if positive < 0.0 { positive * alpha } else { positive };
    // Negative numbers times a negative factor are positive.
    let negative = if negative > 0.0 { negative * alpha } else { negative };
    Some(Made::Multiples(id, Sides { positive, negative }))
}

/// What depends on the sign of multiples alone.
fn signs(made: Made, of: impl Fn(f64) -> f64) -> Option<Made> {
    let sign = |number: f64| if number == 0.0 { 0.0 } else { number.signum() };
    let Made::Multiples(id, Sides { positive, negative }) = made else { return None };
    Some(Made::Constants(id, Sides { positive: of(sign(positive)), negative: of(sign(-negative)) }))
}
