//! Decides with the independent machine whether a program computes a declaration.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use cain_isa::{Fraction, Range, Reg};
use cain_search::{Declaration, MaxGain, OffsetRule};

use crate::machine::{Costs, Number, Pe, Value};
use crate::oracle::ensure;

/// Executes a listing and checks everything that its declaration promises.
pub(super) fn prove(declaration: &Declaration, listing: &[String]) -> Result<Costs, String> {
    let inputs: Vec<String> = declaration.inputs.iter().map(|input| input.reg.to_string()).collect();
    let mut pe = Pe::new(&inputs).for_pixels(range(declaration));
    listing.iter().try_for_each(|line| pe.execute(line))?;
    computes(declaration, &pe)?;
    Ok(pe.costs())
}

/// Checks that the machine holds what the declaration wants, and has done nothing that it forbids.
pub(super) fn computes(declaration: &Declaration, pe: &Pe) -> Result<(), String> {
    holds_outputs(declaration, pe)?;
    writes_only(&declaration.writable(), pe)?;
    match most(declaration) {
        Some(most) if pe.peak().and_then(|peak| peak.compare(most)) == Some(Ordering::Greater) => {
            Err("a gain is above the one allowed".to_owned())
        }
        _ => Ok(()),
    }
}

/// Checks that each output holds its kernel, or that all together are as near to them as is allowed.
pub(super) fn holds_outputs(declaration: &Declaration, pe: &Pe) -> Result<(), String> {
    let mut moved = Number::ZERO;
    for output in &declaration.outputs {
        let register = output.reg.to_string();
        let found = pe.value(&register).ok_or_else(|| format!("`{register}` holds nothing"))?;
        let wanted = wanted(output);
        if declaration.options.approximate.is_none() {
            ensure(found.computes(&wanted), || format!("`{register}` does not hold its kernel"))?;
        } else {
            ensure(channels(&wanted).is_subset(&channels(found)), || format!("`{register}` has lost an input"))?;
            moved = distance(found, &wanted).and_then(|by| moved.plus(by)).ok_or("weights have too many digits")?;
        }
        if declaration.options.offset == OffsetRule::Cancelled {
            let is_cancelled = found.error().is_some_and(Number::is_zero);
            ensure(is_cancelled, || format!("`{register}` holds the transfer error"))?;
        }
    }
    let allowed = declaration.options.approximate.map_or(Number::ZERO, |allowed| number(allowed.error));
    let is_near = moved.compare(allowed).is_some_and(Ordering::is_le);
    ensure(is_near, || format!("weights have moved by {moved}, and {allowed} is allowed"))
}

/// The inputs that a value depends on.
fn channels(value: &Value) -> BTreeSet<u16> {
    value.weights().map(|((channel, ..), _)| channel).collect()
}

/// The sum of the differences between all weights; `None` if it has too many digits.
fn distance(one: &Value, other: &Value) -> Option<Number> {
    let mut difference = one.clone();
    for (place, weight) in other.weights() {
        difference.add(place, weight.times(Number::new(-1, 1))?)?;
    }
    difference.weights().try_fold(Number::ZERO, |sum, (_, weight)| sum.plus(weight.magnitude()))
}

/// Checks that no other registers have been written.
pub(super) fn writes_only(allowed: &[Reg], pe: &Pe) -> Result<(), String> {
    let allowed: BTreeSet<String> = allowed.iter().map(Reg::to_string).collect();
    let is_register = |cell: &&String| *cell != "NEWS" && !["XN", "XE", "XS", "XW"].contains(&cell.as_str());
    match pe.written().iter().filter(is_register).find(|cell| !allowed.contains(*cell)) {
        Some(other) => Err(format!("`{other}` is overwritten")),
        None => Ok(()),
    }
}

/// The range of a declaration's pixels, upwards and downwards from 0.
fn range(declaration: &Declaration) -> (i128, i128) {
    let range = declaration.options.input.unwrap_or(declaration.machine.range);
    extents(range)
}

/// A converter has one more level below 0, which does not count.
fn extents(range: Range) -> (i128, i128) {
    let (up, down) = (i128::from(range.max.max(0)), -i128::from(range.min.min(0)));
    if up > 0 && down == up + 1 { (down, down) } else { (up, down) }
}

/// The largest gain allowed, if there is a limit.
fn most(declaration: &Declaration) -> Option<Number> {
    match declaration.options.max_gain {
        MaxGain::Any => None,
        MaxGain::AtMost(most) => Some(number(most)),
        MaxGain::Own => {
            let of = |(up, down): (i128, i128)| up.max(down);
            let pixels = range(declaration);
            let registers = Number::new(of(extents(declaration.machine.range)), of(pixels));
            let mut gains = declaration.outputs.iter().map(|output| wanted(output).gain_for(pixels));
            gains.try_fold(registers, |most, gain| Some(if most.compare(gain?)?.is_lt() { gain? } else { most }))
        }
    }
}

fn wanted(output: &cain_search::Output) -> Value {
    let mut value = Value::zero();
    for (atom, weight) in output.kernel.terms() {
        // Each atom occurs once, so nothing is added up.
        let _ = value.add((atom.channel, atom.displacement.x.into(), atom.displacement.y.into()), number(weight));
    }
    value
}

pub(super) fn number(fraction: Fraction) -> Number {
    Number::new(fraction.numerator().into(), fraction.denominator().into())
}
