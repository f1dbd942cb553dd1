//! Compares random words with a plain simulation.

use cain_analysis::owned::Step;
use cain_isa::program::{Area, Selection};
use cain_isa::random::SplitMix64;
use cain_isa::{Bit, Dreg, Instruction, Logic, Operation, Word};

use super::Replay;
use crate::grid::{Grid, random_words};
use crate::truth::{AnyOf, Symbol, Truth, Unknown};

const SIDE: usize = 5;
/// Registers with the bits of the unknowns, one in each PE; the second has the higher bit.
const INPUTS: [Dreg; 2] = [Dreg::ALL[5], Dreg::ALL[6]];

/// Everything known of a bit is right, whatever the unknowns are; and much is known.
#[test]
fn random_programs_do_on_symbols_what_they_do_on_bits() {
    let mut known = 0;
    for seed in 0..400 {
        let mut random = SplitMix64::new(seed);
        let mut grid = Grid::new(SIDE, SIDE, || random.below(2) == 1);
        let mut replay: Replay<Symbol> = Replay::new(SIDE);
        let unknowns: Vec<u8> = (0..SIDE * SIDE)
            .map(|pe| {
                INPUTS
                    .iter()
                    .enumerate()
                    .map(|(bit, register)| u8::from(grid.read(pe, (*register).into())) << bit)
                    .sum()
            })
            .collect();
        for (bit, register) in INPUTS.into_iter().enumerate() {
            replay.load(register.into(), (0..SIDE * SIDE).map(|pe| Symbol::bit(Unknown::Pe(pe), bit)).collect());
        }
        let selection = Selection { row: 1, column: 2, free_row_bits: 2, free_column_bits: 1 << random.below(3) };
        let region = Area { top: random.below(3), left: 1, height: 2, width: 1 + random.below(3) };
        replay.step(&Step::Select(selection));
        replay.step(&Step::Region(region));
        for pe in 0..SIDE * SIDE {
            let (row, column) = (pe / SIDE, pe % SIDE);
            let is_selected = (row ^ 1) & !2 == 0 && (column ^ 2) & !usize::from(selection.free_column_bits) == 0;
            let rows = region.top..region.top + 2;
            grid.select(pe, is_selected, rows.contains(&row) && (1..=region.width).contains(&column));
        }
        let switches = [1, 2, 3, 4].map(|number| Dreg::ALL[number]);
        let logic = |operation, targets: &[Dreg], sources: &[Bit]| {
            Word::Logic(Logic::new(operation, targets, sources).unwrap())
        };
        let mut words = vec![logic(Operation::Clr, &switches, &[])];
        words.push(logic(Operation::Set, &[switches[random.below(4)]], &[]));
        for _ in 0..8 {
            words.extend(random_words(&mut random));
            let bits = [Bit::Select, Bit::Rect, INPUTS[0].into()];
            words.push(logic(Operation::Or, &[Dreg::ALL[7]], &bits[..=random.below(3)]));
        }
        for word in words {
            replay.step(&Step::Execute(vec![Instruction::Word(word)]));
            grid.word(word);
            let bits = Dreg::ALL.map(Bit::Reg).into_iter().chain([Bit::Flag, Bit::Select, Bit::Rect]);
            for (bit, plane) in bits.map(|bit| (bit, replay.plane(bit))) {
                assert!(replay.is(bit, |pe| plane[pe]));
                for (pe, symbol) in plane.into_iter().enumerate() {
                    let value = |unknown| if let Unknown::Pe(pe) = unknown { unknowns[pe] } else { unreachable!() };
                    let Some(found) = symbol.evaluate(value) else { continue };
                    known += 1;
                    assert_eq!(found, grid.read(pe, bit), "seed {seed}, {word} {bit}, PE {pe}");
                }
            }
        }
    }
    assert!(known > 1_500_000, "{known}");
}

/// FLAG is unknown after a comparison of analogue cells, and so is everything made of it.
#[test]
fn comparisons_are_not_known() {
    let mut replay: Replay<Symbol> = Replay::new(2);
    let register = Bit::Reg(INPUTS[0]);
    let words = |lines: &[&str]| lines.iter().map(|line| line.parse().unwrap()).collect::<Vec<Instruction>>();
    replay.step(&Step::Execute(words(&["MOV(R5,FLAG);"])));
    assert_eq!(replay.plane(register), [Symbol::Known(true); 4]);
    assert!(!replay.is(register, |pe| Symbol::Known(pe != 3)));
    replay.step(&Step::Execute(words(&["where(A);", "MOV(R5,FLAG);"])));
    assert_eq!(replay.plane(register), [Symbol::Other; 4]);
    replay.step(&Step::Execute(words(&["all();", "MOV(R5,FLAG);", "bus(A,B);"])));
    assert_eq!(replay.plane(register), [Symbol::Known(true); 4]);
    // The program has words in place, and registers with a gate.
    let moving = Bit::Reg(Dreg::ALL[12]);
    replay.step(&Step::Execute(words(&["SET(R12);", "NOT(R5);"])));
    assert_eq!((replay.plane(register), replay.plane(moving)), (vec![Symbol::Known(false); 4], vec![Symbol::Other; 4]));
    replay.step(&Step::Execute(words(&["SET(R0);", "SET(R12);"])));
    assert_eq!(replay.plane(moving), [Symbol::Known(true); 4]);
    // Neither a propagation is followed, nor the second half of a word alone.
    replay.step(&Step::Execute(words(&["PROP0();"])));
    assert_eq!((replay.plane(register), replay.plane(moving)), (vec![Symbol::Known(false); 4], vec![Symbol::Other; 4]));
    let halves = words(&["NOT(R5);"]).iter().flat_map(Instruction::words).map(Instruction::Word).collect::<Vec<_>>();
    replay.step(&Step::Execute(halves[1..].to_vec()));
    assert_eq!(replay.plane(register), [Symbol::Other; 4]);
    assert_eq!(replay.side(), 2);
}

#[test]
fn selections_and_regions_are_known() {
    let mut replay: Replay<Symbol> = Replay::new(2);
    replay.step(&Step::Select(Selection { row: 1, column: 0, free_row_bits: 0, free_column_bits: 1 }));
    replay.step(&Step::Region(Area { top: 0, left: 1, height: 2, width: 1 }));
    let known = |bits: [bool; 4]| bits.map(Symbol::Known);
    assert_eq!(replay.plane(Bit::Select), known([false, false, true, true]));
    assert_eq!(replay.plane(Bit::Rect), known([false, true, false, true]));
}

/// Values that have left the array do not come back, whatever comes in from outside. The registers of the four
/// directions are R1 to R4; values first come from the east, the west, the south and the north.
#[test]
fn planes_that_move_there_and_back_lose_their_border() {
    type Border = fn(usize) -> bool;
    let borders: [(&str, &str, Border); 4] = [
        ("R4", "R2", |pe| pe % 3 == 0),
        ("R2", "R4", |pe| pe % 3 == 2),
        ("R1", "R3", |pe| pe / 3 == 0),
        ("R3", "R1", |pe| pe / 3 == 2),
    ];
    for (outside, (there, back, is_border)) in
        [0, 1].into_iter().flat_map(|outside| borders.map(|case| (outside, case)))
    {
        let mut replay: Replay<Symbol> = Replay::new(3);
        replay.load(INPUTS[0].into(), (0..9).map(|pe| Symbol::bit(Unknown::Pe(pe), 0)).collect());
        let lines = [
            "CLR(R1,R2,R3,R4);".to_owned(),
            format!("SET({there});"),
            format!("DNEWS{outside}(R6,R5);"),
            format!("CLR({there});"),
            format!("SET({back});"),
            format!("DNEWS{outside}(R7,R6);"),
        ];
        replay.step(&Step::Execute(lines.iter().map(|line| line.parse().unwrap()).collect()));
        let wanted =
            (0..9).map(|pe| if is_border(pe) { Symbol::Known(outside == 1) } else { Symbol::bit(Unknown::Pe(pe), 0) });
        assert_eq!(replay.plane(Bit::Reg(Dreg::ALL[7])), wanted.collect::<Vec<_>>(), "{there}");
    }
}

#[test]
fn bits_of_some_pes_are_joined() {
    let [a, b] = [3, 1].map(|pe| AnyOf::one(Unknown::Pe(pe)));
    assert_eq!(a.or(&b), AnyOf::Of(vec![Unknown::Pe(1), Unknown::Pe(3)], true));
    assert_eq!(a.or(&a), a);
    assert_eq!(a.or(&AnyOf::known(false)), a);
    assert_eq!(AnyOf::known(true).or(&a), AnyOf::known(true));
    assert_eq!(a.or(&AnyOf::other()), AnyOf::other());
    assert_eq!(a.or(&AnyOf::other().or(&AnyOf::known(true))), AnyOf::known(true));
    let neither = a.or(&b).inverse();
    assert_eq!(neither, AnyOf::Of(vec![Unknown::Pe(1), Unknown::Pe(3)], false));
    assert_eq!(neither.inverse(), a.or(&b));
    // This function cannot be represented: none of some PEs has a 1, or another PE has.
    assert_eq!(neither.or(&AnyOf::one(Unknown::Pe(4))), AnyOf::other());
    assert_eq!(AnyOf::one(Unknown::Pe(4)).or(&neither), AnyOf::other());
    assert_eq!([AnyOf::known(true), a, AnyOf::other()].map(|bit| bit.as_known()), [Some(true), None, None]);
    assert_eq!((AnyOf::known(false).inverse(), AnyOf::other().inverse()), (AnyOf::known(true), AnyOf::other()));
}

#[test]
fn symbols_of_one_unknown_are_joined_value_by_value() {
    const ONE: Unknown = Unknown::Pe(7);
    let at_least = |value| Symbol::at_least(ONE, value);
    for value in 0..16 {
        let evaluate = |symbol: Symbol| symbol.evaluate(|_| value).unwrap();
        assert_eq!(evaluate(Symbol::bit(ONE, 0)), value & 1 == 1);
        assert_eq!(evaluate(Symbol::bit(ONE, 1)), value & 2 == 2);
        assert_eq!(evaluate(at_least(2)), value % 4 >= 2);
        assert_eq!(evaluate(at_least(1).or(&Symbol::bit(ONE, 0))), value % 4 >= 1);
        assert_eq!(evaluate(at_least(3).or(&Symbol::bit(ONE, 0).inverse())), value % 4 == 3 || value % 2 == 0);
    }
    assert_eq!(Symbol::bit(ONE, 0).or(&Symbol::bit(ONE, 0).inverse()), Symbol::Known(true));
    assert_eq!(Symbol::bit(ONE, 0).or(&Symbol::bit(Unknown::Summands(7), 0)), Symbol::Other);
    for known in [Symbol::bit(ONE, 0), Symbol::Known(true), Symbol::Known(false), Symbol::Other] {
        assert_eq!((Symbol::Known(false).or(&known), known.or(&Symbol::Known(false))), (known, known));
        assert_eq!(known.or(&Symbol::Known(true)), Symbol::Known(true));
    }
    assert_eq!((at_least(0), Symbol::values(ONE, |_| false)), (Symbol::Known(true), Symbol::Known(false)));
    assert_eq!(Symbol::bit(ONE, 0).inverse().inverse(), Symbol::bit(ONE, 0));
    assert_eq!(Symbol::Other.inverse(), Symbol::Other);
    assert_eq!([Symbol::Known(false), Symbol::bit(ONE, 0)].map(|symbol| symbol.as_known()), [Some(false), None]);
}
