//! What is known about the pictures of a batch, of which the graph has only one.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::graph::Id;
use crate::model::Input;
use crate::tensor::Tensor;

/// The number of pictures for which constants are compared if the batch is open.
const OPEN: usize = 7919;
/// The message for nodes that combine pictures.
pub(super) const SEVERAL: &str = "calculates with several pictures of a batch; export the model for one";

/// Where the pictures of a batch are in a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Along(usize),
    /// New sizes have no place for them: the model is for one picture.
    Single,
    /// One of the pictures was taken.
    Taken,
    /// All pictures were added up.
    Added,
}

/// What is known about the pictures of a batch.
#[derive(Debug)]
pub(super) struct Batch {
    /// How many pictures there are, or might be; `None` if the model is for one picture.
    pub(super) pictures: Option<usize>,
    pub(super) is_open: bool,
    pub(super) places: BTreeMap<Id, Place>,
    /// The constants that depend on the number of pictures, as they are for that many.
    pub(super) counted: BTreeMap<Id, Rc<Tensor>>,
}

impl Batch {
    pub(super) fn of(input: &Input) -> Self {
        let size = input.sizes.first().copied().flatten();
        let pictures = match size {
            Some(size) => usize::try_from(size).ok().filter(|size| *size > 1),
            None => Some(OPEN),
        };
        Self { pictures, is_open: size.is_none(), places: BTreeMap::new(), counted: BTreeMap::new() }
    }

    /// Notes that the pictures of a batch are along the first axis of this value.
    pub(super) fn begin(&mut self, id: Id) {
        self.places.insert(id, Place::Along(0));
    }

    /// The axis of a value along which the pictures are.
    pub(super) fn axis(&self, id: Id) -> Option<usize> {
        match self.places.get(&id)? {
            Place::Along(axis) if self.pictures.is_some() => Some(*axis),
            _ => None,
        }
    }

    /// Refuses an output that has the pictures elsewhere than along its first axis.
    pub(super) fn check_output(&self, id: Id) -> Result<(), String> {
        match self.axis(id) {
            None if self.places.get(&id) == Some(&Place::Added) => Err(SEVERAL.to_owned()),
            None | Some(0) => Ok(()),
            Some(axis) => Err(format!("has several pictures of a batch along axis {axis}; export the model for one")),
        }
    }
}
