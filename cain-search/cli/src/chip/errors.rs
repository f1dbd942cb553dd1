//! How far the results of a program are from those without errors.

use std::collections::BTreeMap;

use cain_runtime::pictures::Deviation;
use cain_search::thousandths;
use cain_vision::declaration::Declaration;
use cain_vision::reference::{Answer, Content};

use super::figures::{END, Figures, Found, ResultRecord};
use crate::share::{mean, millionths, share, together};

/// The results with errors and without, in the frames so far.
pub(crate) struct Errors {
    results: Vec<(String, Vec<Differing>)>,
}

/// How far a result is from that without errors, in a frame.
#[derive(Clone, Debug)]
enum Differing {
    Levels(Levels),
    Bits(Parts),
    /// Lists, and places of bits: an entry is right if its numbers are within 1 and 5 % of those without errors.
    Entries(Parts),
    /// By how much numbers are off on the average, and how large they are; nothing if there are none in one of both.
    Numbers(Option<(f64, f64)>),
}

/// How far levels are from those without errors: the figures, the mean and the variance of those without errors, and the mean of
/// the squared errors that PEs have whose level is at an end of the range without errors, and 0 for others.
#[derive(Clone, Copy, Debug)]
struct Levels {
    figures: Deviation,
    mean: f64,
    variance: f64,
    ends: f64,
}

/// Of how many things how many there are without errors, how many are found, and how many of these are right.
#[derive(Clone, Copy, Debug, Default)]
struct Parts {
    all: usize,
    wanted: usize,
    found: usize,
    both: usize,
}

impl Errors {
    pub(crate) fn new(declaration: &Declaration) -> Self {
        Self { results: declaration.results.iter().map(|result| (result.name.clone(), Vec::new())).collect() }
    }

    /// Adds the results of a frame, with errors and without.
    pub(crate) fn frame(&mut self, found: &[Answer], wanted: &[Answer]) {
        for ((_, frames), (found, wanted)) in self.results.iter_mut().zip(found.iter().zip(wanted)) {
            frames.extend(Differing::of(found, wanted));
        }
    }

    /// What is told of each result, and forgets the frames.
    pub(crate) fn take(&mut self) -> Vec<ResultRecord> {
        let records = self.records();
        self.results.iter_mut().for_each(|(_, frames)| frames.clear());
        records
    }

    /// What is told of each result.
    pub(crate) fn records(&self) -> Vec<ResultRecord> {
        let record = |(name, frames): &(String, Vec<Differing>)| {
            Some(ResultRecord { name: name.clone(), of: Figures::over(frames)? })
        };
        self.results.iter().filter_map(record).collect()
    }
}

impl Differing {
    fn of(found: &Answer, wanted: &Answer) -> Option<Self> {
        Some(match (found, wanted) {
            (Answer::One(Content::Levels(found)), Answer::One(Content::Levels(wanted))) => {
                Self::Levels(Levels::of(found, wanted)?)
            }
            (Answer::One(Content::Bits(found)), Answer::One(Content::Bits(wanted))) => {
                let ones = |bits: &[bool]| bits.iter().filter(|bit| **bit).count();
                let both = found.iter().zip(wanted).filter(|(found, wanted)| **found && **wanted).count();
                Self::Bits(Parts { all: found.len(), wanted: ones(wanted), found: ones(found), both })
            }
            (Answer::One(Content::Number(found)), Answer::One(Content::Number(wanted))) => {
                Self::numbers(&[*found], &[*wanted])
            }
            // The last number tells whether there are any.
            (Answer::Several(found), Answer::Several(wanted)) => match (found.split_last()?, wanted.split_last()?) {
                ((1, found), (1, wanted)) => Self::numbers(found, wanted),
                ((0, _), (0, _)) => return None,
                _ => Self::Numbers(None),
            },
            (Answer::List(found), Answer::List(wanted)) => {
                let both = in_both(found, wanted);
                Self::Entries(Parts { all: wanted.len(), wanted: wanted.len(), found: found.len(), both })
            }
            _ => return None,
        })
    }

    fn numbers(found: &[i64], wanted: &[i64]) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "numbers of a controller are small")]
        let size = |number: i64| number.unsigned_abs() as f64;
        let off = found.iter().zip(wanted).map(|(found, wanted)| size(found.saturating_sub(*wanted)));
        Self::Numbers(mean(off).zip(mean(wanted.iter().copied().map(size))))
    }
}

impl Levels {
    fn of(found: &[f64], wanted: &[f64]) -> Option<Self> {
        #[expect(clippy::cast_possible_truncation, reason = "levels are of single precision")]
        let pairs = found.iter().zip(wanted).map(|(found, wanted)| (*found as f32, *wanted as f32));
        let mean = mean(wanted.iter().copied())?;
        let variance = self::mean(wanted.iter().map(|level| (level - mean).powi(2)))?;
        let at_end = |(found, wanted): (&f64, &f64)| if wanted.abs() > END { (found - wanted).powi(2) } else { 0.0 };
        let ends = self::mean(found.iter().zip(wanted).map(at_end))?;
        Some(Self { figures: Deviation::of(pairs)?, mean, variance, ends })
    }

    /// Those of several frames together.
    fn together(frames: &[Self]) -> Option<Self> {
        let figures = together(frames.iter().map(|frame| frame.figures))?;
        let middle = mean(frames.iter().map(|frame| frame.mean))?;
        let variance = mean(frames.iter().map(|frame| frame.variance + (frame.mean - middle).powi(2)))?;
        let ends = mean(frames.iter().map(|frame| frame.ends))?;
        Some(Self { figures, mean: middle, variance, ends })
    }
}

impl Figures {
    /// Those of several frames together.
    fn over(frames: &[Differing]) -> Option<Self> {
        let parts = || {
            let parts = frames.iter().filter_map(|frame| match frame {
                Differing::Bits(parts) | Differing::Entries(parts) => Some(*parts),
                _ => None,
            });
            parts.fold(Parts::default(), Parts::and)
        };
        Some(match frames.first()? {
            Differing::Levels(_) => {
                let levels =
                    frames.iter().filter_map(|frame| if let Differing::Levels(of) = frame { Some(*of) } else { None });
                let Levels { figures: Deviation { rms, bias, .. }, variance, ends, .. } =
                    Levels::together(&levels.collect::<Vec<_>>())?;
                let ends = if rms > 0.0 { ends / rms.powi(2) } else { 0.0 };
                let [rms, bias, deviation, ends] = [rms, bias, variance.sqrt(), ends].map(thousandths);
                Self::Levels { rms, bias, deviation, ends }
            }
            Differing::Bits(_) => {
                let parts @ Parts { all, wanted, found, both } = parts();
                let [wrong, ones] = [wanted + found - 2 * both, wanted].map(|part| millionths(share(part, all)));
                Self::Bits { wrong, ones, found: parts.found() }
            }
            Differing::Entries(_) => Self::Entries(parts().found()),
            Differing::Numbers(_) => {
                let numbers = || {
                    frames.iter().filter_map(|frame| match frame {
                        Differing::Numbers(numbers) => *numbers,
                        _ => None,
                    })
                };
                let [off, size] = [mean(numbers().map(|(off, _)| off)), mean(numbers().map(|(_, size)| size))];
                let odd = share(frames.len() - numbers().count(), frames.len());
                let [off, size] = [off, size].map(|number| thousandths(number.unwrap_or(0.0)));
                Self::Numbers { off, size, odd: millionths(odd) }
            }
        })
    }
}

/// How many entries are in both lists, each once: their numbers differ at most by 1 and a twentieth.
fn in_both(found: &[Vec<i64>], wanted: &[Vec<i64>]) -> usize {
    let near = |wanted: i64| 1 + wanted.saturating_abs() / 20;
    let is_near = |found: &[i64], wanted: &[i64]| {
        found.len() == wanted.len()
            && found
                .iter()
                .zip(wanted)
                .all(|(found, wanted)| found.saturating_sub(*wanted).saturating_abs() <= near(*wanted))
    };
    let mut left: BTreeMap<i64, Vec<&[i64]>> = BTreeMap::new();
    for entry in found {
        left.entry(entry.first().copied().unwrap_or_default()).or_default().push(entry);
    }
    let taken = wanted.iter().filter(|entry| {
        let first = entry.first().copied().unwrap_or_default();
        let range = first.saturating_sub(near(first))..=first.saturating_add(near(first));
        left.range_mut(range).any(|(_, entries)| {
            let place = entries.iter().position(|found| is_near(found, entry));
            place.map(|place| entries.swap_remove(place)).is_some()
        })
    });
    taken.count()
}

impl Parts {
    fn and(self, other: Self) -> Self {
        Self {
            all: self.all + other.all,
            wanted: self.wanted + other.wanted,
            found: self.found + other.found,
            both: self.both + other.both,
        }
    }

    fn found(self) -> Found {
        let Self { wanted, found, both, .. } = self;
        Found { missed: millionths(share(wanted - both, wanted)), surplus: millionths(share(found - both, found)) }
    }
}

#[cfg(test)]
mod tests {
    use super::{Answer, Content, Differing, Figures, Found};

    fn over(frames: &[(Answer, Answer)]) -> Figures {
        let frames: Vec<Differing> = frames.iter().filter_map(|(found, wanted)| Differing::of(found, wanted)).collect();
        Figures::over(&frames).unwrap()
    }

    fn levels(levels: [f64; 2]) -> Answer {
        Answer::One(Content::Levels(levels.to_vec()))
    }

    fn bits(bits: [u8; 4]) -> Answer {
        Answer::One(Content::Bits(bits.map(|bit| bit == 1).to_vec()))
    }

    #[test]
    fn levels_of_all_frames() {
        let frames = [(levels([1.0, 3.0]), levels([0.0, 0.0])), (levels([10.0, 10.0]), levels([10.0, 10.0]))];
        let figures = over(&frames);
        // Of 1, 9, 0 and 0 the mean is 2.5; levels of 0, 0, 10 and 10 are 5 from their mean.
        assert_eq!(figures, Figures::Levels { rms: 1.581, bias: 1.0, deviation: 5.0, ends: 0.0 });
        assert_eq!(figures.told(), "errors of 1.6 DN, +1.0 DN on the average, in levels that vary by 5.0 DN");
        assert_eq!(figures.is_lost(), None);
        assert!(over(&[(levels([9.0, 0.0]), levels([0.0, 4.0]))]).is_lost().is_some());
    }

    #[test]
    fn errors_at_the_ends_of_the_range_are_told() {
        // 400 of 416 of their squares, in the first of two frames.
        let frames = [(levels([-100.0, 54.0]), levels([-120.0, 50.0])), (levels([0.0, 9.0]), levels([0.0, 9.0]))];
        let figures = over(&frames);
        assert_eq!(
            figures.told(),
            "errors of 10.2 DN, +6.0 DN on the average, in levels that vary by 63.3 DN; 96.2 % of their squares at levels \
             beyond ±100 DN, which a chip does not keep"
        );
        assert!(!over(&[(levels([-99.0, 54.0]), levels([-80.0, 50.0]))]).told().contains("chip"));
    }

    #[test]
    fn bits_of_all_frames() {
        let frames = [(bits([1, 0, 0, 1]), bits([1, 1, 0, 0])), (bits([1, 0, 0, 0]), bits([1, 0, 0, 0]))];
        let figures = over(&frames);
        let found = Found { missed: 0.333_333, surplus: 0.333_333 };
        assert_eq!(figures, Figures::Bits { wrong: 0.25, ones: 0.375, found });
        assert_eq!(
            figures.told(),
            "25.0 % of the bits wrong; 33.3 % of the ones missed, 33.3 % of those found wrong; 37.5 % are 1"
        );
        assert_eq!(over(&frames[1..]).told(), "as without errors");
        assert!(over(&[(bits([0, 1, 1, 0]), bits([1, 0, 0, 0]))]).is_lost().is_some());
    }

    #[test]
    fn numbers_and_entries_of_all_frames() {
        let several = |numbers: &[i64]| Answer::Several(numbers.to_vec());
        let frames = [(several(&[4, 5, 1]), several(&[4, 7, 1])), (several(&[0, 0, 0]), several(&[2, 3, 1]))];
        let figures = over(&frames);
        assert_eq!(figures, Figures::Numbers { off: 1.0, size: 5.5, odd: 0.5 });
        assert_eq!(figures.told(), "off by 1.0 of 5.5; there or not there by mistake in 50.0 % of the frames");
        let list = |entries: &[i64]| Answer::List(entries.iter().map(|entry| vec![*entry]).collect());
        // Each is found once, and large ones are found where they are near.
        let found = over(&[(list(&[1, 1, 205, 60]), list(&[1, 7, 200]))]);
        assert_eq!(found, Figures::Entries(Found { missed: 0.333_333, surplus: 0.5 }));
        assert_eq!(found.told(), "33.3 % of the entries missed, 50.0 % of those found wrong");
    }
}
