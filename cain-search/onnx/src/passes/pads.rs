//! Moves zeros around maps into the convolution or pooling that reads them.

use cain_network::{Padding, Reach};

use super::seen::Seen;
use crate::bounds::is_positive;
use crate::graph::{Became, Graph, Id, Node, Patch};
use crate::op::{Convolution, Op};

pub(super) fn taken_over(seen: &Seen<'_>, id: Id, node: &Node) -> Option<Patch> {
    let padded = seen.graph.node(*node.inputs.first()?)?;
    let Op::Pad(zeros) = *padded.op else { return None };
    let op = with(seen.graph, &node.op, *padded.inputs.first()?, zeros)?.ok()?;
    let became = padded.origin.map(|origin| (origin, Became::Text("part of the layer behind it")));
    let became = became.into_iter().collect();
    Some(Patch { replaced: id, inputs: padded.inputs.clone(), chain: vec![node.with_op(op)], became })
}

/// The operation that reads maps without the zeros around them and pads them itself; `None` if this kind of operation
/// cannot.
pub(crate) fn with(graph: &Graph, op: &Op, maps: Id, zeros: Padding) -> Option<Result<Op, String>> {
    match op {
        Op::Convolution(convolution) => {
            let reach = around(convolution.reach, zeros);
            Some(Ok(Op::Convolution(Convolution { reach, ..convolution.clone() })))
        }
        Op::Pad(padding) => Some(Ok(Op::Pad(sum(*padding, zeros)))),
        Op::MaxPool(reach) if is_positive(graph, maps) => Some(Ok(Op::MaxPool(around(*reach, zeros)))),
        Op::MaxPool(_) => Some(Err("takes the maximum of zeros that were padded and of values that may be negative; \
             rectify the maps first, or let the pooling pad"
            .to_owned())),
        // Zeros of earlier padding count as pixels.
        Op::MeanPool { reach, count_padding } if *count_padding || reach.padding.is_none() => {
            Some(Ok(Op::MeanPool { reach: around(*reach, zeros), count_padding: true }))
        }
        Op::MeanPool { .. } => {
            Some(Err("counts zeros that were padded before, but not its own padding; expected one of them".to_owned()))
        }
        _ => None,
    }
}

fn around(reach: Reach, zeros: Padding) -> Reach {
    Reach { padding: sum(reach.padding, zeros), ..reach }
}

fn sum(a: Padding, b: Padding) -> Padding {
    Padding { top: a.top + b.top, left: a.left + b.left, bottom: a.bottom + b.bottom, right: a.right + b.right }
}
