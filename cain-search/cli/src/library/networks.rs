//! Networks on pictures, which are bytes, one for each pixel and one picture after the other.

use std::path::Path;

use cain_isa::ErrorModel;
use cain_network::{CompiledNetwork, Operation, Source};

use super::Interrupt;
use crate::data::Labelled;
use crate::eval::array::Arrays;
use crate::eval::controller::Numbers;
use crate::eval::head::head;
use crate::eval::trace::{sizes, traced};
use crate::progress::Line;
use crate::threads::Threads;

pub use crate::eval::trace::Traced;

/// The answers of a network for pictures.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    /// The class of each picture that the array and the controller found.
    pub classes: Vec<usize>,
    /// The class that the network of the file finds in floating point.
    pub float_classes: Vec<usize>,
    /// Whether all numbers that were read out equal those in floating point.
    pub same: Vec<bool>,
}

/// Evaluates a network on pictures, one byte for each pixel and one picture after the other, as `cain eval` does. `progress`
/// is told how many pictures are done.
pub fn evaluate(
    network: &CompiledNetwork,
    (errors, seed): (ErrorModel, u64),
    pictures: &[u8],
    interrupt: &Interrupt,
    progress: &mut (dyn FnMut(usize) + Send),
) -> Result<Answers, String> {
    let head = head(Path::new(&network.network().name), network)?;
    let arrays = Arrays::new(network, errors, seed)?;
    let pictures: Vec<(&[u8], usize)> = pictures.chunks_exact(area(network)).map(|picture| (picture, 0)).collect();
    Threads::default().run(|| {
        let mut answers = Answers::default();
        // Enough for several processors at once.
        for batch in pictures.chunks(arrays.room() * BATCHES) {
            for answer in arrays.answers(batch, head, interrupt, &Line::hidden(0, "pictures"))? {
                answers.classes.push(answer.class);
                answers.float_classes.push(answer.float);
                answers.same.push(answer.same);
            }
            progress(answers.classes.len());
        }
        Ok(answers)
    })
}

/// The number of classes among which [`evaluate`] finds one.
pub fn classes(network: &CompiledNetwork) -> Result<usize, String> {
    let declared = network.network();
    let head = head(Path::new(&declared.name), network)?;
    let shapes = declared.shapes().map_err(|error| error.to_string())?;
    let layer = declared.layers.get(head);
    // A place is one of those in the list of which it is the largest.
    let of = match layer.map(|layer| (&layer.operation, layer.from.as_slice())) {
        Some((Operation::Argmax, &[Source::Layer(source)])) => source,
        _ => head,
    };
    Ok(shapes.get(of).map_or(0, |shape| shape.values()))
}

/// Arrays that are simulated between two looks at who waits.
const BATCHES: usize = 8;

/// A head of a network, and its numbers for pictures.
#[derive(Clone, Debug)]
pub struct Head {
    /// The name of the layer.
    pub name: String,
    /// The sizes for one picture, the last of which changes fastest. A list of pixels is their number and then the row and the
    /// column of each, with zeros behind them.
    pub sizes: Vec<usize>,
    /// The numbers, picture after picture.
    pub numbers: Vec<f32>,
}

/// The numbers of the heads of a network for pictures, see [`evaluate`].
pub fn heads(
    network: &CompiledNetwork,
    (errors, seed): (ErrorModel, u64),
    pictures: &[u8],
    interrupt: &Interrupt,
    progress: &mut (dyn FnMut(usize) + Send),
) -> Result<Vec<Head>, String> {
    let declared = network.network();
    let shapes = declared.shapes().map_err(|error| error.to_string())?;
    let heads = declared.heads();
    let head = |layer: &usize| {
        let (of, shape) = (declared.layers.get(*layer)?, shapes.get(*layer)?);
        Some(Head { name: of.name.clone(), sizes: sizes(shape), numbers: Vec::new() })
    };
    let mut found: Vec<Head> = heads.iter().filter_map(head).collect();
    let arrays = Arrays::new(network, errors, seed)?;
    let pictures: Vec<&[u8]> = pictures.chunks_exact(area(network)).collect();
    Threads::default().run(|| {
        let mut done = 0;
        for batch in pictures.chunks(arrays.room() * BATCHES) {
            if interrupt.is_pressed() {
                return Err("interrupted".to_owned());
            }
            for numbers in arrays.numbers(batch)? {
                for (head, found) in heads.iter().zip(&mut found) {
                    found
                        .numbers
                        .extend(numbers.get(*head).and_then(Option::as_ref).map(Numbers::reals).unwrap_or_default());
                }
            }
            done += batch.len();
            progress(done);
        }
        Ok(found)
    })
}

/// The values of all layers of a network for pictures, see [`evaluate`]: in floating point, on an ideal array and on one with
/// errors.
pub fn trace(
    network: &CompiledNetwork,
    errors: (ErrorModel, u64),
    pictures: &[u8],
    interrupt: &Interrupt,
    progress: &mut (dyn FnMut(usize) + Send),
) -> Result<Vec<Traced>, String> {
    let image = &network.network().input;
    let data = Labelled::unlabelled((image.height, image.width), pictures);
    Threads::default().run(|| traced(network, errors, &data, interrupt, progress))
}

/// The number of pixels of a picture.
fn area(network: &CompiledNetwork) -> usize {
    let image = &network.network().input;
    (image.height * image.width).max(1)
}
