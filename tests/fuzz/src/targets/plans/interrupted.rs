//! Decides with the independent machine whether a program can be left where its tables of switch points say.

use cain_isa::{Cells, SwitchPoint, SwitchStep};
use cain_search::Declaration;
use cain_search::switches::SwitchTable;

use super::super::proof::{holds_outputs, writes_only};
use crate::machine::{Pe, Value};
use crate::oracle::ensure;

/// A point, and the cells that are overwritten while a program waits there.
type Stop<'t> = (Cells, SwitchPoint<'t>);

/// Checks that a program computes its declaration when it is left at each of its points, and at any two of them in turn.
pub(super) fn check(declaration: &Declaration, listing: &[String], tables: &[SwitchTable]) -> Result<(), String> {
    let stops: Vec<Stop<'_>> =
        tables.iter().flat_map(|table| table.switch_points().map(|point| (table.others(), point))).collect();
    for first in &stops {
        run(declaration, listing, &[first])?;
        for second in stops.iter().filter(|(_, second)| second.at >= first.1.resume) {
            run(declaration, listing, &[first, second])?;
        }
    }
    Ok(())
}

fn run(declaration: &Declaration, listing: &[String], stops: &[&Stop<'_>]) -> Result<(), String> {
    let places: Vec<u32> = stops.iter().map(|(_, point)| point.at).collect();
    computes(declaration, listing, stops).map_err(|fault| format!("left after instructions {places:?}: {fault}"))
}

/// The others take everything away from the cells that they may overwrite, so that nothing can be read from there.
fn computes(declaration: &Declaration, listing: &[String], stops: &[&Stop<'_>]) -> Result<(), String> {
    let inputs: Vec<String> = declaration.inputs.iter().map(|input| input.reg.to_string()).collect();
    let (mut pe, mut at) = (Pe::new(&inputs), 0);
    for (others, point) in stops {
        let [here, resume] = [point.at, point.resume].map(|place| place as usize);
        listing[at..here].iter().try_for_each(|line| pe.execute(line))?;
        follow(&mut pe, point.leaving())?;
        others.analogue().iter().for_each(|register| pe.forget(&register.to_string()));
        pe.forget("NEWS");
        follow(&mut pe, point.returning())?;
        at = resume;
    }
    listing[at..].iter().try_for_each(|line| pe.execute(line))?;

    holds_outputs(declaration, &pe)?;
    let kept: Vec<_> = (0..).zip(&declaration.inputs).filter(|(_, input)| input.keep).collect();
    for (channel, input) in &kept {
        let is_kept = pe.value(&input.reg.to_string()) == Some(&Value::input(*channel));
        ensure(is_kept, || format!("`{}` is overwritten", input.reg))?;
    }
    let moved = kept.iter().map(|(_, input)| input.reg);
    writes_only(&declaration.writable().into_iter().chain(moved).collect::<Vec<_>>(), &pe)
}

fn follow(pe: &mut Pe, steps: impl Iterator<Item = SwitchStep>) -> Result<(), String> {
    steps.filter_map(SwitchStep::word).try_for_each(|word| pe.execute(&word.to_string()))
}
