//! The OR of a bit over PEs around.

use std::collections::{BTreeMap, BTreeSet};

use cain_isa::{Direction, Directions, Displacement};

use super::gates::{Network, Value};

/// Displacements.
pub(super) type Region = BTreeSet<(i16, i16)>;

/// A bit that is in a register of every PE.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    pub(super) register: Value,
    /// What it is outside of the array.
    pub(super) outside: bool,
    /// From where it can be read: where it is the same beyond the border as `outside` says.
    pub(super) from: Directions,
}

/// Registers of which the OR is that of a plane over a region, with as few words as there are found; none if the plane would
/// have to be read from where it cannot.
pub(super) fn any_of(network: &mut Network, plane: Plane, region: &Region) -> Option<Vec<Value>> {
    let way = way(region, plane.from)?;
    Some(make(network, plane, &way))
}

/// How an OR is made.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Way {
    /// It is the plane.
    Here,
    /// What is made first is read from neighbours, and possibly from the PE itself.
    Neighbours { first: Box<Way>, from: Directions, here: bool },
    /// Several ORs together.
    Parts(Vec<Way>),
}

impl Way {
    /// The words it takes, without those that set directions up.
    fn words(&self) -> usize {
        self.more_words(&mut Vec::new())
    }

    /// The words that it takes beside what is made already.
    fn more_words<'w>(&'w self, made: &mut Vec<&'w Self>) -> usize {
        if made.contains(&self) {
            return 0;
        }
        let words = match self {
            Self::Here => 0,
            Self::Neighbours { first, .. } => {
                let is_joined =
                    made.iter().any(|other| matches!(other, Self::Neighbours { first: of, .. } if of == first));
                first.more_words(made) + usize::from(first.registers() > 1 && !is_joined) + 1
            }
            Self::Parts(parts) => parts.iter().map(|part| part.more_words(made)).sum(),
        };
        made.push(self);
        words
    }

    /// What the ways to take from are compared by.
    fn cost(&self) -> usize {
        2 * self.words() + self.registers()
    }

    /// The number of registers of which it is the OR.
    fn registers(&self) -> usize {
        match self {
            Self::Here => 1,
            Self::Neighbours { here, .. } => 1 + usize::from(*here),
            Self::Parts(parts) => parts.iter().map(Self::registers).sum(),
        }
    }
}

const ORIGIN: (i16, i16) = (0, 0);

fn unit(direction: Direction) -> (i16, i16) {
    let Displacement { x, y } = direction.displacement();
    (x, y)
}

/// The shortest way that is found for a region.
fn way(region: &Region, from: Directions) -> Option<Way> {
    Ways { from, known: BTreeMap::new() }.of(region)
}

struct Ways {
    from: Directions,
    known: BTreeMap<Region, Option<Way>>,
}

impl Ways {
    fn of(&mut self, region: &Region) -> Option<Way> {
        if let (Some(&at), 1) = (region.first(), region.len()) {
            return to_one(at, self.from);
        }
        if let Some(known) = self.known.get(region) {
            return known.clone();
        }
        let way = self.grown(region).or_else(|| self.in_parts(region));
        self.known.insert(region.clone(), way.clone());
        way
    }

    /// The region is grown from a smaller one.
    fn grown(&mut self, region: &Region) -> Option<Way> {
        let mut best: Option<Way> = None;
        for neighbours in 1_u8..16 {
            let chosen: Vec<Direction> =
                (0..).zip(Direction::ALL).filter(|(i, _)| neighbours >> i & 1 == 1).map(|(_, d)| d).collect();
            if chosen.iter().any(|direction| !self.from.contains(*direction)) {
                continue;
            }
            for here in [true, false] {
                let Some(smaller) = smaller(region, &chosen, here) else { continue };
                let Some(first) = self.of(&smaller) else { continue };
                let found = Way::Neighbours { first: Box::new(first), from: Directions::new(&chosen), here };
                if best.as_ref().is_none_or(|best| found.cost() < best.cost()) {
                    best = Some(found);
                }
            }
        }
        best
    }

    /// Its rows are made one by one, its bits, or the two sides of the PE itself along an axis, which can be grown from it.
    fn in_parts(&mut self, region: &Region) -> Option<Way> {
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
        let mut best: Option<Way> = None;
        for parts in divisions.into_iter().filter(|parts: &Vec<Region>| is_whole(parts) && is_division(parts)) {
            let Some(found) = parts.iter().map(|part| self.of(part)).collect::<Option<_>>().map(Way::Parts) else {
                continue;
            };
            if best.as_ref().is_none_or(|best| found.cost() < best.cost()) {
                best = Some(found);
            }
        }
        best
    }
}

/// The way to one PE.
fn to_one(at: (i16, i16), from: Directions) -> Option<Way> {
    let direction = |axis: i16, plus: Direction, minus: Direction| {
        let direction = if axis > 0 { plus } else { minus };
        (0..axis.unsigned_abs()).map(move |_| direction)
    };
    let steps =
        direction(at.1, Direction::North, Direction::South).chain(direction(at.0, Direction::East, Direction::West));
    steps.into_iter().try_fold(Way::Here, |way, step| {
        let neighbours = Way::Neighbours { first: Box::new(way), from: Directions::new(&[step]), here: false };
        from.contains(step).then_some(neighbours)
    })
}

/// The region that becomes this one if it is read from neighbours; what lies on the other side of a PE at the border is
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

fn make(network: &mut Network, plane: Plane, way: &Way) -> Vec<Value> {
    match way {
        Way::Here => vec![plane.register],
        Way::Neighbours { first, from, here } => {
            let first = make(network, plane, first);
            let register = if let [register] = *first { register } else { network.any(&first, false) };
            let mut registers = vec![network.neighbours(register, *from, plane.outside)];
            registers.extend(here.then_some(register));
            registers
        }
        Way::Parts(parts) => parts.iter().flat_map(|part| make(network, plane, part)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Region, way};
    use cain_isa::{Direction, Directions};

    fn rectangle(x: i16, y: i16) -> Region {
        (-x..=x).flat_map(|x| (-y..=y).map(move |y| (x, y))).collect()
    }

    #[test]
    fn words_of_regions() {
        let all = Directions::new(&Direction::ALL);
        let words = |region: &Region| way(region, all).unwrap().words();
        assert_eq!(words(&rectangle(1, 0)), 1);
        assert_eq!(words(&rectangle(1, 1)), 3);
        // What is read beyond the border must be a constant there, so that both sides are made by themselves.
        assert!(words(&rectangle(2, 2)) <= 14, "{:?}", way(&rectangle(2, 2), all));
        assert!(words(&rectangle(3, 3)) <= 20, "{:?}", way(&rectangle(3, 3), all));
        let cross: Region = [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)].into();
        assert_eq!(words(&cross), 1);
        let ring: Region = rectangle(1, 1).into_iter().filter(|at| *at != (0, 0)).collect();
        assert!(words(&ring) <= 8, "{:?}", way(&ring, all));
        assert_eq!(words(&Region::from([(2, 0)])), 2);
    }

    #[test]
    fn planes_that_cannot_be_read_from_somewhere() {
        let west = Directions::new(&[Direction::West]);
        assert!(way(&Region::from([(-1, 0)]), west).is_some());
        assert!(way(&Region::from([(1, 0)]), west).is_none());
        // What comes from the east over the border would have to be moved back to the west.
        assert!(way(&[(1, 0), (-1, 0)].into(), west).is_none());
    }
}
