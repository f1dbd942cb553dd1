//! The programs of a network: what each component is carried out with.

use cain_isa::in_pixel::{Rectangle, Selection, Step};
use cain_isa::operations::Window;
use cain_isa::{Bit, Cell, Direction, Dreg, ErrorModel, PlaneOperation, Reg, Word, WordError};

use super::layout::{self, DENSE, EAST, Home, NORTH, SCRATCH, SOUTH, WEST};
use super::taps::{Port, visits};
use super::words::Draft;
use super::{Declaration, InPixelError};

/// What a program does.
pub type Program = Vec<Step<Vec<Word>>>;

/// The register that a picture is taken into: ink is positive, background is not.
pub(super) const PICTURE: Reg = Reg::A;
/// Minus the image, with the error of one transfer.
pub(super) const IMAGE: Reg = Reg::C;
/// The same after it has been moved, and the scratch of the convolution.
pub(super) const MOVED: Reg = Reg::E;
/// Sums of the convolution, with the sign turned.
pub(super) const SUM: Reg = Reg::B;
pub(super) const NEXT: Reg = Reg::D;
/// Maxima.
pub(super) const MAXIMUM: Reg = Reg::C;
/// Weighted maxima.
pub(super) const PRODUCT: Reg = Reg::D;

const NEWS: Cell = Cell::News;

/// The largest even level of ink for which half the sum over a filter stays within the range, with the error of a transfer.
pub(super) fn level(network: &Declaration) -> Result<i8, InPixelError> {
    let [error, ..] = ErrorModel::measured().offset;
    let range = network.machine.range;
    #[expect(clippy::cast_possible_truncation, reason = "the range of a register is below 2^15")]
    let most = (f32::from(range.max.min(range.min.saturating_neg())) - error).floor() as i16;
    let taps = network.taps * network.taps;
    let level = i16::try_from(taps).map_or(0, |taps| 2 * most / taps / 2 * 2);
    match i8::try_from(level) {
        Ok(level) if level >= 2 => Ok(level),
        _ => Err(InPixelError::Range { taps, most }),
    }
}

/// Brings the picture into every block, as bits; which register holds them then.
pub(super) fn duplication(network: &Declaration) -> Result<(Program, Dreg), WordError> {
    let [free, bits, other] = SCRATCH;
    let Declaration { side, block, .. } = *network;
    let mut program = Vec::new();
    let mut words = Draft::default();
    words.where_positive(PICTURE.into());
    program.push(Step::Execute(words.finish()?));
    program.push(Step::Region(taken(network)));

    let mut copies = Copies { words: Draft::default(), copied: bits, free: [free, other] };
    copies.words.nor(free, &[Bit::Flag]).nor(other, &[Bit::Rect]).nor(bits, &[free.into(), other.into()]);
    if block < side {
        copies.words.clr(&[SOUTH, NORTH, EAST]).set(&[WEST]);
        copies.add(block);
        copies.words.clr(&[WEST]).set(&[NORTH]);
        copies.add(block);
    }
    if 2 * block < side {
        let half = side / 2;
        copies.words.clr(&[NORTH]);
        for vertical in [false, true] {
            let line = |first: usize| {
                if vertical {
                    Rectangle { top: first, left: 0, height: half - 1, width: side }
                } else {
                    Rectangle { top: 0, left: first, height: side, width: half - 1 }
                }
            };
            let (near, far) = if vertical { (SOUTH, NORTH) } else { (EAST, WEST) };
            if vertical {
                copies.words.clr(&[WEST, EAST]);
            }
            for (direction, first) in [(near, 0), (far, half + 1)] {
                program.push(Step::Execute(std::mem::take(&mut copies.words).finish()?));
                program.push(Step::Region(line(first)));
                copies.words.or(direction, &[Bit::Rect]);
            }
            for distance in std::iter::successors(Some(block), |far| Some(far * 2)).take_while(|far| *far < half) {
                copies.add(distance);
            }
        }
    }
    program.push(Step::Execute(copies.words.finish()?));
    Ok((program, copies.copied))
}

/// Where the picture is when it is taken: in the last block before the middle of the array.
pub(super) const fn taken(network: &Declaration) -> Rectangle {
    let before = network.blocks() / 2;
    let first = before.saturating_sub(1) * network.block + network.margin();
    Rectangle { top: first, left: first, height: network.extent(), width: network.extent() }
}

/// Bits that are being copied.
struct Copies {
    words: Draft,
    copied: Dreg,
    free: [Dreg; 2],
}

impl Copies {
    /// Adds a copy so many PEs away, in the direction that is open.
    fn add(&mut self, distance: usize) {
        let mut from = self.copied;
        for step in 0..distance {
            let to = self.free[step % 2];
            self.words.neighbours(to, from);
            from = to;
        }
        let rest = if from == self.free[0] { self.free[1] } else { self.free[0] };
        self.words.or(rest, &[self.copied.into(), from.into()]);
        self.free = [self.copied, from];
        self.copied = rest;
    }
}

/// Minus half the sum of each filter over ink of that level, in every PE; 0 where taps leave the array.
pub(super) fn convolution(network: &Declaration, homes: &[Home], ink: Dreg, level: i8) -> Result<Program, WordError> {
    let mut program = partners()?;
    program.push(Step::Level(-level / 2));
    let mut words = Draft::default();
    words.all();
    negated(&mut words, ink);
    words.bus(SUM.into(), &[IMAGE.into()]);
    for axis in [Port::East, Port::South] {
        box_sum(&mut words, axis, network.taps);
    }
    program.push(Step::Execute(words.finish()?));
    program.push(Step::Level(level));

    let mut words = Draft::default();
    negated(&mut words, ink);
    for visit in visits(network.taps) {
        let from = if visit.by.again { MOVED } else { IMAGE };
        words.all().bus(visit.by.bring.bring(), &[from.into()]);
        if let Some(port) = visit.by.keep {
            words.bus(MOVED.into(), &[port.read()]);
        }
        for (tap, port) in visit.taps {
            where_weight(&mut words, homes[tap]);
            words.bus(NEXT.into(), &[SUM.into(), port.read()]).bus(SUM.into(), &[NEXT.into()]);
        }
    }
    program.push(Step::Execute(words.finish()?));

    let inside = network.side - network.margin();
    program.push(Step::Region(Rectangle { top: 0, left: 0, height: inside, width: inside }));
    let mut words = Draft::default();
    words.nor(SCRATCH[0], &[Bit::Rect]).where_bits(&[SCRATCH[0].into()]);
    words.bus(NEWS, &[]).bus(SUM.into(), &[NEWS]).all();
    program.push(Step::Execute(words.finish()?));
    Ok(program)
}

/// Joins every PE with its partners in cells of 2×2.
pub(super) fn partners() -> Result<Program, WordError> {
    let mut program = Vec::new();
    let columns = Selection { column: 1, free_column_bits: !1, ..Selection::ALL };
    let rows = Selection { row: 1, free_row_bits: !1, ..Selection::ALL };
    for (select, odd, even) in [(columns, WEST, EAST), (rows, NORTH, SOUTH)] {
        let mut words = Draft::default();
        words.or(odd, &[Bit::Select]).nor(even, &[Bit::Select]);
        program.extend([Step::Select(select), Step::Execute(words.finish()?)]);
    }
    Ok(program)
}

/// Minus the image whose ink has the level of `IN`; all PEs are on before, those with ink after.
fn negated(words: &mut Draft, ink: Dreg) {
    words.all().bus(IMAGE.into(), &[]).where_bits(&[ink.into()]).bus(IMAGE.into(), &[Cell::In]).all();
}

/// The sum of as many pixels along an axis. The image is in the register of sums, and minus the same in its own.
fn box_sum(words: &mut Draft, axis: Port, taps: usize) {
    if taps.is_power_of_two() {
        for step in 0..taps.ilog2() {
            let port = if step == 0 { Port::Own } else { axis };
            words.bus(axis.bring(), &[IMAGE.into()]);
            words.bus(IMAGE.into(), &[SUM.into(), port.read()]).bus(SUM.into(), &[IMAGE.into()]);
        }
        return;
    }
    words.bus(MOVED.into(), &[SUM.into()]);
    for _ in 1..taps {
        words.bus(axis.bring(), &[MOVED.into()]).bus(MOVED.into(), &[NEWS]);
        words.bus(IMAGE.into(), &[SUM.into(), NEWS]).bus(SUM.into(), &[IMAGE.into()]);
    }
}

/// FLAG becomes the weight's bit in every PE.
fn where_weight(words: &mut Draft, home: Home) {
    let [_, own, others] = SCRATCH;
    let column = if home.odd_column { EAST } else { WEST };
    let row = if home.odd_row { SOUTH } else { NORTH };
    match home.cell {
        layout::Cell::One => {
            words.where_bits(&[home.register.into()]);
        }
        layout::Cell::Pair => {
            words.nor(own, &[home.register.into(), column.into()]).neighbours(others, own);
            words.where_bits(&[own.into(), others.into()]);
        }
        layout::Cell::Square => {
            words.nor(own, &[home.register.into(), column.into(), row.into()]);
            words.neighbours(others, own).neighbours(own, others).where_bits(&[own.into(), others.into()]);
        }
    }
}

/// Sums with the right sign, and 0 instead of negative ones.
pub(super) fn relu() -> Result<Program, WordError> {
    let mut words = Draft::default();
    words.bus(NEWS, &[]).bus(MAXIMUM.into(), &[NEWS, SUM.into()]);
    words.where_positive(SUM.into()).bus(MAXIMUM.into(), &[NEWS]).all();
    Ok(vec![Step::Execute(words.finish()?)])
}

/// The operation that takes maxima, into the north-western PE of each window.
pub(super) fn pool(network: &Declaration) -> PlaneOperation {
    let size = u8::try_from(network.pool).unwrap_or(u8::MAX);
    PlaneOperation::MaxPool { x: MAXIMUM, t: NEXT, window: Window { size, spacing: 1 } }
}

/// The maximum of each window in all its PEs.
pub(super) fn pooling(network: &Declaration, pool: &[Word]) -> Result<Program, WordError> {
    let mut program = vec![Step::Execute(pool.to_vec())];
    for vertical in [true, false] {
        for distance in std::iter::successors(Some(network.pool / 2), |far| Some(far / 2)).take_while(|far| *far > 0) {
            program.extend(copy(MAXIMUM, vertical, distance, true)?);
        }
    }
    Ok(program)
}

/// Copies a register over 1 or 2 PEs to the south or east, or the other way, where the bit of that value of the row's or
/// column's number is 1, or 0.
fn copy(register: Reg, vertical: bool, distance: usize, onward: bool) -> Result<Program, WordError> {
    let (bit, number) = (layout::narrow(distance), if onward { layout::narrow(distance) } else { 0 });
    let select = if vertical {
        Selection { row: number, free_row_bits: !bit, ..Selection::ALL }
    } else {
        Selection { column: number, free_column_bits: !bit, ..Selection::ALL }
    };
    let from = match (vertical, onward) {
        (true, true) => Direction::North,
        (true, false) => Direction::South,
        (false, true) => Direction::West,
        (false, false) => Direction::East,
    };
    let source = if distance == 1 { NEWS } else { Cell::Port(from) };
    let mut words = Draft::default();
    words.bus(Cell::Port(from.opposite()), &[register.into()]).where_bits(&[Bit::Select]);
    words.bus(register.into(), &[source]).all();
    Ok(vec![Step::Select(select), Step::Execute(words.finish()?)])
}

/// For each class the weighted maxima, each in all PEs of its window, and their sum.
pub(super) fn fully_connected(network: &Declaration) -> Result<Program, WordError> {
    let [select, own, _] = SCRATCH;
    let mut program = Vec::new();
    for class in 0..network.classes() {
        program.push(Step::Select(layout::selection_of(class, network.pool)));
        let mut words = Draft::default();
        for (sign, plane) in DENSE.into_iter().enumerate() {
            if sign == 0 {
                words.bus(NEWS, &[]).bus(PRODUCT.into(), &[NEWS]);
            }
            words.nor(select, &[Bit::Select]).nor(own, &[plane.into(), select.into()]);
            words.neighbours(select, own).neighbours(own, select).where_bits(&[select.into(), own.into()]);
            let sources: &[Cell] = if sign == 0 { &[NEWS] } else { &[NEWS, MAXIMUM.into()] };
            let first: &[Cell] = if sign == 0 { &[Cell::Reg(MAXIMUM)] } else { &[] };
            words.bus(NEWS, first).bus(PRODUCT.into(), sources);
        }
        words.all();
        program.push(Step::Execute(words.finish()?));
        let (row, column) = layout::place_of(class, network.pool);
        if network.pool == 4 {
            program.extend(copy(PRODUCT, false, 2, column < 2)?);
            program.extend(copy(PRODUCT, true, 2, row < 2)?);
        }
        program.push(Step::Sum(PRODUCT));
    }
    Ok(program)
}
