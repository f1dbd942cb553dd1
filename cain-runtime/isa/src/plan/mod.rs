//! Programs as constant data.

mod in_registers;
#[cfg(feature = "serde")]
mod serial;
#[cfg(test)]
mod tests;

use core::fmt;

use crate::{Fraction, Instruction, Reg, Switches, Times};

/// A proved program, as constant data beside the function that runs it.
///
/// The length of the listing is not part of a type: a better search may shorten it without changing anybody's code.
///
/// `{}` prints the listing, `{:?}` the declaration and the listing, and `{:#?}` also the costs and how the program was
/// found, in the notation of plan files.
#[derive(Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Plan {
    /// The name of the function.
    pub name: &'static str,
    /// The declaration that the program computes, in canonical spelling.
    pub declaration: &'static str,
    /// The registers of the inputs, in channel order.
    pub inputs: &'static [Reg],
    /// The registers of the outputs.
    pub outputs: &'static [Reg],
    /// The program.
    pub listing: &'static [Instruction],
    /// The costs of the program.
    pub cost: Cost,
    /// The expected accuracy of each output, in the order of `outputs`.
    pub accuracy: &'static [Accuracy],
    /// The result of the search that found the program.
    pub found: Found,
    /// The points where the program may be left for others, one entry for each group of others that it was compiled
    /// for.
    pub switches: &'static [Switches<'static>],
}

/// The time that SCAMP-5 takes for one analogue control word, in nanoseconds; see [`Times::SCAMP5`].
pub const NANOSECONDS_PER_ICW: u32 = Times::SCAMP5.analogue;

/// The costs of a program on the chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Cost {
    /// The number of macro instructions.
    pub macros: u32,
    /// The number of control words, each of which takes [`NANOSECONDS_PER_ICW`].
    pub icws: u32,
    /// The largest magnitude that any intermediate value can take, relative to the largest magnitude of an input, for
    /// inputs in the declared range: with 11/4, inputs of up to 40 DN can lead to an intermediate value of 110 DN. If
    /// inputs may have either sign, as they may by default, this is the largest sum of absolute weights.
    pub peak_gain: Fraction,
}

/// The expected deviation of an output from the exact result, in DN: predicted for a natural image, from the
/// [errors](crate::ErrorModel) of the chip that the program was compiled for.
///
/// The deviation has five independent causes, whose squares add up to that of `rms`. Figures are rounded to
/// thousandths. Values beyond the range of the chip, and the noise of reading out, are not taken into account.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Accuracy {
    /// The root of the mean squared deviation.
    pub rms: f32,
    /// The mean deviation, with its sign.
    pub bias: f32,
    /// The part caused by a factor common to all weights.
    pub gain: f32,
    /// The part caused by changes of the weights beyond that factor.
    pub distortion: f32,
    /// The part that differs between PEs but is the same in every frame.
    pub fixed_pattern: f32,
    /// The part that differs from frame to frame.
    pub noise: f32,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Found {
    /// The number of search nodes used.
    pub nodes: u64,
    /// A proved lower bound on the number of instructions.
    pub lower_bound: u32,
    /// The reason why the search stopped.
    pub stop: Stop,
}

/// The progress of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Nodes used.
    pub nodes: u64,
    /// Instructions of the best program so far, if there is one.
    pub best: Option<u32>,
}

/// The reason why a search stopped, printed as one lower-case word.
///
/// ```
/// assert_eq!(cain_isa::Stop::Interrupted.to_string(), "interrupted");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stop {
    /// The plan is as short as the lower bound: nothing shorter exists on the registers declared.
    Proved,
    /// The budget of nodes was used up.
    Nodes,
    /// Nothing better was found for much longer than it took to find this.
    Patience,
    /// The plan is in the opening book, from a search with at least this budget.
    Book,
    /// The caller ended the search, for example at a time limit.
    Interrupted,
    /// The strategy had nothing left to try; shorter plans may exist.
    Exhausted,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Proved => "proved",
            Self::Nodes => "nodes",
            Self::Patience => "patience",
            Self::Book => "book",
            Self::Interrupted => "interrupted",
            Self::Exhausted => "exhausted",
        })
    }
}

impl fmt::Display for Plan {
    /// Writes the listing, one instruction per line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for instruction in self.listing {
            writeln!(f, "{instruction}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.declaration)?;
        if f.alternate() {
            let Cost { macros, icws, peak_gain } = self.cost;
            write!(f, "\ncost: macros={macros} icws={icws} peak_gain={peak_gain}")?;
            for (output, accuracy) in self.outputs.iter().zip(self.accuracy) {
                let Accuracy { rms, bias, gain, distortion, fixed_pattern, noise } = accuracy;
                write!(f, "\naccuracy of {output}: rms={rms} bias={bias} gain={gain} distortion={distortion} ")?;
                write!(f, "fixed_pattern={fixed_pattern} noise={noise}")?;
            }
            let Found { nodes, lower_bound, stop } = self.found;
            write!(f, "\nsearch: nodes={nodes} stop={stop}\nproved: instructions>={lower_bound}\n")?;
        }
        self.listing.iter().try_for_each(|instruction| write!(f, "\n{instruction}"))
    }
}
