//! Tests which PEs are written, given FLAG, ports and the border, and the inputs from the sensor and the controller.

use cain_runtime::HostController;
use cain_runtime::isa::asm::digital::{FLAG, R0, R1, R2, R3, R4, R5, R6, R12, SELECT, clr, set, where_bits};
use cain_runtime::isa::asm::*;
use cain_runtime::isa::{
    Bit, Bits, Cell, Direction, Displacement, Dreg, FromNeighbours, Instruction, Logic, Operation, Reg, Store, Sum,
    Word,
};
use cain_runtime::sim::{Array, SimError};
use proptest::prelude::*;
use proptest::sample::select;

const IMAGE: [f32; 5] = [-2.0, -1.0, 0.0, 1.0, 2.0];

/// `IMAGE` in A from west to east, and 9 in B.
fn array() -> Array {
    let mut array = Array::new(5, 1);
    array.load_reg(A, &IMAGE).unwrap();
    array.load_reg(B, &[9.0; 5]).unwrap();
    array
}

fn after(program: &[Instruction], result: Reg) -> Vec<f32> {
    let mut array = array();
    program.iter().try_for_each(|&line| array.execute(line)).unwrap();
    array.read_reg(result).unwrap().to_vec()
}

#[test]
fn only_pes_with_flag_are_written() {
    assert_eq!(after(&[where_positive(&[reg(A)]), mov(B, A)], B), [9.0, 9.0, 9.0, 1.0, 2.0]);
    assert_eq!(after(&[where_positive(&[reg(A)]), all(), mov(B, A)], B), IMAGE);
    // FLAG is overwritten regardless of its value.
    let nested = [where_positive(&[reg(A)]), where_positive(&[reg(B)]), mov(B, A)];
    assert_eq!(after(&nested, B), IMAGE);
    assert_eq!(after(&[where_positive(&[reg(A), reg(B)]), res(B)], B), [0.0; 5]);
}

#[test]
fn the_owner_of_a_cell_decides_about_writes_through_ports() {
    // FLAG is 1 in the two eastern PEs. Writing XW fills the NEWS of the western neighbour: the PE in the middle is
    // written by its neighbour with FLAG 1, although its own FLAG is 0; the easternmost is written from outside.
    let push = [mov(C, B), bus(&[NEWS], &[reg(B)]), where_positive(&[reg(A)]), bus(&[XW], &[reg(A)]), all()];
    let news = [&push[..], &[bus(&[reg(C)], &[NEWS])]].concat();
    assert_eq!(after(&news, C), [9.0, 9.0, 9.0, 2.0, 0.0]);
    // So movx is safe: each participating PE has the value of its neighbour, whose FLAG does not matter.
    assert_eq!(after(&[where_positive(&[reg(A)]), movx(B, A, WEST)], B), [9.0, 9.0, 9.0, 0.0, 1.0]);
    // mov2x is not safe: it reads the NEWS of a neighbour that has not written it.
    let far = [bus(&[NEWS], &[reg(B)]), where_positive(&[reg(A)]), mov2x(B, A, WEST, WEST)];
    assert_eq!(after(&far, B), [9.0, 9.0, 9.0, 9.0, 0.0]);
}

#[test]
fn abs_uses_flag_and_leaves_it_at_1() {
    let mut array = array();
    array.execute(where_bits(&[FLAG])).unwrap();
    array.execute(abs(B, A)).unwrap();
    assert_eq!(array.read_reg(B).unwrap(), [2.0, 1.0, 0.0, 1.0, 2.0]);
    assert_eq!(array.read_bits(FLAG).unwrap(), [true; 5]);
}

#[test]
fn flag_can_come_from_digital_registers_and_go_to_them() {
    let mut array = array();
    array.load_bits(R5, &[true, false, true, false, false]).unwrap();
    array.execute(where_bits(&[R5])).unwrap();
    array.execute(mov(B, A)).unwrap();
    assert_eq!(array.read_reg(B).unwrap(), [-2.0, 9.0, 0.0, 9.0, 9.0]);
}

#[test]
fn flag_gates_whole_instructions_as_it_gates_words() {
    let program = [where_positive(&[reg(A)]), diva(A, C, D), addx(B, A, B, EAST), sub(C, A, B)];
    let (mut whole, mut by_word) = (array(), array());
    for line in program {
        whole.execute(line).unwrap();
        line.words().try_for_each(|word| by_word.issue(word)).unwrap();
    }
    for reg in [A, B, C, D] {
        assert_eq!(whole.read_reg(reg), by_word.read_reg(reg), "{reg}");
    }
}

#[test]
fn the_border_can_be_given_a_level() {
    let mut array = Array::new(3, 1).outside(7.0);
    array.load_reg(A, &[1.0, 2.0, 3.0]).unwrap();
    for (direction, expected) in
        [(NORTH, [7.0; 3]), (SOUTH, [7.0; 3]), (EAST, [2.0, 3.0, 7.0]), (WEST, [7.0, 1.0, 2.0])]
    {
        array.execute(movx(B, A, direction)).unwrap();
        // Values from outside are inverted once more: PEs outside hold 7 too.
        assert_eq!(array.read_reg(B).unwrap(), expected, "{direction}");
    }
}

#[test]
fn capture_and_constant_input() {
    let mut array = Array::new(2, 1);
    assert_eq!(array.execute(get_image(A)), Err(SimError::Unwritten(Store::Pix)));
    array.expose(&[0.0, 127.0]).unwrap();
    array.execute(getpix(B, F)).unwrap_err();
    array.execute(get_image_full(A, B)).unwrap();
    assert_eq!(array.read_reg(A).unwrap(), [-127.0, 127.0]);
    assert_eq!(array.read_reg(B).unwrap(), [127.0, 0.0]);
    // The sensors have been reset.
    array.execute(get_image(A)).unwrap();
    assert_eq!(array.read_reg(A).unwrap(), [0.0, 0.0]);

    assert_eq!(array.execute(bus(&[NEWS], &[IN])), Err(SimError::Unwritten(Store::In)));
    assert_eq!(array.set_in(f32::NAN), Err(SimError::NoLevel));
    array.set_in(-30.0).unwrap();
    array.execute(bus(&[NEWS], &[IN])).unwrap();
    array.execute(bus(&[reg(C)], &[NEWS])).unwrap();
    assert_eq!(array.read_reg(C).unwrap(), [-30.0; 2]);
}

#[test]
fn diffusion_is_a_setting() {
    let mut array = Array::new(3, 3);
    let mut spot = [0.0; 9];
    spot[4] = 64.0;
    array.load_reg(A, &spot).unwrap();
    assert_eq!(array.execute(gauss(B, A)), Err(SimError::NoDiffusion));
    let mut array = array.diffusion(0.25);
    array.execute(set(&[R1, R2])).unwrap();
    let word: Instruction = "blur(B,A);".parse().unwrap();
    array.execute(word).unwrap();
    assert_eq!(array.read_reg(B).unwrap(), [4.0, 8.0, 4.0, 8.0, 16.0, 8.0, 4.0, 8.0, 4.0].map(|value: f32| -value));
    array.execute(gauss(B, A)).unwrap();
    assert!((array.read_reg(B).unwrap().iter().sum::<f32>() - 64.0).abs() < 1e-4);
    // Without links, nothing spreads.
    array.execute(clr(&[R1, R2])).unwrap();
    array.execute(gauss(B, A)).unwrap();
    assert_eq!(array.read_reg(B).unwrap(), spot);
}

#[test]
fn a_reset_of_the_sensor_does_not_ask_for_flag() {
    let mut array = array();
    array.expose(&[50.0; 5]).unwrap();
    array.execute(where_positive(&[reg(A)])).unwrap();
    array.execute(respix()).unwrap();
    array.execute(all()).unwrap();
    array.execute(bus(&[reg(B)], &[PIX])).unwrap();
    assert_eq!(array.read_reg(B).unwrap(), [127.0; 5]);
}

#[test]
fn the_squarer_is_a_setting() {
    assert_eq!(array().execute(sq(&[reg(A)])), Err(SimError::NoSquarer));
    let mut array = array().squarer(0.5);
    assert_eq!(array.execute(sq(&[reg(A), reg(C)])), Err(SimError::Unwritten(Store::Reg(C))));
    array.execute(bus(&[NEWS], &[reg(B)])).unwrap();
    array.execute(where_positive(&[reg(A)])).unwrap();
    array.execute(sq(&[reg(A), reg(B)])).unwrap();
    array.execute(all()).unwrap();
    array.execute(bus(&[reg(C)], &[NEWS])).unwrap();
    // The result is (A + B)² / 2 where FLAG is 1, and the content of NEWS elsewhere.
    assert_eq!(array.read_reg(C).unwrap(), [9.0, 9.0, 9.0, -50.0, -60.5]);
}

/// A plain simulation of words, PE by PE.
struct Plain {
    width: usize,
    height: usize,
    /// The digital registers by number, and then SELECT.
    bits: Vec<Vec<bool>>,
    flag: Vec<bool>,
    /// The cells A, B and NEWS.
    cells: [Vec<f32>; 3],
}

/// The digital registers that are used, and SELECT.
const BITS: [Bit; 9] = [R0, R1, R2, R3, R4, R5, R6, R12, SELECT];
const STORES: [Store; 3] = [Store::Reg(A), Store::Reg(B), Store::News];

impl Plain {
    fn bit(&self, bit: Bit) -> &[bool] {
        BITS.iter().position(|known| *known == bit).map_or(&self.flag, |place| &self.bits[place])
    }

    /// The PE at a displacement, if it is in the array.
    fn at(&self, pe: usize, by: Displacement) -> Option<usize> {
        let row = (pe / self.width).checked_add_signed(-isize::from(by.y)).filter(|row| *row < self.height)?;
        let column = (pe % self.width).checked_add_signed(by.x.into()).filter(|column| *column < self.width)?;
        Some(row * self.width + column)
    }

    fn cell(&self, pe: usize, (store, by): (Store, Displacement)) -> f32 {
        let cell = STORES.iter().position(|known| *known == store).unwrap();
        self.at(pe, by).map_or(0.0, |pe| self.cells[cell][pe])
    }

    fn any(&self, pe: usize, bits: &[Bit]) -> bool {
        bits.iter().any(|bit| self.bit(*bit)[pe])
    }

    /// A gate opens according to its bit before the word.
    fn store(&mut self, targets: &[Dreg], bits: &[bool]) {
        let gate = self.bit(R0).to_vec();
        for target in targets {
            let place = BITS.iter().position(|known| *known == (*target).into()).unwrap();
            for (pe, bit) in bits.iter().enumerate().filter(|(pe, _)| target.gate().is_none() || gate[*pe]) {
                self.bits[place][pe] = *bit;
            }
        }
    }

    fn word(&mut self, word: Word) {
        let pes = || 0..self.width * self.height;
        match word {
            Word::Bus(bus) => {
                let transfer = bus.transfers().next().unwrap();
                let sum = |pe| transfer.terms().iter().map(|term| self.cell(pe, *term)).sum::<f32>();
                let values: Vec<f32> = pes().map(|pe| -sum(pe)).collect();
                let target = STORES.iter().position(|known| *known == transfer.store).unwrap();
                for pe in pes().filter(|pe| self.flag[*pe]).collect::<Vec<_>>() {
                    self.cells[target][pe] = values[pe];
                }
            }
            Word::All => self.flag.fill(true),
            Word::Where(sum) => {
                let cells: Vec<_> = sum.terms().collect();
                self.flag = pes().map(|pe| cells.iter().map(|cell| self.cell(pe, *cell)).sum::<f32>() > 0.0).collect();
            }
            Word::WhereBits(bits) => self.flag = pes().map(|pe| self.any(pe, bits.bits())).collect(),
            Word::Logic(logic) => {
                let result = pes().map(|pe| self.any(pe, logic.sources()) != logic.inverts()).collect::<Vec<_>>();
                self.store(logic.targets(), &result);
            }
            Word::FromNeighbours(word) => {
                let seen = |pe, direction: Direction| {
                    let neighbour = self.at(pe, direction.displacement());
                    neighbour.map_or(word.outside(), |neighbour| self.any(neighbour, &[word.source()]))
                };
                let looks = |pe, direction: Direction| self.any(pe, &[direction.switch().into()]);
                let result = pes().map(|pe| Direction::ALL.into_iter().any(|to| looks(pe, to) && seen(pe, to)));
                let result: Vec<bool> = result.collect();
                self.store(&[word.target()], &result);
            }
            other => panic!("{other}"),
        }
    }
}

fn any_word() -> impl Strategy<Value = Word> {
    let registers: Vec<Dreg> =
        BITS.into_iter().filter_map(|bit| if let Bit::Reg(dreg) = bit { Some(dreg) } else { None }).collect();
    let bits = [&BITS[..], &[FLAG]].concat();
    let cells: Vec<Cell> = [A.into(), B.into(), Cell::News].into_iter().chain(Direction::ALL.map(Cell::Port)).collect();
    let some_bits = move |most| prop::collection::vec(select(bits.clone()), 1..=most);
    let operations = vec![Operation::Or, Operation::Nor, Operation::Set, Operation::Clr];
    let logic = (select(operations), prop::collection::vec(select(registers.clone()), 1..=2), some_bits(3));
    let logic = logic.prop_filter_map("breaks a rule", |(operation, targets, sources)| {
        let reads = matches!(operation, Operation::Or | Operation::Nor);
        Logic::new(operation, &targets, if reads { &sources } else { &[] }).ok().map(Word::Logic)
    });
    let neighbours = (select(registers.clone()), select(registers), any::<bool>());
    let neighbours = neighbours.prop_filter_map("breaks a rule", |(target, source, outside)| {
        FromNeighbours::new(target, source.into(), outside).ok().map(Word::FromNeighbours)
    });
    let bus = (select(cells.clone()), prop::collection::vec(select(cells), 0..=2));
    let bus = bus.prop_filter_map("breaks a rule", |(target, sources)| Word::new(&[target], &sources).ok());
    let flags = some_bits(3).prop_map(|bits| Word::WhereBits(Bits::new(&bits).unwrap()));
    let positive = select(vec![A, B]).prop_map(|reg| Word::Where(Sum::new(&[reg.into()]).unwrap()));
    prop_oneof![4 => bus, 2 => logic, 2 => neighbours, 2 => flags, 1 => positive, 1 => Just(Word::All)]
}

proptest! {
    /// Widths on both sides of 64 and 128 PEs, which the simulator packs into one word.
    #[test]
    fn every_pe_does_what_words_say(
        words in prop::collection::vec(any_word(), 1..=14),
        (width, height) in (prop_oneof![1..=9_usize, 60..=68_usize, 126..=130_usize], 1..=5_usize),
        seed in any::<u64>(),
    ) {
        let number = |of: usize, pe: usize| (seed | 1).wrapping_mul((of * 1000 + pe) as u64 | 1 << 40) >> 37;
        let bits = |of: usize| (0..width * height).map(|pe| number(of, pe) % 2 == 1).collect::<Vec<_>>();
        let image = |of: usize| (0..width * height).map(|pe| f32::from((number(of, pe) % 5) as u8) - 2.0).collect::<Vec<_>>();
        let (a, b) = (image(20), image(21));
        let news = a.iter().map(|value| -value).collect();
        let cells = [a.clone(), b.clone(), news];
        let mut plain = Plain { width, height, bits: (0..BITS.len()).map(bits).collect(), flag: vec![true; width * height], cells };

        let mut array = Array::new(width, height);
        array.load_reg(A, &a).unwrap();
        array.load_reg(B, &b).unwrap();
        array.execute(bus(&[NEWS], &[reg(A)])).unwrap();
        for (bit, bits) in BITS.iter().zip(&plain.bits) {
            array.load_bits(*bit, bits).unwrap();
        }
        let listing: Vec<Instruction> = words.iter().map(|&word| Instruction::Word(word)).collect();
        array.execute_all(&listing).unwrap();
        for word in &words {
            plain.word(*word);
        }

        for (bit, bits) in BITS.iter().zip(&plain.bits) {
            prop_assert_eq!(&array.read_bits(*bit).unwrap(), bits, "{}", bit);
        }
        prop_assert_eq!(array.read_bits(FLAG).unwrap(), plain.flag);
        prop_assert_eq!(array.read_reg(A).unwrap(), &plain.cells[0]);
        prop_assert_eq!(array.read_reg(B).unwrap(), &plain.cells[1]);
        array.execute_all(&[all(), bus(&[reg(A)], &[NEWS])]).unwrap();
        let minus_news: Vec<f32> = plain.cells[2].iter().map(|value| -value).collect();
        prop_assert_eq!(array.read_reg(A).unwrap(), &minus_news);
    }
}
