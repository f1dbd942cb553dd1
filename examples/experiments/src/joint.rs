//! Separate against joint compilation.

use indicatif::HumanCount;

use crate::args;
use crate::kernels::RandomKernels;
use crate::plot::{BLUE, Figure, ORANGE, Point, Series};
use crate::scale::Scale;
use crate::sheet::{Sheet, decimal};
use crate::statistics::Statistics;
use crate::study::{Lengths, Search, Setting, Study, Unit, kernels};

/// The number of registers that Cain's paper assumes for its Figure 4.
const REGISTERS: u8 = 18;
const MOST_KERNELS: u8 = 10;

/// The experiment of [`args::Joint`].
pub(crate) struct Joint {
    setting: Setting,
    nodes: u64,
}

/// The lengths for a number of kernels, of each sample that has programs both ways.
struct Pair {
    kernels: u8,
    separate: Statistics,
    joint: Statistics,
    missing: usize,
}

impl Joint {
    pub(crate) fn new(args: &args::Joint) -> Self {
        Self { setting: Setting::new(&args.shared, REGISTERS), nodes: args.nodes }
    }

    fn figure(&self, samples: usize, pairs: &[Pair]) -> Figure {
        let points = |statistics: fn(&Pair) -> &Statistics| {
            let point = |pair: &Pair| {
                let [lower, _, upper] = statistics(pair).quartiles;
                Some(Point { x: pair.kernels.into(), y: statistics(pair).mean?, spread: lower.zip(upper) })
            };
            pairs.iter().filter_map(point).collect()
        };
        let (joint, separate) = (points(|pair| &pair.joint), points(|pair| &pair.separate));
        let what = format!("means of {samples} samples, {} nodes per search", HumanCount(self.nodes));
        Figure {
            title: "Length of one program for all kernels, and of one program for each",
            subtitle: self.setting.describe(&what),
            x: Scale::counting(MOST_KERNELS),
            x_label: "kernels",
            y_label: self.setting.unit.axis(),
            series: vec![
                Series { name: "joint: one program", colour: BLUE, is_reference: false, points: joint },
                Series { name: "separate: sum of the programs", colour: ORANGE, is_reference: false, points: separate },
            ],
            note: None,
        }
    }
}

impl Study for Joint {
    const NAME: &'static str = "joint";

    fn unit(&self) -> Unit {
        self.setting.unit
    }

    /// The searches for each kernel alone, then for the first two, three, .. together.
    fn searches(&self, sample: u32) -> Vec<Search> {
        let all: Vec<_> = RandomKernels::of_sample(self.setting.seed, sample).take(MOST_KERNELS.into()).collect();
        let alone = all.chunks(1).map(|kernel| (kernels(1), kernel));
        let together = (2..=MOST_KERNELS).map(|count| (kernels(count), all.get(..count.into()).unwrap_or(&all)));
        let search = |(what, kernels)| Search { what, declaration: self.setting.declaration(kernels, self.nodes) };
        alone.chain(together).map(search).collect()
    }

    fn evaluate(&self, lengths: &[Lengths]) -> (Sheet, Figure) {
        let pairs: Vec<_> = (1..=MOST_KERNELS).map(|kernels| Pair::of(kernels, lengths)).collect();
        let row = |pair: &Pair| {
            let saved =
                pair.separate.mean.zip(pair.joint.mean).map(|(separate, joint)| 100.0 * (1.0 - joint / separate));
            vec![
                Some(pair.kernels.to_string()),
                Some(pair.joint.found.to_string()),
                Some(pair.missing.to_string()),
                decimal(pair.separate.mean),
                decimal(pair.joint.mean),
                decimal(saved),
            ]
        };
        let sheet = Sheet {
            constants: [self.setting.constants(), vec![("nodes", self.nodes.to_string())]].concat(),
            titles: vec!["kernels", "found", "missing", "separate_mean", "joint_mean", "saved_percent"],
            rows: pairs.iter().map(row).collect(),
            note: None,
        };
        (sheet, self.figure(lengths.len(), &pairs))
    }
}

impl Pair {
    fn of(kernels: u8, lengths: &[Lengths]) -> Self {
        let both: Vec<_> = lengths.iter().filter_map(|lengths| both(kernels.into(), lengths)).collect();
        Self {
            kernels,
            separate: Statistics::of(both.iter().map(|(separate, _)| Some(*separate))),
            joint: Statistics::of(both.iter().map(|(_, joint)| Some(*joint))),
            missing: lengths.len() - both.len(),
        }
    }
}

/// The separate and the joint length for a sample's first kernels, if there are both.
fn both(kernels: usize, lengths: &[Option<u32>]) -> Option<(u32, u32)> {
    let (alone, together) = lengths.split_at_checked(MOST_KERNELS.into())?;
    let separate = alone.get(..kernels)?.iter().copied().sum::<Option<u32>>()?;
    // One kernel is searched only once.
    let joint = if kernels == 1 { separate } else { together.get(kernels.checked_sub(2)?).copied()?? };
    Some((separate, joint))
}

#[cfg(test)]
mod tests {
    use super::both;

    #[test]
    fn sums_against_joint_programs() {
        let mut lengths: Vec<_> = [11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 31].map(Some).to_vec();
        lengths.extend([None; 7]);
        assert_eq!(both(1, &lengths), Some((11, 11)));
        assert_eq!(both(2, &lengths), Some((11 + 12, 21)));
        assert_eq!(both(3, &lengths), Some((11 + 12 + 13, 31)));
        assert_eq!(both(4, &lengths), None);
        lengths[1] = None;
        assert_eq!([both(1, &lengths), both(2, &lengths)], [Some((11, 11)), None]);
    }
}
