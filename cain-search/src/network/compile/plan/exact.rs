//! Numbers in digital registers: programs, and where their bits are.

use cain_isa::network::{Held, Step};
use cain_isa::{Bit, Bits, Dreg, FromNeighbours, Instruction, Logic, Operation, Word};

use super::super::planes::{Exact, Number, PlaneId};
use super::super::registers::Registers;
use super::super::script::Script;
use super::super::stage::Work;
use super::{Failure, Planner};
use crate::digital::{Format, Input, Program, VerifyError, verify};
use crate::network::exact::declaration;

impl Planner<'_> {
    /// Makes all bits of a number, of which the plane is one.
    pub(super) fn exact(&mut self, plane: PlaneId, program: &Exact, bit: usize) -> Result<(), Failure> {
        self.read_pending(true);
        self.give_up_outside();
        let first = plane - bit;
        let digits: Vec<PlaneId> = (first..first + program.format.bits() as usize).collect();
        let wanted: Vec<PlaneId> = digits.iter().copied().filter(|&digit| self.left[digit] > 0).collect();
        let register = |bit: &PlaneId| self.registers.bit(*bit).ok_or(Failure::Bits(plane));
        let given = |number: &Number| number.bits.iter().map(register).collect::<Result<Vec<Dreg>, Failure>>();
        let mut given = program.read.iter().map(given).collect::<Result<Vec<_>, _>>()?;
        let sources = self.planes.list[plane].kind.sources();
        self.reading = self.places(&sources);
        for _ in &wanted {
            for &source in &sources {
                self.consume(source);
            }
        }
        let kept = self.registers.held_bits();
        let free = self.registers.free_bits();
        if free.len() < wanted.len() {
            return Err(Failure::BitsOfResult { plane, free: free.len(), needed: wanted.len() });
        }
        let formats = program.read.iter().filter_map(Number::format).collect::<Vec<_>>();
        let layer = self.planes.list[plane].layer.and_then(|layer| self.network.layers.get(layer));
        let name = layer.map_or("", |layer| layer.name.as_str());
        let nodes = self.network.options.nodes.saturating_mul(NODES);
        let mut declaration = declaration(name, &formats, program.formula.clone(), nodes);
        let is_kept = |number: &Number| number.bits.iter().any(|bit| kept.iter().any(|(other, _)| other == bit));
        declaration.inputs.iter_mut().zip(&program.read).for_each(|(input, number)| input.keep = is_kept(number));
        for &(other, register) in kept.iter().filter(|(other, _)| !sources.contains(other)) {
            let name = format!("k{}", declaration.inputs.len());
            declaration.inputs.push(Input { name, format: Format::BIT, keep: true });
            given.push(vec![register]);
            self.reading.push((other, Held::Bit(Bit::Reg(register))));
        }
        let mut script = Script::default();
        let results = match &mut self.searches {
            // It is taken to have a program.
            None => free,
            Some((searches, _)) => {
                let found = searches.exact(&declaration);
                let found =
                    found.map_err(|error| Failure::Exact { plane, held: kept.len(), error: Box::new(error) })?;
                let is_wanted: Vec<bool> = digits.iter().map(|digit| wanted.contains(digit)).collect();
                let placed = placed(&found, &given, &is_wanted, &free).ok_or(Failure::Bits(plane))?;
                let unproved =
                    |error: VerifyError| Failure::Exact { plane, held: kept.len(), error: Box::new(error.into()) };
                let proved = verify(&declaration, &placed).map_err(unproved)?;
                script.push(Step::Execute(proved.program().listing.clone()));
                let results = proved.program().outputs[0].iter().zip(is_wanted);
                results.filter(|(_, is_wanted)| *is_wanted).map(|(&register, _)| register).collect()
            }
        };
        for (&digit, &register) in wanted.iter().zip(&results) {
            self.registers.hold_bit(register, Some(digit));
        }
        let pixels = self.planes.list[plane].grid;
        let macs = program.macs.saturating_mul(pixels.height * pixels.width);
        self.stage(script, &wanted, u64::try_from(macs).unwrap_or(u64::MAX), Work::Operation)?;
        if let Some(flow) = self.flows.last_mut() {
            flow.made.extend(kept.into_iter().map(|(plane, register)| (plane, Held::Bit(Bit::Reg(register)))));
        }
        wanted.into_iter().try_for_each(|digit| self.surround(digit))
    }
}

/// How many times as many states as those of a sum are looked at for a program in digital registers, where one takes less time.
const NODES: u64 = 20;

/// A program with its inputs in these registers, and the bits of its result that are wanted in free ones that are left alone
/// between stages; nothing if that is impossible.
fn placed(program: &Program, given: &[Vec<Dreg>], is_wanted: &[bool], free: &[Dreg]) -> Option<Program> {
    let fixed: Vec<(Dreg, Dreg)> =
        program.inputs.iter().flatten().copied().zip(given.iter().flatten().copied()).collect();
    let mut rest = Registers::ALIKE.iter().filter(|register| fixed.iter().all(|(_, to)| to != *register));
    let mut renamed = Dreg::ALL;
    for register in Dreg::ALL {
        let to = match fixed.iter().find(|(from, _)| *from == register) {
            Some((_, to)) => *to,
            None if Registers::ALIKE.contains(&register) => *rest.next()?,
            None => register,
        };
        renamed[usize::from(register.number())] = to;
    }
    let renamed = |register: Dreg| renamed[usize::from(register.number())];
    let mut listing: Vec<Instruction> =
        program.listing.iter().map(|instruction| in_registers(*instruction, &renamed)).collect::<Option<_>>()?;
    let mut results: Vec<Dreg> = program.outputs.first()?.iter().map(|&register| renamed(register)).collect();
    for (place, _) in is_wanted.iter().enumerate().filter(|(_, is_wanted)| **is_wanted) {
        if !free.contains(&results[place]) {
            let to = *free.iter().find(|register| !results.contains(register))?;
            let copy = Logic::new(Operation::Or, &[to], &[Bit::Reg(results[place])]).ok()?;
            listing.push(Instruction::Word(Word::Logic(copy)));
            results[place] = to;
        }
    }
    Some(Program { listing, inputs: given.to_vec(), outputs: vec![results] })
}

/// A word of a digital program in other registers.
fn in_registers(instruction: Instruction, renamed: &impl Fn(Dreg) -> Dreg) -> Option<Instruction> {
    let bit = |bit: &Bit| match *bit {
        Bit::Reg(register) => Bit::Reg(renamed(register)),
        other => other,
    };
    let bits = |of: &[Bit]| of.iter().map(bit).collect::<Vec<Bit>>();
    let Instruction::Word(word) = instruction else { return None };
    Some(Instruction::Word(match word {
        Word::Logic(logic) => {
            let targets: Vec<Dreg> = logic.targets().iter().map(|&target| renamed(target)).collect();
            Word::Logic(Logic::new(logic.operation(), &targets, &bits(logic.sources())).ok()?)
        }
        Word::FromNeighbours(word) => {
            let target = renamed(word.target());
            Word::FromNeighbours(FromNeighbours::new(target, bit(&word.source()), word.outside()).ok()?)
        }
        Word::WhereBits(read) => Word::WhereBits(Bits::new(&bits(read.bits())).ok()?),
        Word::All => Word::All,
        _ => return None,
    }))
}
