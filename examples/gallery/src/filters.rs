//! The filters of the gallery: each function of `kernels`, to be run on the array and on the prover.

use cain_runtime::isa::Plan;
use cain_runtime::prove::{ProveError, Prover};
use cain_runtime::sim::{Array, SimError};
use cain_runtime::trace::Counter;
use cain_runtime::{Aregs, HostController};

use crate::convolve::Kernel;
use crate::kernels::{self, ANALOGNET2, GAUSS3, GAUSS5, MOTION, SHARPEN, SOBEL};

/// A compiled function and the kernels that it should compute.
pub(crate) struct Filter {
    pub(crate) plan: &'static Plan,
    /// The kernel of each output of the plan.
    pub(crate) kernels: &'static [Kernel],
    /// Runs the function; its inputs are in the registers that the plan names.
    pub(crate) on_array: fn(&mut Counter<Array>) -> Result<(), SimError>,
    pub(crate) on_prover: fn(&mut Prover) -> Result<(), ProveError>,
}

/// All filters, in the order of the contact sheet.
pub(crate) const ALL: &[Filter] = &[
    Filter { plan: &kernels::gauss3::PLAN, kernels: GAUSS3, on_array: gauss3, on_prover: gauss3 },
    Filter { plan: &kernels::gauss5::PLAN, kernels: GAUSS5, on_array: gauss5, on_prover: gauss5 },
    Filter { plan: &kernels::sobel::PLAN, kernels: SOBEL, on_array: sobel, on_prover: sobel },
    Filter { plan: &kernels::sharpen::PLAN, kernels: SHARPEN, on_array: sharpen, on_prover: sharpen },
    Filter { plan: &kernels::analognet2::PLAN, kernels: ANALOGNET2, on_array: analognet2, on_prover: analognet2 },
    Filter { plan: &kernels::motion::PLAN, kernels: MOTION, on_array: motion, on_prover: motion },
];

fn gauss3<H: HostController>(scamp: &mut H) -> Result<(), H::Error> {
    let mut r = Aregs::new();
    kernels::gauss3(scamp, r.a.hold(), &mut r.b, &mut r.c, &mut r.d, &mut r.e, &mut r.f).map(drop)
}

fn gauss5<H: HostController>(scamp: &mut H) -> Result<(), H::Error> {
    let mut r = Aregs::new();
    kernels::gauss5(scamp, r.a.hold(), &mut r.b, &mut r.c, &mut r.d, &mut r.e, &mut r.f).map(drop)
}

fn sobel<H: HostController>(scamp: &mut H) -> Result<(), H::Error> {
    let mut r = Aregs::new();
    kernels::sobel(scamp, &r.a.hold(), &mut r.b, &mut r.c, &mut r.d, &mut r.e).map(drop)
}

fn sharpen<H: HostController>(scamp: &mut H) -> Result<(), H::Error> {
    let mut r = Aregs::new();
    kernels::sharpen(scamp, r.a.hold(), &mut r.b, &mut r.c, &mut r.d, &mut r.e, &mut r.f).map(drop)
}

fn analognet2<H: HostController>(scamp: &mut H) -> Result<(), H::Error> {
    let mut r = Aregs::new();
    kernels::analognet2(scamp, r.a.hold(), &mut r.b, &mut r.c, &mut r.d, &mut r.e, &mut r.f).map(drop)
}

fn motion<H: HostController>(scamp: &mut H) -> Result<(), H::Error> {
    let mut r = Aregs::new();
    kernels::motion(scamp, r.a.hold(), r.b.hold(), &mut r.c, &mut r.d, &mut r.e, &mut r.f).map(drop)
}
