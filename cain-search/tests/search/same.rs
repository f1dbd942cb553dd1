//! Tests that the same declaration and budget give the same program, whatever the machine does.

use crate::common::{declaration, kernel, on_threads};
use cain_isa::Reg;
use cain_search::{Declaration, Options, search};

/// Two kernels, with enough nodes for passes of several batches.
fn gaussians() -> Declaration {
    let gauss3 = kernel(16, &[&[1, 2, 1], &[2, 4, 2], &[1, 2, 1]]);
    let gauss5 =
        kernel(64, &[&[0, 1, 2, 1, 0], &[1, 4, 6, 4, 1], &[2, 6, 10, 6, 2], &[1, 4, 6, 4, 1], &[0, 1, 2, 1, 0]]);
    let mut declaration = declaration(&[(Reg::A, gauss5), (Reg::B, gauss3)]);
    declaration.options.nodes = 4_000;
    declaration
}

#[test]
fn any_number_of_threads() {
    let found = |threads| on_threads(threads, || search(&gaussians()).unwrap());
    let one = found(1);
    for threads in [2, 8] {
        assert_eq!(found(threads), one, "{threads} threads");
    }
}

/// Goals and steps that do not fit into memory are forgotten and computed again. That may change the program found, but
/// not from run to run, and it must not cost much.
#[test]
fn little_memory() {
    let plenty = search(&gaussians()).unwrap();
    let mut declaration = gaussians();
    declaration.options.memory = Options::LEAST_MEMORY;
    let little = search(&declaration).unwrap();
    assert_eq!(search(&declaration).unwrap(), little);
    assert!(
        little.program.listing().len() <= plenty.program.listing().len() + 1,
        "{} {}",
        little.program.listing().len(),
        plenty.program.listing().len()
    );
}
