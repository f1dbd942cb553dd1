//! Places in sources, and how advice is spelt there.

use crate::notation::Notation;

/// A place in a source. Its type knows how to spell advice in the notation of that source.
pub(crate) trait Place: Copy {
    /// What the source is written in.
    const NOTATION: Notation;
    /// What has constants of its own.
    const SOURCE: &'static str;

    /// The place so many bytes behind this one, if places are that exact.
    #[cfg_attr(not(feature = "toml"), expect(dead_code, reason = "only expressions have places within"))]
    fn moved(self, bytes: usize) -> Self;

    /// How a term names the input that it reads.
    const INPUT_OF_TERM: &'static str;
    /// The remedy for a kernel without a centre.
    const GIVE_A_CENTRE: &'static str;
    /// The remedy for a search that ended without a program, apart from more registers.
    const MORE_NODES: &'static str;
    /// The notation that lifts the limit on gains.
    const ANY_GAIN: &'static str;

    /// A phrase for scratch registers, with the notation that allows them.
    fn scratch_registers(number: usize) -> String;

    /// The remedy for a filter that may need more registers than the machine has.
    fn too_few_registers(needed: usize, outputs: usize) -> String;

    /// The notation that allows approximation.
    fn approximate(depth: u32, error: &str) -> String;

    /// How a filter says that it is digital.
    const DIGITAL: &'static str;

    /// How a digital filter tells its bits.
    #[cfg_attr(not(feature = "digital"), expect(dead_code, reason = "advice on digital filters"))]
    const BITS: &'static str;

    /// How a filter says that it is over super-pixels.
    const ON_SUPER_PIXELS: &'static str;

    /// How such a filter tells where its bits are.
    #[cfg_attr(not(feature = "digital"), expect(dead_code, reason = "advice on digital filters"))]
    const ORDER: &'static str;

    /// Why an input that is kept cannot be an output.
    fn kept_output(name: &str) -> String;
}

/// A value and its place in the source.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct At<T, S> {
    pub(crate) value: T,
    pub(crate) at: S,
}
