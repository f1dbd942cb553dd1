//! Fixed programs in each format.

use std::ops::RangeInclusive;

use cain_codegen::Plan;
use cain_codegen::plan_file::PlanFolder;
use cain_isa::{Cells, Fraction, Instruction, Reg};
use cain_search::{Approximated, Interruption, Solution, verify};

use super::{mean, native, parse, plan};
use crate::show::format::{Details, Format};
use crate::show::render;

/// Compares the output with `snapshots/NAME.snap`.
macro_rules! formats {
    ($($name:ident: $plan:expr, $doc:expr, $format:ident, $simulator:expr;)*) => {$(
        #[test]
        fn $name() {
            let mut settings = insta::Settings::clone_current();
            settings.set_snapshot_path("../snapshots");
            settings.set_prepend_module_to_snapshot(false);
            settings.set_omit_expression(true);
            let shown = render(&$plan, $doc, Format::$format, Details { simulator: $simulator, steps: None }).unwrap();
            settings.bind(|| insta::assert_snapshot!(stringify!($name), shown));
        }
    )*};
}

formats! {
    text: approximated(), DOC, Text, None;
    text_native: native(), None, Text, None;
    scamp5: approximated(), DOC, Scamp5, None;
    scamp5_native: native(), None, Scamp5, None;
    jss: mean(), None, Jss, None;
    jss_calls: mean(), None, Jss, Some("sim");
    dot: mean(), None, Dot, None;
    dot_native: native(), None, Dot, None;
    svg: mean(), None, Svg, None;
    svg_native: native(), None, Svg, None;
}

const DOC: Option<&str> = Some("The mean of two.\nIn place \\");

/// A plan with everything that kernel files and plan files can add.
fn approximated() -> Plan {
    let approximated = Some(Approximated { depth: 1, error: Fraction::new(1, 25).unwrap() });
    Plan { approximated, file: Some(PlanFolder::new("plans", "plans").plan("test")), ..mean() }
}

#[test]
fn the_simulator_has_neither_ports_nor_further_registers() {
    let problem = |plan: &Plan| render(plan, None, Format::Jss, Details::default()).unwrap_err();
    assert_eq!(
        problem(&native()),
        "instruction 1, `bus(XW,A);`, uses `XW`, which the simulator does not have; it has A to F and NEWS; take `--isa macro`"
    );
    let other = plan(&[(Reg::A, false)], &["R3".parse().unwrap()], &parse(&["mov(R3,A);"]));
    assert!(problem(&other).contains("`R3`"));
    let words = plan(&[(Reg::A, false)], &[Reg::B], &parse(&["bus(NEWS,A);", "bus(B,NEWS);"]));
    assert!(
        render(&words, None, Format::Jss, Details::default()).unwrap().ends_with("\nbus(NEWS, A);\nbus(B, NEWS);\n")
    );
}

/// Text has no limits of size.
#[test]
fn what_reaches_too_far_has_no_picture() {
    let far = plan(&[(Reg::A, false)], &[Reg::A], &parse(&["mov2x(A,A,east,east);"; 30]));
    let problem = render(&far, None, Format::Svg, Details::default()).unwrap_err();
    assert_eq!(problem, "the program reaches too far for a picture; take `--format text`");
    assert!(render(&far, None, Format::Text, Details::default()).unwrap().contains("x^60"));
}

/// Values of thousands of steps would be millions of lines.
#[test]
fn values_of_long_programs_are_shown_where_they_are_asked_for() {
    let listing: Vec<Instruction> = parse(&["mov(B,A);", "mov(A,B);"]).repeat(300);
    let long = plan(&[(Reg::A, false)], &[Reg::A], &listing);
    let text =
        |steps: Option<&RangeInclusive<usize>>| render(&long, None, Format::Text, Details { simulator: None, steps });
    let all = text(None).unwrap();
    assert!(all.contains("600  mov(A,B);  A = B\n") && !all.contains("gain 1\n"), "{all}");
    let some = text(Some(&(299..=300))).unwrap();
    let (_, lines) = some.split_once("\n\n").unwrap();
    assert_eq!(lines, "299  mov(B,A);  B = A\n     > B  [1]  gain 1\n300  mov(A,B);  A = B\n     > A  [1]  gain 1\n");
    let beyond = Details { simulator: None, steps: Some(&(1..=601)) };
    assert_eq!(beyond.check(listing.len()).unwrap_err(), "`--steps 1..601`: the program has 600 instructions");
    let problem = render(&long, None, Format::Svg, Details::default()).unwrap_err();
    assert_eq!(problem, "the program has 600 instructions, and a picture room for 512; take `--format text`");
}

#[test]
fn where_others_may_interrupt() {
    let Solution { program, statistics } = mean().solution;
    let mut declaration = program.declaration().clone();
    let others = Cells::register(Reg::B);
    declaration.options.interruption = Some(Interruption::new(vec![others], None));
    let program = verify(&declaration, program.listing()).unwrap();
    let text = render(&Plan::new(Solution { program, statistics }, None, None), None, Format::Text, Details::default())
        .unwrap();
    let said: Vec<&str> =
        text.lines().map(str::trim).filter(|line| line.contains("for ") && line.contains('B')).collect();
    assert_eq!(
        said,
        [
            "may be left for others on B within 6 control words, 1.14 µs; that costs at most 2 control words more",
            "< for B: moves B to A, and back, 2 control words",
            "< for B: nothing is in their way",
        ]
    );
}
