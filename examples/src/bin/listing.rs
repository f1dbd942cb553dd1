//! One kernel in four views: its plan, the recorder, the counter and the prover.
//!
//! `cargo run --release -p cain-examples --bin listing`

use cain_runtime::isa::Reg;
use cain_runtime::prove::{ProveError, Prover};
use cain_runtime::trace::{Counter, Recorder};
use cain_runtime::{Aregs, scamp_kernels};

scamp_kernels! {
    /// Binomial blur, in place, in macro instructions of the vendor's library.
    #[search(isa = macro)]
    fn gauss(A) -> A using (B, C, D) = 1/16 * [
        [1, 2, 1],
        [2, 4, 2],
        [1, 2, 1],
    ];
}

fn main() -> Result<(), ProveError> {
    let plan = gauss::PLAN;
    println!("{}", plan.declaration);
    println!("{} search nodes, stopped by: {}\n", plan.found.nodes, plan.found.stop);

    // This calls the function that would drive a chip, on a controller that computes with polynomials.
    let mut scamp = Recorder::new(Counter::new(Prover::new(&[Reg::A])));
    let mut r = Aregs::new();
    let blurred = gauss(&mut scamp, r.a.hold(), &mut r.b, &mut r.c, &mut r.d)?;

    println!("macro instruction        control words");
    for instruction in scamp.listing() {
        let words: Vec<_> = instruction.words().map(|word| word.to_string()).collect();
        println!("{:<24} {}", instruction.to_string(), words.join(" "));
    }

    let counter = scamp.controller();
    println!("\n{} macros, {} ICWs, {:.2} µs", counter.macros(), counter.icws(), counter.microseconds());

    let prover = counter.controller();
    let report = prover.report();
    if let Some(value) = prover.value(blurred.reg()) {
        println!("{} = {value}", blurred.reg());
    }
    let reach = prover.reach(blurred.reg());
    println!("peak gain {}; values come from {} to {} around a pixel", report.peak_gain, reach.min, reach.max);
    Ok(())
}
