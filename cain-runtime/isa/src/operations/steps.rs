//! Operations that consist of others.

use alloc::vec::Vec;

use super::PlaneOperation;
use super::pooling::{AXES, far};
use super::words::Draft;
use crate::Displacement;

impl PlaneOperation {
    /// The operations that a [`MaxPool`](Self::MaxPool) consists of; empty for other operations.
    pub(crate) fn steps(&self) -> Vec<Self> {
        let mut steps = Vec::new();
        let Self::MaxPool { x, t, window } = *self else { return steps };
        for axis in AXES {
            let mut walk = window.walk();
            while let Some((distance, next)) = walk.step() {
                let mut moved = Draft::new();
                let (z, at) = far(&mut moved, x, t, axis, distance);
                if !moved.is_empty() {
                    let Displacement { x: east, y: north } = axis.displacement();
                    let length = (distance - at.distance()).cast_signed();
                    steps.push(Self::Shift { y: t, x, from: Displacement::new(east * length, north * length) });
                }
                steps.push(Self::MaxInPlace { x, z, at, t });
                walk = next;
            }
        }
        steps
    }
}
