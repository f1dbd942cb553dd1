//! Compares an imported network with its model on pictures.

use std::fmt::Write as _;

use cain_network::Network;
use cain_onnx::{Check, Compared};

use super::supervisor::Supervisor;
use super::{doubtful, random};
use crate::data::Labelled;
use crate::progress::Line;
use crate::threads;

/// Compares on random pictures and on those of the data. Returns remarks, also on a range that was given if it seems to be
/// another than that of the training; the error tells what differs. Where rounding is coarse, it is told that the weights before it
/// were compared.
pub(super) fn compare(
    check: &Check<'_>,
    network: &Network,
    data: Option<&Labelled>,
    (range, is_coarse): (Option<(f64, f64)>, bool),
    supervisor: &Supervisor<'_>,
) -> Result<Vec<String>, String> {
    let size = (network.input.height, network.input.width);
    let drawn = random::pictures(size);
    let drawn: Vec<&[u8]> = drawn.iter().map(Vec::as_slice).collect();
    let compared = all(check, &drawn, "random picture", supervisor)?;
    let mut remarks = vec![summary(&compared, "random pictures", is_coarse)];
    let mut same = compared.iter().filter(|compared| compared.is_same).count();
    if let Some(labelled) = data {
        let pictures: Vec<&[u8]> = labelled.iter().map(|(picture, _)| picture).collect();
        let compared = all(check, &pictures, "picture", supervisor)?;
        same += compared.iter().filter(|compared| compared.is_same).count();
        remarks.push(summary(&compared, "pictures of the data", is_coarse));
        let labels: Vec<usize> = labelled.iter().map(|(_, label)| label).collect();
        remarks.push(recognised(&compared, &labels));
        if let Some(range) = range {
            remarks.extend(doubtful::warnings(check, range, (&pictures, &labels), &compared));
        }
    }
    if same == 0 {
        return Err("in every picture, values lie so near thresholds that nothing can be compared".to_owned());
    }
    Ok(remarks)
}

/// Compares on pictures; the error is that of the first one that differs.
fn all(
    check: &Check<'_>,
    pictures: &[&[u8]],
    what: &str,
    supervisor: &Supervisor<'_>,
) -> Result<Vec<Compared>, String> {
    let line = Line::new(u64::try_from(pictures.len()).unwrap_or(u64::MAX), "pictures").logged();
    let compared = threads::map(pictures, |_, picture| {
        let compared = supervisor.check().and_then(|()| check.picture(picture));
        line.advance(1);
        compared
    });
    drop(line);
    supervisor.check()?;
    let numbered = compared.into_iter().enumerate();
    let told = |(number, compared): (usize, Result<Compared, String>)| {
        compared
            .map_err(|problem| format!("the network does not compute what the model does: {what} {number}: {problem}"))
    };
    numbered.map(told).collect()
}

fn summary(compared: &[Compared], what: &str, is_coarse: bool) -> String {
    let same = compared.iter().filter(|compared| compared.is_same).count();
    let outputs = if is_coarse { "with the weights before rounding, outputs" } else { "all outputs" };
    let mut text = format!("compared on {} {what}: {outputs} are those of the model", compared.len());
    if same < compared.len() {
        let undecided = compared.len() - same;
        let _ = write!(text, ", but for {undecided} with values so near thresholds that rounding decides");
    }
    text
}

/// How many pictures the model and the network recognise.
fn recognised(compared: &[Compared], labels: &[usize]) -> String {
    let count = |of: fn(&Compared) -> usize| doubtful::recognised(&compared.iter().map(of).collect::<Vec<_>>(), labels);
    let (model, network) = (count(|one| one.class), count(|one| one.rounded));
    let changed = compared.iter().filter(|one| one.class != one.rounded).count();
    format!(
        "of {} pictures, the model recognises {model}, and the network with the weights as they are written {network}; \
         they differ in {changed}",
        compared.len()
    )
}
