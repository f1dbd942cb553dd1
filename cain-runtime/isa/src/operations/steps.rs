//! Operations that consist of others.

use core::iter;

use super::pooling::{AXES, far};
use super::words::Draft;
use super::{PlaneOperation, Window};
use crate::{Direction, Displacement, Reg};

impl PlaneOperation {
    /// The operations that a [`MaxPool`](Self::MaxPool) consists of; none for other operations.
    pub fn steps(&self) -> impl Iterator<Item = Self> + use<> {
        let pooling = if let Self::MaxPool { x, t, window } = *self { Some((x, t, window)) } else { None };
        pooling.into_iter().flat_map(|(x, t, window)| AXES.into_iter().flat_map(move |axis| along(x, t, window, axis)))
    }
}

/// The steps by which a window grows along an axis.
fn along(x: Reg, t: Reg, window: Window, axis: Direction) -> impl Iterator<Item = PlaneOperation> {
    let mut walk = window.walk();
    let steps = iter::from_fn(move || {
        let (distance, next) = walk.step()?;
        walk = next;
        let mut moved = Draft::new();
        let (z, at) = far(&mut moved, x, t, axis, distance);
        let Displacement { x: east, y: north } = axis.displacement();
        let length = (distance - at.distance()).cast_signed();
        let from = Displacement::new(east * length, north * length);
        let shift = (!moved.is_empty()).then_some(PlaneOperation::Shift { y: t, x, from });
        Some(shift.into_iter().chain([PlaneOperation::MaxInPlace { x, z, at, t }]))
    });
    steps.flatten()
}
