//! The OR of a bit over surrounding PEs.

use std::collections::{BTreeMap, BTreeSet};

use cain_isa::{Direction, Directions, Displacement};
use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;

use super::gates::{Network, Value};
use crate::effort::Effort;

/// A set of displacements.
pub(super) type Region = BTreeSet<(i16, i16)>;

/// A bit that a register holds in every PE.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    pub(super) register: Value,
    /// Its value outside of the array.
    pub(super) outside: bool,
    /// The directions from which it can be read: those in which it equals `outside` beyond the border.
    pub(super) from: Directions,
}

/// Registers whose OR is that of a plane over a region, made with as few words as are found; `None` if the plane would
/// have to be read from a direction that is not allowed.
pub(super) fn any_of(
    network: &mut Network,
    plane: Plane,
    region: &Region,
    effort: &mut Effort<'_>,
) -> Option<Vec<Value>> {
    Some(Route::to(region, plane.from, effort)?.make(network, plane))
}

/// A recipe for the OR over a region.
#[derive(Debug)]
pub(super) struct Route {
    /// The ways of which it consists, and possibly others; each comes before those that contain it.
    ways: Vec<Way>,
    way: WayId,
}

impl Route {
    /// The shortest route found; `None` if planes would have to be read from directions that are not allowed.
    pub(super) fn to(region: &Region, from: Directions, effort: &mut Effort<'_>) -> Option<Self> {
        let mut ways = Ways::from(from, effort);
        let way = ways.of(region)?;
        Some(Self { ways: ways.list, way })
    }

    /// Makes the registers whose OR is that of the plane over the region.
    pub(super) fn make(&self, network: &mut Network, plane: Plane) -> Vec<Value> {
        self.make_way(self.way, network, plane)
    }

    fn make_way(&self, way: WayId, network: &mut Network, plane: Plane) -> Vec<Value> {
        match &self.ways[way] {
            Way::Here => vec![plane.register],
            Way::Neighbours { first, from, here } => {
                let first = self.make_way(*first, network, plane);
                let register = if let [register] = *first { register } else { network.any(&first, false) };
                let mut registers = vec![network.neighbours(register, *from, plane.outside)];
                registers.extend(here.then_some(register));
                registers
            }
            Way::Parts(parts) => parts.iter().flat_map(|&part| self.make_way(part, network, plane)).collect(),
        }
    }
}

/// The index of a way; equal ways are shared.
type WayId = usize;

/// A way to make an OR.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Way {
    /// The plane itself.
    Here,
    /// `first` is made, then read from neighbours and possibly from the PE itself.
    Neighbours { first: WayId, from: Directions, here: bool },
    /// The combination of several ORs.
    Parts(Vec<WayId>),
}

/// The ways that are made already when another one is made.
#[derive(Default)]
struct Made {
    ways: HashSet<WayId, FxBuildHasher>,
    /// The ways that were read from neighbours, and hence are in a single register.
    joined: HashSet<WayId, FxBuildHasher>,
}

const ORIGIN: (i16, i16) = (0, 0);

fn unit(direction: Direction) -> (i16, i16) {
    let Displacement { x, y } = direction.displacement();
    (x, y)
}

struct Ways<'e, 'w> {
    from: Directions,
    list: Vec<Way>,
    ids: HashMap<Way, WayId, FxBuildHasher>,
    known: BTreeMap<Region, Option<WayId>>,
    effort: &'e mut Effort<'w>,
}

impl<'e, 'w> Ways<'e, 'w> {
    fn from(from: Directions, effort: &'e mut Effort<'w>) -> Self {
        Self { from, list: Vec::new(), ids: HashMap::default(), known: BTreeMap::new(), effort }
    }

    fn id(&mut self, way: Way) -> WayId {
        let next = self.list.len();
        let id = *self.ids.entry(way.clone()).or_insert(next);
        if id == next {
            self.list.push(way);
        }
        id
    }

    /// The words that a way takes in addition to those already made, not counting the set-up of directions.
    fn words(&mut self, way: WayId, made: &mut Made) -> usize {
        self.effort.step(1);
        if !made.ways.insert(way) {
            return 0;
        }
        match self.list[way].clone() {
            Way::Here => 0,
            Way::Neighbours { first, .. } => {
                let joins = made.joined.insert(first) && self.registers(first) > 1;
                self.words(first, made) + usize::from(joins) + 1
            }
            Way::Parts(parts) => parts.into_iter().map(|part| self.words(part, made)).sum(),
        }
    }

    /// The cost by which ways are compared.
    fn cost(&mut self, way: WayId) -> usize {
        2 * self.words(way, &mut Made::default()) + self.registers(way)
    }

    /// The number of registers whose OR it is.
    fn registers(&self, way: WayId) -> usize {
        match &self.list[way] {
            Way::Here => 1,
            Way::Neighbours { here, .. } => 1 + usize::from(*here),
            Way::Parts(parts) => parts.iter().map(|&part| self.registers(part)).sum(),
        }
    }

    /// The shortest way found for a region.
    fn of(&mut self, region: &Region) -> Option<WayId> {
        if let (Some(&at), 1) = (region.first(), region.len()) {
            return self.single(at);
        }
        if let Some(known) = self.known.get(region) {
            return *known;
        }
        let way = self.grown(region).or_else(|| self.in_parts(region));
        self.known.insert(region.clone(), way);
        way
    }

    /// The way to one PE.
    fn single(&mut self, at: (i16, i16)) -> Option<WayId> {
        let direction = |axis: i16, plus: Direction, minus: Direction| {
            let direction = if axis > 0 { plus } else { minus };
            (0..axis.unsigned_abs()).map(move |_| direction)
        };
        let vertical = direction(at.1, Direction::North, Direction::South);
        let here = self.id(Way::Here);
        vertical.chain(direction(at.0, Direction::East, Direction::West)).try_fold(here, |first, step| {
            let neighbours = Way::Neighbours { first, from: Directions::new(&[step]), here: false };
            self.from.contains(step).then(|| self.id(neighbours))
        })
    }

    /// The way that grows the region from a smaller one.
    fn grown(&mut self, region: &Region) -> Option<WayId> {
        let mut best: Option<(usize, WayId)> = None;
        for neighbours in 1_u8..16 {
            let chosen: Vec<Direction> =
                (0..).zip(Direction::ALL).filter(|(i, _)| neighbours >> i & 1 == 1).map(|(_, d)| d).collect();
            if chosen.iter().any(|direction| !self.from.contains(*direction)) {
                continue;
            }
            for here in [true, false] {
                if !self.effort.may_step() {
                    break;
                }
                self.effort.step((region.len() * chosen.len()) as u64);
                let Some(smaller) = smaller(region, &chosen, here) else { continue };
                let Some(first) = self.of(&smaller) else { continue };
                let found = self.id(Way::Neighbours { first, from: Directions::new(&chosen), here });
                let cost = self.cost(found);
                if best.is_none_or(|(least, _)| cost < least) {
                    best = Some((cost, found));
                }
            }
        }
        best.map(|(_, way)| way)
    }

    /// The way that combines parts of the region: its rows, its single bits, or the two sides of the PE along an axis,
    /// which can be grown from it.
    fn in_parts(&mut self, region: &Region) -> Option<WayId> {
        self.effort.step(8 * region.len() as u64);
        let part = |is_in: &dyn Fn(i16, i16) -> bool| -> Region {
            region.iter().copied().filter(|&(x, y)| is_in(x, y)).collect()
        };
        let rows: BTreeSet<i16> = region.iter().map(|&(_, y)| y).collect();
        let divisions = [
            rows.iter().map(|row| part(&|_, y| y == *row)).collect(),
            region.iter().map(|&at| Region::from([at])).collect(),
            vec![part(&|x, _| x >= 0), part(&|x, _| x <= 0)],
            vec![part(&|_, y| y >= 0), part(&|_, y| y <= 0)],
        ];
        let is_whole = |parts: &Vec<Region>| parts.iter().flatten().collect::<BTreeSet<_>>().len() == region.len();
        let is_division = |parts: &Vec<Region>| parts.iter().all(|part| !part.is_empty() && part != region);
        let mut best: Option<(usize, WayId)> = None;
        for parts in divisions.into_iter().filter(|parts: &Vec<Region>| is_whole(parts) && is_division(parts)) {
            let Some(parts) = parts.iter().map(|part| self.of(part)).collect::<Option<_>>() else { continue };
            let found = self.id(Way::Parts(parts));
            let cost = self.cost(found);
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, found));
            }
        }
        best.map(|(_, way)| way)
    }
}

/// The region that becomes this one if it is read from neighbours; pixels on the other side of a PE at the border are
/// never moved to it.
fn smaller(region: &Region, from: &[Direction], here: bool) -> Option<Region> {
    let mut steps: Vec<(i16, i16)> = from.iter().map(|&direction| unit(direction)).collect();
    steps.extend(here.then_some(ORIGIN));
    let sum = |a: (i16, i16), b: (i16, i16)| (a.0 + b.0, a.1 + b.1);
    let fits = |at: &(i16, i16)| {
        let is_inside = steps.iter().all(|&step| region.contains(&sum(*at, step)));
        is_inside && from.iter().map(|&direction| unit(direction)).all(|step| at.0 * step.0 + at.1 * step.1 >= 0)
    };
    let first = steps.first()?;
    let candidates: Region = region.iter().map(|at| (at.0 - first.0, at.1 - first.1)).filter(fits).collect();
    let grown: Region = candidates.iter().flat_map(|&at| steps.iter().map(move |&step| sum(at, step))).collect();
    let size = |region: &Region| region.iter().map(|at| i32::from(at.0.abs()) + i32::from(at.1.abs())).sum::<i32>();
    (grown == *region && size(&candidates) < size(region)).then_some(candidates)
}

#[cfg(test)]
mod tests {
    use core::ops::ControlFlow;

    use super::{Made, Region, Ways};
    use crate::effort::Effort;
    use cain_isa::{Direction, Directions};

    fn rectangle(x: i16, y: i16) -> Region {
        (-x..=x).flat_map(|x| (-y..=y).map(move |y| (x, y))).collect()
    }

    /// The words that a region takes, if there is a way to it.
    fn words_from(region: &Region, from: Directions) -> Option<usize> {
        let mut watch = |_| ControlFlow::Continue(());
        let mut effort = Effort::new(1, &mut watch);
        let mut ways = Ways::from(from, &mut effort);
        let way = ways.of(region)?;
        Some(ways.words(way, &mut Made::default()))
    }

    #[test]
    fn words_of_regions() {
        let all = Directions::new(&Direction::ALL);
        let words = |region: &Region| words_from(region, all).unwrap();
        assert_eq!(words(&rectangle(1, 0)), 1);
        assert_eq!(words(&rectangle(1, 1)), 3);
        // A plane must be constant beyond a border that it is read across, so both sides are made separately.
        assert!(words(&rectangle(2, 2)) <= 14);
        assert!(words(&rectangle(3, 3)) <= 20);
        let cross: Region = [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)].into();
        assert_eq!(words(&cross), 1);
        let ring: Region = rectangle(1, 1).into_iter().filter(|at| *at != (0, 0)).collect();
        assert!(words(&ring) <= 8);
        assert_eq!(words(&Region::from([(2, 0)])), 2);
    }

    #[test]
    fn planes_that_cannot_be_read_from_somewhere() {
        let west = Directions::new(&[Direction::West]);
        assert!(words_from(&Region::from([(-1, 0)]), west).is_some());
        assert!(words_from(&Region::from([(1, 0)]), west).is_none());
        // Values that came from the east over the border would have to be moved back to the west.
        assert!(words_from(&[(1, 0), (-1, 0)].into(), west).is_none());
    }
}
