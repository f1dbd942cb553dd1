//! The layers of a model, one by one.

use super::super::model::Node;
use super::super::tensor::Tensor;
use super::numbers::Numbers;
use super::{Chain, Dense, Filters, ORDER, check_bias};

impl Chain {
    pub(super) fn pad(&mut self, node: &Node) -> Result<String, String> {
        let pads = self.constant(node, 1)?.ok_or("the pads are missing")?.integers();
        let is_zero = self.constant(node, 2)?.is_none_or(|value| value.values.iter().all(|value| *value == 0.0));
        let is_constant = node.text("mode").is_none_or(|mode| mode == "constant");
        match pads.as_slice() {
            [0, 0, top, left, 0, 0, bottom, right] if is_zero && is_constant => {
                self.add_pads([*top, *left, *bottom, *right])?;
                if self.first.is_some() {
                    self.numbers = self.numbers.passed_on(input(node), output(node))?;
                }
                Ok("zeros around what is convolved".to_owned())
            }
            _ => Err("expected zeros in the north, west, south and east".to_owned()),
        }
    }

    fn add_pads(&mut self, pads: [i64; 4]) -> Result<(), String> {
        for (sum, pad) in self.pads.iter_mut().zip(pads) {
            let pad = usize::try_from(pad).ok().and_then(|pad| sum.checked_add(pad)).filter(|sum| *sum <= self.side);
            *sum = pad.ok_or_else(|| format!("padding {pads:?} is negative or larger than the array"))?;
        }
        Ok(())
    }

    /// Filters for each block, or for each pixel of the array if there is a second convolution, which see the picture with a
    /// margin of zeros in the north and west and zeros up to the end.
    pub(super) fn convolution(&mut self, node: &Node) -> Result<String, String> {
        let (dims, weights) = self.filters(node)?;
        let (count, taps) = match dims {
            [count, 1, taps] if count > 0 && taps > 0 => (count, taps),
            [count, before, taps] => {
                return Err(format!(
                    "the weights have the sizes {:?}; expected [filters, 1, size, size]",
                    [count, before, taps, taps]
                ));
            }
        };
        let room = |places: &usize| *places <= self.side;
        let places = if self.has_second {
            let places = self.picture.saturating_add(taps - 1).checked_next_power_of_two().filter(room);
            places.ok_or_else(|| {
                let (side, picture) = (self.side, self.picture);
                format!("an array of {side}×{side} PEs has no room for pictures of {picture}×{picture} pixels")
            })?
        } else {
            let blocks = (1..=self.side).find(|blocks| blocks * blocks >= count).unwrap_or(self.side);
            if blocks * blocks != count || !blocks.is_power_of_two() {
                return Err(format!("{count} filters; expected 1, 4, 16, 64 or 256, one for each block of the array"));
            }
            self.side / blocks
        };
        // The window at the end reaches beyond it.
        let after = places.saturating_sub(self.picture);
        let what = if self.has_second { "pixels of the array" } else { "PEs of a block" };
        self.check_pads(node, [taps - 1, taps - 1, after, after], &format!("the {places}×{places} {what}"))?;
        let largest = usize::from(self.pixels.largest()).saturating_mul(taps * taps);
        self.numbers = Numbers::of_sums(output(node), largest);
        self.places = places;
        self.first = Some(Filters { node: node.shown(), taps, weights });
        Ok(if self.has_second {
            format!(
                "{count} filters of {taps}×{taps}, in the PEs of a pixel; each pixel has {0}×{0} PEs",
                self.side / places
            )
        } else {
            format!("filters of {taps}×{taps}, one for each of {count} blocks of {places}×{places} PEs")
        })
    }

    /// Filters for each map of maxima and each map that is made, which see zeros in the south and east.
    pub(super) fn second_convolution(&mut self, node: &Node) -> Result<String, String> {
        let ([after, before, taps], weights) = self.filters(node)?;
        let (wanted, places) = match (&self.first, self.pool) {
            (Some(first), Some(pool)) => (first.weights.len(), self.places / pool),
            _ => return Err(ORDER.to_owned()),
        };
        if before != wanted || taps == 0 || after == 0 {
            return Err(format!(
                "the weights have the sizes {:?}; expected {wanted} maps, which the convolution before makes",
                [after, before, taps, taps]
            ));
        }
        self.check_pads(node, [0, 0, taps - 1, taps - 1], &format!("the {places}×{places} maxima of a map"))?;
        let thresholds = self.numbers.thresholds(input(node))?;
        let largest = thresholds.len().saturating_mul(taps * taps * before);
        self.thresholds[0] = thresholds;
        self.numbers = Numbers::of_sums(output(node), largest);
        self.second = Some(Filters { node: node.shown(), taps, weights });
        Ok(format!("{} filters of {taps}×{taps}, for {before} maps that become {after}", before * after))
    }

    /// How many filters there are, for how many maps, of which size, and their weights one after the other.
    fn filters(&self, node: &Node) -> Result<([usize; 3], Vec<Vec<i8>>), String> {
        plain(node, "strides", 1)?;
        plain(node, "dilations", 1)?;
        if node.int("group", 1) != 1 {
            return Err("has groups; expected that every filter sees all maps".to_owned());
        }
        if node.text("auto_pad").is_some_and(|pad| pad != "NOTSET") {
            return Err("has `auto_pad`; export it with explicit pads".to_owned());
        }
        if let Some(bias) = self.constant(node, 2)? {
            check_bias(bias)?;
        }
        let Tensor { dims, values } = self.constant(node, 1)?.ok_or("the weights are missing")?;
        let [after, before, rows, columns] = *dims.as_slice() else {
            return Err(format!("the weights have the sizes {dims:?}; expected four"));
        };
        if rows != columns {
            return Err(format!("the weights have the sizes {dims:?}; expected square filters"));
        }
        let size = rows.saturating_mul(columns);
        let weights = values.iter().enumerate().map(|(number, value)| {
            weight(*value).ok_or_else(|| {
                let (filter, place) = (number / size, number % size);
                let (row, column) = (place / rows, place % rows);
                format!("the weight of filter {filter} in row {row}, column {column} is {value}; expected -1, 0 or 1")
            })
        });
        let weights: Vec<i8> = weights.collect::<Result<_, _>>()?;
        Ok(([after, before, rows], weights.chunks(size.max(1)).map(<[i8]>::to_vec).collect()))
    }

    /// Adds the pads of a convolution, and compares them with those that give it a sum for each place.
    fn check_pads(&mut self, node: &Node, wanted: [usize; 4], places: &str) -> Result<(), String> {
        if let Some(pads) = node.ints("pads") {
            let pads = <[i64; 4]>::try_from(pads).map_err(|_| format!("the pads are {pads:?}; expected four"))?;
            self.add_pads(pads)?;
        }
        let found = std::mem::take(&mut self.pads);
        if found == wanted {
            return Ok(());
        }
        Err(format!(
            "there are {found:?} zeros in the north, west, south and east; expected {wanted:?}, so that there is a sum for each \
             of {places}"
        ))
    }

    pub(super) fn max_pool(&mut self, node: &Node) -> Result<String, String> {
        let (size, strides) = (node.ints("kernel_shape"), node.ints("strides"));
        let side = match size {
            Some([rows, columns]) if rows == columns && strides == size => {
                usize::try_from(*rows).ok().filter(|side| *side > 0)
            }
            _ => None,
        };
        let Some(side) = side else {
            return Err(format!("windows of {size:?} PEs {strides:?} apart; expected square ones side by side"));
        };
        plain(node, "pads", 0)?;
        plain(node, "dilations", 1)?;
        self.numbers = self.numbers.passed_on(input(node), output(node))?;
        self.pool = Some(side);
        Ok(format!("maxima of windows of {side}×{side} PEs"))
    }

    /// The features in a row.
    pub(super) fn flatten(&mut self, node: &Node) -> Result<String, String> {
        self.numbers = self.numbers.passed_on(input(node), output(node))?;
        self.is_flat = true;
        Ok("the order of the features".to_owned())
    }

    pub(super) fn dense(&mut self, node: &Node) -> Result<String, String> {
        if self.has_second {
            self.thresholds[1] = self.numbers.thresholds(input(node))?;
        } else {
            self.numbers.check_rectified(input(node))?;
        }
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
        Ok(format!("ternary weights of {features} features for {classes} classes"))
    }
}

/// What a node reads first.
fn input(node: &Node) -> &str {
    node.inputs.first().map_or("", String::as_str)
}

/// What a node makes.
fn output(node: &Node) -> &str {
    node.outputs.first().map_or("", String::as_str)
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
