//! Tries candidates: compiles them, predicts their errors, and shows how many are done.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use cain_isa::Progress;
use cain_network::{CompiledNetwork, Network, compile_watched};
use cain_onnx::Choices;

use super::failed::Failed;
use super::judged::{Candidate, Judged, finalists, sort};
use super::left_out::{LeftOut, Setting};
use super::pictures::Pictures;
use super::supervisor::Supervisor;
use crate::progress::Line;
use crate::threads;

/// The nodes of all searches of a candidate together, for each node of the budget of a sum from 1000 on.
const MOST_NODES: u64 = 200;

/// The time after which progress is shown.
const PATIENCE: Duration = Duration::from_secs(2);

/// Judges candidates with these places and budgets; those that could not be compiled are left out.
pub(super) fn judge(
    candidates: &[Candidate],
    of: &[(usize, u64)],
    (pictures, supervisor): (&Pictures, &Supervisor<'_>),
    (judged, left_out): (&mut Vec<Judged>, &mut LeftOut),
) -> Result<(), String> {
    let all = each(of, supervisor, |of| self::judged(candidates, *of, pictures, supervisor))?;
    for (one, (place, nodes)) in all.into_iter().zip(of) {
        match (one, candidates.get(*place)) {
            (Ok(one), _) => judged.push(one),
            (Err(failed), Some((Choices { levels, depth, .. }, imported))) => {
                let largest_sums = imported.network.largest_sums;
                left_out.push(Setting { levels: *levels, depth: *depth, largest_sums, nodes: *nodes }, failed);
            }
            (Err(_), None) => {}
        }
    }
    Ok(())
}

/// Compiles a candidate with a place and a budget, and judges it.
fn judged(
    candidates: &[Candidate],
    (place, nodes): (usize, u64),
    pictures: &Pictures,
    supervisor: &Supervisor<'_>,
) -> Result<Judged, Failed> {
    let candidate = candidates.get(place).ok_or_else(|| "there is no such candidate".to_owned())?;
    let compiled = compiled(&candidate.1.network, nodes, supervisor)?;
    supervisor.check()?;
    let pictures = pictures.for_words(compiled.words());
    Ok(Judged::of((place, nodes), candidate, compiled, &pictures))
}

/// Compiles a candidate with this budget of each sum.
pub(super) fn compiled(network: &Network, nodes: u64, supervisor: &Supervisor<'_>) -> Result<CompiledNetwork, Failed> {
    supervisor.check()?;
    let mut network = network.clone();
    network.options.nodes = nodes;
    let most = MOST_NODES * nodes.max(1000);
    let mut watch = |Progress { nodes, .. }| {
        if nodes > most || supervisor.check().is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    compile_watched(&network, &mut watch).map_err(|error| Failed::from(&error))
}

/// Predicts the best candidates for further pictures, of which those by which they became the best are too few, and sorts them again.
pub(super) fn decide(
    candidates: &[Candidate],
    judged: &mut [Judged],
    words: Option<usize>,
    (pictures, supervisor): (&Pictures, &Supervisor<'_>),
) -> Result<(), String> {
    let count = finalists(judged, words);
    let best = judged.get_mut(..count).unwrap_or_default();
    let further = each(best, supervisor, |one| {
        let (_, imported) = candidates.get(one.place)?;
        one.predicted(imported, &pictures.others(one.words), &|| supervisor.check().is_ok())
    })?;
    for (one, further) in best.iter_mut().zip(further) {
        if let Some(further) = further {
            one.count(&further);
        }
    }
    sort(best, words);
    Ok(())
}

/// Does something with each of these, and shows how many are done if that takes long. Fails only if the work is to end.
fn each<T: Sync, R: Send>(
    of: &[T],
    supervisor: &Supervisor<'_>,
    work: impl Fn(&T) -> R + Sync,
) -> Result<Vec<R>, String> {
    let count = u64::try_from(of.len()).unwrap_or(u64::MAX);
    let line = Line::hidden(count, "settings").logged();
    let done = AtomicU64::new(0);
    (supervisor.progress)(0, count);
    let start = Instant::now();
    let is_shown = Mutex::new(false);
    let results = threads::map(of, |_, of| {
        let result = work(of);
        if start.elapsed() > PATIENCE
            && let Ok(mut is_shown) = is_shown.lock()
            && !std::mem::replace(&mut *is_shown, true)
        {
            line.show();
        }
        line.advance(1);
        (supervisor.progress)(done.fetch_add(1, Ordering::Relaxed) + 1, count);
        result
    });
    drop(line);
    supervisor.check().map(|()| results)
}
