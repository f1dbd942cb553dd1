//! Networks that may become short programs.

use core::cmp::Ordering;
use std::collections::{BTreeSet, HashSet};

use super::Declaration;
use super::network::{Functions, Narrow, Network, Sequences, Style, build};
use super::sums::{Form, chains, extractions};

/// Forms that are extended by a partial sum.
const FORMS: usize = 8;
/// Partial sums that are made at most.
const DEPTH: usize = 8;
/// Networks that are given registers.
const NETWORKS: usize = 3;
/// Networks that take more words and hold fewer bits at the same time.
const STEPS: usize = 30;
/// Networks that hold the fewest bits, of all forms.
const SCARCE: usize = 4;
/// A network of a form, without registers.
struct Candidate {
    cost: usize,
    form: Form,
    network: Network,
}

impl Candidate {
    /// What candidates are sorted by: those with the fewest words come first.
    fn order(&self, other: &Self) -> Ordering {
        (self.cost, &self.form).cmp(&(other.cost, &other.form))
    }
}

/// The networks with the fewest words, then those that hold fewer bits at the same time, without registers.
pub(super) fn networks(declaration: &Declaration, nodes: &mut u64) -> Vec<Network> {
    let (mut sequences, mut functions) = (Sequences::default(), Functions::new());
    let mut weigh = |form: &Form, style: Style| {
        *nodes += 1;
        let network = build(declaration, form, style, &mut sequences, &mut functions)?;
        Some(Candidate { cost: cost(&network), form: form.clone(), network })
    };
    let mut all = with_partial_sums(Form::direct(declaration), |form| weigh(form, Style::default()));
    let scarce = scarce(&all, &mut weigh);
    all.truncate(NETWORKS);
    let forms: Vec<Form> = all.iter().map(|candidate| candidate.form.clone()).collect();
    all.extend(forms.iter().filter_map(|form| weigh(form, Style { few_ones: true, ..Style::default() })));
    all.sort_by(Candidate::order);
    // They come last: what is found before them is shorter.
    let mut steps = Vec::new();
    for (form, few_ones) in forms.iter().flat_map(|form| [(form, false), (form, true)]) {
        for narrow in [Narrow::Outputs, Narrow::All] {
            for repeats in [false, true] {
                steps.extend(weigh(form, Style { repeats, few_ones, narrow }));
            }
        }
        for form in std::iter::once(form.clone()).chain(chains(form)) {
            steps.extend(weigh(&form, Style { repeats: true, few_ones, narrow: Narrow::No }));
        }
    }
    steps.sort_by(Candidate::order);
    steps.truncate(STEPS);
    let mut seen = HashSet::new();
    let networks = all.into_iter().chain(steps).chain(scarce).map(|candidate| candidate.network);
    networks.filter(|network| seen.insert(network.turned())).collect()
}

/// Forms with more and more partial sums, those with the fewest words first.
fn with_partial_sums(direct: Form, mut weigh: impl FnMut(&Form) -> Option<Candidate>) -> Vec<Candidate> {
    let mut seen = BTreeSet::from([direct.clone()]);
    let mut all = Vec::new();
    let mut newest: Vec<Candidate> = weigh(&direct).into_iter().collect();
    for _ in 0..DEPTH {
        let mut next = Vec::new();
        for candidate in &newest {
            for form in extractions(&candidate.form) {
                if !seen.contains(&form) {
                    next.extend(weigh(&form));
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

/// Of all forms, the networks that hold the fewest bits.
fn scarce(all: &[Candidate], mut weigh: impl FnMut(&Form, Style) -> Option<Candidate>) -> Vec<Candidate> {
    let mut scarce = Vec::new();
    for candidate in all {
        for (most, few_ones) in [(1, false), (1, true), (2, false), (2, true)] {
            let style = Style { repeats: true, few_ones, narrow: Narrow::Serial { most } };
            scarce.extend(weigh(&candidate.form, style).map(|candidate| (candidate.network.held(), candidate)));
        }
    }
    scarce.sort_by(|(held, a), (other, b)| held.cmp(other).then_with(|| a.order(b)));
    scarce.into_iter().take(SCARCE).map(|(_, candidate)| candidate).collect()
}

/// The words of a network and an estimate of those that set directions up.
fn cost(network: &Network) -> usize {
    network.words() + 2 * network.turns()
}
