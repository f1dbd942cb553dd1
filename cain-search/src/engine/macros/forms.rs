//! The forms of macro instructions: what they compute, read off the machine.
//!
//! The exact prover carries out each instruction on registers that hold one symbol each; the resulting polynomials tell
//! the search what the instruction can do. So nothing about an instruction is written down here a second time.

use cain_analysis::prove::{Polynomial, Prover};
use cain_analysis::sorted::Map;
use cain_isa::{BusLimits, Direction, Displacement, Fraction, Instruction, Machine, Op, OperandKind, Reg};

use crate::InstructionSet;
use crate::engine::instructions::{assemble, direction_lists, ops};
use crate::engine::step::FormId;
use crate::engine::terms::{self, Term};

/// The instructions of a set, by what they compute.
pub(crate) struct Forms {
    list: Vec<Form>,
    by_shape: Map<Shape, Vec<FormId>>,
}

/// An instruction without its registers.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    /// The macro instruction.
    pub(crate) op: Op,
    /// Its directions, in the order of the listing.
    pub(crate) directions: Vec<Direction>,
    /// What it computes.
    pub(crate) shape: Shape,
    /// The displacement from which the first source is read (`Add` reads all its sources from there).
    pub(crate) displacement: Displacement,
    /// For each source, whether the result may overwrite the register of that source.
    pub(crate) shares: [bool; 3],
    /// Whether several sources may be the same register.
    pub(crate) repeats: bool,
}

/// The function that an instruction computes, where S is a shift by the form's displacement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Shape {
    /// The constant 0.
    Zero,
    /// The value S·x.
    Move,
    /// The value −x.
    Negate,
    /// The value x/2.
    Halve,
    /// The value S·(x0 + x1).
    Add,
    /// The value x0 + x1 + x2.
    Add3,
    /// The value S·x0 − x1.
    Subtract,
    /// The values x/2 and −x/2; x is kept.
    Divide,
}

impl Forms {
    /// The forms of an instruction set on a machine.
    pub(crate) fn of(instructions: InstructionSet, machine: &Machine) -> Self {
        let mut forms = Self { list: Vec::new(), by_shape: Map::new() };
        for &op in ops(instructions).iter().filter(|op| machine.macros.contains(**op)) {
            for directions in direction_lists(op) {
                if let Some(form) = Form::read_off(op, directions, machine.bus) {
                    forms.add(form);
                }
            }
        }
        forms
    }

    /// Adds a form unless another one does the same: `mov2x(y,x,north,east)` and `mov2x(y,x,east,north)` do the same,
    /// and `mov2x(y,x,north,south)` does the same as `mov`.
    fn add(&mut self, form: Form) {
        let Ok(id) = FormId::try_from(self.list.len()) else { return };
        let same = self.by_shape.get_or_default(form.shape);
        if same.iter().all(|&other| self.list[usize::from(other)].displacement != form.displacement) {
            same.push(id);
            self.list.push(form);
        }
    }

    /// All forms, in the order of their numbers.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Form> {
        self.list.iter()
    }

    /// The form with this number.
    pub(crate) fn get(&self, id: FormId) -> &Form {
        &self.list[usize::from(id)]
    }

    /// All forms of a shape with their numbers.
    pub(crate) fn shaped(&self, shape: Shape) -> impl Iterator<Item = (FormId, &Form)> + Clone {
        self.by_shape.get(&shape).into_iter().flatten().map(|&id| (id, self.get(id)))
    }
}

impl Form {
    /// Whether the instruction can take these values; one register cannot be two summands on one bus.
    pub(crate) fn takes<V: PartialEq>(&self, sources: &[V]) -> bool {
        sources.iter().enumerate().all(|(i, source)| self.repeats || !sources[..i].contains(source))
    }

    /// Writes the first or only result; `false` if a coefficient overflows or an odd one is halved. Operands that the
    /// form does not have are empty.
    pub(crate) fn compute(&self, [x, y, z]: [&[Term]; 3], out: &mut Vec<Term>) -> bool {
        let step = terms::step(self.displacement);
        match self.shape {
            Shape::Zero => {
                out.clear();
                true
            }
            Shape::Move => terms::scaled(out, x, 1, step),
            Shape::Negate => terms::scaled(out, x, -1, 0),
            Shape::Halve | Shape::Divide => {
                out.clear();
                out.extend(x.iter().map(|&(key, weight)| (key, weight / 2)));
                x.iter().all(|term| term.1 % 2 == 0)
            }
            Shape::Add => terms::combine(out, x, (1, step), y, (1, step)),
            Shape::Add3 => {
                let mut sum = Vec::new();
                terms::combine(&mut sum, x, (1, 0), y, (1, 0)) && terms::combine(out, &sum, (1, 0), z, (1, 0))
            }
            Shape::Subtract => terms::combine(out, x, (1, step), y, (-1, 0)),
        }
    }

    /// All results; those of a division are a half and its negative. `None` if a coefficient overflows or an odd one is
    /// halved.
    pub(crate) fn results(&self, operands: [&[Term]; 3]) -> Option<Vec<Vec<Term>>> {
        let mut result = Vec::new();
        self.compute(operands, &mut result).then_some(())?;
        let negative = if self.shape == Shape::Divide { Some(terms::negative(&result)?) } else { None };
        Some([result].into_iter().chain(negative).collect())
    }

    /// Reads off what an instruction computes by carrying it out on symbols. `None` if the bus does not allow its
    /// words, if the search has no use for its result, or if it divides as [`Op::Div`] does.
    pub(super) fn read_off(op: Op, directions: Vec<Direction>, bus: BusLimits) -> Option<Self> {
        let roles: Vec<OperandKind> =
            op.operands().iter().copied().filter(|kind| *kind != OperandKind::Direction).collect();
        let registers: Vec<Reg> = (0..).map(Reg::from_index).take(roles.len()).collect();
        let role = |wanted: &[OperandKind]| -> Vec<Reg> {
            roles.iter().zip(&registers).filter(|(kind, _)| wanted.contains(kind)).map(|(_, &reg)| reg).collect()
        };
        let sources = role(&[OperandKind::Source, OperandKind::Both]);
        let results = role(&[OperandKind::Result, OperandKind::Both]);
        let run = |registers: &[Reg]| -> Option<Prover> {
            let instruction = assemble(op, registers, &directions)?;
            if instruction.words().any(|word| bus.allows(&word).is_err()) {
                return None;
            }
            Prover::of(&[Instruction::Macro(instruction)], &sources).ok()
        };
        let after = run(&registers)?;
        let value = |reg: &Reg| after.value(*reg).cloned().unwrap_or_default();
        let (shape, displacement) = match results.as_slice() {
            [result] => shape_of(&value(result), sources.len())?,
            [plus, minus, kept] if op == Op::Div => {
                let halves = shape_of(&value(plus), 1)?.0 == Shape::Halve && is_negative(&value(plus), &value(minus));
                (halves && value(kept) == Polynomial::input(0)).then_some((Shape::Divide, Displacement::ZERO))?
            }
            _ => return None,
        };
        let mut shares = [false; 3];
        if let [result] = results.as_slice() {
            for (share, source) in shares.iter_mut().zip(&sources) {
                let aliased: Vec<Reg> =
                    registers.iter().map(|reg| if reg == result { *source } else { *reg }).collect();
                *share = assemble(op, &aliased, &directions).is_some();
            }
        }
        let repeated: Vec<Reg> = registers
            .iter()
            .map(|reg| sources.first().filter(|_| sources.contains(reg)).unwrap_or(reg))
            .copied()
            .collect();
        let repeats = assemble(op, &repeated, &directions).is_some();
        Some(Self { op, directions, shape, displacement, shares, repeats })
    }
}

/// Up to three operands, with empty ones for those that are missing.
pub(crate) fn three<'t>(operands: impl IntoIterator<Item = &'t [Term]>) -> [&'t [Term]; 3] {
    let mut three: [&[Term]; 3] = [&[]; 3];
    three.iter_mut().zip(operands).for_each(|(slot, operand)| *slot = operand);
    three
}

fn is_negative(a: &Polynomial, b: &Polynomial) -> bool {
    let mut sum = a.clone();
    sum.add_scaled(b, Fraction::ONE, Displacement::ZERO).is_some() && sum.is_zero()
}

/// Recognises the shape of a result, where the i-th source is input channel i.
fn shape_of(result: &Polynomial, sources: usize) -> Option<(Shape, Displacement)> {
    let half = Fraction::new(1, 2)?;
    let minus = Fraction::from(-1);
    let terms: Vec<(u16, Displacement, Fraction)> =
        result.terms().map(|(atom, weight)| (atom.channel, atom.displacement, weight)).collect();
    if terms.len() != sources {
        return None;
    }
    Some(match *terms.as_slice() {
        [] => (Shape::Zero, Displacement::ZERO),
        [(0, displacement, Fraction::ONE)] => (Shape::Move, displacement),
        [(0, Displacement::ZERO, weight)] if weight == minus => (Shape::Negate, Displacement::ZERO),
        [(0, Displacement::ZERO, weight)] if weight == half => (Shape::Halve, Displacement::ZERO),
        [(0, s, Fraction::ONE), (1, t, Fraction::ONE)] if s == t => (Shape::Add, s),
        [(0, s, Fraction::ONE), (1, Displacement::ZERO, weight)] if weight == minus => (Shape::Subtract, s),
        [
            (0, Displacement::ZERO, Fraction::ONE),
            (1, Displacement::ZERO, Fraction::ONE),
            (2, Displacement::ZERO, Fraction::ONE),
        ] => (Shape::Add3, Displacement::ZERO),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{Form, Forms, Shape};
    use crate::InstructionSet;
    use crate::engine::instructions::{direction_lists, ops};
    use cain_isa::{Machine, Op};

    #[test]
    fn the_macro_set_has_what_the_vendor_offers() {
        let forms = Forms::of(InstructionSet::Macro, &Machine::SCAMP5);
        let count = |shape| forms.shaped(shape).count();
        // Shifts of length 0, 1 and 2: 1 + 4 + 8.
        assert_eq!((count(Shape::Move), count(Shape::Add), count(Shape::Subtract)), (13, 13, 13));
        assert_eq!((count(Shape::Add3), count(Shape::Divide), count(Shape::Halve), count(Shape::Negate)), (1, 1, 1, 1));
        for (_, form) in forms.shaped(Shape::Subtract) {
            assert_eq!(form.shares[..2], [true, false], "{:?}", form.op);
        }
        assert_eq!(
            forms.shaped(Shape::Halve).next().map(|(_, form)| (form.op, form.shares[0])),
            Some((Op::Divq, false))
        );
    }

    /// A new instruction must not be overlooked: give it a shape that the search uses.
    #[test]
    fn the_search_has_a_use_for_every_instruction() {
        for set in [InstructionSet::Macro, InstructionSet::Basic] {
            let forms = Forms::of(set, &Machine::SCAMP5);
            for &op in ops(set) {
                for directions in direction_lists(op) {
                    let Some(form) = Form::read_off(op, directions.clone(), Machine::SCAMP5.bus) else {
                        // The register allocation decides which of the three divisions it is.
                        assert!(matches!(op, Op::DivCopy | Op::Diva), "nothing uses {op:?} {directions:?}");
                        continue;
                    };
                    let same = forms.shaped(form.shape).find(|(_, same)| same.displacement == form.displacement);
                    let (_, same) = same.unwrap_or_else(|| panic!("there is no room for {op:?} {directions:?}"));
                    assert_eq!((same.shares, same.repeats), (form.shares, form.repeats), "{op:?}, {:?}", same.op);
                }
            }
        }
    }

    #[test]
    fn the_basic_set_moves_one_step() {
        let forms = Forms::of(InstructionSet::Basic, &Machine::SCAMP5);
        let count = |shape| forms.shaped(shape).count();
        assert_eq!((count(Shape::Move), count(Shape::Add), count(Shape::Subtract)), (5, 1, 1));
        assert_eq!((count(Shape::Add3), count(Shape::Divide)), (0, 0));
    }
}
