//! Finds planes that hold one of two levels in every PE.
//!
//! Planes that a program fills from bits have this property: one level where a bit is 1, and another one where it is 0.

use std::convert::Infallible;

use cain_analysis::evaluate::{Analogue, AnalogueDomain, Source, Write};
use cain_analysis::sorted::Map;
use cain_isa::{Cell, Cells, Displacement, KeptLevels, Reg, Store, Word};

use super::piece::Piece;

/// The two levels of a plane, in DN, the lower one first; they are equal if all PEs hold the same level.
pub(super) type Levels = (i8, i8);

/// What is known of a program's planes: those of at most two levels.
pub(super) struct Known {
    cells: Analogue<Option<Levels>>,
    flag_everywhere: bool,
}

impl Known {
    /// The knowledge before a program that starts with FLAG set everywhere: none.
    pub(super) fn new() -> Self {
        Self { cells: Analogue::default(), flag_everywhere: true }
    }

    /// The planes that a bit can represent.
    pub(super) fn planes(&self) -> Map<Reg, Levels> {
        let level = |store| as_bit(store, (*self.cells.get(store)?)?);
        self.cells.written().filter_map(level).collect()
    }

    pub(super) fn carry_out(&mut self, piece: &Piece) {
        match piece {
            Piece::Instruction(instruction) => instruction.words().for_each(|word| self.word(&word)),
            Piece::Level(level) => self.cells.give(Store::In, level.map(|level| (level, level))),
            Piece::Controller | Piece::Reads(_) => {}
            Piece::Writes(cells) => self.forget(*cells),
            Piece::Once(effect, _) => {
                self.forget(effect.written());
                self.cells.give(Store::In, None);
            }
        }
    }

    fn word(&mut self, word: &Word) {
        if let Word::Bus(bus) = word {
            let flag = (!self.flag_everywhere).then_some(&());
            let Ok(()) = self.cells.transfer(&mut TwoLevels, bus, flag);
        } else {
            // The writes of other words are not followed.
            self.forget(word.effect(true).written());
        }
        self.flag_everywhere = word.sets_flag_everywhere().unwrap_or(self.flag_everywhere);
    }

    fn forget(&mut self, written: Cells) {
        let news = written.contains(Cells::NEWS).then_some(Store::News);
        let stores = written.analogue().iter().map(Store::Reg).chain(news);
        stores.for_each(|store| self.cells.give(store, None));
    }
}

/// Planes of at most two levels, where they are known to be that.
struct TwoLevels;

impl AnalogueDomain for TwoLevels {
    type Value = Option<Levels>;
    type Flag = ();
    type Error = Infallible;

    fn unwritten_cell(&mut self, _: Store) -> Result<Option<Levels>, Infallible> {
        Ok(None)
    }

    /// What a transfer to a single cell of the PE itself writes: minus the sum of its sources, of which one may have two levels.
    /// Beyond the range values are lost.
    fn transfer(&mut self, write: &Write<'_, Option<Levels>>) -> Result<Option<Levels>, Infallible> {
        let is_own = matches!(write.bus.destinations(), [Cell::Reg(_) | Cell::News]);
        let minus = |sum: Levels, source: &Source<'_, Option<Levels>>| {
            let (low, high) = source.value.filter(|_| source.at == Displacement::ZERO)?;
            let is_one = sum.0 == sum.1 || low == high;
            Some((sum.0.checked_sub(high)?, sum.1.checked_sub(low)?)).filter(|_| is_one)
        };
        Ok(write.sources.iter().try_fold((0, 0), minus).filter(|_| is_own))
    }

    fn choose(
        &mut self,
        (): &(),
        written: Option<Levels>,
        before: &Option<Levels>,
    ) -> Result<Option<Levels>, Infallible> {
        Ok(before.zip(written).and_then(|(before, written)| either(before, written)))
    }
}

/// The levels of a plane that has the levels of `one` in some PEs and those of `other` in the rest, if these are at
/// most two.
fn either(one: Levels, other: Levels) -> Option<Levels> {
    let all = [one.0, one.1, other.0, other.1];
    let (low, high) = (one.0.min(other.0), one.1.max(other.1));
    all.iter().all(|&level| level == low || level == high).then_some((low, high))
}

/// The plane, if a comparison on a chip tells its levels apart and `IN` can be both.
fn as_bit(store: Store, levels: Levels) -> Option<(Reg, Levels)> {
    let Store::Reg(reg) = store else { return None };
    let (low, high) = levels;
    let is_far = i16::from(high) - i16::from(low) >= KeptLevels::LEAST_DISTANCE;
    (low > i8::MIN && is_far).then_some((reg, levels))
}
