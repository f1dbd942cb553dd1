//! Which planes hold one of two levels in every PE.
//!
//! Planes that a program fills from bits are like that: a level where a bit is 1, and another one where it is 0.

use std::collections::BTreeMap;

use cain_isa::{Cell, KeptLevels, Reg, Word};

use super::steps::Piece;

/// The two levels of a plane, in DN, the lower one first; equal if all PEs hold the same.
pub(super) type Levels = (i8, i8);

/// What is known of a program's planes.
pub(super) struct Known {
    /// Those of at most two levels: registers and NEWS.
    planes: BTreeMap<Cell, Levels>,
    /// The level of `IN`.
    input: Option<i8>,
    flag_everywhere: bool,
}

impl Known {
    /// Nothing, before a program that starts with FLAG set everywhere.
    pub(super) fn new() -> Self {
        Self { planes: BTreeMap::new(), input: None, flag_everywhere: true }
    }

    /// The planes that a bit can stand for.
    pub(super) fn planes(&self) -> BTreeMap<Reg, Levels> {
        self.planes.iter().filter_map(as_bit).collect()
    }

    pub(super) fn carry_out(&mut self, piece: &Piece) {
        match piece {
            Piece::Instruction(instruction) => instruction.words().for_each(|word| self.word(&word)),
            Piece::Level(level) => self.input = *level,
            Piece::Controller | Piece::Reads(_) | Piece::Writes(_) => {}
        }
    }

    fn word(&mut self, word: &Word) {
        let written = self.written(word);
        for &cell in word.destinations() {
            let own = match cell {
                Cell::Port(_) => Cell::News,
                own => own,
            };
            let stays = (!self.flag_everywhere).then(|| self.planes.get(&own).copied());
            let levels = match stays {
                None => written,
                Some(stays) => stays.zip(written).and_then(|(stays, written)| either(stays, written)),
            };
            match levels.filter(|_| own == cell) {
                Some(levels) => self.planes.insert(own, levels),
                None => self.planes.remove(&own),
            };
        }
        self.flag_everywhere = word.sets_flag_everywhere().unwrap_or(self.flag_everywhere);
    }

    /// What a transfer to a single cell writes: minus the sum of its sources, of which one may have two levels. Beyond the
    /// range values are lost.
    fn written(&self, word: &Word) -> Option<Levels> {
        let Word::Bus(bus) = word else { return None };
        let [_] = bus.destinations() else { return None };
        let mut sum: Levels = (0, 0);
        for source in bus.sources() {
            let (low, high) = match source {
                Cell::In => self.input.map(|level| (level, level))?,
                Cell::Reg(_) | Cell::News => *self.planes.get(source)?,
                Cell::Port(_) | Cell::Pix => return None,
            };
            if sum.0 != sum.1 && low != high {
                return None;
            }
            sum = (sum.0.checked_sub(high)?, sum.1.checked_sub(low)?);
        }
        Some(sum)
    }
}

/// The levels of a plane that has those of one in some PEs, and those of another one in the rest, if these are two.
fn either(one: Levels, other: Levels) -> Option<Levels> {
    let all = [one.0, one.1, other.0, other.1];
    let (low, high) = (one.0.min(other.0), one.1.max(other.1));
    all.iter().all(|&level| level == low || level == high).then_some((low, high))
}

/// The plane, if a comparison on a chip tells its levels apart and `IN` can be both.
fn as_bit((cell, &levels): (&Cell, &Levels)) -> Option<(Reg, Levels)> {
    let Cell::Reg(reg) = *cell else { return None };
    let (low, high) = levels;
    let is_far = i16::from(high) - i16::from(low) >= KeptLevels::LEAST_DISTANCE;
    (low > i8::MIN && is_far).then_some((reg, levels))
}
