//! Compiles the layers of an automaton to programs.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use cain_analysis::owned::{Program, Step, allowed, step_of};
use cain_analysis::prove::{Polynomial, Prover};
use cain_isa::{HostController, Instruction, Progress, Range, Reg};
use cain_search::switches::{SwitchError, SwitchTable};
use cain_search::{Declaration, Input, Interruption, MaxGain, OffsetRule, Output, Proved, search_watched};

use super::declaration::{Automaton, Bits, Layer, bits_of};
use super::error::{AutomatonError, CompileAutomatonError};
use super::registers::Registers;

/// An automaton with proved programs.
#[derive(Clone, Debug, PartialEq)]
pub struct CompiledAutomaton {
    pub(super) automaton: Automaton,
    pub(super) layers: Vec<CompiledLayer>,
    pub(super) registers: Registers,
    pub(super) switches: Vec<SwitchTable>,
    program: Program,
    clear: Vec<Instruction>,
    classes: Vec<Vec<Instruction>>,
}

/// The program of a layer.
#[derive(Clone, Debug, PartialEq)]
pub struct CompiledLayer {
    /// Its program computes the sums, divided by the scale.
    pub program: Proved,
    /// The bits below those of the inputs that its values need for every halving to be exact.
    pub guard: u32,
    /// The width in bits of its intermediate values, with the sign and the guard bits.
    pub width: u32,
}

impl CompiledAutomaton {
    /// The automaton that was compiled. If the registers of [those that interrupt it](Automaton::interruption) had to
    /// be left alone, its machine lacks them.
    #[must_use]
    pub fn automaton(&self) -> &Automaton {
        &self.automaton
    }

    /// The layers.
    #[must_use]
    pub fn layers(&self) -> &[CompiledLayer] {
        &self.layers
    }

    /// The contents of the registers.
    #[must_use]
    pub fn registers(&self) -> &Registers {
        &self.registers
    }

    /// What the controller does for a step: new random bits, all layers with the operations between them, and the update of
    /// the cells that are alive and chosen.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The instructions of a step, without what is [stored](Step::Store) between them.
    pub fn instructions(&self) -> impl Iterator<Item = &Instruction> {
        self.program.steps().filter_map(Step::listing).flatten()
    }

    /// Sets the state of all cells that are not alive to 0.
    #[must_use]
    pub fn clear(&self) -> &[Instruction] {
        &self.clear
    }

    /// The instructions that find the class of every cell: after each list the [`CLASS`](Registers::CLASS) bit is 1 where the
    /// cell is alive and of that class, the first one of equals. They do not change the state.
    #[must_use]
    pub fn classes(&self) -> &[Vec<Instruction>] {
        &self.classes
    }

    /// Checks that the sum of a state and an update, with the bits below them, fits into the registers.
    fn check_update(&self) -> Result<(), CompileAutomatonError> {
        let bits = &self.automaton.bits;
        let needed = u32::from(bits.state.max(bits.update)) + 1 + u32::from(self.guard(0));
        if needed > u32::from(bits.register) {
            let layer = self.layers.len().saturating_sub(1);
            return Err(CompileAutomatonError::Intermediate { layer, found: bits.register, needed });
        }
        Ok(())
    }

    /// The places where a [step](Self::steps) may be left, for each of those that [may interrupt
    /// it](Automaton::interruption) together with all that come after that one.
    #[must_use]
    pub fn switches(&self) -> &[SwitchTable] {
        &self.switches
    }
}

/// Finds programs for all layers, within the budget of the automaton's options, which they share in proportion to their
/// weights. `watch` is called as nodes are used; if it breaks, searches end with what they have found.
///
/// It is proved that every program is right and that no intermediate value overflows the registers.
///
/// If [those that interrupt](Automaton::interruption) a step would have to wait for too long, the programs are searched
/// for again without the registers of these.
pub fn compile(
    automaton: &Automaton,
    watch: impl FnMut(usize, Progress) -> ControlFlow<()>,
) -> Result<CompiledAutomaton, CompileAutomatonError> {
    compile_with(automaton, Vec::new(), watch)
}

/// Like [`compile`], with known programs for some [layers](declarations), in the order of the layers.
pub fn compile_with(
    automaton: &Automaton,
    known: Vec<Option<Proved>>,
    mut watch: impl FnMut(usize, Progress) -> ControlFlow<()>,
) -> Result<CompiledAutomaton, CompileAutomatonError> {
    let compiled = programs(automaton, known, &mut watch)?;
    let Some(interruption) = &automaton.interruption else { return Ok(compiled) };
    let error = match interruptible(compiled, interruption) {
        Ok(compiled) => return Ok(compiled),
        Err(error) => error,
    };
    let mut apart = automaton.clone();
    apart.machine.registers = automaton.machine.registers.without(interruption.all().analogue());
    let enough = automaton.registers_needed();
    if apart.machine.registers.len() < enough {
        return Err(CompileAutomatonError::Interruption { error, enough: Some(enough) });
    }
    // With other registers, none of the known programs can be used.
    let apart = interruptible(programs(&apart, Vec::new(), &mut watch)?, interruption);
    apart.map_err(|error| CompileAutomatonError::Interruption { error, enough: None })
}

/// Adds the places where the automaton may be left.
fn interruptible(compiled: CompiledAutomaton, interruption: &Interruption) -> Result<CompiledAutomaton, SwitchError> {
    let switches = SwitchTable::all_of_steps(&compiled.steps(), interruption);
    switches.map(|switches| CompiledAutomaton { switches, ..compiled })
}

fn programs(
    automaton: &Automaton,
    known: Vec<Option<Proved>>,
    watch: &mut impl FnMut(usize, Progress) -> ControlFlow<()>,
) -> Result<CompiledAutomaton, CompileAutomatonError> {
    let mut found = Vec::new();
    let mut known = known.into_iter();
    for (layer, declaration) in declarations(automaton)?.iter().enumerate() {
        let search = || {
            search_watched(declaration, |progress| watch(layer, progress))
                .map(|solution| solution.program)
                .map_err(|error| CompileAutomatonError::Search { layer, error })
        };
        found.push(known.next().flatten().map_or_else(search, Ok)?);
    }
    assemble(automaton, found)
}

/// The layers as filters, which share the budget of the automaton's options in proportion to their weights.
pub fn declarations(automaton: &Automaton) -> Result<Vec<Declaration>, AutomatonError> {
    automaton.check()?;
    let registers = registers(automaton)?;
    let weights: Vec<u64> = automaton.layers.iter().map(weights).collect();
    let all: u64 = weights.iter().sum::<u64>().max(1);
    let layers = weights.into_iter().enumerate().map(|(layer, weights)| {
        let mut declaration = declaration(automaton, &registers, layer);
        let share = u128::from(automaton.options.nodes) * u128::from(weights) / u128::from(all);
        declaration.options.nodes = u64::try_from(share).unwrap_or(u64::MAX).max(1);
        declaration
    });
    Ok(layers.collect())
}

/// Combines an automaton with programs of its [layers](declarations), in their order; fails if an intermediate value
/// overflows the registers.
pub fn assemble(
    automaton: &Automaton,
    programs: impl IntoIterator<Item = Proved>,
) -> Result<CompiledAutomaton, CompileAutomatonError> {
    let mut layers = Vec::new();
    let mut programs = programs.into_iter();
    for (layer, declaration) in declarations(automaton)?.iter().enumerate() {
        let program = programs.next().filter(|program| {
            let found = program.declaration();
            (&found.inputs, &found.outputs) == (&declaration.inputs, &declaration.outputs)
        });
        layers.push(checked(automaton, layer, program.ok_or(CompileAutomatonError::Program { layer })?)?);
    }
    let registers = registers(automaton)?;
    let mut compiled = CompiledAutomaton {
        automaton: automaton.clone(),
        layers,
        registers,
        switches: Vec::new(),
        program: Program::new(&automaton.name, automaton.machine.times),
        clear: Vec::new(),
        classes: Vec::new(),
    };
    compiled.check_update()?;
    compiled.program.parts = compiled.parts()?;
    compiled.clear = compiled.cleared()?;
    compiled.classes = compiled.classified()?;
    let others = compiled.clear.iter().chain(compiled.classes.iter().flatten()).copied().map(step_of);
    let others: Vec<Step> = others.collect();
    allowed(&automaton.machine, compiled.program.steps().chain(&others)).map_err(CompileAutomatonError::Machine)?;
    Ok(compiled)
}

fn registers(automaton: &Automaton) -> Result<Registers, AutomatonError> {
    Registers::of(automaton).ok_or(AutomatonError::Registers {
        found: automaton.machine.registers.len(),
        needed: automaton.registers_needed(),
    })
}

fn weights(layer: &Layer) -> u64 {
    (0..layer.outputs()).map(|output| u64::try_from(layer.terms(output).count()).unwrap_or(u64::MAX)).sum()
}

/// A layer as a filter. Outputs without weights are omitted: zeros are written for them.
fn declaration(automaton: &Automaton, registers: &Registers, layer: usize) -> Declaration {
    let inputs = registers.inputs(layer);
    let outputs = registers.outputs(layer);
    let kept: BTreeSet<Reg> = inputs.iter().chain(outputs).chain(registers.state()).copied().collect();
    let scratch = automaton.machine.registers.iter().filter(|reg| !kept.contains(reg)).collect();
    let kernel = |output| automaton.layers.get(layer).map(|sums| sums.polynomial(output, automaton.scale));
    let outputs = outputs.iter().enumerate();
    let outputs = outputs.map(|(output, &reg)| Output { reg, kernel: kernel(output).unwrap_or_default() });
    let mut declaration = Declaration {
        name: format!("{}-layer-{}", automaton.name, layer + 1),
        inputs: inputs.iter().map(|&reg| Input { reg, keep: true }).collect(),
        outputs: outputs.collect(),
        scratch,
        machine: automaton.machine,
        options: automaton.options.clone(),
    };
    // Registers hold sufficiently wide integers, and words have no errors.
    let (low, high) = match layer {
        0 => Bits::signed(automaton.bits.state),
        _ => (0, Bits::unsigned(automaton.bits.activation)),
    };
    let whole = Range { min: i16::MIN, max: i16::MAX };
    let fits = |value: i32, otherwise| i16::try_from(value).unwrap_or(otherwise);
    let most = if layer == 0 { high.max(u8::MAX.into()) } else { high };
    declaration.machine.range = whole;
    declaration.options.input = Some(Range { min: fits(low, whole.min), max: fits(most, whole.max) });
    declaration.options.max_gain = MaxGain::Any;
    declaration.options.offset = OffsetRule::Any;
    declaration
}

/// Follows a program's values and checks that they fit into the registers.
fn checked(automaton: &Automaton, layer: usize, program: Proved) -> Result<CompiledLayer, CompileAutomatonError> {
    let values = values(&program);
    let denominators = values.iter().flat_map(Polynomial::terms).map(|(_, weight)| weight.denominator());
    let (mut guard, mut width) = (0, 0);
    for denominator in denominators {
        if denominator.count_ones() != 1 {
            return Err(CompileAutomatonError::Thirds { layer });
        }
        guard = guard.max(denominator.trailing_zeros());
    }
    for value in &values {
        width = width.max(width_of(automaton, layer, value, guard));
    }
    let found = automaton.bits.register;
    if width > found.into() {
        return Err(CompileAutomatonError::Intermediate { layer, found, needed: width });
    }
    Ok(CompiledLayer { program, guard, width })
}

/// All values that a program writes.
fn values(program: &Proved) -> Vec<Polynomial> {
    let inputs: Vec<Reg> = program.declaration().inputs.iter().map(|input| input.reg).collect();
    let mut prover = Prover::new(&inputs);
    let mut values = Vec::new();
    for word in program.listing().iter().flat_map(Instruction::words) {
        // The program was proved before, so its words are possible.
        if prover.issue(word).is_err() {
            break;
        }
        values.extend(word.transfers().filter_map(|transfer| prover.stored(transfer.store).cloned()));
    }
    values
}

/// The width in bits of a value, with this many bits below those of the inputs.
fn width_of(automaton: &Automaton, layer: usize, value: &Polynomial, guard: u32) -> u32 {
    let (mut low, mut high) = (0_i64, 0_i64);
    for (atom, weight) in value.terms() {
        let (least, most) = automaton.range(layer, atom.channel.into());
        let unit = 1_i64.checked_shl(guard).unwrap_or(i64::MAX) / weight.denominator();
        let of = |end: i32| weight.numerator().saturating_mul(unit).saturating_mul(end.into());
        low = low.saturating_add(of(least).min(of(most)));
        high = high.saturating_add(of(least).max(of(most)));
    }
    bits_of(low, high)
}
