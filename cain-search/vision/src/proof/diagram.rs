//! Decision diagrams, whose leaves are bits or linear sums of levels.

use std::collections::HashMap;

use cain_isa::program::Selection;
use cain_isa::{Displacement, Fraction};

use super::Failure;
use super::form::{Atom, Form};
use crate::declaration::Value;

/// A diagram. Equal diagrams are equal here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Diagram(usize);

/// A bit on which a diagram depends.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Variable {
    /// Whether the column so far to the east is on the array.
    Column(i16),
    /// Whether the row so far to the north is on the array.
    Row(i16),
    /// A plane of bits at a displacement.
    Bit(Value, Displacement),
    /// Whether a sum is positive.
    Positive(Form),
    /// Whether the PE at a displacement is in a rectangle.
    Inside([Form; 4], Displacement),
    /// Whether the PE at a displacement agrees with a pattern.
    Pattern(Selection, Displacement),
    /// Something that must not matter.
    Unknown(usize),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Node {
    Bit(bool),
    /// A bit or a level that is not defined: everything that depends on it is not either.
    Undefined,
    Form(Form),
    Branch {
        variable: usize,
        then: Diagram,
        otherwise: Diagram,
    },
}

/// The most nodes.
const MOST: usize = 2_000_000;

/// Diagrams with shared nodes.
#[derive(Debug)]
pub(super) struct Diagrams {
    /// What could not be told when it happened.
    pub(super) failure: Option<Failure>,
    nodes: Vec<Node>,
    known: HashMap<Node, Diagram>,
    variables: Vec<Variable>,
    numbers: HashMap<Variable, usize>,
    choices: HashMap<[Diagram; 3], Diagram>,
    moved: HashMap<(Diagram, Displacement), Diagram>,
    unknown: usize,
}

impl Diagrams {
    pub(super) fn new() -> Self {
        let mut all = Self {
            failure: None,
            nodes: Vec::new(),
            known: HashMap::new(),
            variables: Vec::new(),
            numbers: HashMap::new(),
            choices: HashMap::new(),
            moved: HashMap::new(),
            unknown: 0,
        };
        for bit in [false, true] {
            all.known.insert(Node::Bit(bit), Diagram(all.nodes.len()));
            all.nodes.push(Node::Bit(bit));
        }
        all.known.insert(Node::Undefined, Self::UNDEFINED);
        all.nodes.push(Node::Undefined);
        all
    }

    pub(super) const UNDEFINED: Diagram = Diagram(2);

    /// A bit that is the same everywhere.
    pub(super) const fn known(bit: bool) -> Diagram {
        Diagram(bit as usize)
    }

    pub(super) fn node(&self, of: Diagram) -> &Node {
        &self.nodes[of.0]
    }

    pub(super) fn variable_of(&self, number: usize) -> &Variable {
        &self.variables[number]
    }

    fn make(&mut self, node: Node) -> Result<Diagram, Failure> {
        if let Some(known) = self.known.get(&node) {
            return Ok(*known);
        }
        if self.nodes.len() >= MOST {
            return Err(Failure::TooLarge);
        }
        let diagram = Diagram(self.nodes.len());
        self.nodes.push(node.clone());
        self.known.insert(node, diagram);
        Ok(diagram)
    }

    pub(super) fn form(&mut self, form: Form) -> Result<Diagram, Failure> {
        self.make(Node::Form(form))
    }

    /// A bit that a variable is.
    pub(super) fn variable(&mut self, variable: Variable) -> Result<Diagram, Failure> {
        let number = *self.numbers.entry(variable.clone()).or_insert_with(|| {
            self.variables.push(variable);
            self.variables.len() - 1
        });
        let (then, otherwise) = (Self::known(true), Self::known(false));
        self.make(Node::Branch { variable: number, then, otherwise })
    }

    /// A number that nothing else has.
    pub(super) fn unknown(&mut self) -> usize {
        self.unknown += 1;
        self.unknown
    }

    /// The first variable on which any of these depends.
    fn first(&self, of: &[Diagram]) -> Option<usize> {
        of.iter()
            .filter_map(|of| if let Node::Branch { variable, .. } = self.node(*of) { Some(*variable) } else { None })
            .min()
    }

    /// What a diagram is where a variable is 1, and where it is 0.
    pub(super) fn parts(&self, of: Diagram, variable: usize) -> [Diagram; 2] {
        match self.node(of) {
            Node::Branch { variable: own, then, otherwise } if *own == variable => [*then, *otherwise],
            _ => [of, of],
        }
    }

    fn branch(&mut self, variable: usize, [then, otherwise]: [Diagram; 2]) -> Result<Diagram, Failure> {
        if then == otherwise { Ok(then) } else { self.make(Node::Branch { variable, then, otherwise }) }
    }

    /// One diagram where a bit is 1, and another one where it is 0.
    pub(super) fn choice(&mut self, of: [Diagram; 3]) -> Result<Diagram, Failure> {
        let [condition, then, otherwise] = of;
        if then == otherwise {
            return Ok(then);
        }
        match self.node(condition) {
            Node::Bit(bit) => return Ok(if *bit { then } else { otherwise }),
            Node::Undefined => return Ok(Self::UNDEFINED),
            _ => {}
        }
        if let Some(known) = self.choices.get(&of) {
            return Ok(*known);
        }
        let variable = self.first(&of).ok_or(Failure::Kinds)?;
        let parts = of.map(|of| self.parts(of, variable));
        let mut both = [then; 2];
        for (side, part) in both.iter_mut().enumerate() {
            *part = self.choice(parts.map(|parts| parts[side]))?;
        }
        let chosen = self.branch(variable, both)?;
        self.choices.insert(of, chosen);
        Ok(chosen)
    }

    pub(super) fn not(&mut self, of: Diagram) -> Result<Diagram, Failure> {
        self.choice([of, Self::known(false), Self::known(true)])
    }

    pub(super) fn and(&mut self, a: Diagram, b: Diagram) -> Result<Diagram, Failure> {
        self.choice([a, b, Self::known(false)])
    }

    pub(super) fn or(&mut self, a: Diagram, b: Diagram) -> Result<Diagram, Failure> {
        self.choice([a, Self::known(true), b])
    }

    /// A diagram with another one where it is not defined.
    pub(super) fn defined_by(&mut self, of: Diagram, other: Diagram) -> Result<Diagram, Failure> {
        match self.node(of).clone() {
            Node::Undefined => Ok(other),
            Node::Branch { variable, then, otherwise } => {
                let (then, otherwise) = (self.defined_by(then, other)?, self.defined_by(otherwise, other)?);
                let condition = self.variable(self.variables[variable].clone())?;
                self.choice([condition, then, otherwise])
            }
            _ => Ok(of),
        }
    }

    /// A sum, and so many times another one.
    pub(super) fn plus(&mut self, a: Diagram, factor: Fraction, b: Diagram) -> Result<Diagram, Failure> {
        self.plus_known(a, factor, b, &mut HashMap::new())
    }

    fn plus_known(
        &mut self,
        a: Diagram,
        factor: Fraction,
        b: Diagram,
        known: &mut HashMap<[Diagram; 2], Diagram>,
    ) -> Result<Diagram, Failure> {
        if let (Node::Form(a), Node::Form(b)) = (self.node(a), self.node(b)) {
            let sum = a.clone().plus(factor, b)?;
            return self.form(sum);
        }
        if [a, b].contains(&Self::UNDEFINED) {
            return Ok(Self::UNDEFINED);
        }
        if let Some(known) = known.get(&[a, b]) {
            return Ok(*known);
        }
        let variable = self.first(&[a, b]).ok_or(Failure::Kinds)?;
        let (parts_a, parts_b) = (self.parts(a, variable), self.parts(b, variable));
        let then = self.plus_known(parts_a[0], factor, parts_b[0], known)?;
        let otherwise = self.plus_known(parts_a[1], factor, parts_b[1], known)?;
        let sum = self.branch(variable, [then, otherwise])?;
        known.insert([a, b], sum);
        Ok(sum)
    }

    /// Whether levels are positive.
    pub(super) fn positive(&mut self, of: Diagram) -> Result<Diagram, Failure> {
        match self.node(of).clone() {
            Node::Bit(_) => Err(Failure::Kinds),
            Node::Undefined => Ok(of),
            Node::Form(form) => match form.as_constant() {
                Some(constant) => Ok(Self::known(constant > Fraction::ZERO)),
                None => self.variable(Variable::Positive(form.of_sign()?)),
            },
            Node::Branch { variable, then, otherwise } => {
                let (then, otherwise) = (self.positive(then)?, self.positive(otherwise)?);
                let condition = self.variable(self.variables[variable].clone())?;
                self.choice([condition, then, otherwise])
            }
        }
    }

    /// Whether the PE at a displacement is on the array.
    pub(super) fn on_array(&mut self, at: Displacement) -> Result<Diagram, Failure> {
        let mut all = Self::known(true);
        for (along, of) in [(at.x, Variable::Column as fn(i16) -> Variable), (at.y, Variable::Row)] {
            for step in 1..=along.unsigned_abs() {
                let step = i16::try_from(step).map_err(|_| Failure::TooLarge)? * along.signum();
                let edge = self.variable(of(step))?;
                all = self.and(all, edge)?;
            }
        }
        Ok(all)
    }

    /// What a diagram is at another PE on the array.
    pub(super) fn moved(&mut self, of: Diagram, by: Displacement) -> Result<Diagram, Failure> {
        if by == Displacement::ZERO {
            return Ok(of);
        }
        if let Some(known) = self.moved.get(&(of, by)) {
            return Ok(*known);
        }
        let moved = match self.node(of).clone() {
            Node::Bit(_) | Node::Undefined => of,
            Node::Form(form) => {
                let form = moved_form(&form, by)?;
                self.form(form)?
            }
            Node::Branch { variable, then, otherwise } => {
                let condition = self.moved_variable(variable, by)?;
                let (then, otherwise) = (self.moved(then, by)?, self.moved(otherwise, by)?);
                self.choice([condition, then, otherwise])?
            }
        };
        self.moved.insert((of, by), moved);
        Ok(moved)
    }

    fn moved_variable(&mut self, variable: usize, by: Displacement) -> Result<Diagram, Failure> {
        let along = |at: i16, by: i16| at.checked_add(by).ok_or(Failure::TooLarge);
        let variable = match self.variables[variable].clone() {
            Variable::Column(at) => match along(at, by.x)? {
                0 => return Ok(Self::known(true)),
                at => Variable::Column(at),
            },
            Variable::Row(at) => match along(at, by.y)? {
                0 => return Ok(Self::known(true)),
                at => Variable::Row(at),
            },
            Variable::Bit(of, at) => Variable::Bit(of, moved(at, by)?),
            Variable::Positive(form) => Variable::Positive(moved_form(&form, by)?.of_sign()?),
            Variable::Inside(area, at) => Variable::Inside(area, moved(at, by)?),
            Variable::Pattern(selection, at) => Variable::Pattern(selection, moved(at, by)?),
            Variable::Unknown(_) => Variable::Unknown(self.unknown()),
        };
        self.variable(variable)
    }
}

fn moved(at: Displacement, by: Displacement) -> Result<Displacement, Failure> {
    at.checked_add(by).ok_or(Failure::TooLarge)
}

fn moved_form(form: &Form, by: Displacement) -> Result<Form, Failure> {
    let mut all = Form::constant(form.constant);
    for (atom, weight) in &form.terms {
        let atom = match atom {
            Atom::Level(of, at) => Atom::Level(*of, moved(*at, by)?),
            other => *other,
        };
        all = all.plus(*weight, &Form::atom(atom))?;
    }
    Ok(all)
}
