//! Kernel files: filters in TOML, one table per filter.
//!
//! ```toml
//! [gauss]
//! doc = "Binomial blur, in place."
//! inputs = ["A"]
//! outputs.A = { scale = "1/16", kernel = [[1, 2, 1], [2, 4, 2], [1, 2, 1]] }
//!
//! [detail]
//! inputs = ["A", "B"]
//! keep = ["B"]
//! outputs.C = [
//!     { input = "A", kernel = [[0.11, 0.52, 0.13]] },
//!     { input = "B", scale = "-1/4", kernel = [[0, 1, 0], [1, 0, 1], [0, 1, 0]] },
//! ]
//! scratch = ["D", "E"]
//! approximate = { depth = 5, error = 0.05 }
//! search = { nodes = 200_000, objective = "icws", isa = "macro", max_gain = "3" }
//!
//! [machine]
//! registers = 18
//! bus = { destinations = 2, sources = 2 }
//! ```
//!
//! | key | value | default |
//! |---|---|---|
//! | `inputs` | registers, in channel order | required |
//! | `outputs.REGISTER` | a term, or an array of terms that are summed; of digital filters also an expression of bits, as a text | required |
//! | `keep` | inputs that must survive | none |
//! | `scratch` | registers that may be overwritten beside inputs and outputs | all others of the machine |
//! | `doc` | a text | none |
//! | `approximate` | `depth` and `error`: how far weights may be moved | not at all |
//! | `superpixel` | of filters over super-pixels: `order`, the place of each bit in a block; `carry`, `prop` or `steps`; `banks`; `bias` and `relu` of outputs | required there |
//! | `bits` | of digital filters: the bits of the inputs, negative if they are signed | required there |
//! | `interruptible` | `by`: the filters that may interrupt this one, in ascending order of priority; `registers`: what others overwrite that are declared elsewhere; `latency`: the longest that they may have to wait, such as `"20 us"` | by none |
//! | `search` | `nodes`, `patience`, `book`, `memory` (in MiB), `objective`, `isa`, `offset`, `input`, `max_gain`, `accuracy`, `max_words` | those of the search |
//!
//! A term is `{ input, scale, kernel, origin }`: `input` may be left out if there is only one, `scale` is 1 by default,
//! `kernel` is an array of rows from north to south, and `origin` is the row and column, from 0, that lies over the PE
//! itself, by default the centre. Numbers are read exactly as they are written; `"1/16"` is a fraction. With
//! `approximate`, those with more digits than a fraction of 64-bit integers holds are rounded to a multiple of 1/2^40,
//! which counts towards `error`; they must be below 4194304.
//! With names in lower case instead of registers, all of them, they are planes, and the filter runs in any registers.
//! In Rust a filter becomes a public function of its name, which therefore must be one that a function can have.
//!
//! The table `const` is not a filter; it gives numbers, matrices, terms and arrays of terms a name in capitals, which in
//! quotes can stand for a weight, a `scale` (both also with a minus in front) or a `kernel`:
//!
//! ```toml
//! [const]
//! SIDE = "1/4"
//! NARROW = [["SIDE", "1/2", "SIDE"]]
//!
//! [edges]
//! inputs = ["A"]
//! outputs.B.kernel = "NARROW"
//! outputs.C = [{ kernel = [[1]] }, { scale = -1, kernel = "NARROW" }]
//! ```
//!
//! The table `network` holds networks, which [`parse_networks`] and [`load_networks`] read, and the table `automaton`
//! automata, for [`parse_automata`] and [`load_automata`]. The table `in_pixel` holds networks whose weights are in the pixels,
//! which [`parse_any`] and [`load_any`] read.
//!
//! The key `program`, in front of all tables, has whole programs as a text in three quotes, or names a file with some. These
//! can call the filters and networks of the kernel file.
//!
//! The table `machine` is not a filter; it describes where the machine differs from SCAMP-5.
//!
//! | key of `machine` | value | default |
//! |---|---|---|
//! | `registers` | how many (`A` to `Z`, then `R0` and so on), or which: `["A", "B", "R7"]` | 6 |
//! | `bits` | the number of digital registers | 13 |
//! | `instructions` | `"all"`, `"basic"` (those of AUKE), or which, named as in [`cain_isa::asm`] | `"all"` |
//! | `bus` | `destinations` and `sources` of a word at most; `reads`: `"own"` NEWS, one `"port"`, or the `"mean"` of several | 3, 4, `"mean"` |
//! | `nanoseconds` | how long words take: `analogue`, `digital`, `neighbours`, `propagation`, `high_speed` | 190, the last 100 |
//! | `range` | `min` and `max` of what cells hold, in DN | -128, 127 |

mod constants;
mod declarations;
mod document;
mod kernels;
mod load;
mod load_error;
mod mark;
#[cfg(feature = "networks")]
mod networks;
#[cfg(not(feature = "networks"))]
#[path = "without_networks.rs"]
mod networks;
mod parse;
#[cfg(feature = "networks")]
mod programs;
mod table;
mod term;
#[cfg(test)]
mod tests;

pub use crate::diagnostic::{Diagnostic, Position};
#[cfg(feature = "networks")]
pub use crate::kinds::beside::MAX_WEIGHT_BYTES;
#[cfg(feature = "networks")]
pub use crate::kinds::in_pixel::write_in_pixel;
#[cfg(feature = "networks")]
pub use crate::kinds::network::{WrittenNetwork, write_network};
pub use crate::lower::options::{instruction_set, max_gain, objective, offset_rule, patience};
pub use crate::number::input_range;
#[cfg(feature = "programs")]
pub(crate) use kernels::load_kernels;
pub use load::{load, load_any, load_filters, load_machine};
pub(crate) use load_error::{Cause, read_text};
pub use load_error::{LoadError, MAX_BYTES};
#[cfg(feature = "networks")]
pub use networks::{load_automata, load_in_pixel, load_networks, parse_automata, parse_in_pixel, parse_networks};
pub(crate) use parse::parse_file;
pub use parse::{find, has_programs, parse, parse_any, parse_filters, parse_for, parse_machine};

#[cfg(feature = "networks")]
use crate::kinds::{Automaton, InPixel, Network};
use crate::kinds::{Kernel, Placed};

/// A filter on analogue registers.
pub type Filter = Placed<Kernel>;
/// A network.
#[cfg(feature = "networks")]
pub type DeclaredNetwork = Placed<Network>;
/// A network whose weights are in the pixels.
#[cfg(feature = "networks")]
pub type DeclaredInPixel = Placed<InPixel>;
/// An automaton.
#[cfg(feature = "networks")]
pub type DeclaredAutomaton = Placed<Automaton>;
