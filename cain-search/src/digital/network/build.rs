//! The network of a form.

use cain_isa::{Direction, Directions, Displacement};

use super::addends::{Addend, addends};
use super::adders::Pair;
use super::columns::{Column, Item, Reduced, Top, join_complete, reduce};
use super::gates::{Network, Value};
use super::number::{Bit, Number};
use super::shape::Shape;
use super::style::{Narrow, Style};
use super::wires::Wires;
use crate::digital::format::Range;
use crate::digital::sums::{Form, Part};
use crate::digital::{Declaration, Format};

/// The most words of a network.
const MOST_WORDS: usize = 4096;

/// The words that compute a form; none if there are far too many. With `repeats`, moves are made again where they are needed
/// again.
pub(in crate::digital) fn build(declaration: &Declaration, form: &Form, style: Style) -> Option<Network> {
    let mut builder = Builder {
        declaration,
        form,
        style,
        network: Network::new(style.repeats),
        inputs: Vec::new(),
        sums: Vec::new(),
    };
    builder.sums = vec![None; form.len()];
    for input in &declaration.inputs {
        let number = input_number(&mut builder.network, input.format);
        builder.inputs.push(number);
    }
    for output in 0..declaration.outputs.len() {
        builder.make(output)?;
    }
    let kept = declaration.inputs.iter().zip(&builder.inputs).filter(|(input, _)| input.keep);
    let mut taken: Vec<Value> = kept.flat_map(|(_, number)| number.bits.iter().filter_map(register_of)).collect();
    for output in 0..declaration.outputs.len() {
        let bits = builder.output(output, &mut taken)?;
        builder.network.outputs.push(bits);
    }
    Some(builder.network.pruned())
}

/// The bits of an input, which are the first values of the network.
fn input_number(network: &mut Network, format: Format) -> Number {
    let mut bits: Vec<Wires> = (0..format.bits()).map(|_| Wires::yes([network.input()])).collect();
    let mut offset = 0;
    if format.is_signed()
        && let Some(sign) = bits.pop()
    {
        offset = 1 << bits.len();
        bits.push(sign.complement());
    }
    Number { bits: bits.into_iter().map(Bit::Wires).collect(), offset }
}

fn register_of(bit: &Bit) -> Option<Value> {
    match bit {
        Bit::Wires(wires) => wires.yes.first().or(wires.no.first()).copied(),
        Bit::Constant(_) => None,
    }
}

struct Builder<'d> {
    declaration: &'d Declaration,
    form: &'d Form,
    style: Style,
    network: Network,
    inputs: Vec<Number>,
    sums: Vec<Option<Number>>,
}

impl Builder<'_> {
    /// Makes a sum and all that it needs.
    fn make(&mut self, sum: usize) -> Option<()> {
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
        let addends = addends(self.form, sum);
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
        let format = if sum < self.declaration.outputs.len() { self.declaration.output_format(sum).ok() } else { None };
        let is_signed = format.is_some_and(Format::is_signed);
        let shape = match format {
            Some(format) => Shape::of_output(format, offset),
            None => Shape::of_partial_sum(range, offset)?,
        };
        let constant = constant + shape.added;
        let in_registers = sum < self.declaration.outputs.len() || self.is_moved(sum);
        let mut columns: Vec<Column> = vec![Column::default(); shape.width as usize];
        let mut bits = Vec::new();
        let exclusive = range.max + offset + shape.added < 1 << shape.width;
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
            Narrow::Outputs => sum < self.declaration.outputs.len(),
            Narrow::All => true,
        }
    }

    /// Puts what addends add to a column there.
    fn collect<'a>(&mut self, column: &mut Column, addends: impl Iterator<Item = &'a Addend>, place: u32) {
        for addend in addends {
            column.items.extend(self.item(addend, place));
        }
    }

    /// The same in two steps: what need not be moved is added up to one bit before; the carries of that.
    fn collect_narrow(&mut self, column: &mut Column, addends: &[Addend], place: u32) -> Vec<Wires> {
        let (near, far): (Vec<&Addend>, Vec<&Addend>) =
            addends.iter().partition(|addend| addend.pair.is_none() && addend.at == Displacement::ZERO);
        self.collect(column, near.into_iter(), place);
        join_complete(&mut self.network, &mut column.items);
        let mut carried = Vec::new();
        if !matches!(column.items.as_slice(), [] | [Item::Bit(_)]) {
            let Reduced { bit, carries } = reduce(&mut self.network, column, Top::Column);
            *column = Column::default();
            if let Bit::Wires(wires) = bit {
                column.items.push(Item::Bit(wires.narrowed(&mut self.network)));
            }
            carried.extend(carries.into_iter().map(|carry| carry.narrowed(&mut self.network)));
        }
        self.collect(column, far.into_iter(), place);
        carried
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
        let mut wires = self.moved(wires, addend.at, outside);
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

    /// A bit as it is seen at a displacement.
    fn moved(&mut self, mut wires: Wires, to: Displacement, outside: bool) -> Wires {
        let steps = |from: Direction, count: i16| (0..count).map(move |_| from);
        let north = steps(Direction::North, to.y).chain(steps(Direction::South, -to.y));
        for from in north.chain(steps(Direction::East, to.x)).chain(steps(Direction::West, -to.x)) {
            let from = Directions::new(&[from]);
            wires = if wires.yes.len() != 1 && wires.no.len() == 1 {
                Wires::no([self.network.neighbours(wires.no[0], from, !outside)])
            } else {
                let register = wires.register(&mut self.network);
                Wires::yes([self.network.neighbours(register, from, outside)])
            };
        }
        wires
    }

    /// The bits of two neighbours: their OR, and the OR of their complements, with the directions set up once.
    fn pair(&mut self, wires: &mut Wires, from: [Direction; 2], outside: bool, negative: bool) -> Pair {
        let from = Directions::new(&from);
        let network = &mut self.network;
        let complement = wires.complement_register(network);
        let not_both = network.neighbours(complement, from, !outside);
        let both = network.nor(&[not_both]);
        let register = wires.register(network);
        let some = network.neighbours(register, from, outside);
        let neither = network.nor(&[some]);
        if negative {
            Pair { neither: both, both: neither, not_both: Some(some) }
        } else {
            Pair { neither, both, not_both: Some(not_both) }
        }
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
        let number = self.sums[output].clone()?;
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
