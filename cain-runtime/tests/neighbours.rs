//! Tests digital words that read other PEs: `DNEWS` and its decay, and propagation.

use cain_runtime::HostController;
use cain_runtime::isa::asm::digital::*;
use cain_runtime::isa::asm::{EAST, NORTH, SOUTH, WEST};
use cain_runtime::isa::{Direction, Directions, Instruction, Macro, MacroError, Op, Operand};
use cain_runtime::sim::{Array, BitErrors, Propagation};

/// An array from a drawing: `#` is 1, rows from the north.
fn drawing<const H: usize>(rows: [&str; H]) -> Vec<bool> {
    rows.concat().chars().map(|c| c == '#').collect()
}

#[test]
fn neighbours_in_every_direction_and_beyond_the_border() {
    let image = drawing(["#..", "..#"]);
    let run = |instruction: Instruction| {
        let mut array = Array::new(3, 2);
        array.load_bits(R5, &image).unwrap();
        array.execute(instruction).unwrap();
        array.read_bits(R6).unwrap()
    };
    assert_eq!(run(dnews(R6, R5, directions(&[NORTH]))), drawing(["...", "#.."]));
    assert_eq!(run(dnews(R6, R5, directions(&[SOUTH]))), drawing(["..#", "..."]));
    assert_eq!(run(dnews(R6, R5, directions(&[EAST]))), drawing(["...", ".#."]));
    assert_eq!(run(dnews(R6, R5, directions(&[WEST]))), drawing([".#.", "..."]));
    assert_eq!(run(dnews(R6, R5, directions(&Direction::ALL))), drawing([".##", "##."]));
    assert_eq!(run(dnews_outside(R6, R5, directions(&[EAST]), true)), drawing(["..#", ".##"]));
    // Every PE has its own switches.
    let mut array = Array::new(3, 2);
    array.load_bits(R5, &image).unwrap();
    array.execute(clr(&[R1, R2, R3])).unwrap();
    array.load_bits(R4, &drawing(["...", ".#."])).unwrap();
    array.execute(from_neighbours(R6, R5, true)).unwrap();
    assert_eq!(array.read_bits(R6).unwrap(), drawing(["...", ".#."]));
}

/// `DNEWS` for every set of directions, every neighbourhood, and both values outside of the array.
#[test]
fn every_set_of_directions_and_every_neighbourhood() {
    const MIDDLE: usize = 4;
    // These are the neighbours of the middle of 3×3 PEs.
    let neighbours = [(NORTH, 1), (EAST, 5), (SOUTH, 7), (WEST, 3)];
    let chosen = |set: usize| neighbours.into_iter().enumerate().filter(move |(i, _)| set >> i & 1 == 1);
    for set in 1..16 {
        let directions: Vec<Direction> = chosen(set).map(|(_, (direction, _))| direction).collect();
        for ones in 0..16 {
            let mut image = [false; 9];
            chosen(ones).for_each(|(_, (_, pe))| image[pe] = true);
            for outside in [false, true] {
                let mut array = Array::new(3, 3);
                array.load_bits(R5, &image).unwrap();
                array.execute(dnews_outside(R6, R5, Directions::new(&directions), outside)).unwrap();
                let found = array.read_bits(R6).unwrap();
                assert_eq!(found[MIDDLE], set & ones != 0, "{directions:?} {image:?}");
                // The north-western PE has two neighbours outside, and those to its east and south inside.
                let reads = |direction| directions.contains(&direction);
                let beyond = outside && (reads(NORTH) || reads(WEST));
                let within = (reads(EAST) && image[1]) || (reads(SOUTH) && image[3]);
                assert_eq!(found[0], beyond || within, "{directions:?} {image:?} {outside}");
            }
        }
    }
    let reads_a_switch = Macro::new(Op::Dnews, &[R6.into(), R1.into(), Operand::Directions(directions(&[EAST]))]);
    assert_eq!(reads_a_switch, Err(MacroError::Overwritten { op: Op::Dnews, position: 1 }));
}

#[test]
fn bits_that_are_not_refreshed_wear_off() {
    let side = 64;
    let run = |errors: Option<BitErrors>, steps: usize, refresh_after: usize, seed: u64| {
        let mut array = Array::new(side, side).seed(seed);
        if let Some(errors) = errors {
            array = array.bit_errors(errors);
        }
        array.load_bits(R5, &vec![false; side * side]).unwrap();
        for step in 1..=steps {
            let (to, from) = if step % 2 == 1 { (R6, R5) } else { (R5, R6) };
            array.execute(dnews(to, from, directions(&[EAST]))).unwrap();
            if step % refresh_after == 0 {
                array.execute(refresh(to)).unwrap();
            }
        }
        array.read_bits(if steps % 2 == 1 { R6 } else { R5 }).unwrap()
    };
    let wrong = |bits: &[bool]| bits.iter().filter(|bit| **bit).count();
    let rate = 0.01;
    let errors = Some(BitErrors::after_two_steps(rate));
    assert_eq!(wrong(&run(None, 20, 99, 1)), 0);
    assert_eq!(wrong(&run(errors, 20, 2, 1)), 0, "refreshed as the vendor does");
    // 18 steps count; errors in the east leave the array in the west.
    let decayed = run(errors, 20, 99, 1);
    assert!((500..1000).contains(&wrong(&decayed)), "{}", wrong(&decayed));
    assert!(wrong(&run(errors, 20, 4, 1)) < wrong(&decayed));
    assert_eq!(decayed, run(errors, 20, 99, 1));
    assert_ne!(decayed, run(errors, 20, 99, 2));
    // A copy has decayed as much as its source.
    let mut array = Array::new(side, side).bit_errors(BitErrors { rate: 1.0, free_steps: 1 });
    array.load_bits(R5, &vec![false; side * side]).unwrap();
    array.execute(dnews(R6, R5, directions(&[EAST]))).unwrap();
    array.execute(or(R7, &[R6])).unwrap();
    array.execute(dnews(R8, R7, directions(&[EAST]))).unwrap();
    assert_eq!(wrong(&array.read_bits(R8).unwrap()), side * side);
    array.execute(set(&[R7])).unwrap();
    array.execute(dnews(R8, R7, directions(&[WEST]))).unwrap();
    assert_eq!(wrong(&array.read_bits(R8).unwrap()), side * (side - 1));
}

/// The result of a propagation in a maze that is open everywhere except in walls.
fn propagated(reach: Propagation, instruction: Instruction, times: usize) -> Vec<bool> {
    let mut array = Array::new(5, 3).propagation(reach);
    array.load_bits(R0, &drawing(["###.#", "..#.#", "#####"])).unwrap();
    array.load_bits(R12, &drawing(["#....", ".....", "....."])).unwrap();
    array.execute(set(&[R1, R2, R3, R4])).unwrap();
    for _ in 0..times {
        array.execute(instruction).unwrap();
    }
    array.read_bits(R12).unwrap()
}

#[test]
fn propagation_goes_where_r0_permits() {
    let all = drawing(["###.#", "..#.#", "#####"]);
    assert_eq!(propagated(Propagation::Complete, prop0(), 1), all);
    assert_eq!(propagated(Propagation::Hops(3), prop0(), 1), drawing(["###..", "..#..", "....."]));
    assert_eq!(propagated(Propagation::Hops(3), prop0(), 2), drawing(["###..", "..#..", "#####"]));
    assert_eq!(propagated(Propagation::Hops(3), prop0(), 3), all);
    assert_eq!(propagated(Propagation::Hops(1), prop1(), 1), drawing(["###.#", "....#", "#####"]));
}

#[test]
fn propagation_goes_in_permitted_directions_only() {
    let mut array = Array::new(5, 1);
    array.execute(set(&[R0, R2])).unwrap();
    array.execute(clr(&[R1, R3, R4])).unwrap();
    array.load_bits(R12, &drawing(["..#.."])).unwrap();
    array.execute(prop0()).unwrap();
    // R2 lets values in from the west, so that they move to the east.
    assert_eq!(array.read_bits(R12).unwrap(), drawing(["..###"]));
}

/// In mazes with one-way passages, one propagation reaches the same PEs as any number of single steps.
#[test]
fn propagation_is_its_steps_repeated() {
    let (width, height) = (13, 11);
    // An arbitrary bit for every PE and purpose.
    let bits = |purpose: usize, ones: usize| -> Vec<bool> {
        (0..width * height).map(|pe| (pe * 7919 + purpose * 104_729 + pe * pe * 31) % 10 < ones).collect()
    };
    for maze in 0..20 {
        for step in [prop0(), prop1()] {
            let mut whole = Array::new(width, height);
            whole.load_bits(R0, &bits(maze, 8)).unwrap();
            for (switch, purpose) in [R1, R2, R3, R4].into_iter().zip(1..) {
                whole.load_bits(switch, &bits(maze * 8 + purpose, 7)).unwrap();
            }
            whole.load_bits(R12, &bits(maze * 8 + 5, 1)).unwrap();
            let mut stepwise = whole.clone().propagation(Propagation::Hops(1));
            whole.execute(step).unwrap();
            let mut before = Vec::new();
            while before != stepwise.read_bits(R12).unwrap() {
                before = stepwise.read_bits(R12).unwrap();
                stepwise.execute(step).unwrap();
            }
            assert_eq!(whole.read_bits(R12).unwrap(), before, "{maze}");
            whole.execute(step).unwrap();
            assert_eq!(whole.read_bits(R12).unwrap(), before, "{maze}");
        }
    }
}
