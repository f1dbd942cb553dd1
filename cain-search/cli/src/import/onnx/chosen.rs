//! Chooses the levels of the picture and the rounding of weights by the errors that are predicted for a chip.

use cain_codegen::kernel_file::write_network;
use cain_isa::Fraction;
use cain_onnx::{Choices, Imported};

use super::failed::{self, Failed};
use super::judged::{Candidate, Judged, sort, table};
use super::left_out::{LeftOut, Setting};
use super::pictures::Pictures;
use super::supervisor::Supervisor;
use super::tried::{compiled, decide, judge};

/// The levels of a black and of a white pixel among which is chosen, in DN; the other way round where a model takes smaller
/// numbers for white.
const LEVELS: [(f64, f64); 4] = [(-60.0, 60.0), (-120.0, 120.0), (0.0, 60.0), (0.0, 120.0)];

/// The depths among which is chosen, with all levels: the program for a sum, and so what offsets remain in it, depends on both.
const DEPTHS: [u32; 5] = [3, 4, 5, 6, 7];

/// The shares of what they could be that the largest sums of convolutions over maps have, among which is chosen for the best
/// candidates: the smaller, the larger values are, and the sooner they saturate.
const LARGEST_SUMS: [i64; 3] = [2, 4, 8];

/// For how many candidates, and how many words these may have together.
const WITH_SHARES: (usize, usize) = (4, 20_000);

/// The budget of each sum of a candidate. The network that is chosen keeps the one that it was judged with: other programs have
/// other errors.
const NODES: u64 = 1;

/// The budgets with which the best candidates are compiled again, for shorter programs with smaller errors, and how many of them.
/// The second one and those after it are tried as long as many classes are expected to change, and the one before has
/// [gained](Judged::gains_on) something for one of them.
const AGAIN: [(u64, usize); 3] = [(1000, 6), (10_000, 3), (30_000, 2)];

/// The most control words of candidates together that are compiled again with a larger budget.
const MOST_WORDS: usize = 4000;

/// What is given instead of being chosen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Given {
    pub(super) levels: Option<(f64, f64)>,
    pub(super) range: Option<(f64, f64)>,
    pub(super) binarise: Option<u8>,
    pub(super) depth: Option<u32>,
    pub(super) largest_sums: Option<Fraction>,
}

/// What is chosen among.
pub(super) struct Choosing<'r> {
    read: &'r dyn Fn(Choices) -> Result<Imported, String>,
    given: Given,
    first: Candidate,
    /// The levels and the depths.
    levels: Vec<(f64, f64)>,
    depths: Vec<Option<u32>>,
}

impl<'r> Choosing<'r> {
    /// Reads the model once. Weights that are multiples of 1/2^20 already are not rounded, unless a depth is given.
    pub(super) fn new(given: Given, read: &'r dyn Fn(Choices) -> Result<Imported, String>) -> Result<Self, String> {
        let any = given.levels.unwrap_or(LEVELS[0]);
        let (first, depths) = match given.candidate(any, given.depth, read) {
            Ok(first) => (first, vec![given.depth]),
            Err(problem) if given.depth.is_some() => return Err(problem),
            // What is wrong beside the weights is wrong at any depth.
            Err(_) => (given.candidate(any, Some(DEPTHS[0]), read)?, DEPTHS.map(Some).to_vec()),
        };
        let (black, white) = first.1.range;
        let turned = |(low, high): (f64, f64)| if white < black { (high, low) } else { (low, high) };
        let levels = given.levels.map_or_else(|| LEVELS.map(turned).to_vec(), |levels| vec![levels]);
        Ok(Self { read, given, first, levels, depths })
    }

    /// Whether weights are in files beside that of the network.
    pub(super) fn has_files(&self) -> bool {
        !write_network(&self.first.1.network, None, "").files.is_empty()
    }

    /// The rows and columns of the picture.
    pub(super) fn size(&self) -> (usize, usize) {
        let input = self.first.1.network.input;
        (input.height, input.width)
    }

    /// The best candidate, and remarks: a table of all if there are several, and what is expected on a chip. With a number
    /// of words, candidates with more are only taken if there are no others. No budget of a sum is larger than `most`.
    ///
    /// The error tells why none of several could be compiled.
    pub(super) fn best(
        self,
        pictures: &Pictures,
        words: Option<usize>,
        most: Option<u64>,
        supervisor: &Supervisor<'_>,
    ) -> Result<(Candidate, Vec<String>), String> {
        let (mut judged, mut left_out) = (Vec::new(), LeftOut::default());
        let (mut made, unread) = self.candidates(pictures);
        let tried = made.len();
        let mut first = if tried > 1 { NODES } else { most.unwrap_or(NODES) };
        let with = |places: std::ops::Range<usize>, nodes| places.map(|place| (place, nodes)).collect::<Vec<_>>();
        judge(&made, &with(0..tried, first), (pictures, supervisor), (&mut judged, &mut left_out))?;
        let longer = || AGAIN.iter().filter(|(nodes, _)| most.is_none_or(|most| *nodes <= most));
        if let Some((nodes, _)) = longer().next()
            && judged.is_empty()
            && failed::is_worth_another(&left_out.reasons())
        {
            (first, left_out) = (*nodes, LeftOut::default());
            judge(&made, &with(0..tried, first), (pictures, supervisor), (&mut judged, &mut left_out))?;
        }
        let failed = left_out.reasons();
        sort(&mut judged, words);
        if tried > 1 && self.given.largest_sums.is_none() && !judged.iter().any(Judged::is_good) {
            let from = made.len();
            let best = best_places(&judged, WITH_SHARES).into_iter().filter_map(|place| made.get(place));
            let more: Vec<Candidate> = best.flat_map(with_shares).collect();
            made.extend(more);
            judge(&made, &with(from..made.len(), first), (pictures, supervisor), (&mut judged, &mut left_out))?;
            sort(&mut judged, words);
        }
        let again = longer().filter(|(nodes, _)| tried > 1 && *nodes > first);
        let mut has_gained = true;
        for (number, (nodes, count)) in again.enumerate() {
            if number > 0 && (judged.is_empty() || judged.iter().any(Judged::is_good) || !has_gained) {
                break;
            }
            let best = best_places(&judged, (*count, MOST_WORDS)).into_iter().map(|place| (place, *nodes));
            let before = judged.len();
            judge(&made, &best.collect::<Vec<_>>(), (pictures, supervisor), (&mut judged, &mut left_out))?;
            let (before, now) = judged.split_at(before);
            has_gained = now.iter().any(|now| now.gains_on(before));
            sort(&mut judged, words);
        }
        decide(&made, &mut judged, words, (pictures, supervisor))?;
        let Some(best) = judged.first() else {
            return self.none(tried, &failed, supervisor);
        };
        let mut remarks = if tried > 1 { table(&judged) } else { vec![] };
        if remarks.len() > 1 || !unread.is_empty() {
            remarks.extend(unread.and(left_out).line(judged.len()));
        }
        remarks.push(best.line(pictures.what));
        remarks.extend(best.warning());
        if let Some(words) = words.filter(|words| best.words > *words) {
            remarks
                .push(format!("{} words are more than the {words} of `--words`; no candidate has fewer", best.words));
        }
        let (place, nodes) = (best.place, best.nodes);
        let (choices, mut imported) = made.into_iter().nth(place).unwrap_or(self.first);
        if tried > 1 || most.is_some() {
            imported.network.options.nodes = nodes;
            let how = if tried > 1 { "with which this was chosen" } else { "for which this was predicted" };
            remarks.push(format!(
                "the network keeps `nodes = {nodes}`, {how}: other budgets find other programs, whose errors are others"
            ));
        }
        Ok(((choices, imported), remarks))
    }
}

impl Choosing<'_> {
    /// The candidates of all levels and depths, for these pictures, and the settings that the import refuses, as depths at which
    /// weights are too large.
    fn candidates(&self, pictures: &Pictures) -> (Vec<Candidate>, LeftOut) {
        let (mut made, mut unread) = (Vec::new(), LeftOut::default());
        for (levels, depth) in self.levels.iter().flat_map(|levels| self.depths.iter().map(|depth| (*levels, *depth))) {
            match self.given.candidate(levels, depth, self.read) {
                Ok((choices, mut imported)) => {
                    imported.network.pictures.clone_from(&pictures.kept);
                    made.push((choices, imported));
                }
                Err(problem) => {
                    let largest_sums = self.given.largest_sums.unwrap_or(Fraction::ONE);
                    unread.push(Setting { levels, depth, largest_sums, nodes: NODES }, problem);
                }
            }
        }
        (made, unread)
    }

    /// What is told if no setting could be compiled: an error, or a warning if there was nothing to choose.
    fn none(
        self,
        tried: usize,
        failed: &[Failed],
        supervisor: &Supervisor<'_>,
    ) -> Result<(Candidate, Vec<String>), String> {
        let mut reasons = failed::reasons(failed);
        let is_final = failed::are_final(failed);
        let can = |depth: u32| {
            let candidate = self.given.candidate(self.first.0.levels, Some(depth), self.read);
            candidate.is_ok_and(|(_, imported)| compiled(&imported.network, NODES, supervisor).is_ok())
        };
        if is_final && let Some(depth) = self.given.depth {
            reasons.extend(failed::depths(depth, DEPTHS[0], &can).map(|depths| format!("; {depths}")));
        }
        match (tried > 1, is_final) {
            (true, true) => Err(format!("none of {tried} settings can be compiled: {reasons}")),
            (true, false) => Err(format!(
                "none of {tried} settings could be compiled by a short search; name one with `--levels` and `--depth`: {reasons}"
            )),
            (false, true) => Ok((self.first, vec![format!("warning: the network cannot be compiled: {reasons}")])),
            (false, false) => Ok((self.first, vec![format!("the errors on a chip cannot be predicted: {reasons}")])),
        }
    }
}

/// A candidate with each of the shares of the largest sums, if it has such sums.
fn with_shares((choices, imported): &Candidate) -> Vec<Candidate> {
    let shares = LARGEST_SUMS.iter().filter_map(|share| Fraction::new(1, *share));
    let with = |share| {
        let mut imported = imported.clone();
        imported.network.largest_sums = share;
        (*choices, imported)
    };
    if imported.network.has_sums_over_maps() { shares.map(with).collect() } else { vec![] }
}

/// The places of the best candidates, at most so many, and with no more words together.
fn best_places(judged: &[Judged], (count, most_words): (usize, usize)) -> Vec<usize> {
    let mut places = Vec::new();
    let mut together = 0;
    for one in judged {
        if places.contains(&one.place) {
            continue;
        }
        together += one.words;
        if places.len() == count || together > most_words {
            break;
        }
        places.push(one.place);
    }
    places
}

impl Given {
    fn candidate(
        self,
        levels: (f64, f64),
        depth: Option<u32>,
        read: &dyn Fn(Choices) -> Result<Imported, String>,
    ) -> Result<Candidate, String> {
        let choices = Choices { levels, range: self.range, binarise: self.binarise, depth };
        let mut imported = read(choices)?;
        imported.network.largest_sums = self.largest_sums.unwrap_or(Fraction::ONE);
        Ok((choices, imported))
    }
}
