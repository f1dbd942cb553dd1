//! The canonical spelling of machines.

use core::fmt;

use super::{Machine, Macros, Registers};

impl fmt::Display for Machine {
    /// Writes what differs from SCAMP-5, as it can be written in the `#![machine(..)]` of a block of kernels; nothing
    /// for SCAMP-5 itself.
    ///
    /// `registers = 18, instructions = basic`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usual = Self::SCAMP5;
        let mut separator = "";
        let mut next = |f: &mut fmt::Formatter<'_>| f.write_str(core::mem::replace(&mut separator, ", "));
        if self.registers != usual.registers {
            next(f)?;
            registers(f, &self.registers)?;
        }
        if self.bits != usual.bits {
            next(f)?;
            write!(f, "bits = {}", self.bits)?;
        }
        if self.macros != usual.macros {
            next(f)?;
            macros(f, &self.macros)?;
        }
        if self.bus != usual.bus {
            next(f)?;
            write!(f, "bus(destinations = {}, sources = {}, ", self.bus.destinations, self.bus.sources)?;
            write!(f, "reads = {})", self.bus.reads.name())?;
        }
        if self.times != usual.times {
            next(f)?;
            let times = &self.times;
            write!(f, "nanoseconds(analogue = {}, digital = {}, ", times.analogue, times.digital)?;
            write!(f, "neighbours = {}, propagation = {}, ", times.neighbours, times.propagation)?;
            write!(f, "high_speed = {})", times.high_speed)?;
        }
        if self.range != usual.range {
            next(f)?;
            write!(f, "range(min = {}, max = {})", self.range.min, self.range.max)?;
        }
        Ok(())
    }
}

fn registers(f: &mut fmt::Formatter<'_>, registers: &Registers) -> fmt::Result {
    let count = u16::try_from(registers.len()).unwrap_or(u16::MAX);
    if *registers == Registers::first(count) {
        return write!(f, "registers = {count}");
    }
    list(f, "registers", registers.iter())
}

fn macros(f: &mut fmt::Formatter<'_>, macros: &Macros) -> fmt::Result {
    if *macros == Macros::BASIC {
        return f.write_str("instructions = basic");
    }
    list(f, "instructions", macros.iter().map(crate::Op::constructor))
}

fn list(f: &mut fmt::Formatter<'_>, key: &str, names: impl Iterator<Item = impl fmt::Display>) -> fmt::Result {
    write!(f, "{key} = [")?;
    for (i, name) in names.enumerate() {
        write!(f, "{}{name}", if i > 0 { ", " } else { "" })?;
    }
    f.write_str("]")
}
