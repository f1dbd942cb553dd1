//! Which filters of a source may interrupt which.

use std::collections::BTreeMap;

use cain_isa::Cells;
use cain_search::Interruption;

use super::{Choice, registers, registers_of_others, words};
use crate::errors::Errors;
use crate::kinds::{Kernel, Read};
use crate::names;
use crate::tree::{At, Interruptible};

/// Adds to each declaration what may interrupt it.
///
/// A filter that interrupts is taken to overwrite all registers that it names, also those that its program leaves alone,
/// so that the program of the interrupted one does not depend on that program. Returned are the mistakes in each of them.
pub(crate) fn resolve<S: Copy>(all: &mut [Read<S>]) -> Vec<Errors<S>> {
    let mut known = BTreeMap::new();
    for read in &*all {
        let Some(kernel) = read.item.kernel() else { continue };
        let names = registers(&kernel.declaration);
        known.insert(kernel.declaration.name.clone(), (kernel.registers, Cells::registers(names)));
    }
    let resolve = |Read { item, interruptible }: &mut Read<S>| {
        let mut errors = Errors::default();
        let (Some(kernel), Some(interruptible)) = (item.kernel_mut(), interruptible) else { return errors };
        let machine = kernel.declaration.machine;
        let by = overwritten(kernel, interruptible, &known, &mut errors);
        let others = registers_of_others(interruptible, &machine, &mut errors);
        if let (Some(by), Some(others)) = (by, others) {
            let by = by.into_iter().chain((!others.is_empty()).then_some(others)).collect();
            kernel.of.declaration.options.interruption = Some(Interruption::new(by, words(interruptible, &machine)));
        }
        errors
    };
    all.iter_mut().map(resolve).collect()
}

/// What each of the filters overwrites that may interrupt this one; nothing after a mistake.
fn overwritten<S: Copy>(
    kernel: &Kernel,
    interruptible: &Interruptible<S>,
    known: &BTreeMap<String, (Choice, Cells)>,
    errors: &mut Errors<S>,
) -> Option<Vec<Cells>> {
    let before = errors.len();
    let own = &kernel.declaration.name;
    let mut by: Vec<(&str, Cells)> = Vec::new();
    for At { value: other, at } in &interruptible.by {
        match known.get(other) {
            _ if other == own => errors.add(*at, format_args!("`{own}` cannot interrupt itself")),
            _ if kernel.registers == Choice::Any => errors.add(*at, in_any_registers(own)),
            _ if by.iter().any(|(earlier, _)| earlier == other) => {
                errors.add(*at, format_args!("`{other}` is listed twice"));
            }
            Some((Choice::Listed, cells)) => by.push((other, *cells)),
            Some((Choice::All, _)) => errors.add(
                *at,
                format_args!(
                    "`{other}` may overwrite all registers, since it does not say which it needs beside inputs and \
                     outputs; list them in its `using`"
                ),
            ),
            Some((Choice::Any, _)) => errors.add(*at, in_any_registers(other)),
            None => {
                let known: Vec<&str> = known.keys().map(String::as_str).filter(|name| name != own).collect();
                errors.add(*at, names::unknown("filter", other, &known));
            }
        }
    }
    (errors.len() == before).then(|| by.into_iter().map(|(_, cells)| cells).collect())
}

fn in_any_registers(name: &str) -> String {
    format!(
        "`{name}` runs in any registers, so that nobody knows which are free; declare it in registers of the machine"
    )
}
