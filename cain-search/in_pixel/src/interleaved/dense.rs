//! The dense layer: for each class the weighted results, and their sum over the array.

use cain_analysis::owned::Step;
use cain_isa::{Cell, Reg, WordError};

use super::geometry::Geometry;
use super::maps::RESULT;
use super::moves::{Axis, Moves, SCRATCH, of_both};
use crate::Declaration;
use crate::registers::DENSE;

const NEWS: Cell = Cell::News;
/// Weighted results.
pub(super) const PRODUCT: Reg = Reg::D;

/// Brings, for each class, the weights from the PEs that hold them to all PEs of their group, so that the sum over the
/// array counts each product once for every PE of a group.
pub(super) fn program(network: &Declaration, geometry: &Geometry) -> Result<Vec<Step>, WordError> {
    let mut moves = Moves::default();
    moves.words().all();
    for class in 0..network.classes() {
        let (row, column) = (class / geometry.group, class % geometry.group);
        let holders =
            of_both(Axis::Rows.selection(row, 1, geometry.group), Axis::Columns.selection(column, 1, geometry.group));
        // Copies leave different registers free.
        let mut free = SCRATCH.to_vec();
        let mut found = Vec::new();
        for plane in DENSE {
            let mut copies = moves.select(holders, plane, [free[0], free[1], free[2]])?;
            for (axis, number) in [(Axis::Columns, column), (Axis::Rows, row)] {
                moves.spread(&mut copies, axis, number, geometry.group, 1);
            }
            free.retain(|register| *register != copies.copied);
            found.push(copies.copied);
        }
        let [plus, minus] = [found[0], found[1]];
        moves.part()?;
        moves.words().fill(&[NEWS]).bus(PRODUCT.into(), &[NEWS]);
        let (product, result) = (Cell::Reg(PRODUCT), Cell::Reg(RESULT));
        moves.words().where_bits(&[plus.into()]).bus(NEWS, &[product, result]).bus(product, &[NEWS]);
        // NEWS is minus the product, with the error of a transfer, in every PE.
        moves.words().where_bits(&[minus.into()]).bus(product, &[NEWS, result]).all();
        moves.controller(Step::Sum { from: PRODUCT, first: class })?;
    }
    moves.finish()
}
