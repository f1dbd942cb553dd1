//! Sets of values, and the instructions that could make each of them from the others.

use std::sync::Arc;

use super::held::{Held, Place, Table};
use super::set::{MOST_NODES, Set};
use super::steps::{Known, Needs, Steps, Way};
use crate::engine::image::Image;
use crate::engine::terms::Term;
use crate::sort;

/// A value with its image.
#[derive(Debug)]
pub(crate) struct Value {
    pub(crate) image: Image,
    pub(crate) terms: Vec<Term>,
}

impl Value {
    pub(crate) fn new(terms: Vec<Term>) -> Arc<Self> {
        Arc::new(Self { image: Image::of(&terms), terms })
    }
}

/// The values made by one instruction.
#[derive(Clone)]
pub(crate) struct Node {
    /// One value, a half and its negative, or the same value in NEWS and in a register.
    pub(crate) values: Vec<(Arc<Value>, Place)>,
    held: Vec<Held>,
    /// Whether it exists before the first instruction.
    pub(crate) is_given: bool,
    /// Whether it is still needed after the last instruction.
    pub(crate) is_wanted: bool,
    /// The node whose register it has to be in at the end.
    pub(super) displaced: Option<usize>,
    /// The sets of nodes that it can be made from; none of them contains another.
    ways: Vec<Needs>,
}

impl Node {
    pub(crate) fn new(values: Vec<(Arc<Value>, Place)>, is_given: bool, is_wanted: bool) -> Self {
        let held = values.iter().map(|(value, place)| Held { image: value.image, place: *place }).collect();
        Self { values, held, is_given, is_wanted, displaced: None, ways: Vec::new() }
    }

    /// The number of its values that are in registers.
    pub(super) fn registers(&self) -> usize {
        self.held.iter().filter(|held| held.place == Place::Register).count()
    }

    pub(super) fn held(&self) -> &[Held] {
        &self.held
    }

    /// Whether another node may replace it.
    pub(crate) fn is_free(&self) -> bool {
        !self.is_given && !self.is_wanted
    }

    pub(super) fn ways(&self) -> &[Needs] {
        &self.ways
    }

    /// Whether it can be made from these nodes.
    fn can_be_made(&self, reached: Set) -> bool {
        self.ways.iter().any(|way| way.nodes() & !reached == 0)
    }

    /// Adds ways, except those that contain another one.
    fn add_ways(&mut self, new: impl IntoIterator<Item = Needs>) {
        let mut all = std::mem::take(&mut self.ways);
        all.extend(new);
        // Registers come before NEWS, which holds only one value at a time.
        sort::by_key(&mut all, |way| (way.nodes().count_ones(), way.news.count_ones(), way.cells, *way));
        for way in all {
            match self.ways.iter_mut().find(|smaller| smaller.nodes() & way.nodes() == smaller.nodes()) {
                Some(same) if same.is_like(&way) => same.overwritten |= way.overwritten,
                Some(_) => {}
                None => self.ways.push(way),
            }
        }
    }
}

/// The values of a program as nodes, with the ways to make them.
#[derive(Clone)]
pub(crate) struct Graph<'a> {
    pub(super) steps: &'a dyn Steps,
    /// Values that are available all the time.
    pub(super) fixed: Arc<[Arc<Value>]>,
    pub(crate) nodes: Vec<Node>,
}

impl<'a> Graph<'a> {
    /// The graph of these nodes; `None` if there are too many, or if one of them cannot be made.
    pub(crate) fn new(steps: &'a dyn Steps, fixed: Arc<[Arc<Value>]>, nodes: Vec<Node>) -> Option<Self> {
        // One more node is needed while a new value stands beside the one that it replaces.
        if nodes.len() >= MOST_NODES {
            return None;
        }
        let mut graph = Self { steps, fixed, nodes };
        let known = graph.known(graph.all());
        let ways: Vec<Vec<Needs>> = (0..graph.nodes.len()).map(|node| graph.ways_to(node, &*known)).collect();
        for (node, ways) in graph.nodes.iter_mut().zip(ways) {
            node.add_ways(ways);
        }
        graph.is_complete().then_some(graph)
    }

    pub(crate) fn all(&self) -> Set {
        first(self.nodes.len())
    }

    pub(crate) fn given(&self) -> Set {
        self.set(|node| node.is_given)
    }

    pub(crate) fn set(&self, is_in: impl Fn(&Node) -> bool) -> Set {
        self.nodes.iter().enumerate().filter(|(_, node)| is_in(node)).fold(0, |set, (i, _)| set | 1 << i)
    }

    /// The number of instructions of the program.
    pub(crate) fn length(&self) -> usize {
        self.nodes.iter().filter(|node| !node.is_given).count()
    }

    /// The fixed values and the values of these nodes.
    pub(crate) fn known(&self, nodes: Set) -> Box<dyn Known + 'a> {
        self.steps.known(self.table(nodes))
    }

    /// A table of the fixed values and the values of these nodes.
    pub(crate) fn table(&self, nodes: Set) -> Table {
        let fixed = self.fixed.iter().map(|value| (Held::in_register(value.image), 0));
        let of_nodes = members(nodes).flat_map(|i| self.nodes[i].held.iter().map(move |&held| (held, 1 << i)));
        Table::new(fixed.chain(of_nodes))
    }

    fn ways_to(&self, node: usize, known: &dyn Known) -> Vec<Needs> {
        if self.nodes[node].is_given {
            return Vec::new();
        }
        needs_of(node, known, |found| known.ways_to(&self.nodes[node].held, found))
    }

    /// Everything that can be made from some nodes without using certain others.
    pub(super) fn reached(&self, from: Set, without: Set) -> Set {
        self.make(from, without, |_, _| {})
    }

    /// Makes everything that can be made from some nodes without using certain others, and returns it with those.
    /// `made` is told each node that is made, and what was there before it.
    fn make(&self, from: Set, without: Set, mut made: impl FnMut(usize, Set)) -> Set {
        let mut reached = from;
        loop {
            let before = reached;
            for i in members(self.all() & !reached & !without) {
                if self.nodes[i].can_be_made(reached) {
                    made(i, reached);
                    reached |= 1 << i;
                }
            }
            if reached == before {
                return reached;
            }
        }
    }

    pub(super) fn is_complete(&self) -> bool {
        self.reached(self.given(), 0) == self.all()
    }

    /// The nodes that can be left out, so that all others can still be made.
    pub(super) fn superfluous(&self) -> Vec<usize> {
        // A node that is part of every way to another one cannot be left out.
        let in_all = |node: &Node| node.ways.iter().fold(Set::MAX, |set, way| set & way.nodes());
        let made = self.nodes.iter().filter(|node| !node.is_given);
        let needed = made.fold(0, |set, node| set | in_all(node));
        // What was made before a node can be made without it.
        let mut before = vec![self.given(); self.nodes.len()];
        self.make(self.given(), 0, |node, reached| before[node] = reached);
        let without = |&node: &usize| self.reached(before[node], 1 << node) == self.all() & !(1 << node);
        members(self.all() & !needed).filter(|&node| self.nodes[node].is_free()).filter(without).collect()
    }

    pub(super) fn remove(&mut self, node: usize) {
        self.nodes.remove(node);
        let below = first(node);
        for other in &mut self.nodes {
            other.ways.retain(|way| way.nodes() >> node & 1 == 0);
            for set in other.ways.iter_mut().flat_map(Needs::sets) {
                *set = (*set & below) | (*set >> 1 & !below);
            }
        }
    }

    /// Whether all `missing` nodes can be made, given the `reached` ones and the known value with this number.
    pub(super) fn helps(&self, known: &dyn Known, number: usize, (reached, missing): (Set, Set)) -> bool {
        let (mut reached, mut missing) = (reached, missing);
        while missing != 0 {
            let before = missing;
            for node in members(missing) {
                let is_made = self.nodes[node].can_be_made(reached) || self.has_way_with(node, known, number, reached);
                if is_made {
                    reached |= 1 << node;
                    missing &= !(1 << node);
                }
            }
            if missing == before {
                return false;
            }
        }
        true
    }

    /// Whether one instruction makes a node from this known value and nodes that were reached.
    fn has_way_with(&self, node: usize, known: &dyn Known, number: usize, reached: Set) -> bool {
        let mut has = false;
        known.ways_with(number, &self.nodes[node].held, &mut |way| has |= known.needs(&way).nodes() & !reached == 0);
        has
    }

    /// Adds a value whose terms are worked out later.
    pub(super) fn insert(&mut self, held: Held) {
        let value = Arc::new(Value { image: held.image, terms: Vec::new() });
        let new = self.nodes.len();
        self.nodes.push(Node::new(vec![(value, held.place)], false, false));
        let known = self.known(self.all());
        let ways = needs_of(new, &*known, |found| known.some_ways_to(&[held], found));
        self.nodes[new].add_ways(ways);
        let Some(number) = known.table().find(held) else { return };
        for node in (0..new).filter(|&node| !self.nodes[node].is_given).collect::<Vec<_>>() {
            let ways = needs_of(node, &*known, |found| known.ways_with(number, &self.nodes[node].held, found));
            if !ways.is_empty() {
                self.nodes[node].add_ways(ways);
            }
        }
    }
}

/// The needs of the ways found to a node, except those that need the node itself.
fn needs_of(node: usize, known: &dyn Known, find: impl FnOnce(&mut dyn FnMut(Way))) -> Vec<Needs> {
    let mut ways = Vec::new();
    find(&mut |way| ways.push(known.needs(&way)));
    ways.retain(|way: &Needs| way.nodes() >> node & 1 == 0);
    ways
}

/// The numbers in a set, in ascending order.
pub(super) fn members(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let next = usize::try_from(set.trailing_zeros()).ok().filter(|_| set != 0)?;
        set &= set - 1;
        Some(next)
    })
}

/// The set of the first `count` numbers.
fn first(count: usize) -> Set {
    if count >= MOST_NODES { Set::MAX } else { (1 << count) - 1 }
}
