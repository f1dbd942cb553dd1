//! What the stages of a network cost on the chip.

use cain_isa::network::Held;
use cain_runtime::network::{Place, run};
use cain_runtime::sim::{Array, SimError};
use cain_runtime::trace::{Meter, Timing};
use cain_search::network::{CompiledNetwork, Operation, Stage, Work};

use crate::network::name;

/// What a network costs for one picture.
pub(super) struct Costs {
    pub(super) stages: Vec<StageCosts>,
    /// The multiply-accumulates of the layers on the controller.
    pub(super) controller_macs: u64,
}

/// What a stage costs.
pub(super) struct StageCosts {
    pub(super) name: String,
    pub(super) words: u64,
    pub(super) microseconds: f64,
    pub(super) is_readout: bool,
    pub(super) macs: u64,
    /// The least and the largest value of its planes in the pictures that were looked at, in DN; nothing for bits.
    pub(super) used: Option<(f32, f32)>,
}

impl Costs {
    pub(super) fn words(&self) -> u64 {
        self.stages.iter().filter(|stage| !stage.is_readout).map(|stage| stage.words).sum()
    }

    pub(super) fn macs(&self) -> u64 {
        self.stages.iter().map(|stage| stage.macs).sum::<u64>() + self.controller_macs
    }

    /// The time of the array, or of read-outs, in microseconds.
    pub(super) fn microseconds(&self, readouts: bool) -> f64 {
        // From 0.0 on: the sum of nothing would be −0.0.
        let stages = self.stages.iter().filter(|stage| stage.is_readout == readouts);
        stages.fold(0.0, |sum, stage| sum + stage.microseconds)
    }

    /// Frames per second of array and read-outs.
    pub(super) fn fps(&self) -> f64 {
        1e6 / (self.microseconds(false) + self.microseconds(true))
    }
}

/// The costs of a network for one picture, and the values that pictures on an array lead to.
pub(super) fn costs(
    compiled: &CompiledNetwork,
    mut array: Array,
    places: &[Place],
    count: usize,
) -> Result<Costs, String> {
    let network = compiled.network();
    let timing = Timing::SCAMP5.of_words(&network.machine.times);
    let mut stages = vec![];
    for stage in compiled.stages() {
        let name = name(compiled, stage);
        let mut numbers = vec![0.0; places.len() * count];
        // Carried out for one picture to be measured, and then for all.
        let mut meter = Meter::new(array.clone()).timing(timing);
        let one = places.get(..1).unwrap_or_default();
        let run_one = |meter: &mut Meter<Array>| run(meter, &stage.steps, one, count, &mut numbers);
        meter.program::<_, SimError>(&name, run_one).map_err(|error| error.to_string())?;
        run(&mut array, &stage.steps, places, count, &mut numbers).map_err(|error| error.to_string())?;
        let report = meter.report();
        stages.push(StageCosts {
            words: report.expenses.iter().map(|expense| expense.tally.words()).sum(),
            microseconds: report.expenses.iter().map(|expense| expense.microseconds).sum(),
            is_readout: stage.work == Work::Read,
            macs: stage.macs,
            used: used(&array, stage, places),
            name,
        });
    }
    let dense = |operation: &Operation| match operation {
        Operation::Dense { weights, .. } => weights.iter().map(Vec::len).sum(),
        _ => 0,
    };
    let controller_macs = network.layers.iter().map(|layer| dense(&layer.operation)).sum::<usize>();
    Ok(Costs { stages, controller_macs: u64::try_from(controller_macs).unwrap_or(u64::MAX) })
}

/// The least and the largest value in the pixels of a stage's planes.
fn used(array: &Array, stage: &Stage, places: &[Place]) -> Option<(f32, f32)> {
    if stage.work == Work::Read {
        return None;
    }
    let width = array.width();
    let mut range: Option<(f32, f32)> = None;
    for (held, grid) in stage.held.iter().zip(&stage.grids) {
        let Held::Reg(reg) = *held else { continue };
        let Ok(values) = array.read_reg(reg) else { continue };
        for place in places {
            let rows = (0..grid.height).map(|row| place.row.saturating_add_signed(grid.top) + row * grid.row_step);
            for row in rows {
                let start = row * width + place.column.saturating_add_signed(grid.left);
                let pixels = values.iter().skip(start).step_by(grid.column_step.max(1)).take(grid.width);
                for &value in pixels {
                    let (low, high) = range.unwrap_or((value, value));
                    range = Some((low.min(value), high.max(value)));
                }
            }
        }
    }
    range
}
