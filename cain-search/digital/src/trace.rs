//! The contents of registers after each word of a program.

use cain_isa::{Bit, Displacement, Word};

use super::Proved;
use super::prove::{Bdd, Function, Machine, Variable};

/// The value that a word writes to a register or to FLAG, as a function of input bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The register or FLAG.
    pub bit: Bit,
    /// The bits on which it depends: the input, the number of the bit, from 0, and the displacement at which it is
    /// read.
    pub depends_on: Vec<(usize, u32, Displacement)>,
    /// The values for all assignments of those bits, the first of which changes most slowly; `None` if there are more
    /// than [`MOST_BITS`](Self::MOST_BITS).
    pub table: Option<Vec<bool>>,
}

impl Written {
    /// The most bits of a function whose values are listed.
    pub const MOST_BITS: usize = 4;
}

/// The values that each word of a program writes. Nothing is reported after a word that is too large to be followed.
#[must_use]
pub fn trace(proved: &Proved) -> Vec<Vec<Written>> {
    let (mut bdd, mut machine) = (Bdd::new(), Machine::new());
    for (input, registers) in proved.program().inputs.iter().enumerate() {
        for (bit, &register) in (0..).zip(registers) {
            if let Ok(variable) = bdd.variable(Variable { bit, y: 0, x: 0, input }) {
                machine.give(Bit::Reg(register), variable);
            }
        }
    }
    let mut written = Vec::new();
    for instruction in &proved.program().listing {
        if machine.execute(&mut bdd, *instruction).is_err() {
            break;
        }
        let targets = instruction.words().flat_map(|word| targets(&word));
        let functions = targets.filter_map(|bit| Some((bit, machine.read(bit).ok()?)));
        written.push(functions.map(|(bit, function)| of(&bdd, bit, function)).collect());
    }
    written
}

/// The registers that a word writes.
fn targets(word: &Word) -> Vec<Bit> {
    let flag = word.sets_flag_everywhere().map(|_| Bit::Flag);
    word.targets().iter().copied().map(Bit::Reg).chain(flag).collect()
}

fn of(bdd: &Bdd, bit: Bit, function: Function) -> Written {
    let variables = bdd.variables_of(function);
    let at = |axis: i32| i16::try_from(axis).unwrap_or(i16::MAX);
    let depends_on = variables.iter().map(|v| (v.input, v.bit, Displacement::new(at(v.x), at(v.y)))).collect();
    let values = || {
        let value = |row: usize| {
            let is_one = |variable: Variable| {
                let place = variables.iter().rev().position(|known| *known == variable);
                place.is_some_and(|place| row >> place & 1 == 1)
            };
            bdd.evaluate(function, is_one)
        };
        (0..1 << variables.len()).map(value).collect()
    };
    Written { bit, depends_on, table: (variables.len() <= Written::MOST_BITS).then(values) }
}
