//! Steps as text: calls of the vendor's library.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::super::{Area, EventRead, Format, Grid, Held, Selection, outside};
use super::{ReadOut, Step};

/// A step on an array of that side, as calls of the vendor's library where it has such, whose columns count from the right; a
/// comment says what else the controller does.
#[must_use]
pub fn lines(step: &Step, side: usize) -> Vec<String> {
    let last = side.saturating_sub(1);
    let line = match step {
        Step::Execute(listing) => return listing.iter().map(ToString::to_string).collect(),
        Step::Level(level) => format!("scamp5_load_in({level});"),
        Step::Compensation { level, errors } => {
            let errors = errors.map(|error| error.to_string()).join(", ");
            format!("scamp5_load_in({level}); // plus {errors} times the errors of transfers to 1, 2, 3 cells")
        }
        Step::Select(Selection { row, column, free_row_bits, free_column_bits }) => {
            // Free bits beyond the array mean nothing.
            let [row, column, free_rows, free_columns] =
                [*row, *column, *free_row_bits, *free_column_bits].map(|bits| usize::from(bits) & last);
            let column = (column ^ last) & !free_columns;
            format!("scamp5_select_pattern({row},{column},{free_rows},{free_columns});")
        }
        Step::Region(Area { top, left, height, width }) => {
            let (bottom, right) = (top + height.saturating_sub(1), left + width.saturating_sub(1));
            let [right, left] = [right, *left].map(|column| last.saturating_sub(column));
            format!("scamp5_select_rect({top},{right},{bottom},{left});")
        }
        Step::Outside(register, grid) => {
            return vec![format!("// RECT is 1 in {}", covered(grid)), outside(*register).to_string()];
        }
        Step::Load(plane) => format!("// load {}", plane.register),
        Step::Read(ReadOut { from, grid, .. }) => format!("// read {}, {}", shown(*from), covered(grid)),
        Step::Events(EventRead { from, grid, capacity, .. }) => {
            format!("// list up to {capacity} pixels of {from} that are 1, {}", covered(grid))
        }
        Step::Sum { from, .. } => format!("scamp5_global_sum_fast({from});"),
        Step::Count(count) => {
            format!("scamp5_scan_dreg({},buffer,0,{});", count.register, count.rows().saturating_sub(1))
        }
        Step::Store(reg, Format { dropped, least, most, guard }) => {
            format!("// {reg} = max({least}, min({most}, {reg} >> {dropped})) << {guard}")
        }
    };
    vec![line]
}

/// The pixels of a grid, counted from the north-west corner of the picture.
fn covered(grid: &Grid) -> String {
    let Grid { top, left, row_step, column_step, height, width } = *grid;
    let along = |first: isize, step: usize, count: usize| {
        let last = first.saturating_add_unsigned(step.saturating_mul(count.saturating_sub(1)));
        if step == 1 || count < 2 { format!("{first} to {last}") } else { format!("{first} to {last} by {step}") }
    };
    format!("rows {}, columns {}", along(top, row_step, height), along(left, column_step, width))
}

/// The name of a register.
#[must_use]
pub fn shown(held: Held) -> String {
    match held {
        Held::Reg(reg) => reg.to_string(),
        Held::Bit(bit) => bit.to_string(),
    }
}
