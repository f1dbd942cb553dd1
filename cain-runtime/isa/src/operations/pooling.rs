//! Pooling, by windows that grow when a plane is joined with a shifted copy of itself.

use super::words::Draft;
use super::{OperationError, Place, Window, analogue};
use crate::{Bit, Cell, Direction, Directions, Dreg, Reg};

/// The axes along which windows grow.
pub(super) const AXES: [Direction; 2] = [Direction::East, Direction::South];

pub(super) const fn max_pool(draft: &mut Draft, x: Reg, t: Reg, window: Window) -> &mut Draft {
    let mut axis = 0;
    while axis < AXES.len() {
        let mut walk = window.walk();
        while let Some((distance, next)) = walk.step() {
            let (z, at) = far(draft, x, t, AXES[axis], distance);
            analogue::max_in_place(draft, x, Cell::Reg(z), at, t);
            walk = next;
        }
        axis += 1;
    }
    window.check(draft)
}

pub(super) const fn mean_pool(draft: &mut Draft, x: Reg, ts: [Reg; 2], window: Window) -> &mut Draft {
    if !window.size.is_power_of_two() {
        return window.check(draft).fail(OperationError::NoPowerOfTwo(window.size));
    }
    let mut axis = 0;
    while axis < AXES.len() {
        let mut walk = window.walk();
        while let Some((distance, next)) = walk.step() {
            let (z, at) = far(draft, x, ts[0], AXES[axis], distance);
            analogue::mean_in_place(draft, x, z, at, ts);
            walk = next;
        }
        axis += 1;
    }
    window.check(draft)
}

/// The plane joined so far moves between three registers, because no word reads a register that it writes; the last sum
/// is in `y`.
pub(super) const fn any_pool(draft: &mut Draft, y: Dreg, x: Bit, [t, u]: [Dreg; 2], window: Window) -> &mut Draft {
    draft.keeps_bit(x, y).keeps_bit(x, t).keeps_bit(x, u);
    draft.keeps_bit(Bit::Reg(y), t).keeps_bit(Bit::Reg(y), u).keeps_bit(Bit::Reg(t), u);
    if window.size == 1 {
        return window.check(draft).or(y, &[x]);
    }
    let mut joined = x;
    let mut axis = 0;
    while axis < AXES.len() {
        let mut i = 0;
        while i < Direction::ALL.len() {
            let switch = Direction::ALL[i].switch();
            draft.keeps_bit(x, switch).keeps_bit(Bit::Reg(y), switch).keeps_bit(Bit::Reg(t), switch);
            draft.keeps_bit(Bit::Reg(u), switch);
            i += 1;
        }
        draft.open(Directions::new(&[AXES[axis]]));
        let mut walk = window.walk();
        while let Some((distance, next)) = walk.step() {
            let is_last = axis + 1 == AXES.len() && next.step().is_none();
            let other = if joined.is(t) { u } else { t };
            let sum = if is_last { y } else { other };
            let moved = if is_last {
                other
            } else if joined.is(t) || joined.is(u) {
                y
            } else {
                u
            };
            let mut source = joined;
            let mut left = distance;
            while left > 0 {
                left -= 1;
                let target = if left.is_multiple_of(2) { moved } else { sum };
                draft.read_neighbours(target, source, false);
                source = Bit::Reg(target);
            }
            draft.or(sum, &[joined, Bit::Reg(moved)]);
            joined = Bit::Reg(sum);
            walk = next;
        }
        axis += 1;
    }
    window.check(draft)
}

/// Brings x nearer if necessary; returns the register and place from which it is to be read as if it were `distance`
/// PEs away.
pub(super) const fn far(draft: &mut Draft, x: Reg, t: Reg, direction: Direction, distance: u16) -> (Reg, Place) {
    if distance <= 2 {
        return (x, Place::towards(direction, distance));
    }
    let rest = if distance.is_multiple_of(2) { 2 } else { 1 };
    draft.keeps(x, t).moved(t, x, direction, distance - rest);
    (t, Place::towards(direction, rest))
}
