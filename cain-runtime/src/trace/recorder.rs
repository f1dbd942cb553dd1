//! Records the listing of a program.

use alloc::vec::Vec;
use core::fmt;

use crate::io::ArrayIo;
use crate::io::delegate::delegate;
use crate::isa::{HostController, Instruction, Plan, Word};

/// Keeps the listing of what is sent to a controller, with macro instructions as such.
///
/// Its `Display` is the listing in SCAMP-5 C spelling, one instruction per line, ready to be pasted into a
/// program for the vendor's tools.
///
/// ```
/// # #[cfg(feature = "prove")]
/// # fn main() -> Result<(), cain_runtime::prove::ProveError> {
/// use cain_runtime::isa::{HostController, Reg, asm::*};
/// use cain_runtime::{prove::Prover, trace::Recorder};
///
/// let mut scamp = Recorder::new(Prover::new(&[Reg::A]));
/// scamp.execute(div(B, C, A))?;
/// scamp.execute(subx(A, B, EAST, C))?;
/// assert_eq!(scamp.to_string(), "div(B,C,A);\nsubx(A,B,east,C);\n");
/// # Ok(())
/// # }
/// # #[cfg(not(feature = "prove"))]
/// # fn main() {}
/// ```
#[derive(Clone, Debug, Default)]
pub struct Recorder<H> {
    pub(super) controller: H,
    listing: Vec<Instruction>,
}

impl<H> Recorder<H> {
    /// A recorder of everything that is sent to `controller` from now on.
    pub const fn new(controller: H) -> Self {
        Self { controller, listing: Vec::new() }
    }

    /// The instructions carried out.
    #[must_use]
    pub fn listing(&self) -> &[Instruction] {
        &self.listing
    }
}

/// Functions that are programs are recorded as their words; what the controller does by itself is not recorded.
impl<H: ArrayIo> ArrayIo for Recorder<H> {
    delegate!(controller this => this.controller);

    fn wait_for_frame(&mut self) -> Result<(), H::Error> {
        self.controller.wait_for_frame()
    }
}

impl<H: HostController> HostController for Recorder<H> {
    type Error = H::Error;

    fn issue(&mut self, word: Word) -> Result<(), H::Error> {
        self.controller.issue(word)?;
        self.listing.push(Instruction::Word(word));
        Ok(())
    }

    fn execute(&mut self, instruction: Instruction) -> Result<(), H::Error> {
        self.controller.execute(instruction)?;
        self.listing.push(instruction);
        Ok(())
    }

    fn run(&mut self, plan: &Plan) -> Result<(), H::Error> {
        self.controller.run(plan)?;
        self.listing.extend_from_slice(plan.listing);
        Ok(())
    }
}

impl<H> fmt::Display for Recorder<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.listing.iter().try_for_each(|instruction| writeln!(f, "{instruction}"))
    }
}
