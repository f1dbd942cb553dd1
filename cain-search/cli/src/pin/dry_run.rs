//! Which plans would be written, without searching.

use std::io::{self, Write as _};
use std::path::PathBuf;

use cain_codegen::printable::Printable;

use super::bits::{Exact, WantedBits};
use super::collect::Collected;
use super::network::WantedNetwork;
use super::search::State;
use super::wanted::Wanted;
use super::{BETTER, KEPT, NEW, Pin, RENEWED, complain};

/// What would become of a plan file.
type Change = Result<(PathBuf, &'static str), String>;

/// Lists the plans that would be written, or are if the search finds a better program; whether all can be.
pub(crate) fn run(args: &Pin, collected: &Collected) -> io::Result<bool> {
    let Collected { filters, digital, super_pixels, networks, .. } = collected;
    let filters = filters.iter().map(|filter| of_filter(filter, args.again));
    let digital = digital.iter().map(|filter| of_bits(filter, args.again));
    let super_pixels = super_pixels.iter().map(|filter| of_bits(filter, args.again));
    let networks = networks.iter().map(|network| of_network(network, args.again));
    let mut problems = Vec::new();
    let mut out = io::stdout().lock();
    for change in filters.chain(digital).chain(super_pixels).chain(networks) {
        match change {
            Ok((_, KEPT)) => {}
            Ok((plan, BETTER)) => {
                let plan = Printable(plan.display());
                writeln!(out, "would search for {plan}: only a better program replaces the one there")?;
            }
            Ok((plan, change)) => writeln!(out, "would write {}: {change}", Printable(plan.display()))?,
            Err(problem) => problems.push(problem),
        }
    }
    Ok(complain(&problems))
}

fn of_filter(filter: &Wanted, again: bool) -> Change {
    let change = match State::of(filter)? {
        State::Missing => NEW,
        State::Invalid(_) => RENEWED,
        State::Valid { is_final: true, .. } if !again => KEPT,
        State::Valid { .. } => BETTER,
    };
    Ok((filter.plans.shown(&filter.plan), change))
}

fn of_bits<K: Exact>(filter: &WantedBits<K>, again: bool) -> Change {
    filter.state(again).map(|(_, change)| (filter.plans.shown(&filter.plan), change))
}

fn of_network(network: &WantedNetwork, again: bool) -> Change {
    network.state(again).map(|(_, change)| (network.plans().shown(&network.plan()), change))
}
