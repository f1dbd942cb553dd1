//! Makes planes other than weighted sums, with programs of operations.

use std::collections::BTreeSet;

use cain_isa::{Displacement, Fraction};

use super::super::constant::Constant;
use super::super::levels::Level;
use super::super::planes::{Number, PlaneId, Wire};
use super::super::script::Script;
use super::super::stage::Work;
use super::{Failure, Planner};

impl Planner<'_, '_> {
    pub(super) fn relu(&mut self, plane: PlaneId, wire: Wire) -> Result<(), Failure> {
        let mut script = Script::default();
        let reg = self.take(&mut script, wire.plane, plane)?;
        let level = self.level(wire);
        let bound = level.constant(level.zero);
        if level.scale < Fraction::ZERO {
            if bound.value() < level.high {
                let (bound, ts) = self.made_in(bound, reg);
                script.at_most(reg, bound, ts);
            }
        } else if bound.value() > level.low {
            let (bound, ts) = self.lower_bound(plane, bound, reg)?;
            script.at_least(reg, bound, ts);
        }
        self.made(script, plane, wire.plane, reg)
    }

    pub(super) fn leaky_relu(&mut self, plane: PlaneId, wire: Wire, halvings: u32) -> Result<(), Failure> {
        let mut script = Script::default();
        let reg = self.take(&mut script, wire.plane, plane)?;
        let (summand, ts) = self.made_in(self.level(wire).to_centre(), reg);
        script.add(reg, summand, ts);
        if let Ok(halvings @ 1..) = u8::try_from(halvings) {
            let ts = self.scratch(plane)?;
            script.leaky_relu(reg, halvings, ts);
        }
        self.made(script, plane, wire.plane, reg)
    }

    pub(super) fn abs(&mut self, plane: PlaneId, wire: Wire) -> Result<(), Failure> {
        let mut script = Script::default();
        let reg = self.take(&mut script, wire.plane, plane)?;
        let (summand, ts) = self.made_in(self.level(wire).to_centre(), reg);
        script.add(reg, summand, ts);
        script.abs(reg, self.free(plane)?);
        self.made(script, plane, wire.plane, reg)
    }

    pub(super) fn clamp(&mut self, plane: PlaneId, wire: Wire, (low, high): (f64, f64)) -> Result<(), Failure> {
        let level = self.level(wire);
        let mut script = Script::default();
        let reg = self.take(&mut script, wire.plane, plane)?;
        let [low, high] = [low, high].map(|end| level.constant(level.value(end)));
        if low.value() > level.low {
            let (low, ts) = self.lower_bound(plane, low, reg)?;
            script.at_least(reg, low, ts);
        }
        if high.value() < level.high {
            let (high, ts) = self.made_in(high, reg);
            script.at_most(reg, high, ts);
        }
        self.made(script, plane, wire.plane, reg)
    }

    pub(super) fn extreme(
        &mut self,
        plane: PlaneId,
        largest: bool,
        of: &[(Wire, Displacement)],
    ) -> Result<(), Failure> {
        let Some(&(first, _)) = of.first() else { return Ok(()) };
        let mut script = Script::default();
        let reg = self.take(&mut script, first.plane, plane)?;
        self.registers.hold(reg, Some(plane));
        let ts = self.scratch(plane)?;
        if of.iter().all(|(wire, _)| wire.plane == first.plane) {
            for step in growth(of.iter().map(|(_, displacement)| *displacement)) {
                script.extreme(largest, reg, (reg, step), Constant::ZERO, ts);
            }
        } else {
            for &(wire, displacement) in &of[1..] {
                let other = self.registers.reg(wire.plane).ok_or(Failure::Registers(plane))?;
                let level = Constant::whole(self.level(first).zero - self.level(wire).zero);
                script.extreme(largest, reg, (other, displacement), level, ts);
            }
        }
        let others: BTreeSet<PlaneId> = of.iter().map(|(wire, _)| wire.plane).filter(|&of| of != first.plane).collect();
        for other in others {
            self.consume(other);
        }
        self.made(script, plane, first.plane, reg)
    }

    pub(super) fn threshold(&mut self, plane: PlaneId, of: Wire, at: f64, inclusive: bool) -> Result<(), Failure> {
        let level = self.level(of);
        let falling = level.scale.numerator() < 0;
        let bit = self.free_bit(plane)?;
        let reg = self.registers.reg(of.plane).ok_or(Failure::Registers(plane))?;
        let constant = above(&level, at, inclusive != falling);
        let errors = self.errors.get(&of.plane).copied().unwrap_or([Fraction::ZERO; 3]);
        let mut script = Script::default();
        match *self.registers.free() {
            [t] if !constant.is_whole() && self.left[of.plane] == 1 => {
                script.threshold_of_distance(bit, reg, constant, falling, t);
            }
            _ => {
                let (constant, ts) = self.made_in(constant, reg);
                script.threshold(bit, (reg, errors), constant, falling, ts);
            }
        }
        self.consume(of.plane);
        self.registers.hold_bit(bit, Some(plane));
        self.stage(script, &[plane], 0, Work::Operation)?;
        self.surround(plane)
    }

    pub(super) fn bits(&mut self, plane: PlaneId, all: bool, of: &[(PlaneId, Displacement)]) -> Result<(), Failure> {
        let mut script = Script::default();
        let Some(&(first, _)) = of.first() else { return Ok(()) };
        let bit = |planner: &Self, id: PlaneId| planner.registers.bit(id).ok_or(Failure::Bits(plane));
        let mut held = bit(self, first)?;
        let same = of.iter().all(|(other, _)| *other == first);
        let steps: Vec<(PlaneId, Displacement)> = if same {
            growth(of.iter().map(|(_, displacement)| *displacement)).into_iter().map(|step| (first, step)).collect()
        } else {
            of[1..].to_vec()
        };
        if self.registers.free_bits().len() < 5 {
            self.read_pending(true);
        }
        let mut free = self.registers.free_bits();
        for (other, step) in steps {
            let &[shifted, joined, t, u, ..] = free.as_slice() else { return Err(Failure::Bits(plane)) };
            let from = if same { held } else { bit(self, other)? };
            script.shift_bits(shifted, from, step, t);
            script.join_bits(all, joined, (held, shifted), [t, u]);
            free.retain(|&bit| bit != joined);
            if held != bit(self, first)? {
                free.push(held);
            }
            held = joined;
        }
        let sources: BTreeSet<PlaneId> = of.iter().map(|(other, _)| *other).collect();
        for source in sources {
            self.consume(source);
        }
        self.registers.hold_bit(held, Some(plane));
        self.stage(script, &[plane], 0, Work::Operation)?;
        self.surround(plane)
    }

    pub(super) fn spread(&mut self, plane: PlaneId, number: &Number) -> Result<(), Failure> {
        let reg = self.free(plane)?;
        let step = f64::from(number.step().unwrap_or_default());
        let mut script = Script::default();
        // Bits are added from the highest on, which may count negative, so that no intermediate value exceeds the final
        // ones.
        for (bit, &of) in number.bits.iter().enumerate().rev() {
            let register = self.registers.bit(of).ok_or(Failure::Bits(plane))?;
            let level = Constant::whole(step * f64::from(number.weight(bit))).level;
            if bit + 1 == number.bits.len() {
                script.spread(reg, register, level);
            } else {
                script.add_where(reg, register, level);
            }
        }
        number.bits.iter().for_each(|&bit| self.consume(bit));
        self.registers.hold(reg, Some(plane));
        self.stage(script, &[plane], 0, Work::Operation)?;
        self.surround(plane)
    }
}

/// The constant that values exceed if and only if their numbers are above `at`, or equal to it if `inclusive`.
pub(super) fn above(level: &Level, at: f64, inclusive: bool) -> Constant {
    let at = level.value(at);
    match level.lattice.and_then(|lattice| lattice.around(at, inclusive)) {
        Some((below, next)) => Constant::between(below, next),
        None => level.constant(at),
    }
}

/// The steps by which a PE's own value grows to that of a rectangle: each combines the present result with the one at a
/// displacement.
fn growth(window: impl Iterator<Item = Displacement>) -> Vec<Displacement> {
    let places: Vec<Displacement> = window.collect();
    let axis = |along: fn(&Displacement) -> i16, step: fn(i16) -> Displacement| {
        let places: BTreeSet<i16> = places.iter().map(along).collect();
        let places: Vec<i16> = places.into_iter().collect();
        let spacing = places.windows(2).map(|pair| pair[1] - pair[0]).next().unwrap_or(1);
        let count = |ends: Option<&i16>| ends.map_or(0, |end| (end / spacing).abs());
        let (below, above) = (count(places.first()), count(places.last()));
        let mut steps = vec![];
        let (mut low, mut high) = (0, 0);
        while high < above {
            let far = (low + high + 1).min(above - high);
            steps.push(step(far * spacing));
            high += far;
        }
        while low < below {
            let far = (low + high + 1).min(below - low);
            steps.push(step(-far * spacing));
            low += far;
        }
        steps
    };
    let mut steps = axis(|place| place.x, |x| Displacement::new(x, 0));
    steps.extend(axis(|place| place.y, |y| Displacement::new(0, y)));
    steps
}
