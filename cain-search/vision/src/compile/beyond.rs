//! The PEs that sums depend on: where a program for one reads others than the sum itself, the array may end before.

use std::collections::BTreeSet;

use cain_analysis::prove;
use cain_isa::{Displacement, NewsReading};
use cain_search::{Declaration, Proved};

use super::copies::{Reach, around, moved};
use super::linear::Linear;
use super::{Compiler, needed, uses};
use crate::declaration::Value;

impl Compiler<'_> {
    /// The PEs that a program for a sum depends on; `None` if they are those that the sum itself reads.
    pub(super) fn beyond(&mut self, linear: &Linear, planes: &[Value], program: &Proved) -> Option<Reach> {
        let over = over(linear, program);
        // What parts of it come over is not known where they are read on the way.
        let has_parts = planes.iter().any(|plane| self.temporary.contains_key(plane));
        if over == linear.reach && (!has_parts || over == [Displacement::ZERO; 2]) {
            return None;
        }
        let on_the_way = planes.iter().map(|plane| wider(over, self.extent(*plane)));
        Some(on_the_way.fold(over, around))
    }

    /// The PEs that a value depends on.
    fn extent(&mut self, value: Value) -> Reach {
        let value = self.origin(value);
        if let Some(known) = self.extents.get(&value) {
            return *known;
        }
        let mut reach = self.reaches.get(&value).copied().unwrap_or([Displacement::ZERO; 2]);
        if let Some(operation) = self.operations.get(&value).copied() {
            let mut operands = BTreeSet::new();
            uses::operands(operation, &mut |operand| _ = operands.insert(operand));
            let seen = needed::seen(operation);
            reach = around(reach, seen);
            for operand in operands {
                reach = around(reach, wider(seen, self.extent(operand)));
            }
        }
        self.extents.insert(value, reach);
        reach
    }
}

/// The search for a program that depends on no other PEs than the sum.
pub(super) fn narrow(declaration: &Declaration, linear: &Linear) -> Declaration {
    let [min, max] = linear.reach;
    let mut narrow = declaration.clone();
    narrow.options.max_reach = Some(prove::Reach { min, max });
    if linear.reach == [Displacement::ZERO; 2] {
        narrow.machine.bus.reads = NewsReading::Own;
    }
    narrow
}

/// The PEs that a sum and a program for it depend on.
pub(super) fn over(linear: &Linear, program: &Proved) -> Reach {
    let prove::Reach { min, max } = program.reach();
    around([min, max], linear.reach)
}

/// The PEs around those of a rectangle.
fn wider(reach: Reach, by: Reach) -> Reach {
    around(moved(reach, by[0]), moved(reach, by[1]))
}
