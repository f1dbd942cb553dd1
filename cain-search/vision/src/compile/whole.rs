//! Whole programs: with the places where others may interrupt them, if their declarations say so.

use cain_isa::program::Held;
use cain_isa::{Cells, Range};
use cain_network::Pins;
use cain_search::Interruption;
use cain_search::switches::{Steps, SwitchError, SwitchTable};

use super::frame::compile_apart;
use super::{CompileError, Searches};
use crate::compiled::Compiled;
use crate::declaration::Declaration;
use crate::plan::StatePlace;

/// Compiles a program.
///
/// # Errors
///
/// If it does not fit into the registers, or there is no program for a part of it.
pub fn compile(declaration: &Declaration) -> Result<Compiled, CompileError> {
    compile_with(declaration, &mut Searches::default())
}

/// Compiles a program with the results of earlier searches, without searching. Everything is proved anew.
///
/// # Errors
///
/// As [`compile`], and [`CompileError::Unanswered`] if something was searched for that the results do not have.
pub fn compile_pinned(declaration: &Declaration, pins: Pins) -> Result<Compiled, CompileError> {
    let mut searches = Searches::pinned(pins);
    let compiled = compile_with(declaration, &mut searches);
    match searches.unanswered() {
        Some(wanted) => Err(CompileError::Unanswered(Box::new(wanted.clone()))),
        None => compiled,
    }
}

fn compile_with(declaration: &Declaration, searches: &mut Searches) -> Result<Compiled, CompileError> {
    let range = declaration.machine.range;
    if !range.includes(Range::SCAMP5) {
        return Err(CompileError::SmallRange(range));
    }
    let mut compiled = match &declaration.options.interruption {
        Some(interruption) => interruptible(declaration, interruption, searches)?,
        None => compile_apart(declaration, Cells::NONE, searches)?,
    };
    compiled.searched = searches.searched().to_vec();
    Ok(compiled)
}

/// Compiles a program that others may interrupt. If it takes too long to move what is in their way, it is compiled for the
/// registers that they do not use.
fn interruptible(
    declaration: &Declaration,
    interruption: &Interruption,
    searches: &mut Searches,
) -> Result<Compiled, CompileError> {
    let compiled = compile_apart(declaration, Cells::NONE, searches)?;
    let first = match with_switches(compiled, interruption) {
        Ok(compiled) => return Ok(compiled),
        Err(error) => error,
    };
    let Ok(apart) = compile_apart(declaration, interruption.all(), searches) else { return Err(first) };
    with_switches(apart, interruption).map_err(|second| sooner(first, second))
}

/// The program with the places where it may be left.
fn with_switches(compiled: Compiled, interruption: &Interruption) -> Result<Compiled, CompileError> {
    let cells = |held: &Held| match *held {
        Held::Reg(reg) => Cells::register(reg),
        Held::Bit(bit) => Cells::bit(bit),
    };
    let Compiled { declaration, program, states, results, .. } = &compiled;
    let mut promised = Cells::NONE;
    for (state, place) in declaration.states.iter().zip(states) {
        let StatePlace::Plane(held) = place else { continue };
        // Between frames nothing moves it out of the way.
        if interruption.all().contains(cells(held)) {
            return Err(CompileError::StateOfOthers(state.before));
        }
        promised = promised.union(cells(held));
    }
    let promised = results.values().map(cells).fold(promised, Cells::union);
    let steps = Steps::of_frame(program.steps(), &declaration.machine, promised);
    let switches = SwitchTable::all_of_steps(&steps, interruption).map_err(CompileError::Interruption)?;
    Ok(Compiled { switches, ..compiled })
}

/// The error of the program that makes the others wait for a shorter time.
fn sooner(first: CompileError, second: CompileError) -> CompileError {
    let latency = |error: &CompileError| match error {
        CompileError::Interruption(SwitchError::Latency { latency, .. }) => *latency,
        _ => u32::MAX,
    };
    if latency(&second) < latency(&first) { second } else { first }
}
