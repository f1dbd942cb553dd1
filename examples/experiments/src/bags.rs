//! Samples of bags, from which the learned estimate of the search is trained.
//!
//! Two files of rows of 32-bit integers, least significant byte first:
//!
//! - `bags`: the number of the declaration, that of the layer (numbered consecutively), 1 if a shortest program goes
//!   through the bag, the linear estimate, the addition of rules that are not learned, and the features of the bag;
//! - `goals`: for each goal of each bag, the number of the bag (numbered consecutively), its four marks, and its
//!   features.

use std::fmt;

use cain_search::{Sample, SampledBag, sample as sample_of};
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use crate::args;
use crate::declarations::declaration;
use crate::interrupt::Interrupt;
use crate::sampling::progress;

/// The number of declarations that are searched before the user can end the run.
const BATCH: u32 = 16;

/// The files of a sample and a summary of their contents.
#[derive(Default)]
pub(crate) struct Recording {
    pub(crate) declarations: u32,
    /// The number of declarations with a program, and the words of all programs together.
    with_program: u32,
    words: u32,
    layers: i64,
    count: i64,
    /// The files.
    bags: Vec<u8>,
    goals: Vec<u8>,
}

/// Samples random declarations.
pub(crate) fn sample(args: &args::Bags, interrupt: &Interrupt) -> Recording {
    let line = progress("bags", "declarations", args.size.into());
    let mut recording = Recording::default();
    while recording.declarations < args.size && !interrupt.is_pressed() {
        let numbers = recording.declarations + 1..=args.size.min(recording.declarations.saturating_add(BATCH));
        let one = |number| {
            let sample = sample_of(&declaration(args.seed, number, args.nodes));
            line.inc(1);
            sample.unwrap_or_default()
        };
        let samples: Vec<Sample> = numbers.into_par_iter().map(one).collect();
        for sample in &samples {
            recording.add(sample);
        }
    }
    line.finish_and_clear();
    recording
}

impl Recording {
    fn add(&mut self, sample: &Sample) {
        self.declarations += 1;
        self.with_program += u32::from(sample.words > 0);
        self.words += sample.words;
        for layer in &sample.layers {
            for bag in layer {
                self.add_bag(bag);
            }
            self.layers += 1;
        }
    }

    fn add_bag(&mut self, bag: &SampledBag) {
        let first = [self.declarations.into(), self.layers, bag.is_best.into(), bag.linear, bag.detours];
        write(&mut self.bags, first.iter().chain(&bag.features));
        for goal in &bag.goals {
            let marks = goal.marks.map(i64::from);
            write(&mut self.goals, [self.count].iter().chain(&marks).chain(&goal.features));
        }
        self.count += 1;
    }

    /// Their names and contents.
    pub(crate) fn files(&self) -> [(String, &[u8]); 2] {
        [("bags".to_owned(), &self.bags), ("goals".to_owned(), &self.goals)]
    }
}

impl fmt::Display for Recording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { declarations, with_program, words, layers, count, .. } = self;
        write!(
            f,
            "{count} bags in {layers} layers; {with_program} of {declarations} declarations have programs, \
             {words} control words together"
        )
    }
}

/// Writes numbers; those that do not fit are saturated.
fn write<'a>(file: &mut Vec<u8>, numbers: impl Iterator<Item = &'a i64>) {
    let small = |&number: &i64| i32::try_from(number).unwrap_or(if number < 0 { i32::MIN } else { i32::MAX });
    file.extend(numbers.flat_map(|number| small(number).to_le_bytes()));
}
