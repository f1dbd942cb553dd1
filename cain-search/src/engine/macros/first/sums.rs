//! Programs that build kernels as walking sums.

use cain_isa::{Instruction, Reg};

use super::walking::{Places, WalkingSum};
use super::{MAX_ADDITIONS, Sequence};
use crate::engine::terms::{self, Term};

/// The number of places at which a walking sum may begin, each with a program of its own, and the most weights that all
/// these sums may have together.
const MAX_STARTS: usize = 32;
const MAX_TRIED: usize = 1024;

impl Sequence<'_> {
    /// The shortest program whose walking sum is halved between digits.
    pub(super) fn sum_halved(&self, terms: &[Term], free: &[Reg]) -> Option<(Reg, Vec<Instruction>)> {
        let scale = self.scale;
        let mut digits: Vec<Places> = Vec::new();
        for &(key, weight) in terms {
            self.put(&mut digits, key, &signed_digits(weight))?;
        }
        let halvings = usize::try_from(scale).ok()?.max(digits.len() - 1);
        shortest(&digits, |start| {
            let (&sum, mut spare) = (free.first()?, free.get(1).copied());
            let mut sum = WalkingSum::new(self.forms, sum);
            for bit in 0..=halvings {
                if sum.has_begun() {
                    spare = Some(sum.halve(spare?)?);
                }
                sum.add_up(digits.get(bit).cloned().unwrap_or_default(), start)?;
            }
            sum.come_home()?;
            for _ in usize::try_from(scale).ok()?..halvings {
                sum.double(spare?)?;
            }
            Some(sum)
        })
    }

    /// The shortest program that adds inputs to a walking sum and halves the inputs between digits.
    pub(super) fn input_halved(&self, terms: &[Term], free: &[Reg]) -> Option<(Reg, Vec<Instruction>)> {
        let scale = usize::try_from(self.scale).ok()?;
        let additions: u64 = terms.iter().map(|term| u64::from(term.1.unsigned_abs() >> scale)).sum();
        if additions > MAX_ADDITIONS {
            return None;
        }
        let channels: Vec<&[Term]> = terms.chunk_by(|a, b| terms::channel(a.0) == terms::channel(b.0)).collect();
        let mut digits: Vec<Vec<Places>> = Vec::new();
        for run in &channels {
            let mut of_channel = vec![Places::default(); scale + 1];
            for &(key, weight) in *run {
                let ones = weight.abs() >> scale;
                let mut bits: Vec<i32> = (0..scale).map(|bit| weight.signum() * (weight.abs() >> bit & 1)).collect();
                bits.push(weight.signum() * ones);
                self.put(&mut of_channel, key, &bits)?;
            }
            digits.push(of_channel);
        }
        shortest(digits.first()?.as_slice(), |start| {
            let mut sum = WalkingSum::new(self.forms, *free.first()?);
            for (run, of_channel) in channels.iter().zip(&digits) {
                let input = self.input(terms::channel(run.first()?.0))?.reg;
                let (mut walker, mut spare) = (input, free.get(1).copied());
                for (bit, places) in of_channel.iter().enumerate().rev() {
                    sum.add_up(with_register(places, walker), start)?;
                    if of_channel[..bit].iter().all(Places::is_empty) {
                        break;
                    }
                    let halved = spare?;
                    sum.halve_value(walker, halved)?;
                    spare = if walker == input { free.get(2).copied() } else { Some(walker) };
                    walker = halved;
                }
            }
            sum.come_home()?;
            Some(sum)
        })
    }

    /// Adds the digits of a weight, lowest first, to the summands at its place.
    fn put(&self, digits: &mut Vec<Places>, key: u32, of_weight: &[i32]) -> Option<()> {
        let (reg, at) = (self.input(terms::channel(key))?.reg, terms::displacement(key));
        digits.resize(digits.len().max(of_weight.len()), Places::default());
        for (places, &digit) in digits.iter_mut().zip(of_weight).filter(|(_, digit)| **digit != 0) {
            let summands = places.get_or_default((at.x, at.y));
            let side = if digit > 0 { &mut summands.plus } else { &mut summands.minus };
            side.extend((0..digit.unsigned_abs()).map(|_| reg));
        }
        Some(())
    }
}

/// The shortest program of a walking sum, over the places where it may begin.
fn shortest<'a>(
    digits: &[Places],
    sum: impl Fn((i16, i16)) -> Option<WalkingSum<'a>>,
) -> Option<(Reg, Vec<Instruction>)> {
    let weights: usize = digits.iter().map(Places::len).sum();
    let most = (MAX_TRIED / weights.max(1)).clamp(1, MAX_STARTS);
    let starts = digits.iter().find(|places| !places.is_empty())?.keys().take(most);
    let sums = starts.filter_map(|&start| sum(start));
    sums.map(|sum| (sum.reg, sum.program)).min_by_key(|(_, program)| program.len())
}

/// The signed binary digits of a weight, lowest first: −1, 0 and 1, with as few non-zero digits as possible.
fn signed_digits(weight: i32) -> Vec<i32> {
    let (mut rest, mut digits) = (i64::from(weight), Vec::new());
    while rest != 0 {
        let digit = if rest % 2 == 0 { 0 } else { 2 - rest.rem_euclid(4) };
        digits.push(if digit > 0 { 1 } else { -i32::from(digit < 0) });
        rest = (rest - digit) / 2;
    }
    digits
}

/// The same summands, with another register instead of the input's.
fn with_register(places: &Places, reg: Reg) -> Places {
    let mut places = places.clone();
    for summands in places.values_mut() {
        summands.plus.iter_mut().chain(&mut summands.minus).for_each(|summand| *summand = reg);
    }
    places
}

#[cfg(test)]
mod tests {
    use super::signed_digits;

    #[test]
    fn signed_digits_of_weights() {
        for weight in -40..=40 {
            let digits = signed_digits(weight);
            assert_eq!(digits.iter().rev().fold(0, |sum, digit| 2 * sum + digit), weight);
            assert!(digits.windows(2).all(|pair| pair[0] == 0 || pair[1] == 0), "{weight}: {digits:?}");
        }
    }
}
