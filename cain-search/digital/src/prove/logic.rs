//! Boolean functions as diagrams.

use std::cmp::Reverse;

use super::bdd::{Bdd, Function, TooLarge, Variable};
use crate::Logic;

/// The diagram of a Boolean function, made from its definition, independently of the gates that compute it.
pub(crate) fn function_of(bdd: &mut Bdd, logic: &Logic) -> Result<Function, TooLarge> {
    Ok(match logic {
        Logic::Constant(value) => Function::constant(*value),
        Logic::Pixel { input, bit, at } => {
            bdd.variable(Variable { bit: *bit, y: i32::from(at.y), x: i32::from(at.x), input: *input })?
        }
        Logic::Not(part) => function_of(bdd, part)?.not(),
        Logic::All(parts) => {
            let mut all = Function::TRUE;
            for part in parts {
                let part = function_of(bdd, part)?;
                all = bdd.and(all, part)?;
            }
            all
        }
        Logic::Any(parts) => {
            let mut any = Function::FALSE;
            for part in parts {
                let part = function_of(bdd, part)?;
                any = bdd.or(any, part)?;
            }
            any
        }
        Logic::Odd(parts) => {
            let mut odd = Function::FALSE;
            for part in parts {
                let part = function_of(bdd, part)?;
                odd = choice(bdd, part, odd.not(), odd)?;
            }
            odd
        }
        Logic::Count { of, least, most } => count(bdd, of, *least as usize, *most as usize)?,
    })
}

fn choice(bdd: &mut Bdd, condition: Function, then: Function, otherwise: Function) -> Result<Function, TooLarge> {
    let then = bdd.and(condition, then)?;
    let otherwise = bdd.and(condition.not(), otherwise)?;
    bdd.or(then, otherwise)
}

/// 1 if the number of parts that are 1 is in a range.
fn count(bdd: &mut Bdd, of: &[Logic], least: usize, most: usize) -> Result<Function, TooLarge> {
    let mut parts = of.iter().map(|part| function_of(bdd, part)).collect::<Result<Vec<_>, _>>()?;
    // Parts are processed from the last variable on, so that each one's variable comes before those already counted.
    parts.sort_by_key(|&part| Reverse(bdd.variable_of(part)));
    // Entry n is 1 if exactly n of the parts so far are 1; larger numbers than needed are dropped.
    let mut numbers = vec![Function::TRUE];
    for part in parts {
        if numbers.len() <= most {
            numbers.push(Function::FALSE);
        }
        for number in (0..numbers.len()).rev() {
            let one_less = if number == 0 { Function::FALSE } else { numbers[number - 1] };
            numbers[number] = choice(bdd, part, one_less, numbers[number])?;
        }
    }
    let mut any = Function::FALSE;
    for &number in numbers.iter().take(most.saturating_add(1)).skip(least) {
        any = bdd.or(any, number)?;
    }
    Ok(any)
}
