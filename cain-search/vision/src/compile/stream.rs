//! Functions of more bits than there are registers: their terms one after the other, each of bits that are made for it.

use std::collections::BTreeMap;

use cain_digital::Logic;
use cain_isa::{Displacement, Dreg};

use super::copies::around;
use super::sums::Linear;
use super::{CompileError, Compiler};
use crate::declaration::{Operation, Value};

/// The most terms of a function.
const MOST_TERMS: usize = 128;
/// The most bits that one word reads.
const SOURCES: usize = 4;

/// A bit, or its complement.
type Literal = (Value, bool);
/// Bits all of which have to be 1.
type Term = Vec<Literal>;
/// Complements of literals, which one word joins; one of them, or several.
type Item = Vec<Literal>;

/// The bits that are there while a function is made.
struct Stream {
    terms: Vec<Vec<Item>>,
    /// The term that is made.
    now: usize,
    items: BTreeMap<Item, Dreg>,
    free: Vec<Dreg>,
    /// Terms that are made, and joined terms.
    parts: Vec<Dreg>,
}

/// How many terms before its use several literals are joined.
const AHEAD: usize = 6;

impl Stream {
    /// Several literals that are soon needed, and all there.
    fn ready(&self) -> Option<Item> {
        let is_there = |item: &Item| item.iter().all(|literal| self.items.contains_key(&vec![*literal]));
        let soon = self.terms.iter().skip(self.now).take(AHEAD).flatten();
        soon.into_iter().find(|item| item.len() > 1 && !self.items.contains_key(*item) && is_there(item)).cloned()
    }

    /// When an item is needed next, directly or for another one that is not there.
    fn next(&self, item: &Item) -> usize {
        let needs = |other: &Item| {
            other == item || item.len() == 1 && other.contains(&item[0]) && !self.items.contains_key(other)
        };
        (self.now..self.terms.len()).find(|term| self.terms[*term].iter().any(needs)).unwrap_or(usize::MAX)
    }
}

impl Compiler<'_> {
    /// A function as the terms of which any has to be 1; `None` if there are too many, or if it reads other PEs.
    pub(super) fn terms(&self, function: &Logic, of: &[Value], is_complement: bool) -> Option<Vec<Term>> {
        match function {
            Logic::Constant(bit) => Some(if *bit == is_complement { vec![] } else { vec![vec![]] }),
            Logic::Pixel { input, at, .. } if *at == Displacement::ZERO => {
                let value = *of.get(*input)?;
                match self.pending.get(&value) {
                    Some(Operation::Logic { function, of }) if self.is_joinable(value) => {
                        self.terms(function, of, is_complement)
                    }
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
        let Some(terms) = self.terms(function, of, false) else { return Ok(false) };
        let mut literals: Vec<Value> = terms.iter().flatten().map(|(value, _)| *value).collect();
        literals.sort_unstable();
        literals.dedup();
        let comparisons = literals.iter().filter(|value| self.is_comparison(**value)).count();
        if literals.len() <= self.registers.free_bits(None).len() || comparisons < 2 || terms.is_empty() {
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
        // A word reads no more than four chunks.
        if terms.iter().any(|term| term.is_empty() || term.len() > SOURCES * SOURCES) {
            return Ok(false);
        }
        let chunks = |term: &Term| term.chunks(SOURCES).map(<[Literal]>::to_vec).collect::<Vec<Item>>();
        let mut free = self.registers.free_bits(None);
        free.extend(Dreg::ALL[..5].iter().filter(|bit| self.registers.is_free_bit(**bit)));
        let mut stream = Stream {
            terms: terms.iter().map(chunks).collect(),
            now: 0,
            items: BTreeMap::new(),
            free,
            parts: Vec::new(),
        };
        for now in 0..stream.terms.len() {
            stream.now = now;
            let items = stream.terms[now].clone();
            let mut sources = Vec::new();
            for item in &items {
                sources.push(self.item(value, item, &items, &linears, &mut stream)?);
            }
            let part = self.room(value, &items, &mut stream)?;
            self.combine(value, part, &sources, true)?;
            stream.parts.push(part);
        }
        let y = self.free_bit(value)?;
        self.finish(value, y, &mut stream)?;
        self.reaches.insert(value, reach);
        self.hold_bit(y, value);
        self.read_all(&literals, &linears);
        Ok(true)
    }

    /// The uses of functions that are put in are done.
    fn join_all(&mut self, function: &Logic, of: &[Value]) {
        for input in function.pixels().into_iter().map(|(input, _, _)| input).collect::<std::collections::BTreeSet<_>>()
        {
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

    fn read_all(&mut self, literals: &[Value], linears: &BTreeMap<Value, Linear>) {
        for literal in literals {
            self.done(*literal);
            if let (Some(linear), 0) = (linears.get(literal), self.uses.left(*literal)) {
                self.pending.remove(literal);
                self.read(linear);
            }
        }
    }

    /// The register with an item, which is made if it is not there.
    fn item(
        &mut self,
        value: Value,
        item: &Item,
        needed: &[Item],
        linears: &BTreeMap<Value, Linear>,
        stream: &mut Stream,
    ) -> Result<Dreg, CompileError> {
        if let Some(register) = stream.items.get(item) {
            return Ok(*register);
        }
        if let [(literal, sign)] = item.as_slice() {
            if let Some(register) = self.registers.bit(*literal)
                && !*sign
            {
                return Ok(register);
            }
            let register = self.room(value, needed, stream)?;
            if let Some(linear) = linears.get(literal) {
                self.compare(*literal, linear, register, *sign)?;
            } else {
                let from = self.bit(*literal)?;
                self.combine(value, register, &[from], true)?;
            }
            stream.items.insert(item.clone(), register);
            // What can be joined with it now needs its parts no more. Where there is little room, one pushes out another one.
            let mut joined: Vec<Item> = Vec::new();
            while let Some(next) = stream.ready().filter(|next| !joined.contains(next)) {
                let parts = next.iter().map(|literal| vec![*literal]).collect::<Vec<Item>>();
                let needed = [needed, std::slice::from_ref(item), &parts].concat();
                let is_full = stream.free.len() < 2 && stream.parts.len() < 2;
                if is_full && stream.items.keys().all(|item| needed.contains(item)) {
                    break;
                }
                self.item(value, &next, &needed, linears, stream)?;
                joined.push(next);
            }
            return Ok(register);
        }
        let parts: Vec<Item> = item.iter().map(|literal| vec![*literal]).collect();
        let all = [needed, &parts].concat();
        let mut sources = Vec::new();
        for part in &parts {
            sources.push(self.item(value, part, &all, linears, stream)?);
        }
        // It may have been made on the way.
        if let Some(register) = stream.items.get(item) {
            return Ok(*register);
        }
        let register = self.room(value, &all, stream)?;
        self.combine(value, register, &sources, false)?;
        stream.items.insert(item.clone(), register);
        Ok(register)
    }

    /// A register for something new; one is left for joining terms.
    fn room(&mut self, value: Value, needed: &[Item], stream: &mut Stream) -> Result<Dreg, CompileError> {
        if stream.parts.len() == SOURCES || stream.free.len() < 2 && stream.parts.len() > 1 {
            self.join_parts(value, stream)?;
        }
        if stream.free.len() < 2 {
            let farthest =
                stream.items.keys().filter(|item| !needed.contains(item)).max_by_key(|item| stream.next(item));
            let farthest = farthest.cloned().ok_or_else(|| self.no_bits(value))?;
            stream.free.extend(stream.items.remove(&farthest));
        }
        stream.free.pop().ok_or_else(|| self.no_bits(value))
    }

    fn join_parts(&mut self, value: Value, stream: &mut Stream) -> Result<(), CompileError> {
        let all = stream.free.pop().ok_or_else(|| self.no_bits(value))?;
        let parts = std::mem::take(&mut stream.parts);
        self.combine(value, all, &parts, false)?;
        stream.free.extend(parts);
        stream.parts.push(all);
        Ok(())
    }

    /// Joins all terms in a register.
    fn finish(&mut self, value: Value, y: Dreg, stream: &mut Stream) -> Result<(), CompileError> {
        let parts: Vec<Dreg> = stream.parts.iter().copied().filter(|part| *part != y).collect();
        if parts.len() == stream.parts.len() {
            return self.combine(value, y, &parts, false);
        }
        // One of them is there already.
        if parts.is_empty() {
            return Ok(());
        }
        let other = stream.free.iter().copied().chain(stream.items.values().copied()).find(|free| *free != y);
        let other = other.ok_or_else(|| self.no_bits(value))?;
        self.combine(value, other, &stream.parts, false)?;
        self.combine(value, y, &[other], false)
    }
}
