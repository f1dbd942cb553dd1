//! Generates networks that may become short programs.

use core::cmp::Ordering;
use std::collections::{BTreeSet, HashSet};

use super::Declaration;
use super::effort::Effort;
use super::network::{Functions, Narrow, Network, Sequences, Style, build};
use super::sums::{Form, chains, completions, extractions};

/// The number of forms that are extended by a further partial sum.
const FORMS: usize = 8;
/// The most partial sums in a form.
const DEPTH: usize = 8;
/// The number of networks for which registers are searched.
const NETWORKS: usize = 3;
/// The number of networks that take more words but hold fewer bits at the same time.
const STEPS: usize = 30;
/// A limit on the work to make networks, in squares of their gates: enough for all forms of neighbourhoods.
const MOST_WORK: usize = 24_000_000;
/// The number of networks, of all forms, that hold the fewest bits.
const SCARCE: usize = 4;
/// The most bits that may wait in networks that add bit after bit.
const MOST_WAITING: usize = 4;

/// The network of a form, not yet with registers.
struct Candidate {
    cost: usize,
    form: Form,
    network: Network,
}

impl Candidate {
    /// The sort order of candidates: the fewest words come first.
    fn order(&self, other: &Self) -> Ordering {
        (self.cost, &self.form).cmp(&(other.cost, &other.form))
    }
}

/// Networks that may become short programs, those with the fewest words first.
pub(super) struct Networks {
    /// Networks of the unchanged sums, followed by those that hold fewer bits at the same time; not yet with registers.
    pub(super) plain: Vec<Network>,
    /// Networks in which one weight of a sum is split, if that makes rows and columns repeat.
    pub(super) completed: Vec<Network>,
}

impl Networks {
    pub(super) fn of(declaration: &Declaration, effort: &mut Effort<'_>) -> Self {
        let (sequences, functions) = (Sequences::default(), Functions::new());
        let mut maker = Maker { declaration, effort, work: MOST_WORK / 2, is_first: true, sequences, functions };
        let direct = Form::direct(declaration);
        let plain = maker.with_partial_sums([direct.clone()]);
        let completed = completions(&direct, &mut |steps| maker.step(steps));
        let completed = maker.with_partial_sums(completed);
        maker.work += MOST_WORK / 2;
        let scarce = maker.scarce(&plain);
        let best = plain.first().map(|candidate| candidate.form.clone());
        let plain = maker.shortest(plain, STEPS);
        let completed = maker.shortest(completed, usize::MAX);
        // These come last, since the earlier ones yield shorter programs.
        let counting = maker.counting(best.iter().chain([&direct]));
        let mut seen = HashSet::new();
        let mut new = |candidates: Vec<Candidate>| {
            let networks = candidates.into_iter().map(|candidate| candidate.network);
            networks.filter(|network| seen.insert(network.turned())).collect()
        };
        Self { plain: new([plain, scarce, counting].into_iter().flatten().collect()), completed: new(completed) }
    }
}

/// Makes networks of forms.
struct Maker<'d, 'w> {
    declaration: &'d Declaration,
    effort: &'d mut Effort<'w>,
    /// The work left, in squares of the networks' gates.
    work: usize,
    /// Whether no network has been made yet; the first one is made in any case.
    is_first: bool,
    sequences: Sequences,
    functions: Functions,
}

impl Maker<'_, '_> {
    /// Counts steps; returns whether more are allowed.
    fn step(&mut self, steps: u64) -> bool {
        self.effort.step(steps);
        self.effort.may_step()
    }

    /// The network of a form; `None` if it would be too large, or if the earlier networks have used up the work.
    fn make(&mut self, form: &Form, style: Style) -> Option<Candidate> {
        let may_step = std::mem::take(&mut self.is_first) || self.effort.may_step();
        if self.work == 0 || !may_step {
            return None;
        }
        self.effort.network();
        let network = build(self.declaration, form, style, &mut self.sequences, &mut self.functions, self.effort)?;
        self.work = self.work.saturating_sub(network.gates.len().pow(2));
        Some(Candidate { cost: cost(&network), form: form.clone(), network })
    }

    /// Forms with more and more partial sums; those with the fewest words come first.
    fn with_partial_sums(&mut self, forms: impl IntoIterator<Item = Form>) -> Vec<Candidate> {
        let mut all = Vec::new();
        let mut seen: BTreeSet<Form> = forms.into_iter().collect();
        let mut newest: Vec<Candidate> = seen.iter().filter_map(|form| self.make(form, Style::default())).collect();
        for _ in 0..DEPTH {
            let mut next = Vec::new();
            for candidate in &newest {
                for form in extractions(&candidate.form, &mut |steps| self.step(steps)) {
                    if !seen.contains(&form) {
                        next.extend(self.make(&form, Style::default()));
                        seen.insert(form);
                    }
                }
            }
            next.sort_by(Candidate::order);
            next.truncate(FORMS);
            all.append(&mut newest);
            newest = next;
        }
        all.append(&mut newest);
        all.sort_by(Candidate::order);
        all
    }

    /// The networks with the fewest words, followed by `steps` networks of the same forms that hold fewer bits.
    fn shortest(&mut self, mut family: Vec<Candidate>, steps: usize) -> Vec<Candidate> {
        family.truncate(NETWORKS);
        let forms: Vec<Form> = family.iter().map(|candidate| candidate.form.clone()).collect();
        family.extend(forms.iter().filter_map(|form| self.make(form, Style { few_ones: true, ..Style::default() })));
        family.sort_by(Candidate::order);
        family.extend(self.in_steps(&forms).into_iter().take(steps));
        family
    }

    /// Networks of forms that take more words; those with the fewest come first.
    fn in_steps(&mut self, forms: &[Form]) -> Vec<Candidate> {
        let mut steps = Vec::new();
        for (form, few_ones) in forms.iter().flat_map(|form| [(form, false), (form, true)]) {
            for narrow in [Narrow::Outputs, Narrow::All] {
                for repeats in [false, true] {
                    steps.extend(self.make(form, Style { repeats, few_ones, narrow }));
                }
            }
            for form in std::iter::once(form.clone()).chain(chains(form)) {
                steps.extend(self.make(&form, Style { repeats: true, few_ones, narrow: Narrow::No }));
            }
        }
        steps.sort_by(Candidate::order);
        steps
    }

    /// The networks of all forms that hold the fewest bits.
    fn scarce(&mut self, all: &[Candidate]) -> Vec<Candidate> {
        let mut scarce = Vec::new();
        for candidate in all {
            for (most, few_ones) in [(1, false), (1, true), (2, false), (2, true)] {
                let style = Style { repeats: true, few_ones, narrow: Narrow::Serial { most } };
                let made = self.make(&candidate.form, style);
                scarce.extend(made.map(|candidate| (candidate.network.held(), candidate)));
            }
        }
        scarce.sort_by(|(held, a), (other, b)| held.cmp(other).then_with(|| a.order(b)));
        scarce.into_iter().take(SCARCE).map(|(_, candidate)| candidate).collect()
    }

    /// Networks that add bit after bit; those with the fewest words come first.
    fn counting<'f>(&mut self, forms: impl IntoIterator<Item = &'f Form>) -> Vec<Candidate> {
        let mut counting = Vec::new();
        for form in forms {
            for waiting in 0..=MOST_WAITING {
                let narrow = Narrow::Counting { waiting };
                counting.extend(self.make(form, Style { repeats: true, few_ones: false, narrow }));
            }
        }
        counting.sort_by(Candidate::order);
        counting
    }
}

/// The words of a network plus an estimate of the words that set up directions.
fn cost(network: &Network) -> usize {
    network.words() + 2 * network.turns()
}
