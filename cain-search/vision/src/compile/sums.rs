//! Weighted sums.

use cain_isa::program::Term;
use cain_isa::program::owned::Step;
use cain_isa::prove::Polynomial;
use cain_isa::{Bus, Cell, Displacement, Fraction, Instruction, PlaneOperation, Range, Reg, Word};
use cain_search::{Input, Objective, Options, Output, search};

use super::{CompileError, Compiler, numbers};
use crate::declaration::{Kind, Operation, Summand, Value};

/// A plane as a weighted sum of others that are held or made in another way.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Linear {
    pub(super) summands: Vec<Summand>,
    pub(super) constant: Fraction,
    pub(super) numbers: Vec<(Fraction, Value)>,
    /// The planes, as often as they are read.
    reads: Vec<Value>,
    /// The sums that are joined with it, and not made themselves.
    joined: Vec<Value>,
}

impl Linear {
    fn plane(of: Value) -> Self {
        let summand = Summand { of, weight: Fraction::ONE, at: Displacement::ZERO };
        Self { summands: vec![summand], constant: Fraction::ZERO, numbers: vec![], reads: vec![of], joined: vec![] }
    }

    /// Whether nothing is added to the planes.
    pub(super) fn is_zero(&self) -> bool {
        self.numbers.is_empty() && self.constant == Fraction::ZERO
    }

    /// Whether what is added to the planes is a whole number.
    pub(super) fn is_whole(&self) -> bool {
        self.constant.denominator() == 1 && self.numbers.iter().all(|(weight, _)| weight.denominator() == 1)
    }

    /// What is added to the planes, as a formula; `None` if it is no whole number.
    #[expect(clippy::cast_precision_loss, reason = "numbers of a controller are small")]
    pub(super) fn formula(&self) -> Option<Vec<Term>> {
        let mut terms = vec![Term::Constant(self.constant.numerator() as f64)];
        for (weight, value) in &self.numbers {
            let number = Term::Number(numbers::place(*value));
            terms.extend([number, Term::Constant(weight.numerator() as f64), Term::Multiply, Term::Add]);
        }
        self.is_whole().then_some(terms)
    }

    /// Adds a multiple of another one, read at a displacement; `None` beyond exact arithmetic.
    fn add(&mut self, other: &Self, weight: Fraction, at: Displacement) -> Option<()> {
        for summand in &other.summands {
            let weight = summand.weight.checked_mul(weight)?;
            let at = Displacement::new(summand.at.x.checked_add(at.x)?, summand.at.y.checked_add(at.y)?);
            match self.summands.iter_mut().find(|known| known.of == summand.of && known.at == at) {
                Some(known) => known.weight = known.weight.checked_add(weight)?,
                None => self.summands.push(Summand { of: summand.of, weight, at }),
            }
        }
        self.summands.retain(|summand| !summand.weight.is_zero());
        self.constant = self.constant.checked_add(other.constant.checked_mul(weight)?)?;
        for (of, number) in &other.numbers {
            self.numbers.push((of.checked_mul(weight)?, *number));
        }
        self.reads.extend(&other.reads);
        self.joined.extend(&other.joined);
        Some(())
    }
}

/// The most pixels of a kernel that several sums are joined to.
const MOST_PIXELS: usize = 25;

impl Compiler<'_> {
    /// A plane as a sum of planes that are held, or not sums themselves.
    pub(super) fn linear(&self, of: Value) -> Linear {
        match self.pending.get(&of) {
            Some(operation @ Operation::Sum { .. }) => {
                let mut linear = self.linear_of(operation);
                linear.joined.push(of);
                linear
            }
            _ => Linear::plane(of),
        }
    }

    /// A sum, with those that nothing else reads joined.
    fn linear_of(&self, operation: &Operation) -> Linear {
        let Operation::Sum { summands, constant, numbers } = operation else { return Linear::plane(Value(usize::MAX)) };
        let reads = summands.iter().map(|summand| summand.of).collect();
        let plain = Linear {
            summands: summands.clone(),
            constant: *constant,
            numbers: numbers.clone(),
            reads,
            joined: Vec::new(),
        };
        let mut all = Linear { summands: Vec::new(), reads: Vec::new(), ..plain.clone() };
        for summand in summands {
            let inner = if self.uses.left(summand.of) == 1 { self.linear(summand.of) } else { Linear::plane(summand.of) };
            if all.add(&inner, summand.weight, summand.at).is_none() {
                return plain;
            }
        }
        if all.summands.len() > MOST_PIXELS.max(summands.len()) { plain } else { all }
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
        let linear = self.linear_of(operation);
        let planes = planes(&linear.summands);
        for plane in &planes {
            self.make(*plane)?;
        }
        let reg = if planes.is_empty() {
            let reg = self.free(value)?;
            self.clear(reg)?;
            reg
        } else {
            self.weighted(value, &linear, &planes)?
        };
        self.read(&linear);
        self.registers.hold(reg, value);
        if linear.is_zero() {
            return Ok(());
        }
        self.set_level_of(&linear, value)?;
        self.transfers(&[(Cell::News, &[reg.into(), Cell::In]), (reg.into(), &[Cell::News])])
    }

    fn clear(&mut self, reg: Reg) -> Result<(), CompileError> {
        self.transfers(&[(Cell::News, &[]), (reg.into(), &[Cell::News])])
    }

    pub(super) fn transfers(&mut self, transfers: &[(Cell, &[Cell])]) -> Result<(), CompileError> {
        let word = |(to, from): &(Cell, &[Cell])| Bus::new(&[*to], from).map(|bus| Instruction::Word(Word::from(bus)));
        let words = transfers.iter().map(word).collect::<Result<Vec<_>, _>>();
        self.push(Step::Execute(words.map_err(|error| CompileError::Operation(error.into()))?));
        Ok(())
    }

    /// Makes the weighted planes of a sum; the register that has them then.
    fn weighted(&mut self, value: Value, linear: &Linear, planes: &[Value]) -> Result<Reg, CompileError> {
        let kept = |compiler: &Self, plane: Value| compiler.uses.left(plane) > linear.reads.iter().filter(|read| **read == plane).count();
        let inputs = planes
            .iter()
            .map(|&plane| Ok(Input { reg: self.registers.reg(plane).ok_or(CompileError::Lost(plane))?, keep: kept(self, plane) }))
            .collect::<Result<Vec<_>, CompileError>>()?;
        let mut kernel = Polynomial::new();
        for summand in &linear.summands {
            let channel = planes.iter().position(|plane| *plane == summand.of).unwrap_or_default();
            let channel = Polynomial::input(u16::try_from(channel).unwrap_or(u16::MAX));
            kernel.add_scaled(&channel, summand.weight, summand.at).ok_or(CompileError::Level(value))?;
        }
        let given_up: Vec<Reg> = inputs.iter().filter(|input| !input.keep).map(|input| input.reg).collect();
        let mut room: Vec<Reg> = self.registers.free(None);
        let out = match self.free(value) {
            Ok(reg) if given_up.is_empty() || self.wanted.contains_key(&value) => reg,
            _ => *given_up.first().or_else(|| room.first()).ok_or(CompileError::Registers(value))?,
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
                input: Some(self.range_of(planes)),
                ..self.declaration.options.clone()
            },
        };
        let found = search(&declaration).map_err(|error| CompileError::Sum(value, Box::new(error)))?;
        self.push(Step::Execute(found.program.listing().to_vec()));
        Ok(out)
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

    /// A plane that is copied.
    pub(super) fn copy(&mut self, to: Reg, from: Reg) -> Result<(), CompileError> {
        self.operation(PlaneOperation::Shift { y: to, x: from, from: Displacement::ZERO })
    }
}

/// The planes of a sum, each once.
fn planes(summands: &[Summand]) -> Vec<Value> {
    let mut planes = Vec::new();
    for summand in summands {
        if !planes.contains(&summand.of) {
            planes.push(summand.of);
        }
    }
    planes
}
