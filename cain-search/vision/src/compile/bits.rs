//! Planes of bits.

use std::collections::BTreeSet;

use cain_analysis::owned::Step;
use cain_digital::{ALIKE, Declaration, Format, Formula, Input, Logic, Output, SearchError};
use cain_isa::asm::digital::{SELECT, clr, set};
use cain_isa::program::{Held, Selection};
use cain_isa::{Bit, Displacement, Dreg, PlaneOperation};

use super::listing::Listing;
use super::numbers::formula;
use super::{CompileError, Compiler};
use crate::declaration::{Number, Operation, Value};

/// Planes for which there is room in any case, with registers that have a role.
pub(super) const FEW: usize = 4;
/// The most bits that a joined function reads.
const MOST_BITS: usize = 9;

impl Compiler<'_> {
    /// A Boolean function of planes of bits. Functions that nothing else reads are joined with that of their reader, as long as
    /// they read few bits together.
    pub(super) fn logic(&mut self, value: Value, function: &Logic, of: &[Value]) -> Result<(), CompileError> {
        let (function, of) = self.once(function, of);
        if let (Logic::Not(part), [plane]) = (&function, of.as_slice())
            && **part == Logic::pixel(0, Displacement::ZERO)
            && let Some(Operation::Positive(compared)) = self.pending.get(plane).copied()
            && self.is_joinable(*plane)
        {
            self.pending.remove(plane);
            self.uses.done(*plane);
            return self.positive(value, *compared, true);
        }
        if self.streamed(value, &function, &of)? {
            return Ok(());
        }
        let (function, of) = self.without_many(value, function, of)?;
        let (function, of) = self.joined(function, of);
        if of.is_empty() {
            let y = self.free_bit(value)?;
            let bit = function.evaluate(&|_, _, _| false);
            self.push(Step::Execute(vec![if bit { set(&[Bit::Reg(y)]) } else { clr(&[Bit::Reg(y)]) }]));
            self.hold_bit(y, value);
            return Ok(());
        }
        self.locking(of.clone(), |compiler| {
            compiler.make_all(&of)?;
            let (mut function, mut of) = (function, of);
            loop {
                match compiler.gates(value, &function, &of) {
                    // With another register, there may be a program, or with a smaller function.
                    Err(_) if compiler.bring_home()? || compiler.give_up_bit()? => {}
                    Err(error) => (function, of) = compiler.split_off(value, &function, of, error)?,
                    Ok(()) => return Ok(()),
                }
            }
        })
    }

    /// Finds a program for a function of planes that are held.
    fn gates(&mut self, value: Value, function: &Logic, of: &[Value]) -> Result<(), CompileError> {
        if function.pixels().into_iter().any(|(_, _, at)| at != Displacement::ZERO) {
            self.clear_switches()?;
        }
        let mut given = Vec::new();
        let mut inputs = Vec::new();
        let mut give = |register: Dreg, name: char, keep: bool| {
            let at = Some(register).filter(|register| !ALIKE.contains(register));
            inputs.push(Input { name: format!("{name}{}", inputs.len()), format: Format::BIT, keep, at });
            given.push(vec![register]);
        };
        for plane in of {
            give(self.bit(*plane)?, 'b', self.uses.left(*plane) > 1);
        }
        // Everything else that is held stays.
        for (_, register) in self.registers.held_bits().into_iter().filter(|(plane, _)| !of.contains(plane)) {
            give(register, 'k', true);
        }
        let declaration = Declaration {
            name: self.declaration.name.clone(),
            inputs,
            outputs: vec![Output { name: "result".to_owned(), formula: Formula::Logic(function.clone()) }],
            flag: true,
            nodes: self.declaration.options.nodes.saturating_mul(20),
        };
        let found = self.searches.function(&declaration).map_err(|error| match error {
            SearchError::Registers(_) => self.no_bits(value),
            error => CompileError::Logic(value, Box::new(error)),
        })?;
        let spare = self.registers.free_bits(None);
        // The result is left where it is made.
        let program = found.placed(&given, &self.registers.every_bit()).ok_or_else(|| self.no_bits(value))?;
        let result = program.outputs.first().and_then(|bits| bits.first());
        let result = *result.ok_or(CompileError::Unproved(Some(value)))?;
        let mut listing = Listing::of(&program.listing, result);
        listing.leave_switches(&spare);
        for plane in of {
            self.done(*plane);
        }
        let wanted = match self.wanted.get(&value) {
            Some(Held::Bit(Bit::Reg(bit))) if self.registers.is_free_bit(*bit) => Some(*bit),
            _ => None,
        };
        if wanted.is_none_or(|wanted| listing.result != wanted && !listing.made_in(&[wanted]))
            && !ALIKE.contains(&listing.result)
        {
            let free = self.registers.free_bits(wanted);
            if !listing.made_in(&free)
                && let Some(to) = free.first()
            {
                listing.copy_to(*to);
            }
        }
        self.push(Step::Execute(listing.instructions()));
        self.hold_bit(listing.result, value);
        Ok(())
    }

    /// Whether nothing else reads a plane, so that it need not be made.
    pub(super) fn is_joinable(&self, plane: Value) -> bool {
        self.uses.left(plane) == 1 && !self.claimed.contains(&plane)
    }

    /// A function that reads each plane once, and none that do not matter.
    fn once(&mut self, function: &Logic, of: &[Value]) -> (Logic, Vec<Value>) {
        let mut planes: Vec<Value> = Vec::new();
        let read: BTreeSet<usize> = function.pixels().into_iter().map(|(input, _, _)| input).collect();
        let mut numbers = Vec::new();
        for (input, plane) in of.iter().enumerate() {
            let known = planes.iter().position(|known| known == plane);
            if !read.contains(&input) || known.is_some() {
                self.done(*plane);
            }
            numbers.push(known.unwrap_or(planes.len()));
            if read.contains(&input) && known.is_none() {
                planes.push(*plane);
            }
        }
        let renumbered = |input: usize, bit, at| Some(Logic::Pixel { input: numbers[input], bit, at });
        (function.with_pixels(&renumbered).unwrap_or_else(|| function.clone()), planes)
    }

    /// A function with those that it reads put in, and the planes that are left.
    fn joined(&mut self, mut function: Logic, mut planes: Vec<Value>) -> (Logic, Vec<Value>) {
        loop {
            let inner = planes.iter().enumerate().find_map(|(place, plane)| match self.pending.get(plane) {
                Some(Operation::Logic { function, of }) if self.is_joinable(*plane) => {
                    Some((place, *plane, function.clone(), of.clone()))
                }
                _ => None,
            });
            let Some((place, plane, inner, of)) = inner else { return (function, planes) };
            // Elsewhere it is 0 outside of the array, which its function has to be as well.
            let is_here = |logic: &Logic, of: &dyn Fn(usize) -> bool| {
                logic.pixels().into_iter().all(|(input, _, at)| !of(input) || at == Displacement::ZERO)
            };
            let is_zero = is_here(&inner, &|_| true) && !inner.evaluate(&|_, _, _| false);
            if !is_zero && !is_here(&function, &|input| input == place) {
                return (function, planes);
            }
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
            // Those that have to be made for it have to be there at once.
            let missing = next.iter().filter(|plane| self.pending.contains_key(plane)).count();
            if missing >= self.registers.free_bits(None).len().max(FEW) {
                return (function, planes);
            }
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
        self.hold_bit(register, value);
        Ok(())
    }

    /// Bits in the PEs of a pattern.
    pub(super) fn pattern(&mut self, value: Value, selection: Selection) -> Result<(), CompileError> {
        let y = self.free_bit(value)?;
        self.push(Step::Select(selection));
        self.operation(value, PlaneOperation::Or { y, x: SELECT, z: SELECT })?;
        self.hold_bit(y, value);
        Ok(())
    }
}
