//! The exact arithmetic of an automaton, without an array.

use super::declaration::{Automaton, Bits, Layer};

/// The cells of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cells {
    height: usize,
    width: usize,
    /// The number of integers in a state, including the grey.
    channels: usize,
    alive: Vec<bool>,
    /// The grey of all cells, then the integers of their states, plane by plane.
    planes: Vec<i32>,
}

/// The numbers of values that were out of range and replaced by the nearest one in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Saturated {
    /// Values between two layers.
    pub activations: u64,
    /// Updates.
    pub updates: u64,
    /// Integers of the state.
    pub states: u64,
}

impl Saturated {
    /// Adds the counts of another step.
    pub fn add(&mut self, other: Self) {
        self.activations += other.activations;
        self.updates += other.updates;
        self.states += other.states;
    }
}

impl Cells {
    /// The cells of a picture, row by row, with states of 0; missing pixels are black.
    #[must_use]
    pub fn new(automaton: &Automaton, picture: &[u8]) -> Self {
        let (height, width) = automaton.size;
        let channels = 1 + automaton.state();
        let planes = vec![0; channels * height * width];
        let mut cells = Self { height, width, channels, alive: vec![], planes };
        cells.show(automaton, picture);
        cells
    }

    /// Shows another picture. Cells that are alive in both keep their state.
    pub fn show(&mut self, automaton: &Automaton, picture: &[u8]) {
        let area = self.height * self.width;
        let pixel = |cell: usize| picture.get(cell).copied().unwrap_or(0);
        self.alive = (0..area).map(|cell| pixel(cell) >= automaton.alive).collect();
        for (place, value) in self.planes.iter_mut().enumerate() {
            let (channel, cell) = (place / area, place % area);
            if channel == 0 {
                *value = pixel(cell).into();
            } else if pixel(cell) < automaton.alive {
                *value = 0;
            }
        }
    }

    /// The rows and columns.
    #[must_use]
    pub fn size(&self) -> (usize, usize) {
        (self.height, self.width)
    }

    /// Whether a cell is alive.
    #[must_use]
    pub fn is_alive(&self, cell: usize) -> bool {
        self.alive.get(cell).copied().unwrap_or(false)
    }

    /// An integer of the state of all cells; number 0 is the grey.
    #[must_use]
    pub fn plane(&self, channel: usize) -> &[i32] {
        let area = self.height * self.width;
        self.planes.get(channel * area..(channel + 1) * area).unwrap_or_default()
    }

    /// An integer of the state of all cells, where number 0 is the first one after the grey.
    #[must_use]
    pub fn state(&self, channel: usize) -> &[i32] {
        self.plane(channel + 1)
    }

    /// Adds updates, plane by plane, to the states of the cells that are alive and chosen.
    pub fn add(&mut self, automaton: &Automaton, updates: &[i32], chosen: &[bool]) -> Saturated {
        let area = self.height * self.width;
        let mut saturated = Saturated::default();
        let (update, state) = (Bits::signed(automaton.bits.update), Bits::signed(automaton.bits.state));
        for (value, (place, &sum)) in self.planes.iter_mut().skip(area).zip(updates.iter().enumerate()) {
            let cell = place % area;
            let is_chosen = chosen.get(cell).copied().unwrap_or(false);
            if is_chosen && self.alive.get(cell).copied().unwrap_or(false) {
                *value += clamp(sum, update, &mut saturated.updates);
                *value = clamp(*value, state, &mut saturated.states);
            }
        }
        saturated
    }

    /// The class of a cell: that of the largest integer, or the first of equal ones.
    #[must_use]
    pub fn class(&self, automaton: &Automaton, cell: usize) -> usize {
        let number = |class: usize| self.state(automaton.hidden() + class).get(cell).copied().unwrap_or(i32::MIN);
        (1..automaton.classes).fold(0, |best, class| if number(class) > number(best) { class } else { best })
    }
}

/// The nearest number in a range.
fn clamp(value: i32, (low, high): (i32, i32), outside: &mut u64) -> i32 {
    *outside += u64::from(value < low || value > high);
    value.clamp(low, high)
}

/// The exact arithmetic of an automaton, with its weights in lists.
#[derive(Clone, Debug)]
pub struct Reference<'a> {
    automaton: &'a Automaton,
    /// The terms of every layer and output: input, rows to the south, columns to the east, weight.
    layers: Vec<Vec<Vec<Term>>>,
}

type Term = (usize, isize, isize, i32);

impl<'a> Reference<'a> {
    /// The arithmetic of an automaton that has been [checked](Automaton::check).
    #[must_use]
    pub fn new(automaton: &'a Automaton) -> Self {
        let terms = |layer: &Layer| (0..layer.outputs()).map(|output| layer.terms(output).collect()).collect();
        Self { automaton, layers: automaton.layers.iter().map(terms).collect() }
    }

    /// Carries out a step: the cells that are alive and chosen add an update to their state.
    pub fn step(&self, cells: &mut Cells, chosen: &[bool]) -> Saturated {
        let area = cells.height * cells.width;
        let is_wanted = |cell: &usize| cells.is_alive(*cell) && chosen.get(*cell).copied().unwrap_or(false);
        let mut saturated = Saturated::default();
        let mut updates = vec![0; self.automaton.state() * area];
        for cell in (0..area).filter(is_wanted) {
            let mut numbers = self.first_sums(cells, cell);
            for layer in self.layers.iter().skip(1) {
                for number in &mut numbers {
                    *number = self.automaton.rectified(*number, &mut saturated);
                }
                let weighted = |&(input, _, _, weight): &Term| weight * numbers.get(input).copied().unwrap_or(0);
                numbers = layer.iter().map(|terms| self.divided(terms.iter().map(weighted).sum())).collect();
            }
            let places = updates.iter_mut().skip(cell).step_by(area);
            places.zip(numbers).for_each(|(update, number)| *update = number);
        }
        saturated.add(cells.add(self.automaton, &updates, chosen));
        saturated
    }

    /// The sums of the first layer at a cell.
    fn first_sums(&self, cells: &Cells, cell: usize) -> Vec<i32> {
        let (row, column) = (cell / cells.width, cell % cells.width);
        let area = cells.height * cells.width;
        let weighted = |&(input, south, east, weight): &Term| {
            let row = row.checked_add_signed(south).filter(|row| *row < cells.height);
            let column = column.checked_add_signed(east).filter(|column| *column < cells.width);
            let place = row.zip(column).map(|(row, column)| input * area + row * cells.width + column);
            weight * place.and_then(|place| cells.planes.get(place)).copied().unwrap_or(0)
        };
        let sums = self.layers.first().into_iter().flatten().map(|terms| terms.iter().map(weighted).sum());
        sums.map(|sum| self.divided(sum)).collect()
    }

    fn divided(&self, sum: i32) -> i32 {
        sum >> self.automaton.scale
    }
}

impl Automaton {
    /// The value that a layer passes on to the next one.
    #[must_use]
    pub fn rectified(&self, sum: i32, saturated: &mut Saturated) -> i32 {
        clamp(sum.max(0), (0, Bits::unsigned(self.bits.activation)), &mut saturated.activations)
    }
}
