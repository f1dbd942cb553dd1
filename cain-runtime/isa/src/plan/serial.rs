//! Plans for other tools, through serde: names, fractions and instructions are the texts that `Display` prints.

use serde::{Serialize, Serializer};

use super::Stop;
use crate::{Fraction, Instruction, Reg};

macro_rules! as_text {
    ($($name:ty),*) => {
        $(impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        })*
    };
}

as_text!(Fraction, Instruction, Reg, Stop);
