mod bodies;
mod two_levels;
mod ways_back;

use cain_analysis::prove::Prover;
use cain_isa::asm::digital::{R5, R6, set, where_bits};
use cain_isa::asm::{A, B, C, D, E, EAST, IN, NEWS, WEST, all, bus, movx, reg, where_positive};
use cain_isa::{
    Bit, Cells, HostController as _, Instruction, Kept, KeptBit, KeptLevels, Machine, Reg, Registers, Store, SwitchStep,
};

use super::flow::Flow;
use super::piece::Piece;
use super::{Point, Steps, SwitchError, SwitchLimits, SwitchTable, values};
use crate::{Declaration, Input, InstructionSet, Interruption, MaxGain, OffsetRule, Options, Output, Proved, verify};

const GAUSS: [&str; 7] = [
    "bus(NEWS,A);",
    "bus(C,XS);",
    "bus2(B,NEWS,C,A);",
    "bus2(D,A,XE,B);",
    "bus2(C,A,XW,B);",
    "bus2(NEWS,B,C,D);",
    "bus2(A,C,XN,B);",
];

/// A program from A that leaves its result in `output`; it is declared to compute just that.
fn proved(listing: &[&str], keep: bool, output: Reg, scratch: &[Reg]) -> Proved {
    let listing: Vec<Instruction> = listing.iter().map(|line| line.parse().unwrap()).collect();
    let prover = Prover::of(&listing, &[Reg::A]).unwrap();
    let is_native = listing.iter().any(|line| matches!(line, Instruction::Word(_)));
    let instructions = if is_native { InstructionSet::Native } else { InstructionSet::Macro };
    let declaration = Declaration {
        name: "f".to_owned(),
        inputs: vec![Input { reg: Reg::A, keep }],
        outputs: vec![Output { reg: output, kernel: prover.value(output).unwrap().clone() }],
        scratch: scratch.to_vec(),
        machine: Machine::SCAMP5,
        options: Options { instructions, offset: OffsetRule::Any, max_gain: MaxGain::Any, ..Options::default() },
    };
    verify(&declaration, &listing).unwrap()
}

/// The cells that programs on these registers overwrite.
fn others(registers: &[Reg]) -> Cells {
    Cells::registers(Registers::of(registers)).union(Cells::NEWS)
}

/// Interrupts the program at every point of the table and runs it to its end; returns the number of points.
fn interrupt_everywhere(program: &Proved, table: &SwitchTable) -> usize {
    let output = &program.outputs()[0];
    for point in table.points() {
        let mut state = Prover::new(&[Reg::A]);
        for &instruction in &program.listing()[..point.at as usize] {
            state.execute(instruction).unwrap();
        }
        let moved = point.kept.iter().map(cain_isa::Kept::save);
        moved.for_each(|word| state.issue(word).unwrap());
        state.load(Store::News, 7);
        table.others().analogue().iter().for_each(|reg| state.load(Store::Reg(reg), 7));
        point.kept.iter().for_each(|kept| state.issue(kept.restore()).unwrap());
        let rest = &program.listing()[point.resume as usize..];
        let end = state.after(rest).unwrap();
        assert_eq!(end.check(output.reg, &output.kernel), Ok(()), "{point:?}");
        assert_eq!(end.report().offset_error(output.reg), program.report().offset_error(output.reg), "{point:?}");
    }
    table.points().len()
}

#[test]
fn others_with_registers_of_their_own_wait_only_for_news() {
    let gauss = proved(&GAUSS, false, Reg::A, &[Reg::B, Reg::C, Reg::D, Reg::E, Reg::F]);
    let table = SwitchTable::of(&gauss, others(&[Reg::E])).unwrap();
    // NEWS is kept in F where the next word reads it.
    assert_eq!(interrupt_everywhere(&gauss, &table), 8);
    assert_eq!(table.latency(), 2);
}

/// Others wait for two words; a limit of two is met, and a lower one is an error.
#[test]
fn others_need_not_wait_longer_than_allowed() {
    let gauss = proved(&GAUSS, false, Reg::A, &[Reg::B, Reg::C, Reg::D, Reg::E, Reg::F]);
    let within = |allowed| {
        let limits = SwitchLimits::of_program(7);
        SwitchTable::bounded(gauss.declaration(), gauss.listing(), others(&[Reg::E]), limits, allowed)
            .map(|table| table.latency())
    };
    assert_eq!([within(None), within(Some(2)), within(Some(3))], [Ok(2), Ok(2), Ok(2)]);
    assert_eq!(within(Some(1)), Err(SwitchError::Latency { latency: 2, allowed: 1 }));
    let of_steps = |allowed| {
        let interruption = Interruption::new(vec![Cells::NONE], Some(allowed));
        SwitchTable::all_of_steps(&gated(), &interruption).map(|tables| tables[0].latency())
    };
    assert_eq!([of_steps(5), of_steps(6)], [Ok(5), Ok(5)]);
    assert_eq!(of_steps(4), Err(SwitchError::Latency { latency: 5, allowed: 4 }));
}

#[test]
fn tables_tell_what_they_cost() {
    let program = proved(&["movx(B,A,east);", "add(B,B,A);"], true, Reg::B, &[]);
    let table = SwitchTable::of(&program, others(&[Reg::B])).unwrap();
    assert_eq!(table.others(), others(&[Reg::B]));
    // The whole program is computed again, four words; the next point is two words away.
    assert_eq!((table.most_extra(), table.latency()), (4, 2));
    // There is a register to keep B in, but none that neither the program nor the others use.
    let gauss = proved(&GAUSS, false, Reg::A, &[Reg::B, Reg::C, Reg::D]);
    let all = others(&[Reg::A, Reg::B, Reg::C, Reg::D]);
    assert_eq!(SwitchTable::latency_with(&gauss, all, 0), None);
    // With one of them, it can be left at its end, after seven words and one that moves the result.
    assert_eq!(SwitchTable::latency_with(&gauss, all, 1), Some(8));
    // A register that the others overwrite does not help.
    let far = all.union(Cells::register(Reg::from_index(255)));
    assert_eq!(SwitchTable::latency_with(&gauss, far, 1), Some(8));
    let many = SwitchTable::latency_with(&gauss, all, 9);
    assert!(many.is_some_and(|latency| (2..8).contains(&latency)), "{many:?}");
}

#[test]
fn values_are_moved_out_of_the_way() {
    let gauss = proved(&GAUSS, false, Reg::A, &[Reg::B, Reg::C, Reg::D, Reg::E, Reg::F]);
    let table = SwitchTable::of(&gauss, others(&[Reg::A, Reg::B])).unwrap();
    assert!(table.points().iter().any(|point| !point.kept.is_empty()));
    assert_eq!(interrupt_everywhere(&gauss, &table), 8);
}

#[test]
fn what_is_lost_is_computed_again() {
    // These are three moves to the east; A is only read, so that each of them can be repeated.
    let east = ["movx(B,A,east);", "movx(C,B,east);", "movx(B,C,east);"];
    let far = proved(&east, true, Reg::B, &[Reg::C]);
    let table = SwitchTable::of(&far, others(&[Reg::C])).unwrap();
    let after_two = table.points().iter().find(|point| point.at == 2).unwrap();
    assert_eq!((after_two.resume, after_two.extra), (1, 2));
    assert_eq!(interrupt_everywhere(&far, &table), 4);
    // With a limit of 0 on the price, this one has to wait.
    let table = SwitchTable::within(&far, others(&[Reg::C]), SwitchLimits { extra: 0, latency: 0 }).unwrap();
    assert_eq!(table.points().iter().map(|point| point.at).collect::<Vec<_>>(), [0, 1, 3]);
    assert_eq!((table.latency(), table.most_extra()), (4, 0));
}

#[test]
fn results_need_a_place() {
    let gauss = proved(&GAUSS, false, Reg::A, &[Reg::B, Reg::C, Reg::D]);
    let all = others(&[Reg::A, Reg::B, Reg::C, Reg::D]);
    let error = SwitchTable::of(&gauss, all).unwrap_err();
    assert_eq!(error, SwitchError::NoRoom { results: vec![Reg::A], missing: 1 });
    let error = SwitchTable::of(&gauss, others(&[Reg::E])).unwrap_err();
    assert_eq!(error, SwitchError::Foreign { register: Reg::E });
}

#[test]
fn an_input_that_is_only_read_keeps_nothing_but_serves_again() {
    let program = proved(&["movx(B,A,east);", "add(B,B,A);"], true, Reg::B, &[]);
    let table = SwitchTable::of(&program, others(&[Reg::B])).unwrap();
    let resumed: Vec<_> = table.points().iter().map(|point| (point.at, point.resume, point.extra)).collect();
    assert_eq!(resumed, [(0, 0, 0), (1, 0, 2), (2, 0, 4)]);
    assert_eq!(interrupt_everywhere(&program, &table), 3);
}

/// The program writes A to C and D where B is positive.
fn gated() -> Steps {
    let listing =
        [bus(&[NEWS], &[reg(A)]), where_positive(&[reg(B)]), bus(&[reg(C)], &[NEWS]), bus(&[reg(D)], &[NEWS]), all()];
    let bits = [R5, R6].iter().fold(Cells::NONE, |cells, &bit| cells.union(Cells::bit(bit)));
    let registers = |list: &[Reg]| Cells::registers(Registers::of(list));
    Steps::of_listing(&listing, registers(&[A, B, C, D, E]).union(bits), registers(&[C, D]))
}

#[test]
fn flag_is_kept_as_a_bit() {
    let table = SwitchTable::of_steps(&gated(), Cells::NONE).unwrap();
    let points = table.points();
    // Before C is written, it costs less to start again; FLAG has to be set for the others.
    assert_eq!((points[2].resume, points[2].sets_flag, points[2].extra), (0, true, 3));
    let Bit::Reg(keeper) = R5 else { unreachable!() };
    let expected = Point {
        at: 3,
        resume: 3,
        kept: vec![Kept { home: None, register: A }],
        bits: vec![KeptBit { home: Bit::Flag, register: keeper }],
        levels: Vec::new(),
        sets_flag: true,
        extra: 5,
    };
    assert_eq!(points[3], expected);
    // Where nothing reads FLAG any more, it is not kept.
    assert_eq!((points[4].bits.len(), points[4].sets_flag, points[4].extra), (0, true, 1));
    assert_eq!(points[5].extra, 0);
    // A request during the first word of the way back waits for the second, and for three words to leave again.
    assert_eq!(table.latency(), 5);
}

/// Errors in a point are found independently of the rules by which points are made.
#[test]
fn points_that_lose_something_are_not_proved() {
    let (steps, others) = (gated(), Cells::register(B).union(Cells::NEWS));
    let flow = Flow::of(steps.pieces.iter().copied(), steps.promised);
    let right = SwitchTable::of_steps(&steps, others).unwrap().points().to_vec();
    let check = |points: &[Point]| values::check(&steps.pieces, &flow, others, points);
    assert_eq!(check(&right), Ok(()));
    let with = |change: &dyn Fn(&mut Point)| {
        let mut points = right.clone();
        change(&mut points[3]);
        check(&points)
    };
    let refused = |result| matches!(result, Err(SwitchError::Unproved { at: 0 | 3, .. }));
    let next = Some(bus(&[reg(D)], &[NEWS]));
    assert_eq!(with(&|point| point.bits.clear()), Err(SwitchError::Unproved { at: 3, next }));
    assert!(refused(with(&|point| point.kept.clear())));
    assert!(refused(with(&|point| point.kept[0].register = B)));
    assert!(refused(with(&|point| point.resume = 0)));
    // FLAG is not 1 everywhere when the value is moved.
    assert!(refused(with(&|point| point.sets_flag = false)));
}

/// R5 is kept in R6, where its copy may be overwritten by it, but not its inverse.
#[test]
fn bits_are_kept_where_nothing_is_lost() {
    let (home, Bit::Reg(register)) = (R5, R6) else { unreachable!() };
    let promised = Cells::bit(R5).union(Cells::bit(R6));
    let bits = vec![KeptBit { home, register }];
    let point = Point { at: 1, resume: 1, kept: vec![], bits, levels: vec![], sets_flag: false, extra: 2 };
    for (line, is_lost) in [("MOV(R6,R5);", false), ("NOT(R6,R5);", true), ("CLR(R6);", true)] {
        let pieces = [Piece::Instruction(line.parse().unwrap())];
        let flow = Flow::of(pieces, promised);
        let found = values::check(&pieces, &flow, Cells::bit(R5), std::slice::from_ref(&point));
        assert_eq!(found.is_err(), is_lost, "{line}");
    }
}

/// The plane is 64 where R5 was 1 and −20 elsewhere, while other values are in the other registers.
#[test]
fn planes_of_two_levels_are_kept_as_bits() {
    let fill = bus(&[reg(A)], &[IN]);
    let mut pieces = vec![Piece::Level(Some(20)), Piece::Instruction(fill), Piece::Instruction(where_bits(&[R5]))];
    pieces.push(Piece::Level(Some(-64)));
    let rest = [fill, all(), set(&[R5])].into_iter().chain([bus(&[NEWS], &[reg(D)]); 6]);
    let end = [bus(&[NEWS], &[reg(C)]), bus(&[reg(C)], &[NEWS, reg(A)])];
    pieces.extend(rest.chain(end).map(Piece::Instruction));
    let registers = |list: &[Reg]| Cells::registers(Registers::of(list));
    let own = registers(&[A, C, D]).union(Cells::bit(R5)).union(Cells::bit(R6));
    let steps = Steps { pieces, own, promised: registers(&[C, D]), nested: Vec::new() };
    let table = SwitchTable::of_steps(&steps, registers(&[A])).unwrap();
    let Bit::Reg(register) = R5 else { unreachable!() };
    let kept = [KeptLevels { home: A, register, low: -20, high: 64 }];
    let ways: Vec<_> = table.points().iter().map(|point| (point.at, point.levels == kept, point.extra)).collect();
    assert_eq!(ways[5], (6, false, 4));
    assert_eq!(ways[6..13], [7, 8, 9, 10, 11, 12, 13].map(|at| (at, true, 7)));
    assert_eq!(ways[13], (15, false, 0));
    assert_eq!(table.latency(), 7);

    // The levels are wrong, or the others overwrite the bit.
    let flow = Flow::of(steps.pieces.iter().copied(), steps.promised);
    let check = |others: Cells, change: &dyn Fn(&mut KeptLevels)| {
        let mut points = table.points()[6..13].to_vec();
        points.iter_mut().flat_map(|point| &mut point.levels).for_each(change);
        values::check(&steps.pieces, &flow, others, &points)
    };
    assert_eq!(check(registers(&[A]), &|_| ()), Ok(()));
    let refused = |result| matches!(result, Err(SwitchError::Unproved { at: 7, .. }));
    assert!(refused(check(registers(&[A]), &|levels| levels.high = 63)));
    assert!(refused(check(registers(&[A]).union(Cells::bit(R5)), &|_| ())));
}

#[test]
fn a_long_program_has_few_points_and_the_cheapest() {
    // To the east and back, with A kept; at every second boundary, C holds a value that is in the way.
    let there = [movx(B, A, EAST), movx(C, B, WEST), movx(D, C, WEST)];
    let listing: Vec<Instruction> = there.into_iter().cycle().take(600).collect();
    let registers = |list: &[Reg]| Cells::registers(Registers::of(list));
    let steps = Steps::of_listing(&listing, registers(&[B, C, D]), registers(&[A, D]));
    let table = SwitchTable::of_steps(&steps, registers(&[C])).unwrap();
    assert_eq!(steps.words(), 1_200);
    assert!(table.latency() <= 12, "{}", table.latency());
    assert!((100..=120).contains(&table.points().len()), "{}", table.points().len());
    assert_eq!(table.most_extra(), 0);
    // A read-out happens only once: nothing goes back beyond it.
    let pieces = [Piece::Instruction(there[0]), Piece::Reads(Cells::register(B)), Piece::Instruction(there[1])];
    let own = registers(&[B, C, D]);
    let steps = Steps { pieces: pieces.to_vec(), own, promised: registers(&[A]), nested: Vec::new() };
    let table = SwitchTable::of_steps(&steps, registers(&[B])).unwrap();
    let ways: Vec<_> = table.points().iter().map(|point| (point.at, point.resume, point.extra)).collect();
    assert_eq!(ways, [(0, 0, 0), (1, 0, 2), (2, 2, 2), (3, 3, 0)]);
}

/// A plane that is written where FLAG is 1 and read under the same FLAG is not needed before, although nothing ever
/// wrote all of it.
#[test]
fn what_flag_selects_is_needed_only_there() {
    let listing = [
        where_positive(&[reg(B)]),
        bus(&[reg(D)], &[reg(A)]),
        bus(&[reg(C)], &[reg(D)]),
        where_positive(&[reg(A)]),
        bus(&[reg(C)], &[reg(D)]),
        all(),
    ];
    let flow = Flow::of(listing.into_iter().map(Piece::Instruction), Cells::register(C));
    let needed = |at: usize, reg: Reg| flow.live[at].contains(Cells::register(reg));
    // The last transfer reads D under another FLAG.
    assert!((0..5).all(|at| needed(at, D)) && !needed(5, D));
    let flow =
        Flow::of([&listing[..3], &listing[5..]].concat().into_iter().map(Piece::Instruction), Cells::register(C));
    let needed = |at: usize, reg: Reg| flow.live[at].contains(Cells::register(reg));
    assert_eq!([0, 1, 2, 3].map(|at| needed(at, D)), [false, false, true, false]);
    assert!((0..4).all(|at| needed(at, C)));
}

/// Of two others, one may interrupt the other: whichever comes first, and wherever, the program computes the same.
#[test]
fn ways_back_for_one_are_not_overwritten_by_another() {
    // B becomes A + B. The first of the others overwrites B, from which C would be computed again after the second.
    let listing = [bus(&[reg(C)], &[reg(B)]), bus(&[reg(D)], &[reg(A)]), bus(&[reg(B)], &[reg(C), reg(D)])];
    let own = Cells::registers(Registers::of(&[B, C, D]));
    let steps = Steps::of_listing(&listing, own, Cells::register(B));
    let by = [B, C].map(Cells::register);
    let tables = SwitchTable::all_of_steps(&steps, &Interruption::new(by.to_vec(), None)).unwrap();
    let [wide, narrow] = tables.as_slice() else { panic!("two tables") };
    assert!(narrow.points().iter().all(|point| wide.points().iter().all(|other| other.at != point.at)));

    let sum = Prover::of(&listing, &[A, B]).unwrap();
    let mut left = 0;
    // The program is left at two of the four boundaries, once for each of the others, or at one of them only.
    for (first, second) in (0..=3).flat_map(|first| (first..=3).map(move |second| (first, second))) {
        for others in 0..4 {
            let mut wanted = vec![(first, others & 1), (second, others >> 1)];
            let mut state = Prover::new(&[A, B]);
            let mut at = 0;
            loop {
                let due = wanted.first().filter(|(boundary, _)| *boundary <= at).copied();
                if let Some((_, task)) = due
                    && let Some((table, point)) = tables[..=task]
                        .iter()
                        .find_map(|table| Some((table, table.points().iter().find(|point| point.at == at)?)))
                {
                    wanted.remove(0);
                    left += 1;
                    let point = point.as_switch_point();
                    point.leaving().filter_map(SwitchStep::word).for_each(|word| state.issue(word).unwrap());
                    state.load(Store::News, 7);
                    table.others().analogue().iter().for_each(|reg| state.load(Store::Reg(reg), 7));
                    point.returning().filter_map(SwitchStep::word).for_each(|word| state.issue(word).unwrap());
                    at = point.resume;
                    continue;
                }
                let Some(&instruction) = listing.get(at as usize) else { break };
                state.execute(instruction).unwrap();
                at += 1;
            }
            assert!(wanted.is_empty());
            assert_eq!(state.value(B), sum.value(B), "{first}, {second}, {others}");
        }
    }
    assert_eq!(left, 2 * 4 * 10);
}
