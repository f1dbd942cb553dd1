//! Weighted sums.

use cain_analysis::owned::Step;
use cain_analysis::prove::Polynomial;
use cain_isa::program::Held;
use cain_isa::{Bus, Cell, Displacement, Instruction, Range, Reg, Word};
use cain_search::{Input, Objective, Options, Output};

use super::beyond::{narrow, over};
use super::copies::around;
use super::linear::Linear;
use super::{CompileError, Compiler};
use crate::declaration::{Kind, Operation, Summand, Value, reach};

/// The largest level that a sum should have, in DN.
pub(super) const LARGEST: f64 = 127.0;

/// With so few registers that a program may overwrite, they are why there is none.
const FEW: usize = 2;

/// The most pixels of a kernel that several sums are joined to.
const MOST_PIXELS: usize = 25;

impl Compiler<'_> {
    /// A plane as a sum of planes that are held, or not sums themselves.
    pub(super) fn linear(&self, of: Value) -> Linear {
        match self.pending.get(&of) {
            // A plane of which it is known what it typically is has to be somewhere.
            Some(operation @ Operation::Sum { .. }) if !self.has_sample(of) => {
                let mut linear = self.linear_of(operation);
                linear.joined.push(of);
                linear
            }
            _ => Linear::plane(of),
        }
    }

    fn has_sample(&self, value: Value) -> bool {
        self.declaration.samples.iter().any(|sample| sample.of == value)
    }

    /// A sum, with those that nothing else reads joined.
    pub(super) fn linear_of(&self, operation: &Operation) -> Linear {
        let Operation::Sum { summands, constant, numbers } = operation else { return Linear::plane(Value(usize::MAX)) };
        let reads = summands.iter().map(|summand| summand.of).collect();
        let plain = Linear {
            summands: summands.clone(),
            constant: *constant,
            numbers: numbers.clone(),
            reads,
            joined: Vec::new(),
            reach: reach(summands),
        };
        let mut all = Linear { summands: Vec::new(), reads: Vec::new(), ..plain.clone() };
        for summand in summands {
            let inner =
                if self.uses.left(summand.of) == 1 { self.linear(summand.of) } else { Linear::plane(summand.of) };
            let mut joined = all.clone();
            let is_joined = joined.add(&inner, summand.weight, summand.at).is_some();
            // Halves of a constant are made of it as a plane, and what is more than `IN` can be in several steps.
            if is_joined && (self.level_range(&joined).is_some() || self.level_range(&plain).is_none()) {
                all = joined;
            } else if all.add(&Linear::plane(summand.of), summand.weight, summand.at).is_none() {
                return plain;
            }
        }
        if all.summands.len() > MOST_PIXELS.max(summands.len()) { plain } else { all }
    }

    /// What is positive where a sum is, with weights of 1 or −1 if that is possible and `IN` can be what is added then.
    pub(super) fn reduced(&self, linear: Linear) -> Linear {
        let reduced = linear.clone().reduced();
        if self.level_range(&reduced).is_some() { reduced } else { linear }
    }

    /// The reads of a sum are done.
    pub(super) fn read(&mut self, linear: &Linear) {
        for plane in &linear.reads {
            self.done(*plane);
        }
        for joined in &linear.joined {
            self.pending.remove(joined);
            self.uses.done(*joined);
        }
    }

    /// Makes a sum.
    pub(super) fn sum(&mut self, value: Value, operation: &Operation) -> Result<(), CompileError> {
        let parted = match self.accumulated(value, operation)? {
            None => {
                let whole = self.put_in(operation);
                self.summed(value, whole.as_ref().unwrap_or(operation))?.or(whole)
            }
            parted => parted,
        };
        let linear = self.linear_of(parted.as_ref().unwrap_or(operation));
        let Some((divided, factor, rest)) = linear.divided() else { return self.sum_of(value, &linear) };
        let part = self.temporary(self.divided_kind(value, factor.to_f64()), value);
        self.sum_of(part, &divided)?;
        let multiple = Linear::of(&[Summand { of: part, weight: factor, at: Displacement::ZERO }]);
        self.sum_of(value, &Linear { constant: rest.constant, numbers: rest.numbers, ..multiple })
    }

    /// Makes a sum of planes, and adds a level.
    fn sum_of(&mut self, value: Value, linear: &Linear) -> Result<(), CompileError> {
        let needed: Vec<Value> = linear.summands.iter().map(|summand| summand.of).collect();
        let reg = self.locking(needed, |compiler| compiler.weighted(value, linear))?;
        self.read(linear);
        self.release_sources();
        self.registers.hold(Held::Reg(reg), value);
        if !linear.is_zero() {
            self.set_level_of(linear, value)?;
            self.transfers(value, &[(Cell::News, &[reg.into(), Cell::In]), (reg.into(), &[Cell::News])])?;
        }
        self.hold_reg(reg, value);
        Ok(())
    }

    /// Carries out transfers to one cell each.
    pub(super) fn transfers(&mut self, value: Value, transfers: &[(Cell, &[Cell])]) -> Result<(), CompileError> {
        transfers.iter().try_for_each(|(to, from)| self.words(value, &[(&[*to], from)]))
    }

    /// Carries out transfers.
    pub(super) fn words(&mut self, value: Value, transfers: &[(&[Cell], &[Cell])]) -> Result<(), CompileError> {
        let word = |(to, from): &(&[Cell], &[Cell])| Bus::new(to, from).map(|bus| Instruction::Word(Word::from(bus)));
        let words = transfers.iter().map(word).collect::<Result<Vec<_>, _>>();
        self.push(Step::Execute(words.map_err(|error| CompileError::Operation(value, error.into()))?));
        Ok(())
    }

    /// Makes the weighted planes of a sum; the register that has them then, which may be that of a plane that nothing else reads.
    pub(super) fn weighted(&mut self, value: Value, linear: &Linear) -> Result<Reg, CompileError> {
        let planes = planes(&linear.summands);
        for plane in &planes {
            self.make(*plane)?;
        }
        if planes.is_empty() {
            let reg = self.free(value)?;
            self.transfers(value, &[(Cell::News, &[]), (reg.into(), &[Cell::News])])?;
            return Ok(reg);
        }
        let mut inputs = Vec::new();
        for &plane in &planes {
            let keep = !linear.is_last_read(plane, self.uses.left(plane));
            inputs.push(Input { reg: self.reg(plane)?, keep });
        }
        let mut kernel = Polynomial::new();
        for summand in &linear.summands {
            let channel = planes.iter().position(|plane| *plane == summand.of).unwrap_or_default();
            let channel = Polynomial::input(u16::try_from(channel).unwrap_or(u16::MAX));
            kernel.add_scaled(&channel, summand.weight, summand.at).ok_or(CompileError::Level(value))?;
        }
        let given_up: Vec<Reg> = inputs.iter().filter(|input| !input.keep).map(|input| input.reg).collect();
        if given_up.is_empty() {
            self.free(value)?;
        }
        if let Some(reg) = self.hopped(value, linear, &given_up)? {
            return Ok(reg);
        }
        let mut room: Vec<Reg> = self.registers.free(self.wanted_reg(value));
        let out = match room.first() {
            Some(reg) if given_up.is_empty() || self.wanted_reg(value) == Some(*reg) => *reg,
            _ => *given_up.first().or_else(|| room.first()).ok_or_else(|| self.no_registers(value))?,
        };
        room.retain(|reg| *reg != out);
        let declaration = cain_search::Declaration {
            name: self.declaration.name.clone(),
            inputs,
            outputs: vec![Output { reg: out, kernel }],
            scratch: room,
            machine: self.declaration.machine,
            options: Options {
                objective: Objective::Icws,
                input: Some(self.range_of(&planes)),
                // It is the whole that others interrupt.
                interruption: None,
                ..self.declaration.options.clone()
            },
        };
        let mut found = match self.searches.sum(&declaration) {
            Ok(found) => found,
            // With another register, there may be one.
            Err(_) if self.give_up(false) => return self.weighted(value, linear),
            Err(_) if declaration.scratch.len() + given_up.len().max(1) <= FEW => return Err(self.no_registers(value)),
            Err(error) => return Err(CompileError::Sum(value, Box::new(error))),
        };
        let whole = self.origin(value);
        let mut beyond = self.beyond(linear, &planes, &found);
        let is_undefined = beyond.is_some_and(|over| !self.needed.is_within(whole, over));
        let mut refused = None;
        if is_undefined && over(linear, &found) != linear.reach {
            match self.searches.sum(&narrow(&declaration, linear)) {
                Ok(narrow) => {
                    beyond = self.beyond(linear, &planes, &narrow);
                    found = narrow;
                }
                Err(error) => refused = Some(CompileError::Sum(value, Box::new(error))),
            }
        }
        if let Some(over) = beyond {
            if !self.needed.is_within(whole, over) {
                while self.is_anew() && self.give_up(false) {}
                let plain = self.plain_sum(value, linear);
                // Not all weights are multiples of a power of one half.
                return plain.map_err(|error| refused.filter(|_| error == CompileError::Level(value)).unwrap_or(error));
            }
            // It may be made in parts, and more than once.
            let known = self.reaches.get(&whole).map_or(over, |known| around(*known, over));
            self.reaches.insert(whole, known);
            self.extents.clear();
        }
        self.push(Step::Execute(found.listing().to_vec()));
        Ok(out)
    }

    /// Sets `IN` to the constant and the numbers of a sum.
    pub(super) fn set_level_of(&mut self, linear: &Linear, value: Value) -> Result<(), CompileError> {
        let out = || CompileError::Level(value);
        let formula = linear.formula().ok_or_else(out)?;
        self.level_range(linear).ok_or_else(out)?;
        self.set_level(formula);
        Ok(())
    }

    /// Between which levels what is added to a sum is; `None` if `IN` cannot be all of them.
    fn level_range(&self, linear: &Linear) -> Option<(i8, i8)> {
        let (mut low, mut high) = (linear.constant.numerator(), linear.constant.numerator());
        for (weight, number) in &linear.numbers {
            let Kind::Number { low: least, high: most } = self.kind(*number) else { return None };
            let ends = [least, most].map(|end| end.saturating_mul(weight.numerator()));
            low = low.saturating_add(ends[0].min(ends[1]));
            high = high.saturating_add(ends[0].max(ends[1]));
        }
        let ends = i8::try_from(low).ok().zip(i8::try_from(high).ok());
        ends.filter(|_| linear.is_whole())
    }

    /// The values that planes can have, in whole DN.
    #[expect(clippy::cast_possible_truncation, reason = "saturates")]
    fn range_of(&self, planes: &[Value]) -> Range {
        let ends = planes.iter().filter_map(|plane| match self.kind(*plane) {
            Kind::Levels { low, high } => Some((low, high)),
            _ => None,
        });
        let (low, high) = ends.fold((0.0_f64, 1.0_f64), |(low, high), of| (low.min(of.0), high.max(of.1)));
        Range { min: low.floor().max(-128.0) as i16, max: high.ceil().min(127.0) as i16 }
    }
}

/// The planes of a sum, each once.
pub(super) fn planes(summands: &[Summand]) -> Vec<Value> {
    let mut planes = Vec::new();
    for summand in summands {
        if !planes.contains(&summand.of) {
            planes.push(summand.of);
        }
    }
    planes
}
