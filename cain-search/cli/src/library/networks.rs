//! Networks on pictures, which are bytes, one for each pixel and one picture after the other.

use std::path::Path;

use cain_isa::ErrorModel;
use cain_network::{CompiledNetwork, Shape};

use super::Interrupt;
use crate::data::Labelled;
use crate::eval::array::Arrays;
use crate::eval::controller::Numbers;
use crate::eval::head::head;
use crate::eval::trace::traced;
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

/// Arrays that are simulated between two looks at who waits.
const BATCHES: usize = 8;

/// The numbers of the heads of a network for pictures, see [`evaluate`]: for each head its name and, picture after picture, its
/// numbers. Heads that are maps are left out.
pub fn heads(
    network: &CompiledNetwork,
    (errors, seed): (ErrorModel, u64),
    pictures: &[u8],
    interrupt: &Interrupt,
    progress: &mut (dyn FnMut(usize) + Send),
) -> Result<Vec<(String, Vec<f32>)>, String> {
    let declared = network.network();
    let shapes = declared.shapes().map_err(|error| error.to_string())?;
    let is_number = |layer: &usize| matches!(shapes.get(*layer), Some(Shape::Numbers(_)));
    let heads: Vec<usize> = declared.heads().into_iter().filter(is_number).collect();
    let name = |head: &usize| declared.layers.get(*head).map(|layer| layer.name.clone()).unwrap_or_default();
    let mut found: Vec<(String, Vec<f32>)> = heads.iter().map(|head| (name(head), Vec::new())).collect();
    let arrays = Arrays::new(network, errors, seed)?;
    let pictures: Vec<&[u8]> = pictures.chunks_exact(area(network)).collect();
    Threads::default().run(|| {
        let mut done = 0;
        for batch in pictures.chunks(arrays.room() * BATCHES) {
            if interrupt.is_pressed() {
                return Err("interrupted".to_owned());
            }
            for numbers in arrays.numbers(batch)? {
                for (head, (_, all)) in heads.iter().zip(&mut found) {
                    all.extend(numbers.get(*head).and_then(Option::as_ref).map(Numbers::reals).unwrap_or_default());
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
