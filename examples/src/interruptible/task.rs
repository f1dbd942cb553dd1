//! A task that filters one image over and over, on a simulated array that keeps the time.

use cain_runtime::HostController as _;
use cain_runtime::isa::program::Step;
use cain_runtime::isa::{Cells, Plan, Switches};
use cain_runtime::program::carry_out;
use cain_runtime::sim::{Array, SimError};
use cain_runtime::tasks::{Context, Outcome, Task, Ticking};

use crate::cells::{kept, overwritten};

/// The simulated array, with a handler that is called after each word.
pub(crate) type Clocked<'c, F> = Ticking<'c, Array, F>;

/// Runs one plan on an image, and compares its results with those of an undisturbed run.
pub(crate) struct Filter<'i> {
    plan: &'static Plan,
    image: &'i [f32],
    /// The points where it is left, if they are not those of the plan.
    switches: Option<&'i [Switches<'i>]>,
    wanted: Vec<Vec<f32>>,
    /// The number of runs with other results.
    pub(crate) wrong: u32,
    /// The largest difference of a result, in DN.
    pub(crate) added: f32,
}

impl<'i> Filter<'i> {
    /// The task of a plan on a square image, in the size of the array.
    pub(crate) fn new(plan: &'static Plan, image: &'i [f32]) -> Result<Self, SimError> {
        Self::on(Array::new(side(image), side(image)), plan, image)
    }

    /// The task, left at these points instead.
    pub(crate) fn left_at(self, switches: &'i [Switches<'i>]) -> Self {
        Self { switches: Some(switches), ..self }
    }

    /// An array of the size of the task's image.
    pub(crate) fn array(&self) -> Array {
        Array::new(side(self.image), side(self.image))
    }

    /// The task on an array like the given one.
    pub(crate) fn on(mut array: Array, plan: &'static Plan, image: &'i [f32]) -> Result<Self, SimError> {
        array.load_reg(plan.inputs[0], image)?;
        array.run(plan)?;
        let wanted = plan.outputs.iter().map(|&reg| Ok(array.read_reg(reg)?.to_vec()));
        Ok(Self { plan, image, switches: None, wanted: wanted.collect::<Result<_, SimError>>()?, wrong: 0, added: 0.0 })
    }
}

/// The length of a side of a square image.
pub(crate) fn side(image: &[f32]) -> usize {
    image.len().isqrt()
}

/// The values of the inner parts of two planes; near the edges, results are not defined.
fn inside<'p>(one: &'p [f32], other: &'p [f32]) -> impl Iterator<Item = (f32, f32)> + 'p {
    const BORDER: usize = 4;
    let side = side(one);
    let is_inside = move |at: usize| (BORDER..side - BORDER).contains(&at);
    let pes = (0..one.len()).filter(move |pe| is_inside(pe / side) && is_inside(pe % side));
    pes.map(|pe| (one[pe], other[pe]))
}

impl<F: FnMut(u32)> Task<Clocked<'_, F>> for Filter<'_> {
    fn cells(&self) -> Cells {
        overwritten(self.plan).union(kept(self.switches.unwrap_or_default()))
    }

    fn run(&mut self, scamp: &mut Context<'_, Clocked<'_, F>>) -> Result<Outcome, SimError> {
        scamp.controller().controller_mut().load_reg(self.plan.inputs[0], self.image)?;
        match self.switches {
            Some(switches) => {
                carry_out(scamp, &[Step::Execute(self.plan.listing)], switches, &[], &mut [])?;
            }
            None => scamp.run(self.plan)?,
        }
        let array = scamp.controller().controller_mut();
        let mut is_wrong = false;
        for (&reg, wanted) in self.plan.outputs.iter().zip(&self.wanted) {
            for (found, wanted) in inside(array.read_reg(reg)?, wanted) {
                is_wrong |= found.to_bits() != wanted.to_bits();
                self.added = self.added.max((found - wanted).abs());
            }
        }
        self.wrong += u32::from(is_wrong);
        Ok(Outcome::Done)
    }
}
