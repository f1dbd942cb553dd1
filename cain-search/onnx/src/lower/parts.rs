//! Lowers parts of maps to maps of their own.

use cain_network::{Padding, Source};

use super::{Lower, Value, View};
use crate::axes::Slice;
use crate::draft::Work;
use crate::graph::{Became, Node};

/// Every so many-th of the places along an axis.
#[derive(Clone, Copy)]
struct Places {
    start: usize,
    step: usize,
    count: usize,
}

impl Places {
    fn all(start: usize, count: usize) -> Self {
        Self { start, step: 1, count }
    }

    /// The length of a kernel with a single weight, at `start`, that makes just these places of an axis of this size.
    fn kernel(self, size: usize) -> usize {
        size.saturating_sub(self.count.saturating_sub(1) * self.step)
    }
}

impl Lower<'_> {
    /// The layer with a part of maps: a convolution whose kernels have one weight, at the place where the part begins.
    pub(super) fn part_of(&mut self, name: &str, view: &View) -> Result<usize, String> {
        self.channels_of(name, view, &(0..view.channels.1).collect::<Vec<usize>>())
    }

    /// The layer with these channels of a part of maps.
    pub(super) fn channels_of(&mut self, name: &str, view: &View, channels: &[usize]) -> Result<usize, String> {
        let window = view.window;
        let (rows, columns) = (Places::all(window.top, window.height), Places::all(window.left, window.width));
        self.taken(name, view, channels, rows, columns)
    }

    fn taken(
        &mut self,
        name: &str,
        view: &View,
        channels: &[usize],
        rows: Places,
        columns: Places,
    ) -> Result<usize, String> {
        let (all, height, width) = view.size;
        let first = view.channels.0;
        let (height, width) = (rows.kernel(height), columns.kernel(width));
        self.hold_weights(channels.len().saturating_mul(all).saturating_mul(height.saturating_mul(width)))?;
        let kernel = |channel: &usize| {
            let mut kernel = vec![vec![vec![0.0; width]; height]; all];
            let place =
                kernel.get_mut(first + channel).and_then(|kernel| kernel.get_mut(rows.start)?.get_mut(columns.start));
            if let Some(weight) = place {
                *weight = view.factor(*channel).0;
            }
            kernel
        };
        let work = Work::Convolution {
            weights: channels.iter().map(kernel).collect(),
            bias: channels.iter().map(|channel| view.factor(*channel).1).collect(),
            stride: (rows.step, columns.step),
            dilation: (1, 1),
            padding: Padding::NONE,
        };
        Ok(self.push(name, vec![view.source], work, Some((channels.len(), rows.count, columns.count))))
    }

    /// Every so many-th row and column of a part of maps, as maps; `None` if all of them are taken.
    pub(super) fn thinned(&mut self, node: &Node, view: &View, slices: &[Slice]) -> Result<Option<Value>, String> {
        let along = |axis: usize, start: usize, count: usize| match slices.iter().find(|slice| slice.axis == axis) {
            Some(slice) => {
                let step = usize::try_from(slice.step).map_err(|_| {
                    "takes rows or columns backwards; expected a window, or every so many-th of one".to_owned()
                })?;
                Ok::<_, String>(Places { start: start + slice.start, step, count: slice.count })
            }
            None => Ok(Places::all(start, count)),
        };
        let window = view.window;
        let (rows, columns) = (along(2, window.top, window.height)?, along(3, window.left, window.width)?);
        if rows.step == 1 && columns.step == 1 {
            return Ok(None);
        }
        let channels: Vec<usize> = (0..view.channels.1).collect();
        let layer = self.taken(&node.name, view, &channels, rows, columns)?;
        self.became(node, Became::Layer(layer));
        Ok(Some(Value::Maps(View::whole(Source::Layer(layer), (view.channels.1, rows.count, columns.count)))))
    }
}
