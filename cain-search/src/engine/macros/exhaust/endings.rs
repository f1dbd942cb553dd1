//! The search for the last two combinations before a single wanted value, with divisions around them; the proof is in
//! [`super`].

use std::ops::ControlFlow;

use super::candidates::{Candidate, Made};
use super::search::{End, Node, Search};
use super::size::Floor;
use super::values::{Index, Instruction};
use super::wanted::{Ending, Wanted, Way};
use crate::engine::image::Image;
use crate::engine::terms;

/// Operands are looked up once at most this many combinations are left.
const COMBINATIONS: u32 = 2;

impl Search<'_> {
    /// Records the endings, and the values from which each of them can be made without others.
    pub(super) fn begin_endings(&mut self, length: u32) {
        let ([wanted], Some(_), None) = (self.wanted.as_slice(), self.values.machine.divide, self.values.machine.halve)
        else {
            return;
        };
        let most = self.start.divisions(&self.wanted);
        // If there is nothing to divide, `finish` looks up the operands.
        if most == 0 || most + COMBINATIONS > length {
            return;
        }
        let mut endings = Vec::new();
        for divisions in 0..=most {
            let signs: &[i32] = if divisions == 0 { &[1] } else { &[1, -1] };
            for sign in signs {
                let mut terms = Vec::new();
                if !terms::scaled(&mut terms, &wanted.terms, sign << divisions, 0) {
                    return;
                }
                let goals = Wanted::all(&[terms], &self.values.machine);
                endings.extend(goals.into_iter().map(|goal| Ending { divisions, goal }));
            }
        }
        for divisions in 0..=most {
            let factors: Vec<Image> = self.factors(most - divisions).into_iter().map(Image::inverse).collect();
            for ending in endings.iter().filter(|ending| ending.divisions == divisions) {
                for &inverse in &factors {
                    self.ways.push(ending.goal.image * inverse, divisions);
                }
            }
        }
        let powers = std::iter::successors(Some(Image::ONE.double()), |&power| Some(power.double()));
        let odd = powers.take(most as usize).flat_map(|power| [power + Image::ONE, power - Image::ONE]);
        self.inverses = odd.map(Image::inverse).collect();
        self.endings = endings;
    }

    /// The factors by which one combination can multiply a value u, using only u and values that led to it through
    /// `divisions` divisions: their operands and what they left on the way. If there are such values, −u is known as
    /// well, so signs do not matter. A few factors too many do no harm: they only decide what is tried.
    fn factors(&self, divisions: u32) -> Vec<Image> {
        let machine = &self.values.machine;
        let powers = || std::iter::successors(Some(Image::ONE), |&power| Some(power.double()));
        // The values u, −u, 2u, −2u, ...
        let both = powers().take(divisions as usize + 1).flat_map(|power| [power, -power]);
        let members: Vec<Image> = both.filter(|&member| divisions > 0 || member == Image::ONE).collect();
        let mut factors = vec![-Image::ONE];
        let shifted = machine.shifts.iter().zip(machine.adds.iter().zip(&machine.subtracts)).zip(&machine.moves);
        for ((shift, (add, subtract)), mov) in shifted {
            if mov.is_some() {
                factors.push(shift.image);
            }
            for &member in &members {
                if subtract.is_some() {
                    factors.push(shift.image - member);
                    factors.push(shift.image * member - Image::ONE);
                }
                if add.is_some() && divisions > 0 {
                    factors.push(shift.image * (member + Image::ONE));
                }
            }
        }
        if machine.add3.is_some() && divisions > 0 {
            let pairs = members.iter().flat_map(|&a| members.iter().map(move |&b| a + b));
            factors.extend(pairs.map(|sum| sum + Image::ONE));
        }
        factors.retain(|&factor| factor != Image::ZERO);
        factors
    }

    /// Whether at most two combinations can be left, with `left` instructions to come.
    pub(super) fn is_near(&self, left: u32, node: &Node) -> bool {
        !self.endings.is_empty() && left.saturating_sub(node.state.divisions(&self.wanted)) <= COMBINATIONS
    }

    /// Records the values from which one combination can make an ending with the help of a new value.
    pub(super) fn note_ways(&mut self, node: &Node) {
        if self.endings.is_empty() {
            return;
        }
        let most = node.state.divisions(&self.wanted);
        let Self { endings, ways, values, copied, inverses, .. } = self;
        for ending in endings.iter().filter(|ending| ending.divisions <= most) {
            for v in values.indices(node.new) {
                values.needed_with(&ending.goal, v, |_, image| ways.push(image, ending.divisions));
                // The value v and two values that divisions left, such as u + 2u: one value multiplied by an odd
                // number.
                if values.machine.add3.is_some() {
                    let rest = ending.goal.image - values.known(v).image;
                    let before = (most - ending.divisions) as usize;
                    for &inverse in inverses.iter().take(2 * before) {
                        ways.push(rest * inverse, ending.divisions);
                    }
                }
            }
            for &a in &copied[node.copied..] {
                values.needed_with_copies(&ending.goal, a, |_, image| ways.push(image, ending.divisions));
            }
        }
    }

    /// Handles a point from which at most two combinations lead to the wanted value.
    pub(super) fn end(&mut self, left: u32, node: &Node) -> ControlFlow<End> {
        self.spend(1)?;
        let mark = self.values.mark();
        let [candidates, by_result, choices] = [self.candidates.len(), self.by_result.len(), self.choices.len()];
        let floor = node.state.floor(&self.wanted, left - 1);
        for v in self.values.indices(node.fresh) {
            self.add_halves(v);
        }
        for candidate in candidates..self.candidates.len() {
            self.choose(candidate, left - 1, node, &floor);
        }
        for at in node.choices.clone() {
            let candidate = self.choices[at].candidate;
            if !matches!(self.candidates[candidate].made, Made::Halves(..)) {
                break;
            }
            self.choose(candidate, left - 1, node, &floor);
        }
        let divisions = self.choices.len();
        self.choose_combinations(left, node, &floor);
        let end = self.choices.len();
        for at in choices..end {
            // A combination that is passed over here is of no use after a division either. The reverse does not hold,
            // because what comes after a combination divides its result.
            let later = if at < divisions { at + 1..divisions } else { end..end };
            self.follow(left - 1, self.choices[at], later, node, false)?;
        }
        self.values.rewind(mark);
        self.candidates.truncate(candidates);
        self.by_result.truncate(by_result);
        self.choices.truncate(choices);
        ControlFlow::Continue(())
    }

    /// Chooses the combinations that may be the last one or the last but one.
    fn choose_combinations(&mut self, left: u32, node: &Node, floor: &Floor) {
        let after = left - 1;
        let combinations = left.saturating_sub(node.state.divisions(&self.wanted));
        let mut made = Vec::new();
        let ways = self.ways.len();
        match combinations {
            0 => return,
            1 => self.make(node, floor, |image| self.divides_to(image, after), &mut made),
            _ => {
                self.note_ways(node);
                let leads = |image| self.leads_on(image, after - 1) || self.divides_to(image, after);
                self.make(node, floor, leads, &mut made);
                let (old, copies) = (self.old_ones(ways, after - 1), self.copies(node, after - 1));
                self.ways.truncate(ways);
                for candidate in old {
                    self.choose(candidate, after, node, floor);
                }
                for value in copies {
                    let instruction = Instruction::new(self.values.machine.copy, [value]);
                    self.candidates.push(Candidate { instruction, made: Made::Copy });
                    self.choose(self.candidates.len() - 1, after, node, floor);
                }
            }
        }
        let new = self.candidates.len();
        for (instruction, image) in made {
            self.add_value(instruction, image);
        }
        for candidate in new..self.candidates.len() {
            self.choose(candidate, after, node, floor);
        }
    }

    /// Finds combinations that use something new and whose image satisfies `is`.
    fn make(&self, node: &Node, floor: &Floor, is: impl Fn(Image) -> bool, made: &mut Vec<(Instruction, Image)>) {
        let mut sink = |instruction, image| {
            if is(image) {
                made.push((instruction, image));
            }
        };
        for v in self.values.indices(node.new) {
            self.values.made_with(v, floor, &mut sink);
        }
        for &a in &self.copied[node.copied..] {
            self.values.made_with_copies(a, &mut sink);
        }
    }

    /// Whether so many divisions turn the value into the wanted one.
    fn divides_to(&self, image: Image, divisions: u32) -> bool {
        let goal = doubled(self.wanted[0].image, divisions);
        image == goal || (divisions > 0 && image == -goal)
    }

    /// Whether one combination and so many divisions may turn the value into the wanted one.
    #[inline]
    fn leads_on(&self, image: Image, divisions: u32) -> bool {
        let has = |image: Image, way: Way| self.ways.may_have(image) && self.ways.get(image).any(|&other| other == way);
        let mut half = image;
        has(half, divisions)
            || (1..=divisions).any(|before| {
                half = half.half();
                has(half, divisions - before) || has(-half, divisions - before)
            })
    }

    /// The earlier candidates that lead on through those ways that were recorded after the first `ways`.
    fn old_ones(&self, ways: usize, divisions: u32) -> Vec<usize> {
        let mut found = Vec::new();
        for (image, &way) in self.ways.after(ways).filter(|(_, way)| **way <= divisions) {
            let whole = doubled(image, divisions - way);
            let signs: &[Image] = if way == divisions { &[whole] } else { &[whole, -whole] };
            for &image in signs {
                let is_value = |&&at: &&usize| matches!(self.candidates[at].made, Made::Value(_));
                found.extend(self.by_result.get(image).filter(is_value));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The values that make an ending of so many divisions if they are in two registers.
    fn copies(&self, node: &Node, divisions: u32) -> Vec<Index> {
        let mut pairs = Vec::new();
        for ending in self.endings.iter().filter(|ending| ending.divisions == divisions) {
            for v in self.values.indices(node.new) {
                self.double(ending.goal.image, v, &mut pairs);
                self.double_and_add(ending.goal.image, v, &mut pairs);
            }
        }
        let mut copies: Vec<Index> = pairs.iter().flat_map(|(copy, _)| copy.operands()).collect();
        copies.retain(|&value| self.values.registers(value) == 1);
        copies.sort_unstable();
        copies.dedup();
        copies
    }
}

fn doubled(image: Image, times: u32) -> Image {
    (0..times).fold(image, |image, _| image.double())
}
