//! Maps that are one line of other maps below a threshold, and another line of them above it.

use super::rectifiers::between;
use super::seen::Seen;
use crate::graph::{Became, Id, Node, Patch};
use crate::op::{Line, Op, Pair};

/// Replaces the product of maps and of what a comparison of them makes, and the selection of maps by such a comparison.
pub(super) fn lines(seen: &Seen<'_>, id: Id, node: &Node) -> Option<Patch> {
    let levels = |input: usize| seen.levels.get(*node.inputs.get(input)?)?.as_ref();
    let (levels, below, above) = match *node.op {
        Op::Pair(Pair::Mul) => {
            let product = |bits: usize, lines: usize| {
                let levels = levels(bits)?;
                let line = line(seen, *node.inputs.get(lines)?, levels.maps)?;
                Some((levels, line.times(levels.below), line.times(levels.above)))
            };
            product(0, 1).or_else(|| product(1, 0))?
        }
        Op::Where => {
            let levels = levels(0)?;
            let line = |input: usize| line(seen, *node.inputs.get(input)?, levels.maps);
            let (yes, no) = (line(1)?, line(2)?);
            let side = |condition: f64| if condition == 0.0 { no } else { yes };
            (levels, side(levels.below), side(levels.above))
        }
        _ => return None,
    };
    let maps =
        seen.graph.node(levels.maps).filter(|maps| maps.fact.kind.is_float() && maps.fact.dims == node.fact.dims)?;
    let op = Op::Cut { at: levels.at.to_vec(), inclusive: levels.inclusive, below, above };
    let between = between(seen.graph, node, levels.maps).into_iter().filter_map(|node| node.origin);
    let became = between
        .filter(|origin| maps.origin != Some(*origin))
        .map(|origin| (origin, Became::Text("part of what is cut")));
    Some(Patch { replaced: id, inputs: vec![levels.maps], chain: vec![node.with_op(op)], became: became.collect() })
}

/// How many factors between maps and what is made of them are followed.
const DEEPEST: usize = 16;

/// What a value is of these maps, or a constant.
fn line(seen: &Seen<'_>, mut id: Id, maps: Id) -> Option<Line> {
    let mut line = Line { scale: 1.0, shift: 0.0 };
    for _ in 0..DEEPEST {
        let node = seen.graph.node(id)?;
        match &*node.op {
            _ if id == maps => return Some(line),
            Op::Constant(tensor) => return Some(Line { scale: 0.0, shift: line.of(tensor.single()?) }),
            Op::Affine { scale, shift } if node.fact.kind.is_float() => {
                let (scale, shift) = scale.single().zip(shift.single())?;
                line = Line { scale: line.scale * scale, shift: line.of(shift) };
                (id, _) = seen.alike(node)?;
            }
            _ => return None,
        }
    }
    None
}
