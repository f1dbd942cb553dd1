//! What other PEs have.

use cain_isa::Displacement;
use proc_macro2::Span;

use super::bits::Bits;
use super::thing::Thing;
use super::{Lowering, Made};
use crate::expression::DIRECTIONS;
use crate::vision::tree::{Expr, Place, What};

impl Lowering<'_> {
    /// Where a plane is read.
    pub(super) fn by(&mut self, place: &Place, at: Span) -> Made<Displacement> {
        match place {
            Place::Pair(pair) => self.direction(pair),
            Place::Steps(steps) => {
                let mut by = Displacement::ZERO;
                for (count, direction) in steps {
                    let step = self.direction(direction)?;
                    let count = match count {
                        None => 1,
                        Some(count) => {
                            let thing = self.expr(count)?;
                            self.known_within(&thing, -256, 256, "a number of PEs", count.at)?
                        }
                    };
                    let along = |step: i16, by: i16| i16::try_from(count * i64::from(step) + i64::from(by)).ok();
                    match along(step.x, by.x).zip(along(step.y, by.y)) {
                        Some((x, y)) => by = Displacement::new(x, y),
                        None => return Err(self.wrong(at, "this is too far away")),
                    }
                }
                Ok(by)
            }
        }
    }

    /// PEs to the east and to the north. Names of directions are directions here, whatever else they name.
    pub(super) fn direction(&mut self, expr: &Expr) -> Made<Displacement> {
        if let What::Name(name) = &expr.what
            && let Some((_, by)) = DIRECTIONS.iter().find(|(direction, _)| direction == name)
        {
            return Ok(*by);
        }
        let thing = self.expr(expr)?;
        self.displacement(&thing, expr.at)
    }

    /// What other PEs have.
    pub(super) fn at(&mut self, of: &Thing, by: Displacement, at: Span) -> Made<Thing> {
        let mut leaves = Vec::new();
        for leaf in of.leaves() {
            leaves.push(match leaf {
                Thing::Levels(linear) => match linear.at(by) {
                    Some(moved) => Thing::Levels(moved),
                    None => return Err(self.wrong(at, "this is too far away")),
                },
                Thing::Bits(_) | Thing::Truth(_) | Thing::Condition(_) => {
                    let bits = self.bits(&leaf, at)?;
                    Thing::Bits(self.bits_at(bits, by, at)?)
                }
                other => return Err(self.expected("a plane to read at another PE", &other, "", at)),
            });
        }
        Ok(of.with_leaves(&mut leaves.into_iter()))
    }

    pub(super) fn bits_at(&mut self, bits: Bits, by: Displacement, at: Span) -> Made<Bits> {
        if by == Displacement::ZERO {
            return Ok(bits);
        }
        let moved = if bits.can_move() { bits.at(by) } else { Bits::plane(self.bit(bits, at)?).at(by) };
        moved.ok_or_else(|| self.wrong(at, "this is too far away"))
    }
}
