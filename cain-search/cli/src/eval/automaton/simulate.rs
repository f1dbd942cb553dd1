//! Carries out steps of an automaton by its programs, on an array of wide registers.

use cain_isa::Reg;
use cain_network::automaton::{Automaton, Cells, CompiledAutomaton, Saturated};
use cain_runtime::sim::{IntegerArray, IntegerProgram};

/// The programs of an automaton, as sums of planes.
pub(crate) struct Simulator<'a> {
    compiled: &'a CompiledAutomaton,
    layers: Vec<IntegerProgram>,
    room: usize,
}

/// The part of the array with living cells.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Living {
    top: usize,
    left: usize,
    height: usize,
    width: usize,
}

impl<'a> Simulator<'a> {
    pub(crate) fn new(compiled: &'a CompiledAutomaton) -> Result<Self, String> {
        let programs = compiled.layers().iter().map(|layer| IntegerProgram::new(layer.program.listing()));
        let layers = programs.collect::<Result<_, _>>().map_err(|error| error.to_string())?;
        let room = compiled.reach();
        Ok(Self { compiled, layers, room })
    }

    /// Carries out one step: the living cells that are chosen add an update to their state.
    pub(crate) fn step(&self, cells: &mut Cells, chosen: &[bool]) -> Result<(), String> {
        let automaton = self.compiled.automaton();
        let Some(living) = Living::of(cells) else { return Ok(()) };
        let mut array = IntegerArray::new(living.width, living.height, self.room);
        self.load(&mut array, cells, living);
        let programs = self.layers.iter().zip(self.compiled.layers()).enumerate();
        for (number, (program, layer)) in programs {
            array.run(program).map_err(|error| error.to_string())?;
            if let Some(next) = self.compiled.layers().get(number + 1) {
                for &reg in self.compiled.registers().outputs(number) {
                    rectify(automaton, &mut array, reg, layer.guard, next.guard);
                }
            }
        }
        let updates = self.updates(&array, cells, living);
        cells.add(automaton, &updates, chosen);
        Ok(())
    }

    /// Loads the grey values and the states into their registers.
    fn load(&self, array: &mut IntegerArray, cells: &Cells, living: Living) {
        let (height, width) = cells.size();
        let guard = self.compiled.layers().first().map_or(0, |layer| layer.guard);
        for (channel, &reg) in self.compiled.registers().state().iter().enumerate() {
            let plane = cells.plane(channel);
            array.load(reg, |row, column| {
                let row = living.top.checked_add_signed(row).filter(|row| *row < height);
                let column = living.left.checked_add_signed(column).filter(|column| *column < width);
                let place = row.zip(column).map(|(row, column)| row * width + column);
                place.and_then(|place| plane.get(place)).copied().unwrap_or(0) << guard
            });
        }
    }

    /// The results of the last layer, for all cells.
    fn updates(&self, array: &IntegerArray, cells: &Cells, living: Living) -> Vec<i32> {
        let (height, width) = cells.size();
        let last = self.layers.len().saturating_sub(1);
        let guard = self.compiled.layers().last().map_or(0, |layer| layer.guard);
        let mut updates = vec![0; self.compiled.automaton().state() * height * width];
        let planes = updates.chunks_exact_mut(height * width);
        for (plane, &reg) in planes.zip(self.compiled.registers().outputs(last)) {
            let rows = plane.chunks_exact_mut(width).skip(living.top);
            for (row, values) in rows.zip(array.read(reg)) {
                let places = row.iter_mut().skip(living.left);
                places.zip(values).for_each(|(place, value)| *place = value >> guard);
            }
        }
        updates
    }
}

/// Rounds down the sums in a register, and turns them into what the next layer reads.
fn rectify(automaton: &Automaton, array: &mut IntegerArray, reg: Reg, guard: u32, next: u32) {
    array.map(reg, |sum| automaton.rectified(sum >> guard, &mut Saturated::default()) << next);
}

impl Living {
    /// The part of the array with living cells; `None` if no cell lives.
    fn of(cells: &Cells) -> Option<Self> {
        let (height, width) = cells.size();
        let alive = (0..height * width).filter(|cell| cells.is_alive(*cell));
        let places = alive.map(|cell| [cell / width, cell % width, cell / width, cell % width]);
        let around = places.reduce(|a, b| [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])]);
        let [top, left, bottom, right] = around?;
        Some(Self { top, left, height: bottom + 1 - top, width: right + 1 - left })
    }
}
