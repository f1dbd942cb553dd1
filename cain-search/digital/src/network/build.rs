//! Builds the network of a form.

use std::collections::BTreeMap;

use cain_isa::Displacement;

use super::addends::{Addend, addends, in_order_of_counting, one_by_one};
use super::builder::{Builder, MOST_WORDS};
use super::columns::Item;
use super::functions::Functions;
use super::gates::{Network, Value};
use super::number::{Bit, Number};
use super::sequences::Sequences;
use super::shape::Shape;
use super::style::{Narrow, Style};
use super::wires::Wires;
use crate::effort::Effort;
use crate::format::Range;
use crate::prove::Bdd;
use crate::sums::{Form, Part, counts};
use crate::{Declaration, Format, Formula};

/// The most nodes of the diagrams of parts; parts with larger ones are not moved.
const MOST_NODES: usize = 200_000;

/// The words that compute a form; `None` if there are far too many. With `repeats`, moves are repeated wherever they
/// are needed again.
pub(crate) fn build(
    declaration: &Declaration,
    form: &Form,
    style: Style,
    sequences: &mut Sequences,
    functions: &mut Functions,
    effort: &mut Effort<'_>,
) -> Option<Network> {
    let pixels = form.pixels();
    effort.step(pixels.iter().map(|pixels| 1 + pixels.len() as u64).sum());
    let mut builder = Builder {
        declaration,
        form,
        pixels,
        style,
        network: Network::new(style.repeats),
        inputs: Vec::new(),
        bits: Vec::new(),
        sums: vec![None; form.len()],
        outputs: declaration.sums().map(|(output, _)| output).collect(),
        counts: counts(declaration),
        sequences,
        functions,
        bdd: Bdd::with_limit(MOST_NODES),
        ways: BTreeMap::new(),
        effort,
    };
    builder.functions.start(declaration);
    for input in &declaration.inputs {
        let bits: Vec<Value> = (0..input.format.bits()).map(|_| builder.network.input()).collect();
        builder.inputs.push(input_number(&bits, input.format));
        builder.bits.push(bits);
    }
    for sum in 0..builder.outputs.len() {
        builder.make(sum)?;
    }
    let kept = declaration.inputs.iter().zip(&builder.bits).filter(|(input, _)| input.keep);
    let mut taken: Vec<Value> = kept.flat_map(|(_, bits)| bits).copied().collect();
    for output in 0..declaration.outputs.len() {
        let bits = builder.output(output, &mut taken)?;
        builder.network.outputs.push(bits);
    }
    Some(builder.network.with_shared_outputs(builder.functions, builder.effort).pruned())
}

/// The number that the bits of an input represent.
fn input_number(bits: &[Value], format: Format) -> Number {
    let mut bits: Vec<Wires> = bits.iter().map(|&bit| Wires::yes([bit])).collect();
    let mut offset = 0;
    if format.is_signed()
        && let Some(sign) = bits.pop()
    {
        offset = 1 << bits.len();
        bits.push(sign.complement());
    }
    Number { bits: bits.into_iter().map(Bit::Wires).collect(), offset }
}

impl Builder<'_, '_> {
    /// Makes a sum and everything it needs.
    pub(super) fn make(&mut self, sum: usize) -> Option<()> {
        if self.sums[sum].is_some() {
            return Some(());
        }
        for (term, _) in self.form.terms(sum) {
            if let Part::Sum(part) = term.part {
                self.make(part)?;
            }
        }
        let number = self.add(sum)?;
        self.sums[sum] = Some(number);
        (self.network.gates.len() < MOST_WORDS).then_some(())
    }

    /// Adds the terms of a sum.
    fn add(&mut self, sum: usize) -> Option<Number> {
        let mut addends = addends(self.form, sum);
        match self.style.narrow {
            Narrow::Serial { .. } => addends = one_by_one(addends),
            Narrow::Counting { waiting } => addends = in_order_of_counting(addends, waiting),
            _ => {}
        }
        let (mut constant, mut offset) = (0_i64, 0_i64);
        for addend in &addends {
            let number = self.number(addend.part)?;
            let times = if addend.pair.is_some() { 2 } else { 1 };
            let unit = times << addend.shift;
            if addend.negative {
                constant += unit;
                offset += unit * ((1 << number.bits.len()) - number.offset);
            } else {
                offset += unit * number.offset;
            }
            let ones = number.bits.iter().enumerate().filter(|(_, bit)| **bit == Bit::Constant(!addend.negative));
            constant += ones.map(|(place, _)| unit << place).sum::<i64>();
        }
        let range = self.range(sum)?;
        let output = self.outputs.get(sum);
        let format = output.and_then(|&output| self.declaration.output_format(output).ok());
        let is_signed = format.is_some_and(Format::is_signed);
        let shape = match format {
            Some(format) => Shape::of_output(format, offset),
            None if self.style.few_ones => Shape::of_partial_sum(range, offset)?.with_few_ones(range, constant),
            None => Shape::of_partial_sum(range, offset)?,
        };
        let constant = constant + shape.added;
        let has_sign = is_signed && !shape.flips;
        let mut bits = if let Narrow::Counting { waiting } = self.style.narrow {
            let mut bits = self.count_up(&addends, constant, shape.width, waiting)?;
            for (place, bit) in (1..).zip(&mut bits) {
                self.settle(sum, bit, has_sign && place == shape.width);
            }
            bits
        } else {
            let exclusive = constant >= 0 && range.max + offset + shape.added < 1 << shape.width;
            self.add_columns(sum, &addends, constant, (shape.width, exclusive, has_sign))?
        };
        if shape.flips
            && let Some(top) = bits.last_mut()
        {
            *top = match std::mem::replace(top, Bit::Constant(false)) {
                Bit::Constant(value) => Bit::Constant(!value),
                Bit::Wires(wires) => Bit::Wires(wires.complement()),
            };
        }
        Some(Number { bits, offset: shape.offset })
    }

    /// Puts a bit of a sum, or its complement, into a register, if a word reads it as such, or if all sums are to be
    /// held in few registers.
    pub(super) fn settle(&mut self, sum: usize, bit: &mut Bit, is_sign: bool) {
        if let Bit::Wires(wires) = bit
            && (sum < self.outputs.len() || self.is_moved(sum) || self.style.narrow == Narrow::All)
        {
            if is_sign {
                wires.complement_register(&mut self.network);
            } else {
                wires.register(&mut self.network);
            }
            if self.style.narrow != Narrow::No {
                *wires = std::mem::take(wires).narrowed(&mut self.network);
            }
        }
    }

    /// Whether neighbours read the bits of a sum.
    fn is_moved(&self, sum: usize) -> bool {
        let mut terms = (0..self.form.len()).flat_map(|other| self.form.terms(other));
        terms.any(|(term, _)| term.part == Part::Sum(sum) && term.at != Displacement::ZERO)
    }

    /// The range of a sum.
    fn range(&self, sum: usize) -> Option<Range> {
        let scaled = self.pixels[sum]
            .iter()
            .map(|((input, _), weight)| self.declaration.inputs.get(*input)?.format.range().checked_scale(*weight));
        scaled.into_iter().try_fold(Range::ZERO, |range, scaled| range.checked_add(scaled?))
    }

    /// The item that an addend contributes to a column, if any.
    pub(super) fn item(&mut self, addend: &Addend, place: u32) -> Option<Item> {
        let index = place.checked_sub(addend.shift)? as usize;
        let number = self.number(addend.part)?;
        let outside = number.outside(index);
        let Bit::Wires(wires) = number.bits.get(index)?.clone() else { return None };
        let mut wires = self.moved_bit(wires, addend.at, outside);
        let item = match addend.pair {
            Some(pair) => Item::Pair(self.pair(&mut wires, pair, outside, addend.negative)),
            None if addend.negative => Item::Bit(wires.clone().complement()),
            None => Item::Bit(wires.clone()),
        };
        if addend.at == Displacement::ZERO && !self.style.repeats {
            // Other columns can use what is now known of the bit.
            self.number_mut(addend.part)?.bits[index] = Bit::Wires(wires);
        }
        Some(item)
    }

    fn number(&self, part: Part) -> Option<&Number> {
        match part {
            Part::Input(input) => self.inputs.get(input),
            Part::Sum(sum) => self.sums.get(sum)?.as_ref(),
        }
    }

    fn number_mut(&mut self, part: Part) -> Option<&mut Number> {
        match part {
            Part::Input(input) => self.inputs.get_mut(input),
            Part::Sum(sum) => self.sums.get_mut(sum)?.as_mut(),
        }
    }

    /// The bits of an output, each in a register of its own that is not in `taken`.
    fn output(&mut self, output: usize, taken: &mut Vec<Value>) -> Option<Vec<Value>> {
        let format = self.declaration.output_format(output).ok()?;
        let number = match &self.declaration.outputs[output].formula {
            Formula::Sum(_) => {
                let sum = self.outputs.iter().position(|sum| *sum == output)?;
                self.sums[sum].clone()?
            }
            Formula::Logic(logic) => {
                let wires = self.logic(&logic.simplified(), true)?;
                Number { bits: vec![Bit::Wires(wires)], offset: 0 }
            }
        };
        let mut values = Vec::new();
        for (place, bit) in (0..format.bits()).zip(number.bits) {
            let is_sign = format.is_signed() && place + 1 == format.bits();
            let value = match bit {
                Bit::Constant(bit) => self.network.any(&[], bit ^ is_sign),
                Bit::Wires(mut wires) if is_sign => wires.complement_register(&mut self.network),
                Bit::Wires(mut wires) => wires.register(&mut self.network),
            };
            let value = if taken.contains(&value) { self.network.copy(value) } else { value };
            taken.push(value);
            values.push(value);
        }
        Some(values)
    }
}
