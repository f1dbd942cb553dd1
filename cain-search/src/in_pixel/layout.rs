//! Where weights are: which digital register holds which weight of a filter in which PE.

use cain_isa::{Dreg, in_pixel::Selection};

use super::{Declaration, InPixelError};

/// Registers of `DNEWS`, each of which joins a PE with its partner in a cell of 2×2 PEs.
pub(super) const SOUTH: Dreg = Dreg::ALL[1];
pub(super) const WEST: Dreg = Dreg::ALL[2];
pub(super) const NORTH: Dreg = Dreg::ALL[3];
pub(super) const EAST: Dreg = Dreg::ALL[4];
/// Registers that no plane is kept in.
pub(super) const SCRATCH: [Dreg; 3] = [Dreg::ALL[0], Dreg::ALL[5], Dreg::ALL[6]];
/// Registers for the weights of filters.
pub(super) const FILTERS: [Dreg; 4] = [Dreg::ALL[7], Dreg::ALL[8], Dreg::ALL[9], Dreg::ALL[10]];
/// Where weights of the dense layer are not 1, and where they are not −1.
pub(super) const DENSE: [Dreg; 2] = [Dreg::ALL[11], Dreg::ALL[12]];

/// PEs that share the weights of a register, each of which holds another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    /// Every PE holds the same weight.
    One,
    /// Two PEs side by side, the western one in an even column.
    Pair,
    /// Four PEs, the north-western one in an even row and column.
    Square,
}

impl Cell {
    const ALL: [Self; 3] = [Self::One, Self::Pair, Self::Square];

    /// The weights that a register holds.
    pub(super) const fn weights(self) -> usize {
        match self {
            Self::One => 1,
            Self::Pair => 2,
            Self::Square => 4,
        }
    }

    /// Words that bring one of them to every PE.
    const fn words(self) -> usize {
        match self {
            Self::One => 1,
            Self::Pair => 3,
            Self::Square => 4,
        }
    }
}

/// Where a weight of a filter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Home {
    pub(super) register: Dreg,
    pub(super) cell: Cell,
    /// Whether it is in the odd columns of the cells.
    pub(super) odd_column: bool,
    /// Whether it is in the odd rows of the cells.
    pub(super) odd_row: bool,
}

impl Home {
    /// Whether the PE holds the weight.
    pub(super) const fn is_at(self, row: usize, column: usize) -> bool {
        match self.cell {
            Cell::One => true,
            Cell::Pair => (column % 2 == 1) == self.odd_column,
            Cell::Square => (column % 2 == 1) == self.odd_column && (row % 2 == 1) == self.odd_row,
        }
    }
}

/// The cheapest homes for that many weights: the fewest words to bring all of them to the PEs.
pub(super) fn homes(weights: usize) -> Result<Vec<Home>, InPixelError> {
    let most = FILTERS.len() * Cell::Square.weights();
    let cells = cells(weights, FILTERS.len()).map(|(_, cells)| cells).ok_or(InPixelError::Registers {
        bits: weights,
        most,
        registers: FILTERS.len(),
    })?;
    let places = FILTERS.into_iter().zip(cells).flat_map(|(register, cell)| {
        (0..cell.weights()).map(move |place| Home {
            register,
            cell,
            odd_column: place % 2 == 1,
            odd_row: place / 2 == 1,
        })
    });
    Ok(places.take(weights).collect())
}

/// What each register is shared by, and the words for all weights.
fn cells(weights: usize, registers: usize) -> Option<(usize, Vec<Cell>)> {
    if weights == 0 {
        return Some((0, Vec::new()));
    }
    let left = registers.checked_sub(1)?;
    let choices = Cell::ALL.into_iter().filter_map(|cell| {
        let held = cell.weights().min(weights);
        let (words, mut cells) = cells(weights - held, left)?;
        cells.insert(0, cell);
        Some((words + held * cell.words(), cells))
    });
    choices.min_by_key(|(words, _)| *words)
}

/// The PE of a pooling window that holds the weights for a class, from its north-west corner.
pub(super) const fn place_of(class: usize, pool: usize) -> (usize, usize) {
    (class / pool, class % pool)
}

/// The PEs that hold the weights for a class.
pub(super) fn selection_of(class: usize, pool: usize) -> Selection {
    let (row, column) = place_of(class, pool);
    let free = u16::MAX << pool.ilog2();
    Selection { row: narrow(row), column: narrow(column), free_row_bits: free, free_column_bits: free }
}

pub(super) fn narrow(number: usize) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}

/// A digital register that is loaded before the first picture, with a bit for each PE, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightPlane {
    /// The register.
    pub register: Dreg,
    /// Its bits.
    pub bits: Vec<bool>,
}

/// The planes of a network.
///
/// A filter's bit is 1 where its weight is −1, and stored the other way round in registers whose weights are shared by cells:
/// there one `NOR` takes a weight from its PE.
pub(super) fn planes(network: &Declaration, homes: &[Home]) -> Vec<WeightPlane> {
    let plane = |register: Dreg, bit: &dyn Fn(usize, usize) -> bool| {
        let places = (0..network.side * network.side).map(|pe| bit(pe / network.side, pe % network.side));
        WeightPlane { register, bits: places.collect() }
    };
    let mut planes = Vec::new();
    for register in FILTERS {
        if homes.iter().any(|home| home.register == register) {
            planes.push(plane(register, &|row, column| {
                let tap = homes.iter().position(|home| home.register == register && home.is_at(row, column));
                tap.is_some_and(|tap| {
                    let filter = &network.filters[row / network.block * network.blocks() + column / network.block];
                    (filter[tap] < 0) == (homes[tap].cell == Cell::One)
                })
            }));
        }
    }
    for (register, weight) in DENSE.into_iter().zip([1, -1]) {
        planes.push(plane(register, &|row, column| dense_weight(network, row, column) != Some(weight)));
    }
    planes
}

/// The weight of the dense layer that a PE holds, if it holds any.
pub(super) fn dense_weight(network: &Declaration, row: usize, column: usize) -> Option<i8> {
    let Declaration { block, pool, .. } = *network;
    let (number, cells) = (row / block * network.blocks() + column / block, network.cells());
    let cell = row % block / pool * cells + column % block / pool;
    let class = row % pool * pool + column % pool;
    network.dense[number * cells * cells + cell].get(class).copied()
}
