//! Models whose weights fit into the pixels: a convolution, rectified maxima, and a dense layer.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use cain_isa::Machine;
use cain_search::in_pixel::{Declaration, InPixelError, Pixels};

use super::model::{Model, Node};
use super::picture;
use super::tensor::Tensor;

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
        filters: None,
        rectified: false,
        pool: None,
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
    /// Zeros around the picture: in the north, west, south and east.
    pads: [usize; 4],
    filters: Option<Filters>,
    rectified: bool,
    pool: Option<usize>,
    dense: Option<Dense>,
    remarks: Vec<String>,
}

/// The convolution, and the node that it was.
struct Filters {
    node: String,
    taps: usize,
    block: usize,
    weights: Vec<Vec<i8>>,
}

/// The dense layer, and the node that it was.
struct Dense {
    node: String,
    /// For each feature its weights for the classes.
    weights: Vec<Vec<i8>>,
}

const ORDER: &str =
    "a network in the pixels has `Conv`, `Relu` and `MaxPool`, `Flatten`, and `Gemm` or `MatMul`, in this order";

impl Chain {
    fn node(&mut self, node: &Node) -> Result<(), String> {
        let Some(output) = node.outputs.first() else { return Err("the node has no output".to_owned()) };
        if node.op == "Constant" {
            self.constants.insert(output.clone(), node.constant()?);
            return Ok(());
        }
        if node.inputs.first() != Some(&self.at) {
            return Err(format!("reads something else than what is made before it, `{}`; {ORDER}", self.at));
        }
        let is_dense = self.dense.is_some();
        let remark = match node.op.as_str() {
            "Identity" | "Dropout" => "nothing".to_owned(),
            "Pad" if self.filters.is_none() => self.pad(node)?,
            "Conv" if self.filters.is_none() => self.convolution(node)?,
            "Relu" if self.filters.is_some() && !is_dense => {
                self.rectified = true;
                "negative sums become 0".to_owned()
            }
            "MaxPool" if self.filters.is_some() && self.pool.is_none() && !is_dense => self.max_pool(node)?,
            "Flatten" | "Reshape" if self.pool.is_some() && !is_dense => "the order of the maxima".to_owned(),
            "Gemm" | "MatMul" if self.pool.is_some() && !is_dense => self.dense(node)?,
            "Add" if is_dense => {
                let bias = node.inputs.get(1).and_then(|name| self.constants.get(name));
                check_bias(bias.ok_or("what is added is not constant")?)?;
                "nothing, as it adds 0".to_owned()
            }
            "Softmax" | "LogSoftmax" | "ArgMax" if is_dense => "the class with the largest sum".to_owned(),
            _ => return Err(format!("has no counterpart here; {ORDER}")),
        };
        self.remarks.push(format!("{}: {remark}", node.shown()));
        self.at.clone_from(output);
        Ok(())
    }

    fn constant(&self, node: &Node, input: usize) -> Result<Option<&Tensor>, String> {
        match node.inputs.get(input).filter(|name| !name.is_empty()) {
            None => Ok(None),
            Some(name) => {
                self.constants.get(name).map(Some).ok_or_else(|| format!("`{name}` is not constant; expected weights"))
            }
        }
    }

    fn pad(&mut self, node: &Node) -> Result<String, String> {
        let pads = self.constant(node, 1)?.ok_or("the pads are missing")?.integers();
        let is_zero = self.constant(node, 2)?.is_none_or(|value| value.values.iter().all(|value| *value == 0.0));
        let is_constant = node.text("mode").is_none_or(|mode| mode == "constant");
        match pads.as_slice() {
            [0, 0, top, left, 0, 0, bottom, right] if is_zero && is_constant => {
                self.add_pads([*top, *left, *bottom, *right])?;
                Ok("zeros around the picture".to_owned())
            }
            _ => Err("expected zeros in the north, west, south and east of the picture".to_owned()),
        }
    }

    fn add_pads(&mut self, pads: [i64; 4]) -> Result<(), String> {
        for (sum, pad) in self.pads.iter_mut().zip(pads) {
            let pad = usize::try_from(pad).ok().and_then(|pad| sum.checked_add(pad)).filter(|sum| *sum <= self.side);
            *sum = pad.ok_or_else(|| format!("padding {pads:?} is negative or larger than the array"))?;
        }
        Ok(())
    }

    /// A filter for each block, which sees the picture with a margin of zeros in the north and west and zeros up to the end
    /// of the block.
    fn convolution(&mut self, node: &Node) -> Result<String, String> {
        plain(node, "strides", 1)?;
        plain(node, "dilations", 1)?;
        if node.int("group", 1) != 1 {
            return Err("has groups; expected one channel".to_owned());
        }
        if node.text("auto_pad").is_some_and(|pad| pad != "NOTSET") {
            return Err("has `auto_pad`; export it with explicit pads".to_owned());
        }
        if let Some(bias) = self.constant(node, 2)? {
            check_bias(bias)?;
        }
        let Tensor { dims, values } = self.constant(node, 1)?.ok_or("the weights are missing")?.clone();
        let (count, taps) = match *dims.as_slice() {
            [count, 1, rows, columns] if rows == columns && count > 0 => (count, rows),
            _ => return Err(format!("the weights have the sizes {dims:?}; expected [filters, 1, size, size]")),
        };
        let blocks = (1..=self.side).find(|blocks| blocks * blocks >= count).unwrap_or(self.side);
        if blocks * blocks != count || !blocks.is_power_of_two() || taps == 0 {
            return Err(format!("{count} filters; expected 1, 4, 16, 64 or 256, one for each block of the array"));
        }
        let block = self.side / blocks;
        if let Some(pads) = node.ints("pads") {
            let pads = <[i64; 4]>::try_from(pads).map_err(|_| format!("the pads are {pads:?}; expected four"))?;
            self.add_pads(pads)?;
        }
        // The window at the end of the block reaches beyond it.
        let wanted = [taps - 1, taps - 1, block.saturating_sub(self.picture), block.saturating_sub(self.picture)];
        if self.pads != wanted {
            return Err(format!(
                "the picture has {:?} zeros in the north, west, south and east; expected {wanted:?}, so that there is a sum \
                 for each of the {block}×{block} PEs of a block",
                self.pads
            ));
        }
        let weights = values.iter().enumerate().map(|(number, value)| {
            weight(*value).ok_or_else(|| {
                let (filter, place) = (number / (taps * taps), number % (taps * taps));
                let (row, column) = (place / taps, place % taps);
                format!("the weight of filter {filter} in row {row}, column {column} is {value}; expected -1, 0 or 1")
            })
        });
        let weights: Vec<i8> = weights.collect::<Result<_, _>>()?;
        let weights = weights.chunks(taps * taps).map(<[i8]>::to_vec).collect();
        self.filters = Some(Filters { node: node.shown(), taps, block, weights });
        Ok(format!("filters of {taps}×{taps}, one for each of {count} blocks of {block}×{block} PEs"))
    }

    fn max_pool(&mut self, node: &Node) -> Result<String, String> {
        let (size, strides) = (node.ints("kernel_shape"), node.ints("strides"));
        let side = match size {
            Some([rows, columns]) if rows == columns && strides == size => usize::try_from(*rows).ok(),
            _ => None,
        };
        let Some(side) = side else {
            return Err(format!("windows of {size:?} PEs {strides:?} apart; expected square ones side by side"));
        };
        plain(node, "pads", 0)?;
        plain(node, "dilations", 1)?;
        self.pool = Some(side);
        Ok(format!("maxima of windows of {side}×{side} PEs"))
    }

    fn dense(&mut self, node: &Node) -> Result<String, String> {
        let is_gemm = node.op == "Gemm";
        if is_gemm {
            if node.int("transA", 0) != 0 || (node.float("alpha", 1.0) - 1.0).abs() > 0.0 {
                return Err("has `transA` or `alpha`; expected a plain dense layer".to_owned());
            }
            if let Some(bias) = self.constant(node, 2)? {
                check_bias(bias)?;
            }
        }
        let Tensor { dims, values } = self.constant(node, 1)?.ok_or("the weights are missing")?.clone();
        let [rows, columns] = *dims.as_slice() else {
            return Err(format!("the weights have the sizes {dims:?}; expected a matrix"));
        };
        let by_class = is_gemm && node.int("transB", 0) != 0;
        let (features, classes) = if by_class { (columns, rows) } else { (rows, columns) };
        let at = |feature: usize, class: usize| {
            let place = if by_class { class * columns + feature } else { feature * columns + class };
            let value = values.get(place).copied().unwrap_or_default();
            weight(value).ok_or_else(|| {
                format!("the weight of feature {feature} for class {class} is {value}; expected -1, 0 or 1")
            })
        };
        let row = |feature| (0..classes).map(|class| at(feature, class)).collect::<Result<Vec<i8>, String>>();
        let weights = (0..features).map(row).collect::<Result<Vec<_>, _>>()?;
        self.dense = Some(Dense { node: node.shown(), weights });
        Ok(format!("ternary weights of {features} maxima for {classes} classes"))
    }

    /// The network, if nothing is missing and it can be laid out.
    fn finish(self) -> Result<(Declaration, Vec<String>), String> {
        let Self { picture, side, pixels, filters, rectified, pool, dense, mut remarks, .. } = self;
        let (Some(filters), Some(pool), Some(dense), true) = (filters, pool, dense, rectified) else {
            return Err(format!("the model ends too early; {ORDER}"));
        };
        let network = Declaration {
            side,
            block: filters.block,
            picture,
            scale: 1,
            pixels,
            taps: filters.taps,
            filters: filters.weights,
            pool,
            second: None,
            dense: dense.weights,
            machine: Machine::SCAMP5,
            interruption: None,
        };
        network.check().map_err(|error| {
            let is_dense = matches!(
                error,
                InPixelError::Features { .. } | InPixelError::NotTernary { .. } | InPixelError::Classes { .. }
            );
            format!("{}: {error}", if is_dense { dense.node } else { filters.node })
        })?;
        remarks.push("sums whose filters leave the array are 0; see docs/in_pixel.md".to_owned());
        Ok((network, remarks))
    }
}

/// A small whole number. Whether there is such a weight depends on the layer.
#[expect(clippy::cast_possible_truncation, reason = "one of three whole numbers")]
fn weight(value: f64) -> Option<i8> {
    [-1.0, 0.0, 1.0].contains(&value).then_some(value as i8)
}

/// Refuses attributes that are not everywhere the usual number.
fn plain(node: &Node, name: &str, usual: i64) -> Result<(), String> {
    match node.ints(name) {
        Some(found) if found.iter().any(|found| *found != usual) => {
            Err(format!("`{name}` is {found:?}; expected {usual} everywhere"))
        }
        _ => Ok(()),
    }
}

fn check_bias(bias: &Tensor) -> Result<(), String> {
    match bias.values.iter().position(|value| *value != 0.0) {
        Some(place) => {
            let found = bias.values.get(place).copied().unwrap_or_default();
            Err(format!("the bias of output {place} is {found}; expected 0, since nothing is added in the pixels"))
        }
        None => Ok(()),
    }
}
