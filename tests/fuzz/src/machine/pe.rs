//! Executes transfers.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use super::{Number, Transfer, Value, expand};

const NEWS: &str = "NEWS";

/// A processing element that stands for all: they do the same, and their contents differ only in place.
#[derive(Clone, Debug, Default)]
pub struct Pe {
    cells: BTreeMap<String, Value>,
    written: BTreeSet<String>,
    costs: Costs,
    peak: Option<Number>,
    /// The range of pixels, upwards and downwards from 0.
    range: (i128, i128),
}

/// The length of a listing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// The number of lines.
    pub instructions: usize,
    /// The number of control words.
    pub words: usize,
}

impl Pe {
    /// A PE whose registers hold only the inputs, channel 0 in the first one.
    #[must_use]
    pub fn new(inputs: &[String]) -> Self {
        let cells = (0..).zip(inputs).map(|(channel, name)| (name.clone(), Value::input(channel))).collect();
        Self { cells, peak: Some(Number::ZERO), range: (1, 1), ..Self::default() }
    }

    /// Sets the range of pixels, from 0 up to the first of these numbers and down to minus the second; otherwise they
    /// have either sign. Gains depend on this.
    #[must_use]
    pub fn for_pixels(self, range: (i128, i128)) -> Self {
        Self { range, ..self }
    }

    /// Executes a line; the error says which rule of the bus it breaks.
    pub fn execute(&mut self, line: &str) -> Result<(), String> {
        let transfers = expand(line)?;
        self.carry_out(&transfers).map_err(|rule| format!("`{line}`: {rule}"))
    }

    /// Executes the transfers of a line; the error says which rule of the bus they break.
    pub fn carry_out(&mut self, transfers: &[Transfer]) -> Result<(), String> {
        transfers.iter().try_for_each(|transfer| self.transfer(transfer))?;
        self.costs.instructions += 1;
        self.costs.words += transfers.len();
        Ok(())
    }

    fn transfer(&mut self, Transfer { to, from }: &Transfer) -> Result<(), String> {
        keeps_the_rules(to, from)?;
        let value = self.sum(from, to.len())?;
        for cell in to {
            match port(cell) {
                // The neighbour's NEWS is written; by symmetry, the PE on the other side writes that of the PE itself.
                Some(displacement) => self.cells.insert(NEWS.to_owned(), value.seen_from(displacement)),
                None => self.cells.insert(cell.clone(), value.clone()),
            };
            self.written.insert(cell.clone());
        }
        let larger = |peak: Number, gain: Number| Some(if peak.compare(gain)? == Ordering::Less { gain } else { peak });
        self.peak = self.peak.zip(value.gain_for(self.range)).and_then(|(peak, gain)| larger(peak, gain));
        Ok(())
    }

    /// Minus the sum of the sources, divided by the number of destinations, plus the error that every transfer adds.
    fn sum(&self, from: &[String], destinations: usize) -> Result<Value, String> {
        let ports = from.iter().filter(|cell| port(cell).is_some()).count().max(1) as i128;
        let mut sum = Value::zero();
        for cell in from {
            let (name, displacement, share) = match port(cell) {
                // Several ports share the currents of their neighbours.
                Some(displacement) => (NEWS, displacement, ports),
                None => (cell.as_str(), (0, 0), 1),
            };
            let held = self.cells.get(name).ok_or_else(|| format!("{cell} is read and holds nothing"))?;
            let factor = Number::new(-1, share * destinations as i128);
            sum.add_moved(held, factor, displacement).ok_or("a weight has too many digits")?;
        }
        sum.error = sum.error.and_then(|error| error.plus(Number::ONE));
        Ok(sum)
    }

    /// The content of a register.
    #[must_use]
    pub fn value(&self, register: &str) -> Option<&Value> {
        self.cells.get(register)
    }

    /// Takes the content of a cell away: others have overwritten it, so nothing may depend on it.
    pub fn forget(&mut self, cell: &str) {
        self.cells.remove(cell);
    }

    /// The names of the cells written so far.
    #[must_use]
    pub fn written(&self) -> &BTreeSet<String> {
        &self.written
    }

    /// The costs so far.
    #[must_use]
    pub fn costs(&self) -> Costs {
        self.costs
    }

    /// The largest gain of a value written so far; `None` if it has too many digits.
    #[must_use]
    pub fn peak(&self) -> Option<Number> {
        self.peak
    }
}

/// The position of the neighbour whose NEWS a port is.
pub(super) fn port(cell: &str) -> Option<(i32, i32)> {
    Some(match cell {
        "XN" => (0, 1),
        "XE" => (1, 0),
        "XS" => (0, -1),
        "XW" => (-1, 0),
        _ => return None,
    })
}

/// Checks that the bus can connect these cells.
fn keeps_the_rules(to: &[String], from: &[String]) -> Result<(), String> {
    let sources = match to.len() {
        1 => 4,
        2 => 2,
        3 => 1,
        _ => return Err("a word has one to three destinations".to_owned()),
    };
    if from.len() > sources {
        return Err(format!("{} sources on a bus with {} destinations", from.len(), to.len()));
    }
    let cells: BTreeSet<&String> = to.iter().chain(from).collect();
    if cells.len() < to.len() + from.len() {
        return Err("a cell is connected twice to one bus".to_owned());
    }
    let family = |cells: &[String]| cells.iter().filter(|cell| *cell == NEWS || port(cell).is_some()).count();
    let (written, read) = (family(to), family(from));
    let is_mean = written == 0 && to.len() == 1 && from.iter().all(|cell| port(cell).is_some());
    match (written, read) {
        (0, 0 | 1) | (1, 0) => {}
        (0, _) if is_mean => {}
        _ => return Err("NEWS is connected twice to one bus".to_owned()),
    }
    if to.len() > 1 && to.iter().any(|cell| port(cell).is_some()) {
        return Err("a port shares a bus with other destinations".to_owned());
    }
    Ok(())
}
