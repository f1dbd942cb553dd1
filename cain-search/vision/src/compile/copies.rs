//! Copies of planes at other PEs, and from where they came.

use cain_isa::Displacement;

use crate::declaration::Value;

/// A plane, or its negative, as it is at another PE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Copied {
    pub(super) of: Value,
    pub(super) at: Displacement,
    pub(super) is_negative: bool,
    /// The PEs over which it came.
    pub(super) reach: Reach,
}

/// The corners of a rectangle of PEs around a PE.
pub(super) type Reach = [Displacement; 2];

/// The smallest rectangle around two of them.
pub(super) fn around(a: Reach, b: Reach) -> Reach {
    [
        Displacement::new(a[0].x.min(b[0].x), a[0].y.min(b[0].y)),
        Displacement::new(a[1].x.max(b[1].x), a[1].y.max(b[1].y)),
    ]
}

/// A rectangle around another PE.
pub(super) fn moved(reach: Reach, by: Displacement) -> Reach {
    reach.map(|corner| Displacement::new(corner.x.saturating_add(by.x), corner.y.saturating_add(by.y)))
}

/// The PEs over which a copy has come that moves on over so many.
pub(super) fn moved_on(reach: Reach, by: Displacement) -> Reach {
    around(towards(by), moved(reach, by))
}

/// The rectangle from a PE to another one.
fn towards(at: Displacement) -> Reach {
    around([Displacement::ZERO; 2], [at; 2])
}
