//! Adds the columns of a sum.

use cain_isa::Displacement;

use super::addends::Addend;
use super::builder::{Builder, MOST_WORDS};
use super::columns::{Column, Item, Reduced, Top, join_complete};
use super::number::Bit;
use super::style::Narrow;
use super::wires::Wires;

impl Builder<'_, '_> {
    /// Adds column after column, each with the fewest words.
    pub(super) fn add_columns(
        &mut self,
        sum: usize,
        addends: &[Addend],
        constant: i64,
        (width, exclusive, has_sign): (u32, bool, bool),
    ) -> Option<Vec<Bit>> {
        let mut columns: Vec<Column> = vec![Column::default(); width as usize];
        let mut bits = Vec::new();
        for place in 0..width {
            let mut column = std::mem::take(&mut columns[place as usize]);
            column.one = constant >> place & 1 == 1;
            let top = match (place + 1 == width, exclusive) {
                (false, _) => Top::Column,
                (true, false) => Top::Dropped,
                (true, true) => Top::Exclusive,
            };
            let mut carried = if top == Top::Column && self.is_narrow(sum) {
                self.collect_narrow(&mut column, addends, place)
            } else {
                // Pairs are joined before anything is moved, so that fewer bits have to be held meanwhile.
                join_complete(&mut self.network, &mut column.items);
                self.collect(&mut column, addends.iter(), place);
                Vec::new()
            };
            let Reduced { mut bit, carries } = self.reduce(&column, top);
            carried.extend(carries);
            if top == Top::Column {
                carried = self.exclusive_joined(carried, self.is_narrow(sum));
            }
            self.settle(sum, &mut bit, has_sign && place + 1 == width);
            bits.push(bit);
            if let Some(next) = columns.get_mut(place as usize + 1) {
                next.items.extend(carried.into_iter().map(Item::Bit));
            }
            if self.network.gates.len() > MOST_WORDS {
                return None;
            }
        }
        Some(bits)
    }

    /// Whether a sum is held in few registers while it is being made.
    fn is_narrow(&self, sum: usize) -> bool {
        match self.style.narrow {
            Narrow::No => false,
            Narrow::Outputs => sum < self.outputs.len(),
            Narrow::All | Narrow::Serial { .. } | Narrow::Counting { .. } => true,
        }
    }

    /// Puts the contributions of addends to a column into it.
    fn collect<'a>(&mut self, column: &mut Column, addends: impl Iterator<Item = &'a Addend>, place: u32) {
        for addend in addends {
            column.items.extend(self.item(addend, place));
        }
    }

    /// Collects a column in steps: the bits that need not be moved are first added up to one bit. Returns the carries
    /// of that.
    fn collect_narrow(&mut self, column: &mut Column, addends: &[Addend], place: u32) -> Vec<Wires> {
        let (near, far): (Vec<&Addend>, Vec<&Addend>) =
            addends.iter().partition(|addend| addend.pair.is_none() && addend.at == Displacement::ZERO);
        self.collect(column, near.into_iter(), place);
        let mut carried = Vec::new();
        let Narrow::Serial { most } = self.style.narrow else {
            join_complete(&mut self.network, &mut column.items);
            self.add_up(column, 1, &mut carried);
            self.collect(column, far.into_iter(), place);
            return carried;
        };
        // A constant comes last, so that its carries arise as late as possible.
        let one = std::mem::take(&mut column.one);
        self.add_up(column, 2, &mut carried);
        for (rest, addend) in (0..far.len()).rev().zip(far) {
            let before = column.items.len();
            self.collect(column, std::iter::once(addend), place);
            if rest > 0 && column.items.len() > before {
                self.add_up(column, most, &mut carried);
            }
        }
        column.one = one;
        carried
    }

    /// Adds a column up to one bit if it has more than `most` bits, or a pair.
    fn add_up(&mut self, column: &mut Column, most: usize, carried: &mut Vec<Wires>) {
        let has_pair = column.items.iter().any(|item| matches!(item, Item::Pair(_)));
        if column.items.len() <= most && !has_pair {
            return;
        }
        let Reduced { bit, carries } = self.reduce(column, Top::Column);
        *column = Column::default();
        if let Bit::Wires(wires) = bit {
            column.items.push(Item::Bit(wires.narrowed(&mut self.network)));
        }
        carried.extend(carries.into_iter().map(|carry| carry.narrowed(&mut self.network)));
        *carried = self.exclusive_joined(std::mem::take(carried), true);
    }
}
