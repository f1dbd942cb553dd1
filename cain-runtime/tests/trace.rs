//! Tests that recorder and counter see everything and hide nothing from the controller behind them.

#[cfg(feature = "sim")]
use cain_runtime::io::{Address, ArrayIo, Pattern, Region, Scan};
#[cfg(feature = "sim")]
use cain_runtime::isa::Dreg;
use cain_runtime::isa::asm::digital::{R5, R6, or, set};
use cain_runtime::isa::asm::*;
use cain_runtime::isa::{Clock, Times, asm};
use cain_runtime::isa::{Cost, Found, Fraction, HostController, Instruction, Plan, Stop, Word};
use cain_runtime::prove::{ProveError, Prover};
use cain_runtime::trace::{Counter, Meter, Recorder, Timing};

const MEAN: Plan = Plan {
    name: "mean",
    declaration: "mean(A) -> (A) using (B, C) { A = 1/2 [0 1 1] * A; }",
    inputs: &[A],
    outputs: &[A],
    listing: &[div(B, C, A), subx(A, B, EAST, C)],
    cost: Cost { macros: 2, icws: 7, peak_gain: Fraction::ONE },
    accuracy: &[],
    found: Found { nodes: 0, lower_bound: 0, stop: Stop::Nodes },
    switches: &[],
};

/// Records which of the three methods was called.
#[derive(Default)]
struct Calls(Vec<&'static str>);

impl HostController for Calls {
    type Error = core::convert::Infallible;

    fn issue(&mut self, _: Word) -> Result<(), Self::Error> {
        self.0.push("issue");
        Ok(())
    }

    fn execute(&mut self, _: Instruction) -> Result<(), Self::Error> {
        self.0.push("execute");
        Ok(())
    }

    fn run(&mut self, _: &Plan) -> Result<(), Self::Error> {
        self.0.push("run");
        Ok(())
    }
}

#[test]
fn words_instructions_and_plans_are_passed_on_as_such() {
    let mut scamp = Recorder::new(Counter::new(Calls::default()));
    scamp.run(&MEAN).unwrap();
    scamp.execute(mov(D, A)).unwrap();
    let Instruction::Word(word) = bus(&[NEWS], &[reg(A)]) else { unreachable!() };
    scamp.issue(word).unwrap();

    assert_eq!(scamp.to_string(), "div(B,C,A);\nsubx(A,B,east,C);\nmov(D,A);\nbus(NEWS,A);\n");
    let counter = scamp.into_controller();
    assert_eq!((counter.macros(), counter.icws()), (3, 10));
    assert!((counter.microseconds() - 1.9).abs() < 1e-9);
    assert_eq!(counter.into_controller().0, ["run", "execute", "issue"]);
}

#[test]
fn what_is_counted_is_what_the_prover_saw() {
    let mut scamp = Counter::new(Prover::new(&[A]));
    scamp.run(&MEAN).unwrap();
    let report = scamp.controller().report();
    assert_eq!((scamp.macros(), scamp.icws()), (report.macros.into(), report.icws.into()));
}

#[test]
fn what_fails_is_not_recorded() {
    let mut scamp = Recorder::new(Counter::new(Prover::new(&[A])));
    assert!(matches!(scamp.execute(mov(B, C)), Err(ProveError::Unwritten(_))));
    assert!(scamp.listing().is_empty());
    assert_eq!(scamp.controller().icws(), 0);
}

#[test]
fn every_plan_has_its_account_and_every_frame_its_cost() {
    let mut scamp = Meter::new(Calls::default());
    for _ in 0..2 {
        scamp.run(&MEAN).unwrap();
        scamp.run(&MEAN).unwrap();
        scamp
            .program("mask", |scamp| [set(&[R5]), or(R6, &[R5])].into_iter().try_for_each(|l| scamp.execute(l)))
            .unwrap();
        scamp.program("both", |scamp| [set(&[R5]), asm::all()].into_iter().try_for_each(|l| scamp.execute(l))).unwrap();
        scamp.execute(mov(D, A)).unwrap();
        scamp.end_frame();
    }
    let report = scamp.report();
    let names: Vec<&str> = report.expenses.iter().map(|expense| expense.name.as_str()).collect();
    assert_eq!(names, ["mean", "mask", "both", "other words"]);
    let [mean, mask, both, other] = &report.expenses[..] else { unreachable!() };
    assert_eq!((mean.calls, mean.tally.at(Clock::Analogue), mask.tally.at(Clock::Digital)), (4, 28, 4));
    let close = |found: f64, expected: f64| assert!((found / expected - 1.0).abs() < 1e-6, "{found}, not {expected}");
    close(mean.microseconds_per_call(), 7.0 * 0.19);
    close(mask.microseconds_per_call(), 2.0 * 0.1);
    // There is one analogue word, so the whole program runs at its rate.
    close(both.microseconds_per_call(), 2.0 * 0.19);
    close(other.microjoules_per_call(), 2.0 * 0.19 * 2.0);
    close(report.microseconds_per_frame(), 18.0 * 0.19 + 2.0 * 0.1);
    close(report.frames_per_second(), 1e6 / (18.0 * 0.19 + 2.0 * 0.1));
    assert!(report.to_string().ends_with("frame: 3.62 µs, 7.24 µJ, 276243 frames per second"), "{report}");

    let nothing = Meter::new(Calls::default()).report().to_string();
    assert!(nothing.ends_with("frame: 0.00 µs, 0.00 µJ, inf frames per second"), "{nothing}");

    let mut slow = Meter::new(Calls::default())
        .timing(Timing { words: Times { analogue: 1000, ..Times::SCAMP5 }, ..Timing::SCAMP5 });
    slow.run(&MEAN).unwrap();
    close(slow.report().microseconds_per_frame(), 7.0);
    assert_eq!(slow.into_controller().0, ["run"]);
}

/// Uses a bit of everything that a controller does besides words: loads levels, masks and sums.
#[cfg(feature = "sim")]
fn controller_functions<S: ArrayIo>(scamp: &mut S) -> Result<Vec<u8>, S::Error> {
    scamp.load_level(A, 30)?;
    scamp.load_pattern(Dreg::ALL[5], Pattern::row(2))?;
    scamp.wait_for_frame()?;
    let (mut codes, mut sums, mut more_sums) = ([0; 64], [0; 16], [0; 64]);
    let read = scamp.scan(A, Scan::every(Region::new(Address::new(0, 0), Address::new(3, 3))), &mut codes)?;
    scamp.sum_16(A, &mut sums)?;
    scamp.sum_64(A, &mut more_sums)?;
    scamp.scan_means(A, &mut [0; 64])?;
    let events = scamp.scan_events(R5, &mut [Address::default(); 100])?;
    scamp.scan_bits(R5, (0, 1), &mut [0; 4])?;
    Ok(vec![
        codes[read - 1],
        sums[0],
        more_sums[0],
        u8::try_from(events.listed).unwrap(),
        scamp.read_cell(A, Address::new(0, 0))?,
    ])
}

#[cfg(feature = "sim")]
#[test]
fn watchers_of_an_array_have_its_controller_functions() {
    use cain_runtime::sim::Array;

    let expected = controller_functions(&mut Array::new(16, 8)).unwrap();
    let mut scamp = Recorder::new(Counter::new(Meter::new(Array::new(16, 8))));
    assert_eq!(controller_functions(&mut scamp).unwrap(), expected);
    assert_eq!(expected, [158, 158, 158, 16, 158]);

    assert_eq!(scamp.to_string(), "bus(NEWS,IN);\nbus(A,NEWS);\nMOV(R5,SELECT);\n");
    let counter = scamp.into_controller();
    assert_eq!(counter.icws(), 3);
    let report = counter.into_controller().report();
    let found: Vec<(&str, u64, f64)> =
        report.expenses.iter().map(|expense| (expense.name.as_str(), expense.calls, expense.microseconds)).collect();
    let value = 1e6 / (60.0 * 65536.0);
    let expected = [
        ("set_level", 1, 0.0),
        ("other words", 3, 2.0 * 0.19 + 0.1),
        ("select_pattern", 1, 0.0),
        ("scan", 2, 17.0 * value),
        ("sum_16", 1, 14.0),
        ("sum_64", 1, 28.0),
        ("scan_means", 1, 28.0),
        ("scan_events", 1, 91.0),
        ("scan_bits", 1, 4.0 * value),
    ];
    assert_eq!(found.len(), expected.len(), "{report}");
    for ((name, calls, time), (expected, expected_calls, expected_time)) in found.into_iter().zip(expected) {
        assert_eq!((name, calls), (expected, expected_calls));
        assert!((time - expected_time).abs() < 1e-5, "{name}: {time}");
    }
}

#[cfg(feature = "sim")]
#[test]
fn readouts_of_a_program_belong_to_it_and_failed_ones_to_nobody() {
    use cain_runtime::sim::Array;

    let mut scamp = Meter::new(Array::new(16, 8)).timing(Timing { other_io: 5.0, ..Timing::SCAMP5 });
    scamp
        .program("frame", |scamp| {
            scamp.load_level(A, 3)?;
            scamp.sum_16(A, &mut [0; 16])
        })
        .unwrap();
    assert!(scamp.sum_16(B, &mut [0; 16]).is_err());
    scamp.end_frame();
    let report = scamp.report();
    let [frame] = &report.expenses[..] else { panic!("{report}") };
    assert!((frame.microseconds - (5.0 + 2.0 * 0.19 + 14.0)).abs() < 1e-5, "{report}");
    assert!((report.frames_per_second() - 1e6 / 19.38).abs() < 1.0, "{report}");
}

/// A launched program ends where the controller does something else: digital words before that run at high speed.
#[cfg(feature = "sim")]
#[test]
fn functions_of_the_controller_stand_between_programs() {
    use cain_runtime::sim::Array;

    let mut array = Array::new(16, 8);
    array.load_reg(A, &[0.0; 16 * 8]).unwrap();
    let mut scamp = Meter::new(array);
    scamp
        .program("both", |scamp| {
            scamp.execute(set(&[R5]))?;
            scamp.execute(set(&[R6]))?;
            scamp.set_level(3)?;
            scamp.execute(set(&[R5]))?;
            scamp.execute(bus(&[NEWS], &[reg(A)]))
        })
        .unwrap();
    let report = scamp.report();
    assert!((report.microseconds_per_frame() - (2.0 * 0.1 + 2.0 * 0.19)).abs() < 1e-9, "{report}");
    assert_eq!(report.expenses[0].tally.words(), 4);
}

#[test]
fn the_array_alone_takes_a_quarter_of_a_microjoule_for_a_word() {
    let mut scamp = Meter::new(Calls::default()).timing(Timing { board_watts: 0.0, ..Timing::SCAMP5 });
    scamp.execute(bus(&[NEWS], &[reg(A)])).unwrap();
    let energy = scamp.report().expenses[0].microjoules;
    assert!((energy - 1.25 * 0.19).abs() < 1e-6, "{energy}");
}
