//! Finds the values that a program needs at each point between its instructions.

use cain_analysis::sorted::Map;
use cain_isa::{Cells, Displacement, Effect, Instruction, Reg, Word};

use super::levels::{Known, Levels};
use super::piece::Piece;

/// The needs, writes and costs along a program. A *boundary* is a point between two pieces: boundary 0 is before the
/// first, and there is one more boundary than pieces.
pub(super) struct Flow {
    /// At each boundary, the cells that the rest of the program reads before it writes them, or promises to its caller.
    /// FLAG is not included where it is 1 in every PE.
    pub(super) live: Vec<Cells>,
    /// The cells that each piece overwrites, in all or some PEs.
    pub(super) written: Vec<Cells>,
    /// The number of control words before each boundary.
    pub(super) words: Vec<u32>,
    /// Whether the program can be left at a boundary, and the state of FLAG there.
    pub(super) gates: Vec<Gate>,
    /// Whether each piece must happen only once, as read-outs must.
    pub(super) happens_once: Vec<bool>,
    /// The planes that a bit can represent, at each boundary.
    pub(super) levels: Vec<Map<Reg, Levels>>,
}

/// The state of FLAG at a boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gate {
    /// A word waits for its second half: nothing may come between them.
    Shut,
    /// It may be 0 in some PEs.
    Some,
    /// It is 1 in every PE.
    All,
}

impl Flow {
    /// The flow of pieces that start with FLAG set everywhere and end with `promised` for their caller.
    pub(super) fn of(pieces: impl IntoIterator<Item = Piece>, promised: Cells) -> Self {
        let mut flow = Self {
            live: Vec::new(),
            written: Vec::new(),
            words: vec![0],
            gates: vec![Gate::All],
            happens_once: Vec::new(),
            levels: vec![Map::new()],
        };
        let mut known = Known::new();
        let mut effects: Vec<Vec<Use>> = Vec::new();
        let (mut flag_everywhere, mut words) = (true, 0);
        for piece in pieces {
            let of_piece = match piece {
                Piece::Instruction(instruction) => uses(&instruction, &mut flag_everywhere),
                Piece::Level(_) | Piece::Controller => Vec::new(),
                Piece::Reads(reads) => vec![Use { effect: Effect { reads, ..Effect::default() }, ..Use::default() }],
                Piece::Writes(writes) => vec![Use { effect: Effect { writes, ..Effect::default() }, ..Use::default() }],
                // FLAG may be another one within.
                Piece::Once(effect, _) => vec![Use { effect, writes_flag: true, ..Use::default() }],
            };
            let is_half = of_piece.last().is_some_and(|of_word| of_word.effect.is_first_half);
            words = u32::saturating_add(words, piece.words());
            flow.gates.push(match (is_half, flag_everywhere) {
                (true, _) => Gate::Shut,
                (false, false) => Gate::Some,
                (false, true) => Gate::All,
            });
            flow.words.push(words);
            let written = of_piece.iter().map(|of_word| of_word.effect.written());
            flow.written.push(written.fold(Cells::NONE, Cells::union));
            flow.happens_once.push(matches!(piece, Piece::Reads(_) | Piece::Once(..)));
            known.carry_out(&piece);
            flow.levels.push(known.planes());
            effects.push(of_piece);
        }
        let mut needed = Needed { anywhere: promised, where_flag: Cells::NONE };
        flow.live.push(needed.all());
        for of_piece in effects.iter().rev() {
            of_piece.iter().rev().for_each(|of_word| needed.before(of_word));
            flow.live.push(needed.all());
        }
        flow.live.reverse();
        for (live, gate) in flow.live.iter_mut().zip(&flow.gates) {
            if *gate == Gate::All {
                *live = live.without(Cells::FLAG);
            }
        }
        flow
    }

    /// The last boundary.
    pub(super) fn end(&self) -> usize {
        self.written.len()
    }

    /// Control words of the whole program.
    pub(super) fn all_words(&self) -> u32 {
        self.words[self.end()]
    }

    /// What is needed at a boundary and would be lost when others overwrite theirs; they leave FLAG at 1 in every PE.
    pub(super) fn lost(&self, at: usize, others: Cells) -> Cells {
        self.live[at].intersection(others.union(Cells::FLAG))
    }
}

/// The effect of a word, and the sources that matter only in PEs whose FLAG is 1.
#[derive(Clone, Copy, Default)]
struct Use {
    effect: Effect,
    /// The sources in the PE itself of a transfer that only writes such PEs.
    where_flag: Cells,
    /// The cells that such a transfer overwrites in those PEs.
    overwrites: Cells,
    writes_flag: bool,
}

/// The needs of the rest of a program, computed backwards.
struct Needed {
    /// The cells needed in any PE.
    anywhere: Cells,
    /// The cells needed only in PEs whose FLAG is 1, as it is then.
    where_flag: Cells,
}

impl Needed {
    fn all(&self) -> Cells {
        self.anywhere.union(self.where_flag)
    }

    /// Updates the needs to those before a word.
    fn before(&mut self, of_word: &Use) {
        let Use { effect, where_flag, overwrites, writes_flag } = *of_word;
        if writes_flag {
            // FLAG was different before.
            self.anywhere = self.all();
            self.where_flag = Cells::NONE;
        }
        self.anywhere = self.anywhere.without(effect.writes).union(effect.reads.without(where_flag));
        self.where_flag = self.where_flag.without(effect.writes.union(overwrites)).union(where_flag);
    }
}

/// The effects of the words of an instruction in order; updates whether FLAG is 1 in every PE.
fn uses(instruction: &Instruction, flag_everywhere: &mut bool) -> Vec<Use> {
    let of_word = |word: Word| {
        let effect = word.effect(*flag_everywhere);
        let (where_flag, overwrites) = match word {
            Word::Bus(_) => (own_sources(&word), effect.changes),
            _ => (Cells::NONE, Cells::NONE),
        };
        let sets = word.sets_flag_everywhere();
        *flag_everywhere = sets.unwrap_or(*flag_everywhere);
        Use { effect, where_flag, overwrites, writes_flag: sets.is_some() }
    };
    instruction.words().map(of_word).collect()
}

/// The sources that a transfer reads from its own PE alone. A neighbour has a FLAG of its own.
fn own_sources(word: &Word) -> Cells {
    let read = |is_own: bool| {
        word.transfers().fold(Cells::NONE, |cells, transfer| {
            let terms = transfer.terms().iter().filter(|(_, at)| (*at == Displacement::ZERO) == is_own);
            terms.fold(cells, |cells, (store, _)| cells.union(Cells::store(*store)))
        })
    };
    read(true).without(read(false))
}
