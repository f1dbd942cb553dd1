//! Removes instructions that a program does not need, such as those that compute a value again while it is still
//! available.
//!
//! An instruction is superfluous if the outputs are the same with what its cells held before it. Values and the weights
//! with which cells reach the outputs are followed as [images](Image), forwards and backwards; what seems superfluous by
//! them is left out only if the rest is proved.

use std::collections::BTreeMap;

use cain_isa::{Displacement, Instruction, Stop, Store, Word};

use crate::engine::budget::Budget;
use crate::engine::image::Image;
use crate::engine::terms;
use crate::engine::work::{MOST_AT_A_TIME, NODE};
use crate::{Proved, verify};

/// What is in cells, or reaches the outputs from there.
type Cells = BTreeMap<Store, Image>;

/// The work of replays up to which instructions are left out one by one. After that, all others that a program seems not to
/// need are left out together, or in halves where the rest is not proved, with as much work again at most, and no further
/// pass follows: one by one, a program of thousands of words would be replayed thousands of times.
const MOST_WORK: u64 = 10_000 * NODE;

/// The program without superfluous instructions. Replaying it takes this much work, which is charged to the budget; if that
/// is interrupted, the rest of the program stays as it is.
pub(super) fn without_superfluous(mut program: Proved, work: u64, budget: &mut Budget<'_>) -> Proved {
    let mut replays = Replays { work, done: 0, charged: 0, budget };
    loop {
        let before = program.listing().len();
        // Both directions together take about as long as a replay.
        replays.add();
        program = go_backwards(program, &mut replays);
        // An instruction may have restored what another one, now left out, had overwritten.
        if program.listing().len() == before || replays.are_many() || replays.are_interrupted() {
            replays.charge();
            return program;
        }
    }
}

/// The replays of a program and what they take from the budget.
struct Replays<'r, 'b> {
    /// The work of one.
    work: u64,
    /// The work so far, and the part of it that is charged.
    done: u64,
    charged: u64,
    budget: &'r mut Budget<'b>,
}

impl Replays<'_, '_> {
    /// Counts one more.
    fn add(&mut self) {
        self.done = self.done.saturating_add(self.work);
        if self.done - self.charged >= MOST_AT_A_TIME {
            self.charge();
        }
    }

    fn charge(&mut self) {
        self.budget.charge(self.done - std::mem::replace(&mut self.charged, self.done));
    }

    /// Whether there are so many that the rest has to be quick.
    fn are_many(&self) -> bool {
        self.done >= MOST_WORK
    }

    /// Whether there are so many that no more may follow.
    fn are_too_many(&self) -> bool {
        self.done >= 2 * MOST_WORK
    }

    /// Whether the search is interrupted. Replays that take no time are made all the same.
    fn are_interrupted(&self) -> bool {
        self.done >= MOST_AT_A_TIME && self.budget.stopped() == Some(Stop::Interrupted)
    }
}

/// Goes through a program once, because what only a superfluous instruction uses comes before it.
fn go_backwards(mut program: Proved, replays: &mut Replays<'_, '_>) -> Proved {
    let changes = changes(&program);
    let mut reaching: Cells =
        (0..).zip(program.outputs()).map(|(i, output)| (Store::Reg(output.reg), one(i))).collect();
    let mut together = Vec::new();
    for (at, changes) in changes.into_iter().enumerate().rev() {
        let lost = changes.iter().fold(Image::ZERO, |lost, (store, change)| lost + of(&reaching, *store) * *change);
        let instruction = program.listing()[at];
        if lost == Image::ZERO {
            if replays.are_interrupted() {
                return program;
            }
            if replays.are_many() {
                together.push(at);
                continue;
            }
            replays.add();
            if let Some(shorter) = without(&program, &[at]) {
                program = shorter;
                continue;
            }
        }
        undo(instruction, &mut reaching);
    }
    without_parts(program, &together, replays)
}

/// The program without some of its instructions, the last one first; in halves where it is not proved without all of them.
fn without_parts(program: Proved, left_out: &[usize], replays: &mut Replays<'_, '_>) -> Proved {
    if left_out.is_empty() || replays.are_too_many() || replays.are_interrupted() {
        return program;
    }
    replays.add();
    if let Some(shorter) = without(&program, left_out) {
        return shorter;
    }
    if left_out.len() == 1 {
        return program;
    }
    let (later, earlier) = left_out.split_at(left_out.len() / 2);
    let program = without_parts(program, later, replays);
    without_parts(program, earlier, replays)
}

/// The program without some of its instructions, the last one first, if that is proved.
fn without(program: &Proved, left_out: &[usize]) -> Option<Proved> {
    let listing = program.listing().iter().enumerate();
    let is_left = |at: usize| left_out.binary_search_by(|other| at.cmp(other)).is_err();
    let shorter: Vec<_> = listing.filter(|(at, _)| is_left(*at)).map(|(_, line)| *line).collect();
    verify(program.declaration(), &shorter).ok()
}

/// By how much each instruction changes the cells that it writes.
fn changes(program: &Proved) -> Vec<Vec<(Store, Image)>> {
    let inputs = program.declaration().inputs.iter().map(|input| Store::Reg(input.reg));
    let mut cells: Cells = (0..).zip(inputs).map(|(channel, store)| (store, one(channel))).collect();
    // What other cells hold at first is like no input.
    let written = program.listing().iter().flat_map(Instruction::words).flat_map(|word| word.transfers());
    for (channel, transfer) in (0..terms::MAX_CHANNELS).rev().zip(written) {
        cells.entry(transfer.store).or_insert_with(|| one(channel));
    }
    let change = |instruction: &Instruction| {
        let before = cells.clone();
        for transfer in instruction.words().flat_map(|word| word.transfers()) {
            let sum = transfer.terms().iter().fold(Image::ZERO, |sum, (source, displacement)| {
                sum + of(&cells, *source) * Image::of_shift(*displacement)
            });
            let factor = Image::of_fraction(transfer.factor()).unwrap_or(Image::ZERO);
            cells.insert(transfer.store, sum * factor);
        }
        cells
            .iter()
            .map(|(store, now)| (*store, *now - of(&before, *store)))
            .filter(|(_, change)| *change != Image::ZERO)
            .collect()
    };
    program.listing().iter().map(change).collect()
}

/// Turns what reaches the outputs after an instruction into what reaches them before it.
fn undo(instruction: Instruction, reaching: &mut Cells) {
    let words: Vec<_> = instruction.words().collect();
    for transfer in words.iter().rev().flat_map(Word::transfers) {
        let Some(weight) = reaching.remove(&transfer.store) else { continue };
        let factor = Image::of_fraction(transfer.factor()).unwrap_or(Image::ZERO);
        for &(source, displacement) in transfer.terms() {
            let before = of(reaching, source);
            reaching.insert(source, before + weight * factor * Image::of_shift(displacement));
        }
    }
}

fn of(cells: &Cells, store: Store) -> Image {
    cells.get(&store).copied().unwrap_or(Image::ZERO)
}

fn one(channel: u16) -> Image {
    Image::of(&[(terms::key(channel, Displacement::ZERO), 1)])
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use cain_analysis::prove::Polynomial;
    use cain_isa::{Instruction, Machine, Reg};

    use super::{MOST_WORK, without_superfluous};
    use crate::engine::budget::Budget;
    use crate::engine::work::NODE;
    use crate::{Declaration, Input, OffsetRule, Options, Output, Proved, verify};

    /// A copy of the input, after many words that nothing needs.
    fn copy(superfluous: usize) -> Proved {
        let declaration = Declaration {
            name: "copy".into(),
            inputs: vec![Input { reg: Reg::A, keep: true }],
            outputs: vec![Output { reg: Reg::B, kernel: Polynomial::input(0) }],
            scratch: vec![Reg::C],
            machine: Machine::SCAMP5,
            options: Options { offset: OffsetRule::Any, ..Options::default() },
        };
        let lines = std::iter::repeat_n("bus(C,A);", superfluous).chain(["bus(NEWS,A);", "bus(B,NEWS);"]);
        let listing: Vec<Instruction> = lines.map(|line| line.parse().unwrap()).collect();
        verify(&declaration, &listing).unwrap()
    }

    /// The length of what is left of a program whose replay takes this much work, and the work, in nodes, of finding it.
    fn shortened(program: Proved, work: u64, mut watch: impl FnMut() -> ControlFlow<()>) -> (usize, u64) {
        let mut watch = |_| watch();
        let mut budget = Budget::new(u64::MAX, &mut watch);
        let length = without_superfluous(program, work, &mut budget).listing().len();
        (length, budget.used())
    }

    #[test]
    fn replays_of_long_programs_are_few() {
        let go_on = || ControlFlow::Continue(());
        // A pass, one for each word, and a pass without any.
        assert_eq!(shortened(copy(50), NODE, go_on), (2, 52));
        // A pass and three words one by one; then all others at once.
        let work = MOST_WORK / 4;
        assert_eq!(shortened(copy(50), work, go_on), (2, 5 * work / NODE));
    }

    #[test]
    fn an_interruption_is_noticed() {
        let mut looks = 0;
        let (length, _) = shortened(copy(50), MOST_WORK / 20, || {
            looks += 1;
            if looks < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        // A pass and two words.
        assert_eq!((length, looks), (50, 3));
    }
}
