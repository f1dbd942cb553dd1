//! Removes needless words on FLAG and NEWS between stages.

use cain_analysis::owned::Step;
use cain_isa::{Bit, Cell, Cells, Instruction, Word};

use super::stage::Stage;

/// Removes the words that set FLAG in all PEs if the next word overwrites it.
///
/// No analogue cell is written in between, and nothing else depends on FLAG: controller functions only set levels,
/// write digital registers and read.
pub(super) fn drop_needless(stages: &mut [Stage]) {
    let mut decides = false;
    for listing in stages.iter_mut().rev().flat_map(|stage| stage.steps.iter_mut().rev()).filter_map(listing) {
        let mut kept: Vec<Instruction> = Vec::with_capacity(listing.len());
        for instruction in listing.drain(..).rev() {
            match instruction {
                Instruction::Word(Word::All) if decides => continue,
                Instruction::Word(Word::Where(_)) => decides = true,
                Instruction::Word(Word::WhereBits(bits)) => decides = !bits.bits().contains(&Bit::Flag),
                _ => decides = false,
            }
            kept.push(instruction);
        }
        kept.reverse();
        *listing = kept;
    }
}

/// Removes the words that clear NEWS if an earlier one has cleared it and no word has written NEWS since.
///
/// Only writes with FLAG set in all PEs count, as it is after operations.
pub(super) fn drop_repeated_clears(stages: &mut [Stage]) {
    let (mut everywhere, mut cleared) = (true, false);
    for step in stages.iter_mut().flat_map(|stage| &mut stage.steps) {
        // A read-out may use NEWS.
        cleared &= step.reads().is_none();
        let Some(listing) = listing(step) else { continue };
        listing.retain(|instruction| {
            let is_clear = is_clear(instruction) && everywhere;
            let is_needed = !(is_clear && cleared);
            cleared = is_clear || (cleared && !writes_news(instruction));
            everywhere = match instruction {
                Instruction::Word(Word::All) => true,
                Instruction::Word(Word::Where(_) | Word::WhereBits(_)) => false,
                _ => everywhere,
            };
            is_needed
        });
    }
}

/// Whether the instruction sets NEWS to 0, apart from the error of a transfer.
fn is_clear(instruction: &Instruction) -> bool {
    matches!(instruction, Instruction::Word(Word::Bus(bus)) if bus.destinations() == [Cell::News] && bus.sources().is_empty())
}

fn writes_news(instruction: &Instruction) -> bool {
    instruction.words().any(|word| word.effect(true).written().contains(Cells::NEWS))
}

const fn listing(step: &mut Step) -> Option<&mut Vec<Instruction>> {
    match step {
        Step::Execute(listing) => Some(listing),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Stage, drop_needless, drop_repeated_clears};
    use crate::compile::stage::{Extent, Work};
    use cain_analysis::owned::Step;
    use cain_isa::program::{EventRead, Grid, Held, ReadOutOf};
    use cain_isa::{Bit, Instruction, Reg};

    fn stage(steps: Vec<Step>) -> Stage {
        Stage {
            layer: None,
            channels: vec![],
            steps,
            held: vec![],
            grids: vec![],
            compensated: vec![],
            range: (0.0, 0.0),
            pixels: Extent::default(),
            way: Extent::default(),
            macs: 0,
            work: Work::Operation,
        }
    }

    fn words(lines: &[&str]) -> Step {
        Step::Execute(lines.iter().map(|line| line.parse().unwrap()).collect())
    }

    /// The words left of stages, with a level of the controller between stages.
    fn left(change: fn(&mut [Stage]), stages: &[&[&str]]) -> Vec<Vec<String>> {
        let mut stages: Vec<Stage> = stages.iter().map(|lines| stage(vec![Step::Level(1), words(lines)])).collect();
        change(&mut stages);
        let text = |listing: &Vec<Instruction>| listing.iter().map(ToString::to_string).collect();
        let listing = |stage: &Stage| match &stage.steps[1] {
            Step::Execute(listing) => text(listing),
            step => panic!("{step:?}"),
        };
        stages.iter().map(listing).collect()
    }

    /// The listing of each stage.
    type Listings = &'static [&'static [&'static str]];

    #[test]
    fn flag_is_not_set_where_the_next_word_decides_it() {
        let gone: [(Listings, Listings); 4] = [
            (&[&["all();", "where(A);"]], &[&["where(A);"]]),
            (&[&["all();", "all();", "WHERE(R5);", "all();"]], &[&["WHERE(R5);", "all();"]]),
            (&[&["bus(A,B);", "all();"], &["where(A);", "bus(B,A);"]], &[&["bus(A,B);"], &["where(A);", "bus(B,A);"]]),
            (&[&["all();"], &["all();", "WHERE(R5);"]], &[&[], &["WHERE(R5);"]]),
        ];
        for (stages, wanted) in gone {
            assert_eq!(left(drop_needless, stages), wanted);
        }
        let kept: [&[&[&str]]; 5] = [
            &[&["all();"]],
            &[&["all();", "WHERE(FLAG);"]],
            &[&["all();", "WHERE(R5,FLAG);"]],
            &[&["all();", "bus(A,B);", "where(A);"]],
            &[&["where(A);", "all();"], &["bus(A,B);"]],
        ];
        for stages in kept {
            assert_eq!(left(drop_needless, stages), stages);
        }
    }

    #[test]
    fn news_is_not_cleared_twice() {
        let gone: [(Listings, Listings); 4] = [
            (&[&["bus(NEWS);", "bus(A,NEWS,B);", "bus(NEWS);"]], &[&["bus(NEWS);", "bus(A,NEWS,B);"]]),
            (&[&["bus(NEWS);"], &["bus(NEWS);"]], &[&["bus(NEWS);"], &[]]),
            (
                &[&["bus(NEWS);", "where(A);", "bus(A,B);", "all();", "bus(NEWS);"]],
                &[&["bus(NEWS);", "where(A);", "bus(A,B);", "all();"]],
            ),
            (&[&["WHERE(R5);", "all();", "bus(NEWS);", "bus(NEWS);"]], &[&["WHERE(R5);", "all();", "bus(NEWS);"]]),
        ];
        for (stages, wanted) in gone {
            assert_eq!(left(drop_repeated_clears, stages), wanted);
        }
        let kept: [&[&[&str]]; 6] = [
            &[&["bus(NEWS);", "bus(NEWS,A);", "bus(NEWS);"]],
            &[&["bus(NEWS);", "bus(XE,A);", "bus(NEWS);"]],
            &[&["bus(NEWS);", "where(A);", "bus(NEWS);", "all();", "bus(NEWS);"]],
            &[&["WHERE(R5);", "bus(NEWS);", "all();", "bus(NEWS);"]],
            &[&["bus(A);", "bus(NEWS);"]],
            &[&["bus(NEWS,A);", "bus(NEWS);"]],
        ];
        for stages in kept {
            assert_eq!(left(drop_repeated_clears, stages), stages);
        }
    }

    #[test]
    fn news_is_cleared_again_after_a_read_out() {
        let grid = Grid::new((0, 0), (1, 1), (1, 1));
        let read = ReadOutOf {
            from: Held::Reg(Reg::A),
            grid,
            windows: None,
            first: 0,
            scale: 1.0,
            shift: 0.0,
            corrected: None,
            mean: false,
            adds: false,
        };
        let events = EventRead { from: Bit::Flag, grid, capacity: 1, first: 0, is_alone: true };
        for (between, is_needed) in [(Step::Level(1), false), (Step::Read(read), true), (Step::Events(events), true)] {
            let mut stages = [stage(vec![words(&["bus(NEWS);"]), between, words(&["bus(NEWS);"])])];
            drop_repeated_clears(&mut stages);
            assert_eq!(stages[0].steps[0], words(&["bus(NEWS);"]));
            assert_eq!(stages[0].steps[2], words(if is_needed { &["bus(NEWS);"] } else { &[] }));
        }
    }
}
