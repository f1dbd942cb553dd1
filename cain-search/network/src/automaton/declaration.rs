//! The declaration of an automaton.

use cain_isa::Machine;
use cain_isa::prove::{Atom, Polynomial};
use cain_isa::{Displacement, Fraction};

use super::error::AutomatonError;
use cain_search::MAX_SIZE;
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

    /// Checks, before any search, that layers match each other and numbers fit into the registers.
    pub fn check(&self) -> Result<(), AutomatonError> {
        let (height, width) = self.size;
        if height == 0 || width == 0 || height.max(width) > crate::MOST_PIXELS {
            return Err(AutomatonError::Size { height, width });
        }
        self.check_bits()?;
        if self.layers.is_empty() {
            return Err(AutomatonError::NoLayer);
        }
        let mut inputs = 1 + self.state();
        let mut weights = 0_usize;
        for (number, layer) in self.layers.iter().enumerate() {
            layer.check(number, inputs)?;
            let (rows, columns) = layer.size();
            weights = weights.saturating_add(layer.outputs() * layer.inputs() * rows * columns);
            inputs = layer.outputs();
        }
        if weights > Self::MOST_WEIGHTS {
            return Err(AutomatonError::Weights { found: weights });
        }
        let state = self.state();
        if !(1..=state).contains(&self.classes) {
            return Err(AutomatonError::Classes { found: self.classes, state });
        }
        self.check_registers()?;
        (0..self.layers.len()).try_for_each(|layer| self.check_sums(layer))
    }

    fn check_bits(&self) -> Result<(), AutomatonError> {
        let Bits { state, activation, update, register } = self.bits;
        let (number, wide) = Bits::MOST;
        let all = [("state", state, 2, number), ("activation", activation, 1, number), ("update", update, 2, number)];
        let all = all.into_iter().chain([("register", register, 2, wide)]);
        for (what, found, least, most) in all {
            if !(least..=most).contains(&found) {
                return Err(AutomatonError::Bits { what, found, least, most });
            }
        }
        if self.scale > Self::MOST_SCALE {
            return Err(AutomatonError::Scale { found: self.scale });
        }
        Ok(())
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

    fn check_registers(&self) -> Result<(), AutomatonError> {
        let (found, needed) = (self.machine.registers.len(), self.registers_needed());
        if found < needed { Err(AutomatonError::Registers { found, needed }) } else { Ok(()) }
    }

    /// Checks that the sums of a layer fit into the registers.
    fn check_sums(&self, layer: usize) -> Result<(), AutomatonError> {
        let Some(sums) = self.layers.get(layer) else { return Ok(()) };
        let mut needed = 0;
        for output in 0..sums.outputs() {
            let (mut low, mut high) = (0_i64, 0_i64);
            for (input, _, _, weight) in sums.terms(output) {
                let (least, most) = self.range(layer, input);
                let ends = [i64::from(weight) * i64::from(least), i64::from(weight) * i64::from(most)];
                low += ends[0].min(ends[1]);
                high += ends[0].max(ends[1]);
            }
            needed = needed.max(bits_of(low, high));
        }
        let found = self.bits.register;
        if needed > u32::from(found) { Err(AutomatonError::Sums { layer, found, needed }) } else { Ok(()) }
    }
}

/// The bits, with the sign, of a number between these ends.
pub(super) fn bits_of(low: i64, high: i64) -> u32 {
    let bits = |magnitude: u64| u64::BITS - magnitude.leading_zeros();
    1 + bits(high.max(0).unsigned_abs()).max(bits((low.min(-1) + 1).unsigned_abs()))
}

impl Layer {
    fn check(&self, layer: usize, inputs: usize) -> Result<(), AutomatonError> {
        let (rows, columns) = self.size();
        let is_odd = rows % 2 == 1 && columns % 2 == 1;
        let most = if layer == 0 { MAX_SIZE } else { 1 };
        if !is_odd || rows.max(columns) > most {
            return Err(AutomatonError::Kernel { layer, rows, columns });
        }
        let outputs = self.outputs();
        if outputs > crate::MOST_CHANNELS {
            return Err(AutomatonError::Outputs { layer, found: outputs });
        }
        for (output, kernel) in self.kernels.iter().enumerate() {
            if kernel.len() != inputs {
                return Err(AutomatonError::Inputs { layer, output, found: kernel.len(), expected: inputs });
            }
            let is_whole =
                |matrix: &Vec<Vec<i32>>| matrix.len() == rows && matrix.iter().all(|row| row.len() == columns);
            if !kernel.iter().all(is_whole) {
                return Err(AutomatonError::Ragged { layer, output });
            }
        }
        Ok(())
    }
}
