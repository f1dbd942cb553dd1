//! Corrects what is read out by what the errors of the chip change in it on the average.
//!
//! Each transfer multiplies a value by somewhat less than 1, and the errors that a program cancels are multiplied by different
//! powers of that, so a map that took a hundred words is half as large as it should be, and off by some DN. Both follow from the
//! program and the constants of the error model, are the same on all chips, and cost nothing to undo where the controller turns
//! what it reads into numbers.

use cain_analysis::owned::Step;

use super::follow::{Follower, Watch};
use super::line::Pairs;
use crate::compile::CompiledNetwork;

/// The most values that are followed for all pictures: a pixel has one for each control word.
const MOST_VALUES: usize = 1 << 20;
/// The most for the first picture.
const MOST_OF_ONE: usize = 1 << 25;

/// The network, with read-outs of levels that are corrected for the errors of the declared chip, for its
/// [typical pictures](crate::Network::typical_pictures).
///
/// The result depends on nothing but the program and these pictures. Networks that are too large to be followed stay as they are.
pub(crate) fn corrected(mut compiled: CompiledNetwork) -> CompiledNetwork {
    let lines = lines(&compiled).unwrap_or_default();
    let reads = compiled.steps_mut().filter_map(|step| if let Step::Read(read) = step { Some(read) } else { None });
    for (read, line) in reads.zip(lines) {
        read.correct(line);
    }
    compiled
}

/// For each read-out the factor and the summand of what is read, if there are any.
fn lines(compiled: &CompiledNetwork) -> Option<Vec<Option<(f64, f64)>>> {
    let network = compiled.network();
    let model = &network.options.error_model;
    let values = compiled.words().saturating_mul(network.input.height * network.input.width).max(1);
    if values > MOST_OF_ONE || !model.has_offsets() {
        return None;
    }
    let pictures = network.typical_pictures();
    let mut all: Vec<(bool, Pairs)> = Vec::new();
    for picture in pictures.iter().take((MOST_VALUES / values).max(1)) {
        let mut follower = Follower::new(compiled, model, picture);
        let mut made = 0;
        // What is read is forgotten after its stage.
        let add = |follower: &Follower<'_>, _| {
            for read in &follower.reads[made..] {
                if all.len() == made {
                    all.push((read.is_analogue, Pairs::default()));
                }
                let node = &follower.tape.nodes[read.content];
                for &place in read.places.iter().flatten() {
                    all[made].1.add(node.exact[place].into(), node.expected[place].into());
                }
                made += 1;
            }
        };
        follower.run(Watch::Nothing, add).ok()?;
    }
    let random = model.conversion_variance();
    Some(all.into_iter().map(|(is_analogue, pairs)| pairs.line(random).filter(|_| is_analogue)).collect())
}
