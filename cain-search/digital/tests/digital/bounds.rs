//! Declarations that are short to write but hard to prepare.

use core::ops::ControlFlow;

use cain_digital::{Declaration, Format, Input, Logic, Output, SearchError, search, search_watched};
use cain_isa::Displacement;

fn pixel(input: usize, x: i16, y: i16) -> Logic {
    Logic::pixel(input, Displacement::new(x, y))
}

/// A function of two inputs of one bit.
fn declaration(functions: &[Logic], nodes: u64) -> Declaration {
    let input = |name: &str| Input { name: name.into(), format: Format::new(1, false).unwrap(), keep: false, at: None };
    let output = |(i, logic): (usize, &Logic)| Output { name: format!("out{i}"), formula: logic.clone().into() };
    Declaration {
        name: "test".into(),
        inputs: ["a", "b"].map(input).into(),
        outputs: functions.iter().enumerate().map(output).collect(),
        flag: true,
        nodes,
    }
}

/// Nested majorities of neighbours, to this depth.
fn nested(depth: i16) -> Logic {
    (0..depth)
        .fold(pixel(0, 0, 0), |inner, i| Logic::majority(vec![inner, pixel(0, i % 3 - 1, 1), pixel(1, 1, i % 3 - 1)]))
}

/// The ways to make a function are not tried again in each way to make its reader.
#[test]
fn functions_within_functions() {
    let first = nested(8);
    let second = Logic::Odd(vec![first.clone(), first.moved(Displacement::new(1, 0)).unwrap()]);
    assert!(search(&declaration(&[nested(5)], 2000)).is_ok());
    let both = search(&declaration(&[first, second], 2000));
    assert!(matches!(both, Ok(_) | Err(SearchError::Budget { .. } | SearchError::Registers(_))), "{both:?}");
}

/// Each function reads three different others.
#[test]
fn what_is_free_to_prepare_is_limited() {
    fn full(depth: u32, place: i16) -> Logic {
        if depth == 0 {
            return pixel(usize::from(place % 2 == 0), place % 5 - 2, place / 5 % 5 - 2);
        }
        Logic::majority((0..3).map(|part| full(depth - 1, 3 * place + part)).collect())
    }
    let found = search(&declaration(&[full(4, 0)], 500));
    assert!(matches!(found, Ok(_) | Err(SearchError::Budget { .. } | SearchError::Registers(_))), "{found:?}");
}

/// The watcher is called while networks are made, long before there is a state of registers; if it breaks, nothing else
/// is begun.
#[test]
fn preparation_can_be_interrupted() {
    let mut looks = 0;
    let found = search_watched(&declaration(&[nested(12), nested(11)], u64::MAX), |progress| {
        looks += 1;
        assert_eq!(progress.best, None);
        if looks < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert!(matches!(found, Err(SearchError::Budget { .. })), "{found:?}");
    assert!(looks < 10, "{looks} looks");
}

/// Pairs of bits are far apart in every order of rows and columns.
#[test]
fn functions_that_cannot_be_proved() {
    let pairs = |x: i16| (0..20).map(move |y| Logic::All(vec![pixel(0, x, y), pixel(1, y, x - 40)]));
    let matching = Logic::Any((0..2).flat_map(pairs).collect());
    let error = search(&declaration(&[matching], 100)).unwrap_err();
    assert_eq!(error, SearchError::Unprovable { output: "out0".into() });
    assert!(error.to_string().starts_with("no program for `out0` could be proved: "), "{error}");
}

/// Each bit takes at least three words. From the last bit on, diagrams grow by a node for each.
#[test]
fn functions_of_too_many_words() {
    let bits = (0..1500).rev().map(|i: i16| pixel(0, i % 50, i / 50));
    let error = search(&declaration(&[Logic::Odd(bits.collect())], 100)).unwrap_err();
    assert_eq!(error, SearchError::Words);
    assert!(error.to_string().starts_with("all that is found takes more than 4096 control words; "), "{error}");
}
