//! Reads a listing of words as a program on values.

use cain_analysis::sorted::Map;
use cain_isa::{Cell, Reg, Word};

use super::{Errors, results};
use crate::engine::instructions::NEWS_FAMILY;
use crate::engine::problem::Problem;
use crate::engine::step::FormId;
use crate::engine::terms::Term;
use crate::engine::values::ValueStep;
use crate::engine::words::forms::{WordForms, read_from};
use crate::engine::words::successors::{ByDivisor, Kinds};

/// The words of a listing as a program on values, given the values of the inputs; `None` if the search does not have
/// such words, or if values are not integers in the given units. Words that make nothing but errors are left out unless
/// errors are followed.
pub(in crate::engine::words) fn on_values(
    problem: &Problem,
    (forms, kinds, errors): (&WordForms, &Kinds, Errors<'_>),
    (words, inputs): (&[Word], &[&[Term]]),
) -> Option<Vec<ValueStep>> {
    let values = problem.inputs.iter().zip(inputs).map(|(input, value)| (input.reg, value.to_vec()));
    let mut registers: Map<Reg, Vec<Term>> = values.collect();
    let mut news: Vec<Term> = Vec::new();
    let mut steps = Vec::new();
    for word in words {
        let value = |cell: &Cell| match cell {
            Cell::Reg(reg) => registers.get(reg).cloned(),
            cell => NEWS_FAMILY.contains(cell).then(|| news.clone()),
        };
        // Zeros, which serve to cancel errors, add nothing but errors.
        let sources: Vec<(Cell, Vec<Term>)> = word
            .sources()
            .iter()
            .map(|cell| (*cell, value(cell).unwrap_or_default()))
            .filter(|source| !source.1.is_empty())
            .collect();
        let (read, mut operands): (Vec<_>, Vec<_>) =
            sources.into_iter().partition(|source| !matches!(source.0, Cell::Reg(_)));
        let form = form(kinds, word, read.first().map(|source| source.0), operands.len())?;
        operands.splice(0..0, read);
        let operands: Vec<Vec<Term>> = operands.into_iter().map(|source| source.1).collect();
        let of_operands: Vec<&[Term]> = operands.iter().map(Vec::as_slice).collect();
        let result = results(forms, errors, form, &of_operands)?.pop()?;
        if !result.is_empty() {
            steps.push(ValueStep { form, operands, results: vec![result.clone()] });
        }
        for cell in word.destinations() {
            match cell {
                Cell::Reg(reg) => drop(registers.insert(*reg, result.clone())),
                _ => news.clone_from(&result),
            }
        }
    }
    Some(steps)
}

/// The form of a word, given the name under which it reads NEWS, if it does, and the number of its register sources
/// that count.
fn form(kinds: &Kinds, word: &Word, reading: Option<Cell>, registers: usize) -> Option<FormId> {
    let divisor = word.destinations().len().checked_sub(1)?;
    let at = |places: &[(u32, ByDivisor)], place: u32| {
        let (_, forms) = places.iter().find(|(other, _)| *other == place)?;
        forms[divisor].get(registers).copied().flatten()
    };
    match (word.destinations().first()?, reading) {
        (Cell::Reg(_), None) => kinds.registers[divisor].get(registers).copied().flatten(),
        (Cell::Reg(_), Some(_)) => at(&kinds.reading, read_from(word, true)),
        (_, None) => at(&kinds.news, read_from(word, false)),
        (_, Some(_)) => None,
    }
}
