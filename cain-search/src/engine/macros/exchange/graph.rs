//! Sets of values, and which instructions could make each of them from the others.

use std::sync::Arc;

use super::known::{Known, Steps};
use super::{MOST_NODES, Set};
use crate::engine::field::Image;
use crate::engine::terms::Term;

/// A value with its image.
#[derive(Debug)]
pub(super) struct Value {
    pub(super) image: Image,
    pub(super) terms: Vec<Term>,
}

impl Value {
    pub(super) fn new(terms: Vec<Term>) -> Arc<Self> {
        Arc::new(Self { image: Image::of(&terms), terms })
    }
}

/// How one instruction can make a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Needs {
    pub(super) nodes: Set,
    /// Those of them in whose registers the result may be.
    pub(super) overwritten: Set,
}

/// What one instruction makes.
#[derive(Clone)]
pub(super) struct Node {
    /// One value, or a half and its negative.
    pub(super) values: Vec<Arc<Value>>,
    /// Whether it is there before the first instruction.
    pub(super) is_given: bool,
    /// Whether it is needed after the last one.
    pub(super) is_wanted: bool,
    /// The node in whose register it has to be, at the end.
    pub(super) displaced: Option<usize>,
    /// From what it can be made; none of these sets contains another one.
    ways: Vec<Needs>,
}

impl Node {
    pub(super) fn new(values: Vec<Arc<Value>>, is_given: bool, is_wanted: bool) -> Self {
        Self { values, is_given, is_wanted, displaced: None, ways: Vec::new() }
    }

    /// Whether another one may take its place.
    pub(super) fn is_free(&self) -> bool {
        !self.is_given && !self.is_wanted
    }

    pub(super) fn ways(&self) -> &[Needs] {
        &self.ways
    }

    /// Whether it can be made from some nodes.
    fn can_be_made(&self, reached: Set) -> bool {
        self.ways.iter().any(|way| way.nodes & !reached == 0)
    }

    /// Adds ways, without those that contain another one.
    fn add_ways(&mut self, new: impl IntoIterator<Item = Needs>) {
        let mut all = std::mem::take(&mut self.ways);
        all.extend(new);
        all.sort_unstable_by_key(|way| (way.nodes.count_ones(), *way));
        for way in all {
            match self.ways.iter_mut().find(|smaller| smaller.nodes & way.nodes == smaller.nodes) {
                Some(same) if same.nodes == way.nodes => same.overwritten |= way.overwritten,
                Some(_) => {}
                None => self.ways.push(way),
            }
        }
    }
}

/// The values of a program.
#[derive(Clone)]
pub(super) struct Graph<'a> {
    pub(super) steps: &'a Steps<'a>,
    /// Values that are there all the time.
    pub(super) fixed: Arc<[Arc<Value>]>,
    pub(super) nodes: Vec<Node>,
}

impl<'a> Graph<'a> {
    /// `None` if there are too many nodes, or if one of them cannot be made.
    pub(super) fn new(steps: &'a Steps<'a>, fixed: Arc<[Arc<Value>]>, nodes: Vec<Node>) -> Option<Self> {
        // One more takes the place of another one before that goes.
        if nodes.len() >= MOST_NODES {
            return None;
        }
        let mut graph = Self { steps, fixed, nodes };
        let known = graph.known(graph.all());
        let ways: Vec<Vec<Needs>> = (0..graph.nodes.len()).map(|node| graph.ways_to(node, &known)).collect();
        for (node, ways) in graph.nodes.iter_mut().zip(ways) {
            node.add_ways(ways);
        }
        graph.is_complete().then_some(graph)
    }

    pub(super) fn all(&self) -> Set {
        first(self.nodes.len())
    }

    pub(super) fn given(&self) -> Set {
        self.set(|node| node.is_given)
    }

    pub(super) fn set(&self, is_in: impl Fn(&Node) -> bool) -> Set {
        self.nodes.iter().enumerate().filter(|(_, node)| is_in(node)).fold(0, |set, (i, _)| set | 1 << i)
    }

    /// The instructions that it takes.
    pub(super) fn length(&self) -> usize {
        self.nodes.iter().filter(|node| !node.is_given).count()
    }

    /// The fixed values and those of some nodes.
    pub(super) fn known(&self, nodes: Set) -> Known<'a> {
        let fixed = self.fixed.iter().map(|value| (value.image, 0));
        let of_nodes = members(nodes).flat_map(|i| self.nodes[i].values.iter().map(move |value| (value.image, 1 << i)));
        Known::new(self.steps, fixed.chain(of_nodes))
    }

    fn ways_to(&self, node: usize, known: &Known<'_>) -> Vec<Needs> {
        let mut ways = Vec::new();
        match self.nodes[node].values.as_slice() {
            _ if self.nodes[node].is_given => {}
            [value] => known.ways_to(value.image, |way| ways.push(known.needs(&way))),
            halves => {
                for half in halves {
                    ways.extend(known.divisions(half.image).map(|way| known.needs(&way)));
                }
            }
        }
        ways.retain(|way| way.nodes >> node & 1 == 0);
        ways
    }

    /// What can be made of some nodes without some others.
    pub(super) fn reached(&self, from: Set, without: Set) -> Set {
        let mut reached = from;
        loop {
            let before = reached;
            for i in members(self.all() & !reached & !without) {
                if self.nodes[i].can_be_made(reached) {
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

    /// Whether all others can be made without that one.
    pub(super) fn is_superfluous(&self, node: usize) -> bool {
        self.nodes[node].is_free() && self.reached(self.given(), 1 << node) == self.all() & !(1 << node)
    }

    pub(super) fn remove(&mut self, node: usize) {
        self.nodes.remove(node);
        let below = first(node);
        for other in &mut self.nodes {
            other.ways.retain(|way| way.nodes >> node & 1 == 0);
            for set in other.ways.iter_mut().flat_map(|way| [&mut way.nodes, &mut way.overwritten]) {
                *set = (*set & below) | (*set >> 1 & !below);
            }
        }
    }

    /// Whether the nodes of a set can be made, if a value with that image and certain other ones are known.
    pub(super) fn helps(&self, known: &Known<'_>, number: usize, (reached, missing): (Set, Set)) -> bool {
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

    /// Whether an instruction makes a node of a known value and a set of nodes.
    fn has_way_with(&self, node: usize, known: &Known<'_>, number: usize, reached: Set) -> bool {
        let mut has = false;
        self.ways_with(node, known, number, |way| has |= way.nodes & !reached == 0);
        has
    }

    fn ways_with(&self, node: usize, known: &Known<'_>, number: usize, mut found: impl FnMut(Needs)) {
        match self.nodes[node].values.as_slice() {
            [value] => known.ways_with(number, value.image, |way| found(known.needs(&way))),
            halves => {
                if halves.iter().any(|half| half.image.double() == known.image(number)) {
                    found(Needs { nodes: known.owner(number), overwritten: 0 });
                }
            }
        }
    }

    /// Adds a value with that image, whose terms are worked out later.
    pub(super) fn insert(&mut self, image: Image) {
        let value = Arc::new(Value { image, terms: Vec::new() });
        self.nodes.push(Node::new(vec![value], false, false));
        let new = self.nodes.len() - 1;
        let known = self.known(self.all());
        let ways = self.ways_to(new, &known);
        self.nodes[new].add_ways(ways);
        let Some(number) = known.find(image) else { return };
        for node in (0..new).filter(|&node| !self.nodes[node].is_given).collect::<Vec<_>>() {
            let mut ways = Vec::new();
            self.ways_with(node, &known, number, |way| ways.push(way));
            ways.retain(|way: &Needs| way.nodes >> node & 1 == 0);
            if !ways.is_empty() {
                self.nodes[node].add_ways(ways);
            }
        }
    }
}

/// The numbers in a set, in ascending order.
pub(super) fn members(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let next = usize::try_from(set.trailing_zeros()).ok().filter(|_| set != 0)?;
        set &= set - 1;
        Some(next)
    })
}

/// The first so many numbers.
fn first(count: usize) -> Set {
    if count >= MOST_NODES { Set::MAX } else { (1 << count) - 1 }
}
