//! The pictures that are evaluated.

use super::args::Eval;
use crate::data::Labelled;
use crate::progress::Line;
use crate::threads;
use crate::watch::Interrupt;

/// The pictures, in this size.
pub(super) fn pictures(args: &Eval, size: (usize, usize)) -> Result<Labelled, String> {
    let limit = args.limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX));
    Labelled::load(&args.data, size, limit)
}

/// The answers for pictures, each of which has a number, in their order.
pub(super) fn each<'p, T: Send>(
    pictures: &[(&'p [u8], usize)],
    interrupt: &Interrupt,
    answer: impl Fn(usize, (&'p [u8], usize)) -> Result<T, String> + Sync,
) -> Result<Vec<T>, String> {
    let line = Line::new(u64::try_from(pictures.len()).unwrap_or(u64::MAX), "pictures");
    let answers = threads::try_map(pictures, |number, &picture| {
        if interrupt.is_pressed() {
            return Err("interrupted".to_owned());
        }
        let answer = answer(number, picture);
        line.advance(1);
        answer
    });
    drop(line);
    answers
}
