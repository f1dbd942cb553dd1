//! Models whose weights fit into the pixels: a convolution, maxima, and a dense layer, perhaps with a second convolution.

mod layers;
mod numbers;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use cain_isa::Machine;
use cain_search::in_pixel::{Declaration, InPixelError, Pixels, Scores, Second};

use super::model::{Model, Node};
use super::tensor::Tensor;
use super::{constants, picture};
use numbers::Numbers;

/// Reads a model for an array of that side and such pixels; the network, and a line for each node.
pub(in super::super) fn read(bytes: &[u8], side: usize, pixels: Pixels) -> Result<(Declaration, Vec<String>), String> {
    let model = Model::read(bytes)?;
    let (height, width) = picture(&model.input.1)?;
    if height != width {
        return Err(format!("the pictures have {height}×{width} pixels; expected square ones"));
    }
    let mut chain = Chain {
        at: model.input.0,
        constants: model.constants,
        picture: height,
        side,
        pixels,
        pads: [0; 4],
        has_second: model.nodes.iter().filter(|node| node.op == "Conv").count() > 1,
        places: 0,
        first: None,
        pool: None,
        second: None,
        numbers: Numbers::default(),
        thresholds: Default::default(),
        is_flat: false,
        dense: None,
        remarks: Vec::new(),
    };
    for node in &model.nodes {
        chain.node(node).map_err(|problem| format!("{}: {problem}", node.shown()))?;
    }
    if !model.outputs.contains(&chain.at) {
        return Err(format!("the outputs {:?} are not what the last node makes", model.outputs));
    }
    chain.finish()
}

/// What of the model has been read: nodes of which each reads what the one before makes.
struct Chain {
    /// What the last node makes.
    at: String,
    constants: BTreeMap<String, Tensor>,
    picture: usize,
    side: usize,
    pixels: Pixels,
    /// Zeros around what the next convolution sees: in the north, west, south and east.
    pads: [usize; 4],
    /// Whether there is a second convolution.
    has_second: bool,
    /// The places along each side that have a sum of the first convolution.
    places: usize,
    first: Option<Filters>,
    pool: Option<usize>,
    second: Option<Filters>,
    /// What becomes of the sums of the last convolution.
    numbers: Numbers,
    /// Of the convolutions, if there are two.
    thresholds: [Vec<u8>; 2],
    /// Whether the features are in a row.
    is_flat: bool,
    dense: Option<Dense>,
    remarks: Vec<String>,
}

/// A convolution, and the node that it was.
struct Filters {
    node: String,
    taps: usize,
    weights: Vec<Vec<i8>>,
}

/// The dense layer, and the node that it was.
struct Dense {
    node: String,
    /// For each feature its weights for the classes.
    weights: Vec<Vec<i8>>,
}

/// The most numbers of a constant that a node makes of fewer: pads have eight.
const MOST_COMPUTED: usize = 1024;

const ORDER: &str = "a network in the pixels has `Conv`, `Relu` and `MaxPool`, `Flatten`, and `Gemm` or `MatMul`, in this \
                     order; or `Conv`, what counts thresholds, `MaxPool`, `Conv`, what counts thresholds, and a dense layer";

impl Chain {
    fn node(&mut self, node: &Node) -> Result<(), String> {
        let Some(output) = node.outputs.first() else { return Err("the node has no output".to_owned()) };
        if node.op == "Constant" {
            self.constants.insert(output.clone(), node.constant()?);
            return Ok(());
        }
        if let Some(made) = self.of_constants(node) {
            self.constants.insert(output.clone(), made?);
            return Ok(());
        }
        let reads = node.inputs.first();
        let is_number = reads.is_some_and(|name| self.numbers.has(name));
        if self.dense.is_none() && self.numbers.has_any_of(node) && Numbers::is_calculation(node) {
            self.numbers.calculate(node, &self.constants)?;
            self.remarks.push(format!("{}: what becomes of sums", node.shown()));
            self.at.clone_from(output);
            return Ok(());
        }
        if reads != Some(&self.at) && !is_number {
            return Err(format!("reads something else than what is made before it, `{}`; {ORDER}", self.at));
        }
        let remark = match (node.op.as_str(), &self.dense) {
            ("Identity" | "Dropout", _) => "nothing".to_owned(),
            ("Pad", None) if !self.has_filters() => self.pad(node)?,
            ("Conv", None) if self.first.is_none() => self.convolution(node)?,
            ("Conv", None) if !self.has_filters() => self.second_convolution(node)?,
            ("MaxPool", None) if is_number && self.pool.is_none() => self.max_pool(node)?,
            ("Flatten" | "Reshape", None) if self.pool.is_some() && self.has_filters() => self.flatten(node)?,
            ("Gemm" | "MatMul", None) if self.is_flat => self.dense(node)?,
            ("Add", Some(_)) => {
                let bias = node.inputs.get(1).and_then(|name| self.constants.get(name));
                check_bias(bias.ok_or("what is added is not constant")?)?;
                "nothing, as it adds 0".to_owned()
            }
            ("Softmax" | "LogSoftmax" | "ArgMax", Some(_)) => "the class with the largest sum".to_owned(),
            _ => return Err(format!("has no counterpart here; {ORDER}")),
        };
        self.remarks.push(format!("{}: {remark}", node.shown()));
        self.at.clone_from(output);
        Ok(())
    }

    /// What a node makes of constants alone, such as pads that are put together.
    fn of_constants(&self, node: &Node) -> Option<Result<Tensor, String>> {
        let named = || node.inputs.iter().filter(|name| !name.is_empty());
        if named().count() == 0 || !named().all(|name| self.constants.contains_key(name)) {
            return None;
        }
        let inputs: Vec<_> = node.inputs.iter().map(|name| self.constants.get(name).cloned()).collect();
        let made = constants::compute(node, &inputs)?;
        let most = inputs.iter().flatten().map(|input| input.values.len()).max().unwrap_or(0).max(MOST_COMPUTED);
        Some(made.and_then(|made| match made.values.len() {
            count if count <= most => Ok(made),
            count => Err(format!("makes {count} constants; expected weights as they are")),
        }))
    }

    /// Whether the convolutions have been read that come before what comes next.
    fn has_filters(&self) -> bool {
        if self.has_second && self.pool.is_some() { self.second.is_some() } else { self.first.is_some() }
    }

    fn constant(&self, node: &Node, input: usize) -> Result<Option<&Tensor>, String> {
        match node.inputs.get(input).filter(|name| !name.is_empty()) {
            None => Ok(None),
            Some(name) => {
                self.constants.get(name).map(Some).ok_or_else(|| format!("`{name}` is not constant; expected weights"))
            }
        }
    }

    /// The network, if nothing is missing and it can be laid out.
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

/// Refuses numbers that are not 0.
fn check_bias(bias: &Tensor) -> Result<(), String> {
    match bias.values.iter().position(|value| *value != 0.0) {
        Some(place) => {
            let found = bias.values.get(place).copied().unwrap_or_default();
            Err(format!("the bias of output {place} is {found}; expected 0, since nothing is added in the pixels"))
        }
        None => Ok(()),
    }
}
