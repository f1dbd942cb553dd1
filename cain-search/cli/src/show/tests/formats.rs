//! Programs that are known by heart, in each format.

use cain_isa::{Fraction, Reg};
use cain_search::Approximated;

use super::{mean, native, parse, program};
use crate::show::args::Format;
use crate::show::render;
use crate::show::source::Program;

/// Compares programs with `snapshots/NAME.snap`.
macro_rules! formats {
    ($($name:ident: $program:expr, $format:ident, $simulator:expr;)*) => {$(
        #[test]
        fn $name() {
            let mut settings = insta::Settings::clone_current();
            settings.set_snapshot_path("../snapshots");
            settings.set_prepend_module_to_snapshot(false);
            settings.set_omit_expression(true);
            let shown = render(&$program, Format::$format, $simulator).unwrap();
            settings.bind(|| insta::assert_snapshot!(stringify!($name), shown));
        }
    )*};
}

formats! {
    text: described(), Text, None;
    text_native: native(), Text, None;
    scamp5: described(), Scamp5, None;
    scamp5_native: native(), Scamp5, None;
    jss: mean(), Jss, None;
    jss_calls: mean(), Jss, Some("sim");
    dot: mean(), Dot, None;
    dot_native: native(), Dot, None;
    svg: mean(), Svg, None;
    svg_native: native(), Svg, None;
}

/// With everything that a kernel file can add.
fn described() -> Program {
    let approximated = Some(Approximated { depth: 1, error: Fraction::new(1, 25).unwrap() });
    let plan = Some("plans/test.scamp".into());
    Program { doc: Some("The mean of two.\nIn place \\".to_owned()), approximated, plan, ..mean() }
}

#[test]
fn the_simulator_has_neither_ports_nor_further_registers() {
    let problem = |program: &Program| render(program, Format::Jss, None).unwrap_err();
    assert_eq!(
        problem(&native()),
        "instruction 1, `bus(XW,A);`, uses `XW`, which the simulator does not have; it has A to F and NEWS"
    );
    let other = program(&[(Reg::A, false)], &["R3".parse().unwrap()], &parse(&["mov(R3,A);"]));
    assert!(problem(&other).contains("`R3`"));
    let words = program(&[(Reg::A, false)], &[Reg::B], &parse(&["bus(NEWS,A);", "bus(B,NEWS);"]));
    assert!(render(&words, Format::Jss, None).unwrap().ends_with("\nbus(NEWS, A);\nbus(B, NEWS);\n"));
}

/// A value far away is said, not drawn.
#[test]
fn what_reaches_too_far_has_no_picture() {
    let far = program(&[(Reg::A, false)], &[Reg::A], &parse(&["mov2x(A,A,east,east);"; 30]));
    let problem = render(&far, Format::Svg, None).unwrap_err();
    assert_eq!(problem, "the program reaches too far for a picture; take `--format text`");
    assert!(render(&far, Format::Text, None).unwrap().contains("x^60"));
}
