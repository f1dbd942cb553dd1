//! The convolutions: bits of weights and pixels move to every PE, while its sum stays in place.

use cain_analysis::owned::Step;
use cain_isa::{Cell, Dreg, Reg, WordError};

use super::geometry::{Geometry, slots};
use super::moves::{Axis, Mask, Moves, SCRATCH};
use super::planes::FILTERS;
use super::{maps, pooling};
use crate::registers::SUM;
use crate::steps::Copies;
use crate::{Declaration, InPixelError, Second};

const NEWS: Cell = Cell::News;
/// The registers through which a sum rotates: each is written from the one before, with the sign inverted. So the error
/// of a register in a PE cancels when the sum returns to it; with two registers it would accumulate.
const SUMS: [Reg; 3] = [SUM, Reg::C, Reg::D];
/// A pixel, with the error of a transfer.
const PLUS: Cell = Cell::Reg(Reg::F);
/// Minus the error of a transfer.
const MINUS_ERROR: Cell = Cell::Reg(Reg::E);

/// A convolution of the picture in its register.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layer {
    /// The register of the weights.
    pub(super) weights: Dreg,
    /// The number of PEs along an axis from one weight of a filter to the next.
    pub(super) pitch: usize,
    pub(super) taps: usize,
    /// The number of PEs along an axis from one pixel to the next.
    pub(super) spacing: usize,
    /// The number of bits of a pixel.
    pub(super) bits: usize,
    /// The pixels that count, if not all do.
    pub(super) mask: Option<Mask>,
    /// The value of a pixel of 1, in DN.
    pub(super) level: i8,
}

impl Layer {
    /// The convolution of the picture.
    pub(super) fn first(network: &Declaration, geometry: &Geometry) -> Result<Self, InPixelError> {
        let level = maps::level(network, network.taps, network.pixels.largest_seen().into())?;
        Ok(Self {
            weights: FILTERS[0],
            pitch: geometry.group,
            taps: network.taps,
            spacing: geometry.pixel,
            bits: network.pixels.bits(),
            mask: Some(Mask::Region(network.taken())),
            level,
        })
    }

    /// The convolution of the maxima.
    pub(super) fn second(network: &Declaration, second: &Second, geometry: &Geometry) -> Result<Self, InPixelError> {
        let level = maps::level(network, second.taps, second.thresholds[0].len())?;
        Ok(Self {
            weights: FILTERS[1],
            pitch: geometry.place,
            taps: second.taps,
            spacing: geometry.place,
            bits: pooling::bits(second),
            mask: None,
            level,
        })
    }
}

/// Computes the sum of each PE's filter over the pixels from there to the east and south; pixels outside of the array
/// count as 0.
///
/// Every pixel is added or subtracted when it is visited, so that sums stay within the range in any order and transfer
/// errors cancel.
pub(super) fn program(layer: &Layer) -> Result<Vec<Step>, WordError> {
    let mut moves = Moves::default();
    // The transfer of the last weight, or another one that restores the sign, writes the result to the register of
    // sums.
    let weights = layer.taps * layer.taps;
    let mut sum = Sum { transfers: weights.next_multiple_of(2), done: 0 };
    begin(&mut moves, sum.registers())?;
    for row in 0..layer.taps {
        let weights = weights_of_row(&mut moves, layer, row)?;
        let [one, two, three, four] = without(weights);
        let (mut pixels, mut free) = moves.read(layer.bits, layer.mask, [one, two, three, four])?;
        moves.part()?;
        walk(&mut moves, &mut pixels, &mut free, Axis::Rows, row * layer.spacing);
        for column in 0..layer.taps {
            if column > 0 {
                walk(&mut moves, &mut pixels, &mut free, Axis::Columns, layer.spacing);
            }
            let weight = weight_of_column(&mut moves, layer, weights, &mut pixels, &mut free, column)?;
            add(&mut moves, layer, &pixels, weight, free[0], &mut sum)?;
            free.push(weight);
        }
    }
    moves.words().all();
    if !sum.done.is_multiple_of(2) {
        let [sum, next, _] = sum.registers();
        moves.words().fill(&[NEWS]).bus(next, &[sum, NEWS]);
    }
    moves.finish()
}

/// Makes a sum of 0, and minus the error of a transfer.
///
/// A transfer loses a little of the value it carries, so two of them leave a part of their error. The remainder of two
/// errors is added here, so that the error is matched exactly on a chip too.
fn begin(moves: &mut Moves, [sum, one, other]: [Cell; SUMS.len()]) -> Result<(), WordError> {
    moves.words().all().fill(&[NEWS]).bus(one, &[NEWS]).bus(other, &[NEWS]);
    moves.words().fill(&[sum]).fill(&[NEWS]).bus(MINUS_ERROR, &[sum, NEWS, one, other]).bus(sum, &[NEWS, one]);
    moves.part()
}

/// The state of a sum after some of its transfers.
struct Sum {
    /// The total number of transfers.
    transfers: usize,
    done: usize,
}

impl Sum {
    /// The register that holds it, the next one, and the other one.
    fn registers(&self) -> [Cell; SUMS.len()] {
        let left = self.transfers - self.done;
        std::array::from_fn(|step| Cell::Reg(SUMS[(SUMS.len() * self.transfers + step - left) % SUMS.len()]))
    }

    /// Whether its sign is inverted, as it is after an odd number of transfers.
    const fn is_turned(&self) -> bool {
        !self.done.is_multiple_of(2)
    }
}

/// Brings the weights of a row of the filters, inverted, to all PEs in their columns that have the
/// filter.
fn weights_of_row(moves: &mut Moves, layer: &Layer, row: usize) -> Result<Dreg, WordError> {
    let [to, free, other, ..] = SCRATCH;
    let slots = slots(layer.taps);
    let mut copies = moves.select(Axis::Rows.selection(row, layer.pitch, slots), layer.weights, [to, free, other])?;
    moves.spread(&mut copies, Axis::Rows, row, slots, layer.pitch);
    moves.words().nor(copies.free[0], &[copies.copied.into()]);
    Ok(copies.free[0])
}

/// Selects the weight of a column from those of a row. FLAG holds the higher bit of a pixel meanwhile.
fn weight_of_column(
    moves: &mut Moves,
    layer: &Layer,
    weights: Dreg,
    pixels: &mut [Dreg],
    free: &mut Vec<Dreg>,
    column: usize,
) -> Result<Dreg, WordError> {
    if let [_, high] = pixels {
        moves.words().where_bits(&[(*high).into()]);
        free.push(*high);
    }
    let slots = slots(layer.taps);
    let selection = Axis::Columns.selection(column, layer.pitch, slots);
    let mut copies = moves.select(selection, weights, [free[0], free[1], free[2]])?;
    moves.spread(&mut copies, Axis::Columns, column, slots, layer.pitch);
    *free = copies.free.to_vec();
    if let [_, high] = pixels {
        *high = free.remove(0);
        moves.words().or(*high, &[cain_isa::Bit::Flag]);
    }
    Ok(copies.copied)
}

/// Moves the pixels by `distance` PEs to the north or west.
fn walk(moves: &mut Moves, pixels: &mut [Dreg], free: &mut [Dreg], axis: Axis, distance: usize) {
    if distance == 0 {
        return;
    }
    moves.open(axis.after());
    for pixel in pixels {
        let mut bits = Copies { copied: *pixel, free: [free[0]; 2] };
        bits.shift(moves.words(), distance);
        [*pixel, free[0]] = [bits.copied, bits.free[0]];
    }
}

/// Adds the pixel everywhere, and then subtracts it instead where the weight's bit is 0.
///
/// Both signs of the pixel are held with the same error, which the transfer that adds it cancels.
fn add(
    moves: &mut Moves,
    layer: &Layer,
    pixels: &[Dreg],
    weight: Dreg,
    free: Dreg,
    sum: &mut Sum,
) -> Result<(), WordError> {
    moves.part()?;
    let [from, to, minus] = sum.registers();
    // The lowest bit alternately comes first and last, so that the level of `IN` changes once for each weight.
    let mut bits: Vec<_> = pixels.iter().enumerate().collect();
    if sum.is_turned() {
        bits.reverse();
    }
    for (turn, (number, bit)) in bits.into_iter().enumerate() {
        moves.level(layer.level << number)?;
        if turn == 0 {
            moves.words().all().fill(&[minus]).where_bits(&[(*bit).into()]).bus(minus, &[Cell::In]);
        } else {
            moves.words().all().bus(NEWS, &[minus]).where_bits(&[(*bit).into()]).bus(minus, &[NEWS, Cell::In]);
        }
    }
    moves.words().all().bus(PLUS, &[minus, MINUS_ERROR]);
    // The transfer also inverts the sign of the pixel, and that of the sum for later transfers.
    let [everywhere, where_clear] = if sum.is_turned() { [minus, PLUS] } else { [PLUS, minus] };
    moves.words().bus(to, &[from, everywhere]);
    moves.words().nor(free, &[weight.into()]).where_bits(&[free.into()]).bus(to, &[from, where_clear]);
    sum.done += 1;
    moves.part()
}

/// The other registers.
fn without(register: Dreg) -> [Dreg; SCRATCH.len() - 1] {
    let at = SCRATCH.iter().position(|other| *other == register).unwrap_or_default();
    std::array::from_fn(|number| SCRATCH[number + usize::from(number >= at)])
}
