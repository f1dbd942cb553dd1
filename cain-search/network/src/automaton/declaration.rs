//! The declaration of an automaton.

use cain_analysis::prove::{Atom, Polynomial};
use cain_isa::Machine;
use cain_isa::{Displacement, Fraction};

use cain_search::{Interruption, Options};

/// An automaton whose cells find out which shape they form.
///
/// The state of a cell is its grey level, from 0 to 255, which never changes, followed by integers: hidden ones, and
/// one for each class, the largest of which is the cell's answer. A cell is alive where its grey is at least
/// [`alive`](Self::alive); the state of all others is 0. In a step, every cell that is alive and chosen by a random bit
/// adds an update to its state.
///
/// Sums of weights times integers are divided by 2^[`scale`](Self::scale) and rounded down. Between two layers,
/// negative values become 0. All results saturate at the widths given by [`Bits`].
#[derive(Clone, Debug, PartialEq)]
pub struct Automaton {
    /// Its name.
    pub name: String,
    /// The rows and columns of a picture.
    pub size: (usize, usize),
    /// The least grey of a cell that is alive.
    pub alive: u8,
    /// The number of classes.
    pub classes: usize,
    /// Weights are integers over 2^`scale`.
    pub scale: u8,
    /// The widths of numbers.
    pub bits: Bits,
    /// The layers; the first one reads the grey and the state, the last one makes the update of the state.
    pub layers: Vec<Layer>,
    /// The machine to run on. Its registers hold integers.
    pub machine: Machine,
    /// The options of the searches for the layers' programs.
    pub options: Options,
    /// The programs that may interrupt a step, and how soon it must let them.
    pub interruption: Option<Interruption>,
}

/// The widths of numbers, in bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits {
    /// The width of the state's numbers, with the sign.
    pub state: u8,
    /// The width of values passed from one layer to the next, which are never negative.
    pub activation: u8,
    /// The width of an update, with the sign.
    pub update: u8,
    /// The width of the registers for sums, with the sign and all bits below those of the result.
    pub register: u8,
}

impl Bits {
    /// Configuration B of Dudziak, "Neural Cellular Automata on a Focal Plane", with registers in which no sum
    /// overflows.
    pub const SMALL_NCA: Self = Self { state: 10, activation: 9, update: 9, register: 28 };
    /// The most bits of a number, and of a register.
    pub const MOST: (u8, u8) = (16, 32);

    /// The least and the largest number of this width, with the sign.
    #[must_use]
    pub const fn signed(bits: u8) -> (i32, i32) {
        (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    }

    /// The largest unsigned number of this width.
    #[must_use]
    pub const fn unsigned(bits: u8) -> i32 {
        (1 << bits) - 1
    }
}

/// A layer of sums.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// The weights by output, input, row and column. Row 0 is north; the middle lies over the cell itself, and
    /// everything beyond the picture is 0. Only the first layer reads other cells: kernels of later layers are single
    /// weights.
    pub kernels: Vec<Vec<Vec<Vec<i32>>>>,
}

impl Layer {
    /// The number of outputs.
    #[must_use]
    pub fn outputs(&self) -> usize {
        self.kernels.len()
    }

    /// The number of inputs.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.kernels.first().map_or(0, Vec::len)
    }

    /// The rows and columns of the kernels.
    #[must_use]
    pub fn size(&self) -> (usize, usize) {
        let matrix = self.kernels.first().and_then(|kernel| kernel.first());
        (matrix.map_or(0, Vec::len), matrix.and_then(|rows| rows.first()).map_or(0, Vec::len))
    }

    /// The non-zero weights of an output: input, rows to the south, columns to the east, weight.
    pub(super) fn terms(&self, output: usize) -> impl Iterator<Item = (usize, isize, isize, i32)> {
        let (height, width) = self.size();
        let middle = (height / 2, width / 2);
        let kernel = self.kernels.get(output).into_iter().flatten().enumerate();
        let rows = kernel.flat_map(|(input, rows)| rows.iter().enumerate().map(move |(y, row)| (input, y, row)));
        rows.flat_map(move |(input, y, row)| {
            let weights = row.iter().enumerate().filter(|(_, weight)| **weight != 0);
            weights.map(move |(x, &weight)| (input, offset(y, middle.0), offset(x, middle.1), weight))
        })
    }

    /// An output as a polynomial in the inputs, divided by 2^`scale`.
    pub(super) fn polynomial(&self, output: usize, scale: u8) -> Polynomial {
        let mut sum = Polynomial::new();
        for (input, south, east, weight) in self.terms(output) {
            let channel = u16::try_from(input).unwrap_or(u16::MAX);
            let displacement = Displacement::new(small(east), small(-south));
            // The atoms are different, and weights of 32 bits fit.
            let _ = Fraction::new(weight.into(), 1 << scale)
                .and_then(|weight| sum.add_term(Atom { channel, displacement }, weight));
        }
        sum
    }
}

/// The distance of a place from the middle; kernels are small.
fn offset(place: usize, middle: usize) -> isize {
    place.cast_signed() - middle.cast_signed()
}

fn small(offset: isize) -> i16 {
    i16::try_from(offset).unwrap_or(i16::MAX)
}

impl Automaton {
    /// The most weights of all layers.
    pub const MOST_WEIGHTS: usize = 1 << 20;
    /// The most halvings of a sum.
    pub const MOST_SCALE: u8 = 16;

    /// The number of integers in a cell's state, without its grey.
    #[must_use]
    pub fn state(&self) -> usize {
        self.layers.last().map_or(0, Layer::outputs)
    }

    /// The number of integers in the state that are not for classes.
    #[must_use]
    pub fn hidden(&self) -> usize {
        self.state().saturating_sub(self.classes)
    }

    /// The least and the largest value that an input of a layer can have.
    #[must_use]
    pub fn range(&self, layer: usize, input: usize) -> (i32, i32) {
        match (layer, input) {
            (0, 0) => (0, u8::MAX.into()),
            (0, _) => Bits::signed(self.bits.state),
            _ => (0, Bits::unsigned(self.bits.activation)),
        }
    }

    /// The number of registers for states, the results of two layers, and a sum.
    #[must_use]
    pub fn registers_needed(&self) -> usize {
        let state = 1 + self.state();
        let results = |layer: usize| self.layers.get(layer).map_or(0, Layer::outputs);
        let pairs = (0..self.layers.len()).map(|layer| match layer {
            0 => results(0),
            _ => results(layer - 1) + results(layer),
        });
        state + pairs.max().unwrap_or(0) + 1
    }
}

/// The bits, with the sign, of a number between these ends.
pub(super) fn bits_of(low: i64, high: i64) -> u32 {
    let bits = |magnitude: u64| u64::BITS - magnitude.leading_zeros();
    1 + bits(high.max(0).unsigned_abs()).max(bits((low.min(-1) + 1).unsigned_abs()))
}
