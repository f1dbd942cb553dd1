//! Functions of more bits than there are registers: their terms one after the other, each of bits that are made for it.

use std::collections::{BTreeMap, BTreeSet};

use cain_digital::Logic;
use cain_isa::{Displacement, Dreg};

use super::copies::around;
use super::linear::Linear;
use super::schedule::{Action, Room, Wanted, schedule};
use super::scheme::{Literal, SOURCES, Term};
use super::{CompileError, Compiler};
use crate::declaration::{Operation, Value};

/// The most terms of a function.
const MOST_TERMS: usize = 128;
/// The registers that are left for the result and for what is joined.
const ROOM: usize = 4;

impl Compiler<'_> {
    /// A function as terms, and as bits that have to be 1 in any case; `None` if there are too many terms, or if it reads other PEs.
    fn wanted_bits(&self, function: &Logic, of: &[Value]) -> Option<Wanted> {
        match function {
            Logic::Pixel { input, at, .. } if *at == Displacement::ZERO => {
                if let Some(Operation::Logic { function, of }) = self.inner(*of.get(*input)?) {
                    return self.wanted_bits(function, of);
                }
            }
            Logic::All(parts) => {
                let parts = parts.iter().map(|part| self.terms(part, of, false)).collect::<Option<Vec<_>>>()?;
                let (single, mut several): (Vec<_>, Vec<_>) = parts.into_iter().partition(|terms| terms.len() == 1);
                let gate: Term = single.into_iter().flatten().flatten().collect();
                if several.len() == 1 && gate.len() < SOURCES {
                    return Some(Wanted { terms: several.pop()?, gate });
                }
            }
            _ => {}
        }
        self.terms(function, of, false).map(|terms| Wanted { terms, gate: Vec::new() })
    }

    /// The function of a plane of bits that nothing else reads.
    fn inner(&self, value: Value) -> Option<&Operation> {
        self.pending.get(&value).copied().filter(|_| self.is_joinable(value))
    }

    /// A function as the terms of which any has to be 1; `None` if there are too many, or if it reads other PEs.
    fn terms(&self, function: &Logic, of: &[Value], is_complement: bool) -> Option<Vec<Term>> {
        match function {
            Logic::Constant(bit) => Some(if *bit == is_complement { vec![] } else { vec![vec![]] }),
            Logic::Pixel { input, at, .. } if *at == Displacement::ZERO => {
                let value = *of.get(*input)?;
                match self.inner(value) {
                    Some(Operation::Logic { function, of }) => self.terms(function, of, is_complement),
                    _ => Some(vec![vec![(value, !is_complement)]]),
                }
            }
            Logic::Not(part) => self.terms(part, of, !is_complement),
            Logic::Any(parts) | Logic::All(parts) => {
                let parts = parts.iter().map(|part| self.terms(part, of, is_complement)).collect::<Option<Vec<_>>>()?;
                let terms = if matches!(function, Logic::Any(_)) == is_complement {
                    parts.into_iter().try_fold(vec![vec![]], |terms: Vec<Term>, part| {
                        let fits = terms.len() * part.len() <= MOST_TERMS;
                        let join =
                            |term: &Term| part.iter().map(|more| [term.as_slice(), more].concat()).collect::<Vec<_>>();
                        fits.then(|| terms.iter().flat_map(join).collect())
                    })?
                } else {
                    parts.concat()
                };
                (terms.len() <= MOST_TERMS).then_some(terms)
            }
            _ => None,
        }
    }

    /// Whether a bit is a comparison that can be made at any time.
    fn is_comparison(&self, value: Value) -> bool {
        matches!(self.pending.get(&value), Some(Operation::Positive(_)))
    }

    /// Makes a function, if it is better made term by term.
    pub(super) fn streamed(&mut self, value: Value, function: &Logic, of: &[Value]) -> Result<bool, CompileError> {
        let Some(wanted) = self.wanted_bits(function, of) else { return Ok(false) };
        let literals: BTreeSet<Value> =
            wanted.terms.iter().flatten().chain(&wanted.gate).map(|(value, _)| *value).collect();
        let comparisons = literals.iter().filter(|value| self.is_comparison(**value)).count();
        let free = self.registers.free_bits(None).len();
        let has_room = literals.len() <= free;
        // All others are held at once.
        let others = literals.iter().filter(|value| self.pending.contains_key(value) && !self.is_comparison(**value));
        let is_full = others.count() + ROOM > free;
        // A word reads no more than four chunks.
        let is_too_long = |term: &Term| term.is_empty() || term.len() > SOURCES * SOURCES;
        if has_room || is_full || comparisons < 2 || wanted.terms.is_empty() || wanted.terms.iter().any(is_too_long) {
            return Ok(false);
        }
        self.join_all(function, of);
        let mut linears = BTreeMap::new();
        let mut reach = [Displacement::ZERO; 2];
        for literal in &literals {
            if let Some(Operation::Positive(of)) = self.pending.get(literal).copied() {
                let linear = if self.uses.left(*of) > 1 { Linear::plane(*of) } else { self.reduced(self.linear(*of)) };
                for summand in &linear.summands {
                    self.make(summand.of)?;
                }
                reach = around(reach, linear.reach);
                linears.insert(*literal, linear);
            } else {
                self.make(*literal)?;
            }
        }
        for linear in linears.values_mut() {
            linear.reach = reach;
        }
        let result = self.free_bit(value)?;
        let mut free = self.registers.free_bits(None);
        free.extend(Dreg::ALL[..5].iter().filter(|bit| self.registers.is_free_bit(**bit)));
        let given = literals.iter().filter_map(|literal| Some(((*literal, false), self.registers.bit(*literal)?)));
        let room = Room { free, given: given.collect(), result };
        let actions = schedule(&wanted, &room).ok_or_else(|| self.no_bits(value))?;
        for action in actions {
            match action {
                Action::Make(literal, to) => self.literal(value, literal, to, &linears)?,
                Action::Combine { to, of, is_inverted } => self.combine(value, to, &of, is_inverted)?,
            }
        }
        self.reaches.insert(value, reach);
        self.hold_bit(result, value);
        self.read_all(&literals, &linears);
        Ok(true)
    }

    /// Writes the complement of a literal.
    fn literal(
        &mut self,
        value: Value,
        (of, sign): Literal,
        to: Dreg,
        linears: &BTreeMap<Value, Linear>,
    ) -> Result<(), CompileError> {
        if let Some(linear) = linears.get(&of) {
            return self.compare(of, linear, to, sign);
        }
        let from = self.bit(of)?;
        self.combine(value, to, &[from], true)
    }

    /// The uses of functions that are put in are done.
    fn join_all(&mut self, function: &Logic, of: &[Value]) {
        for input in function.pixels().into_iter().map(|(input, _, _)| input).collect::<BTreeSet<_>>() {
            let value = of[input];
            if let Some(Operation::Logic { function, of }) = self.pending.get(&value).copied()
                && self.is_joinable(value)
            {
                self.pending.remove(&value);
                self.uses.done(value);
                self.join_all(function, of);
            }
        }
    }

    fn read_all(&mut self, literals: &BTreeSet<Value>, linears: &BTreeMap<Value, Linear>) {
        for literal in literals {
            self.done(*literal);
            if let (Some(linear), 0) = (linears.get(literal), self.uses.left(*literal)) {
                self.pending.remove(literal);
                self.read(linear);
            }
        }
    }
}
