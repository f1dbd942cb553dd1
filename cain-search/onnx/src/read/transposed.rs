//! Reads `ConvTranspose`. With a stride of 1 it is a convolution with turned kernels; otherwise maps would grow.

use std::rc::Rc;

use cain_network::{MOST_CHANNELS, Padding, Reach};

use super::{Made, Reader};
use crate::op::{Convolution, Op};
use crate::substitutes;
use crate::tensor::Tensor;

impl Reader<'_> {
    pub(super) fn transposed_convolution(&self) -> Result<Made, String> {
        self.check_float()?;
        let node = self.node;
        let is = |name: &str, all: i64| node.ints(name).is_none_or(|sizes| sizes.iter().all(|size| *size == all));
        if !is("strides", 1) || !is("output_padding", 0) {
            return Err(substitutes::none(&node.op));
        }
        let auto = node.text("auto_pad").unwrap_or_default();
        if node.has("output_shape") || !matches!(auto.as_str(), "" | "NOTSET" | "VALID") {
            return Err("its padding follows from the size of its result; give `pads` instead".to_owned());
        }
        let (channels, height, width) = self.maps()?;
        let weights = self.required(1)?;
        let [inputs, of_group, rows, columns] = *weights.dims.as_slice() else {
            return Err(format!("the weights have the sizes {:?}; expected four", weights.dims));
        };
        let groups = usize::try_from(node.int("group", 1)).unwrap_or(0);
        if groups == 0 || inputs != channels || !inputs.is_multiple_of(groups) {
            return Err(format!("weights for {inputs} channels in {groups} groups, but reads {channels} maps"));
        }
        let outputs = of_group.checked_mul(groups).filter(|outputs| (1..=MOST_CHANNELS).contains(outputs));
        let outputs =
            outputs.ok_or_else(|| format!("makes {groups}×{of_group} maps; expected from 1 to {MOST_CHANNELS}"))?;
        let declared = self.reach((rows, columns), (height, width))?;
        // It puts into the result what the padding of a convolution would add, and cuts off its own padding.
        let around = |size: usize, dilation: usize, cut: usize| ((size - 1) * dilation).checked_sub(cut);
        let Reach { dilation, padding, .. } = declared;
        let vertical = |cut: usize| around(rows, dilation.0, cut);
        let horizontal = |cut: usize| around(columns, dilation.1, cut);
        let sides = vertical(padding.top).zip(horizontal(padding.left));
        let sides = sides.zip(vertical(padding.bottom).zip(horizontal(padding.right)));
        let Some(((top, left), (bottom, right))) = sides else {
            return Err("its padding cuts off more than its kernels add; crop the maps by a slice instead".to_owned());
        };
        let reach = Reach { padding: Padding { top, left, bottom, right }, ..declared };
        let (height, width) = reach.outputs((height, width)).ok_or("its kernels do not fit the maps")?;
        let bias = match self.constant(2)? {
            Some(bias) if bias.dims == [outputs] => bias.values.clone(),
            Some(bias) => return Err(format!("a bias of the sizes {:?} for {outputs} outputs", bias.dims)),
            None => vec![0.0; outputs],
        };
        let own = inputs / groups;
        // The last weight of a kernel becomes the first one.
        let kernel = |input: usize, output: usize| {
            let start = (input * of_group + output) * rows * columns;
            weights.values.get(start..start + rows * columns).unwrap_or_default().iter().rev().copied()
        };
        let kernels = (0..outputs).flat_map(|output| {
            let first = output / of_group * own;
            (first..first + own).flat_map(move |input| kernel(input, output % of_group))
        });
        let turned = Tensor { kind: weights.kind, dims: vec![outputs, own, rows, columns], values: kernels.collect() };
        let scale = vec![1.0; outputs];
        let op = Op::Convolution(Convolution { weights: Rc::new(turned), groups, scale, bias, reach });
        self.alike(op, vec![1, outputs, height, width])
    }
}
