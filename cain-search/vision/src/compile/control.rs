//! Loops, decisions and lists, and planes that move by numbers of the controller.

use std::collections::BTreeSet;

use cain_isa::program::owned::Step;
use cain_isa::program::{Found, Held, Term};
use cain_isa::{Bit, PlaneOperation};

use super::numbers::place;
use super::uses::free;
use super::{CompileError, Compiler};
use crate::declaration::{Decision, Kind, Loop, Statement, Until, Value};

impl<'d> Compiler<'d> {
    /// Carries a body out several times. What it reads from outside is made before and stays; what is carried has the same
    /// registers at the beginning and at the end of each pass.
    pub(super) fn repeat(&mut self, of: &'d Loop) -> Result<(), CompileError> {
        let outer = self.hold_outer([of.body.as_slice(), check_of(&of.until)])?;
        let mut places = Vec::new();
        let (planes, numbers): (Vec<_>, Vec<_>) = of.carried.iter().partition(|carried| self.is_plane(carried.inside));
        for carried in planes {
            let first = self.bring(carried.first, carried.inside)?;
            places.push((carried, first));
        }
        for carried in &numbers {
            self.copy_number(place(carried.inside), place(carried.first));
        }
        let goes_on = self.numbers.more(1);
        if matches!(of.until, Until::Stable(_)) {
            self.compute_of(goes_on, vec![Term::Constant(1.0)]);
        }
        let before = self.registers.clone();
        let check = self.apart(|compiler| match &of.until {
            Until::Passes(count) => {
                compiler.is_less(goes_on, place(of.counter), place(*count));
                Ok(())
            }
            Until::Fails { statements, condition } => {
                compiler.body(statements)?;
                compiler.copy_number(goes_on, place(*condition));
                Ok(())
            }
            Until::Stable(_) => Ok(()),
        })?;
        self.same(&before)?;
        let body = self.apart(|compiler| {
            compiler.body(&of.body)?;
            if let Until::Stable(carried) = of.until {
                let of = &of.carried[carried];
                compiler.differs(goes_on, of.inside, of.next)?;
            }
            compiler.pass_on(&places, of)
        })?;
        self.same(&before)?;
        self.push(Step::Loop { most: of.most, counter: place(of.counter), check, goes_on, body });
        for (carried, held) in places {
            self.registers.forget(carried.inside);
            if self.uses.left(carried.after) > 0 {
                self.registers.hold_at(held, carried.after);
            }
        }
        for carried in numbers {
            self.copy_number(place(carried.after), place(carried.inside));
        }
        self.release(outer);
        Ok(())
    }

    /// Carries out one of two bodies, after which everything is in the same registers.
    pub(super) fn decide(&mut self, of: &'d Decision) -> Result<(), CompileError> {
        let mut outer = self.hold_outer([of.then.as_slice(), of.otherwise.as_slice()])?;
        // What comes out may be a plane from outside.
        for value in of.joined.iter().flat_map(|joined| [joined.then, joined.otherwise]) {
            if self.registers.place(value).is_some() || self.pending.contains_key(&value) {
                self.make(value)?;
                if outer.insert(value) {
                    self.uses.pin(value);
                }
            }
        }
        let joined: Vec<_> = of.joined.iter().filter(|joined| self.uses.left(joined.value) > 0).collect();
        let before = self.registers.clone();
        let mut places = Vec::new();
        let then = self.apart(|compiler| {
            compiler.body(&of.then)?;
            for joined in &joined {
                if compiler.is_plane(joined.value) {
                    places.push(compiler.bring(joined.then, joined.value)?);
                } else {
                    compiler.copy_number(place(joined.value), place(joined.then));
                }
            }
            Ok(())
        })?;
        let after = std::mem::replace(&mut self.registers, before);
        let otherwise = self.apart(|compiler| {
            compiler.body(&of.otherwise)?;
            let mut places = places.iter();
            for joined in &joined {
                if !compiler.is_plane(joined.value) {
                    compiler.copy_number(place(joined.value), place(joined.otherwise));
                } else if let Some(held) = places.next() {
                    compiler.wanted.insert(joined.value, *held);
                    let found = compiler.bring(joined.otherwise, joined.value)?;
                    compiler.move_to(joined.value, found, *held)?;
                }
            }
            Ok(())
        })?;
        self.same(&after)?;
        self.push(Step::Decide { number: place(of.condition), then, otherwise });
        self.release(outer);
        Ok(())
    }

    /// Makes what bodies read from outside, and holds it until it is released.
    fn hold_outer<const N: usize>(&mut self, bodies: [&[Statement]; N]) -> Result<BTreeSet<Value>, CompileError> {
        let outer: BTreeSet<Value> = bodies.into_iter().flat_map(free).filter(|value| self.is_plane(*value)).collect();
        for value in &outer {
            self.make(*value)?;
            self.uses.pin(*value);
        }
        Ok(outer)
    }

    fn release(&mut self, outer: BTreeSet<Value>) {
        outer.into_iter().for_each(|value| self.done(value));
    }

    pub(super) fn is_plane(&self, value: Value) -> bool {
        !matches!(self.kind(value), Kind::Number { .. })
    }

    /// Brings a plane into a register of its own under another name; counts a use of it.
    fn bring(&mut self, of: Value, value: Value) -> Result<Held, CompileError> {
        self.make(of)?;
        let held = self.registers.place(of).ok_or(CompileError::Lost(of))?;
        if self.uses.left(of) == 1 {
            self.done(of);
            self.registers.hold_at(held, value);
            return Ok(held);
        }
        let to = match held {
            Held::Reg(_) => Held::Reg(self.free(value)?),
            Held::Bit(_) => Held::Bit(Bit::Reg(self.free_bit(value)?)),
        };
        self.transfer(to, held)?;
        self.done(of);
        self.registers.hold_at(to, value);
        Ok(to)
    }

    /// Moves a value from a register to another one, which is free.
    fn move_to(&mut self, value: Value, from: Held, to: Held) -> Result<(), CompileError> {
        if from == to {
            return Ok(());
        }
        self.transfer(to, from)?;
        self.registers.clear(from);
        self.registers.hold_at(to, value);
        Ok(())
    }

    pub(super) fn transfer(&mut self, to: Held, from: Held) -> Result<(), CompileError> {
        match (to, from) {
            (Held::Reg(to), Held::Reg(from)) => self.copy(to, from),
            (Held::Bit(Bit::Reg(y)), Held::Bit(x)) => self.operation(PlaneOperation::Or { y, x, z: x }),
            _ => Ok(()),
        }
    }

    fn copy_number(&mut self, to: usize, from: usize) {
        self.compute_of(to, vec![Term::Number(from)]);
    }

    /// Whether two planes of bits differ anywhere, as a number.
    fn differs(&mut self, number: usize, one: Value, other: Value) -> Result<(), CompileError> {
        let (x, z) = (Bit::Reg(self.bit(one)?), Bit::Reg(self.bit(other)?));
        let &[y, t, u, ..] = self.registers.free_bits(None).as_slice() else { return Err(CompileError::Bits(one)) };
        self.operation(PlaneOperation::Xor { y, x, z, ts: [t, u] })?;
        self.push(Step::Find { what: Found::Any, of: Bit::Reg(y), first: number });
        Ok(())
    }

    /// Adds numbers to a list.
    pub(super) fn append(&mut self, list: usize, numbers: &[Value]) {
        let _ = (list, numbers);
    }
}

fn check_of(until: &Until) -> &[Statement] {
    if let Until::Fails { statements, .. } = until { statements } else { &[] }
}

impl Compiler<'_> {
    /// Brings what a pass leaves into the registers in which the next one expects it, all at once.
    fn pass_on(&mut self, places: &[(&crate::declaration::Carried, Held)], of: &Loop) -> Result<(), CompileError> {
        // Numbers first: their formulas may read each other.
        let numbers: Vec<_> = of.carried.iter().filter(|carried| !self.is_plane(carried.inside)).collect();
        let copies: Vec<usize> = numbers.iter().map(|_| self.numbers.more(1)).collect();
        for (copy, carried) in copies.iter().zip(&numbers) {
            self.copy_number(*copy, place(carried.next));
        }
        for (copy, carried) in copies.iter().zip(&numbers) {
            self.copy_number(place(carried.inside), *copy);
        }
        let mut moves = Vec::new();
        for (carried, held) in places {
            self.make(carried.next)?;
            let from = self.registers.place(carried.next).ok_or(CompileError::Lost(carried.next))?;
            moves.push((from, *held));
        }
        self.move_all(&moves)?;
        for (carried, held) in places {
            self.done(carried.next);
            self.done(carried.inside);
            self.registers.forget(carried.next);
            self.registers.hold_at(*held, carried.inside);
        }
        Ok(())
    }

    /// Moves planes between registers, all at once: a cycle goes over a free register.
    pub(super) fn move_all(&mut self, moves: &[(Held, Held)]) -> Result<(), CompileError> {
        let mut left: Vec<(Held, Held)> = moves.iter().copied().filter(|(from, to)| from != to).collect();
        while !left.is_empty() {
            if let Some(ready) = left.iter().position(|(_, to)| left.iter().all(|(from, _)| from != to)) {
                let (from, to) = left.remove(ready);
                self.transfer(to, from)?;
                continue;
            }
            let (from, _) = left[0];
            let beside = match from {
                Held::Reg(_) => self.registers.free(None).first().copied().map(Held::Reg),
                Held::Bit(_) => self.registers.free_bits(None).first().copied().map(|bit| Held::Bit(Bit::Reg(bit))),
            };
            let beside = beside.ok_or(CompileError::Cycle)?;
            self.transfer(beside, from)?;
            for (other, _) in left.iter_mut().filter(|(other, _)| *other == from) {
                *other = beside;
            }
        }
        Ok(())
    }

    /// Fails unless registers hold the same as before.
    fn same(&self, before: &super::registers::Registers) -> Result<(), CompileError> {
        match before.held().into_iter().find(|(value, held)| self.registers.place(*value) != Some(*held)) {
            Some((value, _)) => Err(CompileError::Lost(value)),
            None => Ok(()),
        }
    }
}
