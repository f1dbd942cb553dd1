//! The words of operations that read or write analogue registers.

use super::words::Draft;
use super::{OperationError, Place};
use crate::{Bit, Cell, Direction, Displacement, Dreg, Operation, Reg};

const NEWS: Cell = Cell::News;
const IN: Cell = Cell::In;

pub(super) const fn shift(draft: &mut Draft, y: Reg, x: Reg, from: Displacement) -> &mut Draft {
    let horizontal = if from.x < 0 { Direction::West } else { Direction::East };
    let vertical = if from.y < 0 { Direction::South } else { Direction::North };
    match (from.x.unsigned_abs(), from.y.unsigned_abs()) {
        (0, 0) => draft.bus(&[NEWS], &[Cell::Reg(x)]).bus(&[Cell::Reg(y)], &[NEWS]),
        (0, rows) => draft.moved(y, x, vertical, rows),
        (columns, 0) => draft.moved(y, x, horizontal, columns),
        // One step along each axis is taken together if both are odd.
        (columns, rows) if columns % 2 == 1 && rows % 2 == 1 => {
            let corner = Place::Beyond(horizontal, vertical);
            draft
                .push_from(corner, &[Cell::Reg(x)])
                .bus(&[Cell::Reg(y)], &[corner.seen()])
                .moved(y, y, horizontal, columns - 1)
                .moved(y, y, vertical, rows - 1)
        }
        (columns, rows) => draft.moved(y, x, horizontal, columns).moved(y, y, vertical, rows),
    }
}

/// NEWS is first set to 0, then overwritten with −x where x counts, and finally inverted in every PE.
pub(super) const fn relu(draft: &mut Draft, y: Reg, x: Reg) -> &mut Draft {
    draft
        .bus(&[NEWS], &[])
        .where_positive(&[Cell::Reg(x)])
        .bus(&[NEWS], &[Cell::Reg(x)])
        .all()
        .bus(&[Cell::Reg(y)], &[NEWS])
}

/// Works like [`relu`], with −x/2^k instead of 0.
pub(super) const fn leaky_relu(draft: &mut Draft, y: Reg, x: Reg, [t, u]: [Reg; 2], halvings: u8) -> &mut Draft {
    if halvings == 0 {
        return draft.fail(OperationError::TooSmall(1));
    }
    draft.bus(&[Cell::Reg(t), NEWS], &[Cell::Reg(x)]);
    let mut left = halvings - 1;
    while left > 0 {
        draft.keeps(x, u).bus(&[Cell::Reg(t)], &[NEWS]).bus(&[Cell::Reg(u), NEWS], &[Cell::Reg(t)]);
        left -= 1;
    }
    draft.where_positive(&[Cell::Reg(x)]).bus(&[NEWS], &[Cell::Reg(x)]).all().bus(&[Cell::Reg(y)], &[NEWS])
}

pub(super) const fn abs(draft: &mut Draft, y: Reg, x: Reg) -> &mut Draft {
    draft
        .bus(&[NEWS], &[])
        .bus(&[Cell::Reg(y)], &[NEWS, Cell::Reg(x)])
        .bus(&[NEWS], &[Cell::Reg(x)])
        .where_positive(&[Cell::Reg(x)])
        .bus(&[Cell::Reg(y)], &[NEWS])
        .all()
}

pub(super) const fn abs_in_place(draft: &mut Draft, x: Reg, t: Reg) -> &mut Draft {
    draft
        .bus(&[NEWS], &[])
        .bus(&[Cell::Reg(t)], &[NEWS, Cell::Reg(x)])
        .bus(&[NEWS], &[Cell::Reg(t)])
        .where_positive(&[Cell::Reg(t)])
        .bus(&[Cell::Reg(x)], &[NEWS])
        .all()
}

/// The result holds the difference until it has decided.
pub(super) const fn max(draft: &mut Draft, y: Reg, x: Reg, z: Reg) -> &mut Draft {
    draft
        .bus(&[NEWS], &[Cell::Reg(z)])
        .bus(&[Cell::Reg(y)], &[NEWS, Cell::Reg(x)])
        .bus(&[NEWS], &[Cell::Reg(x)])
        .where_positive(&[Cell::Reg(y)])
        .keeps(z, y)
        .bus(&[NEWS], &[Cell::Reg(z)])
        .all()
        .bus(&[Cell::Reg(y)], &[NEWS])
}

/// NEWS holds −z, for the difference and for the copy.
pub(super) const fn max_in_place(draft: &mut Draft, x: Reg, z: Cell, at: Place, t: Reg) -> &mut Draft {
    draft
        .push_from(at, &[z])
        .bus(&[Cell::Reg(t)], &[at.seen(), Cell::Reg(x)])
        .where_positive(&[Cell::Reg(t)])
        .bus(&[Cell::Reg(x)], &[at.seen()])
        .all()
}

/// Works like [`max`]; if z is to be replaced by x, −x is already in NEWS.
pub(super) const fn min(draft: &mut Draft, y: Reg, x: Reg, z: Reg) -> &mut Draft {
    draft
        .bus(&[NEWS], &[Cell::Reg(x)])
        .keeps(x, y)
        .bus(&[Cell::Reg(y)], &[NEWS, Cell::Reg(z)])
        .where_positive(&[Cell::Reg(y)])
        .bus(&[NEWS], &[Cell::Reg(z)])
        .all()
        .bus(&[Cell::Reg(y)], &[NEWS])
}

/// The scratch register holds the error of one word: with it NEWS is exactly −z for the comparison, and it also
/// compensates for the missing inversion of the copy.
pub(super) const fn min_in_place(draft: &mut Draft, x: Reg, z: Reg, at: Place, t: Reg) -> &mut Draft {
    draft
        .bus(&[Cell::Reg(t)], &[])
        .push_from(at, &[Cell::Reg(z), Cell::Reg(t)])
        .where_positive(&[at.seen(), Cell::Reg(x)])
        .bus(&[Cell::Reg(x)], &[at.seen(), Cell::Reg(t)])
        .all()
}

pub(super) const fn at_most_minus_level(draft: &mut Draft, x: Reg) -> &mut Draft {
    draft.bus(&[NEWS], &[]).where_positive(&[Cell::Reg(x), IN]).bus(&[Cell::Reg(x)], &[NEWS, IN]).all()
}

/// NEWS holds only the error of a word, which the next word removes.
pub(super) const fn at_most_zero(draft: &mut Draft, x: Reg) -> &mut Draft {
    draft.bus(&[NEWS], &[]).where_positive(&[Cell::Reg(x)]).bus(&[Cell::Reg(x)], &[NEWS]).all()
}

pub(super) const fn above(draft: &mut Draft, b: Dreg, x: Reg, z: Reg, t: Reg, inverted: bool) -> &mut Draft {
    let difference =
        draft.bus(&[NEWS], &[Cell::Reg(x)]).bus(&[Cell::Reg(t)], &[NEWS, Cell::Reg(z)]).where_positive(&[Cell::Reg(t)]);
    bit_of_flag(difference, b, inverted).all()
}

/// The negative of a register holds no error of a transfer: NEWS has one, which the second word removes.
pub(super) const fn below_level(draft: &mut Draft, b: Dreg, x: Reg, t: Reg) -> &mut Draft {
    let negative = draft.bus(&[NEWS], &[]).bus(&[Cell::Reg(t)], &[Cell::Reg(x), NEWS]);
    bit_of_flag(negative.where_positive(&[Cell::Reg(t), IN]), b, false).all()
}

pub(super) const fn bit_of_flag(draft: &mut Draft, b: Dreg, inverted: bool) -> &mut Draft {
    let operation = if inverted { Operation::Nor } else { Operation::Or };
    draft.logic(operation, &[b], &[Bit::Flag])
}

pub(super) const fn select<'d>(draft: &'d mut Draft, y: Reg, b: Bit, on: &[Cell], off: &[Cell]) -> &'d mut Draft {
    draft.bus(&[NEWS], off).where_bit(b).bus(&[NEWS], on).all().bus(&[Cell::Reg(y)], &[NEWS])
}

pub(super) const fn replace<'d>(draft: &'d mut Draft, x: Reg, b: Bit, by: &[Cell]) -> &'d mut Draft {
    draft.bus(&[NEWS], by).where_bit(b).bus(&[Cell::Reg(x)], &[NEWS]).all()
}

/// The mean of x and of z at this place; z may be the first scratch register.
pub(super) const fn mean_in_place(draft: &mut Draft, x: Reg, z: Reg, at: Place, [t, u]: [Reg; 2]) -> &mut Draft {
    draft
        .push_from(at, &[Cell::Reg(z)])
        .bus(&[Cell::Reg(u)], &[Cell::Reg(x)])
        .bus(&[Cell::Reg(x), Cell::Reg(t)], &[at.seen(), Cell::Reg(u)])
}
