//! Chooses the order in which the pixels of a filter are visited.
//!
//! The image moves while the sums stay in place. A word brings the image to NEWS, from the PE itself or from its
//! eastern or southern neighbour, and three of its pixels can be read from there: that of NEWS itself and those of two
//! ports. Another word may keep the moved image in a second register. The search minimises the number of words.
//!
//! Nothing is read from the west or the north: a PE at the border of the array has no PE there that could pass on an
//! image.

use std::collections::{BTreeSet, HashSet};

use cain_isa::{Cell, Direction};

/// A pixel seen from a PE: columns to the east and rows to the south.
pub(super) type Offset = (usize, usize);

/// The place from which NEWS is read, or to which it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Port {
    Own,
    East,
    South,
}

impl Port {
    const ALL: [Self; 3] = [Self::Own, Self::East, Self::South];

    /// The offset, relative to NEWS, that reading it adds.
    const fn offset(self) -> Offset {
        match self {
            Self::Own => (0, 0),
            Self::East => (1, 0),
            Self::South => (0, 1),
        }
    }

    /// The port as the source of a word.
    pub(super) const fn read(self) -> Cell {
        match self {
            Self::Own => Cell::News,
            Self::East => Cell::Port(Direction::East),
            Self::South => Cell::Port(Direction::South),
        }
    }

    /// The port as the destination of a word that brings the image at its offset to NEWS.
    pub(super) const fn bring(self) -> Cell {
        match self {
            Self::Own => Cell::News,
            Self::East => Cell::Port(Direction::West),
            Self::South => Cell::Port(Direction::North),
        }
    }
}

/// A way to bring an image to NEWS, and from there possibly to the register of the moved image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Move {
    /// Whether it moves the image that has been moved already, rather than the one that stays.
    pub(super) again: bool,
    pub(super) bring: Port,
    pub(super) keep: Option<Port>,
}

impl Move {
    /// The number of words: one that switches all PEs on, one that brings the image, and possibly one that keeps it.
    fn words(self) -> usize {
        2 + usize::from(self.keep.is_some())
    }
}

/// One position of NEWS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Visit {
    pub(super) by: Move,
    /// The taps that are read there, each with its port.
    pub(super) taps: Vec<(usize, Port)>,
}

/// The number of states that are followed at each number of words.
const WIDTH: usize = 3000;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    /// The taps that are still missing; with this field first, the most promising states come first.
    missing: u32,
    visited: u32,
    /// The offset of the moved image.
    moved: Offset,
    moves: Vec<Move>,
}

impl State {
    /// The offset of NEWS after the move, and then that of the moved image.
    fn after(moved: Offset, step: Move) -> (Offset, Offset) {
        let centre = plus(if step.again { moved } else { (0, 0) }, step.bring);
        (centre, step.keep.map_or(moved, |port| plus(centre, port)))
    }

    fn next(&self, step: Move, taps: usize) -> Self {
        let (centre, moved) = Self::after(self.moved, step);
        let visited = reached(centre, taps).fold(self.visited, |visited, (tap, _)| visited | 1 << tap);
        let moves = self.moves.iter().copied().chain([step]).collect();
        Self { missing: all(taps) & !visited, visited, moved, moves }.counted()
    }

    fn counted(self) -> Self {
        Self { missing: self.missing.count_ones(), ..self }
    }
}

/// Visits to all pixels of a filter, row by row from the PE to the east and south, with the fewest words that are
/// found.
pub(super) fn visits(taps: usize) -> Vec<Visit> {
    let start = State { missing: all(taps), visited: 0, moved: (0, 0), moves: Vec::new() }.counted();
    let mut levels = vec![BTreeSet::from([start])];
    let mut seen = HashSet::new();
    let mut words = 0;
    while words < levels.len() {
        for state in std::mem::take(&mut levels[words]).into_iter().take(WIDTH) {
            if state.missing == 0 {
                return follow(&state.moves, taps);
            }
            if !seen.insert((state.visited, state.moved)) {
                continue;
            }
            for step in moves() {
                let level = words + step.words();
                if levels.len() <= level {
                    levels.resize(level + 1, BTreeSet::new());
                }
                levels[level].insert(state.next(step, taps));
            }
        }
        words += 1;
    }
    Vec::new()
}

/// A set of bits, one for each tap.
fn all(taps: usize) -> u32 {
    (1 << (taps * taps)) - 1
}

fn moves() -> impl Iterator<Item = Move> {
    let keeps = || std::iter::once(None).chain(Port::ALL.map(Some));
    let sources = [false, true].into_iter().flat_map(|again| Port::ALL.map(|bring| (again, bring)));
    sources.flat_map(move |(again, bring)| keeps().map(move |keep| Move { again, bring, keep }))
}

fn follow(moves: &[Move], taps: usize) -> Vec<Visit> {
    let (mut moved, mut visited) = ((0, 0), BTreeSet::new());
    let visit = |&by: &Move| {
        let (centre, next) = State::after(moved, by);
        moved = next;
        Visit { by, taps: reached(centre, taps).filter(|(tap, _)| visited.insert(*tap)).collect() }
    };
    moves.iter().map(visit).collect()
}

/// The taps that can be read when NEWS holds the image from an offset.
fn reached(centre: Offset, taps: usize) -> impl Iterator<Item = (usize, Port)> {
    Port::ALL.into_iter().filter_map(move |port| {
        let (x, y) = plus(centre, port);
        (x < taps && y < taps).then_some((y * taps + x, port))
    })
}

const fn plus((x, y): Offset, port: Port) -> Offset {
    let (dx, dy) = port.offset();
    (x + dx, y + dy)
}
