//! Finds an order of the values of a program that fits the registers.

use super::Set;
use super::graph::{Graph, members};
use super::held::Place;
use super::steps::Needs;
use crate::random::Random;
use crate::sort;

/// The nodes of a program in order, except those that are given. A node in NEWS may be made more than once.
pub(crate) type Order = Vec<Placed>;

/// A node in an order.
#[derive(Clone, Copy)]
pub(crate) struct Placed {
    pub(crate) node: usize,
    /// The needs of the way by which it is made.
    pub(crate) needs: Needs,
    /// The operands that are not needed in their registers after it.
    pub(crate) dead: Set,
}

/// The number of orders that are followed at the same time.
const WIDTH: usize = 8;

/// A partial order: the first instructions of a program.
#[derive(Clone, Copy)]
struct Point {
    /// The number of instructions so far.
    length: usize,
    /// The number of registers in use.
    live: usize,
    /// The nodes that need not be made any more.
    done: Set,
    /// The node that NEWS holds.
    news: usize,
    /// The number of the last instruction among all that were placed.
    last: usize,
}

/// A number that stands for no instruction or no node.
const NONE: usize = usize::MAX;

/// Finds an order for which so many registers suffice. It tries several choices of ways by which the nodes are made.
/// Adds to `work`.
pub(crate) fn order(
    graph: &Graph<'_>,
    registers: usize,
    (tries, work): (u32, &mut u64),
    random: &mut Random,
) -> Option<Order> {
    (0..tries).find_map(|_| {
        let needs = choice(graph, random)?;
        let mut search = Search::new(graph, &needs, registers);
        let order = search.order();
        *work += search.tried / PLACED;
        order
    })
}

/// Chooses a way for each node, so that all of them can be made from the given ones.
fn choice(graph: &Graph<'_>, random: &mut Random) -> Option<Vec<Needs>> {
    let mut reached = graph.given();
    let mut needs = vec![Needs::default(); graph.nodes.len()];
    while reached != graph.all() {
        let before = reached;
        let left: Vec<usize> = members(graph.all() & !reached).collect();
        let start = random.below(left.len());
        for &i in left[start..].iter().chain(&left[..start]) {
            // Ways with few operands keep few values in registers.
            let ways = graph.nodes[i].ways().iter().filter(|way| way.nodes() & !reached == 0);
            if let Some(&way) =
                ways.min_by_key(|way| u64::from(way.nodes().count_ones()) * JITTER + random.next() % JITTER)
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

/// The number of nodes tried at a place per unit of work.
const PLACED: u64 = 4;
/// How far chance affects the choice of a way: one with two operands always comes before one with three.
const JITTER: u64 = 1 << 16;

/// A beam search over orders, once a way is chosen for each node. Of all partial orders that fit the registers, it
/// continues those with the fewest instructions and then the fewest registers.
struct Search<'g> {
    needs: &'g [Needs],
    registers: usize,
    all: Set,
    given: Set,
    wanted: Set,
    /// For each node, the nodes that read it in a register, and those that read it in NEWS.
    users: Vec<[Set; 2]>,
    /// For each node, the number of registers that it takes.
    values: Vec<usize>,
    /// The nodes that have a value in NEWS.
    in_news: Set,
    /// For each node, the node whose register it has to be in.
    displaced: Vec<Option<usize>>,
    /// All instructions that were placed, each with the number of the one before it.
    placed: Vec<(Placed, usize)>,
    /// The number of nodes tried.
    tried: u64,
}

impl<'g> Search<'g> {
    fn new(graph: &Graph<'_>, needs: &'g [Needs], registers: usize) -> Self {
        let mut users = vec![[0; 2]; needs.len()];
        let copied = needs.iter().fold(0, |set, need| set | need.copies);
        let copies = (0..needs.len()).map(|node| usize::from(copied >> node & 1 == 1));
        for (node, need) in needs.iter().enumerate() {
            members(need.registers).for_each(|operand| users[operand][0] |= 1 << node);
            members(need.news).for_each(|operand| users[operand][1] |= 1 << node);
        }
        Self {
            needs,
            registers,
            all: graph.all(),
            given: graph.given(),
            wanted: graph.set(|node| node.is_wanted),
            users,
            values: graph.nodes.iter().zip(copies).map(|(node, copies)| node.registers() + copies).collect(),
            in_news: graph.set(|node| node.held().iter().any(|held| held.place == Place::News)),
            displaced: graph.nodes.iter().map(|node| node.displaced).collect(),
            placed: Vec::new(),
            tried: 0,
        }
    }

    fn order(&mut self) -> Option<Order> {
        let live = members(self.given).filter(|&node| self.is_needed(node, self.given));
        let live = live.map(|node| self.values[node]).sum();
        let start = Point { length: 0, live, done: self.given, news: NONE, last: NONE };
        // The partial orders, by the number of nodes that are done.
        let mut levels: Vec<Vec<Point>> = vec![Vec::new(); self.needs.len() + 1];
        let level = |point: &Point| members(point.done).count();
        levels[level(&start)].push(start);
        for at in 0..self.needs.len() {
            let mut points = std::mem::take(&mut levels[at]);
            sort::by_key(&mut points, |point| (point.length, point.live, point.done, point.news));
            let mut beam: Vec<Point> = Vec::new();
            for point in points {
                if beam.iter().all(|other| (other.done, other.news) != (point.done, point.news)) {
                    beam.push(point);
                    if beam.len() == WIDTH {
                        break;
                    }
                }
            }
            for point in beam {
                for node in members(self.all & !point.done) {
                    self.tried += 1;
                    if let Some(next) = self.with(&point, node) {
                        levels[level(&next)].push(next);
                    }
                }
            }
        }
        let end = levels.pop()?.into_iter().min_by_key(|point| (point.length, point.live))?;
        let mut order = Vec::new();
        let mut last = end.last;
        while let Some(&(placed, before)) = self.placed.get(last) {
            order.push(placed);
            last = before;
        }
        order.reverse();
        Some(order)
    }

    /// Makes a node. If it reads a node in NEWS that has to be made again later, that one is made just before it.
    fn with(&mut self, point: &Point, node: usize) -> Option<Point> {
        let Needs { registers, news, .. } = self.needs[node];
        if registers & !point.done != 0 {
            return None;
        }
        let Some(read) = members(news).next().filter(|&read| read != point.news) else {
            return self.after(point, node, true);
        };
        // A node that only this one reads is made once and for all; where it is already done, NEWS may hold something
        // else by now.
        let others = self.users[read][1] & !point.done & !(1 << node);
        let is_ready = self.needs[read].nodes() & !point.done == 0 && self.values[read] == 0;
        if point.done >> read & 1 == 1 || others == 0 || !is_ready || self.needs[read].news != 0 {
            return None;
        }
        let before = self.after(point, read, false)?;
        self.after(&before, node, true)
    }

    /// Makes a node, either for good or to be made again later; `None` if there are not enough registers, if it has to
    /// be in a register that is in use, or if NEWS is in use.
    fn after(&mut self, point: &Point, node: usize, for_good: bool) -> Option<Point> {
        let Needs { registers, news, overwritten, cells, .. } = self.needs[node];
        let done = if for_good { point.done | 1 << node } else { point.done };
        let dead = members(registers).filter(|&operand| !self.is_needed(operand, done));
        let dead = dead.fold(0, |set, dead| set | 1 << dead);
        let is_in_place = match self.displaced[node] {
            Some(displaced) if self.is_needed(displaced, point.done) => {
                ((dead & overwritten) >> displaced & 1 == 1).then_some(true)?
            }
            _ => dead & overwritten != 0,
        };
        let is_read = self.users[node][1] & !done != 0;
        let is_in_news = self.in_news >> node & 1 == 1 && is_read;
        let news_is_open = news == 0 && !self.is_held(point);
        if is_in_news && !news_is_open {
            return None;
        }
        // The copy in a register of a value in NEWS may be of no use.
        let is_of_use = self.is_needed(node, done) || self.in_news >> node & 1 == 0;
        let values = if is_of_use { self.values[node] } else { 0 };
        let results = values + usize::from(is_in_news);
        if results > 1 && results > cells {
            return None;
        }
        let elsewhere = cells.saturating_sub(results);
        let in_spare_news = elsewhere > 0 && !is_in_news && news_is_open;
        let spare = elsewhere - usize::from(in_spare_news);
        let made = point.live + values;
        if made + spare - usize::from(is_in_place) > self.registers {
            return None;
        }
        let mut next = Point {
            length: point.length + 1,
            live: made - members(dead).map(|dead| self.values[dead]).sum::<usize>(),
            done,
            news: if is_in_news {
                node
            } else if in_spare_news {
                NONE
            } else {
                point.news
            },
            last: self.placed.len(),
        };
        self.placed.push((Placed { node, needs: self.needs[node], dead }, point.last));
        // A node in NEWS that is made more than once is done as soon as nothing else reads it.
        if for_good && news != 0 && next.done & news == 0 && self.users[point.news][1] & !done == 0 {
            next.done |= news;
            let operands = self.needs[point.news].registers;
            let dead = members(operands).filter(|&operand| !self.is_needed(operand, next.done));
            next.live -= dead.map(|dead| self.values[dead]).sum::<usize>();
        }
        Some(next)
    }

    fn is_needed(&self, node: usize, done: Set) -> bool {
        self.wanted >> node & 1 == 1 || self.users[node][0] & !done != 0
    }

    /// Whether the node in NEWS was made for good and has not been read by all its users.
    fn is_held(&self, point: &Point) -> bool {
        point.news != NONE && point.done >> point.news & 1 == 1 && self.users[point.news][1] & !point.done != 0
    }
}
