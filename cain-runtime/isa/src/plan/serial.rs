//! Serialises plans for other tools, through serde: names, fractions and instructions are the texts that `Display`
//! prints.

use serde::ser::SerializeSeq as _;
use serde::{Serialize, Serializer};

use super::Stop;
use crate::{Bit, Cell, Cells, Dreg, Fraction, Instruction, Reg};

macro_rules! as_text {
    ($($name:ty),*) => {
        $(impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        })*
    };
}

as_text!(Bit, Cell, Dreg, Fraction, Instruction, Reg, Stop);

impl Serialize for Cells {
    /// Serialises the set as a list of names.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let news = self.contains(Self::NEWS).then_some(Cell::News);
        let mut cells = self.analogue().iter().map(Cell::Reg).chain(news);
        let mut list = serializer.serialize_seq(None)?;
        cells.try_for_each(|cell| list.serialize_element(&cell))?;
        self.bits().try_for_each(|bit| list.serialize_element(&bit))?;
        list.end()
    }
}
