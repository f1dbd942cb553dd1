//! Program length per kernel of layers of a network.

use cain_analysis::prove::{Atom, Polynomial};
use cain_isa::{Displacement, Fraction, Machine, Reg};
use cain_search::{Declaration, Input, Output};
use indicatif::HumanCount;

use crate::args;
use crate::kernels::RandomKernels;
use crate::plot::{BLUE, Figure, Point, Series};
use crate::scale::{Scale, Tick};
use crate::sheet::{Sheet, decimal};
use crate::statistics::Statistics;
use crate::study::{Lengths, Search, Setting, Study, Unit, statistics};

/// The registers of the cellular automaton of Dudziak (2021).
const REGISTERS: u8 = 103;
/// The number of inputs of a layer that has at least as many kernels.
const INPUTS: u16 = 15;
const KERNELS: [u16; 9] = [1, 2, 5, 10, 20, 50, 100, 200, 600];

/// The experiment of [`args::Layers`].
pub(crate) struct Layers {
    setting: Setting,
    nodes: u64,
    kernels: Vec<u16>,
}

impl Layers {
    pub(crate) fn new(args: &args::Layers) -> Self {
        let kernels = KERNELS.into_iter().filter(|kernels| *kernels <= args.kernels.max(1)).collect();
        Self { setting: Setting::new(&args.shared, REGISTERS), nodes: args.nodes, kernels }
    }

    /// A layer with this number of kernels: one for each pair of an input and an output, as far as they go.
    fn declaration(&self, sample: u32, kernels: u16) -> Declaration {
        let mut weights = RandomKernels::of_sample(self.setting.seed, sample);
        let inputs = kernels.min(INPUTS);
        let mut left = kernels;
        let mut registers = (0..self.setting.registers).map(Reg::from_index);
        let inputs: Vec<Reg> = registers.by_ref().take(inputs.into()).collect();
        let mut outputs = Vec::new();
        while left > 0 {
            let mut kernel = Polynomial::new();
            let channels = left.min(INPUTS);
            for channel in 0..channels {
                add_kernel(&mut kernel, channel, &mut weights);
            }
            left -= channels;
            let Some(reg) = registers.next() else { break };
            outputs.push(Output { reg, kernel });
        }
        Declaration {
            name: "layer".to_owned(),
            inputs: inputs.into_iter().map(|reg| Input { reg, keep: true }).collect(),
            outputs,
            scratch: registers.collect(),
            machine: Machine::SCAMP5.with_registers(REGISTERS.into()),
            ..self.setting.declaration(&[], self.nodes)
        }
    }

    fn figure(&self, samples: usize, statistics: &[Statistics]) -> Figure {
        let tick = |&kernels: &u16| Tick { at: position(kernels), text: kernels.to_string() };
        let point = |(&kernels, statistics): (&u16, &Statistics)| {
            Some(Point { x: position(kernels), y: statistics.mean? / f64::from(kernels), spread: None })
        };
        let points = self.kernels.iter().zip(statistics).filter_map(point).collect();
        Figure {
            title: "Length of programs for layers of a network, per kernel",
            subtitle: format!(
                "means of {samples} layers, {} nodes per search; 3×3 kernels, 5-bit weights over 64, {REGISTERS} registers, \
                 up to {INPUTS} inputs",
                HumanCount(self.nodes)
            ),
            x: Scale::around(self.kernels.iter().map(tick).collect()),
            x_label: "kernels of the layer (logarithmic)",
            y_label: self.setting.unit.axis(),
            series: vec![Series { name: "per kernel", colour: BLUE, is_reference: false, points }],
            note: None,
        }
    }
}

impl Study for Layers {
    const NAME: &'static str = "layers";

    fn unit(&self) -> Unit {
        self.setting.unit
    }

    fn searches(&self, sample: u32) -> Vec<Search> {
        let search = |&kernels: &u16| Search {
            what: format!("layers of {kernels}"),
            declaration: self.declaration(sample, kernels),
        };
        self.kernels.iter().map(search).collect()
    }

    fn evaluate(&self, lengths: &[Lengths]) -> (Sheet, Figure) {
        let all: Vec<_> = (0..self.kernels.len()).map(|place| statistics(lengths, place)).collect();
        let row = |(&kernels, statistics): (&u16, &Statistics)| {
            let per_kernel = statistics.mean.map(|mean| mean / f64::from(kernels));
            vec![
                Some(kernels.to_string()),
                Some(statistics.found.to_string()),
                decimal(statistics.mean),
                decimal(per_kernel),
            ]
        };
        let sheet = Sheet {
            constants: [self.setting.constants(), vec![("nodes", self.nodes.to_string())]].concat(),
            titles: vec!["kernels", "found", "mean", "per_kernel"],
            rows: self.kernels.iter().zip(&all).map(row).collect(),
            note: None,
        };
        (sheet, self.figure(lengths.len(), &all))
    }
}

fn add_kernel(sum: &mut Polynomial, channel: u16, weights: &mut RandomKernels) {
    for (x, y) in [1, 0, -1].into_iter().flat_map(|y| [-1, 0, 1].map(|x| (x, y))) {
        if let Some(weight) = Fraction::new(weights.layer_weight(), 64) {
            // 15 64ths can be represented, and each pixel occurs once.
            let _ = sum.add_term(Atom { channel, displacement: Displacement::new(x, y) }, weight);
        }
    }
}

/// The position of a number of kernels on a logarithmic axis.
fn position(kernels: u16) -> f64 {
    f64::from(kernels).log10()
}
