//! A task that filters one image over and over, on a simulated array that keeps the time.

use cain_runtime::HostController as _;
use cain_runtime::isa::{Cells, Plan};
use cain_runtime::sim::{Array, SimError};
use cain_runtime::tasks::{Context, Outcome, Task, Ticking};

use crate::comparison::overwritten;

/// The simulated array, with a handler that is called after each word.
pub(crate) type Clocked<'c, F> = Ticking<'c, Array, F>;

/// Runs one plan on an image, and compares its results with those of an undisturbed run.
pub(crate) struct Filter<'i> {
    plan: &'static Plan,
    image: &'i [f32],
    wanted: Vec<Vec<f32>>,
    /// Runs with other results.
    pub(crate) wrong: u32,
}

impl<'i> Filter<'i> {
    /// The task of a plan on a square image, in the size of the array.
    pub(crate) fn new(plan: &'static Plan, image: &'i [f32]) -> Result<Self, SimError> {
        let mut array = Array::new(side(image), side(image));
        array.load_reg(plan.inputs[0], image)?;
        array.run(plan)?;
        let wanted = plan.outputs.iter().map(|&reg| Ok(array.read_reg(reg)?.to_vec()));
        Ok(Self { plan, image, wanted: wanted.collect::<Result<_, SimError>>()?, wrong: 0 })
    }
}

/// The length of a side of a square image.
pub(crate) fn side(image: &[f32]) -> usize {
    image.len().isqrt()
}

/// Whether the inner parts of two planes are the same; near the edges, results are not defined.
fn same(one: &[f32], other: &[f32]) -> bool {
    const BORDER: usize = 4;
    let side = side(one);
    let inside = |at: usize| (BORDER..side - BORDER).contains(&at);
    (0..one.len())
        .filter(|pe| inside(pe / side) && inside(pe % side))
        .all(|pe| one[pe].to_bits() == other[pe].to_bits())
}

impl<F: FnMut(u32)> Task<Clocked<'_, F>> for Filter<'_> {
    fn cells(&self) -> Cells {
        overwritten(self.plan)
    }

    fn run(&mut self, scamp: &mut Context<'_, Clocked<'_, F>>) -> Result<Outcome, SimError> {
        scamp.controller().controller_mut().load_reg(self.plan.inputs[0], self.image)?;
        scamp.run(self.plan)?;
        let array = scamp.controller().controller_mut();
        for (&reg, wanted) in self.plan.outputs.iter().zip(&self.wanted) {
            if !same(array.read_reg(reg)?, wanted) {
                self.wrong += 1;
                break;
            }
        }
        Ok(Outcome::Done)
    }
}
