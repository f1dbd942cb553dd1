//! The network on a simulated SCAMP-5 that looks through the robot's lens.

use cain_runtime::io::ArrayIo;
use cain_runtime::isa::program::Program;
use cain_runtime::isa::{ErrorModel, Reg};
use cain_runtime::program::Place;
use cain_runtime::sim::{Array, SimError};
use cain_runtime::trace::{Meter, Report};
use cain_runtime::{Aregs, Dregs, scamp_kernels};

use crate::renderer::{Pose, SIDE, Scene};

scamp_kernels!(file = "analognavnet.toml");

/// The light of a white pixel, in DN; that of a black one is 0.
const WHITE: f32 = 100.0;
/// The register where `capture` leaves the full range of the photo-sensors, which is not used.
const UNUSED: Reg = Reg::B;

/// The array, and the picture that falls on it.
#[derive(Clone)]
pub(crate) struct Eye {
    array: Array,
    light: Vec<f32>,
}

/// The network's opinion of a picture, in probabilities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Opinion {
    /// The probability that the robot should turn right rather than left.
    pub(crate) right: f64,
    /// The probability that it should stop rather than go forwards.
    pub(crate) stop: f64,
}

impl Eye {
    pub(crate) fn new(errors: ErrorModel, seed: u64) -> Self {
        Self { array: Array::scamp5().errors(errors).seed(seed), light: vec![0.0; SIDE * SIDE] }
    }

    /// Takes a picture and asks the network.
    pub(crate) fn look(&mut self, scene: &Scene, pose: &Pose) -> Result<Opinion, SimError> {
        self.expose(scene, pose)?;
        opinion(&mut self.array)
    }

    /// The costs of one look.
    pub(crate) fn costs(&mut self, scene: &Scene, pose: &Pose) -> Result<Report, SimError> {
        self.expose(scene, pose)?;
        let mut meter = Meter::new(self.array.clone());
        opinion(&mut meter)?;
        Ok(meter.report())
    }

    fn expose(&mut self, scene: &Scene, pose: &Pose) -> Result<(), SimError> {
        scene.render(pose, &mut self.light);
        self.light.iter_mut().for_each(|light| *light *= WHITE);
        self.array.expose(&self.light)
    }
}

/// What is done on the array.
pub(crate) const fn plan() -> &'static Program {
    &analognavnet::PLAN
}

fn opinion<S: ArrayIo>(scamp: &mut S) -> Result<Opinion, S::Error> {
    let (mut regs, mut bits) = (Aregs::new(), Dregs::new());
    let registers = analognavnet::Registers::of(&mut regs, &mut bits);
    scamp.capture(UNUSED, plan().pictures[0].register)?;
    let heads = analognavnet(scamp, registers.image.hold(), registers.scratch, Place::default())?;
    Ok(Opinion { right: heads.turn[1].into(), stop: heads.go[1].into() })
}
