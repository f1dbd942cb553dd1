//! Numbers in digital registers: programs, and the registers of their bits.

use cain_analysis::owned::Step;
use cain_digital::{Declaration, Format, Input, Proved, SearchError, VerifyError, verify};
use cain_isa::program::Held;
use cain_isa::{Bit, Dreg};

use super::super::CompileError;
use super::super::error::Obstacle;
use super::super::planes::{Exact, Number, PlaneId};
use super::super::script::Script;
use super::super::stage::Work;
use super::{Failure, Planner};
use crate::exact::declaration;

impl Planner<'_, '_> {
    /// Makes all bits of the number to which the plane belongs.
    pub(super) fn exact(&mut self, plane: PlaneId, program: &Exact, bit: usize) -> Result<(), Failure> {
        self.read_pending(true);
        self.give_up_outside();
        let first = plane - bit;
        let digits: Vec<PlaneId> = (first..first + program.format.bits() as usize).collect();
        let sources = self.planes.list[plane].kind.sources();
        let before = self.registers.held_bits();
        let wanted: Vec<PlaneId> = digits.iter().copied().filter(|&digit| self.left[digit] > 0).collect();
        for _ in &wanted {
            for &source in &sources {
                self.consume(source);
            }
        }
        let (kept, free) = (self.registers.held_bits(), self.registers.free_bits());
        if free.len() < digits.len() {
            return Err(Failure::BitsOfResult { plane, free: free.len(), needed: digits.len() });
        }
        // Only those bits of a number are kept that are still needed.
        let is_kept = |bit: &PlaneId| kept.iter().any(|(other, _)| other == bit);
        let is_split = |number: &Number| number.bits.iter().any(is_kept) && !number.bits.iter().all(is_kept);
        let program = &program.with_bits_of(is_split).ok_or_else(|| self.overflow(plane))?;
        let register = |bit: &PlaneId| {
            let held = before.iter().find(|(other, _)| other == bit);
            held.map(|&(_, register)| register).ok_or(Failure::Bits(plane))
        };
        let given = |number: &Number| number.bits.iter().map(register).collect::<Result<Vec<Dreg>, Failure>>();
        let mut given = program.read.iter().map(given).collect::<Result<Vec<_>, _>>()?;
        let mut declaration = self.declaration(plane, program, &kept);
        for &(_, register) in kept.iter().filter(|(other, _)| !sources.contains(other)) {
            let name = format!("k{}", declaration.inputs.len());
            declaration.inputs.push(Input { name, format: Format::BIT, keep: true, at: None });
            given.push(vec![register]);
        }
        let held = |&(plane, register): &(PlaneId, Dreg)| (plane, Held::Bit(Bit::Reg(register)));
        let read =
            program.read.iter().flat_map(|number| number.bits.iter().copied()).zip(given.iter().flatten().copied());
        self.reading = read.chain(kept.iter().copied()).map(|bit| held(&bit)).collect();
        let mut script = Script::default();
        let results = match self.program_of(&declaration, &given, &free) {
            // Without searches, a program is assumed to exist.
            None => free,
            Some(proved) => {
                let proved =
                    proved.map_err(|error| Failure::Exact { plane, held: kept.len(), error: Box::new(error) })?;
                script.push(Step::Execute(proved.program().listing.clone()));
                proved.program().outputs.concat()
            }
        };
        for (&digit, &register) in digits.iter().zip(&results).filter(|(digit, _)| wanted.contains(digit)) {
            self.registers.hold_bit(register, Some(digit));
        }
        let pixels = self.planes.list[plane].grid;
        let macs = program.macs.saturating_mul(pixels.height * pixels.width);
        self.stage(script, &wanted, u64::try_from(macs).unwrap_or(u64::MAX), Work::Operation)?;
        if let Some(flow) = self.flows.last_mut() {
            flow.made.extend(kept.iter().map(held));
        }
        wanted.into_iter().try_for_each(|digit| self.surround(digit))
    }

    fn overflow(&self, plane: PlaneId) -> Failure {
        CompileError::new(self.network, self.planes.list[plane].layer, Obstacle::Overflow).into()
    }

    /// The declaration of a number as a digital kernel. All bits of an input are kept, or none.
    fn declaration(&self, plane: PlaneId, program: &Exact, kept: &[(PlaneId, Dreg)]) -> Declaration {
        let formats = program.read.iter().filter_map(Number::format).collect::<Vec<_>>();
        let layer = self.planes.list[plane].layer.and_then(|layer| self.network.layers.get(layer));
        let name = layer.map_or("", |layer| layer.name.as_str());
        let mut declaration = declaration(name, &formats, program.formula.clone(), self.network.options.nodes);
        for (input, number) in declaration.inputs.iter_mut().zip(&program.read) {
            input.keep = number.bits.iter().all(|bit| kept.iter().any(|(other, _)| other == bit));
        }
        declaration
    }

    /// The proved program of a number whose inputs are in these registers, if programs are wanted.
    fn program_of(
        &mut self,
        declaration: &Declaration,
        given: &[Vec<Dreg>],
        free: &[Dreg],
    ) -> Option<Result<Proved, SearchError>> {
        let (searches, _) = self.searches.as_mut()?;
        let found = searches.exact(declaration);
        let placed = found.and_then(|found| found.placed(given, free).ok_or(SearchError::Unproved(VerifyError::Shape)));
        Some(placed.and_then(|program| verify(declaration, &program).map_err(SearchError::Unproved)))
    }
}
