//! Compares random words with a plain simulation of several blocks.

use cain_analysis::owned::{Step, step_of};
use cain_isa::random::SplitMix64;
use cain_isa::{Bit, Cell, Dreg, Instruction, Operation, Reg, Sum, Word};

use super::{Blocks, Level};
use crate::grid::{Grid, random_words};
use crate::prove::{Bdd, Function, Variable};
use crate::superpixel::{Layout, Place};

/// The number of blocks along each side of the array.
const BLOCKS: usize = 3;
const INPUTS: [Dreg; 2] = [Dreg::ALL[5], Dreg::ALL[6]];

/// An array of blocks with random input bits, and its symbolic replay.
struct Both<'l> {
    layout: &'l Layout,
    given: Grid,
    grid: Grid,
    bdd: Bdd,
    blocks: Blocks<'l>,
}

impl<'l> Both<'l> {
    fn new(layout: &'l Layout, random: &mut SplitMix64) -> Self {
        let (width, height) = (layout.width() * BLOCKS, layout.height() * BLOCKS);
        let given = Grid::new(width, height, || random.below(2) == 1);
        let (mut bdd, mut blocks) = (Bdd::new(), Blocks::new(layout));
        for place in layout.block() {
            for (input, register) in INPUTS.into_iter().enumerate() {
                let bit = u32::try_from(layout.index(place)).unwrap();
                let function = bdd.variable(Variable { bit, y: 0, x: 0, input }).unwrap();
                blocks.give(place, register.into(), function);
            }
        }
        Self { layout, grid: given.clone(), given, bdd, blocks }
    }

    /// The index of a PE, given its block, counted row by row from the north-west, and its place there.
    fn pe(&self, block: usize, place: Place) -> usize {
        let (row, column) = (block / BLOCKS, block % BLOCKS);
        let row = row * self.layout.height() + place.row;
        row * self.layout.width() * BLOCKS + column * self.layout.width() + place.column
    }

    /// Executes a word on both; returns whether it can be followed.
    fn word(&mut self, word: Word) -> bool {
        self.grid.word(word);
        self.blocks.step(&mut self.bdd, &step_of(Instruction::Word(word))).is_ok()
    }

    /// The value of a function in a block.
    fn evaluate(&self, block: usize, function: Function) -> bool {
        self.bdd.evaluate(function, |variable| {
            let bit = usize::try_from(variable.bit).unwrap();
            let place = Place { column: bit % self.layout.width(), row: bit / self.layout.width() };
            let there = |at: usize, by: i32| at.checked_add_signed(by.try_into().unwrap()).filter(|at| *at < BLOCKS);
            let at = there(block / BLOCKS, -variable.y).zip(there(block % BLOCKS, variable.x));
            at.is_some_and(|(row, column)| {
                self.given.read(self.pe(row * BLOCKS + column, place), INPUTS[variable.input].into())
            })
        })
    }

    /// Compares everything that is known with the simulation, in every block; returns the number of comparisons.
    fn compare(&mut self, what: &str) -> usize {
        let mut known = 0;
        let places: Vec<(usize, Place)> =
            (0..BLOCKS * BLOCKS).flat_map(|block| self.layout.block().map(move |place| (block, place))).collect();
        for &(block, place) in &places {
            let pe = self.pe(block, place);
            for bit in Dreg::ALL.map(Bit::Reg).into_iter().chain([Bit::Flag]) {
                let Some(function) = self.blocks.read(place, bit) else { continue };
                known += 1;
                assert_eq!(self.evaluate(block, function), self.grid.read(pe, bit), "{what}: {bit}, PE {pe}");
            }
            for reg in [Reg::A, Reg::B] {
                let Some(level) = self.blocks.read_level(place, reg).cloned() else { continue };
                let held = self.grid.cell(pe, reg.into());
                let other = level.any(&mut self.bdd, |level| level != held).unwrap();
                assert!(!self.evaluate(block, other), "{what}: {reg}, PE {pe}");
                let same = level.any(&mut self.bdd, |level| level == held).unwrap();
                known += usize::from(self.evaluate(block, same));
            }
        }
        known
    }
}

fn layouts() -> [Layout; 3] {
    [vec![vec![1]], vec![vec![1, 2]], vec![vec![1, 2], vec![4, 3]]].map(|order| Layout::new(&[order]).unwrap())
}

/// Everything known of a bit holds in every block, whatever inputs and unknown bits are.
#[test]
fn random_digital_words_do_in_all_blocks_what_they_do_in_one() {
    let mut known = 0;
    for seed in 0..600 {
        let mut random = SplitMix64::new(seed);
        let layouts = layouts();
        let mut both = Both::new(&layouts[random.below(3)], &mut random);
        let logic = |operation, targets: &[Dreg]| Word::Logic(cain_isa::Logic::new(operation, targets, &[]).unwrap());
        both.word(logic(Operation::Clr, &[1, 2, 3, 4].map(|number| Dreg::ALL[number])));
        both.word(logic(Operation::Set, &[Dreg::ALL[1 + random.below(4)]]));
        let propagate = [Word::ReadPropagation, Word::Propagate { outside: random.below(4) == 0 }];
        for round in 0..10 {
            let mut words = random_words(&mut random);
            if random.below(8) == 0 {
                words = vec![logic(Operation::Set, &[Dreg::ALL[0]])];
            }
            if random.below(10) == 0 {
                let line = if propagate[1] == (Word::Propagate { outside: true }) { "PROP1();" } else { "PROP0();" };
                let step = step_of(line.parse::<Instruction>().unwrap());
                for word in propagate {
                    both.grid.word(word);
                }
                if both.blocks.step(&mut both.bdd, &step).is_err() {
                    break;
                }
                words.clear();
            }
            if !words.into_iter().all(|word| both.word(word)) {
                break;
            }
            known += both.compare(&format!("seed {seed}, round {round}"));
        }
    }
    assert!(known > 200_000, "{known}");
}

/// Everything known of levels that depend on bits holds in every block.
#[test]
fn random_analogue_words_do_in_all_blocks_what_they_do_in_one() {
    let mut known = 0;
    for seed in 0..600 {
        let mut random = SplitMix64::new(seed);
        let layouts = layouts();
        let mut both = Both::new(&layouts[random.below(3)], &mut random);
        for round in 0..14 {
            let cells = [Cell::Reg(Reg::A), Cell::Reg(Reg::B), Cell::News];
            let to = cells[random.below(3)];
            let mut sources: Vec<Cell> = cells.into_iter().filter(|cell| *cell != to && random.below(2) == 0).collect();
            match random.below(6) {
                0 | 1 => sources = vec![Cell::In],
                2 if to != Cell::News => {
                    let port = Cell::Port(cain_isa::Direction::ALL[random.below(4)]);
                    sources = vec![port];
                }
                _ => {}
            }
            let word = match random.below(8) {
                0 => cain_isa::Bits::new(&[INPUTS[random.below(2)].into()]).ok().map(Word::WhereBits),
                1 => Some(Word::All),
                2 => Sum::new(&sources).ok().map(Word::Where),
                3 => {
                    let level = [0, 20, -50, 100, -128][random.below(5)];
                    both.grid.level = level.into();
                    both.blocks.step(&mut both.bdd, &Step::Level(level)).unwrap();
                    None
                }
                _ => Word::new(&[to], &sources).ok(),
            };
            if word.is_some_and(|word| !both.word(word)) {
                break;
            }
            known += both.compare(&format!("seed {seed}, round {round}"));
        }
    }
    assert!(known > 200_000, "{known}");
}

/// A cell holds −128 to 128 DN; a sum beyond that is unknown, even if only for some values of a bit.
#[test]
fn levels_beyond_the_range_are_not_known() {
    let layout = Layout::new(&[vec![vec![1]]]).unwrap();
    let mut random = SplitMix64::new(1);
    let mut both = Both::new(&layout, &mut random);
    let place = Place { column: 0, row: 0 };
    let run = |both: &mut Both<'_>, level: i8, lines: &[&str]| {
        both.blocks.step(&mut both.bdd, &Step::Level(level)).unwrap();
        for line in lines {
            both.blocks.step(&mut both.bdd, &step_of(line.parse::<Instruction>().unwrap())).unwrap();
        }
        both.blocks.read_level(place, Reg::B).cloned()
    };
    assert_eq!(run(&mut both, 64, &["bus(A,IN);", "bus(B,A);"]), Some(Level::constant(64)));
    assert_eq!(run(&mut both, 64, &["bus(NEWS,IN);", "bus(B,NEWS,A);"]), Some(Level::constant(128)));
    assert_eq!(run(&mut both, 65, &["bus(NEWS,IN);", "bus(B,NEWS,A);"]), Some(Level::default()));
    assert_eq!(run(&mut both, -64, &["bus(A,IN);", "bus(NEWS,IN);", "bus(B,NEWS,A);"]), Some(Level::constant(-128)));
    assert_eq!(run(&mut both, -65, &["bus(NEWS,IN);", "bus(B,NEWS,A);"]), Some(Level::default()));
    // A comparison of unknown values is unknown too.
    both.blocks.step(&mut both.bdd, &step_of("where(B);".parse::<Instruction>().unwrap())).unwrap();
    assert_eq!(both.blocks.read(place, Bit::Flag), None);
    // Where the bit is 1, the level is still 128.
    let lines = ["all();", "bus(NEWS,IN);", "bus(A,IN);", "WHERE(R5);", "bus(B,NEWS,A);", "all();"];
    run(&mut both, 64, &lines);
    let level = both.blocks.read_level(place, Reg::B).cloned().unwrap();
    let is_known = level.any(&mut both.bdd, |level| level == 128).unwrap();
    let bit = both.bdd.variable(Variable { bit: 0, y: 0, x: 0, input: 0 }).unwrap();
    assert_eq!(is_known, bit);
    assert_eq!(level.any(&mut both.bdd, |level| level != 128), Ok(Function::FALSE));
}

/// Numbers of up to four bits become levels, where many have the same level at either end.
#[test]
fn numbers_become_their_levels() {
    for (bits, is_signed) in (1..5).flat_map(|bits| [(bits, false), (bits, true)]) {
        let numbers: Vec<i64> =
            if is_signed { (-(1 << (bits - 1))..1 << (bits - 1)).collect() } else { (0..1 << bits).collect() };
        for (low, high) in [(-8, 15), (0, 3), (-3, 0), (1, 1), (-1, 2), (6, 15), (-8, -6)] {
            let level = |number: i64| i32::try_from(number.clamp(low, high)).unwrap() * 5;
            let variables: Vec<Variable> = (0..bits).map(|bit| Variable { bit, y: 0, x: 0, input: 0 }).collect();
            let mut bdd = Bdd::new();
            let levels = Level::of_bits(&mut bdd, &variables, is_signed, &level).unwrap();
            for &number in &numbers {
                let wanted = level(number);
                let is_one = |variable: Variable| number >> variable.bit & 1 == 1;
                let same = levels.any(&mut bdd, |level| level == wanted).unwrap();
                let other = levels.any(&mut bdd, |level| level != wanted).unwrap();
                assert!(bdd.evaluate(same, is_one) && !bdd.evaluate(other, is_one), "{bits} {is_signed} {number}");
            }
        }
    }
}
