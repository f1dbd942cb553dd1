//! Planes of bits.

use std::collections::BTreeSet;

use cain_digital::{Declaration, Format, Formula, Input, Logic, Output, search, verify};
use cain_isa::asm::digital::SELECT;
use cain_isa::program::owned::Step;
use cain_isa::program::{Selection, Term};
use cain_isa::{Bit, PlaneOperation};

use super::numbers::formula;
use super::{CompileError, Compiler};
use crate::declaration::{Number, Operation, Value};

/// The most bits that a joined function reads.
const MOST_BITS: usize = 9;

impl Compiler<'_> {
    /// A Boolean function of planes of bits. Functions that nothing else reads are joined with that of their reader, as long as
    /// they read few bits together.
    pub(super) fn logic(&mut self, value: Value, function: &Logic, of: &[Value]) -> Result<(), CompileError> {
        let (function, of) = self.joined(function, of);
        for plane in &of {
            self.make(*plane)?;
        }
        let mut given = Vec::new();
        let mut inputs = Vec::new();
        for plane in &of {
            let keep = self.uses.left(*plane) > 1;
            given.push(vec![self.registers.bit(*plane).ok_or(CompileError::Lost(*plane))?]);
            inputs.push(Input { name: format!("b{}", inputs.len()), format: Format::BIT, keep });
        }
        // Everything else that is held stays.
        for (_, register) in self.registers.held_bits().into_iter().filter(|(plane, _)| !of.contains(plane)) {
            given.push(vec![register]);
            inputs.push(Input { name: format!("k{}", inputs.len()), format: Format::BIT, keep: true });
        }
        let declaration = Declaration {
            name: self.declaration.name.clone(),
            inputs,
            outputs: vec![Output { name: "result".to_owned(), formula: Formula::Logic(function) }],
            flag: true,
            nodes: self.declaration.options.nodes.saturating_mul(20),
        };
        let found = search(&declaration).map_err(|error| CompileError::Logic(value, Box::new(error)))?;
        for plane in &of {
            self.done(*plane);
        }
        let free = self.registers.free_bits(None);
        let program = found.program.program().placed(&given, &free).ok_or(CompileError::Bits(value))?;
        let proved = verify(&declaration, &program).map_err(|_| CompileError::Lost(value))?;
        self.push(Step::Execute(proved.program().listing.clone()));
        let result = *program.outputs.first().and_then(|bits| bits.first()).ok_or(CompileError::Lost(value))?;
        self.registers.hold_bit(result, value);
        Ok(())
    }

    /// A function with those that it reads put in, and the planes that are left.
    fn joined(&mut self, function: &Logic, of: &[Value]) -> (Logic, Vec<Value>) {
        let (mut function, mut planes) = (function.clone(), of.to_vec());
        loop {
            let inner = planes.iter().enumerate().find_map(|(place, plane)| match self.pending.get(plane) {
                Some(Operation::Logic { function, of }) if self.uses.left(*plane) == 1 => {
                    Some((place, *plane, function.clone(), of.clone()))
                }
                _ => None,
            });
            let Some((place, plane, inner, of)) = inner else { return (function, planes) };
            let mut next = planes.clone();
            next.remove(place);
            let numbers: Vec<usize> = of
                .iter()
                .map(|operand| {
                    next.iter().position(|known| known == operand).unwrap_or_else(|| {
                        next.push(*operand);
                        next.len() - 1
                    })
                })
                .collect();
            let inner = inner.with_pixels(&|input, bit, at| Some(Logic::Pixel { input: numbers[input], bit, at }));
            let put_in = |input: usize, bit: u32, at| {
                if input == place {
                    inner.as_ref()?.moved(at)
                } else {
                    Some(Logic::Pixel { input: input - usize::from(input > place), bit, at })
                }
            };
            let Some(all) = function.with_pixels(&put_in).filter(|all| all.pixels().len() <= MOST_BITS) else {
                return (function, planes);
            };
            // A plane that was read in both is read once now.
            let both: BTreeSet<Value> = of.iter().filter(|operand| planes.contains(operand)).copied().collect();
            for operand in both {
                self.uses.done(operand);
            }
            self.pending.remove(&plane);
            self.uses.done(plane);
            (function, planes) = (all, next);
        }
    }

    /// Bits in a rectangle.
    pub(super) fn inside(&mut self, value: Value, area: &[Number; 4]) -> Result<(), CompileError> {
        let first = self.numbers.more(4);
        for (place, number) in (first..).zip(area) {
            self.compute_of(place, formula(number));
        }
        let register = self.free_bit(value)?;
        self.push(Step::RegionOf { register, first });
        self.registers.hold_bit(register, value);
        Ok(())
    }

    /// Bits in the PEs of a pattern.
    pub(super) fn pattern(&mut self, value: Value, selection: Selection) -> Result<(), CompileError> {
        self.push(Step::Select(selection));
        self.controlled(value, SELECT)
    }

    /// A copy of what the controller selects.
    fn controlled(&mut self, value: Value, bit: Bit) -> Result<(), CompileError> {
        let y = self.free_bit(value)?;
        self.operation(PlaneOperation::Or { y, x: bit, z: bit })?;
        self.registers.hold_bit(y, value);
        Ok(())
    }

    /// Whether a number is less than another one, at a place.
    pub(super) fn is_less(&mut self, place: usize, number: usize, than: usize) {
        self.compute_of(place, vec![Term::Number(number), Term::Number(than), Term::Less]);
    }
}
