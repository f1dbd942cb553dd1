//! Computes sums of more planes than registers hold, by making the planes anew for each sum.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use cain_isa::{Displacement, Fraction};

use super::levels::sources;
use super::planes::{Exact, Kind, Number, Plane, PlaneId, PlaneReadout, Planes, Term, Wire};

/// The most planes; an array makes fewer within a tenth of a second.
const MOST_PLANES: usize = 4096;

impl Planes {
    /// The layer whose sums read the most planes, if they read several and are not accumulated yet.
    pub(super) fn widest_layer(&self) -> Option<usize> {
        let sums = self.list.iter().filter_map(|plane| match &plane.kind {
            Kind::Linear { terms, .. } => Some((sources(terms).len(), plane.layer?)),
            _ => None,
        });
        // Of equal layers, the first one is taken.
        let widest = sums.filter(|(count, _)| *count > 2).max_by_key(|(count, layer)| (*count, usize::MAX - layer));
        widest.map(|(_, layer)| layer)
    }

    /// The planes, with the sums of a layer accumulated plane by plane, so many of them `together`: their sources are made
    /// for them alone, so that only one of them exists at a time. `None` if that makes too many planes.
    pub(super) fn one_after_the_other(&self, layer: usize, together: usize) -> Option<Self> {
        let mut copying = Copying { old: self, new: vec![], places: BTreeMap::new(), blocks: 1 };
        let is_sum =
            |&id: &PlaneId| matches!(self.list[id].kind, Kind::Linear { .. }) && self.list[id].layer == Some(layer);
        for (id, plane) in self.list.iter().enumerate() {
            if copying.places.contains_key(&(id, None)) {
                continue;
            }
            if is_sum(&id) {
                let group: Vec<PlaneId> = (id..self.list.len()).filter(is_sum).take(together).collect();
                copying.accumulate(&group);
            } else {
                let copy = copying.push(plane, None);
                copying.places.insert((id, None), copy);
            }
            if copying.new.len() > MOST_PLANES {
                return None;
            }
        }
        let readout =
            |readout: &PlaneReadout| PlaneReadout { wire: copying.wire(readout.wire, None), ..readout.clone() };
        let readouts = self.readouts.iter().map(readout).collect();
        Some(Self { list: copying.new, readouts })
    }
}

/// Planes while they are copied to another list.
struct Copying<'a> {
    old: &'a Planes,
    new: Vec<Plane>,
    /// The copies, by plane and the sum for which alone the copy is made, if any.
    places: BTreeMap<(PlaneId, Option<usize>), PlaneId>,
    /// The number of sums with copies of their own.
    blocks: usize,
}

impl Copying<'_> {
    fn wire(&self, wire: Wire, block: Option<usize>) -> Wire {
        Wire { plane: self.place(wire.plane, block), ..wire }
    }

    fn place(&self, plane: PlaneId, block: Option<usize>) -> PlaneId {
        let own = self.places.get(&(plane, block));
        own.or_else(|| self.places.get(&(plane, None))).copied().unwrap_or_default()
    }

    /// A copy of a plane whose sources have been copied.
    fn push(&mut self, plane: &Plane, block: Option<usize>) -> PlaneId {
        let wire = |wire: &Wire| self.wire(*wire, block);
        let displaced = |of: &[(Wire, Displacement)]| of.iter().map(|(of, at)| (wire(of), *at)).collect();
        let kind = match &plane.kind {
            Kind::Image => Kind::Image,
            Kind::Linear { terms, bias } => Kind::Linear {
                terms: terms.iter().map(|term| Term { wire: wire(&term.wire), ..*term }).collect(),
                bias: *bias,
            },
            Kind::Relu(of) => Kind::Relu(wire(of)),
            Kind::LeakyRelu(of, halvings) => Kind::LeakyRelu(wire(of), *halvings),
            Kind::Abs(of) => Kind::Abs(wire(of)),
            Kind::Clamp(of, low, high) => Kind::Clamp(wire(of), *low, *high),
            Kind::Extreme { largest, of } => Kind::Extreme { largest: *largest, of: displaced(of) },
            Kind::Threshold { of, at, inclusive } => Kind::Threshold { of: wire(of), at: *at, inclusive: *inclusive },
            Kind::Bits { all, of } => {
                Kind::Bits { all: *all, of: of.iter().map(|(bit, at)| (self.place(*bit, block), *at)).collect() }
            }
            Kind::Exact { program, bit } => {
                let read = program.read.iter().map(|number| self.number(number, block)).collect();
                Kind::Exact { program: Rc::new(Exact { read, ..Exact::clone(program) }), bit: *bit }
            }
            Kind::Number(number) => Kind::Number(self.number(number, block)),
            Kind::Spread(number) => Kind::Spread(self.number(number, block)),
        };
        let block = block.unwrap_or(plane.block);
        self.new.push(Plane { block, kind, ..plane.clone() });
        self.new.len() - 1
    }

    fn number(&self, number: &Number, block: Option<usize>) -> Number {
        Number { bits: number.bits.iter().map(|bit| self.place(*bit, block)).collect(), ..*number }
    }

    /// Copies, for one sum alone, a plane and its sources, except the picture and numbers in bits.
    fn copy(&mut self, plane: PlaneId, block: usize) {
        let old = self.old;
        if matches!(old.list[plane].kind, Kind::Image | Kind::Exact { .. })
            || self.places.contains_key(&(plane, Some(block)))
        {
            return;
        }
        old.list[plane].kind.sources().into_iter().for_each(|source| self.copy(source, block));
        let copy = self.push(&old.list[plane], Some(block));
        self.places.insert((plane, Some(block)), copy);
    }

    /// Makes sums by accumulating one plane after the other.
    fn accumulate(&mut self, group: &[PlaneId]) {
        let old = self.old;
        let sum = |id: PlaneId| match &old.list[id].kind {
            Kind::Linear { terms, bias } => (terms.as_slice(), *bias),
            _ => (&[][..], 0.0),
        };
        let mut so_far: Vec<Option<PlaneId>> = vec![None; group.len()];
        let read: BTreeSet<PlaneId> = group.iter().flat_map(|&id| sources(sum(id).0)).collect();
        for source in read {
            if self.new.len() > MOST_PLANES {
                break;
            }
            let block = self.blocks;
            self.blocks += 1;
            self.copy(source, block);
            for (&id, so_far) in group.iter().zip(&mut so_far) {
                let (terms, bias) = sum(id);
                let of_source = terms.iter().filter(|term| term.wire.plane == source);
                let of_source: Vec<Term> =
                    of_source.map(|term| Term { wire: self.wire(term.wire, Some(block)), ..*term }).collect();
                if of_source.is_empty() {
                    continue;
                }
                let carried = so_far.map(|plane| Term {
                    wire: Wire { plane, scale: Fraction::ONE, shift: 0.0 },
                    displacement: Displacement::ZERO,
                    weight: Fraction::ONE,
                });
                let plane = &old.list[id];
                let is_last = terms.iter().all(|term| term.wire.plane <= source);
                let terms = carried.into_iter().chain(of_source).collect();
                let kind = Kind::Linear { terms, bias: if is_last { bias } else { 0.0 } };
                let around = plane.around.filter(|_| is_last);
                self.new.push(Plane { block, kind, around, ..plane.clone() });
                *so_far = Some(self.new.len() - 1);
            }
        }
        for (&id, so_far) in group.iter().zip(so_far) {
            let copy = so_far.unwrap_or_else(|| self.push(&old.list[id], None));
            self.places.insert((id, None), copy);
        }
    }
}
