//! Boolean functions of planes of bits.

use cain_digital::Logic;
use cain_isa::Displacement;
use cain_vision::declaration::{Operation, Value};

/// A Boolean function of planes of bits.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Bits {
    function: Logic,
    of: Vec<Value>,
}

impl Bits {
    pub(super) fn plane(of: Value) -> Self {
        Self { function: Logic::pixel(0, Displacement::ZERO), of: vec![of] }
    }

    pub(super) const fn constant(bit: bool) -> Self {
        Self { function: Logic::Constant(bit), of: Vec::new() }
    }

    /// The bit, if it is the same everywhere and known.
    pub(super) const fn known(&self) -> Option<bool> {
        if let Logic::Constant(bit) = self.function { Some(bit) } else { None }
    }

    /// How many operations and bits it has.
    pub(super) fn size(&self) -> usize {
        self.function.size()
    }

    pub(super) fn not(self) -> Self {
        let function = match self.function {
            Logic::Constant(bit) => Logic::Constant(!bit),
            Logic::Not(part) => *part,
            other => Logic::Not(Box::new(other)),
        };
        Self { function, of: self.of }
    }

    pub(super) fn and(of: Vec<Self>) -> Self {
        Self::joined(of, |parts| {
            list(parts, false, |part| if let Logic::All(parts) = part { Ok(parts) } else { Err(part) })
        })
    }

    pub(super) fn or(of: Vec<Self>) -> Self {
        Self::joined(of, |parts| {
            list(parts, true, |part| if let Logic::Any(parts) = part { Ok(parts) } else { Err(part) })
        })
    }

    pub(super) fn xor(one: Self, other: Self) -> Self {
        if let Logic::Constant(bit) = one.function {
            return if bit { other.not() } else { other };
        }
        if let Logic::Constant(bit) = other.function {
            return if bit { one.not() } else { one };
        }
        Self::joined(vec![one, other], Logic::Odd)
    }

    /// Those of the second where the first are 1, those of the third elsewhere.
    pub(super) fn choice(condition: Self, then: Self, otherwise: Self) -> Self {
        match (&condition.function, &then.function, &otherwise.function) {
            (Logic::Constant(true), ..) => then,
            (Logic::Constant(false), ..) => otherwise,
            (_, Logic::Constant(true), _) => Self::or(vec![condition, otherwise]),
            (_, Logic::Constant(false), _) => Self::and(vec![condition.not(), otherwise]),
            (_, _, Logic::Constant(false)) => Self::and(vec![condition, then]),
            (_, _, Logic::Constant(true)) => Self::or(vec![condition.not(), then]),
            _ => Self::joined(vec![condition, then, otherwise], |mut parts| {
                let (otherwise, then) = (parts.pop(), parts.pop());
                match (parts.pop(), then, otherwise) {
                    (Some(condition), Some(then), Some(otherwise)) => Logic::choice(condition, then, otherwise),
                    _ => Logic::Constant(false),
                }
            }),
        }
    }

    /// Whether the number of bits that are 1 is in a range, both ends included.
    pub(super) fn count(of: Vec<Self>, least: u32, most: u32) -> Self {
        Self::joined(of, |of| Logic::Count { of, least, most })
    }

    /// A Boolean function of the bits of inputs, each a plane.
    pub(super) fn of(function: &Logic, inputs: &[Vec<Self>]) -> Self {
        let pixels: Vec<_> = function.pixels().into_iter().collect();
        let plane = |&(input, bit, _): &(usize, u32, Displacement)| {
            inputs.get(input).and_then(|bits| bits.get(usize::try_from(bit).ok()?)).and_then(Self::only)
        };
        let mut of: Vec<Value> = pixels.iter().filter_map(plane).collect();
        of.sort_unstable();
        of.dedup();
        let moved = function.with_pixels(&|input, bit, at| {
            let input = of.binary_search(&plane(&(input, bit, at))?).ok()?;
            Some(Logic::Pixel { input, bit: 0, at })
        });
        match moved {
            None | Some(Logic::Constant(false)) => Self::constant(false),
            Some(Logic::Constant(true)) => Self::constant(true),
            Some(function) => Self { function, of },
        }
    }

    /// A function of several others.
    fn joined(of: Vec<Self>, function: impl FnOnce(Vec<Logic>) -> Logic) -> Self {
        let mut planes: Vec<Value> = Vec::new();
        let mut parts = Vec::new();
        for part in of {
            let places: Vec<usize> = part
                .of
                .iter()
                .map(|plane| {
                    planes.iter().position(|known| known == plane).unwrap_or_else(|| {
                        planes.push(*plane);
                        planes.len() - 1
                    })
                })
                .collect();
            let moved = part
                .function
                .with_pixels(&|input, bit, at| places.get(input).map(|input| Logic::Pixel { input: *input, bit, at }));
            parts.push(moved.unwrap_or(Logic::Constant(false)));
        }
        match function(parts) {
            Logic::Constant(bit) => Self::constant(bit),
            function => Self { function, of: planes },
        }
    }

    /// Whether what another PE has is a function of the same planes, which is 0 where that PE is outside of the array.
    pub(super) fn can_move(&self) -> bool {
        let is_here = self.function.pixels().iter().all(|(_, _, at)| *at == Displacement::ZERO);
        is_here && !self.function.evaluate(&|_, _, _| false)
    }

    /// What another PE has of something that can move; `None` if it is too far away.
    pub(super) fn at(&self, by: Displacement) -> Option<Self> {
        let function = self.function.moved(by)?;
        Some(Self { function, of: self.of.clone() })
    }

    /// Whether it is nothing but what a neighbour has.
    pub(super) fn is_neighbour(&self) -> bool {
        matches!(self.function, Logic::Pixel { at, .. } if at.x.abs().max(at.y.abs()) == 1)
    }

    /// The plane, if it is nothing else.
    pub(super) fn only(&self) -> Option<Value> {
        match (&self.function, self.of.as_slice()) {
            (Logic::Pixel { at: Displacement::ZERO, .. }, [only]) => Some(*only),
            _ => None,
        }
    }

    pub(super) fn operation(self) -> Operation {
        Operation::Logic { function: self.function, of: self.of }
    }
}

/// Parts of a sum or a product without constants: one that decides is all of it.
fn list(parts: Vec<Logic>, decides: bool, inner: impl Fn(Logic) -> Result<Vec<Logic>, Logic>) -> Logic {
    let mut all = Vec::new();
    for part in parts {
        match part {
            Logic::Constant(bit) if bit == decides => return Logic::Constant(decides),
            Logic::Constant(_) => {}
            part => match inner(part) {
                Ok(parts) => all.extend(parts),
                Err(part) => all.push(part),
            },
        }
    }
    match all.pop() {
        None => Logic::Constant(!decides),
        Some(only) if all.is_empty() => only,
        Some(last) => {
            all.push(last);
            if decides { Logic::Any(all) } else { Logic::All(all) }
        }
    }
}
