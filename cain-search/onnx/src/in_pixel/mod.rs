//! Reads models whose weights fit into the pixels: a convolution, maxima and a dense layer, perhaps with a second
//! convolution.

mod layers;
mod numbers;
#[cfg(test)]
mod tests;

use cain_in_pixel::{Declaration, InPixelError, Pixels, Scores, Second};
use cain_isa::Machine;

use super::graph::{Graph, Id, Node};
use super::model::Model;
use super::node;
use super::op::{Op, Pair};
use super::picture::Picture;
use super::read as reading;
use numbers::Numbers;

/// Reads a model for an array of that side and such pixels. Returns the network and a line for each node.
pub fn read(bytes: &[u8], side: usize, pixels: Pixels) -> Result<(Declaration, Vec<String>), String> {
    let model = Model::read(bytes)?;
    let picture = Picture::of(&model.input)?;
    let Picture { height, width, .. } = picture;
    if height != width {
        return Err(format!("the pictures have {height}×{width} pixels; expected square ones"));
    }
    let graph = reading::graph(&model, &picture, model.input.kind.bounds())?.with(Vec::new());
    let is_convolution = |node: &&Node| matches!(*node.op, Op::Convolution(_));
    let mut chain = Chain {
        graph: &graph,
        at: None,
        picture: height,
        side,
        pixels,
        pads: [0; 4],
        has_second: graph.nodes.iter().filter(is_convolution).count() > 1,
        places: 0,
        first: None,
        pool: None,
        second: None,
        numbers: Numbers::default(),
        thresholds: Default::default(),
        is_flat: false,
        dense: None,
        scores: Vec::new(),
        remarks: Vec::new(),
    };
    for (id, node) in graph.nodes.iter().enumerate() {
        let shown = || node.origin.and_then(|origin| model.nodes.get(origin)).map_or(String::new(), node::Node::shown);
        match *node.op {
            Op::Image { .. } => chain.at = Some(id),
            Op::Constant(_) => {}
            _ => {
                let remark = chain.node(id, node, &shown).map_err(|problem| format!("{}: {problem}", shown()))?;
                chain.remarks.push(format!("{}: {remark}", shown()));
            }
        }
    }
    for (output, name) in graph.outputs.iter().zip(&model.outputs) {
        if !chain.scores.contains(output) && chain.at != Some(*output) {
            return Err(format!("the output `{name}` is not what the last node makes, nor what the dense layer makes"));
        }
    }
    chain.finish()
}

/// The part of a model read so far: each node reads the result of the one before.
struct Chain<'g> {
    graph: &'g Graph,
    /// The last node read; `None` stands for the picture.
    at: Option<Id>,
    picture: usize,
    side: usize,
    pixels: Pixels,
    /// Zeros around the input of the next convolution: in the north, west, south and east.
    pads: [usize; 4],
    /// Whether there is a second convolution.
    has_second: bool,
    /// The number of places along each side that have a sum of the first convolution.
    places: usize,
    first: Option<Filters>,
    pool: Option<usize>,
    second: Option<Filters>,
    /// The numbers made of the sums of the last convolution.
    numbers: Numbers,
    /// The thresholds of both convolutions, if there are two.
    thresholds: [Vec<u8>; 2],
    /// Whether the features are flattened.
    is_flat: bool,
    dense: Option<Dense>,
    /// The nodes that make the sums of the classes, or numbers in the same order as these.
    scores: Vec<Id>,
    remarks: Vec<String>,
}

/// A convolution with its node.
struct Filters {
    node: String,
    taps: usize,
    weights: Vec<Vec<i8>>,
}

/// The dense layer with its node.
struct Dense {
    node: String,
    /// The weights of each feature for the classes.
    weights: Vec<Vec<i8>>,
}

const ORDER: &str = "a network in the pixels has `Conv`, `Relu` and `MaxPool`, `Flatten`, and `Gemm` or `MatMul`, in this \
                     order; or `Conv`, what counts thresholds, `MaxPool`, `Conv`, what counts thresholds, and a dense layer";

impl Chain<'_> {
    /// Reads a node and returns what it becomes; `shown` names it.
    fn node(&mut self, id: Id, node: &Node, shown: &dyn Fn() -> String) -> Result<String, String> {
        let reads = node.inputs.first().copied();
        let is_number = reads.is_some_and(|id| self.numbers.has(id));
        if self.dense.is_none() && self.numbers.has_any_of(node) && Numbers::is_calculation(node) {
            self.numbers.calculate(self.graph, id, node)?;
            self.at = Some(id);
            return Ok("what becomes of sums".to_owned());
        }
        let sums = reads.filter(|id| self.scores.contains(id));
        if reads != self.at && !is_number && sums.is_none() && !self.adds_to_scores(node) {
            return Err(format!("reads something else than what is made before it; {ORDER}"));
        }
        let remark = match (&*node.op, &self.dense) {
            (Op::Pad(padding), None) if !self.has_filters() => self.pad(id, node, *padding)?,
            (Op::Convolution(convolution), None) if self.first.is_none() => {
                self.convolution(id, convolution, shown())?
            }
            (Op::Convolution(convolution), None) if !self.has_filters() => {
                self.second_convolution(id, node, convolution, shown())?
            }
            (Op::MaxPool(reach), None) if is_number && self.pool.is_none() => self.max_pool(id, node, *reach)?,
            (Op::Reshape, None) if self.pool.is_some() && self.has_filters() => self.flatten(id, node)?,
            (Op::Dense(dense), None) if self.is_flat => self.dense(id, node, dense, shown())?,
            (Op::Pair(Pair::Add), Some(_)) => {
                let bias = node.inputs.iter().find_map(|input| self.graph.constant(*input));
                check_bias(&bias.ok_or("what is added is not constant")?.values)?;
                self.scores.push(id);
                "nothing, as it adds 0".to_owned()
            }
            (Op::Softmax { .. } | Op::ArgMax { .. }, Some(_)) if sums.is_some() => self.decision(id, node)?,
            _ => return Err(format!("has no counterpart here; {ORDER}")),
        };
        self.at = Some(id);
        Ok(remark)
    }

    /// Whether a node adds something to the sums of the classes.
    fn adds_to_scores(&self, node: &Node) -> bool {
        matches!(*node.op, Op::Pair(Pair::Add)) && node.inputs.iter().any(|input| self.scores.contains(input))
    }

    /// Reads a node that preserves the order of the classes; it has to work along all of them.
    fn decision(&mut self, id: Id, node: &Node) -> Result<String, String> {
        let dims = node.inputs.first().and_then(|input| self.graph.node(*input)).map(|node| node.fact.dims.clone());
        let dims = dims.unwrap_or_default();
        let classes: usize = dims.iter().product();
        let along = match *node.op {
            Op::Softmax { axis, is_to_end: true, .. } => dims.iter().skip(axis).product(),
            Op::Softmax { axis, .. } | Op::ArgMax { axis } => dims.get(axis).copied().unwrap_or(0),
            _ => 0,
        };
        if along != classes {
            return Err(format!("works along {along} of {classes} classes; expected the axis of the classes"));
        }
        if matches!(*node.op, Op::Softmax { .. }) {
            self.scores.push(id);
        }
        Ok("the class with the largest sum".to_owned())
    }

    /// Whether the convolutions before the next layer have been read.
    fn has_filters(&self) -> bool {
        if self.has_second && self.pool.is_some() { self.second.is_some() } else { self.first.is_some() }
    }

    /// The network, if it is complete and can be laid out.
    fn finish(self) -> Result<(Declaration, Vec<String>), String> {
        let Self { picture, side, pixels, places, first, pool, second, thresholds, dense, mut remarks, .. } = self;
        let (Some(first), Some(pool), Some(dense)) = (first, pool, dense) else {
            return Err(format!("the model ends too early; {ORDER}"));
        };
        let has_second = second.is_some();
        let second_node = second.as_ref().map(|second| second.node.clone());
        let network = Declaration {
            side,
            block: if has_second { side } else { places },
            picture,
            scale: if has_second { side / places } else { 1 },
            pixels,
            taps: first.taps,
            filters: first.weights,
            pool,
            second: second.map(|second| Second {
                taps: second.taps,
                filters: second.weights,
                thresholds,
                scores: Scores::Exact,
            }),
            dense: dense.weights,
            machine: Machine::SCAMP5,
            interruption: None,
        };
        network.check().map_err(|error| {
            let node = match error {
                InPixelError::Features { .. } | InPixelError::NotTernary { .. } | InPixelError::Classes { .. } => {
                    dense.node
                }
                InPixelError::SecondFilters { .. }
                | InPixelError::Taps { convolution: 1, .. }
                | InPixelError::NotOne { convolution: 1, .. }
                | InPixelError::Thresholds { convolution: 1, .. } => second_node.unwrap_or(first.node),
                _ => first.node,
            };
            format!("{node}: {error}")
        })?;
        remarks.push(if has_second {
            "scores are added up exactly; `sum = \"analogue\"` takes less time; see docs/in_pixel.md".to_owned()
        } else {
            "sums whose filters leave the array are 0; see docs/in_pixel.md".to_owned()
        });
        Ok((network, remarks))
    }
}

/// Refuses a bias other than 0.
fn check_bias(bias: &[f64]) -> Result<(), String> {
    match bias.iter().position(|value| *value != 0.0) {
        Some(place) => {
            let found = bias.get(place).copied().unwrap_or_default();
            Err(format!("the bias of output {place} is {found}; expected 0, since nothing is added in the pixels"))
        }
        None => Ok(()),
    }
}
