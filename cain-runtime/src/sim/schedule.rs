//! The order in which the rows of several writes are computed.
//!
//! Word by word over the whole array, every plane would travel through the caches once per word. Instead all writes of
//! a batch advance together down the array, block of rows by block of rows, each as many rows behind the first as the
//! ones before it require. Only a few rows of every plane are in use at a time, and nothing is computed twice. The
//! result is the same, bit for bit.

use alloc::vec::Vec;
use core::ops::Range;

use super::planes::Slot;
use super::writes::Write;

/// An order for the rows of writes that respects their dependencies.
#[derive(Debug)]
pub(super) struct Schedule {
    /// How many rows each write lags behind, in the order of the writes.
    lags: Vec<usize>,
    /// The number of rows by which a write advances at a time.
    block: usize,
}

impl Schedule {
    /// The order in which every write advances by `block` rows at a time: few enough that what the next writes read is
    /// still in the cache, and enough that looking up planes takes negligible time.
    pub(super) fn of(writes: &[Write], block: usize) -> Self {
        let mut planes = Lags::default();
        Self { lags: writes.iter().map(|write| planes.lag(write)).collect(), block }
    }

    /// Does the parts of the work in order: each is the number of a write, and its rows.
    pub(super) fn for_each_part(&self, height: usize, mut run: impl FnMut(usize, Range<usize>)) {
        let Self { lags, block } = self;
        let last = lags.iter().copied().max().unwrap_or(0) + height;
        for front in (0..last).step_by(*block) {
            for (write, lag) in lags.iter().enumerate() {
                let rows = front.saturating_sub(*lag)..(front + block).saturating_sub(*lag).min(height);
                if !rows.is_empty() {
                    run(write, rows);
                }
            }
        }
    }
}

/// For every plane, the lags of the last write to it and of the reads since.
#[derive(Debug, Default)]
struct Lags(Vec<(Slot, [isize; 2])>);

impl Lags {
    fn of(&mut self, plane: Slot) -> &mut [isize; 2] {
        let known = self.0.iter().position(|(slot, _)| *slot == plane);
        let place = known.unwrap_or_else(|| {
            self.0.push((plane, [0; 2]));
            self.0.len() - 1
        });
        &mut self.0[place].1
    }

    /// The smallest lag with which a write finds its sources complete and does not overwrite anything that is still to
    /// be read.
    fn lag(&mut self, write: &Write) -> usize {
        let [written, read] = *self.of(write.transfer.target);
        let mut lag = written.max(read).max(0);
        for term in write.transfer.terms() {
            lag = lag.max(self.of(term.source)[0] + term.down);
        }
        for term in write.transfer.terms() {
            let read = &mut self.of(term.source)[1];
            *read = (*read).max(lag - term.down);
        }
        self.of(write.transfer.target)[0] = lag;
        lag.unsigned_abs()
    }
}
