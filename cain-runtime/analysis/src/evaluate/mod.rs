//! One abstract machine for everything that reads programs: the effect of control words, for any representation of
//! values and bits.
//!
//! This module alone defines which cells a word reads and writes, where FLAG and `R0` let it write, which neighbours it
//! reads, how long a bus keeps its content, and how far a propagation goes. The representation of values and bits is a
//! parameter, the *domain*: Laurent polynomials, choices between sums, Boolean functions, intervals, planes of numbers.
//!
//! The machine has two parts, which can be used alone by readers that need only one:
//!
//! - [`Analogue`] holds the analogue cells and executes transfers on an [`AnalogueDomain`];
//! - [`Digital`] holds FLAG, SELECT, RECT and the digital registers, and executes all words on bits on a
//!   [`DigitalDomain`];
//! - [`Evaluator`] combines both: FLAG decides where transfers write, and comparisons write FLAG.
//!
//! A domain represents all PEs at once. A value or a plane is the content of one cell or one register in every PE under
//! consideration: for example a function of the bits around any PE, or a list with an entry for each PE of an array.
//!
//! ```
//! use core::convert::Infallible;
//!
//! use cain_analysis::evaluate::{Analogue, AnalogueDomain, Write};
//! use cain_isa::{Instruction, Reg, Store, Word};
//!
//! /// How many transfers a value has come through.
//! struct Depth;
//!
//! impl AnalogueDomain for Depth {
//!     type Value = u32;
//!     type Flag = Infallible;
//!     type Error = Infallible;
//!
//!     fn unwritten_cell(&mut self, _: Store) -> Result<u32, Infallible> {
//!         Ok(0)
//!     }
//!
//!     fn transfer(&mut self, write: &Write<'_, u32>) -> Result<u32, Infallible> {
//!         Ok(1 + write.sources.iter().map(|source| *source.value).max().unwrap_or(0))
//!     }
//!
//!     fn choose(&mut self, flag: &Infallible, _: u32, _: &u32) -> Result<u32, Infallible> {
//!         match *flag {}
//!     }
//! }
//!
//! let mut cells = Analogue::default();
//! for line in ["bus(NEWS,A);", "bus(B,XE);", "bus(C,A,B);"] {
//!     for word in line.parse::<Instruction>().unwrap().words() {
//!         let Word::Bus(bus) = word else { unreachable!() };
//!         cells.transfer(&mut Depth, &bus, None).unwrap();
//!     }
//! }
//! assert_eq!(cells.get(Store::Reg(Reg::C)), Some(&3));
//! ```

mod analogue;
mod digital;
#[cfg(test)]
mod tests;

use cain_isa::{Bit, Word};

pub use analogue::{Analogue, AnalogueDomain, Source, Write};
pub use digital::{Digital, DigitalDomain};

/// A domain of values and bits that depend on each other.
pub trait Domain:
    DigitalDomain + AnalogueDomain<Flag = <Self as DigitalDomain>::Plane, Error = <Self as DigitalDomain>::Error>
{
    /// The plane that is 1 where the sum of the sources is positive.
    fn positive(&mut self, sources: &[Source<'_, Self::Value>]) -> Result<Self::Plane, <Self as DigitalDomain>::Error>;
}

/// An array whose cells hold values `V` and whose registers hold planes of bits `P`.
#[derive(Clone, Debug)]
pub struct Evaluator<V, P> {
    /// The analogue cells.
    pub cells: Analogue<V>,
    /// FLAG, SELECT, RECT and the digital registers.
    pub bits: Digital<P>,
}

impl<V: Clone, P: Clone + PartialEq> Evaluator<V, P> {
    /// Executes a word.
    pub fn word<D>(&mut self, domain: &mut D, word: Word) -> Result<(), <D as DigitalDomain>::Error>
    where
        D: Domain + DigitalDomain<Plane = P> + AnalogueDomain<Value = V>,
    {
        match word {
            Word::Bus(bus) => {
                self.bits.release_bus();
                let flag = self.bits.read(domain, Bit::Flag)?;
                match domain.as_constant(&flag) {
                    Some(true) => self.cells.transfer(domain, &bus, None),
                    Some(false) => Ok(()),
                    None => self.cells.transfer(domain, &bus, Some(&flag)),
                }
            }
            Word::Where(sum) => {
                self.bits.release_bus();
                let sources = self.cells.sources(domain, sum.terms())?;
                let flag = domain.positive(&sources)?;
                self.bits.give(Bit::Flag, flag);
                Ok(())
            }
            word => self.bits.word(domain, word),
        }
    }
}

impl<V, P> Default for Evaluator<V, P> {
    /// The initial state: FLAG is 1 in every PE, and nothing else has been written.
    fn default() -> Self {
        Self { cells: Analogue::default(), bits: Digital::default() }
    }
}
