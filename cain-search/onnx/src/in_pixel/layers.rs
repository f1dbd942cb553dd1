//! Reads the layers of a model, one by one.

use cain_network::{Padding, Reach};

use super::super::graph::{Id, Node};
use super::super::op::{self, Convolution};
use super::numbers::Numbers;
use super::{Chain, Dense, Filters, ORDER, check_bias};

impl Chain<'_> {
    pub(super) fn pad(&mut self, id: Id, node: &Node, padding: Padding) -> Result<String, String> {
        self.add_pads(padding)?;
        if self.first.is_some() {
            self.numbers = self.numbers.passed_on(input(node)?, id)?;
        }
        Ok("zeros around what is convolved".to_owned())
    }

    fn add_pads(&mut self, Padding { top, left, bottom, right }: Padding) -> Result<(), String> {
        let pads = [top, left, bottom, right];
        for (sum, pad) in self.pads.iter_mut().zip(pads) {
            let padded = sum.checked_add(pad).filter(|sum| *sum <= self.side);
            *sum = padded.ok_or_else(|| format!("padding {pads:?} is larger than the array"))?;
        }
        Ok(())
    }

    /// Reads a convolution: filters for each block, or for each pixel of the array if there is a second convolution.
    /// They see the picture with a margin of zeros in the north and west, and with zeros up to the end of the array.
    pub(super) fn convolution(&mut self, id: Id, convolution: &Convolution, shown: String) -> Result<String, String> {
        let (dims, weights) = filters(convolution)?;
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
        // The last window reaches beyond the picture.
        let after = places.saturating_sub(self.picture);
        let what = if self.has_second { "pixels of the array" } else { "PEs of a block" };
        self.check_pads(convolution, [taps - 1, taps - 1, after, after], &format!("the {places}×{places} {what}"))?;
        let largest = usize::from(self.pixels.largest()).saturating_mul(taps * taps);
        self.numbers = Numbers::of_sums(id, largest);
        self.places = places;
        self.first = Some(Filters { node: shown, taps, weights });
        Ok(if self.has_second {
            format!(
                "{count} filters of {taps}×{taps}, in the PEs of a pixel; each pixel has {0}×{0} PEs",
                self.side / places
            )
        } else {
            format!("filters of {taps}×{taps}, one for each of {count} blocks of {places}×{places} PEs")
        })
    }

    /// Reads the second convolution: filters for each map of maxima and each new map, which see zeros in the south and
    /// east.
    pub(super) fn second_convolution(
        &mut self,
        id: Id,
        node: &Node,
        convolution: &Convolution,
        shown: String,
    ) -> Result<String, String> {
        let ([after, before, taps], weights) = filters(convolution)?;
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
        self.check_pads(convolution, [0, 0, taps - 1, taps - 1], &format!("the {places}×{places} maxima of a map"))?;
        let thresholds = self.numbers.thresholds(input(node)?)?;
        let largest = thresholds.len().saturating_mul(taps * taps * before);
        self.thresholds[0] = thresholds;
        self.numbers = Numbers::of_sums(id, largest);
        self.second = Some(Filters { node: shown, taps, weights });
        Ok(format!("{} filters of {taps}×{taps}, for {before} maps that become {after}", before * after))
    }

    /// Adds the padding of a convolution, and compares the total with the padding that yields a sum for each place.
    fn check_pads(&mut self, convolution: &Convolution, wanted: [usize; 4], places: &str) -> Result<(), String> {
        self.add_pads(convolution.reach.padding)?;
        let found = std::mem::take(&mut self.pads);
        if found == wanted {
            return Ok(());
        }
        Err(format!(
            "there are {found:?} zeros in the north, west, south and east; expected {wanted:?}, so that there is a sum for each \
             of {places}"
        ))
    }

    pub(super) fn max_pool(&mut self, id: Id, node: &Node, reach: Reach) -> Result<String, String> {
        let Reach { size, stride, dilation, padding } = reach;
        if size.0 != size.1 || stride != size || dilation != (1, 1) || !padding.is_none() {
            return Err(format!(
                "windows of {}×{} PEs, {} rows and {} columns apart; expected square ones side by side, without padding",
                size.0, size.1, stride.0, stride.1
            ));
        }
        self.numbers = self.numbers.passed_on(input(node)?, id)?;
        self.pool = Some(size.0);
        Ok(format!("maxima of windows of {0}×{0} PEs", size.0))
    }

    /// Flattens the features.
    pub(super) fn flatten(&mut self, id: Id, node: &Node) -> Result<String, String> {
        self.numbers = self.numbers.passed_on(input(node)?, id)?;
        self.is_flat = true;
        Ok("the order of the features".to_owned())
    }

    pub(super) fn dense(&mut self, id: Id, node: &Node, dense: &op::Dense, shown: String) -> Result<String, String> {
        if self.has_second {
            self.thresholds[1] = self.numbers.thresholds(input(node)?)?;
        } else {
            self.numbers.check_rectified(input(node)?)?;
        }
        if dense.reads_transposed || (dense.factor - 1.0).abs() > 0.0 {
            return Err("has `transA` or `alpha`; expected a plain dense layer".to_owned());
        }
        check_bias(&dense.bias)?;
        let (features, classes) = dense.sizes();
        let at = |feature: usize, class: usize| {
            let value = dense.weight(feature, class);
            weight(value).ok_or_else(|| {
                format!("the weight of feature {feature} for class {class} is {value}; expected -1, 0 or 1")
            })
        };
        let row = |feature| (0..classes).map(|class| at(feature, class)).collect::<Result<Vec<i8>, String>>();
        let weights = (0..features).map(row).collect::<Result<Vec<_>, _>>()?;
        self.dense = Some(Dense { node: shown, weights });
        self.scores.push(id);
        Ok(format!("ternary weights of {features} features for {classes} classes"))
    }
}

/// The numbers of filters and of maps that each reads, the side of a filter, and the weights by filter and map.
fn filters(convolution: &Convolution) -> Result<([usize; 3], Vec<Vec<i8>>), String> {
    let Reach { stride, dilation, .. } = convolution.reach;
    if stride != (1, 1) || dilation != (1, 1) {
        return Err(format!("has strides {stride:?} and dilations {dilation:?}; expected 1 everywhere"));
    }
    if convolution.groups != 1 {
        return Err("has groups; expected that every filter sees all maps".to_owned());
    }
    check_bias(&convolution.bias)?;
    let (after, before, rows, columns) = convolution.sizes();
    if rows != columns {
        return Err(format!(
            "the weights have the sizes {:?}; expected square filters",
            [after, before, rows, columns]
        ));
    }
    let size = rows.saturating_mul(columns);
    let weights = convolution.weights.values.iter().enumerate().map(|(number, value)| {
        weight(*value).ok_or_else(|| {
            let (filter, place) = (number / size, number % size);
            let (row, column) = (place / rows, place % rows);
            format!("the weight of filter {filter} in row {row}, column {column} is {value}; expected -1, 0 or 1")
        })
    });
    let weights: Vec<i8> = weights.collect::<Result<_, _>>()?;
    Ok(([after, before, rows], weights.chunks(size.max(1)).map(<[i8]>::to_vec).collect()))
}

/// The first input of a node.
fn input(node: &Node) -> Result<Id, String> {
    node.inputs.first().copied().ok_or_else(|| "reads nothing".to_owned())
}

/// A small integer. The layer decides whether it may be such a weight.
#[expect(clippy::cast_possible_truncation, reason = "one of three whole numbers")]
fn weight(value: f64) -> Option<i8> {
    [-1.0, 0.0, 1.0].contains(&value).then_some(value as i8)
}
