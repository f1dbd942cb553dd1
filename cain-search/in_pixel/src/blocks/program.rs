//! The programs of a network's components.

use cain_analysis::owned::Step;
use cain_isa::operations::Window;
use cain_isa::program::{Area, Selection};
use cain_isa::{Bit, Cell, Direction, Dreg, Instruction, PlaneOperation, Reg, Word, WordError};

use super::layout::{self, Cell as Shared, Grid, Home, Homes};
use super::taps::visits;
use crate::registers::{DENSE, EAST, NORTH, SCRATCH, SOUTH, SUM, WEST, narrow};
use crate::steps::Steps;
use crate::words::Draft;
use crate::{Declaration, InPixelError};

/// Minus the image, with the error of one transfer.
pub(super) const IMAGE: Reg = Reg::C;
/// The moved image; also the scratch register of the convolution.
pub(super) const MOVED: Reg = Reg::E;
pub(super) const NEXT: Reg = Reg::D;
/// Maxima.
pub(crate) const MAXIMUM: Reg = Reg::C;
/// Weighted maxima.
pub(super) const PRODUCT: Reg = Reg::D;

const NEWS: Cell = Cell::News;

/// The largest even level for a pixel of 1, of those that the controller has, such that half the sum over a filter stays within
/// the range, with the error of a transfer.
pub(super) fn level(network: &Declaration) -> Result<i8, InPixelError> {
    let most = network.most_level();
    let taps = network.taps * network.taps;
    let largest = i32::try_from(taps * usize::from(network.pixels.largest_seen()));
    let level = largest.map_or(0, |largest| 2 * i32::from(most) / largest / 2 * 2);
    match i8::try_from(level.min(126)) {
        Ok(level) if level >= 2 => Ok(level),
        _ => Err(InPixelError::Range { taps, most }),
    }
}

/// Computes minus half the sum of each filter in every PE, where a pixel of 1 counts as `level`; 0 where taps leave the
/// array.
///
/// Each pixel is added or subtracted when it is visited, so that sums stay within the range in any order, and the loss
/// in transfers is the same for all weights.
pub(super) fn convolution(
    network: &Declaration,
    homes: &Homes,
    ink: &[Dreg],
    level: i8,
) -> Result<Vec<Step>, WordError> {
    let bits = network.bits_of_weight();
    let mut steps = Steps::default();
    join(&mut steps, homes.grid, None)?;
    // On a chip, two transfers leave a little of their offset. A word with two destinations has a larger offset, which
    // removes most of what the transfers of the sums add up to.
    steps.words.all().fill(&[NEWS, SUM.into()]).bus(SUM.into(), &[NEWS]);
    negated(&mut steps, ink, level / 2)?;
    for (number, visit) in visits(network.taps).into_iter().enumerate() {
        let from = if visit.by.again { MOVED } else { IMAGE };
        if number > 0 {
            steps.words.all();
        }
        steps.words.bus(visit.by.bring.bring(), &[from.into()]);
        if let Some(port) = visit.by.keep {
            steps.words.bus(MOVED.into(), &[port.read()]);
        }
        for (tap, port) in visit.taps {
            let [first, second] = [homes.bits[tap * bits], homes.bits[tap * bits + bits - 1]];
            // Pixels with the weight −1 are added to minus the sum, and those with the weight 1 are subtracted.
            where_bit(&mut steps, first)?;
            steps.words.bus(NEXT.into(), &[SUM.into(), port.read()]).bus(SUM.into(), &[NEXT.into()]);
            if bits == 1 {
                where_no_bit(&mut steps.words, first);
            } else {
                where_bit(&mut steps, second)?;
            }
            steps.words.bus(NEXT.into(), &[SUM.into()]).bus(SUM.into(), &[NEXT.into(), port.read()]);
        }
    }

    let inside = network.side - network.margin();
    steps.controller(Step::Region(Area { top: 0, left: 0, height: inside, width: inside }))?;
    steps.words.nor(SCRATCH[0], &[Bit::Rect]).where_bits(&[SCRATCH[0].into()]);
    steps.words.fill(&[NEWS]).bus(SUM.into(), &[NEWS]).all();
    join(&mut steps, Grid::Square, Some(homes.grid))?;
    steps.finish()
}

/// Joins every PE with its neighbours in a cell, unless the cells of `before` have already joined them.
fn join(steps: &mut Steps, grid: Grid, before: Option<Grid>) -> Result<(), WordError> {
    let column = |column: usize| {
        let free = !narrow(grid.cell().columns() - 1);
        Selection { column: narrow(column), free_column_bits: free, ..Selection::ALL }
    };
    let row = |row: usize| {
        let free = !narrow(grid.cell().rows() - 1);
        Selection { row: narrow(row), free_row_bits: free, ..Selection::ALL }
    };
    let before = before.map(Grid::cell);
    let (columns, rows) = (grid.cell().columns(), grid.cell().rows());
    let ends = [
        (before.map(Shared::columns) != Some(columns), column(0), WEST, column(columns - 1), EAST),
        (before.map(Shared::rows) != Some(rows), row(0), NORTH, row(rows - 1), SOUTH),
    ];
    for (_, first, before, last, after) in ends.into_iter().filter(|(differs, ..)| *differs) {
        if grid == Grid::Square {
            // With two PEs, the one that is not the first is the last.
            steps.controller(Step::Select(last))?;
            steps.words.or(before, &[Bit::Select]).nor(after, &[Bit::Select]);
            continue;
        }
        for (end, switch) in [(first, before), (last, after)] {
            steps.controller(Step::Select(end))?;
            steps.words.nor(switch, &[Bit::Select]);
        }
    }
    Ok(())
}

/// Makes minus the image, where a pixel of 1 counts as `level`; all PEs are on before and after.
fn negated(steps: &mut Steps, ink: &[Dreg], level: i8) -> Result<(), WordError> {
    for (number, bit) in ink.iter().enumerate() {
        steps.controller(Step::Level(level << number))?;
        let sources: &[Cell] = if number == 0 {
            steps.words.fill(&[IMAGE.into()]);
            &[Cell::In]
        } else {
            steps.words.bus(NEWS, &[IMAGE.into()]);
            &[NEWS, Cell::In]
        };
        steps.words.where_bits(&[(*bit).into()]).bus(IMAGE.into(), sources).all();
    }
    Ok(())
}

/// Sets FLAG to a bit of a filter in every PE.
fn where_bit(steps: &mut Steps, home: Home) -> Result<(), WordError> {
    let [selected, own, others] = SCRATCH;
    let column = if home.column == 1 { EAST } else { WEST };
    let row = if home.row == 1 { SOUTH } else { NORTH };
    match home.cell {
        Shared::One => {
            steps.words.where_bits(&[home.register.into()]);
        }
        Shared::Pair => {
            steps.words.nor(own, &[home.register.into(), column.into()]).neighbours(others, own);
            steps.words.where_bits(&[own.into(), others.into()]);
        }
        Shared::Square => {
            steps.words.nor(own, &[home.register.into(), column.into(), row.into()]);
            steps.words.neighbours(others, own).neighbours(own, others).where_bits(&[own.into(), others.into()]);
        }
        Shared::Wide | Shared::Large => {
            steps.controller(Step::Select(holders(home)))?;
            steps.words.nor(selected, &[Bit::Select]).nor(own, &[home.register.into(), selected.into()]);
            // The bit moves to all neighbours at once, and hence also back: of two consecutive words, one has it in the
            // PEs an even number of steps away, the other in the rest.
            let farthest = |from: usize, count: usize| from.max(count - 1 - from);
            let steps_away = farthest(home.column, home.cell.columns()) + farthest(home.row, home.cell.rows());
            for step in 0..steps_away {
                let (to, from) = if step % 2 == 0 { (others, own) } else { (own, others) };
                steps.words.neighbours(to, from);
            }
            steps.words.where_bits(&[own.into(), others.into()]);
        }
    }
    Ok(())
}

/// Inverts FLAG after [`where_bit`] with the same bit.
fn where_no_bit(words: &mut Draft, home: Home) {
    let [inverse, own, others] = SCRATCH;
    let bit: &[Bit] = if home.cell == Shared::One { &[home.register.into()] } else { &[own.into(), others.into()] };
    words.nor(inverse, bit).where_bits(&[inverse.into()]);
}

/// The PEs that hold a bit.
fn holders(home: Home) -> Selection {
    Selection {
        row: narrow(home.row),
        column: narrow(home.column),
        free_row_bits: !narrow(home.cell.rows() - 1),
        free_column_bits: !narrow(home.cell.columns() - 1),
    }
}

/// Negates the sums, and replaces negative results by 0.
pub(super) fn relu() -> Result<Vec<Step>, WordError> {
    let mut words = Draft::default();
    words.fill(&[NEWS]).bus(MAXIMUM.into(), &[NEWS, SUM.into()]);
    words.where_positive(&[SUM.into()]).bus(MAXIMUM.into(), &[NEWS]).all();
    Ok(vec![Step::Execute(words.finish()?)])
}

/// The operation that takes the maximum of each window, into its north-western PE.
pub(super) fn pool(network: &Declaration) -> PlaneOperation {
    let size = u8::try_from(network.pool).unwrap_or(u8::MAX);
    PlaneOperation::MaxPool { x: MAXIMUM, t: NEXT, window: Window { size, spacing: 1 } }
}

/// Brings the maximum of each window to all its PEs.
pub(super) fn pooling(network: &Declaration, pool: &[Word]) -> Result<Vec<Step>, WordError> {
    let mut program = vec![Step::Execute(pool.iter().copied().map(Instruction::Word).collect())];
    for vertical in [true, false] {
        for distance in std::iter::successors(Some(network.pool / 2), |far| Some(far / 2)).take_while(|far| *far > 0) {
            program.extend(copy(MAXIMUM, vertical, distance, true)?);
        }
    }
    Ok(program)
}

/// Copies a register over 1 or 2 PEs to the south or east if `onward`, to PEs whose row or column number has that bit
/// set; otherwise in the opposite direction, to those that have it cleared.
fn copy(register: Reg, vertical: bool, distance: usize, onward: bool) -> Result<Vec<Step>, WordError> {
    let (bit, number) = (narrow(distance), if onward { narrow(distance) } else { 0 });
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

/// Computes the weighted maxima for each class, each in all PEs of its window, and reads out their sum.
pub(super) fn fully_connected(network: &Declaration) -> Result<Vec<Step>, WordError> {
    let [select, own, _] = SCRATCH;
    let mut program = Vec::new();
    for class in 0..network.classes() {
        program.push(Step::Select(layout::selection_of(class, network.pool)));
        let mut words = Draft::default();
        for (sign, plane) in DENSE.into_iter().enumerate() {
            if sign == 0 {
                words.fill(&[NEWS]).bus(PRODUCT.into(), &[NEWS]);
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
        program.push(Step::Sum { from: PRODUCT, first: class });
    }
    Ok(program)
}
