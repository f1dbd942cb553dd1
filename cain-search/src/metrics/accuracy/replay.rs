//! Carries out a program on weights, and follows errors back through it.

use cain_analysis::sorted::Map;
use cain_isa::{Displacement, ErrorModel, Instruction, Reg, Store, Transfer};

use super::affine::Affine;
use crate::Declaration;

/// A write: one cell that a word writes.
pub(super) struct Write {
    pub(super) transfer: Transfer,
    /// The factor by which the model multiplies the exact mean of the sources: the share of this destination.
    pub(super) share: f64,
    /// The value that the cell would have without errors of gain and offset.
    pub(super) value: Affine,
    /// The value that the cell has according to the model.
    pub(super) result: Affine,
}

/// The values that an instruction leaves in registers, as weighted sums of what it reads, with source i as channel i.
pub(crate) fn replay(instruction: Instruction, sources: &[Reg], results: &[Reg], model: &ErrorModel) -> Vec<Affine> {
    let writes = writes_from((0..).zip(sources.iter().copied()), &[instruction], model);
    let last = |result: &Reg| writes.iter().rev().find(|write| write.transfer.store == Store::Reg(*result));
    results.iter().map(|result| last(result).map(|write| write.result.clone()).unwrap_or_default()).collect()
}

/// All writes of a program, in order, with the deterministic part of the model.
pub(super) fn writes(declaration: &Declaration, listing: &[Instruction], model: &ErrorModel) -> Vec<Write> {
    writes_from((0..).zip(declaration.inputs.iter().map(|input| input.reg)), listing, model)
}

fn writes_from(inputs: impl Iterator<Item = (u16, Reg)>, listing: &[Instruction], model: &ErrorModel) -> Vec<Write> {
    let mut cells: Map<Store, Affine> =
        inputs.map(|(channel, reg)| (Store::Reg(reg), Affine::input(channel))).collect();
    let mut writes = Vec::new();
    for word in listing.iter().flat_map(Instruction::words) {
        let start = writes.len();
        for (position, transfer) in word.transfers().enumerate() {
            let count = usize::from(transfer.divisor);
            let share = f64::from(model.share(position, count));
            let mut value = Affine::default();
            for &(store, displacement) in transfer.terms() {
                if let Some(source) = cells.get(&store) {
                    value.add_scaled(source, share * transfer.factor().to_f64(), at(displacement));
                }
            }
            let mut result = Affine { constant: model.offset_of(count).into(), ..Affine::default() };
            result.add_scaled(&value, model.gain.into(), (0, 0));
            writes.push(Write { transfer, share, value, result });
        }
        // No word reads what it writes, and all its destinations are written at once.
        for write in &writes[start..] {
            cells.insert(write.transfer.store, write.result.clone());
        }
    }
    writes
}

pub(super) fn at(displacement: Displacement) -> (i32, i32) {
    (displacement.x.into(), displacement.y.into())
}

/// The weight with which an error of a write in each PE around the output reaches the output.
pub(super) type Sensitivity = Map<(i32, i32), f64>;

/// Follows errors from the end of the program to its beginning.
pub(super) fn sensitivities(reg: Reg, writes: &[Write], model: &ErrorModel) -> Vec<Sensitivity> {
    let mut cells: Map<Store, Sensitivity> = Map::from([(Store::Reg(reg), Map::from([((0, 0), 1.0)]))]);
    let mut found: Vec<Sensitivity> = writes
        .iter()
        .rev()
        .map(|write| {
            let Some(sensitivity) = cells.remove(&write.transfer.store) else { return Sensitivity::new() };
            let factor = write.share * write.transfer.factor().to_f64() * f64::from(model.gain);
            for &(store, displacement) in write.transfer.terms() {
                let source = cells.get_or_default(store);
                let (x, y) = at(displacement);
                for (&(column, row), weight) in &sensitivity {
                    *source.get_or_default((column + x, row + y)) += factor * weight;
                }
            }
            sensitivity
        })
        .collect();
    found.reverse();
    found
}
