//! States that are kept for long in registers that lose their levels slowly.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_possible_wrap,
    reason = "levels of tests are small"
)]

mod running;

use cain_digital::Logic;
use cain_isa::{Displacement, Fraction, Machine};
use cain_runtime::sim::Array;
use cain_search::Options;
use cain_vision::declaration::{Builder, First, Kind, Operation, Result as Outcome, Storage, Summand};
use cain_vision::reference::{Answer, Content};
use running::{Running, SIDE};

/// What a register loses until the next frame, in DN.
const LOSS: f32 = 5.0;
const FRAMES: usize = 200;

/// A background of 16 levels, which is the picture where it changes, what changed at some time in bits, and the picture before.
#[test]
fn a_background_of_levels_does_not_drift() {
    let levels = Kind::Levels { low: -128.0, high: 127.0 };
    let mut builder = Builder::new("background", Machine::SCAMP5, Options { nodes: 500, ..Options::default() });
    let image = builder.input("image", levels, false);
    let (last, before) = builder.state("last", levels, First::Input(0), Storage::Plain);
    let (kept, background) = builder.state("background", levels, First::Input(0), Storage::Levels(16));
    let (marked, mark) = builder.state("mark", Kind::Bits, First::Constant(1), Storage::Plain);
    let weighted = |of, weight| Summand { of, weight, at: Displacement::ZERO };
    let mut sum = |summands: Vec<Summand>, constant: i32| {
        let constant = Fraction::from(constant);
        builder.define(Operation::Sum { summands, constant, numbers: Vec::new() }).unwrap()
    };
    let one = Fraction::ONE;
    let change = sum(vec![weighted(image, one), weighted(before, one.negated())], -24);
    let moves = builder.define(Operation::Positive(change)).unwrap();
    let either = Logic::Any([0, 1].map(|input| Logic::pixel(input, Displacement::ZERO)).to_vec());
    let next = builder.define(Operation::Logic { function: either, of: vec![moves, mark] }).unwrap();
    let learned = builder.define(Operation::Select { bits: moves, then: image, otherwise: background }).unwrap();
    builder.next(last, image).unwrap();
    builder.next(kept, learned).unwrap();
    builder.next(marked, next).unwrap();
    builder.result("background", Outcome::Value(background));
    builder.result("mark", Outcome::Value(mark));
    let declaration = builder.finish();
    let mut running = Running::new(&declaration, Array::new(SIDE, SIDE)).unwrap();
    let mut random = cain_isa::random::SplitMix64::new(11);
    let picture = Content::Levels((0..SIDE * SIDE).map(|_| random.below(201) as f64 - 100.0).collect());
    let mut first = None;
    for frame in 0..FRAMES {
        let found = running.frame(std::slice::from_ref(&picture), &[]);
        running.lose(LOSS);
        let (Answer::One(Content::Levels(levels)), Answer::One(Content::Bits(marks))) = (&found[0], &found[1]) else {
            panic!("{found:?}")
        };
        assert!(marks.iter().all(|mark| *mark), "frame {frame}");
        // In the first frame, it is the picture itself.
        if frame > 0 {
            let first = first.get_or_insert_with(|| levels.clone());
            let drift = levels.iter().zip(&*first).map(|(now, first)| (now - first).abs()).fold(0.0, f64::max);
            assert!(drift < 1e-3, "frame {frame}: {drift} DN");
        }
    }
}
