//! The network of a form.

use cain_isa::{Direction, Directions, Displacement};

use super::adders::Pair;
use super::columns::{Column, Item, Reduced, Top, join_complete, reduce};
use super::gates::{Network, Value};
use super::number::{Bit, Number};
use super::wires::Wires;
use crate::digital::format::Range;
use crate::digital::sums::{Form, Part};
use crate::digital::{Declaration, Format};

/// The most words of a network.
const MOST_WORDS: usize = 4096;

/// The words that compute a form; none if there are far too many. With `repeats`, moves are made again where they are needed
/// again.
pub(in crate::digital) fn build(declaration: &Declaration, form: &Form, repeats: bool) -> Option<Network> {
    let mut builder =
        Builder { declaration, form, repeats, network: Network::new(repeats), inputs: Vec::new(), sums: Vec::new() };
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
    repeats: bool,
    network: Network,
    inputs: Vec<Number>,
    sums: Vec<Option<Number>>,
}

/// A part that is added: a moved number, or two of them.
struct Addend {
    part: Part,
    at: Displacement,
    /// Where from `at` the two are read, if there are two.
    pair: Option<[Direction; 2]>,
    shift: u32,
    negative: bool,
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
        let addends = self.addends(sum);
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
            // Before anything is moved, so that fewer bits have to be held meanwhile.
            join_complete(&mut self.network, &mut column.items);
            for addend in &addends {
                column.items.extend(self.item(addend, place));
            }
            let top = match (place + 1 == shape.width, exclusive) {
                (false, _) => Top::Column,
                (true, false) => Top::Dropped,
                (true, true) => Top::Exclusive,
            };
            let Reduced { mut bit, carries } = reduce(&mut self.network, &column, top);
            if let Bit::Wires(wires) = &mut bit
                && in_registers
            {
                let is_sign = is_signed && place + 1 == shape.width;
                if is_sign && !shape.flips {
                    wires.complement_register(&mut self.network);
                } else {
                    wires.register(&mut self.network);
                }
            }
            bits.push(bit);
            if let Some(next) = columns.get_mut(place as usize + 1) {
                next.items.extend(carries.into_iter().map(Item::Bit));
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

    /// The terms of a sum by powers of two, those from two neighbours in pairs.
    fn addends(&self, sum: usize) -> Vec<Addend> {
        let mut single: Vec<Addend> = Vec::new();
        for (term, weight) in self.form.terms(sum) {
            for (shift, negative) in digits(weight) {
                single.push(Addend { part: term.part, at: term.at, pair: None, shift, negative });
            }
        }
        let mut addends = Vec::new();
        while let Some(first) = single.pop() {
            let partner = single.iter().enumerate().find_map(|(i, other)| {
                let same = (other.part, other.shift, other.negative) == (first.part, first.shift, first.negative);
                let (base, pair) = neighbours(first.at, other.at).filter(|_| same)?;
                Some((i, base, pair))
            });
            addends.push(match partner {
                Some((i, base, pair)) => {
                    single.remove(i);
                    Addend { at: base, pair: Some(pair), ..first }
                }
                None => first,
            });
        }
        // Pairs first: they make complements that the others can use.
        addends.sort_by_key(|addend| (addend.pair.is_none(), addend.shift, addend.part, addend.at));
        addends
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
        if addend.at == Displacement::ZERO && !self.repeats {
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

/// How many columns a sum has and what its bits mean.
struct Shape {
    width: u32,
    /// A constant that is added.
    added: i64,
    /// Whether the top bit is complemented.
    flips: bool,
    /// The offset of the number then.
    offset: i64,
}

impl Shape {
    /// Outputs are as wide as their format, and their offset is that of the format.
    fn of_output(format: Format, offset: i64) -> Self {
        let width = format.bits();
        let (all, half) = (1_i64 << width, 1_i64 << (width - 1));
        let wanted = if format.is_signed() { half } else { 0 };
        let straight = (wanted - offset).rem_euclid(all);
        let flipped = (wanted + half - offset).rem_euclid(all);
        let flips = flipped.count_ones() < straight.count_ones();
        Self { width, added: if flips { flipped } else { straight }, flips, offset: wanted }
    }

    /// Partial sums are as narrow as their range allows with the offset that they have anyway.
    fn of_partial_sum(range: Range, offset: i64) -> Option<Self> {
        (1..=i64::BITS - 2).find_map(|width| {
            let all = 1_i64 << width;
            let nearest = -range.min + (offset + range.min).rem_euclid(all);
            (nearest + range.max < all).then_some(Self { width, added: 0, flips: false, offset: nearest })
        })
    }
}

/// A whole number as a sum of positive and negative powers of two, as few as possible.
fn digits(weight: i64) -> Vec<(u32, bool)> {
    let negative = weight < 0;
    let magnitude = weight.unsigned_abs();
    // The non-adjacent form is 3w xor w; where it is not shorter, plain bits are cheaper.
    let (triple, plain) = (u128::from(magnitude) * 3, u128::from(magnitude));
    let (plus, minus) = ((triple & !plain) >> 1, (plain & !triple) >> 1);
    let places = |bits: u128| (0..u64::BITS + 2).filter(move |place| bits >> place & 1 == 1);
    if plus.count_ones() + minus.count_ones() < plain.count_ones() {
        let minus = places(minus).map(|place| (place, !negative));
        places(plus).map(|place| (place, negative)).chain(minus).collect()
    } else {
        places(plain).map(|place| (place, negative)).collect()
    }
}

/// The PE between two that are its neighbours, and the directions to them.
///
/// What is moved must not come back: a plane that was moved along an axis has lost its border.
fn neighbours(first: Displacement, second: Displacement) -> Option<(Displacement, [Direction; 2])> {
    use Direction::{East, North, South, West};
    let sum = (first.x + second.x, first.y + second.y);
    let middle = Displacement::new(sum.0 / 2, sum.1 / 2);
    match ((first.x - second.x).abs(), (first.y - second.y).abs()) {
        (2, 0) if middle.x == 0 => Some((middle, [East, West])),
        (0, 2) if middle.y == 0 => Some((middle, [North, South])),
        (1, 1) => {
            let is_unit = |at: Displacement| at.x.abs() + at.y.abs() == 1;
            let direction = |at: Displacement| Direction::ALL.into_iter().find(|d| d.displacement() == at);
            let pair = [direction(first)?, direction(second)?];
            (is_unit(first) && is_unit(second)).then_some((Displacement::ZERO, pair))
        }
        _ => None,
    }
}
