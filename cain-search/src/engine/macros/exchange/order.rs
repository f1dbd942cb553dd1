//! An order in which the values of a program fit the registers.

use super::Set;
use super::graph::{Graph, Needs, members};
use crate::random::Random;

/// The nodes of a program in order, but for those that are given.
pub(super) type Order = Vec<Placed>;

/// A node in an order.
#[derive(Clone, Copy)]
pub(super) struct Placed {
    pub(super) node: usize,
    /// What it is made from.
    pub(super) needs: Set,
    /// What is not needed any more after that.
    pub(super) dead: Set,
}

/// Orders that are followed at a time.
const WIDTH: usize = 8;

/// How the rest of a program can begin.
struct Point {
    /// Registers in use.
    live: usize,
    done: Set,
    /// The number of the last node among all that were placed.
    last: usize,
}

/// No step.
const NONE: usize = usize::MAX;

/// An order with which so many registers suffice, looked for in a number of choices of what each value is made from.
pub(super) fn order(graph: &Graph<'_>, registers: usize, tries: u32, random: &mut Random) -> Option<Order> {
    (0..tries).find_map(|_| {
        let needs = choice(graph, random)?;
        fit(graph, &needs, registers)
    })
}

/// What each node is made from, in a way that leads from the given ones to all others.
fn choice(graph: &Graph<'_>, random: &mut Random) -> Option<Vec<Needs>> {
    let mut reached = graph.given();
    let mut needs = vec![Needs { nodes: 0, overwritten: 0 }; graph.nodes.len()];
    while reached != graph.all() {
        let before = reached;
        let left: Vec<usize> = members(graph.all() & !reached).collect();
        let start = random.below(left.len());
        for &i in left[start..].iter().chain(&left[..start]) {
            // Few operands keep few values in registers.
            let ways = graph.nodes[i].ways().iter().filter(|way| way.nodes & !reached == 0);
            if let Some(&way) =
                ways.min_by_key(|way| u64::from(way.nodes.count_ones()) * JITTER + random.next() % JITTER)
            {
                needs[i] = way;
                reached |= 1 << i;
            }
        }
        if reached == before {
            return None;
        }
    }
    Some(needs)
}

/// By how much the choice of a way is left to chance: a way of two operands comes before one of three.
const JITTER: u64 = 1 << 16;

/// A beam over orders: of all that fit the registers, those go on that take the fewest.
fn fit(graph: &Graph<'_>, needs: &[Needs], registers: usize) -> Option<Order> {
    let uses = Uses::of(graph, needs);
    let given = graph.given();
    let live = members(given).filter(|&node| uses.is_needed(node, given)).map(|node| uses.values[node]).sum();
    let mut steps: Vec<(Placed, usize)> = Vec::new();
    let mut beam = vec![Point { live, done: given, last: NONE }];
    while beam.first().is_some_and(|point| point.done != graph.all()) {
        let mut next = Vec::new();
        for point in &beam {
            for node in members(graph.all() & !point.done).filter(|&node| needs[node].nodes & !point.done == 0) {
                let Some((live, dead)) = uses.after(point, node, registers) else { continue };
                next.push((live, point.done | 1 << node, node, dead, point.last));
            }
        }
        next.sort_unstable();
        beam.clear();
        for (live, done, node, dead, last) in next {
            if beam.iter().all(|point: &Point| point.done != done) {
                steps.push((Placed { node, needs: needs[node].nodes, dead }, last));
                beam.push(Point { live, done, last: steps.len() - 1 });
                if beam.len() == WIDTH {
                    break;
                }
            }
        }
    }
    let mut order = Vec::new();
    let mut last = beam.first()?.last;
    while let Some(&(placed, before)) = steps.get(last) {
        order.push(placed);
        last = before;
    }
    order.reverse();
    Some(order)
}

/// What nodes are needed for, where it is settled what each is made from.
struct Uses<'g> {
    graph: &'g Graph<'g>,
    needs: &'g [Needs],
    users: Vec<Set>,
    wanted: Set,
    /// The registers that each takes.
    values: Vec<usize>,
}

impl<'g> Uses<'g> {
    fn of(graph: &'g Graph<'_>, needs: &'g [Needs]) -> Self {
        let mut users = vec![0; needs.len()];
        for (node, need) in needs.iter().enumerate() {
            members(need.nodes).for_each(|operand| users[operand] |= 1 << node);
        }
        let values = graph.nodes.iter().map(|node| node.values.len()).collect();
        Self { graph, needs, users, wanted: graph.set(|node| node.is_wanted), values }
    }

    fn is_needed(&self, node: usize, done: Set) -> bool {
        self.wanted >> node & 1 == 1 || self.users[node] & !done != 0
    }

    /// The registers in use after a node, and what is not needed any more; `None` if there are not enough, or if it has to
    /// be in one that is in use.
    fn after(&self, point: &Point, node: usize, registers: usize) -> Option<(usize, Set)> {
        let done = point.done | 1 << node;
        let Needs { nodes, overwritten } = self.needs[node];
        let dead =
            members(nodes).filter(|&operand| !self.is_needed(operand, done)).fold(0, |set, dead| set | 1 << dead);
        let is_in_place = match self.graph.nodes[node].displaced {
            Some(displaced) if self.is_needed(displaced, point.done) => {
                ((dead & overwritten) >> displaced & 1 == 1).then_some(true)?
            }
            _ => dead & overwritten != 0,
        };
        let made = point.live + self.values[node];
        let most = made - usize::from(is_in_place);
        let left = made - members(dead).map(|dead| self.values[dead]).sum::<usize>();
        (most <= registers).then_some((left, dead))
    }
}
