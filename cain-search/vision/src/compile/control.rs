//! Loops and decisions of the controller.

use std::collections::BTreeSet;

use cain_analysis::owned::Step;
use cain_isa::program::{Found, Held, Term};
use cain_isa::{Bit, PlaneOperation};

use super::numbers::place;
use super::registers::Registers;
use super::uses::{Uses, free, reads_neighbours};
use super::{CompileError, Compiler};
use crate::declaration::{Carried, Decision, Joined, Loop, Statement, Until, Value};
use crate::plan::Piece;

impl<'d> Compiler<'d> {
    /// Carries a body out several times. What it reads from outside is made before and stays; what is carried has the same
    /// registers at the beginning and at the end of each pass.
    pub(super) fn repeat(&mut self, of: &'d Loop) -> Result<(), CompileError> {
        let outer =
            self.hold_outer([of.body.as_slice(), of.until.statements()], of.carried.iter().map(|of| of.next))?;
        let mut places = Vec::new();
        for carried in &of.carried {
            let is_plane = self.is_plane(carried.inside);
            places.push(if is_plane { Some(self.bring(carried.first, carried.inside)?) } else { None });
        }
        // A plane that is next in a pass is made where it is wanted, if it is only one of them.
        for (carried, held) in of.carried.iter().zip(&places) {
            if let Some(held) = held {
                self.wanted.insert(carried.next, *held);
            }
        }
        for (carried, _) in of.carried.iter().zip(&places).filter(|(_, held)| held.is_none()) {
            self.copy_number(place(carried.inside), place(carried.first));
        }
        let goes_on = self.numbers.more(1);
        if matches!(of.until, Until::Stable(_)) {
            self.compute_of(goes_on, vec![Term::Constant(1.0)]);
        }
        let before = self.registers.clone();
        let inside = || of.carried.iter().map(|carried| carried.inside);
        inside().for_each(|value| self.uses.pin(value));
        let check = self.apart(|compiler| match &of.until {
            Until::Passes(count) => {
                let (done, count) = (place(of.counter), place(*count));
                compiler.compute_of(goes_on, vec![Term::Number(done), Term::Number(count), Term::Less]);
                Ok(())
            }
            Until::Fails { statements, condition } => {
                compiler.body(statements)?;
                compiler.copy_number(goes_on, place(*condition));
                Ok(())
            }
            Until::Stable(_) => Ok(()),
        })?;
        self.restore(&before)?;
        // What only the check reads is not held in the body.
        inside().for_each(|value| self.done(value));
        let body = self.apart(|compiler| compiler.pass(of, &places, goes_on))?;
        let stays: BTreeSet<Value> = inside().collect();
        let outside = before.without(&stays);
        self.restore(&outside)?;
        self.pieces.push(Piece::Loop { of, places: places.clone(), check, goes_on, body });
        for (carried, held) in of.carried.iter().zip(places) {
            match held {
                Some(held) if self.uses.left(carried.after) > 0 => self.registers.hold(held, carried.after),
                Some(_) => {}
                None => self.copy_number(place(carried.after), place(carried.inside)),
            }
        }
        self.release(outer);
        Ok(())
    }

    /// The body of a loop; at its end, everything that is carried is where the next pass expects it.
    fn pass(&mut self, of: &'d Loop, places: &[Option<Held>], goes_on: usize) -> Result<(), CompileError> {
        self.body(&of.body)?;
        let mut moves = Vec::new();
        let planes = || of.carried.iter().zip(places).filter_map(|(carried, held)| Some((carried, (*held)?)));
        self.locked.extend(planes().map(|(carried, _)| carried.next));
        for (carried, _) in planes() {
            self.make(carried.next)?;
        }
        if let Until::Stable(carried) = of.until {
            let Carried { inside, next, .. } = of.carried[carried];
            self.differs(goes_on, inside, next)?;
            self.done(inside);
        }
        for (carried, held) in planes() {
            moves.push((carried.next, self.made(carried.next)?, held));
        }
        self.move_all(&moves)?;
        planes().for_each(|(carried, _)| self.done(carried.next));
        // Numbers last, since planes may depend on those of this pass; all at once, since they may be each other.
        let numbers: Vec<_> = of.carried.iter().filter(|carried| !self.is_plane(carried.inside)).collect();
        let copies: Vec<usize> = numbers.iter().map(|_| self.numbers.more(1)).collect();
        for (copy, carried) in copies.iter().zip(&numbers) {
            self.copy_number(*copy, place(carried.next));
        }
        for (copy, carried) in copies.iter().zip(&numbers) {
            self.copy_number(place(carried.inside), *copy);
        }
        Ok(())
    }

    /// Carries out one of two bodies, after which everything is in the same registers.
    pub(super) fn decide(&mut self, of: &'d Decision) -> Result<(), CompileError> {
        let joined: Vec<&Joined> = of.joined.iter().filter(|joined| self.uses.left(joined.value) > 0).collect();
        let comes_out = joined.iter().flat_map(|joined| [joined.then, joined.otherwise]);
        let outer = self.hold_outer([of.then.as_slice(), of.otherwise.as_slice()], comes_out)?;
        // What only one of the bodies reads, and nothing afterwards, is not held in the other one.
        let [then_only, otherwise_only, in_both] = self.read_within(of, &joined, &outer);
        for value in then_only.iter().chain(&otherwise_only) {
            self.uses.done(*value);
        }
        let before = self.registers.clone();
        let planes: Vec<&Joined> = joined.iter().copied().filter(|joined| self.is_plane(joined.value)).collect();
        let numbers: Vec<&Joined> = joined.iter().copied().filter(|joined| !self.is_plane(joined.value)).collect();
        for joined in &planes {
            let kept = self.registers.place(joined.otherwise).filter(|_| otherwise_only.contains(&joined.otherwise));
            if let Some(held) = self.wanted.get(&joined.value).copied().or(kept) {
                self.wanted.entry(joined.then).or_insert(held);
            }
        }
        let is_left = |joined: &Joined| {
            let left = joined.otherwise;
            let is_read_later = !otherwise_only.contains(&left) && !in_both.contains(&left);
            !is_read_later && planes.iter().all(|other| other.then != left)
        };
        let mut homes: Vec<Option<Held>> = Vec::new();
        for joined in &planes {
            let wanted = self.wanted.get(&joined.value);
            let held = before.place(joined.otherwise).filter(|held| wanted == Some(held));
            // Bits lose nothing where they are copied, and are copied where that takes the fewest words.
            let is_analogue = |held: &Held| matches!(held, Held::Reg(_));
            let home = held.filter(|held| is_analogue(held) && is_left(joined) && !homes.contains(&Some(*held)));
            homes.push(home);
        }
        let mut places = Vec::new();
        self.registers.back_to(before.without(&otherwise_only));
        let then = self.apart(|compiler| {
            compiler.body(&of.then)?;
            compiler.locked.extend(planes.iter().map(|joined| joined.then));
            for joined in &planes {
                compiler.make(joined.then)?;
            }
            // What the other body leaves as it is stays where it is, such as a state that seldom changes.
            let mut moves = Vec::new();
            for (joined, home) in planes.iter().zip(&mut homes) {
                *home = home.filter(|home| compiler.registers.is_for(*home, &[joined.then, joined.otherwise]));
                if let Some(home) = home {
                    moves.push((joined.value, compiler.made(joined.then)?, *home));
                }
            }
            compiler.move_all(&moves)?;
            for (joined, home) in planes.iter().zip(&homes) {
                if let Some(home) = home {
                    compiler.done(joined.then);
                    compiler.registers.forget(joined.otherwise);
                    compiler.registers.hold(*home, joined.value);
                }
            }
            for (joined, home) in planes.iter().zip(&homes) {
                places.push(home.map_or_else(|| compiler.bring(joined.then, joined.value), Ok)?);
            }
            for joined in &numbers {
                compiler.copy_number(place(joined.value), place(joined.then));
            }
            Ok(())
        })?;
        self.registers.back_to(before.without(&then_only));
        let otherwise = self.apart(|compiler| {
            compiler.body(&of.otherwise)?;
            compiler.locked.extend(planes.iter().map(|joined| joined.otherwise));
            for (joined, held) in planes.iter().zip(&places) {
                compiler.wanted.entry(joined.otherwise).or_insert(*held);
                compiler.make(joined.otherwise)?;
            }
            let mut moves = Vec::new();
            for (joined, held) in planes.iter().zip(&places) {
                moves.push((joined.value, compiler.made(joined.otherwise)?, *held));
            }
            compiler.move_all(&moves)?;
            for joined in &planes {
                compiler.done(joined.otherwise);
            }
            for joined in &numbers {
                compiler.copy_number(place(joined.value), place(joined.otherwise));
            }
            Ok(())
        })?;
        let moved = planes.iter().zip(&homes).filter_map(|(joined, home)| home.map(|_| joined.otherwise));
        let gone = then_only.iter().chain(&otherwise_only).copied().chain(moved);
        self.restore(&before.without(&gone.collect()))?;
        planes.iter().zip(places).for_each(|(joined, held)| self.registers.hold(held, joined.value));
        self.pieces.push(Piece::Decide { of, then, otherwise });
        self.release(outer.into_iter().filter(|value| !then_only.contains(value) && !otherwise_only.contains(value)));
        Ok(())
    }

    /// Planes from outside that the bodies read and nothing afterwards: those that only one of both reads, of each, and the others.
    fn read_within(&self, of: &Decision, joined: &[&Joined], outer: &BTreeSet<Value>) -> [BTreeSet<Value>; 3] {
        let reads = |within: &Uses, ends: &[Value], value: Value| {
            within.left(value) + ends.iter().filter(|end| **end == value).count()
        };
        let then: Vec<Value> = joined.iter().map(|joined| joined.then).collect();
        let otherwise: Vec<Value> = joined.iter().map(|joined| joined.otherwise).collect();
        let [in_then, in_otherwise] = [&of.then, &of.otherwise].map(|body| self.uses.within(body));
        let mut read = [BTreeSet::new(), BTreeSet::new(), BTreeSet::new()];
        for value in outer {
            let reads = [reads(&in_then, &then, *value), reads(&in_otherwise, &otherwise, *value)];
            // One more, with which it is held.
            if self.uses.left(*value) == reads[0] + reads[1] + 1 {
                let of = match reads {
                    [_, 0] => 0,
                    [0, _] => 1,
                    _ => 2,
                };
                read[of].insert(*value);
            }
        }
        read
    }

    /// Makes what bodies read from outside, and these values if they are from there, and holds them until they are released.
    fn hold_outer<const N: usize>(
        &mut self,
        bodies: [&[Statement]; N],
        others: impl Iterator<Item = Value>,
    ) -> Result<BTreeSet<Value>, CompileError> {
        let read: BTreeSet<Value> = bodies.into_iter().flat_map(free).chain(others).collect();
        let is_outside = |value: &Value| {
            self.is_plane(*value) && (self.registers.place(*value).is_some() || self.pending.contains_key(value))
        };
        let outer: BTreeSet<Value> = read.into_iter().filter(is_outside).collect();
        self.locking(outer.clone(), |compiler| {
            for value in &outer {
                compiler.make(*value)?;
                compiler.uses.pin(*value);
            }
            Ok(())
        })?;
        if bodies.into_iter().any(reads_neighbours) {
            self.clear_switches()?;
        }
        Ok(outer)
    }

    fn release(&mut self, outer: impl IntoIterator<Item = Value>) {
        for value in outer {
            self.done(value);
        }
    }

    fn copy_number(&mut self, to: usize, from: usize) {
        self.compute_of(to, vec![Term::Number(from)]);
    }

    /// Whether two planes of bits differ anywhere, as a number.
    fn differs(&mut self, number: usize, one: Value, other: Value) -> Result<(), CompileError> {
        let (x, z) = (Bit::Reg(self.bit(one)?), Bit::Reg(self.bit(other)?));
        let free = [self.registers.free_bits(None), self.registers.free_with_roles()].concat();
        let &[y, t, u, ..] = free.as_slice() else { return Err(self.no_bits(other)) };
        self.operation(other, PlaneOperation::Xor { y, x, z, ts: [t, u] })?;
        self.push(Step::Find { what: Found::Any, of: Bit::Reg(y), first: number });
        Ok(())
    }

    /// Goes back to what registers held before, which has to be there still.
    fn restore(&mut self, before: &Registers) -> Result<(), CompileError> {
        if let Some((value, _)) =
            before.held().into_iter().find(|(value, held)| self.registers.place(*value) != Some(*held))
        {
            Err(CompileError::Unproved(Some(value)))
        } else {
            self.registers.back_to(before.clone());
            Ok(())
        }
    }
}
