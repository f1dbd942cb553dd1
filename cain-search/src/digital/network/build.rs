//! The network of a form.

use cain_isa::Displacement;

use super::addends::{Addend, addends, one_by_one};
use super::columns::{Column, Item, Reduced, Top, join_complete, reduce};
use super::functions::Functions;
use super::gates::{Network, Value};
use super::number::{Bit, Number};
use super::sequences::Sequences;
use super::shape::Shape;
use super::style::{Narrow, Style};
use super::wires::Wires;
use crate::digital::format::Range;
use crate::digital::prove::Bdd;
use crate::digital::sums::{Form, Part, Sum, counts};
use crate::digital::{Declaration, Format, Formula};

/// The most words of a network.
const MOST_WORDS: usize = 4096;

/// The words that compute a form; none if there are far too many. With `repeats`, moves are made again where they are needed
/// again.
pub(in crate::digital) fn build(
    declaration: &Declaration,
    form: &Form,
    style: Style,
    sequences: &mut Sequences,
    functions: &mut Functions,
) -> Option<Network> {
    let mut builder = Builder {
        declaration,
        form,
        style,
        network: Network::new(style.repeats),
        inputs: Vec::new(),
        bits: Vec::new(),
        sums: vec![None; form.len()],
        outputs: declaration.sums().map(|(output, _)| output).collect(),
        counts: counts(declaration),
        sequences,
        functions,
        bdd: Bdd::new(),
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
    Some(builder.network.with_shared_outputs(builder.functions).pruned())
}

/// An input by its bits.
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

pub(super) struct Builder<'d> {
    pub(super) declaration: &'d Declaration,
    form: &'d Form,
    style: Style,
    pub(super) network: Network,
    inputs: Vec<Number>,
    /// The registers of the bits of each input.
    pub(super) bits: Vec<Vec<Value>>,
    pub(super) sums: Vec<Option<Number>>,
    /// The outputs that are sums.
    outputs: Vec<usize>,
    /// What Boolean functions count; these sums follow those of outputs.
    pub(super) counts: Vec<Sum>,
    pub(super) sequences: &'d mut Sequences,
    pub(super) functions: &'d mut Functions,
    pub(super) bdd: Bdd,
}

/// What was built at some time.
#[derive(Clone)]
pub(super) struct Mark {
    network: Network,
    inputs: Vec<Number>,
    sums: Vec<Option<Number>>,
}

impl Mark {
    /// The number of gates.
    pub(super) fn gates(&self) -> usize {
        self.network.gates.len()
    }

    /// The number of different sets of neighbours that moves read.
    pub(super) fn turns(&self) -> usize {
        self.network.turns()
    }
}

impl Builder<'_> {
    /// What there is now.
    pub(super) fn mark(&self) -> Mark {
        Mark { network: self.network.clone(), inputs: self.inputs.clone(), sums: self.sums.clone() }
    }

    /// Takes back, or makes again, what was built since or before.
    pub(super) fn return_to(&mut self, mark: Mark) {
        let Mark { network, inputs, sums } = mark;
        (self.network, self.inputs, self.sums) = (network, inputs, sums);
        self.functions.forget_gates();
    }

    /// Makes a sum and all that it needs.
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

    /// Adds the terms of a sum, column by column.
    fn add(&mut self, sum: usize) -> Option<Number> {
        let mut addends = addends(self.form, sum);
        if matches!(self.style.narrow, Narrow::Serial { .. }) {
            addends = one_by_one(addends);
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
        let in_registers = sum < self.outputs.len() || self.is_moved(sum);
        let mut columns: Vec<Column> = vec![Column::default(); shape.width as usize];
        let mut bits = Vec::new();
        let exclusive = constant >= 0 && range.max + offset + shape.added < 1 << shape.width;
        for place in 0..shape.width {
            let mut column = std::mem::take(&mut columns[place as usize]);
            column.one = constant >> place & 1 == 1;
            let top = match (place + 1 == shape.width, exclusive) {
                (false, _) => Top::Column,
                (true, false) => Top::Dropped,
                (true, true) => Top::Exclusive,
            };
            let mut carried = if top == Top::Column && self.is_narrow(sum) {
                self.collect_narrow(&mut column, &addends, place)
            } else {
                // Before anything is moved, so that fewer bits have to be held meanwhile.
                join_complete(&mut self.network, &mut column.items);
                self.collect(&mut column, addends.iter(), place);
                Vec::new()
            };
            let Reduced { mut bit, carries } = reduce(&mut self.network, &column, top);
            carried.extend(carries);
            if top == Top::Column {
                carried = self.exclusive_joined(carried, self.is_narrow(sum));
            }
            if let Bit::Wires(wires) = &mut bit
                && in_registers
            {
                let is_sign = is_signed && place + 1 == shape.width;
                if is_sign && !shape.flips {
                    wires.complement_register(&mut self.network);
                } else {
                    wires.register(&mut self.network);
                }
                if self.style.narrow != Narrow::No {
                    *wires = std::mem::take(wires).narrowed(&mut self.network);
                }
            }
            bits.push(bit);
            if let Some(next) = columns.get_mut(place as usize + 1) {
                next.items.extend(carried.into_iter().map(Item::Bit));
            }
            if self.network.gates.len() > MOST_WORDS {
                return None;
            }
        }
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

    /// Whether a sum is held in few registers while it is made.
    fn is_narrow(&self, sum: usize) -> bool {
        match self.style.narrow {
            Narrow::No => false,
            Narrow::Outputs => sum < self.outputs.len(),
            Narrow::All | Narrow::Serial { .. } => true,
        }
    }

    /// Puts what addends add to a column there.
    fn collect<'a>(&mut self, column: &mut Column, addends: impl Iterator<Item = &'a Addend>, place: u32) {
        for addend in addends {
            column.items.extend(self.item(addend, place));
        }
    }

    /// The same in steps: what need not be moved is added up to one bit before; the carries of that.
    fn collect_narrow(&mut self, column: &mut Column, addends: &[Addend], place: u32) -> Vec<Wires> {
        let (near, far): (Vec<&Addend>, Vec<&Addend>) =
            addends.iter().partition(|addend| addend.pair.is_none() && addend.at == Displacement::ZERO);
        self.collect(column, near.into_iter(), place);
        let mut carried = Vec::new();
        let Narrow::Serial { most } = self.style.narrow else {
            join_complete(&mut self.network, &mut column.items);
            self.add_up(column, 1, &mut carried);
            self.collect(column, far.into_iter(), place);
            return carried;
        };
        // A constant comes last, as carries that it makes are then as late as possible.
        let one = std::mem::take(&mut column.one);
        self.add_up(column, 2, &mut carried);
        for (rest, addend) in (0..far.len()).rev().zip(far) {
            let before = column.items.len();
            self.collect(column, std::iter::once(addend), place);
            if rest > 0 && column.items.len() > before {
                self.add_up(column, most, &mut carried);
            }
        }
        column.one = one;
        carried
    }

    /// Adds a column up to one bit if it has more than so many, or a pair.
    fn add_up(&mut self, column: &mut Column, most: usize, carried: &mut Vec<Wires>) {
        let has_pair = column.items.iter().any(|item| matches!(item, Item::Pair(_)));
        if column.items.len() <= most && !has_pair {
            return;
        }
        let Reduced { bit, carries } = reduce(&mut self.network, column, Top::Column);
        *column = Column::default();
        if let Bit::Wires(wires) = bit {
            column.items.push(Item::Bit(wires.narrowed(&mut self.network)));
        }
        carried.extend(carries.into_iter().map(|carry| carry.narrowed(&mut self.network)));
        *carried = self.exclusive_joined(std::mem::take(carried), true);
    }

    /// Whether the bits of a sum are read by neighbours.
    fn is_moved(&self, sum: usize) -> bool {
        let mut terms = (0..self.form.len()).flat_map(|other| self.form.terms(other));
        terms.any(|(term, _)| term.part == Part::Sum(sum) && term.at != Displacement::ZERO)
    }

    /// The values that a sum can take.
    fn range(&self, sum: usize) -> Option<Range> {
        let pixels = self.form.pixels(sum);
        let scaled = pixels
            .iter()
            .map(|((input, _), weight)| self.declaration.inputs.get(*input)?.format.range().checked_scale(*weight));
        scaled.into_iter().try_fold(Range::ZERO, |range, scaled| range.checked_add(scaled?))
    }

    /// What an addend adds to a column, if anything.
    fn item(&mut self, addend: &Addend, place: u32) -> Option<Item> {
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
            // What is known of the bit now is of use in other columns.
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

    /// The bits of an output, each in a register of its own that none of the `taken` ones has.
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
