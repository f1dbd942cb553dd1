//! The array, on diagrams.

use cain_analysis::evaluate::{AnalogueDomain, DigitalDomain, Domain, Source, Write};
use cain_isa::{Bit, Direction, Fraction, Store, Word};

use super::Failure;
use super::diagram::{Diagram, Diagrams, Node, Variable};
use super::form::{Atom, Form};

impl Diagrams {
    /// Levels that are not known.
    pub(super) fn unknown_levels(&mut self) -> Result<Diagram, Failure> {
        let unknown = self.unknown();
        self.form(Form::atom(Atom::Unknown(unknown)))
    }

    /// Bits that are not known.
    pub(super) fn unknown_bits(&mut self) -> Result<Diagram, Failure> {
        let unknown = self.unknown();
        self.variable(Variable::Unknown(unknown))
    }

    fn sum(&mut self, first: Form, sources: &[Source<'_, Diagram>], factor: Fraction) -> Result<Diagram, Failure> {
        let mut sum = self.form(first)?;
        for source in sources {
            let (there, seen) = (self.on_array(source.at)?, self.moved(*source.value, source.at)?);
            let seen = self.choice([there, seen, Self::UNDEFINED])?;
            sum = self.plus(sum, factor, seen)?;
        }
        Ok(sum)
    }
}

/// Every transfer adds its constant error, which has to cancel. What comes from outside of the array is not defined.
impl AnalogueDomain for Diagrams {
    type Value = Diagram;
    type Flag = Diagram;
    type Error = Failure;

    fn unwritten_cell(&mut self, _: Store) -> Result<Diagram, Failure> {
        self.unknown_levels()
    }

    fn transfer(&mut self, write: &Write<'_, Diagram>) -> Result<Diagram, Failure> {
        self.sum(Form::atom(Atom::Offset), &write.sources, write.transfer.factor())
    }

    fn choose(&mut self, flag: &Diagram, written: Diagram, before: &Diagram) -> Result<Diagram, Failure> {
        self.choice([*flag, written, *before])
    }
}

impl DigitalDomain for Diagrams {
    type Plane = Diagram;
    type Error = Failure;

    fn constant(&mut self, bit: bool) -> Diagram {
        Self::known(bit)
    }

    fn as_constant(&self, plane: &Diagram) -> Option<bool> {
        if let Node::Bit(bit) = self.node(*plane) { Some(*bit) } else { None }
    }

    fn inverse(&mut self, plane: &Diagram) -> Diagram {
        self.not(*plane).unwrap_or_else(|failure| {
            self.failure = Some(failure);
            *plane
        })
    }

    fn any(&mut self, planes: &[Diagram]) -> Result<Diagram, Failure> {
        let mut any = Self::known(false);
        for plane in planes {
            any = self.or(any, *plane)?;
        }
        Ok(any)
    }

    fn both(&mut self, one: &Diagram, other: &Diagram) -> Result<Diagram, Failure> {
        self.and(*one, *other)
    }

    fn choose_bits(&mut self, condition: &Diagram, then: &Diagram, otherwise: &Diagram) -> Result<Diagram, Failure> {
        self.choice([*condition, *then, *otherwise])
    }

    fn neighbours(
        &mut self,
        plane: &Diagram,
        direction: Direction,
        outside: bool,
        _: &Diagram,
    ) -> Result<Diagram, Failure> {
        let at = direction.displacement();
        let (there, moved) = (self.on_array(at)?, self.moved(*plane, at)?);
        self.choice([there, moved, Self::known(outside)])
    }

    fn unwritten_bit(&mut self, _: Bit) -> Result<Diagram, Failure> {
        self.unknown_bits()
    }

    fn unsupported(&mut self, word: Word) -> Failure {
        Failure::Word(word)
    }
}

impl Domain for Diagrams {
    fn positive(&mut self, sources: &[Source<'_, Diagram>]) -> Result<Diagram, Failure> {
        let sum = self.sum(Form::default(), sources, Fraction::ONE)?;
        Self::positive(self, sum)
    }
}
