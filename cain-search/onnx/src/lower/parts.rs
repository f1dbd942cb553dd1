//! Lowers parts of maps to maps of their own.

use cain_network::{Padding, Source};

use super::{Lower, Value, View};
use crate::axes::Slice;
use crate::draft::Work;
use crate::graph::{Became, Node};
use crate::phases::{Phase, Phases};

impl Lower<'_> {
    /// The layer with a part of maps: a convolution whose kernels have one weight, at the place where the part begins.
    pub(super) fn part_of(&mut self, name: &str, view: &View) -> Result<usize, String> {
        self.channels_of(name, view, &(0..view.channels.1).collect::<Vec<usize>>())
    }

    /// The layer with these channels of a part of maps.
    pub(super) fn channels_of(&mut self, name: &str, view: &View, channels: &[usize]) -> Result<usize, String> {
        let (_, height, width) = view.part();
        self.taken(name, view, &Phases::of_channels(channels.iter().copied()), (height, width))
    }

    /// Channels that take rows and columns of a part of maps.
    pub(super) fn phases(&mut self, node: &Node, phases: &Phases) -> Result<Value, String> {
        let &[_, channels, height, width] = node.fact.dims.as_slice() else { return Err("makes no maps".to_owned()) };
        match &*self.value(node, 0)? {
            Value::Maps(view) if !self.is_only_flattened() => {
                let layer = self.taken(&node.name, view, phases, (height, width))?;
                self.became(node, Became::Layer(layer));
                Ok(Value::Maps(View::whole(Source::Layer(layer), (channels, height, width))))
            }
            _ => {
                self.became(node, Became::Text("part of a read-out"));
                let forms = self.forms(node, 0)?;
                Ok(Value::Forms(forms.of_phases(phases, (height, width))))
            }
        }
    }

    /// The layer with such channels, which have these rows and columns.
    fn taken(
        &mut self,
        name: &str,
        view: &View,
        phases: &Phases,
        (rows, columns): (usize, usize),
    ) -> Result<usize, String> {
        let (all, height, width) = view.size;
        let (top, left) = (view.window.top, view.window.left);
        let (height, width) = (kernel(height, rows, phases.step.0), kernel(width, columns, phases.step.1));
        self.hold_weights(phases.all.len().saturating_mul(all).saturating_mul(height.saturating_mul(width)))?;
        let kernel = |phase: &Phase| {
            let mut kernel = vec![vec![vec![0.0; width]; height]; all];
            let channel = kernel.get_mut(view.channels.0 + phase.channel);
            if let Some(weight) = channel.and_then(|rows| rows.get_mut(top + phase.row)?.get_mut(left + phase.column)) {
                *weight = view.factor(phase.channel).0;
            }
            kernel
        };
        let work = Work::Convolution {
            weights: phases.all.iter().map(kernel).collect(),
            bias: phases.all.iter().map(|phase| view.factor(phase.channel).1).collect(),
            stride: phases.step,
            dilation: (1, 1),
            padding: Padding::NONE,
        };
        Ok(self.push(name, vec![view.source], work, Some((phases.all.len(), rows, columns))))
    }

    /// Every so many-th row and column of a part of maps, as maps; `None` if all of them are taken.
    pub(super) fn thinned(&mut self, node: &Node, view: &View, slices: &[Slice]) -> Result<Option<Value>, String> {
        let along = |axis: usize, count: usize| match slices.iter().find(|slice| slice.axis == axis) {
            Some(slice) if slice.count == 1 => Ok((slice.start, 1, 1)),
            Some(slice) => {
                let step = usize::try_from(slice.step).map_err(|_| {
                    "takes rows or columns backwards; expected a window, or every so many-th of one".to_owned()
                })?;
                Ok::<_, String>((slice.start, step, slice.count))
            }
            None => Ok((0, 1, count)),
        };
        let (channels, height, width) = view.part();
        let ((row, down, rows), (column, right, columns)) = (along(2, height)?, along(3, width)?);
        if (down, right) == (1, 1) {
            return Ok(None);
        }
        let all = (0..channels).map(|channel| Phase { channel, row, column }).collect();
        let layer = self.taken(&node.name, view, &Phases { all, step: (down, right) }, (rows, columns))?;
        self.became(node, Became::Layer(layer));
        Ok(Some(Value::Maps(View::whole(Source::Layer(layer), (channels, rows, columns)))))
    }
}

/// The length of a kernel with a single weight that makes just so many places of an axis of this size, with this stride.
fn kernel(size: usize, count: usize, stride: usize) -> usize {
    size.saturating_sub(count.saturating_sub(1) * stride)
}
