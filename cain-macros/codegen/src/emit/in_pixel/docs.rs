//! Documentation of the function of a network in the pixels.

use cain_analysis::owned::Program;
use cain_in_pixel::{Compiled, Scores, Second};

use super::super::docs::waiting;
use super::super::program::{cost, table};

/// The documentation of the function, after the user's own.
pub(super) fn of_compiled(compiled: &Compiled, program: &Program) -> Vec<Vec<String>> {
    let facts = [vec![picture(compiled)], table(program), vec![total(compiled, program)]];
    let times = &compiled.network().machine.times;
    let waiting = compiled.switches().iter().map(|table| vec![waiting(table, times)]);
    facts.into_iter().chain(waiting).collect()
}

/// Where the picture has to be.
fn picture(compiled: &Compiled) -> String {
    let (network, taken) = (compiled.network(), compiled.taken());
    let scale = if network.scale == 1 { String::new() } else { format!(" of {0}×{0} PEs each", network.scale) };
    let cuts: Vec<_> = network.pixels.cuts().iter().map(i8::to_string).collect();
    let values = match &cuts[..] {
        [others @ .., last] if !others.is_empty() => {
            format!("each 0 and one more for each of {} and {last} DN that it exceeds", others.join(", "))
        }
        _ => "positive where there is ink".to_owned(),
    };
    format!(
        "The picture has {0}×{0} pixels{scale}, {values}, in rows {1} to {2} and columns {3} to {4} of an \
         array of {5}×{5} PEs. What is around it does not count.",
        network.picture,
        taken.top,
        taken.top + taken.height.saturating_sub(1),
        taken.left,
        taken.left + taken.width.saturating_sub(1),
        network.side,
    )
}

fn total(compiled: &Compiled, program: &Program) -> String {
    let read = match &compiled.network().second {
        Some(Second { scores: Scores::Exact, .. }) => " with a scan of bits".to_owned(),
        _ => format!(", and {} sums", compiled.network().classes()),
    };
    format!("{}{read}. All is proved for all pictures and weights.", cost(program))
}
