//! Assigns the weights of filters to digital registers and PEs.

use cain_isa::program::Selection;
use cain_isa::{Dreg, Machine};

use crate::registers::{DENSE, WeightPlane, narrow};
use crate::{Declaration, InPixelError};

/// The registers for the weights of filters.
pub(super) const FILTERS: [Dreg; 4] = [Dreg::ALL[9], Dreg::ALL[10], Dreg::ALL[11], Dreg::ALL[12]];

/// A cell of PEs that share the bits of a register, each holding a different bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    /// Every PE holds the same bit.
    One,
    /// Two adjacent PEs, the western one in an even column.
    Pair,
    /// Four PEs, the north-western one in an even row and column.
    Square,
    /// Four columns and two rows.
    Wide,
    /// Four columns and four rows.
    Large,
}

impl Cell {
    pub(super) const fn columns(self) -> usize {
        match self {
            Self::One => 1,
            Self::Pair | Self::Square => 2,
            Self::Wide | Self::Large => 4,
        }
    }

    pub(super) const fn rows(self) -> usize {
        match self {
            Self::One | Self::Pair => 1,
            Self::Square | Self::Wide => 2,
            Self::Large => 4,
        }
    }

    /// The number of bits that a register holds.
    pub(super) const fn bits(self) -> usize {
        self.columns() * self.rows()
    }

    /// The number of words that bring one of them to every PE, at most.
    const fn words(self) -> usize {
        match self {
            Self::One => 1,
            Self::Pair => 3,
            Self::Square => 4,
            Self::Wide => 7,
            Self::Large => 9,
        }
    }
}

/// The cells to which PEs are joined for `DNEWS` while filters are applied: cells of four PEs as for the dense layer,
/// or larger ones if there are more bits. No bit leaves its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grid {
    Square,
    Wide,
    Large,
}

impl Grid {
    pub(super) const ALL: [Self; 3] = [Self::Square, Self::Wide, Self::Large];

    /// The cells that may share a register, the largest last.
    const fn cells(self) -> &'static [Cell] {
        match self {
            Self::Square => &[Cell::One, Cell::Pair, Cell::Square],
            Self::Wide => &[Cell::One, Cell::Wide],
            Self::Large => &[Cell::One, Cell::Large],
        }
    }

    /// The cells to which PEs are joined.
    pub(super) const fn cell(self) -> Cell {
        match self {
            Self::Square => Cell::Square,
            Self::Wide => Cell::Wide,
            Self::Large => Cell::Large,
        }
    }
}

/// The place of a filter's bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Home {
    pub(super) register: Dreg,
    pub(super) cell: Cell,
    /// Its column in the cell.
    pub(super) column: usize,
    /// Its row in the cell.
    pub(super) row: usize,
}

impl Home {
    /// Whether the PE holds the bit.
    pub(super) const fn is_at(self, row: usize, column: usize) -> bool {
        column % self.cell.columns() == self.column && row % self.cell.rows() == self.row
    }
}

/// The places of a filter's bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Homes {
    pub(super) grid: Grid,
    /// The place of every bit.
    pub(super) bits: Vec<Home>,
}

/// The cheapest places for that many bits: those with the fewest words to bring all of them to the PEs.
pub(super) fn homes(bits: usize, machine: &Machine) -> Result<Homes, InPixelError> {
    let registers = FILTERS.into_iter().filter(|register| register.number() < machine.bits).count();
    let most = registers * Cell::Large.bits();
    let found = Grid::ALL.into_iter().find_map(|grid| Some((grid, cells(bits, registers, grid)?.1)));
    let (grid, cells) = found.ok_or(InPixelError::Registers { bits, most, registers })?;
    let places = FILTERS.into_iter().zip(cells).flat_map(|(register, cell)| {
        (0..cell.bits()).map(move |place| Home {
            register,
            cell,
            column: place % cell.columns(),
            row: place / cell.columns(),
        })
    });
    Ok(Homes { grid, bits: places.take(bits).collect() })
}

/// The cells that share each register, and the words for all bits.
fn cells(bits: usize, registers: usize, grid: Grid) -> Option<(usize, Vec<Cell>)> {
    if bits == 0 {
        return Some((0, Vec::new()));
    }
    let left = registers.checked_sub(1)?;
    let choices = grid.cells().iter().filter_map(|&cell| {
        let held = cell.bits().min(bits);
        let (words, mut cells) = cells(bits - held, left, grid)?;
        cells.insert(0, cell);
        Some((words + held * cell.words(), cells))
    });
    choices.min_by_key(|(words, _)| *words)
}

/// The PE of a pooling window that holds the weights for a class, counted from the north-western corner.
pub(super) const fn place_of(class: usize, pool: usize) -> (usize, usize) {
    (class / pool, class % pool)
}

/// The PEs that hold the weights for a class.
pub(super) fn selection_of(class: usize, pool: usize) -> Selection {
    let (row, column) = place_of(class, pool);
    let free = u16::MAX << pool.ilog2();
    Selection { row: narrow(row), column: narrow(column), free_row_bits: free, free_column_bits: free }
}

/// The weight planes of a network.
///
/// In registers that are shared by cells, bits are stored inverted, so that a single `NOR` takes a bit from its PE.
pub(super) fn planes(network: &Declaration, homes: &[Home]) -> Vec<WeightPlane> {
    let plane = |register: Dreg, bit: &dyn Fn(usize, usize) -> bool| {
        let places = (0..network.side * network.side).map(|pe| bit(pe / network.side, pe % network.side));
        WeightPlane { register, bits: places.collect() }
    };
    let bits = network.bits_of_weight();
    let mut planes = Vec::new();
    for register in FILTERS {
        if homes.iter().any(|home| home.register == register) {
            planes.push(plane(register, &|row, column| {
                let number = homes.iter().position(|home| home.register == register && home.is_at(row, column));
                number.is_some_and(|number| {
                    let filter = row / network.block * network.blocks() + column / network.block;
                    bit_of(&network.filters[filter], number, bits) == (homes[number].cell == Cell::One)
                })
            }));
        }
    }
    for (register, weight) in DENSE.into_iter().zip([1, -1]) {
        planes.push(plane(register, &|row, column| dense_weight(network, row, column) != Some(weight)));
    }
    planes
}

/// A bit of a filter that has `bits` bits for each weight: first whether it is −1, then, if there are two, whether it
/// is 1.
fn bit_of(filter: &[i8], number: usize, bits: usize) -> bool {
    filter[number / bits] == if number.is_multiple_of(bits) { -1 } else { 1 }
}

/// The weight of the dense layer that a PE holds, if any.
pub(super) fn dense_weight(network: &Declaration, row: usize, column: usize) -> Option<i8> {
    let Declaration { block, pool, .. } = *network;
    let (number, cells) = (row / block * network.blocks() + column / block, network.cells());
    let cell = row % block / pool * cells + column % block / pool;
    let class = row % pool * pool + column % pool;
    network.dense[number * cells * cells + cell].get(class).copied()
}
