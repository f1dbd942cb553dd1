//! Sums and functions of more planes than there are registers for: part by part, in the order of their planes.

use cain_digital::Logic;
use cain_isa::Fraction;

use super::uses::operands;
use super::{CompileError, Compiler};
use crate::declaration::{Kind, Operation, Summand, Value};

/// The registers that making a plane takes beside its own.
const ROOM: usize = 2;
/// The largest level.
const LARGEST: f64 = 127.0;

impl Compiler<'_> {
    /// Parts of a function in front of others, that are one bit.
    pub(super) fn without_many(
        &mut self,
        value: Value,
        function: Logic,
        of: Vec<Value>,
    ) -> Result<(Logic, Vec<Value>), CompileError> {
        let (mut function, mut of) = (function, of);
        while let Some([parts, rest]) = self.first_parts(&function, &of) {
            let temporary = self.temporary(Kind::Bits, value);
            let read =
                |function: &Logic| function.pixels().into_iter().map(|(input, _, _)| of[input]).collect::<Vec<_>>();
            let rest_reads = read(&rest);
            let parts_read = read(&parts);
            for plane in &of {
                if parts_read.contains(plane) && rest_reads.contains(plane) {
                    self.uses.pin(*plane);
                }
            }
            let own: Vec<Value> = of.iter().copied().filter(|plane| parts_read.contains(plane)).collect();
            let numbered = |function: &Logic, planes: &[Value]| {
                let number = |input: usize, bit, at| {
                    let input = planes.iter().position(|plane| *plane == of[input])?;
                    Some(Logic::Pixel { input, bit, at })
                };
                function.with_pixels(&number).ok_or(CompileError::Unproved(Some(value)))
            };
            let first = numbered(&parts, &own)?;
            self.logic(temporary, &first, &own)?;
            let mut left: Vec<Value> = of.iter().copied().filter(|plane| rest_reads.contains(plane)).collect();
            let rest = numbered(&rest, &left)?;
            left.push(temporary);
            let joined = Logic::pixel(left.len() - 1, cain_isa::Displacement::ZERO);
            function = match rest {
                Logic::All(parts) => Logic::All([vec![joined], parts].concat()),
                Logic::Any(parts) => Logic::Any([vec![joined], parts].concat()),
                Logic::Odd(parts) => Logic::Odd([vec![joined], parts].concat()),
                other => other,
            };
            of = left;
        }
        Ok((function, of))
    }

    /// The first parts of a function, if it reads more planes than there are registers, and the rest of it.
    fn first_parts(&self, function: &Logic, of: &[Value]) -> Option<[Logic; 2]> {
        let free = self.registers.free_bits(None).len();
        let missing = of.iter().filter(|plane| self.pending.contains_key(plane)).count();
        if missing < free {
            return None;
        }
        let (parts, join): (_, fn(Vec<Logic>) -> Logic) = match function {
            Logic::All(parts) => (parts, Logic::All),
            Logic::Any(parts) => (parts, Logic::Any),
            Logic::Odd(parts) => (parts, Logic::Odd),
            _ => return None,
        };
        let mut planes: Vec<Value> = Vec::new();
        let mut count = 0;
        for part in parts {
            let mut more = planes.clone();
            for (input, _, _) in part.pixels() {
                if self.pending.contains_key(&of[input]) && !more.contains(&of[input]) {
                    more.push(of[input]);
                }
            }
            if count >= 2 && more.len() + ROOM > free {
                break;
            }
            planes = more;
            count += 1;
        }
        (count < parts.len()).then(|| [join(parts[..count].to_vec()), join(parts[count..].to_vec())])
    }

    /// A sum whose planes are added one after the other as they are made, if there is no room for all of them.
    pub(super) fn summed(&mut self, value: Value, operation: &Operation) -> Result<Option<Operation>, CompileError> {
        let Operation::Sum { summands, constant, numbers } = operation else { return Ok(None) };
        let is_late = |summand: &&Summand| {
            self.uses.left(summand.of) == 1
                && self.pending.get(&summand.of).is_some_and(|operation| !matches!(operation, Operation::Sum { .. }))
                && self.level_of(summand.of).is_none()
        };
        let late: Vec<Summand> = summands.iter().filter(is_late).copied().collect();
        if late.len() < 2 || late.len() + ROOM <= self.registers.free(None).len() {
            return Ok(None);
        }
        let weight = late[0].weight;
        let late: Vec<Summand> = late.into_iter().filter(|summand| summand.weight == weight).collect();
        // Two planes are a sum of which nothing is to be split off.
        if late.len() < 2 || late.len() == summands.len() && late.len() == 2 {
            return Ok(None);
        }
        // As large as it may be, so that little is lost.
        let (low, high) =
            late.iter().fold((0.0, 0.0), |(low, high): (f64, f64), summand| match self.kind(summand.of) {
                Kind::Levels { low: least, high: most } => (low + least, high + most),
                _ => (low, high),
            });
        let mut scale = Fraction::ONE;
        let half = Fraction::new(1, 2).unwrap_or(Fraction::ONE);
        while low.abs().max(high.abs()) * scale.to_f64() > LARGEST && scale > weight.abs() {
            scale = scale.checked_mul(half).ok_or(CompileError::Level(value))?;
        }
        let weight = weight.checked_div(scale).ok_or(CompileError::Level(value))?;
        let scale_of = |of: &Summand| Summand { weight: scale, ..*of };
        let mut so_far: Option<Summand> = None;
        for summand in &late {
            let Some(before) = so_far else {
                so_far = Some(scale_of(summand));
                continue;
            };
            let kind = Kind::Levels { low: low * scale.to_f64(), high: high * scale.to_f64() };
            let temporary = self.temporary(kind, value);
            let sum = Operation::Sum {
                summands: vec![before, scale_of(summand)],
                constant: Fraction::ZERO,
                numbers: Vec::new(),
            };
            let mut planes = Vec::new();
            operands(&sum, &mut |operand| planes.push(operand));
            self.locking(planes, |compiler| compiler.sum(temporary, &sum))?;
            so_far = Some(Summand { of: temporary, weight: Fraction::ONE, at: cain_isa::Displacement::ZERO });
        }
        let mut rest: Vec<Summand> = summands.iter().filter(|summand| !late.contains(summand)).copied().collect();
        rest.extend(so_far.map(|sum| Summand { weight, ..sum }));
        Ok(Some(Operation::Sum { summands: rest, constant: *constant, numbers: numbers.clone() }))
    }
}
