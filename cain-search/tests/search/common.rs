//! Short constructors of declarations.

use cain_analysis::prove::Polynomial;
use cain_isa::{Fraction, Machine, Reg};
use cain_search::{
    Declaration, Input, InstructionSet, Kernel, MaxGain, OffsetRule, Options, Output, Patience, threads,
};
use rayon::prelude::*;

/// A kernel on channel 0, scaled by 1/`denominator`.
pub(crate) fn kernel(denominator: i64, rows: &[&[i32]]) -> Polynomial {
    on_channel(0, denominator, rows)
}

/// Kernels of random weights in which hardly anything repeats, in units of 1/64.
pub(crate) const DENSE: [[&[i32]; 3]; 7] = [
    [&[1, 4, 8], &[3, 6, 8], &[4, 5, 6]],
    [&[1, 8, 1], &[3, 1, 7], &[5, 3, 0]],
    [&[8, 4, 2], &[7, 6, 6], &[8, 6, 5]],
    [&[2, 2, 8], &[2, 3, 2], &[3, 7, 6]],
    [&[8, 0, 3], &[4, 8, 8], &[7, 7, 6]],
    [&[6, 8, 0], &[5, 7, 3], &[7, 7, 5]],
    [&[2, 6, 6], &[1, 3, 5], &[1, 7, 8]],
];

/// A kernel on any channel.
pub(crate) fn on_channel(channel: u16, denominator: i64, rows: &[&[i32]]) -> Polynomial {
    let rows = rows.iter().map(|row| row.iter().map(|&weight| Fraction::from(weight)).collect()).collect();
    let mut sum = Polynomial::new();
    let scale = Fraction::new(1, denominator).expect("a denominator");
    Kernel::new(rows).expect("a kernel").add_to(&mut sum, scale, channel).expect("small weights");
    sum
}

/// The conditions of published Cain: programs of macro instructions without limits on offset errors and gains. The whole
/// budget is spent, as tests of what a search finds want it.
pub(crate) fn as_cain() -> Options {
    Options {
        instructions: InstructionSet::Macro,
        offset: OffsetRule::Any,
        max_gain: MaxGain::Any,
        patience: Patience::Any,
        ..Options::default()
    }
}

/// One input in A that may be overwritten, the given outputs, and all of A to F otherwise, [as in Cain](as_cain).
pub(crate) fn declaration(outputs: &[(Reg, Polynomial)]) -> Declaration {
    let scratch = Reg::SCAMP5.into_iter().filter(|reg| *reg != Reg::A && outputs.iter().all(|output| output.0 != *reg));
    Declaration {
        name: "filter".into(),
        inputs: vec![Input { reg: Reg::A, keep: false }],
        scratch: scratch.collect(),
        outputs: outputs.iter().map(|(reg, kernel)| Output { reg: *reg, kernel: kernel.clone() }).collect(),
        machine: Machine::SCAMP5,
        options: as_cain(),
    }
}

/// The result of work that is done on this number of threads.
pub(crate) fn on_threads<T: Send>(count: usize, work: impl FnOnce() -> T + Send) -> T {
    threads::lend(|count, task| (0..count).into_par_iter().for_each(task));
    rayon::ThreadPoolBuilder::new().num_threads(count).build().unwrap().install(work)
}
