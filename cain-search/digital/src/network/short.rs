//! Makes small Boolean functions in the fewest words, from several starts.

use std::collections::{BTreeMap, BTreeSet};

use cain_isa::Displacement;

use super::builder::Builder;
use super::gates::Value;
use super::regions::{Plane, Region, any_of};
use super::sequences::{MOST_BITS, Signal, Step, Table};
use super::way::Start;
use super::wires::Wires;
use crate::Logic;

/// A bit on which a function depends.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Variables {
    /// A bit of an input.
    Pixel(usize, u32, Displacement),
    /// A bit of a number of ones.
    OfCount(Vec<Logic>, usize),
}

/// Makes the table of a predicate of the variables.
type Tabulate<'t> = dyn Fn(&dyn Fn(u32) -> bool) -> Table + 't;

/// A variable, by its index, and the neighbour to which the bit belongs.
type Neighbour = (usize, (i16, i16));

impl Builder<'_, '_> {
    /// Makes a function of few bits with the shortest words from a start; if `counts`, counts are taken as numbers.
    pub(super) fn short(&mut self, logic: &Logic, start: Start, counts: bool) -> Option<Wires> {
        let mut variables = BTreeSet::new();
        collect(logic, counts, &mut variables);
        let variables: Vec<Variables> = variables.into_iter().collect();
        let has_counts = variables.iter().any(|variable| matches!(variable, Variables::OfCount(..)));
        if variables.len() > MOST_BITS || has_counts != counts {
            return None;
        }
        let values = 1_u32 << variables.len();
        let table =
            |is: &dyn Fn(u32) -> bool| (0..values).filter(|value| is(*value)).fold(0, |table, i| table | 1 << i);
        let wanted: Table = table(&|value| value_of(logic, &variables, value));
        let care: Table = table(&|value| is_possible(&variables, value));
        let signals = self.signals(&variables, start, &table)?;
        let given: Vec<Signal> = signals.iter().map(|(signal, _)| *signal).collect();
        let steps = self.sequences.find(&given, wanted, care, self.effort)?;
        let mut registers: Vec<Vec<_>> = signals.into_iter().map(|(_, registers)| registers).collect();
        for Step { sources, inverted } in steps {
            let read = registers.iter().enumerate().filter(|(i, _)| sources >> i & 1 == 1);
            let sources = read.flat_map(|(_, registers)| registers.iter().copied()).collect::<Vec<_>>();
            registers.push(vec![self.network.any(&sources, inverted)]);
        }
        registers.pop().map(Wires::yes)
    }

    /// The signals that a sequence begins with, and the registers of each.
    fn signals(
        &mut self,
        variables: &[Variables],
        start: Start,
        table: &Tabulate<'_>,
    ) -> Option<Vec<(Signal, Vec<Value>)>> {
        let mut signals = Vec::new();
        let mut neighbours: BTreeMap<(usize, u32), Vec<Neighbour>> = BTreeMap::new();
        for (place, variable) in variables.iter().enumerate() {
            let is_one = table(&|value| value >> place & 1 == 1);
            match variable {
                Variables::OfCount(of, bit) => {
                    let wires = self.number_of_ones(of)?.get(*bit)?.clone();
                    for (registers, table) in [(wires.yes, is_one), (wires.no, !is_one)] {
                        signals.extend((!registers.is_empty()).then_some((table, registers)));
                    }
                }
                Variables::Pixel(input, bit, at) => {
                    let is_unit = at.x.abs() + at.y.abs() == 1;
                    if is_unit && matches!(start, Start::Neighbours { .. }) {
                        neighbours.entry((*input, *bit)).or_default().push((place, (at.x, at.y)));
                        continue;
                    }
                    let plane = self.plane(*input, *bit)?;
                    let registers = any_of(&mut self.network, plane, &Region::from([(at.x, at.y)]), self.effort)?;
                    if *at == Displacement::ZERO && start != Start::Bits {
                        signals.push((!is_one, vec![self.network.nor(&registers)]));
                    }
                    signals.push((is_one, registers));
                }
            }
        }
        if matches!(start, Start::Neighbours { .. }) && neighbours.values().all(|places| places.len() < 2) {
            return None;
        }
        for ((input, bit), places) in neighbours {
            let Start::Neighbours { some, not_all } = start else { break };
            let region: Region = places.iter().map(|(_, at)| *at).collect();
            let plane = self.plane(input, bit)?;
            if some {
                let any = table(&|value| places.iter().any(|(place, _)| value >> place & 1 == 1));
                signals.push((any, any_of(&mut self.network, plane, &region, self.effort)?));
            }
            if not_all {
                let not_all = table(&|value| places.iter().any(|(place, _)| value >> place & 1 == 0));
                let complement = self.network.nor(&[plane.register]);
                let plane = Plane { register: complement, outside: true, ..plane };
                signals.push((not_all, any_of(&mut self.network, plane, &region, self.effort)?));
            }
        }
        let signal = |(table, registers): (Table, Vec<_>)| (Signal { table, registers: registers.len() }, registers);
        Some(signals.into_iter().map(signal).collect())
    }
}

/// Collects the bits on which a function depends.
fn collect(logic: &Logic, counts: bool, variables: &mut BTreeSet<Variables>) {
    match logic {
        Logic::Pixel { input, bit, at } => {
            variables.insert(Variables::Pixel(*input, *bit, *at));
        }
        Logic::Count { of, .. } if counts => {
            let width = (usize::BITS - of.len().leading_zeros()) as usize;
            variables.extend((0..width).map(|bit| Variables::OfCount(of.clone(), bit)));
        }
        other => other.parts().iter().for_each(|part| collect(part, counts, variables)),
    }
}

/// The number of ones in a list whose bits are variables; `None` if they are not.
fn number(of: &[Logic], variables: &[Variables], value: u32) -> Option<u32> {
    let bits = (0_u32..).zip(variables).filter_map(|(place, variable)| match variable {
        Variables::OfCount(list, bit) if list == of => Some((place, bit)),
        _ => None,
    });
    let bits: Vec<u32> = bits.map(|(place, bit)| (value >> place & 1) << bit).collect();
    (!bits.is_empty()).then(|| bits.iter().sum())
}

/// The value of a function, given the bits on which it depends.
fn value_of(logic: &Logic, variables: &[Variables], value: u32) -> bool {
    let of_parts = |parts: &[Logic]| parts.iter().filter(|part| value_of(part, variables, value)).count();
    match logic {
        Logic::Pixel { input, bit, at } => {
            let wanted = Variables::Pixel(*input, *bit, *at);
            variables.iter().position(|variable| *variable == wanted).is_some_and(|place| value >> place & 1 == 1)
        }
        Logic::Constant(value) => *value,
        Logic::Not(part) => !value_of(part, variables, value),
        Logic::All(parts) => of_parts(parts) == parts.len(),
        Logic::Any(parts) => of_parts(parts) > 0,
        Logic::Odd(parts) => of_parts(parts) % 2 == 1,
        Logic::Count { of, least, most } => {
            let number = number(of, variables, value).map_or_else(|| of_parts(of), |number| number as usize);
            (*least as usize..=*most as usize).contains(&number)
        }
    }
}

/// Whether no number of ones exceeds the length of its list.
fn is_possible(variables: &[Variables], value: u32) -> bool {
    variables.iter().all(|variable| match variable {
        Variables::Pixel(..) => true,
        Variables::OfCount(of, _) => number(of, variables, value).is_none_or(|number| number as usize <= of.len()),
    })
}
