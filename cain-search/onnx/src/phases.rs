//! Channels of which each takes every so many-th row and column of a channel of maps, as space-to-depth does.

use super::index::{ravel, unravel};

/// What a channel takes: a channel of the maps, from a row and a column on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Phase {
    pub(crate) channel: usize,
    pub(crate) row: usize,
    pub(crate) column: usize,
}

/// What all channels take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Phases {
    pub(crate) all: Vec<Phase>,
    /// Of how many rows and columns one is taken.
    pub(crate) step: (usize, usize),
}

impl Phases {
    /// Whole channels.
    pub(crate) fn of_channels(channels: impl IntoIterator<Item = usize>) -> Self {
        let phase = |channel| Phase { channel, row: 0, column: 0 };
        Self { all: channels.into_iter().map(phase).collect(), step: (1, 1) }
    }

    /// The blocks of a space-to-depth rearrangement, each of whose pixels becomes a channel.
    pub(crate) fn of_blocks(channels: usize, block: usize) -> Self {
        let places = (0..block * block).flat_map(|place| (0..channels).map(move |channel| (place, channel)));
        let phase = |(place, channel)| Phase { channel, row: place / block, column: place % block };
        Self { all: places.map(phase).collect(), step: (block, block) }
    }

    /// The phases that maps of the sizes `made` are of maps of the sizes `from`, if `place` tells where each number is in these.
    pub(crate) fn found(made: &[usize], from: &[usize], place: &dyn Fn(usize) -> Option<usize>) -> Option<Self> {
        let (&[1, channels, height, width], &[1, ..]) = (made, from) else { return None };
        let at = |channel: usize, row: usize, column: usize| match *unravel(
            place((channel * height + row) * width + column)?,
            from,
        ) {
            [0, channel, row, column] => Some(Phase { channel, row, column }),
            _ => None,
        };
        let first = at(0, 0, 0)?;
        let down = if height > 1 { at(0, 1, 0)?.row.checked_sub(first.row)? } else { 1 };
        let right = if width > 1 { at(0, 0, 1)?.column.checked_sub(first.column)? } else { 1 };
        let step = (down.max(1), right.max(1));
        let mut all = Vec::new();
        for channel in 0..channels {
            let phase = at(channel, 0, 0)?;
            for (row, column) in (0..height).flat_map(|row| (0..width).map(move |column| (row, column))) {
                let wanted = Phase { row: phase.row + row * step.0, column: phase.column + column * step.1, ..phase };
                if at(channel, row, column)? != wanted {
                    return None;
                }
            }
            all.push(phase);
        }
        Some(Self { all, step })
    }

    /// For each number of such channels, with these rows and columns, its place in maps of the sizes `from`.
    pub(crate) fn places(&self, from: &[usize], (height, width): (usize, usize)) -> Vec<usize> {
        let pixels = move || (0..height).flat_map(move |row| (0..width).map(move |column| (row, column)));
        let place = |phase: &Phase, (row, column): (usize, usize)| {
            ravel(&[0, phase.channel, phase.row + row * self.step.0, phase.column + column * self.step.1], from)
        };
        self.all.iter().flat_map(|phase| pixels().map(move |pixel| place(phase, pixel))).collect()
    }

    /// These phases of channels that are such phases of other maps themselves.
    pub(crate) fn of(&self, before: &Self) -> Option<Self> {
        let phase = |own: &Phase| {
            let inner = before.all.get(own.channel)?;
            let row = inner.row + own.row * before.step.0;
            Some(Phase { row, column: inner.column + own.column * before.step.1, ..*inner })
        };
        let step = (self.step.0 * before.step.0, self.step.1 * before.step.1);
        Some(Self { all: self.all.iter().map(phase).collect::<Option<_>>()?, step })
    }
}
