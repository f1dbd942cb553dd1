//! Words on planes of an array beside a plain simulation of its PEs.

extern crate std;

mod array;

use alloc::vec;
use alloc::vec::Vec;

use cain_isa::random::SplitMix64;
use cain_isa::{
    Bit, Bits, Bus, Cell, Cells, Direction, Displacement, Dreg, Fraction, FromNeighbours, Logic, Operation, Reg, Store,
    Sum, Word,
};

use self::array::{Array, HEIGHT, REGS, WIDTH};
use super::{AnalogueDomain, DigitalDomain, Domain, Evaluator, Source, Write};

/// Planes with an entry for each PE, row by row from the north. What is outside is 0.
struct Planes;

#[derive(Debug, PartialEq)]
enum Lost {
    Overflow,
    Unwritten(Bit),
    UnwrittenCell(Store),
    Unsupported(Word),
}

const PES: usize = (WIDTH * HEIGHT) as usize;

/// What each PE finds at a displacement, if that is in the array.
fn seen<T: Copy>(plane: &[T], at: Displacement) -> Vec<Option<T>> {
    let place = |pe: i32| {
        let (column, row) = (pe % WIDTH + i32::from(at.x), pe / WIDTH - i32::from(at.y));
        let is_inside = (0..WIDTH).contains(&column) && (0..HEIGHT).contains(&row);
        is_inside.then(|| plane[usize::try_from(row * WIDTH + column).unwrap()])
    };
    (0..WIDTH * HEIGHT).map(place).collect()
}

fn sum(factor: Fraction, sources: &[Source<'_, Vec<Fraction>>]) -> Result<Vec<Fraction>, Lost> {
    let mut sums = vec![Fraction::ZERO; PES];
    for source in sources {
        for (sum, found) in sums.iter_mut().zip(seen(&source.value, source.at)) {
            let part = found.unwrap_or(Fraction::ZERO).checked_mul(factor).ok_or(Lost::Overflow)?;
            *sum = sum.checked_add(part).ok_or(Lost::Overflow)?;
        }
    }
    Ok(sums)
}

impl AnalogueDomain for Planes {
    type Value = Vec<Fraction>;
    type Flag = Vec<bool>;
    type Error = Lost;

    fn unwritten_cell(&mut self, store: Store) -> Result<Vec<Fraction>, Lost> {
        Err(Lost::UnwrittenCell(store))
    }

    fn transfer(&mut self, write: &Write<'_, Vec<Fraction>>) -> Result<Vec<Fraction>, Lost> {
        assert_eq!(write.sources.len(), write.bus.sources().len());
        sum(write.transfer.factor(), &write.sources)
    }

    fn choose(
        &mut self,
        flag: &Vec<bool>,
        written: Vec<Fraction>,
        before: &Vec<Fraction>,
    ) -> Result<Vec<Fraction>, Lost> {
        assert!(flag.contains(&true) && flag.contains(&false), "{flag:?} is the same everywhere");
        let one = |((flag, written), before): ((&bool, Fraction), &Fraction)| if *flag { written } else { *before };
        Ok(flag.iter().zip(written).zip(before).map(one).collect())
    }
}

impl DigitalDomain for Planes {
    type Plane = Vec<bool>;
    type Error = Lost;

    fn constant(&mut self, bit: bool) -> Vec<bool> {
        vec![bit; PES]
    }

    fn as_constant(&self, plane: &Vec<bool>) -> Option<bool> {
        plane.iter().all(|bit| *bit == plane[0]).then_some(plane[0])
    }

    fn inverse(&mut self, plane: &Vec<bool>) -> Vec<bool> {
        plane.iter().map(|bit| !bit).collect()
    }

    fn any(&mut self, planes: &[Vec<bool>]) -> Result<Vec<bool>, Lost> {
        Ok((0..PES).map(|pe| planes.iter().any(|plane| plane[pe])).collect())
    }

    /// Where the direction is closed it is anything.
    fn neighbours(
        &mut self,
        plane: &Vec<bool>,
        direction: Direction,
        outside: bool,
        open: &Vec<bool>,
    ) -> Result<Vec<bool>, Lost> {
        assert!(open.contains(&true), "a direction that is closed everywhere");
        let found = seen(plane, direction.displacement());
        Ok(found.into_iter().zip(open).map(|(bit, open)| !open || bit.unwrap_or(outside)).collect())
    }

    fn unwritten_bit(&mut self, bit: Bit) -> Result<Vec<bool>, Lost> {
        Err(Lost::Unwritten(bit))
    }

    fn propagation_steps(&self) -> Option<usize> {
        Some(PES + 1)
    }

    fn unsupported(&mut self, word: Word) -> Lost {
        Lost::Unsupported(word)
    }
}

impl Domain for Planes {
    fn positive(&mut self, sources: &[Source<'_, Vec<Fraction>>]) -> Result<Vec<bool>, Lost> {
        Ok(sum(Fraction::ONE, sources)?.into_iter().map(|sum| sum > Fraction::ZERO).collect())
    }
}

type Machine = Evaluator<Vec<Fraction>, Vec<bool>>;

fn bits() -> impl Iterator<Item = Bit> {
    Dreg::ALL.into_iter().map(Bit::Reg).chain([Bit::Flag, Bit::Select, Bit::Rect])
}

fn stores() -> impl Iterator<Item = Store> {
    (0..REGS).map(|index| Store::Reg(Reg::from_index(index))).chain([Store::News])
}

fn values(array: &Array, store: Store) -> Vec<Fraction> {
    (0..PES)
        .map(|pe| match store {
            Store::Reg(reg) => array.analogue(pe, reg),
            _ => array.pes[pe].news,
        })
        .collect()
}

/// A machine in the state of an array, whose FLAG is 1.
fn machine(array: &Array) -> Machine {
    let mut machine = Machine::default();
    for bit in bits().filter(|bit| *bit != Bit::Flag) {
        machine.bits.give(bit, (0..PES).map(|pe| array.bit(pe, bit)).collect());
    }
    stores().for_each(|store| machine.cells.give(store, values(array, store)));
    machine.cells.give(Store::In, vec![array.level; PES]);
    machine
}

fn compare(machine: &Machine, array: &Array, what: &str) {
    for bit in bits() {
        let wanted: Vec<bool> = (0..PES).map(|pe| array.bit(pe, bit)).collect();
        assert_eq!(machine.bits.read(&mut Planes, bit), Ok(wanted), "{what}: {bit}");
    }
    for store in stores() {
        assert_eq!(machine.cells.get(store), Some(&values(array, store)), "{what}: {store:?}");
    }
}

struct Random(SplitMix64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        usize::try_from(self.0.next_number() % u64::try_from(count).unwrap()).unwrap()
    }

    fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    fn array(&mut self) -> Array {
        let mut other = Self(SplitMix64::new(self.0.next_number()));
        Array::new(|| self.0.next_bit(), || Fraction::from(i32::try_from(other.below(41)).unwrap() - 20))
    }

    fn cells(&mut self, most: usize) -> Vec<Cell> {
        let cell = |random: &mut Self| match random.below(8) {
            0 => Cell::In,
            1 => Cell::News,
            2 | 3 => Cell::Port(random.one_of(&Direction::ALL)),
            _ => Cell::Reg(Reg::from_index(u8::try_from(random.below(REGS.into())).unwrap())),
        };
        (0..self.below(most + 1)).map(|_| cell(self)).collect()
    }

    fn bits(&mut self) -> Vec<Bit> {
        let all: Vec<Bit> = bits().collect();
        (0..=self.below(3)).map(|_| self.one_of(&all)).collect()
    }

    /// Words that belong together, of any kind; some halves of words alone.
    fn words(&mut self) -> Vec<Word> {
        let register = |random: &mut Self| random.one_of(&Dreg::ALL);
        let logic = |operation, targets: &[Dreg], sources: &[Bit]| {
            Logic::new(operation, targets, sources).ok().map(Word::Logic)
        };
        let target = register(self);
        let words = match self.below(14) {
            0..=3 => [Word::new(&self.cells(3), &self.cells(4)).ok(), None],
            4 => {
                let mean = [self.one_of(&Direction::ALL), self.one_of(&Direction::ALL)];
                [Bus::mean(Cell::Reg(Reg::A), &mean).ok().map(Word::Bus), None]
            }
            5 => [Sum::new(&self.cells(3)).ok().map(Word::Where), None],
            6 => [Bits::new(&self.bits()).ok().map(Word::WhereBits), None],
            7 => [Some(Word::All), Some(Word::Nop)],
            8 => [logic(self.one_of(&[Operation::Set, Operation::Clr]), &[target, register(self)], &[]), None],
            9 => [logic(self.one_of(&[Operation::Or, Operation::Nor]), &[target], &self.bits()), None],
            10 => {
                let hold = self.one_of(&[Operation::HoldOr, Operation::HoldNor, Operation::HoldRefresh]);
                let store = self.one_of(&[Operation::StoreOr, Operation::StoreNor, Operation::StoreRefresh]);
                let hold = logic(hold, &[], &self.bits()).filter(|_| self.below(8) > 0);
                [hold, logic(store, &[target], &[])]
            }
            11 => {
                let outside = self.0.next_bit();
                let read = (self.below(8) > 0).then_some(Word::ReadPropagation);
                [read, Some(Word::Propagate { outside })]
            }
            _ => {
                let seen = FromNeighbours::new(target, self.bits()[0], self.0.next_bit());
                [seen.ok().map(Word::FromNeighbours), None]
            }
        };
        words.into_iter().flatten().collect()
    }
}

/// Words of all kinds, in every PE; where the first half of a word is missing, that is told, and nothing is changed.
#[test]
fn random_words_do_on_planes_what_they_do_in_each_pe() {
    let (mut followed, mut refused) = (0, 0);
    for seed in 0..1500 {
        let mut random = Random(SplitMix64::new(seed));
        let mut array = random.array();
        let mut machine = machine(&array);
        for round in 0..12 {
            let words = random.words();
            if let [word @ (Word::Propagate { .. } | Word::Logic(_))] = words[..]
                && (!matches!(word, Word::Logic(logic) if logic.path() == cain_isa::Path::Direct))
            {
                assert_eq!(machine.word(&mut Planes, word), Err(Lost::Unsupported(word)));
                refused += 1;
            } else {
                for word in words {
                    if array.word(word).is_none() {
                        break;
                    }
                    assert_eq!(machine.word(&mut Planes, word), Ok(()), "seed {seed}, round {round}: {word}");
                    compare(&machine, &array, &std::format!("seed {seed}, round {round}: {word}"));
                    followed += 1;
                }
            }
        }
    }
    assert!(followed > 10_000 && refused > 150, "{followed} {refused}");
}

/// A word changes nothing but what its effect names, and depends on nothing else.
#[test]
fn effects_of_words_are_what_they_do() {
    let (mut tried, mut changed) = (0, 0);
    for seed in 0..4000 {
        let mut random = Random(SplitMix64::new(seed));
        let words = random.words();
        if words.is_empty() || matches!(words[..], [Word::Propagate { .. }]) {
            continue;
        }
        let (mut array, mut other) = (random.array(), random.array());
        other.level = array.level;
        let flag_everywhere = random.0.next_bit();
        for (pe, flag) in (0..PES).map(|pe| (pe, flag_everywhere || random.0.next_bit())).collect::<Vec<_>>() {
            array.pes[pe].flag = flag;
            other.pes[pe].flag = flag || flag_everywhere;
            // The controller holds these.
            (other.pes[pe].select, other.pes[pe].rect) = (array.pes[pe].select, array.pes[pe].rect);
        }
        let effects: Vec<_> = words.iter().map(|word| word.effect(flag_everywhere)).collect();
        let union = |part: fn(&cain_isa::Effect) -> Cells| effects.iter().map(part).fold(Cells::NONE, Cells::union);
        let (reads, changes) = (union(|of| of.reads), union(|of| of.changes));
        copy(&mut other, &array, reads.union(changes));
        let before = [array.clone(), other.clone()];
        if [&mut array, &mut other].into_iter().any(|array| words.iter().any(|word| array.word(*word).is_none())) {
            continue;
        }
        tried += 1;
        let touched = union(|of| of.written());
        for (array, before) in [&array, &other].into_iter().zip(&before) {
            let kept = |cells: Cells| !touched.contains(cells);
            assert!(held(array, before).all(|(cells, is_same)| is_same || !kept(cells)), "{words:?}");
            changed += held(array, before).filter(|(_, is_same)| !is_same).count();
        }
        assert!(held(&array, &other).all(|(cells, is_same)| is_same || !touched.contains(cells)), "{words:?}");
    }
    assert!(tried > 2_500 && changed > 3_500, "{tried} {changed}");
}

/// Whether two arrays hold the same, for everything that a PE stores.
fn held<'a>(one: &'a Array, other: &'a Array) -> impl Iterator<Item = (Cells, bool)> + 'a {
    let of_bits = bits().map(|bit| (Cells::bit(bit), (0..PES).all(|pe| one.bit(pe, bit) == other.bit(pe, bit))));
    let of_store = |store| match store {
        Store::Reg(reg) => Cells::register(reg),
        _ => Cells::NEWS,
    };
    let of_bits = of_bits.filter(|(cells, _)| !cells.is_empty());
    of_bits.chain(stores().map(move |store| (of_store(store), values(one, store) == values(other, store))))
}

/// Lets an array hold what another one holds in some cells.
fn copy(to: &mut Array, from: &Array, cells: Cells) {
    for (pe, from) in to.pes.iter_mut().zip(&from.pes) {
        for bit in cells.bits() {
            match bit {
                Bit::Reg(register) => {
                    let number = usize::from(register.number());
                    pe.registers[number] = from.registers[number];
                }
                _ => pe.flag = from.flag,
            }
        }
        for reg in cells.analogue().iter() {
            pe.analogue[usize::from(reg.index())] = from.analogue[usize::from(reg.index())];
        }
        if cells.contains(Cells::NEWS) {
            pe.news = from.news;
        }
    }
}

/// Nothing that was never written is read, and what is told of words that are not followed names them.
#[test]
fn what_is_not_written_is_not_read() {
    let word = |line: &str| line.parse::<cain_isa::Instruction>().unwrap().words().next().unwrap();
    let run = |lines: &[&str]| {
        let mut machine = Machine::default();
        lines.iter().try_for_each(|line| machine.word(&mut Planes, word(line)))
    };
    let bit = |number: usize| Err(Lost::Unwritten(Dreg::ALL[number].into()));
    assert_eq!(run(&["bus(B,A);"]), Err(Lost::UnwrittenCell(Store::Reg(Reg::A))));
    assert_eq!(run(&["bus(B,XE);"]), Err(Lost::UnwrittenCell(Store::News)));
    assert_eq!(run(&["bus(A);", "bus(B,A);", "where(B,IN);"]), Err(Lost::UnwrittenCell(Store::In)));
    assert_eq!(run(&["MOV(R5,R6);"]), bit(6));
    assert_eq!(run(&["MOV(R5,RECT);"]), Err(Lost::Unwritten(Bit::Rect)));
    // FLAG is 1 until a word writes it; R12 is written where R0 is 1.
    assert_eq!(run(&["MOV(R5,FLAG);", "MOV(R6,R5);"]), Ok(()));
    assert_eq!(run(&["SET(R12);"]), bit(0));
    assert_eq!(run(&["SET(R0);", "SET(R12);", "MOV(R5,R12);"]), Ok(()));
    assert_eq!(run(&["CLR(R0);", "SET(R12);", "MOV(R5,R12);"]), bit(12));
    // Where FLAG is 0 in every PE, nothing is written, nor read.
    assert_eq!(run(&["CLR(R5);", "WHERE(R5);", "bus(B,A);", "all();", "bus(C,B);"]), {
        Err(Lost::UnwrittenCell(Store::Reg(Reg::B)))
    });
    // What stays where FLAG is 0 is read too.
    let mut machine = Machine::default();
    machine.bits.give(Dreg::ALL[5].into(), (0..PES).map(|pe| pe == 0).collect());
    let partly = ["bus(A);", "WHERE(R5);", "bus(B,A);"].map(word);
    let found = partly.into_iter().try_for_each(|word| machine.word(&mut Planes, word));
    assert_eq!(found, Err(Lost::UnwrittenCell(Store::Reg(Reg::B))));
    for line in ["sq(A);", "blur(B,A);", "rpix();", "blurset();"] {
        assert_eq!(run(&["bus(A);", line]), Err(Lost::Unsupported(word(line))));
    }
}

/// A bus holds what is put on it for one word only.
#[test]
fn buses_hold_until_the_next_word() {
    let logic =
        |operation, targets: &[Dreg], sources: &[Bit]| Word::Logic(Logic::new(operation, targets, sources).unwrap());
    let [first, second] = [Dreg::ALL[5], Dreg::ALL[6]];
    let hold = logic(Operation::HoldNor, &[], &[first.into()]);
    let store = logic(Operation::StoreNor, &[second], &[]);
    let transfer = Word::new(&[Cell::Reg(Reg::A)], &[]).unwrap();
    let compare = Word::Where(Sum::new(&[Cell::Reg(Reg::A)]).unwrap());
    let propagation = [Word::ReadPropagation, Word::Propagate { outside: false }];
    let array = Random(SplitMix64::new(1)).array();
    let others = [Word::Nop, Word::All, transfer, compare, logic(Operation::Set, &[first], &[])];
    for [begin, end] in [[hold, store], propagation] {
        let mut machine = machine(&array);
        let mut run = |words: &[Word]| words.iter().try_for_each(|word| machine.word(&mut Planes, *word));
        assert_eq!(run(&[begin, end]), Ok(()));
        assert_eq!(run(&[end]), Err(Lost::Unsupported(end)));
        for other in others {
            assert_eq!(run(&[begin, other, end]), Err(Lost::Unsupported(end)), "{other}");
        }
        for other in [hold, propagation[0]].into_iter().filter(|other| *other != begin) {
            assert_eq!(run(&[begin, other, end]), Err(Lost::Unsupported(end)), "{other}");
        }
    }
    let mut machine = machine(&array);
    machine.word(&mut Planes, hold).unwrap();
    machine.bits.forget_all_but(|bit| bit == first.into());
    assert_eq!(machine.word(&mut Planes, store), Err(Lost::Unsupported(store)));
    assert!(machine.bits.get(first.into()).is_some() && machine.bits.get(second.into()).is_none());
    assert_eq!(machine.bits.get(Bit::Flag), None);
    let zero = Planes.constant(false);
    machine.bits.give(Bit::Flag, zero.clone());
    machine.bits.forget_all_but(|_| false);
    assert_eq!(machine.bits.get(Bit::Flag), Some(&zero));
    machine.cells.forget_all();
    assert_eq!(machine.cells.written().next(), None);
}

/// A propagation that does not end within the steps that a domain allows is not followed.
#[test]
fn propagations_have_a_limit() {
    /// Planes whose longest way is said to be shorter than it is.
    struct Short(usize);

    impl DigitalDomain for Short {
        type Plane = Vec<bool>;
        type Error = Lost;

        fn constant(&mut self, bit: bool) -> Vec<bool> {
            Planes.constant(bit)
        }

        fn as_constant(&self, plane: &Vec<bool>) -> Option<bool> {
            Planes.as_constant(plane)
        }

        fn inverse(&mut self, plane: &Vec<bool>) -> Vec<bool> {
            Planes.inverse(plane)
        }

        fn any(&mut self, planes: &[Vec<bool>]) -> Result<Vec<bool>, Lost> {
            Planes.any(planes)
        }

        fn neighbours(
            &mut self,
            plane: &Vec<bool>,
            direction: Direction,
            outside: bool,
            open: &Vec<bool>,
        ) -> Result<Vec<bool>, Lost> {
            Planes.neighbours(plane, direction, outside, open)
        }

        fn unwritten_bit(&mut self, bit: Bit) -> Result<Vec<bool>, Lost> {
            Planes.unwritten_bit(bit)
        }

        fn propagation_steps(&self) -> Option<usize> {
            (self.0 > 0).then_some(self.0)
        }

        fn unsupported(&mut self, word: Word) -> Lost {
            Planes.unsupported(word)
        }
    }

    // From the west edge to the east: three steps, and one that changes nothing.
    for steps in 0..6 {
        let mut bits = super::Digital::default();
        for (number, register) in Dreg::ALL.into_iter().enumerate() {
            bits.give(register.into(), vec![matches!(number, 0 | 2); PES]);
        }
        bits.give(Dreg::ALL[12].into(), (0..PES).map(|pe| pe % WIDTH as usize == 0).collect());
        let word = Word::Propagate { outside: false };
        let found = [Word::ReadPropagation, word].iter().try_for_each(|word| bits.word(&mut Short(steps), *word));
        match steps {
            0 => assert_eq!(found, Err(Lost::Unsupported(Word::ReadPropagation))),
            1..4 => assert_eq!(found, Err(Lost::Unsupported(word))),
            _ => {
                assert_eq!(found, Ok(()));
                assert_eq!(bits.get(Dreg::ALL[12].into()), Some(&vec![true; PES]));
            }
        }
    }
}
