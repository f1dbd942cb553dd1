//! Moves bits through the array.

use cain_analysis::owned::Step;
use cain_isa::program::{Area, Selection};
use cain_isa::{Bit, Cell, Direction, Dreg, WordError};

use crate::pixels::CUT;
use crate::registers::{PICTURE, narrow};
use crate::steps::{Copies, Steps};
use crate::words::Draft;

/// The registers in which no plane is kept.
pub(super) const SCRATCH: [Dreg; 5] = [Dreg::ALL[0], Dreg::ALL[5], Dreg::ALL[6], Dreg::ALL[9], Dreg::ALL[10]];

/// An axis of the array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Axis {
    Rows,
    Columns,
}

impl Axis {
    /// The side from which bits come that move to the north or west.
    pub(super) const fn after(self) -> Direction {
        match self {
            Self::Rows => Direction::South,
            Self::Columns => Direction::East,
        }
    }

    pub(super) const fn before(self) -> Direction {
        self.after().opposite()
    }

    /// The PEs whose row or column, divided by `pitch` and taken modulo `count`, is `number`.
    pub(super) fn selection(self, number: usize, pitch: usize, count: usize) -> Selection {
        let (wanted, free) = (narrow(number * pitch), !narrow((count - 1) * pitch));
        match self {
            Self::Rows => Selection { row: wanted, free_row_bits: free, ..Selection::ALL },
            Self::Columns => Selection { column: wanted, free_column_bits: free, ..Selection::ALL },
        }
    }
}

/// The first of `count` times `count` PEs, or squares of PEs, `pitch` apart.
pub(super) fn first_of(count: usize, pitch: usize) -> Selection {
    of_both(Axis::Rows.selection(0, pitch, count), Axis::Columns.selection(0, pitch, count))
}

/// The PEs of the selected rows that are in the selected columns.
pub(super) const fn of_both(rows: Selection, columns: Selection) -> Selection {
    Selection { row: rows.row, free_row_bits: rows.free_row_bits, ..columns }
}

/// The PEs whose bits count.
#[derive(Clone, Copy, Debug)]
pub(super) enum Mask {
    Region(Area),
    Selection(Selection),
}

/// A program under construction that moves bits, and the direction that `DNEWS` reads.
#[derive(Default)]
pub(super) struct Moves {
    steps: Steps,
    open: Option<Direction>,
    level: Option<i8>,
}

impl Moves {
    pub(super) fn words(&mut self) -> &mut Draft {
        &mut self.steps.words
    }

    pub(super) fn finish(self) -> Result<Vec<Step>, WordError> {
        self.steps.finish()
    }

    pub(super) fn controller(&mut self, step: Step) -> Result<(), WordError> {
        self.steps.controller(step)
    }

    /// Sets the level of `IN`, in DN, unless it has it already.
    pub(super) fn level(&mut self, level: i8) -> Result<(), WordError> {
        if self.level.replace(level) == Some(level) { Ok(()) } else { self.controller(Step::Level(level)) }
    }

    /// The number of steps so far, without the words of an unfinished part.
    pub(super) fn steps(&self) -> usize {
        self.steps.len()
    }

    /// Ends a part: digital words that are adjacent run at high speed.
    pub(super) fn part(&mut self) -> Result<(), WordError> {
        self.steps.part()
    }

    /// From now on, bits come from the neighbour in this direction.
    pub(super) fn open(&mut self, direction: Direction) {
        let words = &mut self.steps.words;
        match self.open {
            Some(open) if open == direction => return,
            Some(open) => words.clr(&[open.switch()]),
            None => {
                let others: Vec<_> =
                    Direction::ALL.into_iter().filter(|other| *other != direction).map(Direction::switch).collect();
                words.clr(&others)
            }
        };
        words.set(&[direction.switch()]);
        self.open = Some(direction);
    }

    /// Copies to further PEs on one side, `pitch` apart.
    pub(super) fn spread_over(&mut self, copies: &mut Copies, from: Direction, count: usize, pitch: usize) {
        let mut covered = 0;
        while covered < count {
            self.open(from);
            let step = (covered + 1).min(count - covered);
            copies.add(&mut self.steps.words, step * pitch);
            covered += step;
        }
    }

    /// Brings bits of the PEs with this number, among `count` adjacent ones `pitch` apart, to all of these; elsewhere
    /// they are 0.
    pub(super) fn spread(&mut self, copies: &mut Copies, axis: Axis, number: usize, count: usize, pitch: usize) {
        self.spread_over(copies, axis.after(), number, pitch);
        self.spread_over(copies, axis.before(), count - 1 - number, pitch);
    }

    /// A plane whose bits are stored inverted, in selected PEs, and 0 elsewhere.
    pub(super) fn select(
        &mut self,
        selection: Selection,
        inverse: Dreg,
        [to, free, other]: [Dreg; 3],
    ) -> Result<Copies, WordError> {
        self.controller(Step::Select(selection))?;
        self.words().nor(free, &[Bit::Select]).nor(to, &[inverse.into(), free.into()]);
        Ok(Copies { copied: to, free: [free, other] })
    }

    /// The bits of a picture, lowest first, as far as they count, and the registers that are left.
    ///
    /// A pixel of two bits is the number of levels that it exceeds among −[`CUT`], 0 and `CUT`.
    pub(super) fn read(
        &mut self,
        bits: usize,
        mask: Option<Mask>,
        [low, high, free, other]: [Dreg; 4],
    ) -> Result<(Vec<Dreg>, Vec<Dreg>), WordError> {
        const PICTURES: Cell = Cell::Reg(PICTURE);
        if bits > 1 {
            self.level(CUT)?;
            self.words().where_positive(&[PICTURES, Cell::In]).nor(free, &[Bit::Flag]);
            self.words().where_positive(&[PICTURES]).or(high, &[Bit::Flag]);
            // Pixels of 1 are found first, then those that are neither 1 nor 3.
            self.words().nor(other, &[free.into(), high.into()]);
            self.level(-CUT)?;
            self.words().where_positive(&[PICTURES, Cell::In]).nor(free, &[Bit::Flag, other.into()]);
        } else {
            self.words().where_positive(&[PICTURES]).nor(free, &[Bit::Flag]);
        }
        let counts = match mask {
            Some(Mask::Region(rectangle)) => {
                self.controller(Step::Region(rectangle))?;
                Some(Bit::Rect)
            }
            Some(Mask::Selection(selection)) => {
                self.controller(Step::Select(selection))?;
                Some(Bit::Select)
            }
            None => None,
        };
        if let Some(counts) = counts {
            self.words().nor(other, &[counts]).nor(low, &[free.into(), other.into()]);
            if bits > 1 {
                self.words().nor(free, &[high.into()]).nor(high, &[free.into(), other.into()]);
            }
        } else {
            self.words().nor(low, &[free.into()]);
        }
        Ok(if bits > 1 { (vec![low, high], vec![free, other]) } else { (vec![low], vec![high, free, other]) })
    }
}
