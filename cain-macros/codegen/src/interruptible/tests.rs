//! What is advised where a program cannot be interrupted.

use cain_isa::{Cells, Reg};
use cain_search::switches::SwitchError;
use cain_search::{Declaration, Interruption, SearchError};

use super::failure;
use crate::kernel_file::parse;

/// A blur in these registers beside `A`, which programs on others may interrupt.
fn blur(scratch: &[Reg], others: &[Reg]) -> Declaration {
    let text = "[blur]\ninputs = [\"A\"]\nscratch = []\noutputs.A.kernel = [[1, 2, 1]]\nsearch.max_gain = \"any\"\n";
    let mut declaration = parse(text).unwrap().remove(0).declaration.clone();
    declaration.scratch = scratch.to_vec();
    declaration.options.interruption =
        Some(Interruption::new(vec![Cells::registers(others.iter().copied().collect())], None));
    declaration
}

#[track_caller]
fn expect(declaration: &Declaration, error: SwitchError, enough: Option<(usize, u32)>, message: &str) {
    let error = SearchError::Interruption { error, enough };
    let found = failure(&error, declaration, "another program").unwrap();
    assert_eq!(found.message, message);
}

#[test]
fn registers_are_advised_only_where_the_machine_has_them() {
    const NO_ROOM: &str = "`blur` cannot be left for another program: at its end the program holds results in `A`, which the \
                           interrupting filters overwrite, and has no room for them";
    let no_room = || SwitchError::NoRoom { results: vec![Reg::A], missing: 1 };
    let more = "one more register in `using` (in kernel files `scratch`) that those do not use would do";
    expect(&blur(&[Reg::B], &[Reg::A, Reg::B]), no_room(), None, &format!("{NO_ROOM}; {more}"));
    // Whatever is not named is used by the others, or nothing is left that is not named.
    let none =
        "the machine has no register left for that, so let those leave 1 of these alone, or take a machine with 1 more";
    for scratch in [&[Reg::B][..], &[Reg::B, Reg::C, Reg::D, Reg::E, Reg::F]] {
        expect(&blur(scratch, &machine()), no_room(), None, &format!("{NO_ROOM}; {none}"));
    }
}

#[test]
fn what_would_be_soon_enough() {
    let late = || SwitchError::Latency { latency: 4, allowed: 2 };
    let waits = "another program may have to wait for `blur` for up to 4 control words (0.76 µs)";
    let few = blur(&[Reg::B], &[Reg::B]);
    let help = "with 2 more registers in `using` (in kernel files `scratch`) that it does not use, 2 control words (0.38 µs) would do";
    expect(&few, late(), Some((2, 2)), &format!("{waits}; {help}"));
    let none = "if it used 2 fewer of its registers, 2 control words (0.38 µs) would do; the machine has no more than are named";
    expect(&blur(&machine()[1..], &[Reg::B, Reg::C]), late(), Some((2, 2)), &format!("{waits}; {none}"));
    let wait = "more registers do not help, but a `latency` of 760 ns would allow it";
    expect(&few, late(), None, &format!("{waits}; {wait}"));
}

fn machine() -> Vec<Reg> {
    vec![Reg::A, Reg::B, Reg::C, Reg::D, Reg::E, Reg::F]
}
