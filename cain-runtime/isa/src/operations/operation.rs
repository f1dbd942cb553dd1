//! The operations and their operands.

use super::words::Draft;
use super::{OperationError, Place, Window, Words, analogue, digital, pooling};
use crate::{Bit, Cell, Directions, Displacement, Dreg, Reg};

/// An operation that computes a plane or a bit from others, in these registers.
///
/// `y` is the result; in the variants with one field less, `x` is a plane that is replaced. `t` is scratch, or `ts` if
/// there are several. `z` is a second operand. A level is the one to which the controller has set `IN`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PlaneOperation {
    /// y = x at a displacement: a copy or a shift. 2 words for every 2 PEs; 2 for a copy.
    Shift {
        /// The result; may be `x`.
        y: Reg,
        /// The operand.
        x: Reg,
        /// The displacement from which it is read, east before north.
        from: Displacement,
    },
    /// y = max(x, 0). 5 words.
    Relu {
        /// The result; may be `x`.
        y: Reg,
        /// The operand.
        x: Reg,
    },
    /// y = x where x > 0, else x / 2^`halvings`. 3 + 2·`halvings` words; every halving leaves the error of a division.
    LeakyRelu {
        /// The result; may be `x` or one of the scratch registers.
        y: Reg,
        /// The operand.
        x: Reg,
        /// Scratch; the second register is used for more than one halving.
        ts: [Reg; 2],
        /// The number of times that negative values are halved, at least once.
        halvings: u8,
    },
    /// y = |x|. 6 words.
    Abs {
        /// The result.
        y: Reg,
        /// The operand.
        x: Reg,
    },
    /// x = |x|. 6 words.
    AbsInPlace {
        /// Operand and result.
        x: Reg,
        /// Scratch.
        t: Reg,
    },
    /// y = max(x, z). 7 words.
    Max {
        /// The result.
        y: Reg,
        /// An operand.
        x: Reg,
        /// An operand.
        z: Reg,
    },
    /// x = max(x, z at a place). 5 words.
    MaxInPlace {
        /// Operand and result.
        x: Reg,
        /// The other operand; may be `x` if the place is another PE, and may be `t`.
        z: Reg,
        /// The place where `z` is read.
        at: Place,
        /// Scratch.
        t: Reg,
    },
    /// y = min(x, z). 6 words.
    Min {
        /// The result.
        y: Reg,
        /// An operand.
        x: Reg,
        /// An operand.
        z: Reg,
    },
    /// x = min(x, z at a place). 5 words.
    MinInPlace {
        /// Operand and result.
        x: Reg,
        /// The other operand; may be `x` if the place is another PE.
        z: Reg,
        /// The place where `z` is read.
        at: Place,
        /// Scratch.
        t: Reg,
    },
    /// x = max(x, IN). 5 words.
    AtLeastLevel {
        /// Operand and result.
        x: Reg,
        /// Scratch.
        t: Reg,
    },
    /// x = min(x, −IN): the level is *minus* the bound. 4 words.
    AtMostMinusLevel {
        /// Operand and result.
        x: Reg,
    },
    /// x = min(x, 0). 4 words.
    AtMostZero {
        /// Operand and result.
        x: Reg,
    },
    /// b = (x > 0), or its inverse. 3 words.
    Positive {
        /// The result.
        b: Dreg,
        /// The operand.
        x: Reg,
        /// Whether the bit is 1 where the operand is *not* positive.
        inverted: bool,
    },
    /// b = (x > −IN), or its inverse: the level is *minus* the threshold. 3 words.
    AboveMinusLevel {
        /// The result.
        b: Dreg,
        /// The operand.
        x: Reg,
        /// Whether the bit is 1 where the operand is *not* above the threshold.
        inverted: bool,
    },
    /// b = (x < IN). 5 words.
    BelowLevel {
        /// The result.
        b: Dreg,
        /// The operand.
        x: Reg,
        /// Scratch.
        t: Reg,
    },
    /// b = (x > z), or its inverse. 5 words.
    Above {
        /// The result.
        b: Dreg,
        /// An operand.
        x: Reg,
        /// An operand.
        z: Reg,
        /// Scratch; may be `x`.
        t: Reg,
        /// Whether the bit is 1 where `x` is *not* above `z`.
        inverted: bool,
    },
    /// y = x where the bit is 1, else z. 5 words.
    Select {
        /// The result; may be an operand.
        y: Reg,
        /// The bit.
        b: Bit,
        /// The operand that is taken where the bit is 1.
        x: Reg,
        /// The operand that is taken where the bit is 0.
        z: Reg,
    },
    /// x = z where the bit is 1; elsewhere x is kept. 4 words.
    Replace {
        /// Operand and result.
        x: Reg,
        /// The bit.
        b: Bit,
        /// The operand that replaces it.
        z: Reg,
    },
    /// x = 0 where the bit is 1; elsewhere x is kept. 4 words.
    Clear {
        /// Operand and result.
        x: Reg,
        /// The bit.
        b: Bit,
    },
    /// x = IN where the bit is 1; elsewhere x is kept. 4 words.
    ReplaceByLevel {
        /// Operand and result.
        x: Reg,
        /// The bit.
        b: Bit,
    },
    /// x = x + IN where the bit is 1; elsewhere x is kept. 4 words.
    AddLevel {
        /// Operand and result.
        x: Reg,
        /// The bit.
        b: Bit,
    },
    /// y = x where the bit is 1, else 0. 5 words.
    Mask {
        /// The result; may be `x`.
        y: Reg,
        /// The bit.
        b: Bit,
        /// The operand.
        x: Reg,
    },
    /// y = IN where the bit is 1, else 0: bits as an image. 5 words.
    Level {
        /// The result.
        y: Reg,
        /// The bit.
        b: Bit,
    },
    /// x = (x + x at a place) / 2. 3 words, with the error of a division.
    MeanInPlace {
        /// Operand and result.
        x: Reg,
        /// The place of the other pixel.
        at: Place,
        /// Scratch.
        ts: [Reg; 2],
    },
    /// x = the largest pixel of a window of `size`×`size` whose north-west corner is the PE. 5 words for every doubling
    /// of the window along each axis, and 2 for every 2 PEs beyond the second.
    MaxPool {
        /// Operand and result.
        x: Reg,
        /// Scratch.
        t: Reg,
        /// The window.
        window: Window,
    },
    /// x = the mean of a window like that of [`MaxPool`](Self::MaxPool), whose size is a power of two. 3 words for
    /// every doubling of the window along each axis, with the error of a division, and 2 for every 2 PEs beyond the
    /// second.
    MeanPool {
        /// Operand and result.
        x: Reg,
        /// Scratch.
        ts: [Reg; 2],
        /// The window.
        window: Window,
    },
    /// y = not x. 1 word.
    Not {
        /// The result.
        y: Dreg,
        /// The operand.
        x: Bit,
    },
    /// y = x or z. 1 word.
    Or {
        /// The result.
        y: Dreg,
        /// An operand.
        x: Bit,
        /// An operand.
        z: Bit,
    },
    /// y = x and z. 3 words.
    And {
        /// The result; may be an operand.
        y: Dreg,
        /// An operand.
        x: Bit,
        /// An operand.
        z: Bit,
        /// Scratch.
        ts: [Dreg; 2],
    },
    /// y = x and not z. 2 words.
    AndNot {
        /// The result; may be `x`.
        y: Dreg,
        /// An operand.
        x: Bit,
        /// The operand whose ones are excluded.
        z: Bit,
        /// Scratch.
        t: Dreg,
    },
    /// y = x xor z. 4 words.
    Xor {
        /// The result.
        y: Dreg,
        /// An operand.
        x: Bit,
        /// An operand.
        z: Bit,
        /// Scratch.
        ts: [Dreg; 2],
    },
    /// y = 1 where at least two of the three are 1. 4 words.
    Majority {
        /// The result; may be an operand.
        y: Dreg,
        /// The operands.
        xs: [Bit; 3],
        /// Scratch.
        ts: [Dreg; 3],
    },
    /// y = x where the bit s is 1, else z. 4 words.
    Choose {
        /// The result; may be an operand.
        y: Dreg,
        /// The bit that decides.
        s: Bit,
        /// The bit that is taken where `s` is 1.
        x: Bit,
        /// The bit that is taken where `s` is 0.
        z: Bit,
        /// Scratch.
        ts: [Dreg; 3],
    },
    /// y = whether x is 1 anywhere in a window like that of [`MaxPool`](Self::MaxPool); outside the array x is 0. 2
    /// words for each axis, and for every doubling of the window its distance in PEs and 1. Leaves `R1` to `R4` open to
    /// the south.
    AnyPool {
        /// The result.
        y: Dreg,
        /// The operand.
        x: Bit,
        /// Scratch.
        ts: [Dreg; 2],
        /// The window.
        window: Window,
    },
    /// y = whether x is 1 in any of these neighbours; a shift if there is one. 3 words, or 2 for all four. Leaves `R1`
    /// to `R4` as the switches of these directions.
    Neighbours {
        /// The result.
        y: Dreg,
        /// The operand.
        x: Bit,
        /// The directions of the neighbours.
        from: Directions,
        /// The bit that PEs outside the array hold.
        outside: bool,
    },
}

impl PlaneOperation {
    /// The words of the operation, or the reason why there are none for these registers.
    pub const fn words(&self) -> Result<Words, OperationError> {
        let mut draft = Draft::new();
        match *self {
            Self::Shift { y, x, from } => analogue::shift(&mut draft, y, x, from),
            Self::Relu { y, x } => analogue::relu(&mut draft, y, x),
            Self::LeakyRelu { y, x, ts, halvings } => analogue::leaky_relu(&mut draft, y, x, ts, halvings),
            Self::Abs { y, x } => analogue::abs(&mut draft, y, x),
            Self::AbsInPlace { x, t } => analogue::abs_in_place(&mut draft, x, t),
            Self::Max { y, x, z } => analogue::max(&mut draft, y, x, z),
            Self::MaxInPlace { x, z, at, t } => analogue::max_in_place(&mut draft, x, Cell::Reg(z), at, t),
            Self::Min { y, x, z } => analogue::min(&mut draft, y, x, z),
            Self::MinInPlace { x, z, at, t } => analogue::min_in_place(&mut draft, x, z, at, t),
            Self::AtLeastLevel { x, t } => analogue::max_in_place(&mut draft, x, Cell::In, Place::Here, t),
            Self::AtMostMinusLevel { x } => analogue::at_most_minus_level(&mut draft, x),
            Self::AtMostZero { x } => analogue::at_most_zero(&mut draft, x),
            Self::Positive { b, x, inverted } => {
                analogue::bit_of_flag(draft.where_positive(&[Cell::Reg(x)]), b, inverted).all()
            }
            Self::AboveMinusLevel { b, x, inverted } => {
                analogue::bit_of_flag(draft.where_positive(&[Cell::Reg(x), Cell::In]), b, inverted).all()
            }
            Self::BelowLevel { b, x, t } => analogue::below_level(&mut draft, b, x, t),
            Self::Above { b, x, z, t, inverted } => analogue::above(&mut draft, b, x, z, t, inverted),
            Self::Select { y, b, x, z } => analogue::select(&mut draft, y, b, &[Cell::Reg(x)], &[Cell::Reg(z)]),
            Self::Mask { y, b, x } => analogue::select(&mut draft, y, b, &[Cell::Reg(x)], &[]),
            Self::Level { y, b } => analogue::select(&mut draft, y, b, &[Cell::In], &[]),
            Self::Replace { x, b, z } => analogue::replace(&mut draft, x, b, &[Cell::Reg(z)]),
            Self::Clear { x, b } => analogue::replace(&mut draft, x, b, &[]),
            Self::ReplaceByLevel { x, b } => analogue::replace(&mut draft, x, b, &[Cell::In]),
            Self::AddLevel { x, b } => analogue::replace(&mut draft, x, b, &[Cell::Reg(x), Cell::In]),
            Self::MeanInPlace { x, at, ts } => analogue::mean_in_place(&mut draft, x, x, at, ts),
            Self::MaxPool { x, t, window } => pooling::max_pool(&mut draft, x, t, window),
            Self::MeanPool { x, ts, window } => pooling::mean_pool(&mut draft, x, ts, window),
            Self::Not { y, x } => draft.nor(y, &[x]),
            Self::Or { y, x, z } => draft.or(y, &[x, z]),
            Self::And { y, x, z, ts } => digital::and(&mut draft, y, x, z, ts),
            Self::AndNot { y, x, z, t } => digital::and_not(&mut draft, y, x, z, t),
            Self::Xor { y, x, z, ts } => digital::xor(&mut draft, y, x, z, ts),
            Self::Majority { y, xs, ts } => digital::majority(&mut draft, y, xs, ts),
            Self::Choose { y, s, x, z, ts } => digital::choose(&mut draft, y, s, x, z, ts),
            Self::AnyPool { y, x, ts, window } => pooling::any_pool(&mut draft, y, x, ts, window),
            Self::Neighbours { y, x, from, outside } => draft.neighbours(y, x, from, outside),
        };
        draft.finish()
    }
}
