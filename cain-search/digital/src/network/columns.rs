//! Adds up the bits of one weight.

use super::adders::{Added, Pair, add_three, add_to_pair, add_two, finish_pair, halve_pair, join};
use super::builder::Builder;
use super::gates::{Gate, Network};
use super::number::Bit;
use super::wires::Wires;

/// An item to be added.
#[derive(Clone, Debug)]
pub(super) enum Item {
    Bit(Wires),
    Pair(Pair),
}

/// The items of one weight.
#[derive(Clone, Debug, Default)]
pub(super) struct Column {
    pub(super) items: Vec<Item>,
    /// Whether a constant 1 is added.
    pub(super) one: bool,
}

/// The sum bit, and the bits carried into the next column.
pub(super) struct Reduced {
    pub(super) bit: Bit,
    pub(super) carries: Vec<Wires>,
}

/// The situation above a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Top {
    /// There is another column.
    Column,
    /// There is no further column: carries do not matter.
    Dropped,
    /// There are no carries: at most one of the bits is 1.
    Exclusive,
}

/// The most partial ways of adding a column that are looked at.
const EFFORT: u32 = 400;

impl Builder<'_, '_> {
    /// Adds up a column with the fewest words over all orders and adders.
    pub(super) fn reduce(&mut self, column: &Column, top: Top) -> Reduced {
        let (reduced, steps) = reduce(&mut self.network, column, top);
        self.effort.step(steps);
        reduced
    }
}

/// Adds up a column; also returns the number of bits that were looked at.
fn reduce(network: &mut Network, column: &Column, top: Top) -> (Reduced, u64) {
    if column.items.is_empty() {
        return (Reduced { bit: Bit::Constant(column.one), carries: Vec::new() }, 0);
    }
    if top == Top::Exclusive && !column.one {
        return (Reduced { bit: Bit::Wires(any(network, &column.items)), carries: Vec::new() }, 0);
    }
    let mut search = Search { start: network.gates.len(), network, effort: EFFORT, steps: 0, top, best: None };
    search.go(column, &[]);
    let steps = search.steps;
    let Some(best) = search.best else { return (Reduced { bit: Bit::Constant(false), carries: Vec::new() }, steps) };
    network.gates.truncate(best.start);
    network.gates.extend(best.gates);
    (Reduced { bit: Bit::Wires(best.sum), carries: best.carries }, steps)
}

/// Pairs up bits whose complements are known.
pub(super) fn join_complete(network: &mut Network, items: &mut Vec<Item>) {
    let is_complete = |item: &Item| matches!(item, Item::Bit(bit) if bit.is_complete());
    let (mut complete, mut others): (Vec<Item>, Vec<Item>) = items.drain(..).partition(is_complete);
    while complete.len() > 1 {
        if let (Some(Item::Bit(first)), Some(Item::Bit(second))) = (complete.pop(), complete.pop()) {
            others.push(Item::Pair(join(network, &first, &second)));
        }
    }
    others.append(&mut complete);
    *items = others;
}

/// The OR of bits, at most one of which is 1.
fn any(network: &mut Network, items: &[Item]) -> Wires {
    let mut wires = Vec::new();
    for item in items {
        match item {
            Item::Bit(bit) if bit.yes.is_empty() => wires.push(network.nor(&bit.no)),
            Item::Bit(bit) => wires.extend(&bit.yes),
            Item::Pair(pair) => wires.push(network.nor(&[pair.neither])),
        }
    }
    if let ([Item::Bit(bit)], true) = (items, wires.len() <= 2) {
        return bit.clone();
    }
    if wires.len() > 2 {
        wires = vec![network.any(&wires, false)];
    }
    Wires::yes(wires)
}

struct Search<'n> {
    network: &'n mut Network,
    start: usize,
    effort: u32,
    /// The number of bits that were looked at.
    steps: u64,
    top: Top,
    best: Option<Best>,
}

struct Best {
    cost: usize,
    start: usize,
    gates: Vec<Gate>,
    sum: Wires,
    carries: Vec<Wires>,
}

/// A step of adding up.
#[derive(Clone, Copy, Debug)]
enum Step {
    AddToPair(usize, usize),
    Join(usize, usize),
    AddThree(usize, usize, usize),
    HalvePair(usize),
    FinishPair(usize),
    AddTwo(usize, usize),
}

impl Search<'_> {
    fn go(&mut self, column: &Column, carries: &[Wires]) {
        if let ([Item::Bit(bit)], one) = (column.items.as_slice(), column.one) {
            let (sum, mut carries) = (bit.clone(), carries.to_vec());
            if one {
                carries.push(bit.clone());
            }
            self.finish(if one { sum.complement() } else { sum }, carries);
            return;
        }
        for step in steps(column) {
            if self.effort == 0 && self.best.is_some() {
                return;
            }
            self.effort = self.effort.saturating_sub(1);
            self.steps += 8 * column.items.len() as u64;
            let mark = self.network.gates.len();
            self.take(step, column, carries);
            self.network.gates.truncate(mark);
        }
    }

    fn take(&mut self, step: Step, column: &Column, carries: &[Wires]) {
        let bit = |i: usize| match &column.items[i] {
            Item::Bit(wires) => wires.clone(),
            Item::Pair(_) => Wires::default(),
        };
        let pair = |i: usize| match &column.items[i] {
            Item::Pair(pair) => Some(pair.clone()),
            Item::Bit(_) => None,
        };
        let without = |used: &[usize]| {
            let rest = column.items.iter().enumerate().filter(|(i, _)| !used.contains(i));
            rest.map(|(_, item)| item.clone()).collect::<Vec<_>>()
        };
        let network = &mut *self.network;
        let (used, added, one) = match step {
            Step::Join(i, j) => {
                let mut items = without(&[i, j]);
                items.push(Item::Pair(join(network, &bit(i), &bit(j))));
                return self.go(&Column { items, one: column.one }, carries);
            }
            Step::AddToPair(i, j) => {
                let Some(pair) = pair(i) else { return };
                (vec![i, j], add_to_pair(network, &pair, &bit(j)), column.one)
            }
            Step::AddThree(i, j, k) => (vec![i, j, k], add_three(network, [&bit(i), &bit(j), &bit(k)]), column.one),
            Step::HalvePair(i) => {
                let Some(pair) = pair(i) else { return };
                (vec![i], halve_pair(&pair), column.one)
            }
            Step::FinishPair(i) => {
                let Some(pair) = pair(i) else { return };
                (vec![i], finish_pair(network, &pair, column.one), false)
            }
            Step::AddTwo(i, j) => (vec![i, j], add_two(network, &bit(i), &bit(j), column.one), false),
        };
        let Added { sum, carry } = added;
        let mut items = without(&used);
        items.push(Item::Bit(sum));
        let carries = [carries, &[carry]].concat();
        self.go(&Column { items, one }, &carries);
    }

    fn finish(&mut self, sum: Wires, carries: Vec<Wires>) {
        let words = self.network.gates.len() - self.start;
        let incomplete = carries.iter().filter(|carry| !carry.is_complete()).count();
        let unfinished = usize::from(sum.yes.len() != 1);
        let incomplete = if self.top == Top::Column { incomplete } else { 0 };
        let cost = 2 * words + incomplete + 2 * unfinished;
        if self.best.as_ref().is_none_or(|best| cost < best.cost) {
            let gates = self.network.gates[self.start..].to_vec();
            self.best = Some(Best { cost, start: self.start, gates, sum, carries });
        }
    }
}

/// The possible steps for a column with more than one item, the most promising first.
fn steps(column: &Column) -> Vec<Step> {
    let is_pair = |i: &usize| matches!(column.items[*i], Item::Pair(_));
    let (pairs, bits): (Vec<usize>, Vec<usize>) = (0..column.items.len()).partition(is_pair);
    let complete = |i: usize| matches!(&column.items[i], Item::Bit(wires) if wires.is_complete());
    let mut steps = Vec::new();
    let known: Vec<usize> = bits.iter().copied().filter(|&bit| complete(bit)).collect();
    steps.extend(couples(&known).map(|(i, j)| Step::Join(i, j)));
    steps.extend(pairs.iter().flat_map(|&i| bits.iter().map(move |&j| Step::AddToPair(i, j))));
    match (pairs.as_slice(), bits.as_slice()) {
        ([pair], []) => steps.push(Step::FinishPair(*pair)),
        ([], [i, j]) => {
            steps.push(Step::Join(*i, *j));
            steps.push(Step::AddTwo(*i, *j));
        }
        _ => steps.extend(pairs.iter().map(|&pair| Step::HalvePair(pair))),
    }
    if let [i, j, k, ..] = *bits.as_slice() {
        let triples = couples(&bits).flat_map(|(i, j)| bits.iter().filter(move |&&k| k > j).map(move |&k| (i, j, k)));
        let rotated = triples.flat_map(|(i, j, k)| [(k, i, j), (i, j, k), (j, i, k)]);
        if bits.len() <= MOST_PERMUTED {
            steps.extend(rotated.map(|(i, j, k)| Step::AddThree(i, j, k)));
            let half = couples(&bits).filter(|&(i, j)| complete(i) != complete(j));
            steps.extend(half.map(|(i, j)| Step::Join(i, j)));
        } else {
            steps.push(Step::AddThree(k, i, j));
        }
    }
    steps
}

/// All pairs of different items, in order.
fn couples(items: &[usize]) -> impl Iterator<Item = (usize, usize)> {
    items.iter().enumerate().flat_map(|(n, &i)| items[n + 1..].iter().map(move |&j| (i, j)))
}

/// The most bits for which all triples are tried.
const MOST_PERMUTED: usize = 5;
