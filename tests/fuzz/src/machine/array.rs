//! Bits and levels of all PEs of an array, based on the description of the machine alone.

use std::collections::BTreeMap;

use super::expand;
use super::pe::port;

/// The digital registers of a PE.
const REGISTERS: usize = 13;
/// The position to the east and to the north of the neighbour whose bit `DNEWS` and `PROP` bring, by the register that
/// permits it.
const SWITCHES: [(&str, (i32, i32)); 4] = [("R1", (0, -1)), ("R2", (-1, 0)), ("R3", (0, 1)), ("R4", (1, 0))];

/// An array of PEs. Places are columns from the west and rows from the north.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    width: usize,
    height: usize,
    bits: BTreeMap<String, Vec<bool>>,
    levels: BTreeMap<String, Vec<f64>>,
    words: usize,
}

impl Array {
    /// An array with arbitrary contents: digital registers, SELECT and RECT get bits from `any`, analogue registers
    /// 1000 times such a bit. FLAG is 1 everywhere.
    pub fn new(width: usize, height: usize, mut any: impl FnMut() -> bool) -> Self {
        let names = (0..REGISTERS).map(|number| format!("R{number}"));
        let names = names.chain(["SELECT", "RECT"].map(str::to_owned));
        let mut plane = || (0..width * height).map(|_| any()).collect::<Vec<bool>>();
        let mut bits: BTreeMap<_, _> = names.map(|name| (name, plane())).collect();
        bits.insert("FLAG".to_owned(), vec![true; width * height]);
        let analogue = ["A", "B", "C", "D", "E", "F", "NEWS", "IN"].map(str::to_owned);
        let mut levels = || plane().into_iter().map(|bit| if bit { 1000.0 } else { 0.0 }).collect();
        let levels = analogue.map(|name| (name, levels())).into();
        Self { width, height, bits, levels, words: 0 }
    }

    /// The numbers of columns and rows.
    #[must_use]
    pub fn size(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// The number of control words executed.
    #[must_use]
    pub fn words(&self) -> usize {
        self.words
    }

    /// A bit of a PE.
    ///
    /// # Panics
    ///
    /// If there is no such register or PE.
    #[must_use]
    pub fn bit(&self, register: &str, column: usize, row: usize) -> bool {
        self.bits[register][row * self.width + column]
    }

    /// Changes a bit of a PE.
    ///
    /// # Panics
    ///
    /// If there is no such register or PE.
    pub fn set_bit(&mut self, register: &str, column: usize, row: usize, bit: bool) {
        let place = row * self.width + column;
        *self.bits.get_mut(register).and_then(|plane| plane.get_mut(place)).expect("a register of a PE") = bit;
    }

    /// The level of an analogue register in a PE.
    ///
    /// # Panics
    ///
    /// If there is no such register or PE.
    #[must_use]
    pub fn level(&self, register: &str, column: usize, row: usize) -> f64 {
        self.levels[register][row * self.width + column]
    }

    /// Changes the level of an analogue register in a PE.
    ///
    /// # Panics
    ///
    /// If there is no such register or PE.
    pub fn set_level(&mut self, register: &str, column: usize, row: usize, level: f64) {
        let place = row * self.width + column;
        *self.levels.get_mut(register).and_then(|plane| plane.get_mut(place)).expect("a register of a PE") = level;
    }

    /// Executes a line; the error says why that is impossible.
    pub fn execute(&mut self, line: &str) -> Result<(), String> {
        let call = line.trim().strip_suffix(");").ok_or_else(|| format!("`{line}` is no call"))?;
        let (name, operands) = call.split_once('(').ok_or_else(|| format!("`{line}` is no call"))?;
        let operands: Vec<&str> = operands.split(',').map(str::trim).filter(|operand| !operand.is_empty()).collect();
        let wrong = |reason: String| format!("`{line}`: {reason}");
        if let Some(words) = self.controller(name, &operands).map_err(wrong)? {
            self.words += words;
            return Ok(());
        }
        match self.logic(name, &operands).map_err(wrong)? {
            Some(words) => self.words += words,
            None => {
                for transfer in expand(line)? {
                    self.transfer(&transfer.to, &transfer.from).map_err(wrong)?;
                    self.words += 1;
                }
            }
        }
        Ok(())
    }

    /// Executes functions of the controller and words on FLAG; returns the number of words, or `None` for other lines.
    fn controller(&mut self, name: &str, operands: &[&str]) -> Result<Option<usize>, String> {
        match (name, operands) {
            ("scamp5_select_pattern", [row, column, free_rows, free_columns]) => {
                let [row, column, free_rows, free_columns] = numbers([row, column, free_rows, free_columns])?;
                let agree = |a: i32, b: i32, free: i32| (a ^ b) & 0xff & !free == 0;
                let (width, height) = (self.width, self.height);
                let selected = places(width, height).map(|(x, y)| {
                    // Columns are counted from the right.
                    let (x, y) = (i32::try_from(width - 1 - x), i32::try_from(y));
                    x.is_ok_and(|x| agree(x, column, free_columns)) && y.is_ok_and(|y| agree(y, row, free_rows))
                });
                let selected = selected.collect();
                self.bits.insert("SELECT".to_owned(), selected);
                Ok(Some(0))
            }
            ("scamp5_load_in", [level]) => {
                let [level] = numbers([level])?;
                self.levels.insert("IN".to_owned(), vec![level.into(); self.width * self.height]);
                Ok(Some(0))
            }
            ("all" | "ALL", []) => {
                self.bits.insert("FLAG".to_owned(), vec![true; self.width * self.height]);
                Ok(Some(1))
            }
            ("WHERE", bits) => {
                let any = self.any(bits)?;
                self.bits.insert("FLAG".to_owned(), any);
                Ok(Some(1))
            }
            ("where", registers @ [_, ..]) => {
                let planes = registers.iter().map(|name| self.levels.get(*name).ok_or_else(|| unknown(name)));
                let planes = planes.collect::<Result<Vec<_>, _>>()?;
                let sums =
                    (0..self.width * self.height).map(|place| planes.iter().map(|plane| plane[place]).sum::<f64>());
                let flag = sums.map(|sum| sum > 0.0).collect();
                self.bits.insert("FLAG".to_owned(), flag);
                Ok(Some(1))
            }
            _ => Ok(None),
        }
    }

    /// Executes words on digital registers and macros of them; returns the number of words, or `None` for other lines.
    fn logic(&mut self, name: &str, operands: &[&str]) -> Result<Option<usize>, String> {
        let words = match (name, operands) {
            ("SET" | "CLR", targets @ [_, ..]) => {
                let value = vec![name == "SET"; self.width * self.height];
                self.store(targets, &value)?;
                1
            }
            // This is a word in place: the value read waits on the bus of the PE.
            ("NOT", [register]) => {
                let value = inverse(self.any(&[register])?);
                self.store(&[register], &value)?;
                2
            }
            ("OR" | "NOR", [register, source]) => {
                let any = self.any(&[register, source])?;
                self.store(&[register], &if name == "OR" { any } else { inverse(any) })?;
                2
            }
            ("MOV" | "NOT", [target, source]) => {
                let value = self.any(&[source])?;
                self.direct(target, &[source], &if name == "MOV" { value } else { inverse(value) })?;
                1
            }
            ("OR" | "NOR", [target, sources @ ..]) if sources.len() > 1 => {
                let any = self.any(sources)?;
                self.direct(target, sources, &if name == "OR" { any } else { inverse(any) })?;
                1
            }
            ("DNEWS0" | "DNEWS1", [target, source]) => {
                let value = self.neighbours(source, name == "DNEWS1")?;
                self.store(&[target], &value)?;
                1
            }
            ("PROP0" | "PROP1", []) => {
                self.propagate(name == "PROP1")?;
                2
            }
            ("REFRESH", [_]) => 2,
            _ => match combined(name, operands) {
                Some(lines) => {
                    for line in lines {
                        self.execute(&line)?;
                    }
                    0
                }
                None => return Ok(None),
            },
        };
        Ok(Some(words))
    }

    /// Writes a register that is not among the sources.
    fn direct(&mut self, target: &str, sources: &[&str], value: &[bool]) -> Result<(), String> {
        if sources.contains(&target) {
            return Err(format!("`{target}` is read and written by one word"));
        }
        self.store(&[target], value)
    }

    fn any(&self, bits: &[&str]) -> Result<Vec<bool>, String> {
        let mut any = vec![false; self.width * self.height];
        for name in bits {
            let plane = self.bits.get(*name).ok_or_else(|| unknown(name))?;
            any.iter_mut().zip(plane).for_each(|(any, bit)| *any |= bit);
        }
        Ok(any)
    }

    /// Writes registers; R12 is written only where R0 was 1 before.
    fn store(&mut self, targets: &[&str], value: &[bool]) -> Result<(), String> {
        let gate = self.bits["R0"].clone();
        for target in targets {
            if !target.starts_with('R') || *target == "RECT" {
                return Err(format!("`{target}` cannot be written"));
            }
            let plane = self.bits.get_mut(*target).ok_or_else(|| unknown(target))?;
            for ((bit, value), gate) in plane.iter_mut().zip(value).zip(&gate) {
                if *target != "R12" || *gate {
                    *bit = *value;
                }
            }
        }
        Ok(())
    }

    /// For each PE, the OR of a bit of the neighbours that its switches permit; outside of the array, the bit is
    /// `outside`.
    fn neighbours(&self, source: &str, outside: bool) -> Result<Vec<bool>, String> {
        let plane = self.bits.get(source).ok_or_else(|| unknown(source))?;
        Ok(places(self.width, self.height)
            .map(|(x, y)| {
                SWITCHES.iter().any(|(switch, step)| {
                    let there = self.neighbour((x, y), *step).map_or(outside, |place| plane[place]);
                    self.bits[*switch][y * self.width + x] && there
                })
            })
            .collect())
    }

    /// Sets R12 to 1 wherever a 1 arrives from a permitted neighbour through PEs where R0 is 1.
    fn propagate(&mut self, outside: bool) -> Result<(), String> {
        loop {
            let reached = self.neighbours("R12", outside)?;
            let before = self.bits["R12"].clone();
            let value: Vec<bool> = before.iter().zip(&reached).map(|(bit, reached)| *bit || *reached).collect();
            self.store(&["R12"], &value)?;
            if self.bits["R12"] == before {
                return Ok(());
            }
        }
    }

    /// The place at a distance to the east and to the north, if it is in the array.
    fn neighbour(&self, (x, y): (usize, usize), (east, north): (i32, i32)) -> Option<usize> {
        let (east, north) = (isize::try_from(east).ok()?, isize::try_from(north).ok()?);
        let (x, y) = (x.checked_add_signed(east)?, y.checked_add_signed(-north)?);
        (x < self.width && y < self.height).then_some(y * self.width + x)
    }

    /// Executes a word on the analogue bus. Cells are written where FLAG is 1 in the PE that owns them.
    fn transfer(&mut self, to: &[String], from: &[String]) -> Result<(), String> {
        let mut sums = vec![0.0; self.width * self.height];
        for cell in from {
            let (name, step) = port(cell).map_or((cell.as_str(), (0, 0)), |step| ("NEWS", step));
            let plane = self.levels.get(name).ok_or_else(|| unknown(cell))?;
            for (sum, place) in sums.iter_mut().zip(places(self.width, self.height)) {
                *sum += self.neighbour(place, step).map_or(0.0, |place| plane[place]);
            }
        }
        #[expect(clippy::cast_precision_loss, reason = "at most three")]
        let shared = -1.0 / to.len().max(1) as f64;
        for cell in to {
            let (name, (east, north)) = port(cell).map_or((cell.as_str(), (0, 0)), |step| ("NEWS", step));
            if name == "IN" {
                return Err("`IN` cannot be written".to_owned());
            }
            let mut plane = self.levels.get(name).ok_or_else(|| unknown(cell))?.clone();
            let flag = &self.bits["FLAG"];
            for (at, place) in places(self.width, self.height).enumerate() {
                // The PE on the other side writes the port.
                let writer = self.neighbour(place, (-east, -north));
                if flag[at] {
                    plane[at] = writer.map_or(0.0, |writer| sums[writer] * shared);
                }
            }
            self.levels.insert(name.to_owned(), plane);
        }
        Ok(())
    }
}

/// The lines of a macro of several words, by the headers' expansions.
fn combined(name: &str, operands: &[&str]) -> Option<Vec<String>> {
    let lines = match (name, operands) {
        ("AND" | "NAND", [a, x, y]) => vec![
            "SET(R0);".to_owned(),
            format!("NOT(R12,{x});"),
            format!("NOT(R0,{y});"),
            format!("{}({a},R0,R12);", if name == "AND" { "NOR" } else { "OR" }),
        ],
        ("ANDX" | "NANDX", [a, b, x]) => vec![
            format!("NOT(R0,{b});"),
            format!("NOT({b},{x});"),
            format!("{}({a},R0,{b});", if name == "ANDX" { "NOR" } else { "OR" }),
        ],
        ("IMP" | "NIMP", [l, x, y]) => {
            vec![format!("NOT(R0,{y});"), format!("{}({l},{x},R0);", if name == "IMP" { "OR" } else { "NOR" })]
        }
        ("XORX", [l, x, y]) => vec![
            format!("NOT(R0,{y});"),
            format!("NOR({l},{x},R0);"),
            format!("NOT(R0,{x});"),
            format!("NOR({x},{y},R0);"),
            format!("OR({l},{x});"),
        ],
        ("MUX", [l, x, y, z]) => vec![
            "SET(R0);".to_owned(),
            format!("MOV(R12,{z});"),
            format!("MOV(R0,{x});"),
            format!("MOV(R12,{y});"),
            format!("MOV({l},R12);"),
        ],
        ("CLR_IF", [l, x]) => vec![format!("NOT(R0,{l});"), format!("NOR({l},R0,{x});")],
        _ => return None,
    };
    Some(lines)
}

fn inverse(plane: Vec<bool>) -> Vec<bool> {
    plane.into_iter().map(|bit| !bit).collect()
}

/// All PEs, row by row: columns from the west and rows from the north.
fn places(width: usize, height: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)))
}

fn numbers<const N: usize>(texts: [&&str; N]) -> Result<[i32; N], String> {
    let mut numbers = [0; N];
    for (number, text) in numbers.iter_mut().zip(texts) {
        *number = text.parse().map_err(|_| format!("`{text}` is no number"))?;
    }
    Ok(numbers)
}

fn unknown(name: &str) -> String {
    format!("there is no `{name}`")
}
