//! Tests points within loops and decisions.

use cain_isa::asm::digital::{R5, or, where_bits};
use cain_isa::asm::{A, B, C, D, E, F, IN, all, bus, reg, where_positive};
use cain_isa::program::{Body, Constant, Found, Step, Term};
use cain_isa::{Bit, Cells, Dreg, Effect, Instruction, Kept, Machine, Reg, Registers};

use super::super::flow::Flow;
use super::super::steps::Nested;
use super::super::{Piece, Point, Steps, SwitchError, SwitchTable, values};
use crate::Interruption;

fn registers(list: &[Reg]) -> Cells {
    Cells::registers(Registers::of(list))
}

const WORD: Body<Constant> = Body::new(&[Step::Execute(&[bus(&[reg(B)], &[reg(A)])])]);

/// Two words.
const PASS: Body<Constant> =
    Body::new(&[Step::Execute(&[bus(&[reg(C)], &[reg(B)]), bus(&[reg(B)], &[reg(C), reg(A)])])]);

/// A state in A; what a loop makes of it in B; one of both, which a decision chooses, is the next state. The numbers are those of
/// the boundaries.
const FRAME: [Step; 4] = [
    // 0
    Step::Execute(&[bus(&[reg(B)], &[reg(A)])]),
    // 1, the check from 2 to 3, and the passes from 4 to 6.
    Step::Loop {
        most: 3,
        counter: 0,
        check: Body::new(&[Step::Compute { number: 1, formula: &[Term::Constant(1.0)] }]),
        goes_on: 1,
        body: PASS,
    },
    // 7, one way from 8 to 9, the other one from 10 to 11.
    Step::Decide {
        number: 2,
        then: Body::new(&[Step::Execute(&[bus(&[reg(D)], &[reg(B)])])]),
        otherwise: Body::new(&[Step::Execute(&[bus(&[reg(D)], &[reg(A)])])]),
    },
    // 12, and the end at 13.
    Step::Execute(&[bus(&[reg(A)], &[reg(D)])]),
];

fn frame() -> Steps {
    Steps::of_frame(&FRAME, &Machine::SCAMP5, registers(&[A]))
}

fn moved(table: &SwitchTable) -> Vec<(u32, Vec<Option<Reg>>)> {
    table.points().iter().map(|point| (point.at, point.kept.iter().map(|kept| kept.home).collect())).collect()
}

#[test]
fn what_the_next_pass_needs_is_moved() {
    let steps = frame();
    assert_eq!(FRAME.iter().map(Step::pieces).sum::<usize>(), 13);
    let table = SwitchTable::of_steps(&steps, registers(&[B, C])).unwrap();
    let b = || vec![Some(B)];
    // B is made again where that is cheaper. Of boundaries without a word between them, one is enough.
    let wanted = [
        (0, vec![]),
        (1, vec![]),
        (3, b()),
        (4, b()),
        (5, vec![Some(C)]),
        (6, b()),
        (7, b()),
        (8, b()),
        (9, vec![]),
        (10, vec![]),
        (11, vec![]),
        (12, vec![]),
        (13, vec![]),
    ];
    assert_eq!(moved(&table), wanted);
    assert!(table.points().iter().all(|point| point.resume == point.at || point.at == 1), "{table:?}");
    assert_eq!(table.latency(), 2);
    let of_body = &steps.nested[0].bodies[1];
    assert_eq!((of_body.promised, of_body.needed()[1]), (registers(&[A, B]), registers(&[A, C])));
}

/// Those of loops and decisions once in all, and as often as they may be carried out for where a point is.
#[test]
fn words_are_counted() {
    let steps = frame();
    assert_eq!(steps.words(), 6);
    // A loop of three passes of two words; a decision between one word and one.
    assert_eq!(steps.words_before(), [0, 1, 7, 8, 9]);
    let checked = [Step::Loop { most: 3, counter: 0, check: WORD, goes_on: 1, body: PASS }];
    let checked = Steps::of_frame(&checked, &Machine::SCAMP5, registers(&[A]));
    // The check is carried out once more than the pass.
    assert_eq!((checked.words(), checked.words_before()), (3, vec![0, 10]));
}

/// Points that are as dear as others are left out only where others need not wait too long for that.
#[test]
fn a_short_wait_is_kept_in_long_programs() {
    let long = vec![bus(&[reg(B)], &[reg(A)]); 2000];
    let within = |steps: &[&Step], allowed| {
        let steps = Steps::of_frame(steps.iter().copied(), &Machine::SCAMP5, registers(&[A]));
        let interruption = Interruption::new(vec![registers(&[E])], Some(allowed));
        SwitchTable::all_of_steps(&steps, &interruption).map(|tables| tables[0].latency())
    };
    let long: &'static [Instruction] = long.leak();
    let (long, pass) =
        (Step::Execute(long), Step::Loop { most: 3, counter: 0, check: Body::new(&[]), goes_on: 1, body: PASS });
    for allowed in 1..=6 {
        assert_eq!(within(&[&long], allowed), Ok(allowed));
        let found = within(&[&long, &pass, &pass, &long], allowed).unwrap();
        assert!((1..=allowed).contains(&found), "{found} of {allowed}");
    }
}

/// What the controller writes is not needed before it, and is what it was when a program goes back over it.
#[test]
fn what_the_controller_writes_is_not_kept() {
    const CAPTURE: [Step; 2] = [Step::Capture { into: B, half: C }, Step::Execute(&[bus(&[reg(A)], &[reg(B)])])];
    let steps = Steps::of_frame(&CAPTURE, &Machine::SCAMP5, registers(&[A]));
    let of = |cells: Cells| cells.analogue().iter().collect::<Vec<Reg>>();
    assert_eq!((of(steps.needed()[0]), of(steps.needed()[1])), (vec![], vec![B]));
    let pieces = [Piece::Writes(registers(&[B])), Piece::Instruction(bus(&[reg(D)], &[reg(B)]))];
    let back = Point { at: 1, resume: 0, kept: vec![], bits: vec![], levels: vec![], sets_flag: false, extra: 0 };
    let flow = Flow::of(pieces, registers(&[D]));
    assert_eq!(values::check(&pieces, &flow, registers(&[B]), std::slice::from_ref(&back)), Ok(()));
    let here = Point { resume: 1, ..back };
    assert!(values::check(&pieces, &flow, registers(&[B]), &[here]).is_err());
}

/// The controller marks a region in one register. What another one holds meanwhile, R0 too, is not a place for what is in the way.
#[test]
fn a_region_overwrites_one_register() {
    let copy = |to, from| -> &'static [Instruction] { vec![or(Bit::Reg(to), &[Bit::Reg(from)])].leak() };
    let [r0, r3, r4, r5] = [0, 3, 4, 5].map(|number| Dreg::ALL[number]);
    let bits = |list: &[Dreg]| list.iter().copied().collect::<Cells>();
    let marked = [
        Step::Execute(copy(r0, r5)),
        Step::RegionOf { register: r4, first: 0 },
        Step::Execute(vec![or(Bit::Reg(r5), &[Bit::Reg(r0), Bit::Reg(r4)])].leak()),
    ];
    let steps = Steps::of_frame(&marked, &Machine::SCAMP5, bits(&[r3, r5]));
    assert_eq!(steps.needed(), [bits(&[r3, r5]), bits(&[r0, r3]), bits(&[r0, r3, r4]), bits(&[r3, r5])]);
    // R3 is not moved to R0, which is read later.
    let table = SwitchTable::of_steps(&steps, bits(&[r3])).unwrap();
    let of_second = table.points().iter().find(|point| point.at == 1).unwrap();
    assert!(of_second.bits.iter().all(|kept| kept.register != r0), "{of_second:?}");
}

/// Without room in the loop, others wait for all passes.
#[test]
fn the_longest_wait_counts_passes() {
    let (steps, others) = (frame(), registers(&[B, C, D, E, F]));
    let table = SwitchTable::of_steps(&steps, others).unwrap();
    let ways: Vec<_> = table.points().iter().map(|point| (point.at, point.resume)).collect();
    assert_eq!(ways, [(0, 0), (1, 0), (8, 8), (9, 9), (10, 10), (11, 10), (12, 12), (13, 13)]);
    // Where the next state will be made of B alone, the old one leaves room for it.
    let kept = |at| table.points().iter().find(|point| point.at == at).map(|point| point.kept.clone());
    assert_eq!(kept(8), Some(vec![Kept { home: Some(B), register: A }]));
    // Three passes of two words, and one that moves B.
    assert_eq!(table.latency(), 7);
    let within = |allowed| {
        let interruption = Interruption::new(vec![others, Cells::NONE], Some(allowed));
        SwitchTable::all_of_steps(&steps, &interruption).map(|tables| tables.len())
    };
    assert_eq!(within(7), Ok(1));
    assert_eq!(within(6), Err(SwitchError::Latency { latency: 7, allowed: 6 }));
    // At the end, the state has to be where it is expected.
    let error = SwitchTable::of_steps(&steps, registers(&[A, B, C, D, E, F])).unwrap_err();
    assert_eq!(error, SwitchError::NoRoom { results: vec![A], missing: 1 });
}

/// Wrong points are found by the proof, not by how points are made.
#[test]
fn points_in_bodies_that_lose_something_are_not_proved() {
    let steps = frame();
    let point = |at, home, register| Point {
        at,
        resume: at,
        kept: vec![Kept { home: Some(home), register }],
        bits: vec![],
        levels: vec![],
        sets_flag: false,
        extra: 2,
    };
    let beside = |others: &[Reg], steps: &Steps, point: Point| {
        let others = registers(others).union(Cells::NEWS);
        values::check(&steps.pieces, &steps.flow(), others, &[point]).map_err(|error| match error {
            SwitchError::Unproved { at, .. } => at,
            other => panic!("{other}"),
        })
    };
    let check = |steps: &Steps, point: Point| beside(&[B, C], steps, point);
    let body = &steps.nested[0].bodies[1];
    for register in [D, E, F] {
        assert_eq!(check(body, point(2, B, register)), Ok(()), "{register}");
    }
    // The next pass needs A and B; what comes after the loop needs A.
    assert_eq!(check(body, point(2, B, A)), Err(2));
    assert_eq!(check(body, point(2, B, C)), Err(2));
    assert_eq!(check(body, Point { kept: vec![], ..point(2, B, D) }), Err(2));
    let of_check = &steps.nested[0].bodies[0];
    assert_eq!(check(of_check, point(0, B, E)), Ok(()));
    assert_eq!(check(of_check, Point { kept: vec![], ..point(1, B, E) }), Err(1));
    // Ways back over the number that is computed, and over the loop and the decision.
    assert_eq!(beside(&[C], of_check, Point { kept: vec![], ..point(1, B, E) }), Ok(()));
    assert_eq!(beside(&[C], of_check, Point { resume: 0, kept: vec![], ..point(1, B, E) }), Err(1));
    let [then, otherwise] = &steps.nested[1].bodies;
    assert_eq!(check(otherwise, Point { kept: vec![], ..point(0, B, E) }), Ok(()));
    assert_eq!(check(then, Point { kept: vec![], ..point(0, B, E) }), Err(0));
    assert_eq!(check(&steps, Point { kept: vec![], ..point(3, B, E) }), Ok(()));
    assert_eq!(check(&steps, Point { resume: 0, kept: vec![], ..point(3, B, E) }), Err(3));
}

#[test]
fn flag_is_1_where_loops_and_decisions_begin_and_end() {
    const BEFORE: Step = Step::Execute(&[where_positive(&[reg(B)])]);
    const SHUT: Step = Step::Execute(&[where_positive(&[reg(B)]), all()]);
    let decide = |then: &'static [Step]| Step::Decide { number: 0, then: Body::new(then), otherwise: Body::new(&[]) };
    let found =
        |steps: &[Step]| SwitchTable::of_steps(&Steps::of_frame(steps, &Machine::SCAMP5, Cells::NONE), registers(&[B]));
    assert!(found(&[decide(&[SHUT])]).is_ok());
    assert!(matches!(found(&[decide(&[BEFORE])]), Err(SwitchError::Unproved { at: 1, .. })));
    assert!(matches!(found(&[BEFORE, decide(&[SHUT])]), Err(SwitchError::Unproved { .. })));
}

/// A plane of two levels is none any more when a picture was taken into its register, or a loop may have written it.
#[test]
fn levels_are_forgotten_where_others_may_be() {
    let fill = [
        Piece::Level(Some(20)),
        Piece::Instruction(bus(&[reg(A)], &[IN])),
        Piece::Level(Some(-64)),
        Piece::Instruction(where_bits(&[R5])),
        Piece::Instruction(bus(&[reg(A)], &[IN])),
        Piece::Instruction(all()),
    ];
    let levels = |last: Piece| {
        let flow = Flow::of(fill.into_iter().chain([last]), registers(&[A]));
        [6, 7].map(|at: usize| flow.levels[at].contains_key(&A))
    };
    let once = |changes| Piece::Once(Effect { changes, ..Effect::default() }, 0);
    assert_eq!(levels(once(registers(&[A]))), [true, false]);
    assert_eq!(levels(once(registers(&[B]))), [true, true]);
    assert_eq!(levels(Piece::Writes(registers(&[A]))), [true, false]);
}

/// What every way writes is not needed before, what one of them only reads later is.
#[test]
fn ways_tell_what_they_need() {
    let one = |from, to: Reg| vec![Piece::Instruction(bus(&[reg(to)], &[reg(from)]))];
    let body = |pieces| Steps { pieces, own: registers(&[A, B, C, D]), promised: Cells::NONE, nested: Vec::new() };
    let piece = |passes, bodies: [Vec<Piece>; 2]| {
        let nested = Nested { at: 0, passes, bodies: bodies.map(body) };
        let Piece::Once(effect, _) = nested.piece(registers(&[A, B, C, D])) else { panic!("a piece") };
        let of = |cells: Cells| cells.analogue().iter().collect::<Vec<Reg>>();
        [of(effect.reads), of(effect.writes), of(effect.changes)]
    };
    assert_eq!(piece(None, [one(A, C), one(B, C)]), [vec![A, B], vec![C], vec![]]);
    assert_eq!(piece(None, [one(A, C), one(B, D)]), [vec![A, B], vec![], vec![C, D]]);
    // The check is carried out in any case, the body maybe not.
    assert_eq!(piece(Some(5), [one(A, C), one(C, D)]), [vec![A], vec![C], vec![D]]);
    // The second pass needs what the first one makes, so that it is needed before the first one.
    assert_eq!(piece(Some(5), [vec![], [one(B, A), one(C, B)].concat()]), [vec![B, C], vec![], vec![A, B]]);
    let read = Step::Find { what: Found::Any, of: R5, first: 0 };
    let steps = Steps::of_frame([&read], &Machine::SCAMP5, Cells::NONE);
    assert_eq!(steps.needed()[0], Cells::bit(R5));
}
