//! Places where levels reach outputs, and how much of them arrives there.

use std::collections::{BTreeMap, BTreeSet};

use cain_isa::{Fraction, Machine, Store};
use cain_search::Proved;

use super::reading::Place;

/// A place where a level can be read, and its factor in each output.
#[derive(Clone)]
pub(super) struct Room {
    pub(super) place: Place,
    pub(super) gains: Vec<Fraction>,
}

/// For each instruction of a program, the factors with which another source of its word would reach the outputs.
pub(super) struct Reach {
    machine: Machine,
    /// Behind the factors of the outputs stand those of the inputs that are kept.
    factors: Vec<Vec<Fraction>>,
    outputs: usize,
}

impl Reach {
    /// Follows a program back from its end; `None` if a factor is no fraction any more.
    pub(super) fn of(program: &Proved) -> Option<Self> {
        let declaration = program.declaration();
        let outputs = declaration.outputs.iter().map(|output| output.reg);
        let kept = declaration.inputs.iter().filter(|input| input.keep).map(|input| input.reg);
        let ends: Vec<Store> = outputs.chain(kept).map(Store::Reg).collect();
        let nothing = || vec![Fraction::ZERO; ends.len()];
        let mut cells: BTreeMap<Store, Vec<Fraction>> = BTreeMap::new();
        for (end, store) in ends.iter().enumerate() {
            cells.entry(*store).or_insert_with(nothing)[end] = Fraction::ONE;
        }
        let mut factors = vec![];
        for instruction in program.listing().iter().rev() {
            let words: Vec<_> = instruction.words().collect();
            let mut more = nothing();
            for word in words.iter().rev() {
                more = nothing();
                // No word reads what it writes.
                let written: Vec<_> = word.transfers().filter_map(|it| Some((it, cells.remove(&it.store)?))).collect();
                for (transfer, after) in written {
                    let before = scaled(&after, transfer.factor())?;
                    add(&mut more, &before)?;
                    for (source, _) in transfer.terms() {
                        add(cells.entry(*source).or_insert_with(nothing), &before)?;
                    }
                }
            }
            factors.push(more);
        }
        factors.reverse();
        Some(Self { machine: declaration.machine, factors, outputs: declaration.outputs.len() })
    }

    /// The factor of a level in each output, if it is read in that place; `None` if it reaches none, or an input that is kept.
    pub(super) fn gains(&self, place: Place) -> Option<Vec<Fraction>> {
        if place.words().iter().any(|word| self.machine.allows_word(word).is_err()) {
            return None;
        }
        let part = place.before.and_then(|before| before.transfers().next()).map_or(Fraction::ONE, |it| it.factor());
        let mut gains = scaled(self.factors.get(place.index)?, part)?;
        let is_nothing = |gains: &[Fraction]| gains.iter().all(|gain| gain.is_zero());
        let kept = gains.split_off(self.outputs);
        (is_nothing(&kept) && !is_nothing(&gains)).then_some(gains)
    }

    /// The places where a level has an effect; one for each combination of factors.
    pub(super) fn rooms(&self, places: Vec<Place>) -> Vec<Room> {
        let mut rooms: Vec<Room> = vec![];
        // Which cells hold a part of a level makes no difference to its factors.
        let mut known = BTreeSet::new();
        for place in places {
            let kind = (place.index, place.before.map(|before| before.destinations().len()));
            if known.contains(&kind) {
                continue;
            }
            let Some(gains) = self.gains(place) else { continue };
            known.insert(kind);
            if rooms.iter().all(|other| other.gains != gains) {
                rooms.push(Room { place, gains });
            }
        }
        rooms
    }
}

fn scaled(gains: &[Fraction], factor: Fraction) -> Option<Vec<Fraction>> {
    gains.iter().map(|gain| gain.checked_mul(factor)).collect()
}

/// Adds each to each.
fn add(sums: &mut [Fraction], gains: &[Fraction]) -> Option<()> {
    for (sum, gain) in sums.iter_mut().zip(gains) {
        *sum = sum.checked_add(*gain)?;
    }
    Some(())
}

/// Whether a level with these factors reaches one output alone.
pub(super) fn is_own(gains: &[Fraction], output: usize) -> bool {
    gains.iter().enumerate().all(|(i, gain)| (i == output) != gain.is_zero())
}

#[cfg(test)]
mod tests {
    use cain_analysis::prove::{Atom, Polynomial};
    use cain_isa::asm::{A, B, C, D, E};
    use cain_isa::{Displacement, Fraction, Machine};
    use cain_search::{Declaration, Input, Options, Output, search};

    use super::super::reading::{Reading, direct_places, follow, longer_places};
    use super::Reach;

    fn kernel(terms: &[(i16, i16, i32)]) -> Polynomial {
        let mut kernel = Polynomial::new();
        for &(x, y, weight) in terms {
            let atom = Atom { channel: 0, displacement: Displacement::new(x, y) };
            kernel.add_term(atom, Fraction::new(weight.into(), 4).unwrap()).unwrap();
        }
        kernel
    }

    /// The prover follows a level forward from each place.
    #[test]
    fn factors_are_those_that_are_proved() {
        let kernels =
            [kernel(&[(0, 0, 2), (1, 0, 1), (-1, 0, 1), (0, 1, -3)]), kernel(&[(0, 0, 1), (1, 1, -2), (0, -1, 1)])];
        let (mut compared, mut fractions) = (0, 0);
        for keep in [false, true] {
            let declaration = Declaration {
                name: "sums".into(),
                inputs: vec![Input { reg: A, keep }],
                outputs: [B, C]
                    .into_iter()
                    .zip(&kernels)
                    .map(|(reg, kernel)| Output { reg, kernel: kernel.clone() })
                    .collect(),
                scratch: vec![D, E],
                machine: Machine::SCAMP5,
                options: Options { nodes: 300, ..Options::default() },
            };
            let program = search(&declaration).unwrap().program;
            let reach = Reach::of(&program).unwrap();
            for place in [direct_places(&program), longer_places(&program)].concat() {
                let reading = [Reading { place, level: 0, errors: [Fraction::ZERO; 3] }];
                let proved = follow(&declaration, program.listing(), &reading).map(|values| {
                    let levels = |output: &Polynomial| {
                        let mut terms = output.terms().filter(|(atom, _)| atom.channel == 1);
                        terms.try_fold(Fraction::ZERO, |sum, (_, weight)| sum.checked_add(weight)).unwrap()
                    };
                    values.outputs.iter().map(levels).collect::<Vec<_>>()
                });
                let proved = proved.filter(|gains| gains.iter().any(|gain| !gain.is_zero()));
                assert_eq!(reach.gains(place), proved, "{keep} {place:?}\n{:?}", program.listing());
                compared += 1;
                fractions +=
                    usize::from(proved.is_some_and(|gains| gains.iter().all(|gain| gain.abs() < Fraction::ONE)));
            }
        }
        assert!(compared > 50 && fractions > 5, "{compared} {fractions}");
    }
}
