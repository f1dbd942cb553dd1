//! The common interface of the experiments: searches for each sample, and figures of their lengths.

use cain_analysis::prove::Polynomial;
use cain_codegen::instruction_set_name;
use cain_isa::{Machine, Reg};
use cain_search::{
    Declaration, Input, InstructionSet, MaxGain, Objective, OffsetRule, Options, Output, Patience, Solution,
};

use crate::args::Shared;
use crate::plot::Figure;
use crate::sheet::Sheet;
use crate::statistics::Statistics;

/// One of the experiments.
pub(crate) trait Study: Sync {
    /// The name of its files, without extension.
    const NAME: &'static str;

    /// The unit of lengths.
    fn unit(&self) -> Unit;

    /// The searches for a sample: always the same number, in the same order.
    fn searches(&self, sample: u32) -> Vec<Search>;

    /// The figures of all samples.
    fn evaluate(&self, lengths: &[Lengths]) -> (Sheet, Figure);
}

/// One search.
pub(crate) struct Search {
    /// The common description of all samples' searches in this place.
    pub(crate) what: String,
    pub(crate) declaration: Declaration,
}

/// The lengths of a sample's programs in the order of its searches; `None` where no program was found.
pub(crate) type Lengths = Vec<Option<u32>>;

/// The parameters that all searches of an experiment share, except the budget.
#[derive(Clone, Copy)]
pub(crate) struct Setting {
    pub(crate) seed: u64,
    pub(crate) instructions: InstructionSet,
    pub(crate) unit: Unit,
    objective: Objective,
    /// The number of analogue registers.
    pub(crate) registers: u8,
}

impl Setting {
    pub(crate) fn new(shared: &Shared, registers: u8) -> Self {
        let (instructions, objective) = (shared.isa, shared.objective);
        Self { seed: shared.seed, instructions, unit: Unit::of(objective), objective, registers }
    }

    /// The declaration of kernels of A whose results go to A, B, .., with all other registers as scratch.
    pub(crate) fn declaration(&self, kernels: &[Polynomial], nodes: u64) -> Declaration {
        let mut registers = (0..self.registers).map(Reg::from_index);
        let outputs = kernels.iter().zip(&mut registers);
        Declaration {
            name: "random".to_owned(),
            inputs: vec![Input { reg: Reg::A, keep: false }],
            outputs: outputs.map(|(kernel, reg)| Output { reg, kernel: kernel.clone() }).collect(),
            scratch: registers.collect(),
            machine: Machine::SCAMP5.with_registers(self.registers.into()),
            options: Options {
                nodes,
                objective: self.objective,
                instructions: self.instructions,
                // These are the rules of the paper.
                offset: match self.instructions {
                    InstructionSet::Native => OffsetRule::Cancelled,
                    _ => OffsetRule::Any,
                },
                max_gain: MaxGain::Any,
                // The figures are about budgets.
                patience: Patience::Any,
                ..Options::default()
            },
        }
    }

    /// The parameters in which figures of other settings differ, as columns of a table: title and value.
    pub(crate) fn constants(&self) -> Vec<(&'static str, String)> {
        let isa = instruction_set_name(self.instructions);
        vec![("unit", self.unit.name().to_owned()), ("isa", isa.to_owned()), ("seed", self.seed.to_string())]
    }

    /// A line below the title of a plot: first the specific part, then the parameters that all searches share.
    pub(crate) fn describe(&self, what: &str) -> String {
        let last = Reg::from_index(self.registers.saturating_sub(1));
        let isa = instruction_set_name(self.instructions);
        format!(
            "{what}; random 3×3 weights 0/8 to 8/8, registers A to {last}, instruction set {isa}, seed {}",
            self.seed
        )
    }
}

/// A number of kernels in words.
pub(crate) fn kernels(count: u8) -> String {
    format!("{count} kernel{}", if count == 1 { "" } else { "s" })
}

/// The statistics of the searches in one place over all samples.
pub(crate) fn statistics(lengths: &[Lengths], place: usize) -> Statistics {
    Statistics::of(lengths.iter().map(|lengths| lengths.get(place).copied().flatten()))
}

/// The unit of lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Macros,
    ControlWords,
}

impl Unit {
    /// The unit that an objective minimises.
    fn of(objective: Objective) -> Self {
        match objective {
            Objective::Icws => Self::ControlWords,
            _ => Self::Macros,
        }
    }

    /// The name for the column of a table.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Macros => "macros",
            Self::ControlWords => "icws",
        }
    }

    /// The label of the axis of a plot.
    pub(crate) fn axis(self) -> &'static str {
        match self {
            Self::Macros => "program length (macro instructions)",
            Self::ControlWords => "program length (control words, ICWs)",
        }
    }

    pub(crate) fn length(self, solution: &Solution) -> u32 {
        match self {
            Self::Macros => solution.program.report().macros,
            Self::ControlWords => solution.program.report().icws,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Setting, Unit};
    use crate::kernels::RandomKernels;
    use cain_isa::Reg;
    use cain_search::{InstructionSet, Objective};

    #[test]
    fn a_declaration_has_all_registers() {
        let setting = Setting {
            seed: 1,
            instructions: InstructionSet::Macro,
            unit: Unit::Macros,
            objective: Objective::Macros,
            registers: 18,
        };
        let kernels: Vec<_> = RandomKernels::of_sample(1, 1).take(10).collect();
        let declaration = setting.declaration(&kernels, 7);
        assert_eq!(declaration.validate(), Ok(()));
        assert_eq!(declaration.writable(), (0..18).map(Reg::from_index).collect::<Vec<_>>());
        assert_eq!((declaration.outputs.len(), declaration.options.nodes), (10, 7));
        assert!(setting.describe("x").contains("registers A to R,"), "{}", setting.describe("x"));
    }
}
