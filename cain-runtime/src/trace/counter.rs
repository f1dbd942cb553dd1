//! Counts what a program costs.

use crate::io::ArrayIo;
use crate::io::delegate::delegate;
use crate::isa::{HostController, Instruction, NANOSECONDS_PER_ICW, Plan, Word};

/// Counts control words and macro instructions on their way to a controller.
///
/// ```
/// # #[cfg(feature = "prove")]
/// # fn main() -> Result<(), cain_runtime::prove::ProveError> {
/// use cain_runtime::isa::{HostController, Reg, asm::*};
/// use cain_runtime::{prove::Prover, trace::Counter};
///
/// let mut scamp = Counter::new(Prover::new(&[Reg::A]));
/// scamp.execute(div(B, C, A))?;
/// scamp.execute(subx(A, B, EAST, C))?;
/// assert_eq!((scamp.macros(), scamp.icws()), (2, 7));
/// assert_eq!(format!("{:.2} µs", scamp.microseconds()), "1.33 µs");
/// # Ok(())
/// # }
/// # #[cfg(not(feature = "prove"))]
/// # fn main() {}
/// ```
#[derive(Clone, Debug, Default)]
pub struct Counter<H> {
    pub(super) controller: H,
    macros: u64,
    icws: u64,
}

impl<H> Counter<H> {
    /// A counter, starting at zero, for everything sent to `controller`.
    pub const fn new(controller: H) -> Self {
        Self { controller, macros: 0, icws: 0 }
    }

    /// The number of macro instructions carried out.
    #[must_use]
    pub const fn macros(&self) -> u64 {
        self.macros
    }

    /// The number of control words carried out, including those of macro instructions.
    #[must_use]
    pub const fn icws(&self) -> u64 {
        self.icws
    }

    /// The time that the words take on SCAMP-5 at [`NANOSECONDS_PER_ICW`] each, in microseconds.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "2^53 words take 54 years")]
    pub const fn microseconds(&self) -> f64 {
        self.icws as f64 * NANOSECONDS_PER_ICW as f64 / 1000.0
    }

    fn count(&mut self, instruction: &Instruction) {
        self.macros += u64::from(matches!(instruction, Instruction::Macro(_)));
        self.icws += instruction.words().map(|_| 1).sum::<u64>();
    }
}

/// Functions that are programs count as their words; what the controller does by itself is not counted.
impl<H: ArrayIo> ArrayIo for Counter<H> {
    delegate!(controller this => this.controller);

    fn wait_for_frame(&mut self) -> Result<(), H::Error> {
        self.controller.wait_for_frame()
    }
}

impl<H: HostController> HostController for Counter<H> {
    type Error = H::Error;

    fn issue(&mut self, word: Word) -> Result<(), H::Error> {
        self.controller.issue(word)?;
        self.icws += 1;
        Ok(())
    }

    fn execute(&mut self, instruction: Instruction) -> Result<(), H::Error> {
        self.controller.execute(instruction)?;
        self.count(&instruction);
        Ok(())
    }

    fn run(&mut self, plan: &Plan) -> Result<(), H::Error> {
        self.controller.run(plan)?;
        plan.listing.iter().for_each(|instruction| self.count(instruction));
        Ok(())
    }
}
