//! The costs of a network's stages on the chip.

use cain_isa::program::Held;
use cain_network::{CompiledNetwork, Stage, Work};
use cain_runtime::program::{Place, carry_out};
use cain_runtime::sim::Array;
use cain_runtime::trace::{Meter, Timing};

use crate::program::microseconds;

/// The costs of a network for one picture.
pub(super) struct Costs {
    pub(super) stages: Vec<StageCosts>,
    /// The multiply-accumulates of the layers on the controller.
    pub(super) controller_macs: u64,
}

/// The costs of a stage.
pub(super) struct StageCosts {
    pub(super) name: String,
    pub(super) words: usize,
    pub(super) microseconds: f64,
    pub(super) is_readout: bool,
    pub(super) macs: u64,
    /// The least and the largest value of its planes in the pictures that were looked at, in DN; `None` for bits.
    pub(super) used: Option<(f32, f32)>,
}

impl Costs {
    pub(super) fn words(&self) -> usize {
        self.stages.iter().map(|stage| stage.words).sum()
    }

    pub(super) fn macs(&self) -> u64 {
        self.stages.iter().map(|stage| stage.macs).sum::<u64>() + self.controller_macs
    }

    /// The time of the array, or of read-outs, in microseconds.
    pub(super) fn microseconds(&self, readouts: bool) -> f64 {
        // Folding from 0.0, because the sum of nothing would be −0.0.
        let stages = self.stages.iter().filter(|stage| stage.is_readout == readouts);
        stages.fold(0.0, |sum, stage| sum + stage.microseconds)
    }

    /// The frames per second of array and read-outs together.
    pub(super) fn fps(&self) -> f64 {
        1e6 / (self.microseconds(false) + self.microseconds(true))
    }
}

/// The costs of a network for one picture, and the ranges of values for pictures on an array.
pub(super) fn costs(
    compiled: &CompiledNetwork,
    mut array: Array,
    places: &[Place],
    count: usize,
) -> Result<Costs, String> {
    let network = compiled.network();
    let times = &network.machine.times;
    let mut stages = vec![];
    for stage in compiled.stages() {
        let name = stage.part(network).name;
        let mut numbers = vec![0.0; places.len() * count];
        let is_readout = stage.work == Work::Read;
        let microseconds = if is_readout {
            // The steps are carried out for one picture, to be measured, and then for all.
            let mut meter = Meter::new(array.clone()).timing(Timing { words: *times, ..Timing::SCAMP5 });
            let one = places.get(..1).unwrap_or_default();
            carry_out(&mut meter, &stage.steps, &[], one, &mut numbers).map_err(|error| error.to_string())?;
            meter.report().microseconds_per_frame()
        } else {
            microseconds(stage.nanoseconds(times))
        };
        carry_out(&mut array, &stage.steps, &[], places, &mut numbers).map_err(|error| error.to_string())?;
        stages.push(StageCosts {
            words: stage.words(),
            microseconds,
            is_readout,
            macs: stage.macs,
            used: used(&array, stage, places),
            name,
        });
    }
    Ok(Costs { stages, controller_macs: u64::try_from(network.controller_macs()).unwrap_or(u64::MAX) })
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

#[cfg(test)]
mod tests {
    use cain_analysis::owned::Step;
    use cain_codegen::Overrides;
    use cain_codegen::kernel_file::parse_any;
    use cain_codegen::kinds::Item;
    use cain_isa::{Clock, ErrorModel, Instruction, Machine};
    use cain_network::Work;
    use cain_runtime::io::Size;
    use cain_runtime::program::{Place, carry_out};
    use cain_runtime::sim::Array;
    use cain_runtime::trace::Meter;

    /// Values around maps, programs of analogue words, of digital ones and of both, and levels between programs.
    const NETWORK: &str = r#"
        [network.slopes]
        input = { size = [12, 12], levels = "-60..60" }
        search = { nodes = 100 }

        [[network.slopes.layer]]
        name = "bright"
        op = "threshold"
        at = -19.7

        [[network.slopes.layer]]
        name = "slope"
        op = "digital"
        kernels = [[[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]]]
        padding = 1

        [[network.slopes.layer]]
        name = "steep"
        op = "threshold"
        at = 1

        [[network.slopes.layer]]
        name = "listed"
        op = "events"
        capacity = 20
    "#;

    /// The costs stated for a stage are those of what the array is sent for a picture, and of its time: words of
    /// digital programs run faster, and functions of the controller stand between programs.
    #[test]
    fn costs_are_those_of_the_words_that_are_carried_out() {
        let declared = match parse_any(NETWORK, Overrides::default()).unwrap().remove(0) {
            Item::Network(declared) => declared,
            other => panic!("{other:?}"),
        };
        let compiled = cain_network::compile(&declared.network).unwrap();
        let mut array = Array::scamp5().machine(Machine::SCAMP5).errors(ErrorModel::ideal());
        let Size { width, height } = Size::SCAMP5;
        array.load_reg(compiled.input(), &vec![0.0; width * height]).unwrap();
        let (mut fast, mut slow, mut surroundings) = (0, 0, 0);
        for stage in compiled.stages() {
            let mut meter = Meter::new(array.clone());
            let mut numbers = [0.0; 64];
            let place = [Place { row: 40, column: 40 }];
            let carried_out = meter.program("", |meter| carry_out(meter, &stage.steps, &[], &place, &mut numbers));
            carried_out.unwrap();
            let report = meter.report();
            let expense = &report.expenses[0];
            assert_eq!(expense.tally.words(), stage.words() as u64, "{:?}", stage.steps);
            array = meter.into_controller();
            if stage.work == Work::Read {
                continue;
            }
            let time = |step: &Step| match step {
                Step::Execute(listing) => {
                    let words = || listing.iter().flat_map(Instruction::words);
                    let is_fast = words().all(|word| matches!(word.clock(), Clock::Digital | Clock::Neighbours));
                    *(if is_fast { &mut fast } else { &mut slow }) += words().count();
                    words().count() as u64 * if is_fast { 100 } else { 190 }
                }
                Step::Outside(..) => {
                    surroundings += 1;
                    100
                }
                _ => 0,
            };
            let nanoseconds: u64 = stage.steps.iter().map(time).sum();
            assert_eq!(stage.nanoseconds(&Machine::SCAMP5.times), nanoseconds, "{:?}", stage.steps);
            let wanted = f64::from(u32::try_from(nanoseconds).unwrap());
            assert!((expense.microseconds * 1000.0 - wanted).abs() < 1e-6, "{expense:?}");
        }
        assert!(fast > 0 && slow > 0 && surroundings > 0, "{fast} {slow} {surroundings}");
    }
}
